"""Tables 4 and 6 of the guesses paper: the paper, Ostrya and GOSDT."""

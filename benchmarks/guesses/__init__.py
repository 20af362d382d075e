"""Tables 4 and 6 of the guesses paper, ours and GOSDT's beside the paper's figures."""

"""From checked arguments to a proved tree; `ostrya._solver` puts the steps together."""

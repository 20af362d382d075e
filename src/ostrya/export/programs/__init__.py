"""A tree as a program of its own, which needs neither Ostrya nor its training rows."""

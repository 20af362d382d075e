"""Regularised BinOCT: a mixed-integer program for the best tree within a depth."""

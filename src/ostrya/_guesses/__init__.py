"""Guesses from a reference model: thresholds, depth and bounds, and what they cost."""

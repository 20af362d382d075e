"""Restrict a search by a reference model: thresholds, depth and lower bounds."""

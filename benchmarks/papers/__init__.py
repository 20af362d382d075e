"""Kept results of the papers: CSV tables and SVG figures, each with its commit."""

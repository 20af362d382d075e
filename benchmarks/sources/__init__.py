"""Data sets: which exist, where they come from, and how to fetch and prepare them."""

"""Results of the raw suite: bounds over time, with and without dual prices."""

"""The experiments of the OSDT paper: Table 2, Figures 2 and 3."""

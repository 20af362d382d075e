"""OSDT's own experiments: Table 2, Figures 2 and 3, ours beside the paper's."""

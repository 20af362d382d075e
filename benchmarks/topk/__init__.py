"""The experiments of the Top-k paper (Blanc et al. 2023) on the available data."""

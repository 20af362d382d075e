"""The experiments of the Top-k paper (Blanc et al. 2023), as far as data are here."""

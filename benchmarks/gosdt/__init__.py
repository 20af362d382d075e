"""The experiments of the GOSDT paper (Lin et al., ICML 2020) beside those in `osdt`."""

"""Time Ostrya and other packages on the same problems; see `benchmarks/README.md`."""

"""Time ostrya and its peers on the same problems; see `benchmarks/README.md`."""

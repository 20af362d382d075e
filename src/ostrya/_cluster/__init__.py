"""Distribute one search over many machines with Dask."""

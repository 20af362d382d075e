"""One search on many machines, through Dask."""

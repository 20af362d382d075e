"""``ostrya demo``: an example without a file."""

from ostrya import demo as example


def demo() -> None:
    """Find an optimal tree for a medical data set and compare it with CART."""
    example.main()

"""``ostrya demo``: a first look."""

from ostrya import demo as first_look


def demo() -> None:
    """Find an optimal tree for a medical data set and compare it with CART."""
    first_look.main()

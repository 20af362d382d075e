"""``ostrya demo``: a first look."""

from ostrya import demo as first_look


def demo() -> None:
    """Grow one optimal tree on a medical data set, beside what CART finds."""
    first_look.main()

"""Every error and warning of the package.

::

    Exception
    └── OstryaError
        └── InternalError       (also a RuntimeError)
    UserWarning
    ├── OptimalityWarning
    ├── ReferenceWarning
    └── TableWarning

Wrong arguments raise the built-in ``ValueError`` and ``TypeError``.
"""


class OstryaError(Exception):
    """Any error of this package that is not about a wrong argument."""


class InternalError(OstryaError, RuntimeError):
    """A result failed its final recount: a mistake of ours, please report it."""


class OptimalityWarning(UserWarning):
    """A search ended before its tree was proved optimal."""


class ReferenceWarning(UserWarning):
    """A reference model is too poor, or too much left to chance, to guess from."""


class TableWarning(UserWarning):
    """A table or its labels are read as their owner may not expect, or mislead."""

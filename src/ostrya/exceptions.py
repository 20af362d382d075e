"""The exceptions and warnings of the package.

::

    Exception
    └── OstryaError
        └── InternalError       (also a RuntimeError)
    UserWarning
    ├── OptimalityWarning
    ├── ReferenceWarning
    └── TableWarning

Invalid arguments raise the built-in ``ValueError`` and ``TypeError``.
"""

__all__ = [
    "InternalError",
    "OptimalityWarning",
    "OstryaError",
    "ReferenceWarning",
    "TableWarning",
]


class OstryaError(Exception):
    """The base class of all errors of this package except invalid arguments.

    Examples
    --------
    >>> import ostrya
    >>> issubclass(ostrya.exceptions.InternalError, ostrya.OstryaError)
    True
    """


class InternalError(OstryaError, RuntimeError):
    """A result failed the final check of its objective; please report this as a bug.

    Examples
    --------
    >>> import ostrya
    >>> try:
    ...     outcome = ostrya.solve([[0], [1]], [0, 1])
    ... except ostrya.exceptions.InternalError as error:
    ...     print(f"please report this: {error}")
    """


class OptimalityWarning(UserWarning):
    """A search stopped before its tree was proved optimal.

    Examples
    --------
    >>> import warnings
    >>> import ostrya
    >>> warnings.simplefilter("error", ostrya.OptimalityWarning)  # no proof, no tree
    """


class ReferenceWarning(UserWarning):
    """A reference model is too inaccurate or too random to restrict a search.

    Examples
    --------
    >>> import warnings
    >>> import ostrya
    >>> warnings.simplefilter("error", ostrya.exceptions.ReferenceWarning)
    """


class TableWarning(UserWarning):
    """A table or its labels may be read differently than their owner expects.

    Examples
    --------
    >>> import warnings
    >>> import ostrya
    >>> with warnings.catch_warnings(record=True) as told:
    ...     warnings.simplefilter("always", ostrya.TableWarning)
    ...     table = [["1.5"], ["2.5"], ["3.5"]]
    ...     clf = ostrya.OptimalTreeClassifier(leaf_penalty=0.01)
    ...     clf = clf.fit(table, ["a", "b", "b"])
    >>> told[0].category.__name__
    'TableWarning'
    """


def __dir__() -> list[str]:
    return __all__

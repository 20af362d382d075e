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
    """Any error of this package that is not about a wrong argument.

    Examples
    --------
    >>> import ostrya
    >>> issubclass(ostrya.InternalError, ostrya.OstryaError)
    True
    """


class InternalError(OstryaError, RuntimeError):
    """A result failed its final recount: a mistake of ours, please report it.

    Examples
    --------
    >>> import ostrya
    >>> try:
    ...     outcome = ostrya.solve([[0], [1]], [0, 1])
    ... except ostrya.InternalError as error:
    ...     print(f"please report this: {error}")
    """


class OptimalityWarning(UserWarning):
    """A search ended before its tree was proved optimal.

    Examples
    --------
    >>> import warnings
    >>> import ostrya
    >>> warnings.simplefilter("error", ostrya.OptimalityWarning)  # no proof, no tree
    """


class ReferenceWarning(UserWarning):
    """A reference model is too poor, or too much left to chance, to guess from.

    Examples
    --------
    >>> import warnings
    >>> import ostrya
    >>> warnings.simplefilter("error", ostrya.ReferenceWarning)
    """


class TableWarning(UserWarning):
    """A table or its labels are read as their owner may not expect, or mislead.

    Examples
    --------
    >>> import warnings
    >>> import ostrya
    >>> with warnings.catch_warnings(record=True) as told:
    ...     warnings.simplefilter("always", ostrya.TableWarning)
    ...     table = [["1.5"], ["2.5"], ["3.5"]]
    ...     clf = ostrya.OptimalTreeClassifier(0.01).fit(table, ["a", "b", "b"])
    >>> told[0].category.__name__
    'TableWarning'
    """

"""Export a tree as plain Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy.typing as npt

from ostrya._condition import AtMost, Condition, IsMissing
from ostrya.export.programs.decisions import (
    Decisions,
    InputColumn,
    Model,
    whole_or_float,
)
from ostrya.export.programs.identifiers import identifiers
from ostrya.export.programs.nested import moment_in_words, nested

_HELPERS = {
    "number": '''
def _number(value):
    """Return a number; NaN if it is missing."""
    return float("nan") if value is None else value
''',
    "text": '''
def _text(value):
    """Return a string; None if it is missing (NaN in pandas)."""
    return value if value == value else None
''',
    "time": '''
def _time(value):
    """Return a date or a time in microseconds since 1970; NaN if it is missing."""
    if value is None or value != value:
        return float("nan")
    if not isinstance(value, datetime.date):
        raise TypeError(f"a date must be a datetime.date or datetime; got {value!r}")
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day)
    since = value - datetime.datetime(1970, 1, 1)
    return float(since // datetime.timedelta(microseconds=1))
''',
    "zoned time": '''
def _zoned_time(value):
    """Return a time with a time zone in microseconds since 1970 in UTC, or NaN."""
    if value is None or value != value:
        return float("nan")
    if not isinstance(value, datetime.datetime):
        raise TypeError(f"a time must be a datetime.datetime; got {value!r}")
    since = value - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
    return float(since // datetime.timedelta(microseconds=1))
''',
    "duration": '''
def _duration(value):
    """Return a duration in microseconds; NaN if it is missing."""
    if value is None or value != value:
        return float("nan")
    return float(value // datetime.timedelta(microseconds=1))
''',
}


def to_python(
    model: Model,
    *,
    feature_names: Sequence[str] | None = None,
    classes: Sequence[Any] | npt.NDArray[Any] | None = None,
) -> str:
    """Return a tree as a plain Python module that imports at most `datetime`.

    The module defines the functions ``predict(row)`` and ``predict_proba(row)``, and
    ``CLASSES``, the labels in the order of the probabilities. A row is a mapping from
    column names to values, or a sequence if the columns have no names. Only the columns
    that the tree uses are read.

    Parameters
    ----------
    model : classifier, Outcome or Tree
        A fitted classifier of this package, or a tree over numbers.
    feature_names : sequence of str, default=None
        For a tree or an outcome, the names of its columns. Omit it for a classifier.
    classes : sequence, default=None
        For a tree or an outcome, the label of each class code. If None, the codes.
        Omit it for a classifier.

    Returns
    -------
    str
        The source. The functions expect numbers, booleans, strings, dates, datetimes
        and timedeltas as such, and None or NaN for missing values. If `fit` read text
        as numbers or dates, they expect numbers or dates.

    Raises
    ------
    TypeError
        If labels, or the levels of a column, mix several types, or are not strings,
        numbers or booleans.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import to_python
    >>> X = [[20, "red"], [35, "red"], [40, "blue"], [None, "blue"]]
    >>> clf = ostrya.OptimalTreeClassifier(leaf_penalty=0.01)
    >>> clf = clf.fit(X, ["a", "b", "b", "b"])
    >>> module = {}
    >>> exec(to_python(clf), module)
    >>> module["predict"]([25, "red"]), module["predict_proba"]([None, "green"])
    ('a', (0.0, 1.0))
    """
    decisions = Decisions(model, feature_names, classes)
    columns = decisions.columns.values()
    words = identifiers(column.name for column in columns)
    variables = dict(zip(decisions.columns, words, strict=True))
    shares = decisions.tree.shares().tolist()
    readers = {column.place: _reader(column) for column in columns}

    def ask(condition: Condition, holds: bool) -> str:
        column = decisions.columns[condition.source]
        question = _question(condition, column, variables[column.place])
        question = question if holds else f"not ({question})"
        told = moment_in_words(condition, column)
        return f"if {question}:" + (f"  # {told}" if told else "")

    def give(leaf: int) -> str:
        return f"return {_literal(decisions.label(leaf))}, {tuple(shares[leaf])!r}"

    helpers = [_HELPERS[name] for name in _HELPERS if name in set(readers.values())]
    needs_dates = any("datetime" in helper for helper in helpers)
    reads = [
        f"    {variables[column.place]} = {_read(column, decisions, readers)}"
        for column in columns
    ]
    lines = [
        '"""A decision tree: predict(row) and predict_proba(row)."""',
        *(["", "import datetime"] if needs_dates else []),
        "",
        f"CLASSES = {_tuple(map(_literal, decisions.labels))}",
        *(f"\n{helper.rstrip()}" for helper in helpers),
        "",
        "",
        "def predict(row):",
        '    """Return the label of a row."""',
        "    return _leaf(row)[0]",
        "",
        "",
        "def predict_proba(row):",
        '    """Return the share of each class among the training rows like it."""',
        "    return _leaf(row)[1]",
        "",
        "",
        "def _leaf(row):",
        *reads,
        *nested(decisions, ask, give),
    ]
    return "\n".join(lines) + "\n"


def _reader(column: InputColumn) -> str:
    if column.kind == "time" and column.is_zoned:
        return "zoned time"
    return "number" if column.kind == "boolean" else column.kind


def _read(column: InputColumn, decisions: Decisions, readers: dict[int, str]) -> str:
    key = _literal(column.name) if decisions.is_named else str(column.place)
    return f"_{readers[column.place].replace(' ', '_')}(row[{key}])"


def _question(condition: Condition, column: InputColumn, variable: str) -> str:
    if isinstance(condition, IsMissing):
        is_text = column.kind == "text"
        return f"{variable} is None" if is_text else f"{variable} != {variable}"  # NaN
    if isinstance(condition, AtMost):
        return f"{variable} <= {whole_or_float(condition.threshold)}"
    # A boolean may be passed as True or as 1.
    is_truth = column.kind == "boolean"
    levels = [_literal(int(x) if is_truth else x) for x in condition.levels]
    if len(levels) == 1:
        return f"{variable} == {levels[0]}"
    return f"{variable} in {_tuple(levels)}"


def _literal(value: Any) -> str:
    # In ASCII, so that no character of the source can mislead its reader.
    return ascii(value) if isinstance(value, str) else repr(value)


def _tuple(items: Iterable[str]) -> str:
    texts = list(items)
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"

"""Export a tree as a JavaScript module."""

from __future__ import annotations

import json
from collections.abc import Sequence
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

# JavaScript does not represent all larger integers.
MOST_WHOLE = 2**53

_CELL = """
function cell(row, column, isRight, wanted) {
    if (!Object.hasOwn(row, column)) {
        throw new Error(`row must have the column ${JSON.stringify(column)}`);
    }
    const value = row[column];
    if (value === null || value === undefined || Number.isNaN(value)) return null;
    if (isRight(value)) return value;
    throw new TypeError(`column ${JSON.stringify(column)} must be ${wanted}`);
}"""
_READERS = {
    "number": """
function number(row, column) {
    const isRight = (value) => typeof value === "number" || typeof value === "boolean";
    const value = cell(row, column, isRight, "a number");
    return value === null ? NaN : Number(value);
}""",
    "text": """
function text(row, column) {
    return cell(row, column, (value) => typeof value === "string", "a string");
}""",
    "moment": """
function moment(row, column) {
    const isRight = (value) => typeof value === "number" || value instanceof Date;
    const wanted = "a Date, or microseconds since 1970 in UTC";
    const value = cell(row, column, isRight, wanted);
    return value instanceof Date ? value.getTime() * 1000 : value ?? NaN;
}""",
}


def to_javascript(
    model: Model,
    *,
    feature_names: Sequence[str] | None = None,
    classes: Sequence[Any] | npt.NDArray[Any] | None = None,
) -> str:
    """Return a tree as a JavaScript module without imports.

    It exports the functions ``predict(row)`` and ``predictProba(row)``, and
    ``classes``, the labels in the order of the probabilities. A row is an object whose
    properties are the columns, or an array if the columns have no names. Only the
    columns that the tree uses are read.

    Parameters
    ----------
    model, feature_names, classes
        As in `to_python`.

    Returns
    -------
    str
        The source of an ECMAScript module, in ASCII. It expects numbers, booleans and
        strings as such; times as Date (times without a time zone in UTC) or as
        microseconds since 1970; durations as microseconds; and null, undefined or NaN
        for missing values. A missing property, or a value of another type, throws an
        error.

    Raises
    ------
    TypeError
        In the same cases as `to_python`.
    ValueError
        If a label is a number larger than 2**53.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import to_javascript
    >>> tree = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1], leaf_penalty=0.01).tree
    >>> source = to_javascript(tree, feature_names=["dose"], classes=["sick", "well"])
    >>> print(source[source.index("function leaf") : source.index("//")].strip())
    function leaf(row) {
        const dose = number(row, "dose");
        if (dose <= 1.5) {
            return ["sick", [1.0, 0.0]];
        }
        return ["well", [0.0, 1.0]];
    }
    """
    decisions = Decisions(model, feature_names, classes)
    for label in decisions.labels:
        if not isinstance(label, str) and abs(label) > MOST_WHOLE:
            raise ValueError(
                f"labels must be at most 2**53 for JavaScript; got {label}. Convert "
                "them to strings before fit"
            )
    columns = decisions.columns.values()
    words = identifiers(column.name for column in columns)
    variables = dict(zip(decisions.columns, words, strict=True))
    shares = decisions.tree.shares().tolist()
    readers = {column.place: _reader(column) for column in columns}

    def ask(condition: Condition, holds: bool) -> str:
        column = decisions.columns[condition.source]
        question = _question(condition, column, variables[column.place])
        told = moment_in_words(condition, column)
        opening = f"if ({question}) {{" if holds else f"if (!({question})) {{"
        return opening + (f"  // {told}" if told else "")

    def give(leaf: int) -> str:
        label = _literal(decisions.label(leaf))
        return f"return [{label}, {_literal(shares[leaf])}];"

    reads = [
        f"    const {variables[column.place]} = {readers[column.place]}(row, "
        f"{_literal(column.name if decisions.is_named else column.place)});"
        for column in columns
    ]
    lines = [
        f"export const classes = {_literal(decisions.labels)};",
        "",
        "function leaf(row) {",
        *reads,
        *nested(decisions, ask, give, "}"),
        "}",
        "",
        "// The label of a row.",
        "export function predict(row) {",
        "    return leaf(row)[0];",
        "}",
        "",
        "// The share of each class among the training rows like it.",
        "export function predictProba(row) {",
        "    return leaf(row)[1];",
        "}",
        *([_CELL] if readers else []),
        *(_READERS[name] for name in _READERS if name in set(readers.values())),
    ]
    return "\n".join(lines) + "\n"


def _reader(column: InputColumn) -> str:
    if column.kind == "time":
        return "moment"
    return "text" if column.kind == "text" else "number"


def _question(condition: Condition, column: InputColumn, variable: str) -> str:
    if isinstance(condition, IsMissing):
        is_text = column.kind == "text"
        return f"{variable} === null" if is_text else f"Number.isNaN({variable})"
    if isinstance(condition, AtMost):
        return f"{variable} <= {whole_or_float(condition.threshold)}"
    # A boolean may be passed as true or as 1, and is read as a number.
    is_truth = column.kind == "boolean"
    levels = [int(level) if is_truth else level for level in condition.levels]
    if len(levels) == 1:
        return f"{variable} === {_literal(levels[0])}"
    return f"{_literal(levels)}.includes({variable})"


def _literal(value: Any) -> str:
    # Escaped, so that no string ends the script element of a page with this module.
    return json.dumps(value).replace("<", "\\u003c")

"""Export a tree as an SQL expression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy.typing as npt

from ostrya._arguments import check_word, picture
from ostrya._condition import AtMost, Condition, IsMissing
from ostrya.export.programs.decisions import (
    Decisions,
    InputColumn,
    Model,
    whole_or_float,
)
from ostrya.export.programs.identifiers import unlike
from ostrya.export.programs.nested import INDENT, iso_time
from ostrya.export.programs.texts import require_utf8

Dialect = Literal["standard", "postgresql", "duckdb", "sqlite"]
_NONE = object()
# Decimal literals with more digits may be rounded when they are converted to floats.
MOST_DIGITS = 15


@dataclass(frozen=True)
class _Dialect:
    """The differences between databases.

    SQLite treats an unknown name in double quotes as a string. It has no types for
    times, durations or booleans. TRUE and FALSE may be column names there, and are
    unknown before version 3.23.
    """

    quote: str = '"'
    booleans: tuple[str, str] = ("FALSE", "TRUE")
    has_times: bool = True
    forbidden: str = "\0"


_DIALECTS = {
    # Some databases treat a backslash as an escape character.
    "standard": _Dialect(forbidden="\0\\"),
    "postgresql": _Dialect(),
    "duckdb": _Dialect(),
    "sqlite": _Dialect(quote="`", booleans=("0", "1"), has_times=False),
}


def to_sql(
    model: Model,
    table: str | Sequence[str] | None = None,
    *,
    probability_of: Any = _NONE,
    dialect: Dialect = "standard",
    feature_names: Sequence[str] | None = None,
    classes: Sequence[Any] | npt.NDArray[Any] | None = None,
) -> str:
    """Return a tree as a ``CASE WHEN`` expression, or a query with it.

    Parameters
    ----------
    model : classifier, Outcome or Tree
        As in `to_python`.
    table : str or sequence of str, default=None
        The table with the rows, as its name or as schema and name. With a table, the
        result is a query, ``SELECT *, CASE ... END AS "prediction" FROM "table"``. The
        new column is called ``"prediction_2"`` if the table has a column
        ``"prediction"``. If None, only the expression is returned.
    probability_of : label, default: the prediction
        If set, the result is the share of this class among the training rows of a
        leaf, instead of the label that the leaf predicts.
    dialect : {"standard", "postgresql", "duckdb", "sqlite"}, default="standard"
        The database. Use "standard" for any other database with standard SQL; it
        rejects names and levels with a backslash, which some databases treat as an
        escape character. "sqlite" expects times in a format of SQLite's date
        functions, with millisecond precision, durations in microseconds, and booleans
        as 1 and 0. The other dialects use timestamps, intervals and booleans.
    feature_names, classes
        As in `to_python`.

    Returns
    -------
    str
        The expression or query. It uses the column names of the training table, and
        NULL for missing values. Strings are compared by the rules of the database; if
        it ignores case, so does the tree.

    Raises
    ------
    TypeError
        In the same cases as `to_python`.
    ValueError
        If `dialect` or the label of `probability_of` is unknown, if the dialect does
        not support a string, or if a column was fitted on text with dates in another
        format than ISO 8601.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import to_sql
    >>> tree = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1], leaf_penalty=0.01).tree
    >>> print(to_sql(tree, feature_names=["dose"], classes=["it's bad", "well"]))
    CASE
        WHEN "dose" <= 1.5 THEN 'it''s bad'
        ELSE 'well'
    END
    >>> query = to_sql(tree, "patients", feature_names=["dose"], probability_of=1)
    >>> print(query)
    SELECT *,
    CASE
        WHEN "dose" <= 1.5 THEN 0.0e0
        ELSE 1.0e0
    END AS "probability of 1"
    FROM "patients"
    """
    check_word("dialect", dialect, tuple(_DIALECTS))
    decisions = Decisions(model, feature_names, classes)
    writer = _Writer(decisions, _DIALECTS[dialect])
    if probability_of is _NONE:
        name = "prediction"
        values = {x: writer.literal(decisions.label(x)) for x in decisions.leaves}
    else:
        if probability_of not in decisions.labels:
            raise ValueError(
                f"probability_of must be one of the labels {picture(decisions.labels)}"
                f"; got {probability_of!r}"
            )
        code = decisions.labels.index(probability_of)
        name = f"probability of {decisions.labels[code]}"
        shares = decisions.tree.shares()[:, code].tolist()
        values = {leaf: writer.literal(shares[leaf]) for leaf in decisions.leaves}
    expression = writer.expression(values)
    if table is None:
        return expression
    # Databases ignore the case of names.
    folded, taken = name.casefold(), {each.casefold() for each in decisions.names}
    name += unlike(folded, taken)[len(folded) :]
    parts = [table] if isinstance(table, str) else list(table)
    place = ".".join(map(writer.name, parts))
    return f"SELECT *,\n{expression} AS {writer.name(name)}\nFROM {place}"


class _Writer:
    """Write the expression in one dialect."""

    def __init__(self, decisions: Decisions, dialect: _Dialect) -> None:
        self._decisions = decisions
        self._dialect = dialect

    def expression(self, values: dict[int, str]) -> str:
        """Return the tree as an expression, given the text for each leaf."""
        if len(values) == 1:
            return values[0]
        lines, opening = ["CASE"], ""
        for level, node, holds in self._decisions.steps():
            margin = INDENT * (2 * level + 1)
            if holds is not None:
                if opening:
                    lines += [f"{opening} THEN", f"{margin[len(INDENT) :]}CASE"]
                question = self._question(self._decisions.condition(node), holds)
                opening = f"{margin}WHEN {question}"
            elif opening:  # a block with only this leaf
                lines.append(f"{opening} THEN {values[node]}")
                opening = ""
            else:
                lines.append(f"{margin}ELSE {values[node]}")
                lines.append(f"{margin[len(INDENT) :]}END")
        return "\n".join(lines)

    def name(self, name: str) -> str:
        """Return a name in quotes."""
        if name == "":
            raise ValueError(
                'column names must not be empty for SQL; got "". Rename the column '
                "before fit"
            )
        require_utf8("SQL", name, self._dialect.forbidden)
        quote = self._dialect.quote
        return f"{quote}{name.replace(quote, quote * 2)}{quote}"

    def literal(self, value: Any) -> str:
        """Return a string, a number or a boolean as a literal."""
        if isinstance(value, str):
            require_utf8("SQL", value, self._dialect.forbidden)
            doubled = value.replace("'", "''")
            return f"'{doubled}'"
        if isinstance(value, bool):
            return self._dialect.booleans[value]
        # With an exponent the literal is a float; without, it is a decimal.
        text = repr(value)
        return f"{text}e0" if isinstance(value, float) and "e" not in text else text

    def _level(self, level: Any) -> str:
        is_number = isinstance(level, float)
        return whole_or_float(level) if is_number else self.literal(level)

    def _question(self, condition: Condition, holds: bool) -> str:
        column = self._decisions.columns[condition.source]
        name = self.name(column.name)
        if isinstance(condition, IsMissing):
            return f"{name} IS NULL" if holds else f"{name} IS NOT NULL"
        if isinstance(condition, AtMost):
            value, threshold = self._compared(column, name, condition.threshold)
            question = f"{value} {'<=' if holds else '>'} {threshold}"
        elif len(condition.levels) == 1:
            sign = "=" if holds else "<>"
            question = f"{name} {sign} {self._level(condition.levels[0])}"
        else:
            levels = ", ".join(map(self._level, condition.levels))
            question = f"{name} {'IN' if holds else 'NOT IN'} ({levels})"
        # A comparison with NULL is not true, and missing values answer "no".
        return question if holds else f"({question} OR {name} IS NULL)"

    def _compared(
        self, column: InputColumn, name: str, threshold: float
    ) -> tuple[str, str]:
        """Return both sides of a comparison as SQL."""
        number = whole_or_float(threshold)
        if len(number) > MOST_DIGITS:
            number = self.literal(threshold)
        if column.kind == "number" or (
            column.kind == "duration" and not self._dialect.has_times
        ):
            return name, number
        if column.kind == "duration":
            return name, f"INTERVAL '{_seconds(threshold)}' SECOND"
        if column.date_format:
            # A database would compare such strings alphabetically or return NULL.
            raise ValueError(
                f"column {column.name!r} must contain dates, or text in ISO 8601 "
                "format, to be exported to SQL; got text in the format "
                f"{column.date_format}. Convert the column to dates before fit"
            )
        moment = iso_time(threshold)
        if not moment:
            raise ValueError(
                f"thresholds of column {column.name!r} must be in the years 1 to 9999 "
                "to be exported to SQL; got a time outside. Drop rows with such times "
                "before fit"
            )
        if not self._dialect.has_times:
            # SQLite formats times with three digits for milliseconds.
            moment = f"{moment:.23}"
            moment += "" if "." in moment else ".000"
            return f"strftime('%Y-%m-%d %H:%M:%f', {name})", f"'{moment}'"
        if column.is_zoned:
            return name, f"TIMESTAMP WITH TIME ZONE '{moment}+00:00'"
        return name, f"TIMESTAMP '{moment}'"


def _seconds(microseconds: float) -> str:
    """Return microseconds as a decimal number of seconds, exactly."""
    whole = int(microseconds // 1)
    seconds, rest = divmod(abs(whole), 10**6)
    fraction = f".{rest:06d}".rstrip("0") if rest else ""
    return f"{'-' if whole < 0 else ''}{seconds}{fraction}"

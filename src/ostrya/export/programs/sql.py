"""A tree as an expression of SQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy.typing as npt

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
# Decimals of more digits are rounded on their way to a float.
MOST_DIGITS = 15


@dataclass(frozen=True)
class _Dialect:
    """What databases differ in.

    SQLite reads an unknown name in double quotes as a text. It has no times, durations
    or booleans: TRUE and FALSE are names there, of columns where the table has such
    columns, and are unknown before version 3.23.
    """

    quote: str = '"'
    booleans: tuple[str, str] = ("FALSE", "TRUE")
    has_times: bool = True
    forbidden: str = "\0"


_DIALECTS = {
    # Some databases read a backslash as the beginning of something else.
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
        The table with the rows, or its schema and name. With a table, the result is a
        query, ``SELECT *, CASE ... END AS "prediction" FROM "table"``; the new column
        is ``"prediction_2"`` if the table has a ``"prediction"``. None returns the
        expression alone.
    probability_of : label, default: the prediction
        Gives the share of this class among the training rows of a leaf, and not the
        label that the leaf predicts.
    dialect : {"standard", "postgresql", "duckdb", "sqlite"}, default="standard"
        The database. "standard" is for any that reads standard SQL, and refuses names
        and levels with a backslash, which some take for an escape. "sqlite" reads times
        as SQLite's date functions do, to the millisecond, durations as numbers of
        microseconds, and booleans as 1 and 0; the others have timestamps, intervals
        and booleans.
    feature_names, classes
        As in `to_python`.

    Returns
    -------
    str
        The columns are those of the training table, by name. A missing value is NULL.
        Texts are compared as the database compares them; where it ignores case, so
        does the tree.

    Raises
    ------
    TypeError
        As `to_python` does.
    ValueError
        When the dialect, or the label of `probability_of`, is not known, or cannot
        hold a text; and when a column was fitted on texts that are dates in another
        format than that of ISO 8601.

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
    if dialect not in _DIALECTS:
        raise ValueError(
            f"dialect is {dialect!r}; want one of {', '.join(map(repr, _DIALECTS))}"
        )
    decisions = Decisions(model, feature_names, classes)
    writer = _Writer(decisions, _DIALECTS[dialect])
    if probability_of is _NONE:
        name = "prediction"
        values = {x: writer.literal(decisions.label(x)) for x in decisions.leaves}
    else:
        if probability_of not in decisions.labels:
            raise ValueError(
                f"probability_of is {probability_of!r}; the labels are "
                f"{', '.join(map(repr, decisions.labels))}"
            )
        code = decisions.labels.index(probability_of)
        name = f"probability of {decisions.labels[code]}"
        shares = decisions.tree.shares()[:, code].tolist()
        values = {leaf: writer.literal(shares[leaf]) for leaf in decisions.leaves}
    expression = writer.expression(values)
    if table is None:
        return expression
    # Databases compare names without regard to case.
    folded, taken = name.casefold(), {each.casefold() for each in decisions.names}
    name += unlike(folded, taken)[len(folded) :]
    parts = [table] if isinstance(table, str) else list(table)
    place = ".".join(map(writer.name, parts))
    return f"SELECT *,\n{expression} AS {writer.name(name)}\nFROM {place}"


class _Writer:
    """Writes the expression in one dialect."""

    def __init__(self, decisions: Decisions, dialect: _Dialect) -> None:
        self._decisions = decisions
        self._dialect = dialect

    def expression(self, values: dict[int, str]) -> str:
        """Return the tree, given what to write for each leaf."""
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
            elif opening:  # a block of nothing but this leaf
                lines.append(f"{opening} THEN {values[node]}")
                opening = ""
            else:
                lines.append(f"{margin}ELSE {values[node]}")
                lines.append(f"{margin[len(INDENT) :]}END")
        return "\n".join(lines)

    def name(self, name: str) -> str:
        """Return a name in quotes."""
        if name == "":
            raise ValueError("SQL has no column without a name; name it before fit")
        require_utf8("SQL", name, self._dialect.forbidden)
        quote = self._dialect.quote
        return f"{quote}{name.replace(quote, quote * 2)}{quote}"

    def literal(self, value: Any) -> str:
        """Return a text, a number or a truth value."""
        if isinstance(value, str):
            require_utf8("SQL", value, self._dialect.forbidden)
            doubled = value.replace("'", "''")
            return f"'{doubled}'"
        if isinstance(value, bool):
            return self._dialect.booleans[value]
        # A power of ten makes a float of what else is a decimal.
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
        # What is unknown is not true; a missing value answers no.
        return question if holds else f"({question} OR {name} IS NULL)"

    def _compared(
        self, column: InputColumn, name: str, threshold: float
    ) -> tuple[str, str]:
        """Return what is compared with what, as texts of SQL."""
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
            # A database would compare such texts letter by letter, or find them NULL.
            raise ValueError(
                f"column {column.name!r} must hold dates, or texts in ISO 8601, to be "
                "written into SQL; it was fitted on texts in the format "
                f"{column.date_format}. Convert it to dates before fit"
            )
        moment = iso_time(threshold)
        if not moment:
            raise ValueError(
                f"column {column.name!r} is compared with a time outside the years 1 "
                "to 9999, which SQL does not have; drop these rows before fit"
            )
        if not self._dialect.has_times:
            # SQLite counts milliseconds, and writes them in three digits.
            moment = f"{moment:.23}"
            moment += "" if "." in moment else ".000"
            return f"strftime('%Y-%m-%d %H:%M:%f', {name})", f"'{moment}'"
        if column.is_zoned:
            return name, f"TIMESTAMP WITH TIME ZONE '{moment}+00:00'"
        return name, f"TIMESTAMP '{moment}'"


def _seconds(microseconds: float) -> str:
    """Return microseconds in seconds, exactly."""
    whole = int(microseconds // 1)
    seconds, rest = divmod(abs(whole), 10**6)
    fraction = f".{rest:06d}".rstrip("0") if rest else ""
    return f"{'-' if whole < 0 else ''}{seconds}{fraction}"

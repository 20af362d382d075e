"""Export a tree as C, which C++ compilers accept as well."""

from __future__ import annotations

import re
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
from ostrya.export.programs.texts import require_utf8

# Characters without a special meaning in a C string literal or in a comment.
_PLAIN = frozenset(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 _-+.,:;<=>()[]#%"
)
_PREFIX = re.compile(r"[a-z][a-z0-9_]*")
_UNITS = {
    "time": "microseconds since 1970",
    "duration": "microseconds",
    "boolean": "1 for true, 0 for false",
}


def to_c(
    model: Model,
    *,
    prefix: str = "tree",
    feature_names: Sequence[str] | None = None,
    classes: Sequence[Any] | npt.NDArray[Any] | None = None,
) -> str:
    """Return a tree as a C99 header file to include in a program.

    With the default prefix, the header defines ``struct tree_row`` with a member per
    column that the tree uses; ``int tree_predict(const struct tree_row *row)``, which
    returns a class code; ``const double *tree_probabilities(const struct tree_row
    *row)``, which returns the share of each class; and ``const char *tree_label(int
    code)``. The functions allocate no memory and keep no state between calls.

    Parameters
    ----------
    model : classifier, Outcome or Tree
        As in `to_python`.
    prefix : str, default="tree"
        The prefix of all names: lower-case letters, digits and underscores.
    feature_names, classes
        As in `to_python`.

    Returns
    -------
    str
        The source, in ASCII. Numbers and booleans are ``double``, NaN if missing; so
        are times, in microseconds since 1970 (in UTC if they have a time zone), and
        durations, in microseconds. Strings are ``const char *`` in UTF-8, NULL if
        missing. Members have the names of their columns, converted to C identifiers; a
        comment contains the original name. Do not compile with options such as
        ``-ffast-math``, which assume that there is no NaN: missing values would be
        lost.

    Raises
    ------
    TypeError
        In the same cases as `to_python`.
    ValueError
        If `prefix` is not a C identifier, or a string cannot be represented in C.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import to_c
    >>> tree = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1], leaf_penalty=0.01).tree
    >>> source = to_c(tree, feature_names=["dose"])
    >>> print(source[source.index("struct") : source.index("static")].strip())
    struct tree_row {
        double dose; /* "dose" */
    };
    """
    if not isinstance(prefix, str) or not _PREFIX.fullmatch(prefix):
        raise ValueError(
            "prefix must start with a letter and contain only lower-case letters, "
            f"digits and underscores; got {prefix!r}"
        )
    decisions = Decisions(model, feature_names, classes)
    words = identifiers(column.name for column in decisions.columns.values())
    members = dict(zip(decisions.columns, words, strict=True))
    place = {leaf: number for number, leaf in enumerate(decisions.leaves)}

    def ask(condition: Condition, holds: bool) -> str:
        column = decisions.columns[condition.source]
        question = _question(condition, column, f"row->{members[column.place]}")
        told = moment_in_words(condition, column)
        opening = f"if ({question}) {{" if holds else f"if (!({question})) {{"
        return opening + (f" /* {told} */" if told else "")

    body = nested(decisions, ask, lambda leaf: f"return {place[leaf]};", "}")
    lines = [
        f"#ifndef {prefix.upper()}_INCLUDED",
        f"#define {prefix.upper()}_INCLUDED",
        "",
        "#include <string.h>",
        "",
        f"enum {{ {prefix}_n_classes = {len(decisions.labels)} }};",
        "",
        f"struct {prefix}_row {{",
        *(_member(column, members[key]) for key, column in decisions.columns.items()),
        # A tree with a single leaf reads no column, but C requires a member.
        *([] if members else ["    char unused;"]),
        "};",
        "",
        f"static inline int {prefix}_leaf(const struct {prefix}_row *row) {{",
        *([] if members else ["    (void)row;"]),
        *body,
        "}",
        "",
        *_tables(decisions, prefix),
        "#endif",
    ]
    return "\n".join(lines) + "\n"


def _member(column: InputColumn, name: str) -> str:
    is_text = column.kind == "text"
    kind = "const char *" if is_text else "double "
    unit = f"; {_UNITS[column.kind]}" if column.kind in _UNITS else ""
    zone = ", in UTC" if column.is_zoned else ""
    return f"    {kind}{name}; /* {_literal(column.name)}{unit}{zone} */"


def _tables(decisions: Decisions, prefix: str) -> list[str]:
    """Return the functions that look up the results of a leaf."""
    tree = decisions.tree
    labels = [int(tree.label[leaf]) for leaf in decisions.leaves]
    shares = tree.shares()[decisions.leaves].tolist()
    names = ", ".join(_literal(str(label)) for label in decisions.labels)
    row = f"const struct {prefix}_row *row"
    return [
        f"static inline int {prefix}_predict({row}) {{",
        f"    static const int labels[] = {{{', '.join(map(str, labels))}}};",
        f"    return labels[{prefix}_leaf(row)];",
        "}",
        "",
        f"static inline const double *{prefix}_probabilities({row}) {{",
        f"    static const double shares[][{len(decisions.labels)}] = {{",
        *(f"        {{{', '.join(map(repr, each))}}}," for each in shares),
        "    };",
        f"    return shares[{prefix}_leaf(row)];",
        "}",
        "",
        f"static inline const char *{prefix}_label(int code) {{",
        f"    static const char *const labels[] = {{{names}}};",
        "    return labels[code];",
        "}",
        "",
    ]


def _question(condition: Condition, column: InputColumn, member: str) -> str:
    if isinstance(condition, IsMissing):
        is_text = column.kind == "text"
        return f"{member} == NULL" if is_text else f"{member} != {member}"  # NaN
    if isinstance(condition, AtMost):
        return f"{member} <= {_number(condition.threshold)}"
    if column.kind != "text":
        return " || ".join(f"{member} == {_number(x)}" for x in condition.levels)
    matches = " || ".join(f"!strcmp({member}, {_literal(x)})" for x in condition.levels)
    matches = matches if len(condition.levels) == 1 else f"({matches})"
    return f"{member} != NULL && {matches}"


def _number(value: float) -> str:
    text = whole_or_float(float(value))
    return text if "." in text or "e" in text else f"{text}.0"


def _literal(text: str) -> str:
    require_utf8("C", text, forbidden="\0")
    # An escape of three octal digits is complete, whatever character follows.
    letters = (chr(b) if b in _PLAIN else f"\\{b:03o}" for b in text.encode())
    return f'"{"".join(letters)}"'

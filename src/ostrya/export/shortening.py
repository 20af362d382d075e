"""Wrap or shorten long names in pictures so that different names stay different."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import count

#: Most characters in a line of a picture.
LONGEST_LINE = 40
_ELLIPSIS = "…"
# A name may be broken after a space, an underscore, a dash or a slash.
_PIECE = re.compile(r"[^ _\-/]*[ _\-/]*")
# A threshold or a level stays on one line with its comparison operator.
_TAIL = re.compile(r"(?:<=|>=|<|>|=) \S+$")


def wrapped(text: str, most: int) -> tuple[str, ...]:
    """Return `text` in lines of at most `most` characters, of similar lengths.

    Examples
    --------
    >>> wrapped("months since the last delinquency <= 25.5?", 24)
    ('months since the last', 'delinquency <= 25.5?')
    """
    if len(text) <= most:
        return (text,)
    tail = _TAIL.search(text)
    end = len(text) if tail is None else tail.start()
    whole = [piece for piece in _PIECE.findall(text[:end]) if piece] + [text[end:]]
    pieces = [
        piece[start : start + most]
        for piece in whole
        for start in range(0, len(piece), most)
    ]
    n_lines = -(-len(text) // most)
    # Use the narrowest width that needs no more lines than the widest.
    fewest = len(_filled(pieces, most))
    widths = range(-(-len(text) // max(n_lines, 1)), most + 1)
    width = next((w for w in widths if len(_filled(pieces, w)) <= fewest), most)
    return tuple(_filled(pieces, width))


def _filled(pieces: list[str], width: int) -> list[str]:
    lines = [""]
    for piece in pieces:
        if lines[-1] and len((lines[-1] + piece).rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return [line.strip() for line in lines]


def shortened(texts: Iterable[str], most: int) -> dict[str, str]:
    """Shorten each text to at most `most` characters; different ones stay different.

    The middle of a long text is omitted, because its end is often a threshold. Texts
    that would become equal show the part in which they differ, or are numbered.

    Examples
    --------
    >>> names = [f"debt of the {which} household <= 5?" for which in ("first", "other")]
    >>> list(shortened(names, 20).values())
    ['… the first…ld <= 5?', '… the other…ld <= 5?']
    """
    short = {text: _cut(text, most) for text in dict.fromkeys(texts)}
    for alike in _same(short):
        # A few characters before the first difference give some context.
        start = max(_n_shared(alike) - 5, 0)
        for text in alike:
            short[text] = _cut(f"{_ELLIPSIS}{text[start:]}", most)
    taken = set(short.values())
    for alike in _same(short):
        for text in alike:
            if len(text) > most:
                short[text] = _numbered(text, most, taken)
                taken.add(short[text])
    return short


def shortened_questions(texts: Iterable[str], most: int) -> dict[str, str]:
    """Shorten each condition to at most `most` characters; names stay different.

    Only names are shortened, not the values that they are compared with. Names stay
    different even if their values differ.

    Examples
    --------
    >>> texts = ["debt of the old house <= 5?", "debt of the new house <= 6?"]
    >>> list(shortened_questions(texts, 20).values())
    ['… the ol…house <= 5?', '… the ne…house <= 6?']
    """
    parts = {}
    for text in dict.fromkeys(texts):
        tail = _TAIL.search(text)
        is_short = tail is not None and len(text) - tail.start() <= most // 2
        end = tail.start() - 1 if tail is not None and is_short else len(text)
        parts[text] = (text[:end], text[end:])
    room = most - max((len(end) for _, end in parts.values()), default=0)
    names = shortened((name for name, _ in parts.values()), room)
    return {text: names[name] + end for text, (name, end) in parts.items()}


def _numbered(text: str, most: int, taken: set[str]) -> str:
    numbers = (f" ({number})" for number in count(1))
    marked = (_cut(text, most - len(mark)) + mark for mark in numbers)
    return next(kept for kept in marked if kept not in taken)


def _n_shared(texts: Sequence[str]) -> int:
    """Return the length of the common prefix of all texts."""
    columns = zip(*texts, strict=False)
    return next((n for n, column in enumerate(columns) if len(set(column)) > 1), 0)


def _same(short: dict[str, str]) -> list[list[str]]:
    """Return groups of texts that are shortened to the same text."""
    groups = defaultdict(list)
    for text, kept in short.items():
        groups[kept].append(text)
    return [alike for alike in groups.values() if len(alike) > 1]


def _cut(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    tail = most * 2 // 5
    return f"{text[: most - tail - 1]}{_ELLIPSIS}{text[len(text) - tail :]}"

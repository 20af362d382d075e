"""Parse and format sizes in bytes."""

from __future__ import annotations

from ostrya._memory import memory_size

_UNITS = {"k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
# In memory, a table is several times as large as its file: text, numbers, encoding.
_SHARE_OF_MEMORY = 8
_WHERE_MEMORY_IS_UNKNOWN = 2**30
#: Larger than any file.
NO_LIMIT = 2**62


def bytes_of(text: str) -> int:
    """Return the number of bytes of a size such as ``2GiB``, ``512m`` or ``1e9``.

    Raises
    ------
    ValueError, OverflowError
        If the text is not a size.

    Examples
    --------
    >>> bytes_of("2GiB"), bytes_of("1.5k"), bytes_of("300")
    (2147483648, 1536, 300)
    """
    digits = text.strip().lower().removesuffix("b").removesuffix("i")
    unit = _UNITS.get(digits[-1:], 1)
    return int(float(digits[:-1] if unit > 1 else digits) * unit)


def in_units(size: int) -> str:
    """Return a size with one decimal and its unit.

    Examples
    --------
    >>> in_units(2**31), in_units(1536), in_units(300)
    ('2.0 GiB', '1.5 KiB', '300 bytes')
    """
    for letter, unit in reversed(_UNITS.items()):
        if size >= unit:
            return f"{size / unit:.1f} {letter.upper()}iB"
    return f"{size} bytes"


def rounded_up(size: int) -> str:
    """Round a size up to a whole number of units, as a value for an option.

    Examples
    --------
    >>> rounded_up(2**31 + 1), rounded_up(300)
    ('3GiB', '1KiB')
    """
    letter, unit = next(
        (pair for pair in reversed(_UNITS.items()) if size >= pair[1]),
        ("k", _UNITS["k"]),
    )
    return f"{-(-size // unit)}{letter.upper()}iB"


def most_bytes_of_a_table() -> int:
    """Return the default maximum size of a table."""
    memory = memory_size()
    return _WHERE_MEMORY_IS_UNKNOWN if memory is None else memory // _SHARE_OF_MEMORY

"""Read JSON as data, and say what is wrong with it; shared by all files of ours."""

from __future__ import annotations

import json
import os
import reprlib
import stat
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

#: JSON in memory is some twenty times its text.
MOST_BYTES = 2**28
_INT32 = 2**31
_INT64 = 2**63


class FlawError(ValueError):
    """What is wrong with a file; its reader says what the file should have been."""


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return what a file holds.

    Raises
    ------
    FlawError
        When it is no regular file, unless the shell hands it over, or a larger one
        than `MOST_BYTES`.
    OSError
        When the file cannot be read.
    """
    name = os.fspath(path)
    is_handed_over = name == "/dev/stdin" or name.startswith(
        ("/dev/fd/", "/proc/self/")
    )
    mode = os.stat(path).st_mode
    # A pipe may have nobody who writes to it, a device no end.
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or is_handed_over):
        raise FlawError("not a regular file; pipes and devices are not read")
    with open(path, "rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise FlawError(
            f"larger than {MOST_BYTES // 2**20} MiB, which no file of ours is"
        )
    return content


def read_object(text: str | bytes) -> Any:
    """Return what some JSON holds.

    Raises
    ------
    FlawError
        When `text` is not JSON, holds a number that is none, or a key twice.
    """
    try:
        return json.loads(
            text, parse_constant=_no_constant, object_pairs_hook=_no_twins
        )
    except RecursionError:
        raise FlawError("nested too deeply") from None
    except UnicodeDecodeError:
        raise FlawError("not text in UTF-8") from None
    except json.JSONDecodeError as error:
        raise FlawError(f"not JSON: {error}") from None
    except FlawError:
        raise
    except ValueError as error:  # a number of more digits than Python reads
        raise FlawError(f"not JSON: {error}") from None


def check_format(content: Any, name: str, *versions: int) -> None:
    """Raise unless `content` is an object of this format and one of these versions."""
    if not isinstance(content, dict) or content.get("format") != name:
        raise FlawError(f"want an object with format {name!r}")
    version = content.get("version")
    if not is_int(version) or version not in versions:
        raise FlawError(
            f"version {short(version)} is not known; this release reads version "
            f"{' and '.join(map(str, versions))}"
        )


def short(value: Any) -> str:
    """Return a value from a file for a message, in few letters."""
    return reprlib.repr(value)


def check_keys(
    where: str, content: Mapping[str, Any], required: set[str], optional: set[str]
) -> None:
    """Raise unless an object has all keys required, and no other than these."""
    for key in sorted(required - content.keys()):
        raise FlawError(f"{where}{key} is missing")
    for key in sorted(content.keys() - required - optional):
        raise FlawError(f"{where}{key[:60]} is not known")


def check_list(
    where: str, items: Any, is_right: Callable[[Any], bool], things: str
) -> None:
    """Raise unless `items` is a list of such things."""
    if not isinstance(items, list):
        raise FlawError(f"{where} must be a list")
    for place, item in enumerate(items):
        if not is_right(item):
            raise FlawError(f"{where} must hold {things}; see item {place}")


def is_text(item: Any) -> bool:
    """Say whether `item` is a text."""
    return isinstance(item, str)


def is_bool(item: Any) -> bool:
    """Say whether `item` is true or false."""
    return isinstance(item, bool)


def is_int(item: Any) -> bool:
    """Say whether `item` is an integer, which True is not."""
    return type(item) is int


def is_number(item: Any) -> bool:
    """Say whether `item` is a number that a float64 can be made of."""
    return type(item) is float or (is_int(item) and abs(item) <= _INT64)


def is_int32(item: Any) -> bool:
    """Say whether `item` is an integer of 32 bits."""
    return is_int(item) and -_INT32 <= item < _INT32


def is_count(item: Any) -> bool:
    """Say whether `item` is an integer >= 0 of 64 bits."""
    return is_int(item) and 0 <= item < _INT64


def is_weights(item: Any) -> bool:
    """Say whether `item` is a list of numbers."""
    return isinstance(item, list) and all(map(is_number, item))


def is_threshold(item: Any) -> bool:
    """Say whether `item` is a number or null."""
    return item is None or is_number(item)


def _no_constant(name: str) -> None:
    raise FlawError(f"{name} is not a JSON number")


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) != len(pairs):
        twin, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise FlawError(f"{short(twin)} is given twice")
    return content

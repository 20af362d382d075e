"""Read and validate JSON; used for all files of this package."""

from __future__ import annotations

import json
import os
import reprlib
import stat
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

#: The largest accepted file. Parsed JSON needs about twenty times as much memory.
MOST_BYTES = 2**28
_INT32 = 2**31
_INT64 = 2**63


class FlawError(ValueError):
    """A flaw in a file; the caller adds the path and the expected kind of file."""


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """Return the content of a file.

    Raises
    ------
    FlawError
        If the file is larger than `MOST_BYTES`, or is a pipe or device other than
        standard input and the pipes of the shell.
    OSError
        If the file cannot be read.
    """
    name = os.fspath(path)
    is_handed_over = name == "/dev/stdin" or name.startswith(
        ("/dev/fd/", "/proc/self/")
    )
    mode = os.stat(path).st_mode
    # Reading from a pipe without a writer, or from a device, may never end.
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or is_handed_over):
        raise FlawError("must be a regular file; got a pipe or a device")
    with open(path, "rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise FlawError(
            f"must be at most {MOST_BYTES // 2**20} MiB, as every file of Ostrya is"
        )
    return content


def read_object(text: str | bytes) -> Any:
    """Parse JSON.

    Raises
    ------
    FlawError
        If `text` is not valid JSON, contains NaN or infinity, or repeats a key.
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
    except ValueError as error:  # a number with more digits than Python allows
        raise FlawError(f"not JSON: {error}") from None


def check_format(content: Any, name: str, *versions: int) -> None:
    """Raise unless `content` is an object of this format and one of these versions."""
    if not isinstance(content, dict) or content.get("format") != name:
        raise FlawError(f"must be an object with format {name!r}")
    version = content.get("version")
    if not is_int(version) or version not in versions:
        known = ", ".join(map(str, versions))
        allowed = known if len(versions) == 1 else f"one of {known}"
        raise FlawError(
            f"version must be {allowed}; got {short(version)}. Upgrade Ostrya if the "
            "file is from a later release"
        )


def short(value: Any) -> str:
    """Return a short text for a value from a file."""
    return reprlib.repr(value)


def check_keys(
    where: str, content: Mapping[str, Any], required: set[str], optional: set[str]
) -> None:
    """Raise unless an object has all required keys, and no unknown keys."""
    for key in sorted(required - content.keys()):
        raise FlawError(f"{where}{key} is missing")
    for key in sorted(content.keys() - required - optional):
        raise FlawError(f"{where}{key[:60]} is not known")


def check_list(
    where: str, items: Any, is_right: Callable[[Any], bool], things: str
) -> None:
    """Raise unless `items` is a list whose items all satisfy `is_right`."""
    if not isinstance(items, list):
        raise FlawError(f"{where} must be a list")
    for place, item in enumerate(items):
        if not is_right(item):
            raise FlawError(f"{where} must contain {things}; see item {place}")


def is_text(item: Any) -> bool:
    """Return True for a string."""
    return isinstance(item, str)


def is_bool(item: Any) -> bool:
    """Return True for a boolean."""
    return isinstance(item, bool)


def is_int(item: Any) -> bool:
    """Return True for an integer; booleans are not integers here."""
    return type(item) is int


def is_number(item: Any) -> bool:
    """Return True for a number that can be converted to float64."""
    return type(item) is float or (is_int(item) and abs(item) <= _INT64)


def is_int32(item: Any) -> bool:
    """Return True for a 32-bit integer."""
    return is_int(item) and -_INT32 <= item < _INT32


def is_count(item: Any) -> bool:
    """Return True for a non-negative 64-bit integer."""
    return is_int(item) and 0 <= item < _INT64


def is_weights(item: Any) -> bool:
    """Return True for a list of numbers."""
    return isinstance(item, list) and all(map(is_number, item))


def is_threshold(item: Any) -> bool:
    """Return True for a number or null."""
    return item is None or is_number(item)


def _no_constant(name: str) -> None:
    raise FlawError(f"{name} is not a JSON number")


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) != len(pairs):
        twin, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise FlawError(f"the key {short(twin)} occurs twice")
    return content

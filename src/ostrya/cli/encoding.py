"""The encoding of a CSV file: UTF-8, or the one that ``--encoding`` names."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from ostrya.cli.messages import RefusalError, shown

_UTF8 = ("utf-8", "utf-8-sig")
_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_EXAMPLES = "cp1252 or latin-1"


def _checked(name: Any) -> str:
    try:
        "a".encode(name)  # fails for codecs that do not encode text, such as zip
        return codecs.lookup(name).name
    except (LookupError, ValueError):
        raise typer.BadParameter(
            f"must be the name of a text encoding, for example {_EXAMPLES} or utf-16; "
            f"got {shown(name)}."
        ) from None


#: The option of every command that reads a table.
Encoding = Annotated[
    Optional[str],  # noqa: UP045 (typer reads the older form on every Python)
    typer.Option(
        parser=_checked,
        metavar="NAME",
        show_default="utf-8",
        help="Encoding of a CSV file, for example latin-1, cp1252 (from Excel on "
        "Windows) or utf-16.",
    ),
]


def is_utf8(encoding: str | None) -> bool:
    """Return True if an encoding, or the default, is UTF-8."""
    return encoding is None or encoding in _UTF8


def as_utf8(path: Path, content: bytes, encoding: str | None) -> bytes:
    """Return the text of a CSV file in UTF-8, which the reader expects, or raise."""
    if is_utf8(encoding):
        return content
    assert encoding is not None
    try:
        return content.decode(encoding).encode("utf-8")
    except UnicodeDecodeError as error:
        raise RefusalError(
            f"{path} is not encoded in {encoding} ({_place(content, error.start)}). "
            f"Set another encoding with --encoding, for example {_EXAMPLES}"
        ) from None
    except UnicodeError as error:
        raise RefusalError(
            f"{path} is not encoded in {encoding} ({error}). Set another encoding with "
            f"--encoding, for example {_EXAMPLES}"
        ) from None


def not_utf8(path: Path, content: bytes) -> RefusalError:
    """Return the error for a file that is not UTF-8, with the first invalid byte."""
    start = content.find(b"\0")  # UTF-16 contains zeros
    if start < 0:
        try:
            content.decode("utf-8")
        except UnicodeDecodeError as error:
            start = error.start
    is_utf16 = content.startswith(_UTF16_MARKS) or b"\0" in content[:1000]
    return RefusalError(
        f"{path} is not encoded in UTF-8 ({_place(content, start)}). Set its encoding, "
        f"for example with --encoding {'utf-16' if is_utf16 else _EXAMPLES}, or save "
        "the file as UTF-8 or Parquet"
    )


def not_utf8_with_lazy(path: Path) -> RefusalError:
    """Return the error for a file that is not UTF-8 and may not fit in memory."""
    return RefusalError(
        f"{path} is not encoded in UTF-8, which --lazy requires. Save the file as "
        "UTF-8 or Parquet, or omit --lazy and set the encoding with --encoding"
    )


def refuse_encoding_with_lazy(encoding: str | None) -> None:
    """Raise for other encodings, because polars and DuckDB read UTF-8."""
    if not is_utf8(encoding):
        raise RefusalError(
            f"--encoding {encoding} cannot be combined with --lazy, which reads UTF-8. "
            "Save the file as UTF-8 or Parquet, or omit --lazy"
        )


def _place(content: bytes, start: int) -> str:
    line = content.count(b"\n", 0, start) + 1
    return f"byte 0x{content[start]:02x} in line {line:,}"

r"""Standard streams that can take any text.

A terminal in ASCII cannot show the branches of a drawing, and a label may hold any
character at all. What a stream cannot encode is written in ASCII: branches as signs
that look like them, other characters as escapes such as ``\xe9``.
"""

from __future__ import annotations

import codecs
import sys

HANDLER = "ostrya.plain"
# One sign for one, or columns would no longer stand below each other.
_SIGNS = str.maketrans(
    {"├": "|", "└": "`", "│": "|", "─": "-", "…": "~", "\ufffd": "?"}
)


def take_any_text() -> None:
    """Let the standard streams write in ASCII what they cannot encode."""
    codecs.register_error(HANDLER, in_ascii)
    for stream in (sys.stdout, sys.stderr):
        # None where the stream was closed before the program began.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=HANDLER)


def in_ascii(error: UnicodeError) -> tuple[str | bytes, int]:
    r"""Return what to write in place of characters that a stream has not.

    Examples
    --------
    >>> codecs.register_error(HANDLER, in_ascii)
    >>> "├─ é".encode("ascii", HANDLER)
    b'|- \\xe9'
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_SIGNS)
    return text.encode("ascii", "backslashreplace").decode("ascii"), error.end

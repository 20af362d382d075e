r"""Let the standard streams accept any text.

An ASCII terminal cannot show the branches of a drawing, and labels may contain any
character. Characters that a stream cannot encode are written in ASCII: branches as
similar characters, others as escapes such as ``\xe9``.
"""

from __future__ import annotations

import codecs
import sys

HANDLER = "ostrya.plain"
# One character for one, so that columns stay aligned.
_SIGNS = str.maketrans(
    {"├": "|", "└": "`", "│": "|", "─": "-", "…": "~", "\ufffd": "?"}
)


def take_any_text() -> None:
    """Let the standard streams write in ASCII what they cannot encode."""
    codecs.register_error(HANDLER, in_ascii)
    for stream in (sys.stdout, sys.stderr):
        # A stream is None if it was closed before the program started.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=HANDLER)


def in_ascii(error: UnicodeError) -> tuple[str | bytes, int]:
    r"""Return the replacement of characters that a stream cannot encode.

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

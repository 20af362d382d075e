"""Checkpoint: the file in which a search keeps what it has proved, to go on later.

The engine turns facts into bytes and back, and knows whether they are of its problem;
here is the file around them: a header with a digest of it all, so that a file that is
truncated, altered or something else is refused, and never overwritten.
"""

from __future__ import annotations

import hashlib
import os
import stat
import struct
import warnings
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

from ostrya._arguments import picture, show
from ostrya._whole_file import write_whole

#: Seconds between two times that the facts are written.
SECONDS = 60.0

MAGIC = b"\x93ostrya\n"
FORMAT = 2
#: Magic, format, version of the package that wrote it, bytes of facts.
HEAD = struct.Struct("<8sI20sQ")
DIGEST_BYTES = 32
#: More than any file has: the engine writes 64 MiB of facts at most.
MOST_BYTES = 2**27


class Checkpoint:
    """The file with the facts of one search, and the facts of an earlier search."""

    def __init__(self, path: str, facts: bytes | None) -> None:
        self.path = path
        self.facts = facts  # None if the file does not exist yet
        # Facts from searches of other parts of the problem, and who receives ours.
        self.told: list[bytes] = []
        self.tell: Callable[[Any], None] | None = None
        self.most_told_bytes = 0

    @classmethod
    def read(cls, path: str) -> Checkpoint:
        """Read the file, or raise `ValueError` with the reason."""
        try:
            with open(path, "rb") as file:
                content = file.read(MOST_BYTES + 1)
        except FileNotFoundError:
            return cls(path, None)
        except OSError as error:
            raise ValueError(
                f"checkpoint {picture(path)} cannot be read: {error.strerror}"
            ) from None
        return cls(path, _facts_of(path, content))

    def write(self, facts: Any) -> None:  # a view of bytes, good for the call alone
        """Replace the file; a failure is a warning and does not end the search."""
        writer = version("ostrya").encode("ascii", "replace")
        head = HEAD.pack(MAGIC, FORMAT, writer, len(facts))
        try:
            write_whole(self.path, head, _digest(head, facts), facts)
        except OSError as error:
            warnings.warn(
                "The search cannot be resumed from here unless a later attempt "
                f"succeeds: checkpoint {picture(self.path)} could not be written "
                f"({error.strerror}). Free disk space or correct the permissions of "
                "the file; the search continues.",
                RuntimeWarning,
                stacklevel=2,
            )

    def refuse(self, reason: str) -> ValueError:
        """Return the error with the reason for which the engine rejects the facts."""
        return _refusal(self.path, reason)


def check_checkpoint(value: Any, **others: Any) -> Checkpoint | None:
    """Read the checkpoint file, or return None, or raise before the search starts.

    `others` are arguments that must be None for a search with a checkpoint.
    """
    if value is None:
        return None
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(
            f"checkpoint must be the path of a file or None; got {show(value)}"
        )
    path = os.fspath(value)
    if not isinstance(path, str):
        raise TypeError(
            f"checkpoint must be a path as str, not bytes, or None; got {show(value)}"
        )
    for name, other in others.items():
        if other is not None:
            given = f"{name}={picture(other)}" if isinstance(other, str) else name
            raise ValueError(
                f"checkpoint cannot be combined with {given}. Omit one of them: only "
                "searches over all trees for an additive loss with the engine "
                '"columns" support checkpoints'
            )
    _require_place(path)
    return Checkpoint.read(path)


def _require_place(path: str) -> None:
    """Raise unless a regular file can be written and replaced at this path."""
    folder = os.path.dirname(os.path.realpath(path))
    named = f"checkpoint must be a file that can be written; got {picture(path)}"
    if not path or "\0" in path:
        raise ValueError(f"{named}, which is not a valid path")
    if not os.path.isdir(folder):
        raise ValueError(f"{named}, whose folder does not exist. Create it first")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ValueError(f"{named}, whose folder is not writable")
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "not a regular file"
        raise ValueError(f"{named}, which is {kind}")
    if not os.access(path, os.R_OK | os.W_OK):
        raise ValueError(f"{named}, which is write-protected")


def _facts_of(path: str, content: bytes) -> bytes:
    """Return the facts in a file, or raise if it was altered or damaged."""
    if not content.startswith(MAGIC):
        reason = "it is empty" if not content else "it is not a checkpoint of Ostrya"
        raise _refusal(path, reason)
    start = HEAD.size + DIGEST_BYTES
    if len(content) < start:
        raise _refusal(path, "it is truncated")
    _, form, writer, n_bytes = HEAD.unpack_from(content)
    if form != FORMAT:
        told = writer.rstrip(b"\0").decode("ascii", "replace")
        raise _refusal(
            path,
            f"it is damaged, or in format {form} of Ostrya {told!r}, but this version "
            f"reads format {FORMAT}",
        )
    if len(content) < start + n_bytes:
        raise _refusal(path, "it is truncated")
    facts = content[start:]
    if content[HEAD.size : start] != _digest(content[: HEAD.size], facts):
        raise _refusal(path, "it is altered or damaged")
    return facts


def _refusal(path: str, reason: str) -> ValueError:
    return ValueError(
        f"checkpoint {picture(path)} cannot be resumed: {reason}. Use another file, or "
        "remove this one to start again"
    )


def _digest(head: bytes, facts: bytes | memoryview) -> bytes:
    digest = hashlib.blake2b(head, digest_size=DIGEST_BYTES, person=b"checkpoint")
    digest.update(facts)
    return digest.digest()

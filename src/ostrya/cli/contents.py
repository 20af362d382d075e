"""The bytes of a file of a table, decompressed, and never more than was allowed.

Files are regular ones. A pipe or a device is no table: it may have no end, or nobody
who writes to it. What the shell hands over, ``-`` and ``/dev/fd/63``, is read as it
comes.
"""

from __future__ import annotations

import gzip
import os
import stat
import sys
import zlib
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import IO, Any

from ostrya.cli.messages import RefusalError
from ostrya.cli.sizes import in_units, rounded_up

_GZIP = b"\x1f\x8b"
_CHUNK = 2**20
_STREAMS = ("/dev/fd/", "/proc/self/fd/")
# Opening a pipe that took the place of a file must not wait for a writer.
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)


def read_content(path: Path, most: int) -> bytes:
    """Return what a file holds, decompressed where it is gzip, or refuse.

    Parameters
    ----------
    path : Path
        The file; ``-`` is the standard input.
    most : int
        Bytes that it may hold. Reading ends there, so a small file that would
        decompress to a huge one takes neither the time nor the memory.
    """
    with _opened(path) as file:
        size = None if is_stream(path) else os.fstat(file.fileno()).st_size
        if size is not None and size > most:
            raise _too_large(path, f"is {in_units(size)}", size, most)
        head = _read(file, len(_GZIP))
        rest: Any = _Joined(head, file)
        is_packed = head == _GZIP
        content = (_decompressed if is_packed else _plain)(path, rest, size, most)
    if not content.strip():
        raise RefusalError(f"{path} is empty")
    return content


@contextmanager
def opened_content(path: Path) -> Iterator[Any]:
    """Give a stream of what a file holds, decompressed where it is gzip."""
    with _opened(path) as file:
        head = _read(file, len(_GZIP))
        rest: Any = _Joined(head, file)
        if head == _GZIP:
            with gzip.GzipFile(fileobj=rest) as unpacked:
                yield unpacked
        else:
            yield rest


def read_standard_input(most: int) -> bytes:
    """Return what the shell hands over, or refuse what is more than allowed."""
    path = Path("-")
    with _opened(path) as file:
        content = _bounded(_Joined(b"", file), most)
    if content is None:
        raise RefusalError(f"the standard input holds more than {in_units(most)}")
    return content


def is_stream(path: Path) -> bool:
    """Say whether a path means what the shell hands over."""
    name = str(path)
    return name in ("-", "/dev/stdin") or name.startswith(_STREAMS)


def refuse_odd_file(path: Path, mode: int, want: str) -> None:
    """Refuse what is no regular file, by its mode; `want` says what to name."""
    if stat.S_ISDIR(mode):
        raise RefusalError(f"{path} is a folder; name {want}")
    if stat.S_ISFIFO(mode):
        raise RefusalError(
            f"{path} is a pipe, at whose other end there may be nobody; name {want}"
        )
    if not stat.S_ISREG(mode):
        raise RefusalError(f"{path} is a device or a socket; name {want}")


def _opened(path: Path) -> AbstractContextManager[IO[bytes]]:
    if str(path) == "-":
        if sys.stdin is None:
            raise RefusalError("the standard input is closed; name a file")
        return nullcontext(sys.stdin.buffer)
    if is_stream(path):
        return path.open("rb")
    want = "a CSV or Parquet file, or - for the standard input"
    try:
        # Before it is opened: that would wake whoever waits to write to a pipe.
        refuse_odd_file(path, path.stat().st_mode, want)
    except (FileNotFoundError, NotADirectoryError):
        raise RefusalError(f"{path}: no such file") from None
    file = open(  # noqa: SIM115 (the caller closes it)
        path, "rb", opener=lambda name, flags: os.open(name, flags | _AT_ONCE)
    )
    try:
        refuse_odd_file(path, os.fstat(file.fileno()).st_mode, want)
    except RefusalError:
        file.close()
        raise
    return file


class _Joined:
    """A file that begins with bytes that were read from it already."""

    def __init__(self, head: bytes, file: IO[bytes]) -> None:
        self._head = head
        self._file = file
        self.n_read = 0

    def read(self, size: int = -1) -> bytes:
        part, self._head = self._head, b""
        part = part or _read_some(self._file, size)
        self.n_read += len(part)
        return part


def _read_some(file: Any, size: int) -> bytes:
    """Return what is there, or wait for more; Ctrl-C is heard between the pieces."""
    part: bytes = file.read1(size)
    return part


def _read(file: IO[bytes], size: int) -> bytes:
    """Return the first bytes, however small the pieces in which they come."""
    head = b""
    while len(head) < size:
        part = _read_some(file, size - len(head))
        if not part:
            break
        head += part
    return head


def _bounded(file: Any, most: int) -> bytes | None:
    """Return all that a file holds; None as soon as it is too much."""
    content = bytearray()
    while part := file.read(_CHUNK):
        content += part
        if len(content) > most:
            return None
    return bytes(content)


def _plain(path: Path, file: _Joined, size: int | None, most: int) -> bytes:
    content = _bounded(file, most)
    if content is None:  # a stream, or a file that grows
        raise _endless(path, "holds", most)
    return content


def _decompressed(path: Path, packed: _Joined, size: int | None, most: int) -> bytes:
    try:
        # The module wants a whole file object, but needs no more than this of it.
        with gzip.GzipFile(fileobj=packed) as file:  # type: ignore[call-overload]
            content = _bounded(file, most)
    except (EOFError, OSError, zlib.error) as error:
        raise no_whole_gzip(path, error) from None
    if content is not None:
        return content
    if size is None:
        raise _endless(path, "unpacks to", most)
    # What is left expands about as what was read.
    whole = max(most, int(most / packed.n_read * size))
    raise _too_large(path, f"unpacks to about {in_units(whole)}", whole, most)


def no_whole_gzip(path: Path, error: Exception) -> RefusalError:
    """Return the refusal of a file that does not unpack."""
    return RefusalError(f"{path} is no whole gzip file: {error}")


def too_large(path: Path, size: int, most: int) -> RefusalError:
    """Return the refusal of a table that would take `size` bytes."""
    return _too_large(path, f"holds a table of {in_units(size)}", size, most)


def _too_large(path: Path, what: str, size: int, most: int) -> RefusalError:
    return RefusalError(
        f"{path} {what}, more than the {in_units(most)} that --max-size allows; say "
        f"--max-size {rounded_up(size + size // 8)} if there is memory for it"
    )


def _endless(path: Path, verb: str, most: int) -> RefusalError:
    return RefusalError(
        f"{path} {verb} more than the {in_units(most)} that --max-size allows; say a "
        "larger --max-size if there is memory for it"
    )

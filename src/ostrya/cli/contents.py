"""Read the bytes of a file, decompressed, up to a maximum size.

Only regular files are accepted, because reading from a pipe or a device may never end.
Exceptions are the streams that the shell provides, ``-`` and ``/dev/fd/63``.
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
# Without blocking, in case a file was replaced by a pipe without a writer.
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)


def read_content(path: Path, most: int) -> bytes:
    """Return the content of a file, decompressed if it is gzip, or raise.

    Parameters
    ----------
    path : Path
        The file; ``-`` is the standard input.
    most : int
        Maximum size in bytes. Reading stops there, so that a small file that would
        decompress to a huge one does not use much time or memory.
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
    """Open the content of a file as a stream, decompressed if it is gzip."""
    with _opened(path) as file:
        head = _read(file, len(_GZIP))
        rest: Any = _Joined(head, file)
        if head == _GZIP:
            with gzip.GzipFile(fileobj=rest) as unpacked:
                yield unpacked
        else:
            yield rest


def read_standard_input(most: int) -> bytes:
    """Return the content of the standard input, or raise if it is too large."""
    path = Path("-")
    with _opened(path) as file:
        content = _bounded(_Joined(b"", file), most)
    if content is None:
        raise RefusalError(f"the standard input must not exceed {in_units(most)}")
    return content


def is_stream(path: Path) -> bool:
    """Return True if a path is a stream provided by the shell."""
    name = str(path)
    return name in ("-", "/dev/stdin") or name.startswith(_STREAMS)


def refuse_odd_file(path: Path, mode: int, expected: str) -> None:
    """Raise unless the mode of a path is that of a regular file."""
    if stat.S_ISDIR(mode):
        raise RefusalError(f"{path} must be {expected}; got a folder")
    if stat.S_ISFIFO(mode):
        raise RefusalError(f"{path} must be {expected}; got a named pipe")
    if not stat.S_ISREG(mode):
        raise RefusalError(f"{path} must be {expected}; got a device or a socket")


def _opened(path: Path) -> AbstractContextManager[IO[bytes]]:
    if str(path) == "-":
        if sys.stdin is None:
            raise RefusalError("the standard input is closed. Pass a file instead")
        return nullcontext(sys.stdin.buffer)
    if is_stream(path):
        return path.open("rb")
    expected = "a CSV or Parquet file, or - for the standard input"
    try:
        # Before opening, which would unblock a process that waits to write to a pipe.
        refuse_odd_file(path, path.stat().st_mode, expected)
    except (FileNotFoundError, NotADirectoryError):
        raise RefusalError(f"{path}: no such file") from None
    file = open(  # noqa: SIM115 (the caller closes it)
        path, "rb", opener=lambda name, flags: os.open(name, flags | _AT_ONCE)
    )
    try:
        refuse_odd_file(path, os.fstat(file.fileno()).st_mode, expected)
    except RefusalError:
        file.close()
        raise
    return file


class _Joined:
    """A file together with the first bytes that were already read from it."""

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
    """Return available bytes, or wait for some; Ctrl-C is handled between calls."""
    part: bytes = file.read1(size)
    return part


def _read(file: IO[bytes], size: int) -> bytes:
    """Return the first `size` bytes, even if they arrive in small pieces."""
    head = b""
    while len(head) < size:
        part = _read_some(file, size - len(head))
        if not part:
            break
        head += part
    return head


def _bounded(file: Any, most: int) -> bytes | None:
    """Return the content of a file, or None as soon as it exceeds `most` bytes."""
    content = bytearray()
    while part := file.read(_CHUNK):
        content += part
        if len(content) > most:
            return None
    return bytes(content)


def _plain(path: Path, file: _Joined, size: int | None, most: int) -> bytes:
    content = _bounded(file, most)
    if content is None:  # a stream, or a growing file
        raise _endless(path, "contains", most)
    return content


def _decompressed(path: Path, packed: _Joined, size: int | None, most: int) -> bytes:
    try:
        # The type is that of a complete file object, but only `read` is used.
        with gzip.GzipFile(fileobj=packed) as file:  # type: ignore[call-overload]
            content = _bounded(file, most)
    except (EOFError, OSError, zlib.error) as error:
        raise no_whole_gzip(path, error) from None
    if content is not None:
        return content
    if size is None:
        raise _endless(path, "decompresses to", most)
    # Assume the same compression ratio for the rest of the file.
    whole = max(most, int(most / packed.n_read * size))
    raise _too_large(path, f"decompresses to about {in_units(whole)}", whole, most)


def no_whole_gzip(path: Path, error: Exception) -> RefusalError:
    """Return the error for a file that cannot be decompressed."""
    return RefusalError(f"{path} is not a complete gzip file: {error}")


def too_large(path: Path, size: int, most: int) -> RefusalError:
    """Return the error for a table that would use `size` bytes."""
    return _too_large(path, f"contains a table of {in_units(size)}", size, most)


def _too_large(path: Path, what: str, size: int, most: int) -> RefusalError:
    return RefusalError(
        f"{path} {what}, more than the {in_units(most)} that --max-size allows. Use "
        f"--max-size {rounded_up(size + size // 8)} if there is enough memory"
    )


def _endless(path: Path, verb: str, most: int) -> RefusalError:
    return RefusalError(
        f"{path} {verb} more than the {in_units(most)} that --max-size allows. Use a "
        "larger --max-size if there is enough memory"
    )

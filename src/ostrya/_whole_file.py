"""Write files completely or not at all; a full disk leaves the old file unchanged."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat


def write_whole(path: str | os.PathLike[str], *content: bytes | memoryview) -> None:
    """Write or replace a file atomically.

    The content is written to a new file in the same folder, which then replaces `path`.
    If that is impossible, because `path` is a device or a pipe or the folder is
    read-only, the file is written in place.

    Raises
    ------
    OSError
        If the file cannot be written. An existing regular file is then unchanged.
    """
    # For a symbolic link, the file it points to is replaced.
    place = os.path.realpath(path)
    try:
        mode = os.stat(place).st_mode
    except FileNotFoundError:
        mode = None
    is_ours = mode is None or (stat.S_ISREG(mode) and os.access(place, os.W_OK))
    if not is_ours:  # works for a device, raises for a write-protected file
        _write_in_place(path, *content)
        return
    folder, name = os.path.split(place)
    beside = os.path.join(folder, f".{name[:100]}.{secrets.token_hex(4)}.part")
    try:
        number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    except PermissionError:
        _write_in_place(path, *content)
        return
    try:
        with open(number, "wb") as file:
            file.writelines(content)
            file.flush()
            os.fsync(number)  # some systems report a full disk only now
        if mode is not None:
            os.chmod(beside, stat.S_IMODE(mode))
        os.replace(beside, place)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        if isinstance(error, OSError):
            error.filename = os.fspath(path)  # not that of the temporary file
            error.filename2 = None
        raise


def _write_in_place(path: str | os.PathLike[str], *content: bytes | memoryview) -> None:
    with open(path, "wb") as file:
        file.writelines(content)

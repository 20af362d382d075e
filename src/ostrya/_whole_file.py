"""Files written whole or not at all: a full disk leaves what was there before."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat


def write_whole(path: str | os.PathLike[str], *content: bytes | memoryview) -> None:
    """Write a file, or replace it, at once.

    The parts of the content go to a new file beside it, which then takes its place.
    Where that cannot be, because `path` is a device or a pipe, or its folder takes no
    new files, it is written in place.

    Raises
    ------
    OSError
        When it cannot be written. A regular file that was there is then as it was.
    """
    # Of a link, the file it leads to is replaced.
    place = os.path.realpath(path)
    try:
        mode = os.stat(place).st_mode
    except FileNotFoundError:
        mode = None
    is_ours = mode is None or (stat.S_ISREG(mode) and os.access(place, os.W_OK))
    if not is_ours:  # a device takes it, a file that is write-protected refuses it
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
            os.fsync(number)  # some systems say only now that the disk is full
        if mode is not None:
            os.chmod(beside, stat.S_IMODE(mode))
        os.replace(beside, place)
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.unlink(beside)
        if isinstance(error, OSError):
            error.filename = os.fspath(path)  # of the other nobody needs to know
            error.filename2 = None
        raise


def _write_in_place(path: str | os.PathLike[str], *content: bytes | memoryview) -> None:
    with open(path, "wb") as file:
        file.writelines(content)

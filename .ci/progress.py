"""Run an installation command and show how far it has come.

Usage: python .ci/progress.py TITLE COMMAND [ARGUMENT ...]

pip prints either nothing or hundreds of lines. This script reads its verbose output and
shows what matters: which large packages are downloaded, what is installed, and how many
files are compiled. In a terminal one line is rewritten. Otherwise, for example in a log
file, there is a new line for each step, for each tenth of the compilation, and every
half minute on slow machines. If the command fails, the end of its output is shown and
its exit code is returned.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections import deque
from typing import TextIO

# Lines of output to show when the command fails: enough for one compiler error.
LAST_LINES = 80
# Seconds between two updates: of the line in a terminal, at least this long; in a log
# file, a line appears after this long even if less than a tenth was compiled.
REFRESH, LONGEST_SILENCE = 0.1, 30

_COMPILED = re.compile(r"\s*\[ *(\d+)/(\d+)\] ")
_DOWNLOADED = re.compile(r"\s*Downloading (\S+) \((\d[\d.]* [MG]B)\)")
_INSTALLED = re.compile(r"\s*Installing collected packages: (.+)")


class Progress:
    """The steps of one command, shown on a stream.

    Parameters
    ----------
    title : str
        What the command does, for example "Building the engine".
    stream : text stream
        Where to show the steps.
    """

    def __init__(self, title: str, stream: TextIO) -> None:
        self._title = title
        self._stream = stream
        self._is_terminal = stream.isatty()
        self._started = time.monotonic()
        self._shown_at = -REFRESH
        self._tenth = 0
        self._show("starting", always=True)

    def read(self, line: str) -> None:
        """Show the step that a line of output belongs to, if there is one."""
        if compiled := _COMPILED.match(line):
            self._show_compiled(*map(int, compiled.groups()))
        elif downloaded := _DOWNLOADED.match(line):
            file, size = downloaded.groups()
            name = file.rpartition("/")[2].partition("-")[0]
            self._show(f"downloading {name} ({size})", always=True)
        elif installed := _INSTALLED.match(line):
            names = installed[1].split(", ")
            self._show(f"installing {_listed(names)}", always=True)

    def finish(self, exit_code: int) -> None:
        """Show that the command ended, and how long it took."""
        word = "done" if exit_code == 0 else f"failed with exit code {exit_code}"
        self._show(word, always=True)
        if self._is_terminal:
            self._stream.write("\n")

    def _show_compiled(self, done: int, total: int) -> None:
        tenth = 10 * done // max(total, 1)
        is_late = time.monotonic() - self._shown_at > LONGEST_SILENCE
        is_news = tenth > self._tenth or done == 1 or is_late
        self._tenth = tenth
        if is_news or self._is_terminal:
            text = f"compiling, {done} of {total} files ({done / max(total, 1):.0%})"
            self._show(text, always=is_news)

    def _show(self, step: str, *, always: bool) -> None:
        now = time.monotonic()
        if not always and now - self._shown_at < REFRESH:
            return
        self._shown_at = now
        text = f"{self._title}: {step}"
        minutes, seconds = divmod(round(now - self._started), 60)
        if minutes or seconds:
            text += f" ({minutes} min {seconds} s)" if minutes else f" ({seconds} s)"
        if self._is_terminal:
            width = os.get_terminal_size(self._stream.fileno()).columns or 80
            # Return to the start of the line and erase what was there.
            self._stream.write(f"\r\x1b[K{text[: width - 1]}")
        else:
            self._stream.write(f"{text}\n")
        self._stream.flush()


def _listed(names: list[str]) -> str:
    if len(names) <= 4:
        return ", ".join(names)
    return f"{', '.join(names[:3])} and {len(names) - 3} more packages"


def main(title: str, *command: str) -> int:
    """Run the command, show its progress, and return its exit code."""
    progress = Progress(title, sys.stdout)
    last_lines: deque[str] = deque(maxlen=LAST_LINES)
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                last_lines.append(line)
                progress.read(line)
        except KeyboardInterrupt:  # the command received it as well
            process.wait()
            progress.finish(130)
            return 130
    progress.finish(process.returncode)
    if process.returncode:
        sys.stderr.writelines(last_lines)
    return process.returncode


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))

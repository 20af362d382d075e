"""The directive ``command-help``: what ``ostrya ... --help`` says, by the program."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive
from sphinx.application import Sphinx

PLAIN = {"COLUMNS": "72", "NO_COLOR": "1", "TERM": "dumb", "LC_ALL": "C.UTF-8"}


class CommandHelp(Directive):
    """Show the help of the command named, or of ``ostrya`` itself."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return what the command prints."""
        arguments = [*self.arguments, "--help"]
        done = subprocess.run(
            [sys.executable, "-m", "ostrya", *arguments],
            env={**os.environ, **PLAIN},
            capture_output=True,
            encoding="utf-8",
            check=True,
        )
        told = done.stdout.strip().replace("python -m ostrya", "ostrya")
        shown = "\n".join(line.rstrip() for line in told.splitlines())
        said = f"$ ostrya {' '.join(arguments)}\n{shown}"
        return [nodes.literal_block(said, said, language="none")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive."""
    app.add_directive("command-help", CommandHelp)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""Commands that are imported when they are called, and not to be listed.

What they need takes seconds to import, and the list of commands a moment.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from ostrya.cli.bare_options import BareOptionCommand

#: The module of each command, which is a function of the same name there, and the
#: first line of its docstring.
COMMANDS = {
    "fit": (
        "fit",
        "Find the best decision tree for a table, and prove it or say the gap.",
    ),
    "path": (
        "path",
        "Find the best tree for every number of leaves, and score each on rows held "
        "out.",
    ),
    "predict": (
        "predict",
        "Predict the label and the class probabilities of each row of a table.",
    ),
    "show": (
        "show",
        "Show the tree of a model, and what its file claims to be proved of it.",
    ),
    "plot": (
        "plot",
        "Draw the tree of a model; the suffix of the picture says in which form.",
    ),
    "report": (
        "report_page",
        "Write a page about a model: its tree, proof, scores and rules, and cases to "
        "try.",
    ),
    "export": (
        "export",
        "Write the tree of a model as a program that needs nothing but itself.",
    ),
    "demo": (
        "demo",
        "Find an optimal tree for a medical data set and compare it with CART.",
    ),
}


class CommandOnDemand(TyperCommand):
    """The name and summary of a command; whoever calls it gets the command itself."""

    def make_context(self, info_name: Any, args: Any, *rest: Any, **more: Any) -> Any:
        """Import the command, and have it parse its arguments."""
        return load_command(str(self.name)).make_context(info_name, args, *rest, **more)


class CommandGroup(TyperGroup):
    """The commands of ``ostrya``."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, (_, summary) in COMMANDS.items():
            self.add_command(CommandOnDemand(name, help=summary))

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names in the order of their list."""
        return list(self.commands)


def load_command(name: str) -> Any:
    """Import a command, and return it."""
    module = import_module(f"ostrya.cli.{COMMANDS[name][0]}")
    app = typer.Typer(add_completion=False)
    kind = BareOptionCommand if name == "fit" else TyperCommand
    app.command(name, cls=kind)(getattr(module, name))
    return typer.main.get_command(app)

"""Import commands only when they are called, not to list them.

Importing their dependencies takes seconds, which the list of commands does not need.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from ostrya.cli.bare_options import BareOptionCommand

#: The module of each command and the first line of its docstring. The command is the
#: function of the same name in the module.
COMMANDS = {
    "fit": (
        "fit",
        "Find the best decision tree for a table, with a proof or an optimality gap.",
    ),
    "frontier": (
        "frontier",
        "Find the best tree for every number of leaves, and score it on held-out rows.",
    ),
    "rashomon": (
        "rashomon",
        "Count and show all trees that are almost as good as the best one.",
    ),
    "predict": (
        "predict",
        "Predict the label and the class probabilities of each row of a table.",
    ),
    "verify": (
        "verify",
        "Check that no tree is better than that of a model, by its certificate.",
    ),
    "show": (
        "show",
        "Show the tree of a model, and the proof stated in its file.",
    ),
    "plot": (
        "plot",
        "Draw the tree of a model; the suffix of the file determines the format.",
    ),
    "report": (
        "report_page",
        "Write an HTML report: tree, proof, scores, rules and a what-if section.",
    ),
    "export": (
        "export",
        "Write the tree of a model as a self-contained program.",
    ),
    "demo": (
        "demo",
        "Find an optimal tree for a medical data set and compare it with CART.",
    ),
}


class CommandOnDemand(TyperCommand):
    """A placeholder with the name and summary of a command."""

    def make_context(self, info_name: Any, args: Any, *rest: Any, **more: Any) -> Any:
        """Import the command and let it parse its arguments."""
        return load_command(str(self.name)).make_context(info_name, args, *rest, **more)


class CommandGroup(TyperGroup):
    """The commands of ``ostrya``."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        for name, (_, summary) in COMMANDS.items():
            self.add_command(CommandOnDemand(name, help=summary))

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names in the order of `COMMANDS`."""
        return list(self.commands)


def load_command(name: str) -> Any:
    """Import and return a command."""
    module = import_module(f"ostrya.cli.{COMMANDS[name][0]}")
    app = typer.Typer(add_completion=False)
    kind = BareOptionCommand if name == "fit" else TyperCommand
    function = getattr(module, name)
    app.command(name, cls=kind, help=_paragraphs(function))(function)
    return typer.main.get_command(app)


def _paragraphs(function: Any) -> str:
    """Return a docstring with one line per paragraph, which terminals wrap again."""
    paragraphs = inspect.cleandoc(function.__doc__).split("\n\n")
    return "\n\n".join(" ".join(text.split()) for text in paragraphs)

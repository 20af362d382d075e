"""The command ``ostrya`` with its subcommands."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import typer

from ostrya.cli.on_demand import CommandGroup

app = typer.Typer(
    name="ostrya",
    cls=CommandGroup,
    help="Find small decision trees and prove that no better one exists.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(is_wanted: bool) -> None:
    if is_wanted:
        print(f"ostrya {version('ostrya')}")
        raise typer.Exit


@app.callback()
def root(
    wants_version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_print_version,
            is_eager=True,
            help="Show the version and exit.",
        ),
    ] = False,
) -> None:
    """Find small decision trees and prove that no better one exists."""

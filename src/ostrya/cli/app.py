"""The command ``ostrya`` and its parts."""

from __future__ import annotations

from importlib.metadata import version
from typing import Annotated

import typer

from ostrya import demo as first_look
from ostrya.cli.bare_options import BareOptionCommand
from ostrya.cli.export import export
from ostrya.cli.fit import fit
from ostrya.cli.plot import plot
from ostrya.cli.predict import predict
from ostrya.cli.report_page import report
from ostrya.cli.show import show

app = typer.Typer(
    name="ostrya",
    help="Small decision trees, with the proof that no better one exists.",
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
            "--version", callback=_print_version, is_eager=True, help="Say the version."
        ),
    ] = False,
) -> None:
    """Small decision trees, with the proof that no better one exists."""


def demo() -> None:
    """Grow one optimal tree on a medical data set, beside what CART finds."""
    first_look.main()


app.command(cls=BareOptionCommand)(fit)
for command in (predict, show, plot, report, export, demo):
    app.command()(command)

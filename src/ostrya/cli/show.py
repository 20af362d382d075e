"""``ostrya show``: show the tree of a model file and the stated proof."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ostrya.cli.contents import read_standard_input
from ostrya.cli.messages import RefusalError, refusing, stdout
from ostrya.cli.report import AsJson, print_json, print_model, summary
from ostrya.estimators.load_model import load_model, restore_model
from ostrya.export import export_rules
from ostrya.export.caption import accuracy
from ostrya.export.json_checks import MOST_BYTES, FlawError, read_object

Model = Annotated[
    Path,
    typer.Argument(
        help="A model file written by `ostrya fit -o`; - is the standard input.",
    ),
]


def load(path: Path) -> Any:
    """Return the model in a file, or raise."""
    if str(path) != "-":
        return load_model(path)
    try:
        return restore_model(read_object(read_standard_input(MOST_BYTES)))
    except FlawError as flaw:
        raise RefusalError(f"the standard input: malformed model: {flaw}") from None


@refusing
def show(
    model: Model,
    rules: Annotated[
        bool, typer.Option("--rules", help="Show if-then rules, one per leaf.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Show the tree of a model, and the proof stated in its file.

    Files that contradict their tree are rejected, but only the training rows could
    verify that the stated proof is true.
    """
    fitted = load(model)
    if as_json:
        print_json(summary(fitted, tree=fitted.tree_.to_dict()))
    elif rules:
        stdout().file.write(f"{export_rules(fitted)}\n")
    else:
        print_model(fitted, accuracy(fitted.tree_))

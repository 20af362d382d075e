"""``ostrya report``: one page of HTML about a model."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from ostrya._whole_file import write_whole
from ostrya.cli.columns import fitted_columns, labelled_rows, require_writable
from ostrya.cli.encoding import Encoding
from ostrya.cli.fit import Place
from ostrya.cli.messages import RefusalError, refusing, writing_to
from ostrya.cli.predict import Name
from ostrya.cli.show import Model, load
from ostrya.cli.speech import Quietness, Speech
from ostrya.cli.table_file import MaxSize, TableFile
from ostrya.export import export_report


@refusing
def report(
    model: Model,
    data: Annotated[
        Place,
        typer.Argument(
            help="Rows with labels to score the model by; CSV or Parquet.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Place,
        typer.Option(
            "--output",
            "-o",
            help="Where to.",
            show_default="the name of the model with .html",
        ),
    ] = None,
    target: Annotated[
        Name,
        typer.Option(
            metavar="COLUMN",
            help="The labels of the table.",
            show_default="the target of `ostrya fit`",
        ),
    ] = None,
    title: Annotated[Name, typer.Option(help="What stands above.")] = None,
    max_size: MaxSize = None,
    encoding: Encoding = None,
    quiet: Quietness = False,
) -> None:
    """Write a page about a model: its tree, proof, scores and rules, and cases to try.

    The page is one file of HTML that needs nothing but itself.
    """
    if str(model) == "-" and (str(data) == "-" or output is None):
        raise RefusalError(
            "the model is the standard input; name a file for the table, and one for "
            "the page with -o"
        )
    page = output or model.with_suffix(".html")
    require_writable(page)
    fitted = load(model)
    rows = labels = None
    if data is not None:
        rows, labels = _labelled(fitted, TableFile(data, max_size, encoding), target)
    source = export_report(fitted, rows, labels, title=title)
    with writing_to(page):
        write_whole(page, source.encode())
    Speech(False if quiet else None).say(f"Wrote {page}")


def _labelled(
    fitted: Any, file: TableFile, target: str | None
) -> tuple[Any, list[Any]]:
    """Return the rows of a table that have labels, and these, or refuse."""
    rows, labels = labelled_rows(fitted, file, fitted_columns(file, fitted), target)
    if not labels:
        raise RefusalError(
            f"{file.path} has no labels to score the model by; say --target with their "
            "column, or leave out the table"
        )
    return rows, labels

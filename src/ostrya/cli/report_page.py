"""``ostrya report``: write an HTML report on a model."""

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
            help="Held-out rows with labels, to score the model: CSV or Parquet.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        Place,
        typer.Option(
            "--output",
            "-o",
            help="Output file.",
            show_default="the name of the model with .html",
        ),
    ] = None,
    target: Annotated[
        Name,
        typer.Option(
            metavar="COLUMN",
            help="The column with the labels.",
            show_default="the target of `ostrya fit`",
        ),
    ] = None,
    title: Annotated[Name, typer.Option(help="The title of the page.")] = None,
    max_size: MaxSize = None,
    encoding: Encoding = None,
    quiet: Quietness = False,
) -> None:
    """Write an HTML report: tree, proof, scores, rules and a what-if section.

    The report is one self-contained HTML file.
    """
    if str(model) == "-" and (str(data) == "-" or output is None):
        raise RefusalError(
            "if the model is the standard input, pass a file for the table, and one "
            "for the report with -o"
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
    """Return the rows of a table that have labels, and these labels, or raise."""
    rows, labels = labelled_rows(fitted, file, fitted_columns(file, fitted), target)
    if not labels:
        raise RefusalError(
            f"{file.path} must contain labels to score the model. Set their column "
            "with --target, or omit the table"
        )
    return rows, labels

"""``ostrya predict``: labels and probabilities for new rows."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import pyarrow as pa
import typer

from ostrya.cli.columns import fitted_columns, label_names, require_writable
from ostrya.cli.fit import Place
from ostrya.cli.messages import RefusalError, refusing, shown, stderr, writing_to
from ostrya.cli.report import print_json
from ostrya.cli.show import Model, load
from ostrya.cli.table_file import Data, MaxSize, TableFile, write_table

PREDICTION = "prediction"


@refusing
def predict(
    model: Model,
    data: Data,
    output: Annotated[
        Place,
        typer.Option(
            "--output", "-o", help="CSV (also .gz) or Parquet. Default: CSV on stdout."
        ),
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="Write the columns of the input as well.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the predictions as JSON.")
    ] = False,
    max_size: MaxSize = None,
) -> None:
    """Predict the label and the class probabilities of each row of a table."""
    require_writable(output)
    fitted = load(model)
    file = TableFile(data, max_size)
    rows = fitted_columns(file, fitted)
    labels, shares = fitted.predict(rows), fitted.predict_proba(rows)
    names = label_names(fitted)
    if as_json:
        print_json(
            [
                {PREDICTION: label, "probabilities": dict(zip(names, row, strict=True))}
                for label, row in zip(labels.tolist(), shares.tolist(), strict=True)
            ]
        )
    # An array of texts is not one that pyarrow reads; other arrays keep their type.
    plain = labels.tolist() if labels.dtype.kind in "OUT" else labels
    columns: dict[str, Any] = {PREDICTION: pa.array(plain)}
    for code, name in enumerate(names):
        columns[f"probability of {name}"] = pa.array(shares[:, code])
    table = pa.table(columns)
    if keep:
        for name in columns:
            if name in file:
                raise RefusalError(
                    f"{data} has a column {shown(name)} already; rename it, or leave "
                    "out --keep"
                )
        table = pa.table([*file.table.columns, *table.columns], [*file.names, *columns])
    if output is not None or not as_json:
        with writing_to(output):
            content = write_table(table, output)
        if content is not None:
            _print_table(content)
        else:
            stderr().print(f"Wrote {file.n_rows:,} rows to {output}", markup=False)


def _print_table(content: str) -> None:
    if sys.stdout is None:
        raise RefusalError("the standard output is closed; name a file with -o")
    if sys.stdout.isatty():
        sys.stdout.write(content)
        return
    # Whoever reads on wants the labels themselves, whatever the locale.
    sys.stdout.flush()
    sys.stdout.buffer.write(content.encode("utf-8", "surrogateescape"))

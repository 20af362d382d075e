"""``ostrya predict``: labels and probabilities for new rows."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import pyarrow as pa
import typer

from ostrya.cli.columns import fitted_columns, label_names, require_writable
from ostrya.cli.fit import Place
from ostrya.cli.messages import RefusalError, refusing, stderr
from ostrya.cli.report import print_json
from ostrya.cli.show import Model, load
from ostrya.cli.table_file import TableFile, write_table

PREDICTION = "prediction"


@refusing
def predict(
    model: Model,
    data: Annotated[Path, typer.Argument(help="CSV (also .gz) or Parquet.")],
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
) -> None:
    """Predict the label and the class probabilities of each row of a table."""
    require_writable(output)
    fitted = load(model)
    file = TableFile(data)
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
    columns: dict[str, Any] = {PREDICTION: pa.array(labels.tolist())}
    for code, name in enumerate(names):
        columns[f"probability of {name}"] = pa.array(shares[:, code])
    table = pa.table(columns)
    if keep:
        for name in columns:
            if name in file.names:
                raise RefusalError(
                    f"{data} has a column {name!r} already; rename it, or leave --keep"
                )
        table = pa.table([*file.table.columns, *table.columns], [*file.names, *columns])
    if output is not None or not as_json:
        content = write_table(table, output)
        if content is not None:
            sys.stdout.write(content)
        else:
            stderr().print(f"Wrote {file.n_rows:,} rows to {output}", markup=False)

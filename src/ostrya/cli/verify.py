"""``ostrya verify``: check the certificate of a model with an independent program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ostrya.cli.checker import check
from ostrya.cli.columns import fitted_columns, labelled_rows
from ostrya.cli.encoding import Encoding
from ostrya.cli.fit import Place
from ostrya.cli.messages import RefusalError, refusing, writing_to
from ostrya.cli.report import print_text
from ostrya.cli.show import Model, load
from ostrya.cli.table_file import Data, MaxSize, TableFile
from ostrya.estimators.certification import certified_problem

REFUSED = 1
Proof = Annotated[
    Path, typer.Argument(help="A certificate written by `ostrya fit --certificate`.")
]


@refusing
def verify(
    data: Data,
    model: Model,
    proof: Proof,
    problem: Annotated[
        Place,
        typer.Option(
            "--problem", help="Also write the problem file, for other checkers."
        ),
    ] = None,
    max_size: MaxSize = None,
    encoding: Encoding = None,
) -> None:
    """Check that no tree is better than that of a model, by its certificate.

    The table must be the one that the model was fitted on. The proof is checked by
    ostrya-check, a program that shares no code with Ostrya. Exit codes: 0 verified, 1
    refused, 2 bad input.
    """
    fitted = load(model)
    file = TableFile(data, max_size, encoding)
    rows, labels = labelled_rows(fitted, file, fitted_columns(file, fitted), None)
    if not labels:
        raise RefusalError(
            f"{data} must contain the labels that the model was fitted to"
        )
    try:
        certified = certified_problem(fitted, rows, labels)
    except ValueError as error:
        raise RefusalError(str(error)) from None
    if problem is not None:
        with writing_to(problem):
            problem.write_bytes(certified.file)
    checked = check(certified.file, proof)
    cost = certified.cost(fitted.tree_)
    refusal = checked.refusal
    if refusal is None and checked.cost != cost:
        refusal = f"the tree of the model costs {cost}, not what is proved"
    if refusal is not None:
        print_text(f"REFUSED: {refusal}\n", "Read less")
        raise typer.Exit(REFUSED)
    limits = certified.remaining
    names = ("max_depth", "max_leaf_nodes", "min_samples_leaf")
    within = ", ".join(f"{name}={getattr(limits, name)}" for name in names)
    lower = certified.grid.to_lower_bound(checked.lower)
    claim = "no tree has a lower objective"
    if checked.lower < cost:
        claim += f" by more than {fitted.objective_ - lower:.6g}"
    print_text(
        f"VERIFIED: {claim}\n"
        f"table:        {data}, {file.n_rows:,} rows\n"
        f"objective:    {fitted.objective_:.6g} (loss + {fitted.leaf_penalty_:g} per "
        f"leaf)\n"
        f"lower bound:  {lower:.6g}, for all trees with {within}\n",
        "Read less",
    )

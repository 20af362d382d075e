"""``ostrya fit``: find the best tree for a table."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Optional

import numpy as np
import numpy.typing as npt
import typer

from ostrya.cli.checker import check
from ostrya.cli.columns import (
    Categories,
    Dropped,
    Target,
    require_writable,
    training_columns,
)
from ostrya.cli.encoding import Encoding, refuse_encoding_with_lazy
from ostrya.cli.lazy_file import (
    Lazy,
    Thresholds,
    accuracy_of,
    read_groups,
    refuse_with_lazy,
)
from ostrya.cli.live import Watch
from ostrya.cli.messages import (
    NO_PROOF,
    RefusalError,
    listed,
    refusing,
    stderr,
    warned_plainly,
    writing_to,
)
from ostrya.cli.options import (
    CheckpointFile,
    TopK,
    chooses_leaves,
    make_chooser,
    make_estimator,
    taking_estimator_options,
)
from ostrya.cli.report import AsJson, print_json, print_model, summary
from ostrya.cli.size_choice import choice_report, fold_places
from ostrya.cli.sizes import in_units
from ostrya.cli.speech import Loudness, Speech
from ostrya.cli.table_file import Data, MaxSize, TableFile
from ostrya.cli.validation import (
    Folds,
    Report,
    Rows,
    Share,
    cross_validated,
    held_out_report,
    parted,
    refuse_both,
)
from ostrya.estimators import OptimalTreeClassifier
from ostrya.estimators.certification import certify
from ostrya.estimators.model_write import to_document

Place = Optional[Path]  # noqa: UP045 (typer reads the older form on every Python)


@refusing
@taking_estimator_options(OptimalTreeClassifier)
def fit(
    context: typer.Context,
    data: Data,
    target: Target,
    output: Annotated[
        Place,
        typer.Option(
            "--output", "-o", help="Output file for the model (JSON); - is stdout."
        ),
    ] = None,
    drop: Dropped = None,
    category: Categories = None,
    as_json: AsJson = False,
    require_proof: Annotated[
        bool,
        typer.Option(
            "--require-proof",
            help="Exit with code 3 unless the tree is proved optimal.",
        ),
    ] = False,
    certificate: Annotated[
        Place,
        typer.Option(
            "--certificate",
            help="Where to write a proof of the lower bound, which `ostrya verify` "
            "checks. Writing it can take longer than the fit.",
        ),
    ] = None,
    loudness: Loudness = None,
    max_size: MaxSize = None,
    encoding: Encoding = None,
    cv: Folds = None,
    hold_out: Share = None,
    top_k: TopK = None,
    lazy: Lazy = False,
    thresholds: Thresholds = None,
    checkpoint: CheckpointFile = None,
    **parameters: Any,
) -> None:
    """Find the best decision tree for a table, with a proof or an optimality gap.

    Ctrl-C stops the search and keeps the best tree found so far. Exit codes: 0 if a
    tree was found, 2 for invalid input, 3 if --require-proof is not satisfied or no
    certificate could be written, 130 for Ctrl-C before a tree was found.
    """
    speech, to_stdout = Speech(loudness), str(output) == "-"
    _refuse_contradictions(output, as_json=as_json, speech=speech)
    refuse_both(cv, hold_out)
    if not to_stdout:
        require_writable(output)
    require_writable(certificate)
    if certificate is not None and (lazy or top_k is not None):
        raise RefusalError(
            "--certificate cannot be combined with --lazy or --top-k. Omit one of them"
        )
    if require_proof and parameters["max_depth"] == "auto":
        parameters["max_depth"] = None  # a proof up to some depth is not sufficient
    if thresholds is not None and not lazy:
        raise RefusalError("--thresholds can only be used together with --lazy")
    if cv is not None and checkpoint is not None:
        raise RefusalError(
            "--checkpoint cannot be combined with --cv, which runs several searches. "
            "Omit one of them"
        )
    if top_k is not None and checkpoint is not None:
        raise RefusalError(
            "--checkpoint cannot be combined with --top-k. Omit one of them"
        )
    given = given_options(context, parameters)
    chooses = cv is not None and chooses_leaves(given, parameters["objective"], top_k)
    started = time.perf_counter()
    held_out, rows, groups = None, None, None
    if lazy:
        refuse_encoding_with_lazy(encoding)
        refuse_with_lazy(cv=cv, hold_out=hold_out, top_k=top_k, max_size=max_size)
        groups = read_groups(data, target, drop or (), category or (), thresholds)
        distinct = np.unique(groups.labels).tolist()
        speech.explain(f"{data}: {groups.n_rows:,} rows in {groups.n_groups:,} groups")
    else:
        file = TableFile(data, max_size, encoding)
        features, labels = training_columns(file, target, drop or (), category or ())
        everyone = Rows(features, labels.to_numpy())
        rows, held_out = parted(everyone, hold_out)
        speech.explain(_contents(file, everyone))
        distinct = np.unique(everyone.labels).tolist()
        started = time.perf_counter()

    def fitted(table: Any, y: npt.NDArray[Any] | None) -> Any:
        with Watch(speech.live_console()) as watch, warned_plainly():
            watcher = speech.logged(watch)
            if chooses and cv is not None and rows is not None:
                folds = fold_places(rows, cv)
                model: Any = make_chooser(parameters, given, distinct, cv=folds)
            else:
                model = make_estimator(parameters, given, top_k, distinct)
            kept = {} if checkpoint is None else {"checkpoint": checkpoint}
            model.fit(table, y, on_progress=watcher, **kept)
        return model

    model = fitted(groups, None) if rows is None else fitted(rows.table, rows.labels)
    if chooses and rows is not None:
        checked, model = choice_report(model, rows), model.best_estimator_
    seconds = time.perf_counter() - started
    model.target_name_ = target
    if output is not None and not to_stdout:
        _save(model, output)
    speech.explain(_effort(model))
    has_certificate = certificate is None  # or written below
    if certificate is not None:
        assert rows is not None
        has_certificate = _certify(model, rows, certificate, speech)
        if has_certificate and output is not None and not to_stdout:
            _save(model, output)  # with the digest of the certificate
    if to_stdout:
        print_json(to_document(model))
    if not chooses:
        checked = held_out_report(model, held_out)
    if cv is not None and not chooses and model.status_ == "interrupted":
        checked = Report(["No cross-validation: stopped by Ctrl-C"])
    elif cv is not None and rows is not None and not chooses:
        checked = cross_validated(rows, cv, fitted, speech)
    if groups is not None:
        scores, n_rows = {"accuracy": accuracy_of(model, groups)}, groups.n_rows
    else:
        assert rows is not None
        scores, n_rows = rows.scores(model), len(rows.labels)
    if as_json:
        place = None if output is None else str(output)
        facts = {**scores, "n_rows": n_rows, "seconds": seconds, **checked.numbers}
        print_json(summary(model, **facts, file=place, tree=model.tree_.to_dict()))
    elif not speech.is_quiet:
        accuracy = f"{scores['accuracy']:.2%} of {n_rows:,} training rows correct"
        print_model(
            model,
            f"{accuracy} ({seconds:.1f} s)",
            *checked.lines,
            console=stderr() if to_stdout else None,
        )
    if output is not None and not (as_json or to_stdout):
        speech.say(f"Wrote {output}")
    if not has_certificate or (require_proof and model.status_ != "optimal"):
        raise typer.Exit(NO_PROOF)


def _save(model: Any, output: Path) -> None:
    with writing_to(output):
        model.save(output)


def _certify(model: Any, rows: Rows, certificate: Path, speech: Speech) -> bool:
    """Write and check the certificate; returns False, with a warning, without one."""
    with warned_plainly(about_proofs=True):
        proved = certify(model, rows.table, rows.labels)
    if proved is None:
        return False
    with writing_to(certificate):
        proved.save(certificate)
    refusal = check(proved.problem, certificate).refusal
    if refusal is not None:
        raise RuntimeError(
            f"ostrya-check refused {certificate}: {refusal}. This is a bug in Ostrya; "
            "please report it with the table and the command"
        )
    size = in_units(len(proved.proof))
    speech.say(f"Wrote {certificate} ({size}), verified by ostrya-check")
    model.certificate_digest_ = proved.digest
    return True


def _refuse_contradictions(
    output: Path | None, *, as_json: bool, speech: Speech
) -> None:
    if as_json and str(output) == "-":
        raise RefusalError(
            "--json and -o - both write to the standard output. Pass a file to -o"
        )
    if speech.is_quiet and output is None and not as_json:
        raise RefusalError(
            "--quiet requires -o with a file, or --json; otherwise there is no output"
        )


def given_options(context: typer.Context, names: Iterable[str]) -> set[str]:
    """Return the options that were set explicitly."""
    sources = {name: context.get_parameter_source(name) for name in names}
    return {
        name for name, s in sources.items() if s is not None and s.name != "DEFAULT"
    }


def _contents(file: TableFile, rows: Rows) -> str:
    """Return one line that describes the table."""
    kinds = Counter(str(kind) for kind in rows.table.schema.types)
    columns = ", ".join(f"{count} of type {kind}" for kind, count in kinds.items())
    names, counts = np.unique(rows.labels, return_counts=True)
    labels = [f"{n}: {c:,}" for n, c in zip(names, counts.tolist(), strict=True)]
    return (
        f"{file.path}: {file.n_rows:,} rows; feature columns: {columns}; labels: "
        f"{listed(labels).replace(chr(39), '')}"
    )


def _effort(model: Any) -> str:
    """Return one line about the effort of the search."""
    if not model.trace_:
        return "The search ended immediately"
    last = model.trace_[-1]
    return (
        f"Searched for {last.seconds:.1f} s: {last.subproblems:,} subproblems, "
        f"{in_units(int(last.memory))}"
    )

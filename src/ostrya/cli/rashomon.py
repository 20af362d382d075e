"""``ostrya rashomon``: count and show all trees that are almost as good as the best."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Optional

import typer

from ostrya._live import LiveLine
from ostrya._whole_file import write_whole
from ostrya.cli import INTERRUPTED
from ostrya.cli.columns import (
    Categories,
    Dropped,
    Target,
    require_writable,
    training_columns,
)
from ostrya.cli.encoding import Encoding
from ostrya.cli.fit import Place
from ostrya.cli.messages import (
    RefusalError,
    missing_column,
    refusing,
    stdout,
    warned_plainly,
    writing_to,
)
from ostrya.cli.options import PANEL, make_rashomon_set, taking_estimator_options
from ostrya.cli.report import AsJson, print_json
from ostrya.cli.speech import Loudness, Speech
from ostrya.cli.table_file import Data, MaxSize, TableFile
from ostrya.cli.validation import Rows
from ostrya.constraints import Avoids, Uses
from ostrya.estimators import RashomonSet
from ostrya.estimators.set_report import places_to_list
from ostrya.estimators.set_words import counted, objective_words, set_headline
from ostrya.estimators.tree_questions import feature_uses
from ostrya.export import export_text

SUFFIXES = (".html", ".json")
Columns = Optional[list[str]]  # noqa: UP045 (typer reads the older form)


@refusing
@taking_estimator_options(RashomonSet)
def rashomon(
    data: Data,
    target: Target,
    output: Annotated[
        Place,
        typer.Option(
            "--output",
            "-o",
            help="Output file: .html for a page to choose a tree on, .json for the "
            "listed trees as data.",
        ),
    ] = None,
    timbertrek: Annotated[
        Place,
        typer.Option(
            "--timbertrek", help="Output file for TimberTrek, a viewer of tree sets."
        ),
    ] = None,
    show: Annotated[
        int, typer.Option("--show", min=0, help="Number of trees to print.")
    ] = 1,
    max_trees: Annotated[
        int,
        typer.Option(
            "--max-trees",
            min=1,
            help="Most trees to list in output files and with --json: the best ones of "
            "each number of leaves.",
        ),
    ] = 1000,
    use: Annotated[
        Columns,
        typer.Option(
            "--use",
            metavar="COLUMN",
            help="Also print the best tree that uses this column. The option can be "
            "repeated.",
        ),
    ] = None,
    avoid: Annotated[
        Columns,
        typer.Option(
            "--avoid",
            metavar="COLUMN",
            help="Also print the best tree that does not use this column. The option "
            "can be repeated and combined with --use.",
        ),
    ] = None,
    epsilon: Annotated[
        float,
        typer.Option(
            "--epsilon",
            metavar="NUMBER",
            rich_help_panel=PANEL,
            help="Count trees with an objective of at most 1 + this times the lowest.",
        ),
    ] = 0.05,
    max_objective: Annotated[
        Optional[float],  # noqa: UP045
        typer.Option(
            "--max-objective",
            metavar="NUMBER",
            rich_help_panel=PANEL,
            help="Count trees with an objective of at most this, instead of --epsilon.",
        ),
    ] = None,
    trivial_splits: Annotated[
        bool,
        typer.Option(
            "--trivial-splits/--no-trivial-splits",
            rich_help_panel=PANEL,
            help="Count trees in which both leaves of a split predict the same label.",
        ),
    ] = True,
    drop: Dropped = None,
    category: Categories = None,
    as_json: AsJson = False,
    loudness: Loudness = None,
    max_size: MaxSize = None,
    encoding: Encoding = None,
    **parameters: Any,
) -> None:
    """Count and show all trees that are almost as good as the best one.

    The count is exact. A limit, or Ctrl-C, leaves all trees up to a lower objective,
    which is printed. Exit codes: 0 if trees were counted, 2 for invalid input, 130 for
    Ctrl-C before any tree was counted.
    """
    speech = Speech(loudness)
    if speech.is_quiet and output is None and timbertrek is None and not as_json:
        raise RefusalError(
            "--quiet requires -o with a file, --timbertrek or --json; otherwise there "
            "is no output"
        )
    _require_page_or_data(output)
    require_writable(timbertrek)
    file = TableFile(data, max_size, encoding)
    features, labels = training_columns(file, target, drop or (), category or ())
    rows = Rows(features, labels.to_numpy())
    for name in (*(use or ()), *(avoid or ())):
        if name not in features.column_names:
            raise missing_column(name, features.column_names, data)
    n_classes = len(set(rows.labels.tolist()))
    if timbertrek is not None and n_classes != 2:
        raise RefusalError(
            f"--timbertrek is for tables with two labels; {data} has {n_classes}. "
            "Omit it"
        )
    trees = make_rashomon_set(
        parameters,
        rows.labels.tolist(),
        epsilon=epsilon,
        max_objective=max_objective,
        trivial_splits=trivial_splits,
    )
    with LiveLine(speech.live_console()) as line, warned_plainly():
        trees.fit(rows.table, rows.labels, on_progress=speech.logged(line))
    if trees.status_ == "interrupted" and not trees.n_trees_:
        raise typer.Exit(INTERRUPTED)
    match = None
    if trees.n_trees_ and (use or avoid):
        wanted = (Uses(*(use or ())), Avoids(*(avoid or ())))
        match = trees.first(*wanted, time_limit=trees.time_limit)
    if as_json:
        print_json(_numbers(trees, match, max_trees))
    elif not speech.is_quiet:
        stdout().print("\n".join(_told(trees, match, show)), markup=False)
    _write(trees, output, timbertrek, max_trees, speech)


def _require_page_or_data(output: Path | None) -> None:
    if output is not None and output.suffix.lower() not in SUFFIXES:
        raise RefusalError(f"{output}: the suffix must be one of {', '.join(SUFFIXES)}")
    require_writable(output)


def _write(
    trees: RashomonSet,
    output: Path | None,
    timbertrek: Path | None,
    max_trees: int,
    speech: Speech,
) -> None:
    if not trees.n_trees_ and (output or timbertrek):
        raise RefusalError(
            "there are no trees to write. Increase --epsilon, --max-objective or the "
            "limit that stopped the count"
        )
    if output is not None:
        with writing_to(output):
            if output.suffix.lower() == ".html":
                trees.report(output, max_trees=max_trees)
            else:
                content = json.dumps(_numbers(trees, None, max_trees), allow_nan=False)
                write_whole(output, content.encode())
        speech.say(f"Wrote {output}")
    if timbertrek is not None:
        with writing_to(timbertrek):
            trees.to_timbertrek(timbertrek, max_trees=max_trees)
        speech.say(f"Wrote {timbertrek}")


def _told(trees: RashomonSet, match: Any, n_shown: int) -> list[str]:
    """Return the lines that describe a set."""
    lines = [set_headline(trees)]
    if trees.n_trees_:
        lines += ["", *_size_table(trees), "", *_feature_table(trees)]
    for place in range(min(n_shown, trees.n_trees_)):
        lines += ["", _title(trees, place, "Tree"), export_text(trees[place])]
    if match is not None:
        lines += ["", *_match_lines(trees, match)]
    return lines


def _title(trees: RashomonSet, place: int, name: str) -> str:
    objective = objective_words(trees.objective(place))
    return f"{name} {place + 1:,} of {trees.n_trees_:,}, objective {objective}:"


def _match_lines(trees: RashomonSet, match: Any) -> list[str]:
    if match.tree is not None:
        title = _title(trees, match.index, "The best tree with these columns is tree")
        return [title, export_text(match.tree)]
    bound = objective_words(match.lower_bound)
    if match.status != "none":
        return [
            f"Stopped after {counted(match.n_examined, 'tree')}: a tree with and "
            f"without these columns has an objective of at least {bound}."
        ]
    return [
        f"None of the {counted(trees.n_trees_, 'tree')} uses and avoids the columns of "
        f"--use and --avoid: such a tree has an objective above {bound}. Increase "
        "--epsilon to find one."
    ]


def _size_table(trees: RashomonSet) -> list[str]:
    counts = trees.leaf_counts()
    width = max(len(f"{n:,}") for n in counts.values())
    return [
        f"leaves  {'trees':>{max(width, 5)}}",
        *(f"{size:>6}  {n:>{max(width, 5)},}" for size, n in counts.items()),
    ]


def _feature_table(trees: RashomonSet) -> list[str]:
    """Return a line for each feature that trees use, most frequent first."""
    uses = sorted(_features(trees), key=lambda use: -use["n_trees"])
    lines = ["used by  best objective without  feature"]
    for use in uses:
        if use["n_trees"]:
            best = use["best_without"]
            told = "-" if best is None else objective_words(best)
            lines.append(f"{use['share']:>7.1%}  {told:>22}  {use['name']}")
    return lines


def _features(trees: RashomonSet) -> list[dict[str, Any]]:
    return [
        {
            "name": feature.name,
            "n_trees": use.n_trees,
            "share": use.n_trees / max(trees.n_trees_, 1),
            "best_without": use.best_without,
        }
        for feature, use in zip(
            trees.encoder_.features, feature_uses(trees), strict=True
        )
    ]


def _numbers(trees: RashomonSet, match: Any, max_trees: int) -> dict[str, Any]:
    """Return the set as JSON data."""
    counts = trees.objective_counts()
    places = places_to_list(counts, max_trees) if counts else []
    found = None
    if match is not None:
        found = {
            "status": match.status,
            "place": match.index,
            "objective": match.objective,
            "lower_bound": match.lower_bound,
        }
    return {
        "n_trees": trees.n_trees_,
        "status": trees.status_,
        "objective": trees.objective_,
        "max_objective": trees.max_objective_,
        "complete_to": trees.complete_to_,
        "leaf_penalty": trees.leaf_penalty_,
        "classes": trees.classes_.tolist(),
        "leaves": {str(size): n for size, n in trees.leaf_counts().items()},
        "features": _features(trees),
        "match": found,
        "trees": [
            {
                "place": place,
                "objective": trees.objective(place),
                "tree": trees[place].to_dict(),
            }
            for place in places
        ],
    }

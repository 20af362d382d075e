"""The options of ``ostrya fit``: those of the estimator, made from its table."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import replace
from enum import Enum
from typing import Annotated, Any, Optional

import typer

from ostrya._solve.options import OPTIONS, Option
from ostrya.cli.messages import RefusalError, listed, shown
from ostrya.cli.sizes import bytes_of
from ostrya.estimators import (
    OptimalTreeClassifier,
    OptimalTreeClassifierCV,
    TopKTreeClassifier,
)
from ostrya.estimators.objectives import MEASURES, OBJECTIVES

NAMES = (*OBJECTIVES, *MEASURES)
Objective = Enum("Objective", {name: name for name in NAMES})  # type: ignore[misc]
PANEL = "What to look for, and how long"


def _k(text: Any) -> Any:
    """Return what --top-k was given; its range is checked at the door of `fit`."""
    if not isinstance(text, str):
        return text
    try:
        if "," in text:
            return [_width(part.strip()) for part in text.split(",")]
        return text if text == "auto" else _width(text.strip())
    except ValueError:
        raise typer.BadParameter(
            f"{text!r} is no number of splits such as 8, no share such as 0.1, no list "
            "such as 8,4,2, nor all or auto"
        ) from None


def _width(text: str) -> Any:
    if text == "all":
        return text
    return int(text) if text.isdecimal() else float(text)


#: Options that are not called as their parameters are.
FLAGS = {"cost_matrix": "--cost", "n_jobs": "--jobs"}


def _flag(name: str) -> str:
    return FLAGS.get(name, f"--{name.replace('_', '-')}")


def _own_defaults() -> str:
    """Return the defaults in which searches of the k best splits differ."""
    theirs = inspect.signature(OptimalTreeClassifier).parameters
    own = {
        _flag(name): parameter.default
        for name, parameter in inspect.signature(TopKTreeClassifier).parameters.items()
        if name in theirs and theirs[name].default != parameter.default
    }
    told = " and ".join(f"{flag} {default}" for flag, default in own.items())
    return f"Here the default is {told}." if own else ""


TopK = Annotated[
    Optional[Any],  # noqa: UP045 (typer reads the older form on every Python)
    typer.Option(
        "--top-k",
        parser=_k,
        metavar="K",
        rich_help_panel=PANEL,
        help="Search only trees whose every split is among the K best of its node: 8, "
        "a share such as 0.1, K by depth such as 8,4,2, or auto. Much faster. "
        f"{_own_defaults()}",
    ),
]

# Options whose values are no single numbers.
WORDED: dict[str, tuple[Any, str, dict[str, Any]]] = {
    "objective": (Objective, "what the tree shall maximise", {}),
    "omega": (float, "cost of an overlooked positive under weighted_accuracy", {}),
    "beta": (float, "what recall weighs beside precision under f_beta", {}),
    "max_fpr": (float, "false positive rate at which partial_auc ends", {}),
    "engine": (str, "columns or leaf_sets; by default the faster that serves", {}),
    "class_weight": (
        list[str],
        '"balanced", or the weight of a label; may be given again',
        {"metavar": "LABEL=WEIGHT"},
    ),
    "cost_matrix": (
        list[str],
        "cost of predicting a wrong label, 1 for pairs not named; may be given again",
        {"metavar": "TRUE:PREDICTED=COST"},
    ),
    "smoothing": (
        float,
        "pseudo-rows added to each class of a leaf for probabilities; 1 is Laplace's",
        {},
    ),
    "guess": (
        str,
        "what a boosted ensemble may guess, for faster searches: some of thresholds, "
        "depth and bounds joined by +; without a value, or auto, all three",
        {"metavar": "[PARTS]"},
    ),
    "n_jobs": (
        int,
        "threads, or with --cv folds at a time; -1: as many as processors",
        {"metavar": "INTEGER"},
    ),
    "checkpoint": (
        str,
        "file in which the search keeps what it has proved, every minute and when it "
        "ends; where there is one, it goes on from there",
        {"metavar": "FILE"},
    ),
}


def estimator_parameters(estimator: type) -> list[inspect.Parameter]:
    """Return an estimator's parameters as typer reads them from a signature."""
    given = inspect.signature(estimator).parameters
    made = []
    for name, parameter in given.items():
        if name in OPTIONS:
            annotation: Any = _number_option(_narrowed(OPTIONS[name], estimator))
            default = parameter.default
        elif name in WORDED:
            kind, words, extra = WORDED[name]
            annotation = Annotated[
                Optional[kind],  # noqa: UP045
                typer.Option(
                    _flag(name), help=_sentence(words), rich_help_panel=PANEL, **extra
                ),
            ]
            default = parameter.default
            if kind is Objective:
                default = Objective(parameter.default)
        else:
            continue
        made.append(
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=default,
                annotation=annotation,
            )
        )
    return made


def taking_estimator_options(
    estimator: type,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Spell out the ``**parameters`` of a command for typer: those of an estimator."""

    def spelled_out(command: Callable[..., Any]) -> Callable[..., Any]:
        own = [
            parameter
            for parameter in inspect.signature(
                command, eval_str=True
            ).parameters.values()
            if parameter.kind is not inspect.Parameter.VAR_KEYWORD
        ]
        parameters = [*own, *estimator_parameters(estimator)]
        signature = inspect.Signature(parameters)
        command.__signature__ = signature  # type: ignore[attr-defined]
        command.__annotations__ = {p.name: p.annotation for p in parameters}
        return command

    return spelled_out


def make_estimator(
    parameters: dict[str, Any],
    given: set[str],
    k: Any,
    labels: Iterable[Any],
    on_progress: Any,
) -> OptimalTreeClassifier | TopKTreeClassifier:
    """Return the estimator that the options ask for.

    Parameters
    ----------
    parameters : dict
        Options as typer read them.
    given : set of str
        Those of them that are no mere defaults.
    k : object
        Of a search of the k best splits; None for the search of all.
    labels : iterable
        The distinct labels.
    on_progress : callable
        Watches the search.
    """
    parameters = _in_values(parameters, labels)
    if k is None:
        return OptimalTreeClassifier(**parameters, on_progress=on_progress)
    known = inspect.signature(TopKTreeClassifier).parameters
    for name in parameters:
        if name in given and name not in known:
            raise RefusalError(
                f"{_flag(name)} is for the search of all trees; leave out --top-k or "
                f"{_flag(name)}"
            )
    # What was not given is for the classifier to choose: its defaults are its own.
    wanted = {name: value for name, value in parameters.items() if name in given}
    return TopKTreeClassifier(k=k, **wanted, on_progress=on_progress)


def chooses_leaves(given: set[str], objective: Any, k: Any) -> bool:
    """Say whether cross-validation is to choose the leaves, or to score what is given.

    What only other searches know says which tree is wanted.
    """
    known = inspect.signature(OptimalTreeClassifierCV).parameters
    weighs_rows = not isinstance(objective, Enum) or objective.value in OBJECTIVES
    return k is None and weighs_rows and all(name in known for name in given)


def make_chooser(
    parameters: dict[str, Any],
    given: set[str],
    labels: Iterable[Any],
    on_progress: Any,
    **more: Any,
) -> OptimalTreeClassifierCV:
    """Return the estimator that chooses the leaves by cross-validation."""
    values = _in_values(parameters, labels)
    # What was not given is for the classifier to choose: its defaults are its own.
    wanted = {name: value for name, value in values.items() if name in given}
    return OptimalTreeClassifierCV(**wanted, **more, on_progress=on_progress)


def _in_values(parameters: dict[str, Any], labels: Iterable[Any]) -> dict[str, Any]:
    """Return the options as an estimator takes them."""
    by_text = {str(label): label for label in sorted(set(labels))}
    values = dict(parameters)
    if isinstance(values.get("objective"), Enum):
        values["objective"] = values["objective"].value
    values["class_weight"] = _class_weight(values["class_weight"], by_text)
    values["cost_matrix"] = _cost_matrix(values["cost_matrix"], by_text)
    return values


def _narrowed(option: Option, estimator: type) -> Option:
    """Return the option as an estimator knows it: not all of them know "auto"."""
    default = inspect.signature(estimator).parameters[option.name].default
    knows_auto = estimator is OptimalTreeClassifier or default == "auto"
    return option if knows_auto else replace(option, auto_means=None)


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _number_option(option: Option) -> Any:
    def number(text: Any) -> float | int | str | None:
        return _number(option, text)

    words = _sentence(option.help)
    if option.auto_means is not None:
        words += f" auto: {option.auto_means}."
    if option.none_means is not None:
        words += f" none: {option.none_means}."
    return Annotated[
        Optional[option.kind],  # noqa: UP045
        typer.Option(
            _flag(option.name),
            help=words,
            parser=number,
            metavar="NUMBER" if option.kind is float else "INTEGER",
            rich_help_panel=PANEL,
            show_default=True,
        ),
    ]


def _number(option: Option, text: Any) -> float | int | str | None:
    """Return what an option was given; its range is checked at the door of `fit`."""
    if not isinstance(text, str):
        return text  # type: ignore[no-any-return]
    plain = text.strip().lower()
    if plain == "none" and option.none_means is not None:
        return None
    if plain == "auto" and option.auto_means is not None:
        return plain
    try:
        if option.name == "memory_limit":
            return bytes_of(plain)
        return option.kind(plain)
    except (ValueError, OverflowError):
        raise typer.BadParameter(f"{text!r} is not {option.allowed}") from None


def _class_weight(entries: list[str] | None, by_text: dict[str, Any]) -> Any:
    if not entries:
        return None
    if entries == ["balanced"]:
        return "balanced"
    weights = {}
    for entry in entries:
        label, weight = _weighed("--class-weight", "LABEL=WEIGHT", entry)
        if label not in by_text:
            raise RefusalError(
                f"--class-weight {shown(entry)} names {shown(label)}, which is no "
                f"label; labels are {listed(by_text)}"
            )
        weights[by_text[label]] = weight
    return weights


def _cost_matrix(entries: list[str] | None, by_text: dict[str, Any]) -> Any:
    if not entries:
        return None
    names = list(by_text)
    costs = [[float(true != predicted) for predicted in names] for true in names]
    for entry in entries:
        pair, cost = _weighed("--cost", "TRUE:PREDICTED=COST", entry)
        cells = [
            (i, j)
            for i, true in enumerate(names)
            for j, predicted in enumerate(names)
            if pair == f"{true}:{predicted}"
        ]
        if not cells:
            raise RefusalError(
                f"--cost {shown(entry)} names no two labels; labels are {listed(names)}"
            )
        costs[cells[0][0]][cells[0][1]] = cost
    return costs


def _weighed(flag: str, form: str, entry: str) -> tuple[str, float]:
    name, _, number = entry.rpartition("=")
    try:
        return name, float(number)
    except ValueError:
        raise RefusalError(f"{flag} {shown(entry)} must read {form}") from None

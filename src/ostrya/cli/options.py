"""The options of ``ostrya fit``, derived from the parameters of the estimators."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Annotated, Any, Optional

import typer

from ostrya._solve.objective_weights import MEASURES, SUMS, is_sum
from ostrya._solve.options import OPTIONS, Option
from ostrya.cli.flags import flag
from ostrya.cli.messages import RefusalError, listed, shown
from ostrya.cli.sizes import bytes_of
from ostrya.estimators import (
    OptimalTreeClassifier,
    OptimalTreeClassifierCV,
    RashomonSet,
    TopKTreeClassifier,
)
from ostrya.objectives import FBeta, Objective, PartialAUC, WeightedAccuracy

#: Objectives that the command line writes as NAME:NUMBER.
WITH_NUMBER: dict[str, type[Objective]] = {
    kind.name: kind for kind in (FBeta, PartialAUC, WeightedAccuracy)
}
_FORMS = (
    "accuracy, balanced_accuracy, f1, auc, f_beta:BETA, partial_auc:MAX_FPR, "
    "weighted_accuracy:OMEGA"
)
PANEL = "Objective, limits and search"


def _objective(text: str) -> Any:
    """Return the objective of --objective, such as ``f_beta:2``."""
    name, colon, number = text.strip().partition(":")
    refusal = f"--objective must be one of {_FORMS}; got {text!r}"
    if name in WITH_NUMBER:
        kind = WITH_NUMBER[name]
        if not colon:
            raise RefusalError(f"{refusal}. Add a number, such as {name}:0.5")
        try:
            value = float(number)
        except ValueError:
            raise RefusalError(refusal) from None
        try:
            return kind(value)  # type: ignore[call-arg]
        except ValueError as error:
            raise RefusalError(f"--objective {text}: {error}") from None
    if colon or name not in (*SUMS, *MEASURES):
        raise RefusalError(refusal)
    return name


def _k(text: Any) -> Any:
    """Parse the value of --top-k; `fit` checks its range."""
    if not isinstance(text, str):
        return text
    try:
        if "," in text:
            return [_width(part.strip()) for part in text.split(",")]
        return text if text == "auto" else _width(text.strip())
    except ValueError:
        raise typer.BadParameter(
            "must be a number of splits such as 8, a share such as 0.1, a list such as "
            f"8,4,2, all or auto; got {shown(text)}."
        ) from None


def _width(text: str) -> Any:
    if text == "all":
        return text
    return int(text) if text.isdecimal() else float(text)


def _own_defaults() -> str:
    """Return a sentence with the defaults of Top-k searches that differ."""
    theirs = inspect.signature(OptimalTreeClassifier).parameters
    own = {
        flag(name): parameter.default
        for name, parameter in inspect.signature(TopKTreeClassifier).parameters.items()
        if name in theirs and theirs[name].default != parameter.default
    }
    told = " and ".join(f"{name} {default}" for name, default in own.items())
    return f"With this option, the default is {told}." if own else ""


TopK = Annotated[
    Optional[Any],  # noqa: UP045 (typer reads the older form on every Python)
    typer.Option(
        "--top-k",
        parser=_k,
        metavar="K",
        rich_help_panel=PANEL,
        help="Search only trees in which every split is among the K best of its node, "
        "which is much faster. K is a number such as 8, a share such as 0.1, a number "
        "per depth such as 8,4,2, or auto. "
        f"{_own_defaults()}",
    ),
]

CheckpointFile = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--checkpoint",
        metavar="FILE",
        rich_help_panel=PANEL,
        help="File in which the search saves what it has proved, every minute and when "
        "it ends. If the file exists, the search resumes from it.",
    ),
]

# Options with a help text of their own, most of them not single numbers.
WORDED: dict[str, tuple[Any, str, dict[str, Any]]] = {
    "objective": (
        str,
        f"what to optimise: {_FORMS}. BETA above 1 favours recall; MAX_FPR is the "
        "largest false positive rate that counts; OMEGA is the cost of a false "
        "negative if a false positive costs 1",
        {"metavar": "NAME[:NUMBER]"},
    ),
    "class_weight": (
        list[str],
        '"balanced", or the weight of a label. The option can be repeated',
        {"metavar": "LABEL=WEIGHT"},
    ),
    "cost_matrix": (
        list[str],
        "cost of predicting a wrong label; 1 for all other pairs of labels. The option "
        "can be repeated",
        {"metavar": "TRUE:PREDICTED=COST"},
    ),
    "smoothing": (
        float,
        "pseudo-rows added to each class of a leaf for probabilities; 1 is Laplace "
        "smoothing",
        {},
    ),
    "guess": (
        str,
        "restrict the search with a reference model to make it faster: thresholds, "
        "depth, bounds, or several of them joined by +. auto, or no value: all three",
        {"metavar": "[PARTS]"},
    ),
    "n_jobs": (
        int,
        "number of threads, without effect if --max-depth is auto; with --cv, number "
        "of folds that run at the same time. -1: all processors",
        {"metavar": "INTEGER"},
    ),
}


def estimator_parameters(estimator: type) -> list[inspect.Parameter]:
    """Return an estimator's parameters in the form that typer reads."""
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
                    flag(name), help=_sentence(words), rich_help_panel=PANEL, **extra
                ),
            ]
            default = parameter.default
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
    """Replace ``**parameters`` of a command by the parameters of an estimator."""

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
) -> OptimalTreeClassifier | TopKTreeClassifier:
    """Return the estimator for the options.

    Parameters
    ----------
    parameters : dict
        The options as parsed by typer.
    given : set of str
        The options that were set explicitly.
    k : object
        The value of --top-k; None for the search over all splits.
    labels : iterable
        The distinct labels.
    """
    parameters = _in_values(parameters, labels)
    if k is None:
        return OptimalTreeClassifier(**parameters)
    known = inspect.signature(TopKTreeClassifier).parameters
    for name in parameters:
        if name in given and name not in known:
            raise RefusalError(
                f"{flag(name)} cannot be combined with --top-k. Omit one of them"
            )
    # All other parameters keep the defaults of this classifier, which differ.
    wanted = {name: value for name, value in parameters.items() if name in given}
    return TopKTreeClassifier(k=k, **wanted)


def chooses_leaves(given: set[str], objective: Any, k: Any) -> bool:
    """Return True if cross-validation chooses the leaves instead of scoring a tree.

    An option that OptimalTreeClassifierCV does not have already determines the tree.
    """
    known = inspect.signature(OptimalTreeClassifierCV).parameters
    return (
        k is None
        and is_sum(_objective(objective))
        and all(name in known for name in given)
    )


def make_chooser(
    parameters: dict[str, Any],
    given: set[str],
    labels: Iterable[Any],
    **more: Any,
) -> OptimalTreeClassifierCV:
    """Return the estimator that chooses the leaves by cross-validation."""
    values = _in_values(parameters, labels)
    # All other parameters keep the defaults of this classifier, which differ.
    wanted = {name: value for name, value in values.items() if name in given}
    return OptimalTreeClassifierCV(**wanted, **more)


def make_rashomon_set(
    parameters: dict[str, Any], labels: Iterable[Any], **more: Any
) -> RashomonSet:
    """Return the set of good trees for the options."""
    return RashomonSet(**_in_values(parameters, labels), **more)


def _in_values(parameters: dict[str, Any], labels: Iterable[Any]) -> dict[str, Any]:
    """Return the options as parameters of an estimator."""
    by_text = {str(label): label for label in sorted(set(labels))}
    values = dict(parameters)
    if "objective" in values:
        values["objective"] = _objective(values["objective"])
    values["class_weight"] = _class_weight(values["class_weight"], by_text)
    values["cost_matrix"] = _cost_matrix(values["cost_matrix"], by_text)
    return values


def _narrowed(option: Option, estimator: type) -> Option:
    """Return an option as an estimator supports it; not all support "auto"."""
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
            flag(option.name),
            help=words,
            parser=number,
            metavar="NUMBER" if option.kind is float else "INTEGER",
            rich_help_panel=PANEL,
            show_default=True,
        ),
    ]


def _number(option: Option, text: Any) -> float | int | str | None:
    """Parse the value of an option; `fit` checks its range."""
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
        raise typer.BadParameter(
            f"must be {option.allowed}; got {shown(text)}."
        ) from None


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
                f"--class-weight must name one of the labels {listed(by_text)}; got "
                f"{shown(label)}"
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
                "--cost must be TRUE:PREDICTED=COST with two of the labels "
                f"{listed(names)}; got {shown(entry)}"
            )
        costs[cells[0][0]][cells[0][1]] = cost
    return costs


def _weighed(option: str, form: str, entry: str) -> tuple[str, float]:
    name, _, number = entry.rpartition("=")
    try:
        return name, float(number)
    except ValueError:
        raise RefusalError(f"{option} must be {form}; got {shown(entry)}") from None

"""A case: one fold of a data set with one reference, one penalty and one method."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from benchmarks.guesses.paper import DATA_SETS, REFERENCES, DataSet

FOLDS = 5
DEPTH = 5
#: Thresholds and bounds guessed; the same as published, without a complete search first
#: and without polishing, which only Ostrya has; thresholds alone; nothing.
METHODS = ("th+lb", "published", "th", "plain")


@dataclass(frozen=True)
class Case:
    """What is solved: the training rows of a fold, at depth 5.

    Parameters
    ----------
    data : str
        File of the data set.
    penalty : float
        Cost of a leaf.
    reference : tuple of int or None
        Trees of the reference and their depth; None without guesses.
    method : str
        One of `METHODS`.
    fold : int
        The fold left out, from 0.
    """

    data: str
    penalty: float
    reference: tuple[int, int] | None
    method: str
    fold: int

    @property
    def name(self) -> str:
        """The words that identify the case."""
        model = "" if self.reference is None else " {}x{}".format(*self.reference)
        return f"{self.data}{model} {self.method}, {self.penalty:g}, fold {self.fold}"


@dataclass(frozen=True)
class CaseTask:
    """One contender at one case, sent to a child process."""

    problem: Case
    contender: str
    time_limit: float

    def to_json(self) -> str:
        """Return the task as one line."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, line: str) -> CaseTask:
        """Return the task that `to_json` wrote."""
        fields = json.loads(line)
        case = fields.pop("problem")
        if case["reference"] is not None:
            case["reference"] = tuple(case["reference"])
        return cls(Case(**case), **fields)


def cases_of(
    data_set: DataSet, methods: tuple[str, ...], folds: int, *, all_penalties: bool
) -> Iterator[Case]:
    """Yield the cases of a data set, easy references first."""
    penalties = data_set.table3 if all_penalties else (data_set.penalty,)
    for penalty in penalties:
        for method in methods:
            references = (None,) if method == "plain" else REFERENCES
            for reference in references:
                for fold in range(folds):
                    yield Case(data_set.file, penalty, reference, method, fold)


def find_data_set(name: str) -> DataSet:
    """Return the data set of a file."""
    return next(data_set for data_set in DATA_SETS if data_set.file == name)

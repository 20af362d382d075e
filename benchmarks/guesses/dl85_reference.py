"""DL8.5 with guessed lower bounds: Algorithm 1 of the guesses paper, in Python.

The authors' modified DL8.5 is in no package, so this is the smallest faithful form.
Sets of rows are Python integers, used as bit sets. It is far slower than compiled code:
compare its trees, not its seconds.

Aglin, Nijssen and Schaus 2020 (AAAI), with line 29 of McTavish et al. 2022, appendix G.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np


class Tree(NamedTuple):
    """A tree: a label if there is no feature, else what follows each answer."""

    feature: int | None
    label: int
    yes: Tree | None = None
    no: Tree | None = None

    @property
    def n_leaves(self) -> int:
        """The number of leaves."""
        if self.yes is None or self.no is None:
            return 1
        return self.yes.n_leaves + self.no.n_leaves

    def predict(self, answers: np.ndarray) -> np.ndarray:
        """Return the label of each row of yes/no answers."""
        if self.yes is None or self.no is None:
            return np.full(len(answers), self.label)
        yes, no = self.yes.predict(answers), self.no.predict(answers)
        return np.where(answers[:, self.feature], yes, no)


class Found(NamedTuple):
    """What a call returns and the cache keeps; no tree if none is within the bound."""

    bound: float
    tree: Tree | None
    error: float


@dataclass(frozen=True)
class Result:
    """The tree, its errors, and how it was found."""

    tree: Tree
    errors: int
    nodes: int
    seconds: float
    is_complete: bool


class Dl85:
    """The recursion over item sets.

    Parameters
    ----------
    answers : array of bool, shape (n_samples, n_features)
    y : array of int
        Two or more class codes.
    max_depth, min_support : int
        Limits of the tree.
    reference : array of int, default=None
        Labels of the reference model, whose errors are the guessed lower bounds. None:
        the bound of DL8.5, which is 0.
    time_limit : float
        Seconds after which leaves are made at once.
    """

    def __init__(
        self,
        answers: np.ndarray,
        y: np.ndarray,
        max_depth: int,
        min_support: int = 1,
        reference: np.ndarray | None = None,
        time_limit: float = math.inf,
    ) -> None:
        self.n_samples = len(y)
        self.columns = [_bits(column) for column in answers.T.astype(bool)]
        self.classes = [_bits(y == label) for label in range(int(y.max()) + 1)]
        self.wrong = 0 if reference is None else _bits(reference != y)
        self.max_depth, self.min_support = max_depth, min_support
        self.time_limit = time_limit
        self.nodes = 0
        self.cache: dict[tuple[int, int], Found] = {}

    def solve(self) -> Result:
        """Return the best tree, or that of the guess."""
        self.started = time.perf_counter()
        self.is_late = False
        found = self.recurse((1 << self.n_samples) - 1, 0, math.inf)
        assert found.tree is not None
        return Result(
            found.tree,
            int(found.error),
            self.nodes,
            time.perf_counter() - self.started,
            not self.is_late,
        )

    def leaf(self, rows: int) -> tuple[int, int]:
        """Return the majority label of some rows, and how many have another."""
        counts = [(rows & each).bit_count() for each in self.classes]
        label = max(range(len(counts)), key=counts.__getitem__)
        return label, rows.bit_count() - counts[label]

    def recurse(self, rows: int, depth: int, bound: float) -> Found:
        """Return the best tree of some rows with at most `bound` errors.

        Rows stand for item sets: sets that cover the same rows share their answers.
        """
        self.nodes += 1
        label, errors = self.leaf(rows)
        if time.perf_counter() - self.started > self.time_limit:
            self.is_late = True
        if errors == 0 or depth == self.max_depth or self.is_late:
            # As printed, a leaf above the bound is returned; the caller rejects it.
            return Found(bound, Tree(None, label), errors)
        key = rows, depth
        known = self.cache.get(key)
        if known and (known.tree is not None or bound <= known.bound):
            return known
        # Printed as "no tree", although a leaf is one: it is kept if it is good enough.
        best, error, left = None, math.inf, bound
        if errors <= left:
            best, error, left = Tree(None, label), errors, errors - 1
        guess = (rows & self.wrong).bit_count()
        if error > guess:
            for feature, column in enumerate(self.columns):
                yes = rows & column
                no = rows ^ yes
                if min(yes.bit_count(), no.bit_count()) < self.min_support:
                    continue
                first = self.recurse(no, depth + 1, left)
                if first.tree is None or first.error > left:
                    continue
                second = self.recurse(yes, depth + 1, left - first.error)
                if second.tree is None or first.error + second.error > left:
                    continue
                error = first.error + second.error
                best = Tree(feature, label, second.tree, first.tree)
                left = error - 1
                if error <= guess:
                    break
        found = Found(bound, best, error)
        if not self.is_late:
            self.cache[key] = found
        return found


def _bits(rows: np.ndarray) -> int:
    """Return truth values as the bits of one integer."""
    packed = np.packbits(np.asarray(rows, dtype=bool), bitorder="little")
    return int.from_bytes(packed.tobytes(), "little")

"""Certificates: the problem file, and the proof that no tree is better.

docs/reference/certificates.md defines both.
"""

from __future__ import annotations

import hashlib
import warnings
import zlib
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

import ostrya._core as _core
from ostrya._coded_matrix import CodedMatrix
from ostrya._ctrl_c import CtrlC
from ostrya._solve.grid import Grid
from ostrya._solve.limits import Limits
from ostrya._solve.training_data import TrainingData, engine_rows
from ostrya._tree_shape import TreeShape
from ostrya.exceptions import OptimalityWarning
from ostrya.results.certificate import Certificate
from ostrya.tree import Tree

PROBLEM_HEAD = b"ostrya problem 1\n"
PROOF_HEAD = b"ostrya proof 1\n"
#: Claims that would take more bytes are given up.
MOST_BYTES = 2**31


def to_varints(numbers: Iterable[int] | npt.NDArray[np.int64]) -> bytes:
    """Return numbers of at least 0 as LEB128.

    Examples
    --------
    >>> to_varints([1, 300]).hex()
    '01ac02'
    """
    values = np.asarray(
        numbers if isinstance(numbers, np.ndarray) else list(numbers), dtype=np.uint64
    ).ravel()
    if values.size == 0:
        return b""
    shifts = np.arange(0, 70, 7, dtype=np.uint64)[:10]
    n_bytes = np.ones(values.size, dtype=np.int64)
    for shift in shifts[1:]:
        n_bytes += (values >> shift) > 0
    width = int(n_bytes.max())
    digits = (values[:, None] >> shifts[:width]) & np.uint64(127)
    place = np.arange(width)
    digits |= np.where(place < n_bytes[:, None] - 1, np.uint64(128), np.uint64(0))
    used: npt.NDArray[np.uint8] = digits[place < n_bytes[:, None]].astype(np.uint8)
    return used.tobytes()


class CertifiedProblem:
    """Training data as row groups with ranks, and the problem file about them."""

    def __init__(
        self,
        data: TrainingData,
        grid: Grid,
        limits: Limits,
        remaining: Limits | None = None,
    ) -> None:
        """Prepare trees within `limits`; a proof has what is `remaining` of them."""
        self.data, self.grid = data, grid
        self.remaining = remaining or limits
        X = data.X
        if isinstance(X, CodedMatrix):
            X = X.columns(np.arange(X.shape[1], dtype=np.int32), slice(None))
        columns = [np.unique(column, return_inverse=True) for column in X.T]
        self.values = [values for values, _ in columns]
        ranks = np.column_stack(
            [ranks.reshape(-1) for _, ranks in columns]
            or [np.zeros((data.n_samples, 0), dtype=np.int64)]
        )
        order = np.lexsort(ranks.T[::-1]) if columns else np.arange(len(ranks))
        ranks = ranks[order]
        is_first = np.r_[True, (ranks[1:] != ranks[:-1]).any(axis=1)]
        starts = np.flatnonzero(is_first)
        costs, masses = grid.costs, np.zeros((len(starts), data.n_classes), np.int64)
        group = np.cumsum(is_first) - 1
        if grid.gains is None:
            weights = np.broadcast_to(grid.weights, data.codes.shape)
            np.add.at(masses, (group, data.codes[order]), weights[order])
        else:
            # A leaf loses what all labels but its own would save.
            costs = 1 - np.eye(data.n_classes, dtype=np.int64)
            np.add.at(masses, group, grid.gains[order])
        rows = np.diff(np.append(starts, len(ranks)))
        depth, leaves = limits.max_depth, limits.max_leaf_nodes
        head = [len(starts), len(columns), data.n_classes, grid.scale, grid.penalty]
        head += [0 if depth is None else depth + 1, leaves or 0]
        head += [limits.min_samples_leaf]
        n_ranks = [len(values) for values in self.values]
        groups = np.column_stack([ranks[starts], rows, masses])
        self.file = PROBLEM_HEAD + to_varints(head) + to_varints(costs)
        self.file += to_varints(n_ranks) + to_varints(groups)
        self.digest = hashlib.sha256(self.file).digest()

    def tree_numbers(self, tree: Tree) -> list[int]:
        """Return a tree in preorder and its cost, as proofs contain them."""
        out: list[int] = []
        todo = [0]
        while todo:
            at = todo.pop()
            feature = int(tree.feature[at])
            if feature < 0:
                out += [0, int(tree.label[at])]
                continue
            values = self.values[feature]
            cut = int(np.searchsorted(values, tree.threshold[at], side="right")) - 1
            out += [feature + 1, cut]
            todo += [int(tree.no[at]), int(tree.yes[at])]
        return [*out, self.cost(tree)]

    def cost(self, tree: Tree) -> int:
        """Return the cost of a tree in integers."""
        data, grid = self.data, self.grid
        leaf = TreeShape(**tree.shape).leaves_of_rows(data.X, is_checked=True)
        label = tree.label[leaf]
        if grid.gains is None:
            lost = int((grid.costs[data.codes, label] * grid.weights).sum())
        else:
            lost = int(
                grid.gains.sum() - grid.gains[np.arange(len(label)), label].sum()
            )
        return grid.scale * lost + grid.penalty * tree.n_leaves


def pack(digest: bytes, body: bytes) -> bytes:
    """Return a proof file about the problem with this digest."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    rest = digest + packer.compress(body) + packer.flush()
    return PROOF_HEAD + hashlib.sha256(rest).digest() + rest


class TooLargeError(Exception):
    """A proof that would take more than the bytes allowed, with its estimated size."""

    def __init__(self, n_bytes: int) -> None:
        super().__init__(f"the certificate would take about {n_bytes / 1e6:,.0f} MB")
        self.n_bytes = n_bytes


def certify_bound(
    problem: CertifiedProblem, tree: Tree, lower: int, work: int, ctrl_c: CtrlC
) -> Certificate | None:
    """Return the certificate of a lower bound; warn, and return None, if there is none.

    `work` is what the search counted that found the bound.
    """
    why = "a limit on time or memory, or Ctrl-C, ended the writing of it"
    try:
        proof = prove(problem, tree, lower, price_work=work, ctrl_c=ctrl_c)
    except TooLargeError as error:
        proof, why = None, f"it would take about {error.n_bytes / 1e6:,.0f} MB"
    if proof is None:
        warnings.warn(
            f"There is no certificate, because {why}. Try, in this order: a larger "
            "time_limit and memory_limit; a larger leaf_penalty; a smaller max_depth.",
            OptimalityWarning,
            stacklevel=5,
        )
        return None
    return Certificate(proof, problem.file, problem.grid.to_lower_bound(lower))


def prove(
    problem: CertifiedProblem,
    tree: Tree,
    lower: int,
    *,
    price_work: int = 0,
    most_bytes: int = MOST_BYTES,
    ctrl_c: CtrlC | None = None,
) -> bytes | None:
    """Return a proof that no tree costs less than `lower`, which must be true.

    `tree` is the best one known. Dual prices are sought with as much work as given.
    Return None if a limit on time or memory, or Ctrl-C, ended the call.
    """
    data, grid, limits = problem.data, problem.grid, problem.remaining
    if ctrl_c is not None:
        ctrl_c.keep()
    claims, size = _core.prove(
        *(engine_rows(data.X), data.codes, grid.weights, grid.costs),
        *(grid.scale, grid.penalty),
        _core.Options(
            _core.Limits(
                max_depth=limits.max_depth,
                max_leaf_nodes=limits.max_leaf_nodes,
                min_samples_leaf=limits.min_samples_leaf,
                time_limit=limits.time_limit,
                memory_limit=limits.memory_limit,
            ),
            gains=grid.gains,
        ),
        lower,
        most_bytes,
        price_work,
        None if ctrl_c is None else ctrl_c.is_pressed,
    )
    if claims is None:
        if size > 0:
            raise TooLargeError(size)
        return None
    return pack(problem.digest, to_varints(problem.tree_numbers(tree)) + claims)

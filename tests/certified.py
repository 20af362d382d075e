"""Certificates of random small problems, and both programs that check them."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import ostrya
from ostrya._solve.certificate import CertifiedProblem, pack, prove
from ostrya._solve.grid import to_grid
from ostrya._solve.limits import Limits
from ostrya._solve.row_cost_grid import to_row_cost_grid
from ostrya._solve.validation import check_data

FOLDER = Path(__file__).parents[1] / "verify"
sys.path.insert(0, str(FOLDER))

import ostrya_check  # noqa: E402

#: Work on dual prices that suffices for every small problem.
PRICE_WORK = 1 << 22


@dataclass
class Case:
    """A table, and how trees for it are searched."""

    X: np.ndarray
    y: np.ndarray
    leaf_penalty: float = 0.02
    max_depth: int | None = None
    max_leaf_nodes: int | None = None
    min_samples_leaf: int = 1
    sample_weight: np.ndarray | None = None
    cost_matrix: np.ndarray | None = None
    costs: np.ndarray | None = None  # of each row and label, in place of y


def draw(seed):
    """Return a random small problem."""
    rng = np.random.default_rng(seed)
    n, n_features = int(rng.integers(1, 25)), int(rng.integers(1, 6))
    n_classes = int(rng.choice([2, 2, 3, 4]))
    n_values = rng.choice([1, 2, 2, 3, 6, 20], n_features)
    X = np.column_stack([rng.integers(0, k, n) for k in n_values]).astype(float)
    y = rng.integers(0, n_classes, n)
    y = np.where(rng.random(n) < 0.7 * rng.random(), X[:, 0] > X[:, -1], y).astype(int)
    y[0] = n_classes - 1
    case = Case(X, y, float(rng.choice([0, 0.01, 0.02, 0.05, 0.1])))
    if rng.random() < 0.4:
        case.max_depth = int(rng.integers(0, 5))
    if rng.random() < 0.3:
        case.max_leaf_nodes = int(rng.integers(1, 6))
    if rng.random() < 0.3:
        case.min_samples_leaf = int(rng.integers(1, 5))
    if rng.random() < 0.3:
        case.sample_weight = rng.integers(0, 5, n) + (np.arange(n) == 0)
    if rng.random() < 0.2:
        case.cost_matrix = rng.integers(1, 5, (n_classes, n_classes))
        np.fill_diagonal(case.cost_matrix, rng.integers(0, 2))
    if rng.random() < 0.1:
        case.costs = rng.integers(-5, 6, (n, n_classes)).astype(float)
        case.y = case.cost_matrix = None
    return case


@dataclass
class Certified:
    """A problem file and a proof file, and what they are about."""

    outcome: ostrya.results.Outcome
    problem: CertifiedProblem
    proof: bytes
    optimum: int  # the cost of the best tree


def certify(case, *, price_work=0, lower=None):
    """Return the certificate of the optimum, or of a lower bound."""
    given = {name: value for name, value in vars(case).items() if name != "y"}
    outcome = ostrya.solve(given.pop("X"), case.y, **given)
    weights, costs = case.sample_weight, case.cost_matrix
    to_integers = to_grid if case.costs is None else to_row_cost_grid
    data = check_data(
        *(case.X, case.y, weights, None, costs, case.leaf_penalty), costs=case.costs
    )
    limits = Limits(
        max_depth=case.max_depth,
        max_leaf_nodes=case.max_leaf_nodes,
        min_samples_leaf=case.min_samples_leaf,
    )
    problem = CertifiedProblem(data, to_integers(data), limits)
    optimum = problem.cost(outcome.tree)
    bound = optimum if lower is None else lower
    proof = prove(problem, outcome.tree, bound, price_work=price_work)
    return Certified(outcome, problem, proof, optimum)


def check_in_python(problem, proof):
    """Return the cost and the lower bound that are verified, or what is refused."""
    try:
        verified = ostrya_check.check(problem, proof)
    except ostrya_check.Refused as refused:
        return str(refused)
    return verified.cost, verified.lower


def check_in_c(problem, proof, folder):
    """Return the same of the compiled checker."""
    paths = folder / "problem.bin", folder / "proof.ostrya"
    for path, content in zip(paths, (problem, proof), strict=True):
        path.write_bytes(content)
    done = subprocess.run([program(), *paths], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert done.returncode in (0, 1), (done.returncode, done.stderr)
    if done.returncode == 1:
        return lines[-1].removeprefix("REFUSED: ")
    return int(lines[0].split()[-1]), int(lines[1].split()[-1])


def program():
    """Return the compiled checker."""
    found = shutil.which("ostrya-check", path=sysconfig.get_path("scripts"))
    assert found is not None, "make build installs ostrya-check"
    return found


def body_of(proof):
    """Return the numbers of a proof."""
    return bytes(ostrya_check.open_proof(proof, proof[47:79]).bytes)


def repack(certified, body):
    """Return a proof file with another body, and checksums that agree."""
    return pack(hashlib.sha256(certified.problem.file).digest(), body)


def numbers_of(body):
    """Return the numbers of a body."""
    out, value, shift = [], 0, 0
    for byte in body:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            out.append(value)
            value = shift = 0
    return out

"""Files made to mislead a checker, crash it or use up its memory are refused."""

from __future__ import annotations

import hashlib
import subprocess
import zlib
from dataclasses import replace

import numpy as np
import pytest

import ostrya
from certified import (
    Case,
    body_of,
    certify,
    check_in_c,
    check_in_python,
    numbers_of,
    program,
    repack,
)
from ostrya._solve.certificate import PROBLEM_HEAD, PROOF_HEAD, pack, to_varints


def problem_file(groups, n_ranks, *, scale=1, penalty=1, limits=(0, 0, 0)):
    """Return a problem of two classes; groups are ranks, rows and both weights."""
    head = [len(groups), len(n_ranks), 2, scale, penalty, *limits, 0, 1, 1, 0]
    return PROBLEM_HEAD + to_varints([*head, *n_ranks, *np.ravel(groups).tolist()])


def proof_file(problem, body):
    """Return a proof about a problem, from numbers or from their bytes."""
    if not isinstance(body, bytes):
        body = to_varints(body)
    return pack(hashlib.sha256(problem).digest(), body)


def refused(problem, proof, folder):
    """Return why the reference refuses a proof, after checking that both do."""
    compiled = check_in_c(problem, proof, folder)
    assert isinstance(compiled, str), compiled
    said = check_in_python(problem, proof)
    assert isinstance(said, str), said
    return said


def a_column(n):
    """Return groups of one row each in one column, with alternating classes."""
    return [[rank, 1, rank % 2, 1 - rank % 2] for rank in range(n)]


def split_chain(n, leaf):
    """Return the numbers of a tree that cuts one leaf after the other off a column."""
    return [number for cut in range(n - 1) for number in (1, cut, *leaf)] + [*leaf]


def test_the_cost_of_a_tree_does_not_overflow(tmp_path):
    """33 leaves at 2**59 cost as much as one leaf, in 64 bits."""
    groups = [[rank, 1, 1, 0] for rank in range(33)]
    problem = problem_file(groups, [33], penalty=2**59)
    honest = proof_file(problem, [0, 0, 2**59, 0, 2**59, 0])
    assert check_in_python(problem, honest) == (2**59, 2**59)
    assert check_in_c(problem, honest, tmp_path) == (2**59, 2**59)
    tree = split_chain(33, [0, 0])
    for cost in (2**59, 33 * 2**59 % 2**64 % 2**63):
        wrapped = proof_file(problem, [*tree, cost, 0, 2**59, 0])
        assert "not what is written" in refused(problem, wrapped, tmp_path)


def test_the_number_of_rows_does_not_overflow(tmp_path):
    """Sides with too many rows to count would look as if they had too few."""
    groups = [[0, 2**62, 5, 0], [1, 2**62, 0, 5]]
    problem = problem_file(groups, [2], limits=(0, 0, 2))
    proof = proof_file(problem, [0, 0, 6, 0, 6, 0])
    assert refused(problem, proof, tmp_path) == "there are too many rows"


def test_losses_do_not_overflow(tmp_path):
    groups = [[0, 1, 2**63 - 1, 0], [1, 1, 0, 2**63 - 1]]
    for scale in (1, 2**62):
        problem = problem_file(groups, [2], scale=scale)
        proof = proof_file(problem, [0, 0, 1, 0, 1, 0])
        assert "losses are too large" in refused(problem, proof, tmp_path)


@pytest.mark.parametrize("place", range(12))
def test_huge_counts_are_refused(place, tmp_path):
    problem = problem_file(a_column(4), [4])
    body = to_varints([0, 0, 3, 0, 3, 0])
    numbers = numbers_of(problem[len(PROBLEM_HEAD) :])
    for value in (2**31, 2**62):
        numbers[place] = value
        changed = PROBLEM_HEAD + to_varints(numbers)
        if place in (4, 6, 7):  # a limit, or leaves with costs above
            continue
        refused(changed, proof_file(changed, body), tmp_path)


def test_an_endless_number_is_refused(tmp_path):
    problem = problem_file(a_column(4), [4])
    body = to_varints([0, 0, 3]) + b"\xff" * 1_000_000
    assert "too large" in refused(problem, proof_file(problem, body), tmp_path)
    padded = to_varints([0, 0, 3]) + b"\x80\x00"
    assert "extra bytes" in refused(problem, proof_file(problem, padded), tmp_path)


def test_a_deep_tree_is_refused(tmp_path):
    problem = problem_file(a_column(2100), [2100])
    tree = split_chain(2100, [0, 0])
    proof = proof_file(problem, [*tree, 1050 + 2100, 0, 1, 0])
    assert "too deep" in refused(problem, proof, tmp_path)


def test_deeply_nested_claims_are_refused(tmp_path):
    problem = problem_file(a_column(2100), [2100], penalty=0)
    nested = [number for cut in range(2050) for number in (2 * cut + 1, 3, 0)]
    proof = proof_file(problem, [0, 0, 1050, 0, 0, *nested])
    assert "nested too deeply" in refused(problem, proof, tmp_path)


def test_a_reference_to_what_is_not_proved_yet_is_refused(tmp_path):
    """A claim would follow from itself."""
    problem = problem_file(a_column(4), [4], penalty=0)
    # Claim 0, its cut 0: the no side refers one claim back, which is claim 0 itself.
    proof = proof_file(problem, [0, 0, 2, 0, 2, 1, 2, 1, 0])
    assert "not complete" in refused(problem, proof, tmp_path)
    proof = proof_file(problem, [0, 0, 2, 0, 2, 1, 2, 2, 0])
    assert "leads nowhere" in refused(problem, proof, tmp_path)


def test_a_packed_bomb_takes_no_memory(tmp_path):
    resource = pytest.importorskip("resource")
    problem = problem_file(a_column(4), [4])
    head = to_varints([0, 0, 3, 0, 1, 0])
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(head + bytes(2**27)) + packer.flush()
    rest = hashlib.sha256(problem).digest() + packed
    proof = PROOF_HEAD + hashlib.sha256(rest).digest() + rest
    assert check_in_python(problem, proof) == "something follows the proof"
    paths = tmp_path / "problem.bin", tmp_path / "proof.ostrya"
    for path, content in zip(paths, (problem, proof), strict=True):
        path.write_bytes(content)
    most = 2**26

    def limit():
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))

    done = subprocess.run(
        [program(), *paths], capture_output=True, text=True, preexec_fn=limit
    )
    assert done.stdout.strip() == "REFUSED: something follows the proof"
    assert done.returncode == 1


@pytest.fixture(scope="module")
def made():
    rng = np.random.default_rng(3)
    X = np.column_stack([rng.integers(0, k, 36) for k in (2, 2, 5)]).astype(float)
    y = ((X[:, 0] + X[:, 2] > 2) ^ (rng.random(36) < 0.25)).astype(int)
    return certify(Case(X, y, leaf_penalty=0.02, max_depth=4))


def test_a_truncated_proof_is_refused(made, tmp_path):
    body = body_of(made.proof)
    for end in range(0, len(body), 3):
        refused(made.problem.file, repack(made, body[:end]), tmp_path)
    packed = made.proof[79:]
    for end in range(0, len(packed), 3):
        rest = made.proof[47:79] + packed[:end]
        proof = PROOF_HEAD + hashlib.sha256(rest).digest() + rest
        refused(made.problem.file, proof, tmp_path)


def test_a_reference_to_the_claim_of_other_groups_proves_nothing_false(tmp_path):
    """What a collision of row sets would do: claims are confused with each other."""
    rng = np.random.default_rng(8)
    X = rng.integers(0, 2, (60, 6)).astype(float)
    y = (X[:, 0] + X[:, 1] + X[:, 2] > 1).astype(int) ^ (rng.random(60) < 0.1)
    made = certify(Case(X, y.astype(int), leaf_penalty=0.005, max_depth=5))
    numbers = numbers_of(body_of(made.proof))
    refusals, n_references = set(), 0
    for at in range(len(numbers)):
        if not (2 <= numbers[at] < 40):
            continue
        for other in (1, numbers[at] - 1, numbers[at] + 3):
            changed = [*numbers[:at], other, *numbers[at + 1 :]]
            said = check_in_python(made.problem.file, repack(made, to_varints(changed)))
            if isinstance(said, str):
                refusals.add(said)
            else:
                n_references += 1
                assert said[1] <= made.optimum <= said[0]
    assert any("may lead to a tree below its bound" in each for each in refusals)


@pytest.mark.parametrize(
    ("limit", "value", "why"),
    [
        ("max_depth", 1, "too deep"),
        ("max_leaf_nodes", 3, "too many leaves"),
        ("min_samples_leaf", 9, "too few rows"),
    ],
)
def test_a_tree_beyond_the_limits_is_refused(limit, value, why, tmp_path):
    rng = np.random.default_rng(4)
    X = rng.integers(0, 6, (40, 2)).astype(float)
    y = (X[:, 0] > 2).astype(int) ^ (X[:, 1] > 4)
    free = Case(X, y.astype(int), leaf_penalty=0.001)
    strict = certify(replace(free, **{limit: value}))
    tree = strict.problem.tree_numbers(ostrya.solve(**vars(free)).tree)
    own = strict.problem.tree_numbers(strict.outcome.tree)
    numbers = numbers_of(body_of(strict.proof))
    changed = tree + numbers[len(own) :]
    assert why in refused(
        strict.problem.file, repack(strict, to_varints(changed)), tmp_path
    )

"""What was changed in a certificate is refused, or proves nothing that is not true."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from certified import (
    PRICE_WORK,
    Case,
    body_of,
    certify,
    check_in_c,
    check_in_python,
    draw,
    numbers_of,
    repack,
)
from ostrya._solve.certificate import to_varints


def a_case(max_depth=None, n=36):
    rng = np.random.default_rng(3)
    X = np.column_stack([rng.integers(0, k, n) for k in (2, 2, 2, 5, 8)]).astype(float)
    y = ((X[:, 0] + X[:, 3] > 2) ^ (rng.random(n) < 0.25)).astype(int)
    return Case(X, y, leaf_penalty=0.02, max_depth=max_depth)


@pytest.fixture(scope="module")
def made():
    return certify(a_case(max_depth=3))


@pytest.fixture(scope="module")
def priced():
    return certify(a_case(), price_work=PRICE_WORK)


class Parsed:
    """A body whose claims are trees of items, for problems without a leaf limit."""

    def __init__(self, body):
        self.numbers = numbers_of(body)
        self.at = 0
        open_nodes = 1
        while open_nodes:
            open_nodes += 1 if self.take() else -1
            self.take()
        self.take()  # the cost of the tree
        assert self.take() == 0, "a body without prices"
        self.bound_at = self.at
        self.take()
        self.items = []  # (first, end) of every item, in any claim
        self.claim()
        assert self.at == len(self.numbers)

    def take(self):
        self.at += 1
        return self.numbers[self.at - 1]

    def claim(self):
        first = self.at
        while self.take():
            kind = self.take()
            if kind == 17:
                self.take()
            else:
                for side in (kind // 4, kind % 4):
                    if side >= 2:
                        self.take()
                    if side == 3:
                        self.claim()
            self.items.append((first, self.at))
            first = self.at


def refused(made, numbers, folder):
    """Return what both checkers say of a body, one of them in other words."""
    proof = repack(made, to_varints(numbers))
    said = check_in_python(made.problem.file, proof)
    compiled = check_in_c(made.problem.file, proof, folder)
    assert isinstance(said, str) == isinstance(compiled, str), (said, compiled)
    if isinstance(said, str):
        return said
    assert said == compiled
    # What is accepted is true all the same.
    assert said[1] <= made.optimum <= said[0]
    return None


def test_every_byte_of_the_file_matters(made, tmp_path):
    for at in range(len(made.proof)):
        for change in (1, 128):
            changed = bytearray(made.proof)
            changed[at] ^= change
            said = check_in_python(made.problem.file, bytes(changed))
            assert isinstance(said, str), (at, said)
    compiled = check_in_c(made.problem.file, made.proof[:-1], tmp_path)
    assert compiled == "the file is damaged"


@pytest.mark.parametrize("step", [-1, 1])
def test_every_number_of_the_proof_is_checked(made, step, tmp_path):
    body = numbers_of(body_of(made.proof))
    n_changed = n_refused = 0
    for at in range(len(body)):
        changed = body.copy()
        changed[at] = max(changed[at] + step, 0)
        if changed != body:
            n_changed += 1
            n_refused += refused(made, changed, tmp_path) is not None
    assert n_refused > 0.7 * n_changed


def test_a_bound_raised_by_one_is_refused(made, tmp_path):
    parsed = Parsed(body_of(made.proof))
    parsed.numbers[parsed.bound_at] += 1
    assert refused(made, parsed.numbers, tmp_path) is not None


def test_dropped_items_are_refused_unless_others_make_up_for_them(made, tmp_path):
    parsed = Parsed(body_of(made.proof))
    assert len(parsed.items) > 10
    said = []
    for first, end in parsed.items:
        kept = parsed.numbers[:first] + parsed.numbers[end:]
        said.append(refused(made, kept, tmp_path))
    assert sum(each is not None for each in said) > 0.8 * len(said)
    assert any("below its bound" in (each or "") for each in said)


def test_swapped_items_prove_nothing_false(made, tmp_path):
    parsed = Parsed(body_of(made.proof))
    said = []
    for (a, b), (c, d) in itertools.combinations(sorted(parsed.items), 2):
        if b <= c:
            numbers = parsed.numbers
            swapped = (
                numbers[:a] + numbers[c:d] + numbers[b:c] + numbers[a:b] + numbers[d:]
            )
            said.append(refused(made, swapped, tmp_path))
        if len(said) > 30:
            break
    assert any(each is not None for each in said)


@pytest.mark.parametrize("step", [-1, 1])
def test_prices_raised_or_lowered_by_one_are_refused(priced, step, tmp_path):
    body = numbers_of(body_of(priced.proof))
    parsed_tree = 0
    open_nodes = 1
    while open_nodes:
        open_nodes += 1 if body[parsed_tree] else -1
        parsed_tree += 2
    first_price = parsed_tree + 3
    assert body[parsed_tree + 1] == 1
    n_refused = 0
    for at in range(first_price, first_price + 20):
        changed = body.copy()
        changed[at] = max(changed[at] + 2 * step, 0)
        n_refused += refused(priced, changed, tmp_path) is not None
    if step == 1:
        assert n_refused > 0
    doubled = body.copy()
    doubled[first_price : first_price + 20] = [
        2 * price for price in body[first_price : first_price + 20]
    ]
    assert "may be paid too much" in refused(priced, doubled, tmp_path)


def test_a_state_of_boxes_that_is_not_divided_is_refused(priced, tmp_path):
    body = numbers_of(body_of(priced.proof))
    n_refused = 0
    for at in range(len(body) - 20, len(body)):
        shortened = body[:at] + body[at + 1 :]
        n_refused += refused(priced, shortened, tmp_path) is not None
    assert n_refused == 20


@pytest.mark.parametrize("change", ["label", "value", "penalty", "depth", "weight"])
def test_the_certificate_of_another_problem_is_refused(made, change, tmp_path):
    case = a_case(max_depth=3)
    if change == "label":
        case.y[7] = 1 - case.y[7]
    elif change == "value":
        case.X[7, 4] += 1
    elif change == "penalty":
        case.leaf_penalty = 0.021
    elif change == "depth":
        case.max_depth = 4
    else:
        case.sample_weight = np.ones(len(case.y))
        case.sample_weight[0] = 2
    other = certify(case)
    for check in (check_in_python, lambda *files: check_in_c(*files, tmp_path)):
        assert check(other.problem.file, made.proof) == (
            "the proof is about another problem"
        )


def test_the_proof_of_one_problem_does_not_serve_for_another(made, tmp_path):
    """Even when the digest is exchanged as well."""
    case = a_case(max_depth=3)
    case.y[:] = 1 - case.y  # the same optimum, other leaves
    other = certify(case)
    said = refused(other, numbers_of(body_of(made.proof)), tmp_path)
    assert said is not None


def test_a_tree_with_one_more_error_is_refused(made, tmp_path):
    numbers = numbers_of(body_of(made.proof))
    open_nodes, at, labels = 1, 0, []
    while open_nodes:
        if numbers[at] == 0:
            labels.append(at + 1)
        open_nodes += 1 if numbers[at] else -1
        at += 2
    for label in labels:
        changed = numbers.copy()
        changed[label] = 1 - changed[label]
        assert "the tree costs" in refused(made, changed, tmp_path)


@pytest.mark.parametrize("seed", range(20))
def test_random_damage_proves_nothing_false(seed, tmp_path):
    made = certify(draw(seed), price_work=PRICE_WORK if seed % 2 else 0)
    chance = random.Random(seed)
    body = numbers_of(body_of(made.proof))
    for _ in range(5):
        changed = body.copy()
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(changed))
            changed[at] = max(0, changed[at] + chance.choice([-2, -1, 1, 2, 30]))
        refused(made, changed, tmp_path)

"""Small problems of every kind, drawn by Hypothesis or from a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st

import effort
from cases import Case, zero_one
from oracle import Problem

DECIMAL_PENALTIES = tuple(
    Fraction(text) for text in ("0", "0.001", "0.005", "0.01", "0.02", "0.05", "0.3")
)


def grid_penalty(penalty: Fraction, total: int) -> tuple[int, int]:
    """The (scale, penalty) that make `penalty` exact when losses sum to `total`."""
    exact = penalty * total
    return exact.denominator, exact.numerator


def build_case(rows, labels, **parts) -> Case:
    """Put a problem together; what is not given is plain."""
    weights = parts.get("weights") or (1,) * len(rows)
    costs = parts.get("costs") or zero_one(max(labels) + 1)
    cost_unit = parts.get("cost_unit", 1)
    total = cost_unit * sum(weights)
    scale, penalty = grid_penalty(parts.get("penalty", Fraction(0)), total)
    limits = {
        name: parts[name]
        for name in ("max_depth", "max_leaf_nodes", "min_samples_leaf")
        if name in parts
    }
    problem = Problem(
        rows=tuple(map(tuple, rows)),
        labels=tuple(labels),
        weights=tuple(weights),
        costs=tuple(map(tuple, costs)),
        scale=scale,
        penalty=penalty,
        **limits,
    )
    return Case(problem, parts.get("weight_unit", 1), cost_unit)


# --- drawn by Hypothesis ---------------------------------------------------------


@st.composite
def columns(draw, n_rows: int):
    """One to four columns: constant, yes/no, few-valued, all different, copies."""
    drawn = []
    for _ in range(draw(st.integers(1, 4))):
        values = draw(st.sampled_from([1, 1, 1, 2, 3, n_rows, 0]))
        cells = st.integers(0, values)
        column = draw(st.lists(cells, min_size=n_rows, max_size=n_rows))
        if drawn and draw(st.integers(0, 5)) == 0:
            column = list(draw(st.sampled_from(drawn)))
        drawn.append(column)
    return drawn


@st.composite
def weights_and_unit(draw, n_rows: int):
    """Unit, whole (zero included), fractional or huge weights, and their unit."""
    cells, unit = draw(
        st.sampled_from(
            [
                (st.just(1), 1),
                (st.integers(0, 5), 1),
                (st.integers(0, 9), 4),
                (st.integers(1, 30), 10),
                (st.integers(1, 2**30), 1),
            ]
        )
    )
    weights = draw(st.lists(cells, min_size=n_rows, max_size=n_rows))
    if not any(weights):
        weights[0] = 1
    return weights, unit


@st.composite
def costs_and_unit(draw, labels):
    """Plain errors, or any costs; classes may be absent and no label need be free."""
    present = max(labels) + 1
    if draw(st.booleans()):
        return zero_one(present), 1
    n_classes = draw(st.integers(present, 4))
    row = st.lists(st.integers(0, 4), min_size=n_classes, max_size=n_classes)
    costs = draw(st.lists(row, min_size=n_classes, max_size=n_classes))
    if draw(st.booleans()):
        for k in range(n_classes):
            costs[k][k] = 0
    return costs, draw(st.sampled_from([1, 1, 2, 10]))


@st.composite
def penalties(draw, total: int):
    """Nothing, round decimals, and multiples of half the least loss (exact ties)."""
    ties = st.integers(0, 8).map(lambda k: Fraction(k, 2 * total))
    return draw(st.one_of(st.sampled_from(DECIMAL_PENALTIES), ties))


@st.composite
def small_cases(draw, max_rows: int = 10, *, limited: bool = True) -> Case:
    """Problems of up to `max_rows` rows, 4 columns, 4 classes."""
    n_rows = draw(st.integers(1, max_rows))
    rows = list(zip(*draw(columns(n_rows)), strict=True))
    codes = st.integers(0, draw(st.integers(0, 3)))
    labels = draw(st.lists(codes, min_size=n_rows, max_size=n_rows))
    weights, weight_unit = draw(weights_and_unit(n_rows))
    costs, cost_unit = draw(costs_and_unit(labels))
    parts = {
        "weights": weights,
        "weight_unit": weight_unit,
        "costs": costs,
        "cost_unit": cost_unit,
        "penalty": draw(penalties(cost_unit * sum(weights))),
    }
    if limited:
        parts["max_depth"] = draw(st.one_of(st.none(), st.integers(0, 4)))
        parts["max_leaf_nodes"] = draw(st.one_of(st.none(), st.integers(1, 5)))
        parts["min_samples_leaf"] = draw(st.sampled_from([1, 1, 1, 2, 3]))
    return build_case(rows, labels, **parts)


# --- drawn from a seed -----------------------------------------------------------


def random_problems(seed: int, count: int) -> Iterator[Case]:
    """`count` problems of all families in turn, the same for the same seed.

    Fewer in a quick run.
    """
    families = (mixed_case, mixed_case, ordered_case, yes_no_case)
    for index in range(effort.cases(count)):
        yield families[index % len(families)](random.Random(f"{seed}/{index}"))


def mixed_case(rng: random.Random) -> Case:
    """Few rows, a bit of everything."""
    n_rows = rng.choice([1, 4, 8, 10, 12, 13, 14, 15])
    kinds = [1, 1, 1, 2, 3]
    table = [
        [rng.randint(0, values) for _ in range(n_rows)]
        for values in rng.choices(kinds, k=rng.randint(2, 5))
    ]
    if rng.random() < 0.2:
        table.append(list(rng.choice(table)))
    if rng.random() < 0.1:
        table.append([3] * n_rows)
    rows = list(zip(*table, strict=True))
    for i in range(n_rows):
        if rng.random() < 0.15:
            rows[i] = rng.choice(rows)
    n_classes = rng.choice([1, 2, 2, 2, 3, 4])
    labels = [rng.randrange(n_classes) for _ in rows]
    return random_case(rng, rows, labels)


def ordered_case(rng: random.Random) -> Case:
    """Columns in which nearly every row has its own value."""
    n_rows = rng.randint(4, 12)
    table = [
        [rng.randint(0, 2 * n_rows) for _ in range(n_rows)]
        for _ in range(rng.randint(1, 3))
    ]
    rows = list(zip(*table, strict=True))
    n_classes = rng.randint(2, 3)
    labels = [rng.randrange(n_classes) for _ in rows]
    return random_case(rng, rows, labels)


def yes_no_case(rng: random.Random) -> Case:
    """Yes/no columns and more rows than a machine word has bits."""
    n_rows, n_columns = rng.randint(20, 140), rng.randint(2, 5)
    n_classes = rng.randint(2, 3)
    rows = [tuple(rng.randint(0, 1) for _ in range(n_columns)) for _ in range(n_rows)]
    rule = {row: rng.randrange(n_classes) for row in set(rows)}
    noise = rng.choice([0.0, 0.1, 0.3])
    labels = [
        rng.randrange(n_classes) if rng.random() < noise else rule[row] for row in rows
    ]
    return random_case(rng, rows, labels)


def shallow_problems(seed: int, count: int) -> Iterator[Case]:
    """More rows than the memo oracle can take, limited in depth: for the sweep."""
    for index in range(effort.cases(count)):
        rng = random.Random(f"shallow/{seed}/{index}")
        depth, rows = shallow_rows(rng)
        case = random_case(rng, rows, threshold_labels(rng, rows))
        yield replace(
            case, problem=replace(case.problem, max_depth=depth, max_leaf_nodes=None)
        )


def shallow_rows(rng: random.Random):
    """A depth, and rows that the sweep can take at that depth."""
    depth = rng.choice([1, 2, 2, 2, 3])
    if rng.random() < 0.4:
        n_rows, n_columns = rng.randint(30, 300), rng.randint(4, 9)
        values = rng.choice([1, 1, 1, 2])
        return depth, [
            tuple(rng.randint(0, values) for _ in range(n_columns))
            for _ in range(n_rows)
        ]
    n_rows = rng.randint(15, 30) if depth == 3 else rng.randint(30, 130)
    n_columns = rng.randint(1, 2 if depth == 3 else 4)
    table = [wide_column(rng, n_rows) for _ in range(n_columns)]
    return depth, list(zip(*table, strict=True))


def wide_column(rng: random.Random, n_rows: int) -> list[float]:
    """Yes/no, a handful of values, about as many as rows, or all different."""
    kind = rng.randrange(5)
    if kind == 0:
        return [rng.randint(0, 1) for _ in range(n_rows)]
    if kind == 1:
        return [rng.randint(-3, 5) for _ in range(n_rows)]
    if kind == 2:
        return [rng.randint(0, n_rows) * 0.1 for _ in range(n_rows)]
    if kind == 3:
        return [float(round(rng.expovariate(0.2))) for _ in range(n_rows)]
    return [rng.gauss(0, 1) for _ in range(n_rows)]


def threshold_labels(rng: random.Random, rows) -> list[int]:
    """Labels from a few thresholds, with noise."""
    n_classes, noise = rng.choice([2, 2, 3, 4]), rng.choice([0.0, 0.1, 0.3])
    cuts = [(j, rng.choice(rows)[j]) for j in rng.choices(range(len(rows[0])), k=3)]
    labels = [sum(row[j] <= cut for j, cut in cuts) % n_classes for row in rows]
    return [rng.randrange(n_classes) if rng.random() < noise else k for k in labels]


def deep_problems(seed: int, count: int) -> Iterator[Case]:
    """Few values, many rows, deep trees: row sets come back with other limits left."""
    shapes = ((100, 4, 3), (100, 5, 1), (50, 2, 9), (60, 3, 4), (40, 5, 2), (30, 2, 30))
    for index in range(effort.cases(count)):
        rng = random.Random(f"deep/{seed}/{index}")
        n_rows, n_columns, values = rng.choice(shapes)
        rows = [
            tuple(rng.randint(0, values) for _ in range(n_columns))
            for _ in range(n_rows)
        ]
        n_classes = rng.choice([2, 2, 3])
        case = build_case(
            rows,
            [rng.randrange(n_classes) for _ in rows],
            weights=[rng.choice([1, 1, 1, 2]) for _ in rows],
            max_depth=rng.choice([None, 4, 5, 5, 6]),
            max_leaf_nodes=rng.choice([None, None, None, 4, 6]),
            min_samples_leaf=rng.choice([1, 1, 2, 3]),
        )
        penalty = rng.choice([0, 0, 1, 2])
        yield replace(case, problem=replace(case.problem, scale=1, penalty=penalty))


def raw_problems(seed: int, count: int) -> Iterator[Case]:
    """Columns with all their thresholds, several classes: trees gain at every depth."""
    for index in range(effort.cases(count)):
        rng = random.Random(f"raw/{seed}/{index}")
        n_rows = rng.choice([20, 40, 60])
        table = [
            [round(rng.gauss(0, 1), rng.choice([1, 2, 9])) for _ in range(n_rows)]
            for _ in range(rng.choice([2, 2, 3]))
        ]
        rows = list(zip(*table, strict=True))
        weights = rng.choice([[1], [1, 1, 2], [1, 2, 3]])
        case = build_case(
            rows,
            threshold_labels(rng, rows),
            weights=[rng.choice(weights) for _ in rows],
            max_depth=rng.choice([None, None, 4, 5, 6]),
            max_leaf_nodes=rng.choice([None, None, None, 6, 8]),
            min_samples_leaf=rng.choice([1, 1, 2, 4]),
        )
        penalty = rng.choice([1, 1, 2, 3])
        yield replace(case, problem=replace(case.problem, scale=2, penalty=penalty))


def unit_problems(seed: int, count: int) -> Iterator[Case]:
    """Problems without limits in which one unit of cost matters."""
    for index in range(effort.cases(count)):
        rng = random.Random(f"unit/{seed}/{index}")
        problem = rng.choice([mixed_case, ordered_case])(rng).problem
        weights = [rng.choice([1, 1, 1, 2, 3]) for _ in problem.rows]
        yield Case(
            Problem(
                rows=problem.rows,
                labels=problem.labels,
                weights=tuple(weights),
                costs=zero_one(max(problem.labels) + 1),
                penalty=rng.choice([0, 1, 1, 2, 3]),
            )
        )


def random_case(rng: random.Random, rows, labels) -> Case:
    """Weights, costs, penalty and limits at random around given rows and labels."""
    weights, weight_unit = random_weights(rng, len(rows))
    costs, cost_unit = random_costs(rng, max(labels) + 1)
    total = cost_unit * sum(weights)
    tie = Fraction(rng.randint(1, max(2, len(rows) // 8)), rng.choice([1, 2, 4]))
    limits = {
        "max_depth": rng.choice([None, None, None, 1, 2, 2, 3, 3, 4, 5]),
        "max_leaf_nodes": rng.choice([None, None, None, None, 3, 4, 5, 7]),
        "min_samples_leaf": rng.choice([1, 1, 1, 1, 2, 3]),
    }
    return build_case(
        rows,
        labels,
        weights=weights,
        weight_unit=weight_unit,
        costs=costs,
        cost_unit=cost_unit,
        penalty=rng.choice([Fraction(0), tie / total, rng.choice(DECIMAL_PENALTIES)]),
        **limits,
    )


def random_weights(rng: random.Random, n_rows: int):
    low, high, unit = rng.choice(
        [(1, 1, 1), (1, 1, 1), (1, 3, 1), (0, 5, 1), (0, 9, 4), (1, 2**30, 1)]
    )
    weights = [rng.randint(low, high) for _ in range(n_rows)]
    if not any(weights):
        weights[-1] = 1
    return weights, unit


def random_costs(rng: random.Random, present: int):
    if rng.random() < 0.7:
        return zero_one(present), 1
    n_classes = rng.randint(present, 4)
    free = rng.random() < 0.7
    costs = [
        [0 if free and k == true else rng.randint(0, 4) for k in range(n_classes)]
        for true in range(n_classes)
    ]
    return costs, rng.choice([1, 1, 2, 10])

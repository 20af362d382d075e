"""How many trees there are, and how many OSDT evaluates at most.

Table 1, Theorem D.1, Corollary D.2 and Theorem E.2 of Hu, Rudin and Seltzer, NeurIPS
2019, in exact integers. The paper computes in floating point, where large counts
become "Inf".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache
from math import comb, floor, perm
from typing import Any

from benchmarks.papers.kept import place, write_table

#: Table 1 as printed: rule lists and trees, by number of features and depth.
TABLE_1 = {
    10: (
        ("5.500e+01", "1.000e+01"),
        ("3.025e+03", "1.000e+03"),
        ("1.604e+05", "5.329e+06"),
        ("8.345e+06", "9.338e+20"),
        ("4.257e+08", "Inf"),
    ),
    20: (
        ("2.100e+02", "2.000e+01"),
        ("4.410e+04", "8.000e+03"),
        ("9.173e+06", "9.411e+08"),
        ("1.898e+09", "9.204e+28"),
        ("3.911e+11", "Inf"),
    ),
}
#: Savings by symmetry (section E.1) as printed, by features and leaves.
SYMMETRY = {(10, 5): "35463", (20, 10): "7.36891e11"}


def rule_lists(features: int, length: int) -> int:
    """Return how many rule lists have at most `length` rules of one or two features.

    The text sums up to d - 1, but Table 1 contains the sums up to d.
    """
    rules = features + comb(features, 2)
    return sum(perm(rules, n) for n in range(1, length + 1))


def trees(features: int, depth: int) -> int:
    """Return how many trees have depth 1 to `depth`, no feature twice in a path."""

    def at_most(features: int, depth: int) -> int:
        if depth == 0 or features == 0:
            return 1  # a leaf
        return 1 + features * at_most(features - 1, depth - 1) ** 2

    return at_most(features, depth) - 1


def trees_of_depth(features: int, depth: int) -> int:
    """Return how many trees have exactly this depth: N of equation (1), corrected."""
    return trees(features, depth) - trees(features, depth - 1)


def trees_as_printed(features: int, depth: int) -> int:
    """Return the sums of equation (1) as printed: the right columns of Table 1.

    A level with n splits has 2n places below, of which at least one splits again. The
    equation has 2 to the power of n instead. That is equal for n up to 2, and counts
    too many trees from depth 4 on.
    """

    def of_depth(depth: int) -> int:
        @cache
        def below(level: int, places: int) -> int:
            if level == depth:
                return 1
            left = max(features - level, 0)
            return sum(
                comb(places, n) * left**n * below(level + 1, 2**n)
                for n in range(1, places + 1)
            )

        return below(0, 1)

    return sum(map(of_depth, range(1, depth + 1)))


def most_leaves(features: int, penalty: Fraction) -> int:
    """Return the number of leaves that no optimal tree exceeds (Corollary C.2)."""
    return min(floor(1 / (2 * penalty)), 2**features)


def remaining_evaluations(
    features: int,
    penalty: Fraction,
    best: Fraction,
    queue: Iterable[tuple[int, Fraction]],
) -> int:
    """Return the bound of Theorem D.1 on evaluations still needed.

    `queue` has the number of fixed leaves and the lower bound of every waiting tree;
    `best` is the lowest objective found.
    """
    leaves = 3**features
    total = 0
    for fixed, bound in queue:
        more = min(floor((best - bound) / penalty), leaves - fixed)
        total += sum(perm(leaves - fixed, k) for k in range(more + 1))
    return total


def all_evaluations(features: int, penalty: Fraction) -> int:
    """Return the bound of Corollary D.2 on all evaluations."""
    leaves = 3**features
    longest = most_leaves(features, penalty)
    return sum(perm(leaves, k) for k in range(longest + 1))


def evaluations_without_symmetry(features: int, penalty: Fraction) -> int:
    """Return the bound of Theorem E.2: permutations of leaves count once."""
    longest = most_leaves(features, penalty)
    # No path repeats a feature, so nothing is deeper than the features are many.
    deepest = min(longest, features)
    depths = sum(trees_of_depth(features, k) for k in range(1, deepest + 1))
    return 1 + depths - saved_by_symmetry(features, longest)


def saved_by_symmetry(features: int, leaves: int) -> int:
    """Return how many evaluations symmetry saves, as section E.1 counts them."""
    return sum(perm(features, k) - comb(features, k) for k in range(1, leaves + 1))


def rows() -> Iterator[dict[str, Any]]:
    """Yield the counts of Table 1 and of section E.1, and the printed ones."""
    for features, lines in TABLE_1.items():
        for depth, (lists, grown) in enumerate(lines, start=1):
            counted = rule_lists(features, depth)
            yield _row("Table 1: rule lists", features, depth, lists, counted)
            # At depth 5 equation (1) has binomials of 65,536 places.
            if depth < 5:
                counted = trees_as_printed(features, depth)
                name = "Table 1: trees by equation (1)"
                yield _row(name, features, depth, grown, counted)
            counted = trees(features, depth)
            yield _row("Table 1: trees, corrected", features, depth, grown, counted)
    for (features, leaves), printed in SYMMETRY.items():
        saved = saved_by_symmetry(features, leaves)
        yield _row("E.1: saved by symmetry", features, leaves, printed, saved)


def _row(
    what: str, features: int, size: int, printed: str, ours: int
) -> dict[str, Any]:
    return {
        "what": what,
        "features": features,
        "size": size,
        "printed": printed,
        "ours": scientific(ours),
        "digits": len(str(ours)),
    }


def scientific(number: int) -> str:
    """Return an integer with four digits, even if no float is large enough."""
    if number < 10**6:
        return str(number)
    exponent = len(str(number)) - 1
    shown = round(Fraction(number, 10**exponent), 3)
    return f"{float(shown):.3f}e{exponent}"


def report() -> str:
    """Write the counts, and return them with the bounds for the recidivism data."""
    found = list(rows())
    columns = ("what", "features", "size", "printed", "ours", "digits")
    path = write_table(place("osdt", "table1.csv"), columns, found, "osdt table1")
    lines = [
        "| what | features | depth or leaves | printed | ours |",
        "|---|---:|---:|---:|---:|",
    ]
    shown = columns[:-1]
    lines += ["| " + " | ".join(str(r[name]) for name in shown) + " |" for r in found]
    penalty = Fraction(5, 1000)
    lines += [
        "",
        "Bounds on tree evaluations with 12 features and penalty 0.005:",
        f"- Corollary D.2: {scientific(all_evaluations(12, penalty))}",
        f"- Theorem E.2: {scientific(evaluations_without_symmetry(12, penalty))}",
        f"written: {path}",
    ]
    return "\n".join(lines)

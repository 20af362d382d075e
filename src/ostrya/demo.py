"""A first look: ``python -m ostrya.demo`` grows one optimal tree and shows it."""

from __future__ import annotations

import time

from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

from ostrya._solver import solve
from ostrya.export import export_text
from ostrya.outcome import Outcome

LEAF_PENALTY = 0.005
MAX_DEPTH = 2


def main() -> None:
    """Print the optimal tree for a medical data set, beside what CART finds."""
    data = load_breast_cancer()
    n_samples, n_features = data.data.shape
    started = time.perf_counter()
    outcome = solve(
        data.data, data.target, leaf_penalty=LEAF_PENALTY, max_depth=MAX_DEPTH
    )
    seconds = time.perf_counter() - started
    cart = DecisionTreeClassifier(
        max_leaf_nodes=max(outcome.n_leaves, 2), max_depth=MAX_DEPTH, random_state=0
    ).fit(data.data, data.target)

    print(
        f"Breast cancer: {n_samples} tumours, {n_features} measurements, "
        f"{outcome.statistics.n_thresholds:,} thresholds to choose from.\n"
        f"Best tree of depth <= {MAX_DEPTH}, at {LEAF_PENALTY} a leaf:\n"
    )
    names = list(data.feature_names), list(data.target_names)
    print(export_text(outcome.tree, *names))
    print(f"\n{'':8}{'accuracy':>10}{'leaves':>8}{'objective':>11}")
    print(_line("ostrya", outcome.loss, outcome.n_leaves))
    cart_loss = 1 - cart.score(data.data, data.target)
    print(_line("CART", cart_loss, cart.get_n_leaves()))
    print(f"\n{_verdict(outcome)} ({seconds:.2f} s)")


def _line(name: str, loss: float, leaves: int) -> str:
    objective = loss + LEAF_PENALTY * leaves
    return f"{name:8}{1 - loss:>10.2%}{leaves:>8}{objective:>11.4f}"


def _verdict(outcome: Outcome) -> str:
    if outcome.is_optimal:
        return "Proved: no tree within these limits has a lower objective."
    return (
        f"Stopped ({outcome.status}): the optimum lies in "
        f"[{outcome.lower_bound:.4f}, {outcome.objective:.4f}]."
    )


if __name__ == "__main__":
    main()

"""Find an optimal tree and compare it with CART: ``python -m ostrya.demo``."""

from __future__ import annotations

import time

import numpy as np
import numpy.typing as npt
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from ostrya._solver import solve
from ostrya.export import export_text
from ostrya.export.caption import proof

LEAF_PENALTY = 0.005
MAX_DEPTH = 2
FOLDS = 10


def main() -> None:
    """Print the optimal tree for a medical data set, and compare it with CART."""
    data = load_breast_cancer()
    X, y = data.data, data.target
    started = time.perf_counter()
    outcome = solve(X, y, leaf_penalty=LEAF_PENALTY, max_depth=MAX_DEPTH)
    seconds = time.perf_counter() - started
    cart = _cart(X, y, outcome.n_leaves)

    print(
        f"Breast cancer: {len(X)} tumours, {X.shape[1]} measurements, "
        f"{outcome.statistics.n_thresholds:,} candidate thresholds.\n"
        f"Optimal tree of depth <= {MAX_DEPTH} with a leaf penalty of {LEAF_PENALTY} "
        f"({seconds:.2f} s):\n"
    )
    print(export_text(outcome.tree, list(data.feature_names), list(data.target_names)))
    print(f"\n{proof(outcome)}\n")

    ours, theirs = _held_out_accuracy(X, y)
    print(f"{'':8}{'training':>12}{'held-out':>12}{'leaves':>8}{'objective':>11}")
    print(f"{'':8}{'accuracy':>12}{'accuracy':>12}")
    _print_line("Ostrya", 1 - outcome.loss, ours, outcome.n_leaves)
    _print_line("CART", cart.score(X, y), theirs, cart.get_n_leaves())
    print(
        f"\nHeld-out accuracy is measured by {FOLDS}-fold cross-validation. In each "
        "fold, CART\nhas the same depth limit and may grow as many leaves as the "
        "optimal tree."
    )


def _cart(
    X: npt.NDArray[np.float64], y: npt.NDArray[np.intp], n_leaves: int
) -> DecisionTreeClassifier:
    """Return CART's tree within the same limits as the optimal one."""
    cart = DecisionTreeClassifier(
        # scikit-learn does not accept a limit of one leaf.
        max_leaf_nodes=max(n_leaves, 2),
        max_depth=MAX_DEPTH,
        random_state=0,
    )
    return cart.fit(X, y)


def _held_out_accuracy(
    X: npt.NDArray[np.float64], y: npt.NDArray[np.intp]
) -> tuple[float, float]:
    """Return the share of rows that Ostrya and CART classify correctly, held out."""
    ours = np.empty_like(y)
    theirs = np.empty_like(y)
    folds = StratifiedKFold(FOLDS, shuffle=True, random_state=0)
    for train, test in folds.split(X, y):
        outcome = solve(
            X[train], y[train], leaf_penalty=LEAF_PENALTY, max_depth=MAX_DEPTH
        )
        ours[test] = outcome.tree.predict(X[test])
        theirs[test] = _cart(X[train], y[train], outcome.n_leaves).predict(X[test])
    return float(np.mean(ours == y)), float(np.mean(theirs == y))


def _print_line(name: str, training: float, held_out: float, leaves: int) -> None:
    objective = 1 - training + LEAF_PENALTY * leaves
    print(f"{name:8}{training:>12.2%}{held_out:>12.2%}{leaves:>8}{objective:>11.4f}")


if __name__ == "__main__":
    main()

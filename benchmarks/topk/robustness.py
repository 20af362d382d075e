"""The outlook of the paper: Top-k with noisy labels, and inside ensembles.

Section 6 suspects that more choices make trees more robust to noise, and asks for
ensembles of Top-k trees. Neither has numbers in the paper.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from benchmarks.papers.kept import place, write_table
from benchmarks.topk.sets import Set, split

#: Shares of the training labels that are replaced by another class.
NOISE = (0.0, 0.1, 0.2, 0.3)
KS = (1, 2, 4, 8, 16)
DEPTH = 4
N_TREES = 10
#: Depth of the trees of an ensemble: weak ones, as boosting wants them.
ENSEMBLE_DEPTH = 3


def flipped(
    y: np.ndarray, n_classes: int, share: float, chance: np.random.Generator
) -> np.ndarray:
    """Return labels of which a share became another class."""
    changed = chance.random(len(y)) < share
    steps = chance.integers(1, n_classes, len(y))
    return np.where(changed, (y + steps) % n_classes, y)


def noise(sets: Iterable[Set], splits: int) -> list[dict[str, Any]]:
    """Return the test accuracy for every share of noise and k, means over splits."""
    import ostrya

    rows = []
    for data_set in sets:
        for share in NOISE:
            for k in KS:
                found = []
                for number in range(splits):
                    part = split(data_set, number)
                    n_classes = int(max(part.y.max(), part.y_test.max())) + 1
                    chance = np.random.default_rng(number)
                    outcome = ostrya.solve(
                        part.X,
                        flipped(part.y, n_classes, share, chance),
                        leaf_penalty=0.0,
                        max_depth=DEPTH,
                        top_k=ostrya.top_k.TopKSplits(k=k),
                    )
                    labels = outcome.tree.predict(part.X_test)
                    found.append((outcome.loss, np.mean(labels == part.y_test)))
                loss, test = np.mean(found, axis=0)
                rows.append(
                    {"set": data_set.name, "noise": share, "k": k, "splits": splits}
                    | {"train_of_noisy_labels": 1 - float(loss), "test": float(test)}
                )
    return rows


def ensembles(sets: Iterable[Set], splits: int) -> list[dict[str, Any]]:
    """Return the test accuracy of single trees, bags and boosted trees by k."""
    from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier

    from ostrya import TopKTreeClassifier

    rows = []
    for data_set in sets:
        for k in (1, 4, 16):
            tree = TopKTreeClassifier(k=k, max_depth=ENSEMBLE_DEPTH, leaf_penalty=0.0)
            size = {"n_estimators": N_TREES, "random_state": 0}
            for name, model in (
                ("single tree", tree),
                ("bagging", BaggingClassifier(tree, **size)),
                ("AdaBoost", AdaBoostClassifier(tree, **size)),
            ):
                found = []
                for number in range(splits):
                    part = split(data_set, number)
                    fitted = model.fit(part.X, part.y)
                    found.append(fitted.score(part.X_test, part.y_test))
                rows.append(
                    {"set": data_set.name, "ensemble": name, "k": k, "splits": splits}
                    | {"test": float(np.mean(found))}
                )
    return rows


def report(sets: tuple[Set, ...], splits: int) -> str:
    """Run both experiments, write their tables, and return them."""
    named = ",".join(each.name for each in sets)
    command = f"topk robustness --splits {splits} --sets {named}"
    noisy, grouped = noise(sets, splits), ensembles(sets, splits)
    columns = ("set", "noise", "k", "splits", "train_of_noisy_labels", "test")
    write_table(place("topk", "noise.csv"), columns, noisy, command)
    columns = ("set", "ensemble", "k", "splits", "test")
    write_table(place("topk", "ensembles.csv"), columns, grouped, command)
    lines = [f"Test accuracy at depth {DEPTH}:", *pivot(noisy, "noise"), ""]
    lines += [
        f"Test accuracy of {N_TREES} trees of depth {ENSEMBLE_DEPTH}:",
        *pivot(grouped, "ensemble"),
        f"written: {place('topk')}",
    ]
    return "\n".join(lines)


def pivot(rows: list[dict[str, Any]], column: str) -> list[str]:
    """Return a Markdown table with one column per k."""
    ks = list(dict.fromkeys(row["k"] for row in rows))
    lines = [
        f"| set | {column} | " + " | ".join(f"k={k}" for k in ks) + " |",
        "|---|---|" + "---:|" * len(ks),
    ]
    for name, value in dict.fromkeys((row["set"], row[column]) for row in rows):
        group = [r for r in rows if (r["set"], r[column]) == (name, value)]
        own = {row["k"]: row["test"] for row in group}
        cells = " | ".join(f"{own[k]:.4f}" for k in ks)
        lines.append(f"| {name} | {value} | {cells} |")
    return lines

"""Draw the trees of the guesses paper: a spiral, COMPAS, and rules for FICO.

`python -m benchmarks.guesses.trees FOLDER`.

The spiral is generated here. COMPAS and FICO are read from the folder in OSTRYA_DATA,
or from ../shared/data; without them they are skipped. Pictures are written to the
folder given as argument, by default ./ostrya-guesses, which is created if necessary.
"""

import csv
import gzip
import os
import sys
from pathlib import Path

import numpy as np
from sklearn.ensemble import GradientBoostingClassifier

from ostrya import OptimalTreeClassifier
from ostrya.export import export_rules, export_svg
from ostrya.guesses import Guess

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("OSTRYA_DATA") or ROOT.parent / "shared" / "data")


def boosting(n_estimators, max_depth):
    """Return a reference of one of the paper's sizes."""
    return GradientBoostingClassifier(
        n_estimators=n_estimators, max_depth=max_depth, random_state=0
    )


def guided(reference, leaf_penalty, max_depth):
    """Return a tree that a reference guides."""
    guess = Guess(reference, depth=False, check=False)
    return OptimalTreeClassifier(
        leaf_penalty=leaf_penalty, max_depth=max_depth, guess=guess
    )


def spiral():
    """Two arms of fifty points each, as in Figure 6 of the paper."""
    turn = np.repeat(np.linspace(0.5, 3.5 * np.pi, 50), 2)
    arm = np.tile([0, 1], 50)
    radius = turn * np.where(arm == 1, 1, -1)
    return np.column_stack([radius * np.cos(turn), radius * np.sin(turn)]), arm


def read(name):
    """Return names, columns and labels of a data set; None where it is not there."""
    for suffix, opener in ((".csv", open), (".csv.gz", gzip.open)):
        path = DATA / f"{name}{suffix}"
        if path.exists():
            with opener(path, "rt", encoding="utf-8", newline="") as file:
                head, *rows = csv.reader(file)
            cells = np.array(rows, dtype=float)
            return head[:-1], cells[:, :-1], cells[:, -1].astype(int)
    print(
        f"{name} is not in {DATA}. Download it with "
        f"`python -m benchmarks data {name} --fetch`, or set OSTRYA_DATA to its folder."
    )
    return None


def training_rows(n_rows, fold):
    """Return which rows the other four of five folds hold."""
    order = np.random.default_rng(0).permutation(n_rows)
    is_training = np.ones(n_rows, dtype=bool)
    is_training[order[fold::5]] = False
    return is_training


def show(title, clf, path):
    """Print a tree with its report, and draw it."""
    report = clf.guess_
    print(
        f"\n{title}: {1 - clf.loss_:.3f} right, {clf.n_leaves_} leaves, {clf.status_}"
    )
    print(
        f"{report.n_thresholds_before} thresholds, {report.n_thresholds_after} kept; "
        f"reference {report.reference_score_before:.3f}; no tree over these thresholds "
        f"is better by more than {report.guarantee:.4f}"
    )
    print(clf.tree_)
    path.write_text(export_svg(clf.tree_), encoding="utf-8")
    print(f"drawn: {path}")


def draw_regions(clf, X, y, path):
    """Draw what the tree predicts everywhere, where matplotlib is installed."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return
    side = np.linspace(X.min() - 1, X.max() + 1, 200)
    across, up = np.meshgrid(side, side)
    shade = clf.predict(np.column_stack([across.ravel(), up.ravel()]))
    axes = Figure(figsize=(4, 4)).add_subplot()
    axes.contourf(across, up, shade.reshape(across.shape), levels=1, alpha=0.4)
    axes.scatter(X[:, 0], X[:, 1], c=y, s=12)
    axes.figure.savefig(path)
    print(f"drawn: {path}")


def main(folder):
    """Show all three; pictures go to the folder."""
    X, y = spiral()
    clf = guided(boosting(20, 3), 0.01, None).fit(X, y)
    show("Spiral", clf, folder / "spiral-tree.svg")
    draw_regions(clf, X, y, folder / "spiral.png")

    compas = read("compas")
    if compas is not None:
        names, X, y = compas
        rows = training_rows(len(y), fold=1)
        for depth in (3, 5):
            clf = guided(boosting(20, 3), 0.001, depth)
            clf.fit(named(X[rows], names), y[rows])
            show(f"COMPAS, depth {depth}", clf, folder / f"compas-{depth}.svg")
            print(f"test rows right: {clf.score(named(X[~rows], names), y[~rows]):.3f}")

    fico = read("fico")
    if fico is not None:
        names, X, y = fico
        labels = np.where(y == 1, "bad", "good")
        rows = training_rows(len(y), fold=4)
        for depth in (2, 5):
            clf = guided(boosting(40, 1), 0.001, depth)
            clf.fit(named(X[rows], names), labels[rows])
            test = clf.score(named(X[~rows], names), labels[~rows])
            train = 1 - clf.loss_
            print(f"\nFICO, depth {depth}: {train:.3f} right, on test rows {test:.3f}")
            print(export_rules(clf.tree_))
            print(f"\nIn short:\n{short_rules(clf.tree_, 'good', 'bad')}")


def short_rules(tree, label, other):
    """Return the rules of one of two labels, and the other for the rest: Table 8."""
    rules = [line.partition("   ")[0] for line in export_rules(tree).splitlines()]
    if len(rules) == 1:
        return rules[0]
    end = f" then {label}"
    wanted = [rule.removesuffix(end) for rule in rules if rule.endswith(end)]
    return "\nor ".join(wanted) + f"{end} else {other}" if wanted else f"always {other}"


def named(X, names):
    """Return a table with named columns, where pandas is installed."""
    try:
        import pandas as pd
    except ImportError:
        return X
    return pd.DataFrame(X, columns=names)


if __name__ == "__main__":
    place = Path(sys.argv[1] if len(sys.argv) > 1 else "ostrya-guesses")
    place.mkdir(parents=True, exist_ok=True)
    main(place)

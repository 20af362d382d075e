"""Trees to export: any shape, with words that mean trouble."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from ostrya import Tree

NASTY = [
    "<script>alert(1)</script>",
    "\"quoted\" & 'single' \\n {brace} [bracket] $x_1^2$ #3 ~ 50%",
    "]]>--><svg onload=x>",
    "naïve Größe 年齢 🌳",
    "\x00\x1b[31m\ud800\nsecond line\u202e",
    "",
]


def random_tree(n_leaves: int, n_classes: int = 3, n_features: int = 4, seed: int = 0):
    """Return a tree of random shape that 50 rows per leaf have been counted in."""
    chance = np.random.default_rng(seed)
    arrays = {name: [] for name in ("feature", "threshold", "yes", "no", "leaf")}

    def grow(leaves: int) -> int:
        node = len(arrays["feature"])
        splits = leaves > 1
        arrays["feature"].append(int(chance.integers(n_features)) if splits else -1)
        arrays["threshold"].append(float(chance.normal()) if splits else float("nan"))
        arrays["leaf"].append(not splits)
        arrays["yes"].append(-1)
        arrays["no"].append(-1)
        if splits:
            first = int(chance.integers(1, leaves))
            arrays["yes"][node] = grow(first)
            arrays["no"][node] = grow(leaves - first)
        return node

    grow(n_leaves)
    n_nodes = len(arrays["feature"])
    value = np.zeros((n_nodes, n_classes))
    for node in reversed(range(n_nodes)):
        if arrays["leaf"][node]:
            value[node] = chance.multinomial(50, chance.dirichlet(np.ones(n_classes)))
        else:
            value[node] = value[arrays["yes"][node]] + value[arrays["no"][node]]
    return Tree(
        **{name: arrays[name] for name in ("feature", "threshold", "yes", "no")},
        label=value.argmax(axis=1),
        value=value,
        n_samples=value.sum(axis=1),
        n_features=n_features,
    )


@st.composite
def trees(draw, most_leaves: int = 8):
    """Draw a tree of any shape, with one class or more."""
    return random_tree(
        draw(st.integers(1, most_leaves)),
        draw(st.integers(1, 4)),
        draw(st.integers(1, 4)),
        draw(st.integers(0, 2**32 - 1)),
    )

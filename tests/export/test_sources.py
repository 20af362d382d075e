"""Source for other drawing programs: well formed whatever the names are."""

from __future__ import annotations

import re

import numpy as np
import pytest

from export.trees import NASTY, random_tree
from ostrya import Tree
from ostrya.export import (
    Wording,
    export_graphviz,
    export_latex,
    export_rules,
    export_svg,
    export_text,
    from_json,
    to_json,
)
from test_tree import NAN, lone_leaf, make_tree

DOT_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


@pytest.mark.parametrize("name", NASTY)
def test_graphviz_keeps_names_inside_strings(name):
    source = export_graphviz(make_tree(), [name] * 2, [name] * 3)
    plain = export_graphviz(make_tree())
    assert DOT_STRING.sub("''", source) == DOT_STRING.sub("''", plain)
    assert '"' not in DOT_STRING.sub("", source)


def test_graphviz_edges_follow_the_wording():
    words = Wording(questions=["red", *[None] * 4], flipped=[1, 0, 0, 0, 0])
    source = export_graphviz(make_tree(), wording=words)
    assert '0 -> 4 [label="yes"]' in source
    assert '0 -> 1 [label="no"]' in source
    assert '1 -> 2 [label="yes"]' in source
    assert source.index("0 -> 4") < source.index("0 -> 1")


def test_graphviz_escapes_what_dot_would_read():
    source = export_graphviz(lone_leaf(), None, ["a", 'b\\N "q" &lt;'])
    assert r'"b\\N \"q\" &amp;lt;\n8 rows, 75% correct"' in source


def braces_balance(source):
    depth = 0
    for token in re.findall(r"\\.|[{}]", source, flags=re.DOTALL):
        depth += {"{": 1, "}": -1}.get(token, 0)
        assert depth >= 0
    return depth == 0


@pytest.mark.parametrize("name", NASTY)
def test_latex_is_balanced_and_escaped(name):
    source = export_latex(make_tree(), [name] * 2, [name] * 3)
    body = source.partition("\n")[2]
    assert braces_balance(body)
    assert not re.search(r"(?<!\\)[%&_~^]", body)


def test_latex_brackets_close_every_node():
    for n_leaves in (1, 2, 9):
        source = export_latex(random_tree(n_leaves, seed=n_leaves))
        tree = source[source.index("  [{") :]
        assert tree.count("[{") == 2 * n_leaves - 1 == tree.count("]")


def test_a_long_chain_is_exported_without_recursion():
    splits = 1500
    node = np.arange(2 * splits + 1)
    is_split = (node % 2 == 0) & (node < 2 * splits)
    tree = Tree(
        feature=np.where(is_split, 0, -1),
        threshold=np.where(is_split, node * 1.0, NAN),
        yes=np.where(is_split, node + 1, -1),
        no=np.where(is_split, node + 2, -1),
        label=np.zeros(len(node)),
        value=np.ones((len(node), 1)),
        n_samples=np.ones(len(node)),
        n_features=1,
    )
    assert export_rules(tree).count("\n") == splits
    drawing = export_text(tree).splitlines()
    assert sum(not line.endswith(" below") for line in drawing) == len(node)
    assert export_svg(tree).count("<g>") == len(node)
    assert export_graphviz(tree).count("->") == 2 * splits
    assert export_latex(tree).count("[{") == len(node)
    assert from_json(to_json(tree))[0] == tree


def test_latex_words():
    source = export_latex(make_tree(threshold=[-1.5, 1e-9, *[float("nan")] * 3]))
    assert r"{x0 $\leq -1.5$?\\" in source
    assert r"{x1 $\leq \mathrm{1e-09}$?\\" in source
    words = Wording(questions=["a <= b", *[None] * 4], flipped=[1, 1, 0, 0, 0])
    source = export_latex(make_tree(), wording=words)
    assert r"{a $\leq$ b?\\" in source
    assert r"{x1 $> 0$?\\" in source

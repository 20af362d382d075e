"""What stands under a picture: accuracy, objective and proof, when asked for."""

from __future__ import annotations

import numpy as np
import pytest

import ostrya
from ostrya import OptimalTreeClassifier, TopKTreeClassifier
from ostrya.export import (
    export_graphviz,
    export_html,
    export_latex,
    export_rules,
    export_svg,
    export_text,
    plot_tree,
)
from test_tree import make_tree

X = np.arange(20.0).reshape(-1, 1)
Y = np.where((X[:, 0] > 7) & (X[:, 0] != 15), "old", "young")
EXPORTERS = [
    *(export_text, export_rules, export_svg, export_html),
    *(export_graphviz, export_latex),
]
PLAIN = {"\\%": "%", "{-}": "-", "\\l": "\n"}


@pytest.fixture(scope="module")
def clf():
    return OptimalTreeClassifier(leaf_penalty=0.06).fit(X, Y)


def plain(text):
    for sign, meant in PLAIN.items():
        text = text.replace(sign, meant)
    return text


@pytest.mark.parametrize("export", EXPORTERS)
def test_every_exporter_tells_accuracy_objective_and_proof(export, clf):
    told = plain(export(clf, caption=True))
    assert "95.00% of 20 training rows correct" in told
    assert "2 leaves, objective 0.1700 = loss 0.0500 + 0.06 x 2" in told
    assert "Proved: no tree within these limits has a lower objective." in told
    assert "training rows" not in export(clf)


@pytest.mark.parametrize("export", EXPORTERS)
def test_a_caption_may_be_any_text(export):
    told = plain(export(make_tree(), caption="50% of it\nis <mine>"))
    assert "50% of it" in told
    is_markup = export in (export_svg, export_html, export_latex)
    assert ("is <mine>" in told) != is_markup
    assert "training rows" not in told


def test_a_plot_has_its_caption_below_all_else(clf):
    pytest.importorskip("matplotlib").use("Agg")
    from matplotlib import pyplot

    ax = plot_tree(clf, caption=True)
    places = {text.get_text(): text.get_position()[1] for text in ax.texts}
    lowest = sorted(places, key=places.get)[-3:]
    assert lowest[0].startswith("95.00% of 20")
    assert lowest[2].startswith("Proved")
    pyplot.close("all")


def test_long_captions_keep_to_the_width_of_the_picture(clf):
    from ostrya.export.layout import lay_out
    from ostrya.export.wording import Wording

    words = Wording().of(clf.tree_)
    layout = lay_out(words, ["word " * 60])
    assert len(layout.caption) > 3
    assert layout.height > lay_out(words).height + 3 * 14
    assert layout.width < 2 * lay_out(words).width


def test_outcomes_are_exported_like_classifiers():
    outcome = ostrya.solve(X, (Y == "old").astype(int), leaf_penalty=0.06)
    told = export_text(outcome, ["age"], ["young", "old"], caption=True)
    assert told.startswith("age <= 7.5?")
    assert "objective 0.1700" in told


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (
            TopKTreeClassifier(leaf_penalty=0.01, k=2, max_depth=1),
            "Proved for the 2 best splits of each node",
        ),
        (
            TopKTreeClassifier(leaf_penalty=0.01, k=[3, 1], max_depth=1),
            "Proved for the k best splits of each node",
        ),
        (
            OptimalTreeClassifier(leaf_penalty=0.06, class_weight={"old": 3}),
            "the weight of 20 trai",
        ),
        (
            OptimalTreeClassifier(leaf_penalty=0.9, max_leaf_nodes=1),
            "1 leaf, objective",
        ),
    ],
)
def test_captions_claim_what_is_known(made, words):
    chance = np.random.default_rng(0)
    rows = np.hstack([X, chance.normal(size=(20, 3))])
    assert words in export_text(made.fit(rows, Y), caption=True)


@pytest.mark.filterwarnings("ignore::ostrya.exceptions.ReferenceWarning")
def test_guesses_are_told():
    for guess, words in (
        ("depth", "Proved within the guessed depth of "),
        ("thresholds", "Proved over the 1 threshold that the reference model kept: no"),
        ("bounds", "Not proved optimal, because lower bounds were guessed: no tree"),
    ):
        made = OptimalTreeClassifier(leaf_penalty=0.06, guess=guess).fit(X, Y)
        assert words in export_text(made, caption=True)


def test_a_stop_before_the_proof_is_told(clf):
    chance = np.random.default_rng(0)
    made = OptimalTreeClassifier(leaf_penalty=0.0005, max_depth=9)
    rows, labels = chance.normal(size=(600, 12)), chance.integers(0, 2, 600)
    with pytest.warns(ostrya.OptimalityWarning):
        made.fit(rows, labels, on_progress=lambda _: True)
    told = export_text(made, caption=True)
    assert "Not proved (stopped by Ctrl-C): the optimal objective lies in [" in told


def test_what_a_file_claims_is_told_as_a_claim(clf, tmp_path):
    clf.save(tmp_path / "m.json")
    again = OptimalTreeClassifier.load(tmp_path / "m.json")
    assert "According to the model file, proved: no tree" in export_text(
        again, caption=True
    )


def test_captions_out_of_order_are_refused(clf):
    with pytest.raises(ValueError, match="caption must be a string for a Tree"):
        export_svg(clf.tree_, caption=True)
    with pytest.raises(TypeError, match="caption must be True, False or a string; got"):
        export_svg(clf, caption=3)

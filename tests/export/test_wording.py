"""Words: names, given questions, flipped branches, numbers; and rules made of them."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import pytest

from ostrya import OptimalTreeClassifier, solve
from ostrya.export import Wording, export_rules, export_text
from ostrya.export.wording import percent
from ostrya.preprocessing import ThresholdBinarizer
from test_tree import NAN, lone_leaf, make_tree

COLOURS = Wording(
    feature_names=["red", "debt"],
    class_names=["poor", "fair", "good"],
    questions=["colour = red", None, None, None, None],
    denials=["colour is not red", None, None, None, None],
    flipped=[True, False, False, False, False],
)


def test_given_questions_and_flipped_branches():
    assert export_text(make_tree(), wording=COLOURS).splitlines() == [
        "colour = red?",
        "├─ yes: good      4 rows, 100% correct",
        "└─ no:  debt <= 0?",
        "   ├─ yes: poor   3 rows, 100% correct",
        "   └─ no:  fair   2 rows, 100% correct",
    ]


def test_rules_speak_of_denials():
    rules = export_rules(make_tree(), wording=COLOURS).splitlines()
    assert [" ".join(rule.split()) for rule in rules] == [
        "if colour = red then good (4 rows, 100% correct)",
        "if colour is not red and debt <= 0 then poor (3 rows, 100% correct)",
        "if colour is not red and debt > 0 then fair (2 rows, 100% correct)",
    ]
    assert len({rule.index("(") for rule in rules}) == 1


def test_a_flipped_plain_question_turns_its_sign():
    words = Wording(flipped=[True] + 4 * [False])
    assert export_text(make_tree(), wording=words).startswith(
        "x0 > 1.5?\n├─ yes: class 2"
    )
    assert "if x0 > 1.5 then class 2" in export_rules(make_tree(), wording=words)
    assert "if x0 <= 1.5 and x1 > 0 then class 1" in export_rules(
        make_tree(), wording=words
    )


def test_a_question_without_denial_is_negated():
    words = Wording(questions=["old", "poor", None, None, None])
    assert (
        export_rules(make_tree(), wording=words)
        .splitlines()[1]
        .startswith("if old and not (poor) then class 1")
    )


def test_rules_leave_out_what_is_implied():
    tree = make_tree(feature=[0, 0, -1, -1, -1])
    assert [line.split(" then")[0] for line in export_rules(tree).splitlines()] == [
        "if x0 <= 0",
        "if x0 <= 1.5 and x0 > 0",
        "if x0 > 1.5",
    ]


def test_the_rule_of_a_lone_leaf_always_holds():
    assert export_rules(lone_leaf()) == "always class 1   (8 rows, 75% correct)"


@pytest.mark.parametrize(
    ("thresholds", "words"),
    [
        ((1.5, 0.1 + 0.2), ("x0 <= 1.5", "x0 <= 0.3")),
        ((1234567.5, 0.5), ("x0 <= 1234567.5", "x0 <= 0.5")),
        ((0.12345678, 0.12345671), ("x0 <= 0.1234568", "x0 <= 0.1234567")),
        ((1e300, -0.0), ("x0 <= 1e+300", "x0 <= 0")),
    ],
)
def test_thresholds_are_short_and_told_apart(thresholds, words):
    tree = make_tree(feature=[0, 0, -1, -1, -1], threshold=[*thresholds, NAN, NAN, NAN])
    assert all(f"{word}?" in str(tree) for word in words)


def test_names_stay_on_their_line():
    drawing = export_text(
        make_tree(), ["two\nlines", "bell\a"], ["a\tb", "c", "\ud800"]
    )
    assert drawing.count("\n") == 4
    assert "two lines" in drawing
    assert "\a" not in drawing
    drawing.encode("utf-8")


def test_shares_are_not_rounded_to_all_or_none():
    assert [percent(share) for share in (0, 0.001, 0.5, 0.9999, 1)] == [
        "0%", "<1%", "50%", ">99%", "100%",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (
            {"questions": ["a"]},
            r"questions must have one text per node \(5\); got 1",
        ),
        ({"flipped": [True]}, r"flipped must have one flag per node \(5\); got 1"),
        ({"denials": []}, r"denials must have one text per node \(5\); got 0"),
    ],
)
def test_words_for_another_tree_are_turned_away(names, words):
    with pytest.raises(ValueError, match=words):
        export_text(make_tree(), wording=Wording(**names))


def test_wrong_arguments_are_turned_away():
    with pytest.raises(TypeError, match="feature_names must be a sequence of strings"):
        export_text(make_tree(), "ab")
    with pytest.raises(TypeError, match=r"tree must be .* got dict"):
        export_text({})
    with pytest.raises(ValueError, match="must not be combined"):
        export_text(make_tree(), ["a", "b"], wording=Wording())


def test_wordings_are_values():
    twin = pickle.loads(pickle.dumps(COLOURS))
    assert twin == COLOURS
    assert hash(twin) == hash(COLOURS)
    assert Wording(class_names=[-1, 0.5]).class_names == ("-1", "0.5")


def test_columns_named_after_questions_ask_them():
    binarizer = ThresholdBinarizer()
    rows = [[20, "red"], [31, "red"], [25, "blue"], [40, "blue"], [33, None]]
    columns = binarizer.fit_transform(rows)
    labels = [0, 1, 0, 0, 1]
    names = binarizer.get_feature_names_out()
    frame = pd.DataFrame(columns, columns=names)
    outcome = solve(columns, labels, leaf_penalty=0.05)
    clf = OptimalTreeClassifier(leaf_penalty=0.05).fit(frame, labels)
    for told in (export_text(outcome, names), export_text(clf), str(clf.tree_)):
        assert "<= 0.5" not in told
        for name in names:
            if name in told:
                assert f"{name}?" in told
    # Each row goes where the words say.
    rules = export_rules(clf).splitlines()
    for answers, label in zip(frame.to_dict("records"), labels, strict=True):
        held = [rule for rule in rules if _holds(rule, answers)]
        assert len(held) == 1
        assert f" then {label} " in " ".join(held[0].split())


def _holds(rule, answers):
    conditions = rule.partition(" then")[0].removeprefix("if ").split(" and ")
    return all(
        not answers[condition[5:-1]]
        if condition.startswith("not (")
        else answers[condition]
        for condition in conditions
    )


@pytest.mark.parametrize(
    ("name", "threshold", "question"),
    [
        ("age <= 25.5", 0.5, "age <= 25.5?"),
        ("age <= -1e-05", 0.5, "age <= -1e-05?"),
        ("colour = red", 0.5, "colour = red?"),
        ("income is missing", 0.5, "income is missing?"),
        ("age <= 25.5", 0.7, "age <= 25.5 <= 0.7?"),
        ("age", 0.5, "age <= 0.5?"),
        ("signup <= 2023-09-08", 0.5, "signup <= 2023-09-08?"),
        ("city in {Bonn, Ulm}", 0.5, "city in {Bonn, Ulm}?"),
        ("age <=", 0.5, "age <= <= 0.5?"),
    ],
)
def test_only_names_that_are_questions_are_taken_for_them(name, threshold, question):
    tree = make_tree(threshold=[threshold, 0.0, NAN, NAN, NAN])
    assert export_text(tree, [name, "b"]).startswith(question)


def test_a_column_asked_twice_is_no_answer():
    tree = make_tree(feature=[0, 0, -1, -1, -1], threshold=[0.5, 0.2, NAN, NAN, NAN])
    assert "age <= 9 <= 0.5?" in export_text(tree, ["age <= 9", "b"])


def test_answers_that_are_missing_themselves_are_left_as_they_are():
    rows = pd.DataFrame({"age <= 9": [0.0, 1.0, np.nan, 1.0], "b": [1, 2, 3, 4]})
    clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(rows, [0, 1, 1, 1])
    assert export_text(clf).startswith("age <= 9 <= 0.5?")


def test_integers_are_names_of_columns():
    assert "x1 <= 0?" in export_text(make_tree(), [0, 1])
    assert "column 7 <= 0?" in export_text(make_tree(), np.array([5, 7]))

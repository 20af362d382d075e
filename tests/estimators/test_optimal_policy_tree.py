"""Policy trees: rewards in, actions out, with everything around them."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone, is_classifier
from sklearn.model_selection import GridSearchCV, cross_val_score

from oracle import Problem, optimum
from ostrya import OptimalityWarning, OptimalPolicyTree
from ostrya.export import (
    export_graphviz,
    export_latex,
    export_rules,
    export_svg,
    export_text,
    from_json,
    to_json,
    to_python,
    to_sql,
)


def patients(n=400, seed=0):
    """A table of all kinds of columns, and rewards of three treatments."""
    rng = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "age": rng.integers(20, 80, n),
            "city": rng.choice(list("abcdef"), n),
            "dose": rng.normal(size=n).round(2),
        }
    )
    X.loc[::7, "dose"] = np.nan
    rewards = rng.normal(size=(n, 3))
    rewards[:, 1] += X.age > 50
    rewards[:, 2] += np.where(X.city == "a", 1.5, -0.3)
    return X, pd.DataFrame(rewards, columns=["none", "drug", "surgery"])


@pytest.fixture(scope="module")
def fitted():
    X, rewards = patients()
    return OptimalPolicyTree(max_depth=3).fit(X, rewards), X, rewards


@given(
    st.lists(
        st.tuples(
            st.integers(0, 4),
            st.integers(0, 4),
            st.lists(st.integers(-9, 9), min_size=3, max_size=3),
            st.integers(0, 2),
        ),
        min_size=2,
        max_size=9,
    ).filter(lambda rows: any(row[3] for row in rows)),
    st.integers(0, 2),
)
def test_the_mean_reward_is_that_of_brute_force(rows, depth):
    X = [row[:2] for row in rows]
    rewards, weights = [row[2] for row in rows], [row[3] for row in rows]
    policy = OptimalPolicyTree(max_depth=depth, leaf_penalty=0.5)
    policy.fit(X, rewards, weights)
    kept = [k for k, weight in enumerate(weights) if weight]
    n = len(kept)
    costs = [tuple(9 - reward for reward in rewards[k]) for k in kept]
    width = max(n, 3)
    costs = [row + (10**6,) * (width - 3) for row in costs]
    costs += [(10**6,) * width] * (width - n)
    weight = tuple(2 * weights[k] for k in kept)
    problem = Problem(
        tuple(X[k] for k in kept),
        tuple(range(n)),
        weight,
        tuple(costs),
        penalty=sum(weight) // 2,
        max_depth=depth,
    )
    best = optimum(problem).cost / sum(weight) - 9
    assert policy.objective_ == pytest.approx(best, abs=1e-12)
    assert policy.status_ in ("optimal", "optimal_to_rounding")
    assert policy.mean_reward_ == pytest.approx(
        policy.score(X, rewards, weights), abs=1e-12
    )


def test_what_is_fitted(fitted):
    policy, X, rewards = fitted
    assert not is_classifier(policy)
    assert policy.actions_.tolist() == ["none", "drug", "surgery"]
    assert set(policy.predict(X)) == {"none", "drug", "surgery"}
    assert policy.status_ == "optimal_to_rounding"
    assert 0 <= policy.gap_ < 1e-9
    assert policy.score(X, rewards) == pytest.approx(policy.mean_reward_)
    assert policy.objective_ == pytest.approx(
        policy.leaf_penalty_ * policy.n_leaves_ - policy.mean_reward_
    )
    assert policy.feature_importances_.sum() == pytest.approx(1)
    assert not hasattr(policy, "predict_proba")
    ranges = rewards.max(axis=1) - rewards.min(axis=1)
    assert policy.leaf_penalty_ == pytest.approx(0.01 * ranges.mean())


def test_rewards_of_one_for_the_label_give_the_tree_of_a_classifier():
    from ostrya import OptimalTreeClassifier

    X, rewards = patients()
    y = np.asarray(rewards).argmax(axis=1)
    policy = OptimalPolicyTree(max_depth=2).fit(X, np.eye(3)[y])
    classifier = OptimalTreeClassifier(max_depth=2).fit(X, y)
    assert policy.leaf_penalty_ == classifier.leaf_penalty_
    assert policy.objective_ == pytest.approx(classifier.objective_ - 1)
    assert (policy.predict(X) == classifier.predict(X)).all()


def test_files_hold_the_policy(fitted, tmp_path):
    policy, X, _ = fitted
    policy.save(tmp_path / "policy.json")
    again = OptimalPolicyTree.load(tmp_path / "policy.json")
    assert again.tree_ == policy.tree_
    assert again.result_from_file_
    assert again.mean_reward_ == policy.mean_reward_
    assert again.actions_.tolist() == policy.actions_.tolist()
    assert (again.predict(X) == policy.predict(X)).all()
    assert "According to the model file" in str(again).replace("according", "According")
    assert (pickle.loads(pickle.dumps(policy)).predict(X) == policy.predict(X)).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda tree: tree["costs"][0].__setitem__(0, 5.0), r"tree.costs\[0\]"),
        (lambda tree: tree["label"].__setitem__(1, 0), r"tree.label\[1\]"),
        (lambda tree: tree.pop("shows_rewards"), "only be set for policy trees"),
        (lambda tree: (tree.pop("costs"), tree.pop("shows_rewards")), "leaf_penalty"),
        (lambda tree: tree["costs"].pop(), "costs must have shape"),
    ],
)
def test_a_file_that_contradicts_itself_is_refused(fitted, change, message):
    from ostrya.estimators import model_read, model_write
    from ostrya.estimators.model_format import digest

    document = model_write.to_document(fitted[0])
    assert document["tree"]["label"][1] == 2
    change(document["tree"])
    document["digest"] = digest(document)
    with pytest.raises(ValueError, match=message):
        model_read.restore(OptimalPolicyTree, document)


def test_the_tree_is_shown_with_rewards(fitted):
    policy, X, _ = fitted
    for text in (str(policy), export_text(policy), export_rules(policy)):
        assert "mean reward" in text
        assert "correct" not in text
    assert "Mean reward 0." in export_text(policy, caption=True)
    for export in (export_graphviz, export_latex, export_svg, to_python, to_sql):
        assert "surgery" in export(policy)
    assert from_json(to_json(policy))[0] == policy.tree_
    model = policy.to_sklearn()
    assert (model.predict(X) == policy.predict(X)).all()
    assert "mean reward" in policy._repr_html_().lower()


def test_the_report_shows_rewards(fitted, tmp_path):
    policy, X, rewards = fitted
    policy.report(tmp_path / "page.html", X, rewards)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Given rows, mean reward" in page
    assert "of the best single leaf" in page


def test_policies_take_part_in_searches_of_parameters(fitted):
    _, X, rewards = fitted
    grid = GridSearchCV(OptimalPolicyTree(max_depth=2), {"leaf_penalty": [0.01, 9]})
    assert grid.fit(X, rewards).best_params_ == {"leaf_penalty": 0.01}
    assert cross_val_score(clone(grid.estimator), X, rewards).mean() > 0.3


def test_frames_of_other_libraries_and_arrays_are_read_alike(fitted):
    policy, X, rewards = fitted
    of_polars = OptimalPolicyTree(max_depth=3)
    of_polars.fit(pl.from_pandas(X), pl.from_pandas(rewards))
    assert of_polars.tree_ == policy.tree_
    of_array = OptimalPolicyTree(max_depth=3).fit(X, rewards.to_numpy())
    assert of_array.actions_.tolist() == [0, 1, 2]
    assert of_array.objective_ == policy.objective_


def test_a_search_that_stops_warns_and_keeps_its_bounds():
    X, rewards = patients(2000)
    policy = OptimalPolicyTree(max_depth=None, leaf_penalty=0, time_limit=1e-9)
    with pytest.warns(OptimalityWarning, match=r"a longer time_limit"):
        policy.fit(X, rewards)
    assert policy.status_ == "time_limit"
    assert policy.lower_bound_ <= policy.objective_


@pytest.mark.parametrize(
    ("rewards", "message"),
    [
        ([[1.0], [2.0]], "at least two columns"),
        ([[1.0, 2.0]], "one row per row of X"),
        ([1.0, 2.0], "2 dimensions"),
        ([[1.0, np.inf], [1.0, 2.0]], "finite numbers"),
        (pd.DataFrame([[1, 2], [3, 4]], columns=["a", "a"]), "same name|unique"),
    ],
)
def test_wrong_rewards_are_refused(rewards, message):
    with pytest.raises(ValueError, match=message):
        OptimalPolicyTree().fit([[0], [1]], rewards)


def test_score_wants_the_columns_of_fit(fitted):
    policy, X, rewards = fitted
    with pytest.raises(ValueError, match=r"one column per action \(3\); got 2"):
        policy.score(X, rewards.iloc[:, :2])

"""A lazy table gives the tree that its rows would give in memory."""

from __future__ import annotations

import datetime

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone

import ostrya
from lazy_engines import every_engine, in_polars
from ostrya import OptimalTreeClassifier, TopKTreeClassifier
from ostrya.guesses import Guess, ThresholdGuess


def tree(leaf_penalty=0.02, **parameters):
    """Return a classifier that takes its time."""
    parameters = {"max_depth": 2, "time_limit": None, **parameters}
    return OptimalTreeClassifier(leaf_penalty=leaf_penalty, **parameters)


NOON = datetime.datetime(2024, 5, 1, 12)


def cars(n_rows=400, seed=0):
    """Columns of every kind, some of them with gaps."""
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": rng.integers(18, 30, n_rows),
            "price of it": rng.random(n_rows).round(1),
            'co"lour': rng.choice(["red", "blue", "green", "grey", "pink"], n_rows),
            "select": rng.random(n_rows) < 0.5,
            "seen": [
                NOON + datetime.timedelta(hours=int(h))
                for h in rng.integers(0, 9, n_rows)
            ],
            "day": [
                NOON.date() + datetime.timedelta(days=int(d))
                for d in rng.integers(0, 5, n_rows)
            ],
            "wait": [
                datetime.timedelta(minutes=int(m)) for m in rng.integers(0, 6, n_rows)
            ],
        }
    )
    is_old, is_red = frame["age"] > 24, frame['co"lour'].is_in(["red", "pink"])
    label = (is_old ^ is_red).to_numpy() ^ (rng.random(n_rows) < 0.1)
    frame = frame.with_columns(label=np.where(label, "yes", "no"))
    return frame.with_columns(
        pl.when(pl.Series(rng.random(n_rows) < 0.9)).then(pl.col(name)).alias(name)
        for name in ("price of it", 'co"lour', "seen")
    )


TIMES = ("seen", "day", "wait")  # which narwhals cannot ask Ibis about


def of_engine(engine, frame):
    return frame.drop(TIMES) if engine.__name__ == "in_ibis" else frame


def require_same(lazy, eager):
    require_same_optimum(lazy, eager)
    assert lazy.tree_.to_dict() == eager.tree_.to_dict()


def require_same_optimum(lazy, eager):
    """Compare all but the tree: of several that are optimal either may be found."""
    assert lazy.status_ == eager.status_
    assert lazy.objective_ == eager.objective_
    assert lazy.lower_bound_ == eager.lower_bound_
    assert lazy.encoder_.features == eager.encoder_.features
    assert lazy.classes_.tolist() == eager.classes_.tolist()
    assert lazy.feature_names_in_.tolist() == eager.feature_names_in_.tolist()


@every_engine()
@pytest.mark.parametrize(
    "parameters",
    [{}, {"min_samples_leaf": 60}, {"objective": "f1", "max_depth": 2}],
    ids=["plain", "large-leaves", "f1"],
)
def test_the_tree_is_that_of_the_rows_in_memory(engine, parameters):
    frame = of_engine(engine, cars())
    clf = tree(**parameters)
    rows = frame.drop("label")
    eager = clone(clf).fit(rows, frame["label"])
    lazy = clf.fit(engine(frame), "label")
    require_same(lazy, eager)
    assert (lazy.predict(rows) == eager.predict(rows)).all()
    assert lazy.compression_.are_all
    assert lazy.compression_.n_rows == lazy.tree_.n_samples[0] == len(frame)


@every_engine()
def test_weights_are_a_column(engine):
    rng = np.random.default_rng(1)
    frame = of_engine(engine, cars()).with_columns(w=rng.integers(0, 4, 400))
    rows = frame.drop("label", "w")
    eager = tree()
    eager.fit(rows, frame["label"], frame["w"].to_numpy())
    lazy = tree().fit(engine(frame), "label", "w")
    require_same(lazy, eager)


@every_engine("polars", "duckdb", "dask")
def test_class_weights_and_costs_are_those_of_the_rows(engine):
    frame = cars()
    for parameters in ({"class_weight": "balanced"}, {"cost_matrix": [[0, 1], [3, 0]]}):
        clf = tree(**parameters)
        rows = frame.drop("label")
        eager = clone(clf).fit(rows, frame["label"])
        lazy = clf.fit(engine(frame), "label")
        assert lazy.objective_ == pytest.approx(eager.objective_, rel=1e-12)
        assert lazy.tree_.questions == eager.tree_.questions


cells = st.fixed_dictionaries(
    {
        "n": st.one_of(st.none(), st.sampled_from([-0.0, 0.0, 1.5, 2.0, float("nan")])),
        "whole": st.integers(0, 3),
        "level": st.one_of(st.none(), st.sampled_from(["a", "b", "c", "d", "7"])),
        "flag": st.one_of(st.none(), st.booleans()),
        "y": st.sampled_from(["p", "q", "r"]),
    }
)
SCHEMA = {
    "n": pl.Float64,
    "whole": pl.Int32,
    "level": pl.String,
    "flag": pl.Boolean,
    "y": pl.String,
}


@every_engine("polars", "duckdb")
@given(rows=st.lists(cells, min_size=1, max_size=25), times=st.integers(1, 3))
@settings(max_examples=15, deadline=None)
@pytest.mark.filterwarnings("ignore::ostrya.TableWarning")
def test_random_tables_give_the_optimum_of_their_rows(engine, rows, times):
    frame = pl.DataFrame(rows * times, schema=SCHEMA)
    eager = tree(0.05).fit(frame.drop("y"), frame["y"])
    lazy = tree(0.05).fit(engine(frame), "y")
    require_same_optimum(lazy, eager)
    is_wrong = lazy.predict(frame.drop("y")) != frame["y"].to_numpy()
    assert is_wrong.mean() == pytest.approx(lazy.loss_)
    assert lazy.tree_.n_samples[0] == len(frame)


@every_engine("polars", "duckdb", "dask")
def test_cut_columns_are_searched_over_these_thresholds(engine):
    frame = cars(1000)
    compressed = ostrya.preprocessing.compress(
        engine(frame), "label", thresholds={"age": [20, 24]}
    )
    clf = tree().fit(compressed)
    assert clf.status_ == "optimal_in_selected_thresholds"
    assert clf.gap_ == 0
    assert clf.compression_.n_thresholds == {"age": 2}
    asked = [q for q in clf.tree_.questions if q.startswith("age")]
    assert set(asked) <= {"age <= 20.5", "age <= 24.5"}
    assert asked
    assert "2 of age" in ostrya.export.caption.proof(clf)

    # In memory, over the same thresholds.
    age = (pl.col("age") > 20).cast(pl.Int64) + (pl.col("age") > 24).cast(pl.Int64)
    cut = frame.with_columns(age=age).drop("label")
    same = tree().fit(cut, frame["label"])
    assert clf.objective_ == same.objective_
    assert (clf.predict(frame.drop("label")) == same.predict(cut)).all()


def test_groups_in_memory_have_the_same_objective():
    compressed = ostrya.preprocessing.compress(cars(1000), "label", thresholds=2)
    clf = tree(max_depth=3).fit(compressed)
    same = tree(max_depth=3)
    same.fit(compressed.to_table(), compressed.labels, compressed.counts)
    assert clf.objective_ == same.objective_
    assert clf.tree_.n_samples[0] == 1000


def test_model_files_keep_what_was_searched(tmp_path):
    clf = tree()
    clf.fit(ostrya.preprocessing.compress(cars(), "label", thresholds=1))
    clf.save(tmp_path / "model.json")
    loaded = OptimalTreeClassifier.load(tmp_path / "model.json")
    assert loaded.compression_ == clf.compression_
    assert loaded.status_ == "optimal_in_selected_thresholds"
    rows = cars().drop("label")
    assert (loaded.predict(rows) == clf.predict(rows)).all()


def test_thresholds_are_guessed_from_a_sample():
    frame = cars(2000)
    clf = tree(guess="thresholds")
    clf.fit(frame.lazy(), "label")
    assert clf.status_ == "optimal_in_guessed_thresholds"
    assert clf.compression_.n_thresholds["age"] < 11
    assert clf.guess_.gap_of_all_thresholds is None, "not all thresholds were there"
    exact = tree().fit(frame.lazy(), "label")
    assert clf.objective_ >= exact.objective_


def test_a_fitted_guess_gives_its_thresholds():
    frame = cars(500)
    guess = ThresholdGuess().fit(frame.drop("label"), frame["label"])
    compressed = ostrya.preprocessing.compress(frame.lazy(), "label", thresholds=guess)
    kept = {
        guess.encoder_.features[guess.encoder_.source[column]].name
        for column, _ in guess.questions_
        if guess.encoder_.is_measured(column)
    }
    assert {n for n, t in compressed.thresholds.items() if len(t)} <= kept


def test_a_fitted_reference_is_refused():
    frame = cars()
    fitted = tree(max_depth=1).fit(frame.drop("label"), frame["label"])
    clf = OptimalTreeClassifier(guess=Guess(fitted))
    with pytest.raises(ValueError, match="not fitted if X is lazy"):
        clf.fit(frame.lazy(), "label")


def test_order_of_rows_is_nothing():
    frame = cars()
    shuffled = frame.sample(fraction=1.0, shuffle=True, seed=3)
    one, other = (
        ostrya.preprocessing.compress(each.lazy(), "label", thresholds=3)
        for each in (frame, shuffled)
    )
    assert one.counts.tolist() == other.counts.tolist()
    assert one.labels.tolist() == other.labels.tolist()
    assert one.to_table().equals(other.to_table())


def test_too_little_time_gives_a_tree():
    clf = OptimalTreeClassifier(leaf_penalty=0.001, max_depth=None, time_limit=1e-6)
    with pytest.warns(ostrya.OptimalityWarning):
        clf.fit(cars().lazy(), "label")
    assert clf.status_ == "time_limit"


def test_progress_is_told_while_the_engine_counts():
    seen = []
    clf = tree(max_depth=1)
    clf.fit(cars().lazy(), "label", on_progress=lambda p: seen.append(p.phase))
    assert seen[0] == "preparing"


def test_labels_beside_compressed_tables_are_refused():
    compressed = ostrya.preprocessing.compress(cars(), "label")
    with pytest.raises(
        ValueError, match="y and sample_weight must be None if X is compressed"
    ):
        OptimalTreeClassifier().fit(compressed, "label")


def test_other_estimators_say_what_to_do():
    with pytest.raises(TypeError, match=r"Call its collect\(\) method"):
        TopKTreeClassifier().fit(cars().lazy(), "label")
    clf = tree(max_depth=1).fit(in_polars(cars()), "label")
    with pytest.raises(TypeError, match=r"Call its collect\(\) method"):
        clf.predict(cars().lazy())


def test_dask_workers_in_processes_of_their_own_count_the_same():
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    dd = pytest.importorskip("dask.dataframe", reason="Dask is not installed")
    frame = cars(300).drop(TIMES)
    eager = tree()
    eager.fit(frame.drop("label"), frame["label"])
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster),
    ):
        table = dd.from_pandas(frame.to_pandas(), npartitions=4, sort=False)
        lazy = tree().fit(table, "label")
    require_same(lazy, eager)

"""Tables from Python packages: which column is predicted, and what a record holds."""

import numpy as np
import pytest

pd = pytest.importorskip("pandas")
tables = pytest.importorskip("benchmarks.unseen.tables")
fit = pytest.importorskip("benchmarks.unseen.fit")
command = pytest.importorskip("benchmarks.unseen.command")

ROWS = 60


def frame(**columns):
    return pd.DataFrame({"x": np.arange(ROWS) / 7, **columns})


def test_words_are_predicted_before_numbers():
    words, codes = ["a", "b"] * (ROWS // 2), [1, 2] * (ROWS // 2)
    assert tables.target_of(frame(words=words, codes=codes)) == "words"
    assert tables.target_of(frame(codes=codes)) == "codes"


def test_measurements_and_short_tables_have_no_target():
    assert tables.target_of(frame()) is None
    assert tables.target_of(frame(size=[0.5, 1.5] * (ROWS // 2))) is None
    few = pd.DataFrame({"x": range(10), "word": ["a", "b"] * 5})
    assert tables.target_of(few) is None


def test_rows_without_a_label_are_left_out(tmp_path):
    words = ["a", "b", None] * (ROWS // 3) + ["a"] * ROWS
    path = tmp_path / "some.csv"
    frame(words=words[:ROWS]).to_csv(path, index=False)
    assert tables.read("some", path) is None  # too few labels are left
    pd.DataFrame({"x": range(len(words)), "word": words}).to_csv(path, index=False)
    assert len(tables.read("some", path).y) == 100


def test_a_fit_is_recounted():
    words = ["a"] * (ROWS // 2) + ["b"] * (ROWS // 2)
    record = fit.fit(tables.RawTable("half", frame(), pd.Series(words), "word"))
    assert (record["status"], record["leaves"]) == ("optimal", 2)


def test_faults_are_counted_apart(tmp_path):
    output = tmp_path / "unseen.jsonl"
    command.ledger.append(output, {"table": "t", "fault": "ValueError: y"})
    assert next(command.summary(output)) == "1 tables, 1 faults"

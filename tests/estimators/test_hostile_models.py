"""Model files out of all proportion: shown soon, or refused in few words."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

import ostrya
from estimators.test_model_claims import load
from estimators.test_model_files import changed, signed
from ostrya import OptimalTreeClassifier


def deep_model(n_splits):
    """Return the content of a file whose tree is one chain, by the rules of a file."""
    n_nodes = 2 * n_splits + 1
    is_split = [node % 2 == 0 and node < 2 * n_splits for node in range(n_nodes)]
    value = [[0.0, 0.0] for _ in range(n_nodes)]
    n_samples = [1] * n_nodes
    for node in reversed(range(n_nodes)):
        if is_split[node]:
            pairs = zip(value[node + 1], value[node + 2], strict=True)
            value[node] = [a + b for a, b in pairs]
            n_samples[node] = n_samples[node + 1] + n_samples[node + 2]
        else:
            value[node][node // 2 % 2] = 1.0
    tree = {
        "format": "ostrya.tree",
        "version": 1,
        "n_features": 1,
        "feature": [0 if split else -1 for split in is_split],
        "threshold": [node / 2 + 0.5 if s else None for node, s in enumerate(is_split)],
        "yes": [node + 1 if split else -1 for node, split in enumerate(is_split)],
        "no": [node + 2 if split else -1 for node, split in enumerate(is_split)],
        "label": [int(b > a) for a, b in value],
        "value": value,
        "n_samples": n_samples,
    }
    column = {"name": "x", "kind": "number", "has_missing": False}
    result = dict.fromkeys(("objective", "loss", "lower_bound", "gap"), 0.0)
    return signed(
        {
            "format": "ostrya.model",
            "version": 2,
            "estimator": "OptimalTreeClassifier",
            "parameters": {"leaf_penalty": 0.0},
            "columns": [{**column, "largest": float(n_splits), "levels": []}],
            "columns_are_named": True,
            "classes": {"dtype": "int64", "labels": [0, 1]},
            "tree": tree,
            "result": {
                **result,
                "status": "optimal",
                "trace": [],
                "feature_importances": [1.0],
            },
        }
    )


@pytest.mark.parametrize(
    "arguments", [["show"], ["show", "--rules"], ["show", "--json"]], ids=str
)
def test_a_chain_of_5000_splits_is_shown_soon(arguments, tmp_path):
    """With work that grows with the square of the depth this took a minute or more."""
    path = tmp_path / "deep.json"
    path.write_text(json.dumps(deep_model(5000)))
    command = [sys.executable, "-m", "ostrya", *arguments, path]
    done = subprocess.run(command, capture_output=True, check=False, timeout=100)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout) < 3_000_000


def test_pictures_of_a_chain_are_drawn_or_refused(tmp_path):
    path = tmp_path / "deep.json"
    path.write_text(json.dumps(deep_model(5000)))
    for name, code in (("t.svg", 0), ("t.dot", 0), ("t.tex", 0), ("t.png", 2)):
        command = [sys.executable, "-m", "ostrya", "plot", path, tmp_path / name]
        done = subprocess.run(command, capture_output=True, check=False, timeout=100)
        if code == 2 and b"matplotlib" in done.stderr:
            continue
        assert done.returncode == code, done.stderr
        assert code == 0 or b"Write .svg or .html" in done.stderr


@pytest.mark.parametrize(
    "text",
    [
        '{"a": ' * 100_000,
        "[" * 100_000,
        "1" * 100_000,
        '"' + "x" * 10**6,
        "-",
        "1e999999",
    ],
    ids=["objects", "lists", "digits", "open", "sign", "exponent"],
)
def test_json_out_of_proportion_is_refused(text, tmp_path):
    with pytest.raises(ValueError, match="malformed model") as caught:
        load(text, tmp_path)
    assert len(str(caught.value)) < 500


def test_keys_and_values_out_of_proportion_are_shortened(tmp_path):
    good = json.dumps(deep_model(2))
    vast = "x" * 10**6
    for path, value in ((["parameters", vast], 1), (["estimator"], vast), ([vast], 1)):
        with pytest.raises(ValueError, match="malformed model") as caught:
            load(changed(good, path, value), tmp_path)
        assert len(str(caught.value)) < 500


def test_many_equal_keys_are_refused_at_once(tmp_path):
    keys = ", ".join(f'"k{i}": 0' for i in range(200_000))
    with pytest.raises(ValueError, match="the key 'k0' occurs twice"):
        load(f'{{{keys}, "k0": 1}}', tmp_path)


def test_a_pipe_is_no_model(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ValueError, match="must be a regular file"):
        OptimalTreeClassifier.load(tmp_path / "pipe")


def test_a_file_that_speaks_of_billions_of_features_takes_no_memory():
    outcome = ostrya.solve([[0], [1]], [0, 1], leaf_penalty=0.01)
    content = json.loads(ostrya.export.to_json(outcome.tree))
    content["tree"]["n_features"] = 2**31 - 1
    tree, _ = ostrya.export.from_json(json.dumps(content))
    assert "x0 <= 0.5?" in str(tree)

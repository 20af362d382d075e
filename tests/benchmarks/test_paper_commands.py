"""Every command of a paper runs end to end on generated tables in place of its data."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from benchmarks.data import ROOT
from benchmarks.sources import stand_in
from benchmarks.sources.catalog import catalog

#: Arguments, the files that must be written, and a piece of the printed text.
RUNS = (
    ("osdt table1", ["osdt/table1.csv"], "35463"),
    ("osdt table2 --time-limit 5", ["osdt/table2.csv"], "all bounds"),
    ("osdt figure2 --time-limit 5", ["osdt/figure2.svg"], "curiosity"),
    ("osdt figure3 --time-limit 5", ["osdt/figure3.svg"], "columns of the tree"),
    ("osdt policies --time-limit 5", ["osdt/policies.csv"], "depth_first"),
    ("osdt roc --time-limit 5", ["gosdt/figure10.svg", "gosdt/figure3.txt"], "AUC"),
    ("figures --with cart --folds 1 --time-limit 1 --only monk3",
     ["accuracy/points.csv", "accuracy/training.svg",
      "accuracy/folds-monk3_binary11.svg"], "none above our curve"),
    ("topk figure2 --splits 1 --depths 1,2 --k scikit-learn,2 --sets spect,led-display",
     ["topk/figure2.svg", "topk/figure2.csv"], "spect  depth 2  k=2"),
    ("topk figure3 --contenders ostrya-top8 --depths 2 --columns 5 --rows 20",
     ["topk/figure3.svg"], "drawn"),
    ("topk figure4 --splits 1 --k 1,2", ["topk/figure4.svg"], "tic-tac-toe"),
    ("topk figure6 --splits 1 --depths 1 --k 1 --sets avila", ["topk/figure6.svg"],
     "avila"),
    ("topk robustness --splits 1 --sets hayes-roth",
     ["topk/noise.csv", "topk/ensembles.csv"], "AdaBoost"),
    ("gosdt figure1", [], "88.9%"),
    ("gosdt table2", ["gosdt/table2.csv"], "numbers agree"),
    ("gosdt schedules", ["gosdt/schedules.csv"], "signals first"),
    ("gosdt figure17 --time-limit 2", ["gosdt/figure17.svg"], "leaf sets"),
    ("gosdt scaling --sets bar7 --contenders ostrya --time-limit 5",
     ["gosdt/scaling.csv", "gosdt/figure16.svg"], "ostrya 14"),
    ("ablation --only monk --time-limit 2", ["ablation/short.csv"], "B10 dual"),
    ("trees --folds 1 --fifths 1", ["trees/accuracies.csv", "trees/trees.txt"],
     "GOSDT Figure 20"),
    ("osdt incremental --trees 300", ["osdt/incremental.csv"], "time saved"),
    ("guesses-figures --sets compas,spiral --folds 1 --depths 2,none --time-limit 2",
     ["guesses/curves.csv", "guesses/black_box.csv", "guesses/figure1.svg",
      "guesses/figure5.svg", "guesses/figure21.svg"], "spiral  boosting"),
    ("guesses-trees", ["guesses/trees.csv", "guesses/table8.csv"], "Table 8, depth 2"),
    ("guesses-dl85 --contenders ostrya --folds 1 --only 40x1 --time-limit 2",
     ["guesses/table5.csv"], "40 x depth 1"),
    ("binoct --contenders ostrya --time-limit 2",
     ["osdt/binoct.csv", "osdt/figure8.svg", "osdt/figure8.csv"], "depth 5"),
    ("guesses --methods th+lb --folds 1 --only 40x1 --time-limit 5",
     ["guesses/runs.csv"], "Table 6"),
)  # fmt: skip


@pytest.fixture(scope="session")
def data(tmp_path_factory):
    """A folder of stand-ins for all data sets."""
    place = tmp_path_factory.mktemp("data")
    stand_in.write(place, catalog())
    return place


@pytest.mark.parametrize(("arguments", "files", "told"), RUNS)
def test_command_runs_end_to_end(arguments, files, told, data, tmp_path):
    pytest.importorskip("matplotlib")
    pytest.importorskip("sklearn")
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", *arguments.split()],
        cwd=ROOT,
        env={
            **os.environ,
            "OSTRYA_DATA": str(data),
            "OSTRYA_BENCHMARK_RESULTS": str(tmp_path),
        },
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert told in done.stdout
    for file in files:
        assert (tmp_path / "papers" / file).stat().st_size > 0

"""The theorems of the Top-k paper hold for our search, and its experiments run."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from benchmarks.__main__ import parser
from benchmarks.papers.kept import save_figure
from benchmarks.topk import sets
from benchmarks.topk.accuracy import Plan
from benchmarks.topk.commands import EVERYTHING
from benchmarks.topk.distributions import parity_mixture, tribes_mixture
from benchmarks.topk.monotone import TribesBesideMajority
from benchmarks.topk.plots import against_depth, against_k, against_size, means
from benchmarks.topk.robustness import flipped
from benchmarks.topk.scaling import Scaling
from benchmarks.topk.theorems import accuracy, wide

CRITERIA = ("entropy", "gini", "sqrt")


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize(("h", "width"), [(2, 2), (3, 4), (4, 3), (4, 5)])
def test_one_more_choice_turns_chance_into_knowledge(h, width, criterion):
    """Theorem 1."""
    eps = Fraction(1, 10)
    drawn = parity_mixture(h, width, eps)
    assert accuracy(drawn, width, h, criterion) >= 1 - eps
    for k in range(1, width):
        assert accuracy(drawn, k, h, criterion) <= 0.5 + eps


@pytest.mark.parametrize(("h", "width"), [(3, 4), (4, 5)])
def test_depth_does_not_make_up_for_choice(h, width):
    """Theorem 2."""
    eps = Fraction(1, 10)
    drawn = parity_mixture(h, width, eps)
    for k in range(1, width):
        assert accuracy(drawn, k, h + width - k - 1) <= 0.5 + eps


@pytest.mark.parametrize(("h", "width"), [(4, 4), (6, 6)])
def test_choice_pays_for_monotone_labels(h, width):
    """Lemma 4.3 at a size that can be written out, and a rise with k."""
    eps = Fraction(9, 20)
    drawn = tribes_mixture(h, width, eps)
    reached = [accuracy(drawn, k, h) for k in range(1, width + 1)]
    assert reached[-1] >= 1 - eps
    assert reached == sorted(reached)
    assert reached[-1] > reached[0] + 0.03


@pytest.mark.parametrize(
    ("width", "votes", "eps"), [(8, 3, 0.35), (10, 3, 0.2), (10, 4, 0.25)]
)
def test_choice_is_all_for_monotone_labels_of_many_features(width, votes, eps):
    """Theorem 3, by the states of the distribution."""
    drawn = wide(width, votes, eps)
    assert drawn.most_choices == drawn.votes + 1 - drawn.depth > 1
    assert drawn.top_all_at_least() >= 1 - eps
    assert drawn.top_k_at_most() <= min(0.5 + eps, 0.82 * drawn.top_all_at_least())


@pytest.mark.parametrize("criterion", CRITERIA)
@pytest.mark.parametrize(
    ("tribes", "votes", "eps", "is_tight"),
    [(1, 5, Fraction(7, 10), True), (2, 7, Fraction(4, 5), True),
     (2, 9, Fraction(7, 10), False), (3, 9, Fraction(7, 10), False)],
)  # fmt: skip
def test_states_say_what_the_points_say(tribes, votes, eps, is_tight, criterion):
    """The bound holds for our search, and is met where majority bits always lead."""
    states = TribesBesideMajority(2, tribes, votes, float(eps))
    points = tribes_mixture(states.depth, votes + 1, eps)
    bound = states.top_k_at_most()
    for k in (1, states.most_choices):
        reached = accuracy(points, k, states.depth, criterion)
        assert reached == pytest.approx(bound) if is_tight else reached < bound
    everything = accuracy(points, votes + 1, states.depth, criterion)
    assert everything >= states.top_all_at_least()


def test_the_mixtures_are_what_they_say():
    drawn = parity_mixture(2, 3, Fraction(1, 4))
    assert drawn.X.shape[1] == 4
    total = drawn.weights.sum()
    parity = drawn.X[:, :2].sum(axis=1) % 2
    agrees = drawn.weights[parity == drawn.y].sum() / total
    assert agrees == pytest.approx(3 / 4 + 1 / 8)
    rising = tribes_mixture(4, 4, Fraction(1, 3))
    means = {}
    for x, y, weight in zip(rising.X, rising.y, rising.weights, strict=True):
        ones, all_ = means.get(tuple(x), (0.0, 0.0))
        means[tuple(x)] = ones + weight * y, all_ + weight
    share = {x: ones / all_ for x, (ones, all_) in means.items()}
    for low in share:
        for high in share:
            if all(a <= b for a, b in zip(low, high, strict=True)):
                assert share[low] <= share[high]


@pytest.fixture
def tiny_set(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    cells = rng.integers(0, 3, (60, 4))
    labels = (cells[:, 0] == cells[:, 1]).astype(int)
    lines = ["a,b,c,d,y"]
    lines += [
        ",".join(map(str, [*row, y])) for row, y in zip(cells, labels, strict=True)
    ]
    (tmp_path / "tiny.csv").write_text("\n".join(lines) + "\n")
    monkeypatch.setenv("OSTRYA_DATA", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("is_numeric", [False, True])
def test_fits_are_made_once_and_drawn(tiny_set, is_numeric):
    output = tiny_set / "out.jsonl"
    plan = Plan(
        sets=(sets.Set("tiny", is_numeric), sets.Set("absent")),
        splits=2,
        depths=(1, 2),
        ks=(1, 3, "all"),
        time_limit=60.0,
        output=output,
    )
    records = plan.run()
    assert len(records) == 2 * 2 * 3
    lines = output.read_text()
    assert plan.run() == records
    assert output.read_text() == lines
    for depth in (1, 2):
        of_k = {
            record["k"]: record["train"]
            for record in records
            if record["depth"] == depth and record["split"] == 0
        }
        assert of_k[1] <= of_k[3] <= of_k["all"]
    for name, figure in (
        ("depth", against_depth(records, "test")),
        ("k", against_k(records)),
    ):
        path = save_figure(figure, tiny_set / f"{name}.svg", "topk")
        assert path.stat().st_size > 0
    rows = means(records)
    assert len(rows) == 2 * 3
    assert all(row["ended"] == row["splits"] == 2 for row in rows)


def test_scaling_runs_resume_and_are_drawn(tiny_set, monkeypatch):
    monkeypatch.setattr("benchmarks.topk.scaling.DATA", "tiny")
    output = tiny_set / "scaling.jsonl"
    plan = Scaling(
        depths=(2,),
        columns=(3, 6),
        rows=(20,),
        contenders=("ostrya-top8",),
        time_limit=20.0,
        output=output,
    )
    records = plan.run()
    assert [record["status"] for record in records] == ["optimal"] * 3
    assert plan.run() == records
    path = save_figure(against_size(records), tiny_set / "size.svg", "topk")
    assert path.stat().st_size > 0


def test_a_curve_ends_where_a_contender_runs_out_of_time(tmp_path, monkeypatch):
    def measure(task, *_):
        late = (task.problem.columns or 0) >= 50
        return {"status": "time_limit" if late else "optimal", "seconds": 1.0}

    monkeypatch.setattr("benchmarks.campaign.measure", measure)
    plan = Scaling(
        (4, 5), (25, 50, 100), (10, 20), ("ostrya-top8",), 1.0, tmp_path / "s"
    )
    made = [(r["depth"], r["rows"], r["columns"]) for r in plan.run()]
    one_depth = [(None, 25), (None, 50), (10, None), (20, None)]
    assert made == [(depth, *size) for depth in (4, 5) for size in one_depth]


def test_the_command_line_knows_every_figure():
    for figure in (*EVERYTHING, "all"):
        assert callable(parser().parse_args(["topk", figure]).call)


def test_one_command_runs_every_experiment_as_its_own_command_does(monkeypatch):
    made = []

    def keep(options, figure="other"):
        made.append({**vars(options), "call": figure})

    for name in ("run_accuracy", "run_scaling", "run_theorems", "run_large"):
        monkeypatch.setattr(f"benchmarks.topk.commands.{name}", keep)

    def run(figure):
        options = parser().parse_args(["topk", figure])
        options.call(options)

    run("all")
    together = list(made)
    made.clear()
    for figure in EVERYTHING:
        run(figure)
    assert together == made
    assert [options["call"] for options in together] == [
        *("figure2", "other", "figure4", "figure6", "other", "other")
    ]


def test_noise_replaces_labels_by_other_classes():
    y = np.arange(3000) % 3
    assert np.array_equal(flipped(y, 3, 0.0, np.random.default_rng(0)), y)
    noisy = flipped(y, 3, 0.25, np.random.default_rng(0))
    assert 0.2 < np.mean(noisy != y) < 0.3
    assert set(noisy) == {0, 1, 2}

"""Scores by number of leaves in the report, in a real browser."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest
from sklearn.datasets import load_wine

import ostrya
from browser.looks import LOOKS
from ostrya import OptimalTreeClassifier, OptimalTreeClassifierCV
from ostrya.export import export_report


@pytest.fixture(scope="module")
def chosen():
    X, y = load_wine(return_X_y=True, as_frame=True)
    return OptimalTreeClassifierCV(max_leaf_nodes=6, max_depth=3, rule="best").fit(X, y)


def test_scores_of_every_size_are_drawn_and_listed(show, chosen):
    page = show(export_report(chosen), **LOOKS["light"])
    shown = page.locator("#frontier")
    size = chosen.best_params_["max_leaf_nodes"]
    assert f"Chosen: {size} leaves" in shown.inner_text()
    assert shown.locator("path.first, path.second").count() == 4, "lines and legend"
    n_sizes = len(chosen.cv_results_["params"])
    assert shown.locator(".first-mark").count() == n_sizes + 1
    assert shown.locator(".second-mark").count() == n_sizes + 1
    assert shown.locator(".ring").count() == 2
    place = float(shown.locator(".chosen-size").get_attribute("x1"))
    for ring in shown.locator(".ring").all():
        assert float(ring.get_attribute("cx")) == place
    shown.locator("summary").click()
    rows = shown.locator("tbody tr")
    assert rows.count() == n_sizes
    results = chosen.cv_results_
    scores = zip(
        results["mean_test_score"], results["standard_error_test_score"], strict=True
    )
    for place, (mean, error) in enumerate(scores):
        told = rows.nth(place).locator("td").all_inner_texts()
        beside = f" \u00b1 {error:.4f}" if error else ""
        training = 1 - chosen.frontier_.at_leaves(place + 1).loss
        assert told[:3] == [str(place + 1), f"{mean:.4f}{beside}", f"{training:.4f}"]
        assert told[3] == ("this tree" if place + 1 == size else "")
    picture = shown.get_by_role("img")
    assert f"Chosen: {size} leaves" in picture.get_attribute("aria-label")


def test_sizes_that_are_not_proved_have_whiskers(show):
    made = ostrya.frontier([[1], [2], [3], [4]], [0, 1, 1, 0])
    first, second, third = made.points
    open_point = replace(second, status="time_limit", lower_bound=0.125, gap=0.125)
    made = replace(made, points=(first, open_point, third))
    clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(
        [[1], [2], [3], [4]], [0, 1, 1, 0]
    )
    page = show(export_report(clf, frontier=made))
    shown = page.locator("#frontier")
    assert shown.locator(".whisker").count() == 1
    assert "1 of 3 sizes are not proved" in shown.inner_text()
    shown.locator("summary").click()
    assert "0.7500, at most 0.8750" in shown.locator("tbody tr").nth(1).inner_text()


def test_without_a_frontier_there_is_no_section(show):
    clf = OptimalTreeClassifier(leaf_penalty=0.01).fit(
        [[1], [2], [3], [4]], [0, 1, 1, 0]
    )
    assert not show(export_report(clf)).locator("#frontier").is_visible()


@pytest.mark.parametrize("look", LOOKS)
def test_nothing_sticks_out(show, chosen, look, tmp_path):
    folder = Path(os.environ.get("OSTRYA_SCREENSHOTS", tmp_path))
    page = show(export_report(chosen), **LOOKS[look])
    page.screenshot(path=folder / f"chosen-{look}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_words_of_the_chart_are_legible_on_a_phone(show, chosen):
    page = show(export_report(chosen), **LOOKS["phone"])
    words = page.locator("#frontier-chart svg text")
    heights = [box["height"] for word in words.all() if (box := word.bounding_box())]
    assert heights
    assert min(heights) >= 11
    right = [box["x"] + box["width"] for w in words.all() if (box := w.bounding_box())]
    assert max(right) <= LOOKS["phone"]["viewport"]["width"]


def test_it_is_still_printed_on_one_page(show, chosen, tmp_path):
    folder = Path(os.environ.get("OSTRYA_SCREENSHOTS", tmp_path))
    path = folder / "chosen.pdf"
    page = show(export_report(chosen), **LOOKS["light"])
    page.pdf(path=path, prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", path.read_bytes())) == 1

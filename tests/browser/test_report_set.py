"""The report on a Rashomon set in a real browser: finding and comparing trees."""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from browser.looks import LOOKS
from ostrya import RashomonSet
from ostrya.export import export_rules

pytestmark = pytest.mark.filterwarnings("ignore::ostrya.TableWarning")


@pytest.fixture(scope="module")
def made():
    """Return a set over columns of several kinds, some with names that mean trouble."""
    chance = np.random.default_rng(0)
    n = 200
    X = pd.DataFrame(
        {
            "age </script><b>": 10 * chance.integers(2, 7, n),
            'city "x"': chance.choice(["Bonn", "Kiel", "Jena"], n),
            "income": np.where(
                chance.random(n) < 0.1, np.nan, chance.integers(1, 4, n)
            ),
            "since": pd.Timestamp("2020-01-01")
            + pd.to_timedelta(100 * chance.integers(0, 4, n), unit="D"),
        }
    )
    y = (X.iloc[:, 0] > 30) & (X.iloc[:, 1] != "Jena")
    y = np.where(y ^ (chance.random(n) < 0.2), "</script>", "no & <i>never</i>")
    return RashomonSet(leaf_penalty=0.02, max_depth=3, epsilon=0.25).fit(X, y), X, y


@pytest.fixture(scope="module")
def source(made, tmp_path_factory):
    path = tmp_path_factory.mktemp("set") / "set.html"
    made[0].report(path, max_trees=200)
    return path.read_text(encoding="utf-8")


def shown(page):
    return int(page.locator("#n-shown").inner_text().split()[0].replace(",", ""))


def listed(page):
    """Open all groups, and return the places of the trees that are listed."""
    groups = "[...document.querySelectorAll('#groups details')]"
    for _ in range(2):  # groups in groups
        page.evaluate(f"{groups}.forEach((group) => {{ group.open = true; }})")
        # They are filled as soon as the browser reports that they are open.
        filled = "filter((g) => g.open).every((g) => g.childElementCount > 1)"
        while not page.evaluate(f"{groups}.{filled}"):
            page.wait_for_timeout(20)
    page.evaluate(
        "document.querySelectorAll('#groups li button:not([data-place])')"
        ".forEach((more) => more.click())"
    )
    places = page.locator("#groups button[data-place]").evaluate_all(
        "buttons => buttons.map((button) => Number(button.dataset.place))"
    )
    assert len(places) == shown(page)
    return places


def test_every_listed_tree_can_be_chosen_and_is_the_tree_of_its_place(
    show, made, source
):
    trees = made[0]
    page = show(source, **LOOKS["light"])
    places = listed(page)
    assert len(places) == len(set(places)) == 200
    for place in places[::40]:
        page.locator(f"#groups button[data-place='{place}']").click()
        tree = trees[place]
        assert page.locator("[role=treeitem]").count() == tree.n_nodes
        title = page.locator("#tree-title").inner_text()
        assert title == f"Tree {place + 1:,} of {trees.n_trees_:,}"
        assert f"trees[{place}]" in page.locator("#tree-facts").inner_text()
        rules = export_rules(tree).splitlines()
        for leaf in np.flatnonzero(tree.feature < 0).tolist():
            page.locator(f"#node-{leaf}").click()
            rule = page.locator("#details .rule").inner_text()
            assert any(line.startswith(rule) for line in rules)


def test_filters_keep_the_trees_that_satisfy_them(show, made, source):
    trees, X, _ = made
    page = show(source, **LOOKS["light"])
    sizes = {place: trees[place].n_leaves for place in listed(page)}
    least = min(sizes.values())
    set_slider(page, "#filter-leaves", least)
    kept = listed(page)
    assert sorted(kept) == sorted(p for p, n in sizes.items() if n == least)
    page.click("#reset")
    assert shown(page) == 200
    middle = (trees.objective_ + trees.objective(max(sizes))) / 2
    set_slider(page, "#filter-objective", middle)
    most = float(page.locator("#filter-objective").input_value())
    assert sorted(listed(page)) == sorted(
        place for place in sizes if trees.objective(place) <= most
    )
    page.click("#reset")
    page.locator("#filters summary").click()
    since = X.columns.get_loc("since")
    page.locator(f"#filter-feature-{since}").select_option("avoided")
    used = {place: features(trees, place) for place in sizes}
    assert sorted(listed(page)) == sorted(p for p in sizes if since not in used[p])
    page.locator(f"#filter-feature-{since}").select_option("used")
    assert sorted(listed(page)) == sorted(p for p in sizes if since in used[p])


def set_slider(page, name, value):
    page.locator(name).evaluate(
        "(e, v) => { e.value = v; e.dispatchEvent(new Event('input')); }", str(value)
    )


def features(trees, place):
    asked = trees[place].feature
    return set(trees.encoder_.source[asked[asked >= 0]].tolist())


def test_no_tree_may_be_left(show, made, source):
    page = show(source, **LOOKS["light"])
    page.locator("#filters summary").click()
    menus = page.locator("#filters select")
    for menu in menus.all():
        menu.select_option("avoided")
    assert shown(page) == 0
    assert page.locator("#next").is_disabled()
    page.click("#reset")
    assert shown(page) == 200


def test_a_part_of_the_sunburst_shows_its_trees_only(show, source):
    page = show(source, **LOOKS["light"])
    part = page.locator("#sunburst path.inner").nth(1)
    n_trees = int(re.search(r"\((\d+) tree", part.locator("title").text_content())[1])
    part.dispatch_event("click")  # the middle of its box may be outside of it
    assert shown(page) == n_trees == len(listed(page))
    assert "Only trees that begin with" in page.locator("#sunburst-hint").inner_text()
    page.click("#reset")
    assert shown(page) == 200


def test_trees_are_walked_in_order(show, source):
    page = show(source, **LOOKS["light"])
    assert page.locator("#previous").is_disabled()
    page.click("#next")
    second = page.locator("#tree-title").inner_text()
    page.click("#next")
    page.click("#previous")
    assert page.locator("#tree-title").inner_text() == second
    chosen = page.locator("#groups button[aria-current=true]")
    assert chosen.count() <= 1


def test_rows_on_which_trees_disagree_have_votes_and_predictions(show, made, source):
    trees, X, y = made
    page = show(source, **LOOKS["light"])
    rows = page.locator("#rows-table tbody tr")
    votes = trees.vote_shares(X)
    assert rows.count() > 0
    page.locator("#next").click()
    place = int(
        re.search(r"trees\[(\d+)\]", page.locator("#tree-facts").inner_text())[1]
    )
    predicted = trees.classes_[trees[place].predict(trees.encode(X))]
    closest = votes.max(axis=1).min()
    for row in rows.all():
        number = int(row.locator("th").inner_text())
        cells = row.locator("td").all_inner_texts()
        assert cells[-1] == predicted[number]
        assert cells[-3] == y[number]
        assert votes[number].max() < 1
    first = int(rows.first.locator("th").inner_text())
    assert votes[first].max() == pytest.approx(closest)


def test_numbers_about_all_trees_are_those_of_the_set(show, made, source):
    trees, X, _ = made
    page = show(source, **LOOKS["light"])
    counts = dict(zip(X.columns, trees.feature_counts(), strict=True))
    rows = page.locator("#use-table tbody tr").all()
    told = {
        r.locator("th").inner_text(): r.locator("td").first.inner_text() for r in rows
    }
    assert told == {name: f"{n:,}" for name, n in counts.items() if n}
    rows = page.locator("#sizes-table tbody tr").all()
    sizes = {int(r.locator("th").inner_text()): r.locator("td").first for r in rows}
    assert {size: cell.inner_text() for size, cell in sizes.items()} == {
        size: f"{n:,}" for size, n in trees.leaf_counts().items()
    }


@pytest.mark.parametrize("look", LOOKS)
def test_nothing_sticks_out(show, source, look, tmp_path):
    folder = Path(os.environ.get("OSTRYA_SCREENSHOTS", tmp_path))
    page = show(source, **LOOKS[look])
    page.screenshot(path=folder / f"set-{look}.png", full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    is_dark = LOOKS[look]["color_scheme"] == "dark"
    assert ground == ("rgb(20, 23, 28)" if is_dark else "rgb(255, 255, 255)")


def test_every_control_has_a_name_and_is_reached_by_tab(show, source):
    page = show(source, **LOOKS["light"])
    page.locator("#filters summary").click()
    nameless = page.evaluate(
        "[...document.querySelectorAll('input, select')].filter((e) => "
        "!e.getAttribute('aria-label') && !e.closest('label')).length"
    )
    assert nameless == 0
    page.locator("h1").click()
    seen = set()
    for _ in range(30):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("[...document.all].indexOf(document.activeElement)"))
    assert len(seen) == 30


def test_hostile_words_are_words(show, made, tmp_path):
    made[0].report(tmp_path / "x.html", title="<img src=x onerror=alert(1)>")
    page = show((tmp_path / "x.html").read_text(encoding="utf-8"))
    assert page.locator("h1").inner_text() == "<img src=x onerror=alert(1)>"
    assert page.locator("main b, main i, img").count() == 0


def test_a_set_with_a_single_leaf_only(show, tmp_path):
    trees = RashomonSet(leaf_penalty=0.4).fit([["a"], ["b"], ["b"]], ["x", "y", "y"])
    assert trees.n_trees_ == 1
    trees.report(tmp_path / "one.html")
    page = show((tmp_path / "one.html").read_text(encoding="utf-8"))
    assert shown(page) == 1
    assert page.locator("[role=treeitem]").count() == 1
    assert "A single leaf" in page.locator("#groups").inner_text()
    assert "agree on 3 training rows" in page.locator("#rows-text").inner_text()


def test_without_scripts_there_is_the_best_tree(show, made, source):
    page = show(source, java_script_enabled=False)
    assert "age </script><b>" in page.locator("noscript pre").inner_text()

"""The report in a real browser: every control works, nothing is complained about."""

from __future__ import annotations

import copy
import os
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine

import ostrya
from browser.looks import LOOKS
from export.programs.program_tables import as_frame, draw_table
from export.trees import random_tree
from ostrya import OptimalTreeClassifier
from ostrya.export import export_report

pytestmark = pytest.mark.filterwarnings("ignore::ostrya.TableWarning")

PHONE = {
    "viewport": {"width": 360, "height": 740},
    "is_mobile": True,
    "has_touch": True,
}


@pytest.fixture(scope="module")
def mixed():
    """Return a classifier over columns of every kind, with names that mean trouble."""
    table, labels = draw_table(5, 200)
    names = {kind: f'{kind} </script><b>it\'s "{kind}"' for kind in table}
    labels = np.array(["good & <b>dear</b>", "bad", "</script>"])[labels]
    made = OptimalTreeClassifier(leaf_penalty=0.005, max_depth=4).fit(
        as_frame(table, names), labels
    )
    assert {f.kind for f in made.encoder_.features} == {
        *("boolean", "number", "ordered", "time"),
    }
    return made


@pytest.fixture(scope="module")
def wine():
    data = load_wine(as_frame=True)
    X, y = data.data, data.target_names[data.target]
    made = OptimalTreeClassifier(leaf_penalty=0.02, max_depth=3).fit(X[::2], y[::2])
    return made, export_report(made, X[1::2], y[1::2])


def zoom_of(page):
    style = page.locator("#stage").get_attribute("style")
    return float(re.search(r"scale\(([\d.]+)\)", style)[1])


def test_zoom_buttons(show, wine):
    page = show(wine[1], **LOOKS["light"])
    before = zoom_of(page)
    page.click("#zoom-in")
    assert zoom_of(page) > before
    page.click("#zoom-out")
    page.click("#zoom-out")
    assert zoom_of(page) < before
    page.click("#zoom-fit")
    assert zoom_of(page) == before


def test_fold_and_unfold(show, wine):
    made, source = wine
    page = show(source, **LOOKS["light"])
    nodes = page.locator("[role=treeitem]")
    assert nodes.count() == made.tree_.n_nodes
    page.click("#fold")
    assert nodes.count() == 3
    page.click("#unfold")
    assert nodes.count() == made.tree_.n_nodes
    page.locator("#node-0 .fold").click()
    assert nodes.count() == 1
    assert page.locator("#node-0").get_attribute("aria-expanded") == "false"
    page.locator("#node-0 .fold").click()
    assert nodes.count() == made.tree_.n_nodes


def test_a_leaf_tells_its_rows_shares_and_rule(show, wine):
    made, source = wine
    page = show(source, **LOOKS["light"])
    rules = page.locator("#rules-list li")
    leaves = np.flatnonzero(made.tree_.feature < 0).tolist()
    assert rules.count() == len(leaves)
    for place, leaf in enumerate(leaves):
        page.locator(f"#node-{leaf}").click()
        told = page.locator("#details")
        rows = int(made.tree_.n_samples[leaf])
        assert f"{rows} training row" in told.inner_text()
        rule = told.locator(".rule").inner_text()
        assert rules.nth(place).inner_text().strip().startswith(rule)
        assert told.locator("table").first.locator("tr").count() == 3
        assert "given row" in told.inner_text()
        assert page.locator("[aria-selected=true]").count() == 1
    page.locator("#node-0").click()
    assert page.locator("#details h3").inner_text().startswith("Split: ")


def test_the_tree_is_walked_by_keyboard(show, wine):
    made, source = wine
    page = show(source, **LOOKS["light"])
    focused = "document.activeElement.id"
    page.locator("#node-0").focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate(focused) == "node-1"
    page.keyboard.press("ArrowUp")
    assert page.evaluate(focused) == "node-0"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focused) == "node-1"
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(focused) == "node-0"
    page.keyboard.press("ArrowLeft")
    assert page.locator("[role=treeitem]").count() == 1
    page.keyboard.press("ArrowRight")
    assert page.locator("[role=treeitem]").count() == made.tree_.n_nodes
    page.keyboard.press("End")
    assert page.evaluate(focused) == f"node-{made.tree_.n_nodes - 1}"
    page.keyboard.press("Enter")
    assert page.locator("#details .rule").count() == 1
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    assert page.locator("#details .rule").count() == 0


def test_every_control_is_reached_by_tab(show, wine):
    page = show(wine[1], **LOOKS["light"])
    total = page.evaluate(
        "[...document.querySelectorAll('button, input, select, a, summary, "
        '[tabindex="0"]\')].filter((e) => e.tabIndex >= 0 && !e.disabled).length'
    )
    seen = set()
    for _ in range(total):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("[...document.all].indexOf(document.activeElement)"))
    assert len(seen) == total


def test_screen_readers_get_names(show, wine):
    page = show(wine[1], **LOOKS["light"])
    told = page.locator("body").aria_snapshot()
    for words in (
        'heading "Decision tree with 4 leaves" [level=1]',
        'tree "The tree"',
        'treeitem "yes: leaf, class_1',
        'toolbar "Drawing"',
        'checkbox "missing"',
        'button "Copy all rules"',
        "img",
    ):
        assert words in told
    nameless = page.evaluate(
        "[...document.querySelectorAll('input, select')].filter((e) => "
        "!e.getAttribute('aria-label') && !e.closest('label')).length"
    )
    assert nameless == 0


def set_case(page, place, value):
    """Set the control of a column as a reader would; None is missing."""
    field = page.locator(f"#input-{place}")
    missing = field.locator("input[type=checkbox]")
    missing.set_checked(value is None)
    if value is None:
        assert field.locator("input:not([type=checkbox]), select").first.is_disabled()
        return
    if field.locator("select").count():
        field.locator("select").select_option(label=value)
    elif field.locator("input[type=number]").count():
        field.locator("input[type=number]").fill(repr(value))
    else:
        slider = field.locator("input[type=range]")
        slider.evaluate(
            "(e, v) => { e.value = v; e.dispatchEvent(new Event('input')); }",
            str(value),
        )


def test_what_if_predicts_what_the_model_does(show, mixed):
    page = show(export_report(mixed), **LOOKS["light"])
    chance = np.random.default_rng(0)
    features = mixed.encoder_.features
    for _ in range(60):
        row = []
        for place, feature in enumerate(features):
            field = page.locator(f"#input-{place}")
            assert field.count() == 1, "the tree asks about every column"
            if chance.random() < 0.2:
                value, cell = None, None
            elif feature.kind == "number":
                value = cell = float(chance.integers(-40, 40)) / 8
            elif feature.kind == "boolean":
                cell = bool(chance.random() < 0.5)
                value = str(cell).lower()
            elif feature.kind == "ordered":
                value = cell = str(chance.choice(feature.levels))
            else:
                slider = field.locator("input[type=range]")
                ends = [float(slider.get_attribute(end)) for end in ("min", "max")]
                set_case(page, place, chance.uniform(*ends))
                value = float(slider.input_value())
                cell = np.datetime64(int(value), "us")
            set_case(page, place, value)
            row.append(cell)
        found = page.locator("#prediction").inner_text()
        assert found == mixed.predict(as_table(mixed, row))[0]
        leaf = mixed.apply(as_table(mixed, row))[0]
        walked = page.locator(".node.walked").evaluate_all("(a) => a.map((e) => e.id)")
        path = mixed.decision_path(as_table(mixed, row)).indices.tolist()
        assert walked == [f"node-{node}" for node in path]
        assert path[-1] == leaf
        assert page.locator("#answer ol li").count() == len(path) - 1


def as_table(model, row):
    columns = {}
    for feature, cell in zip(model.encoder_.features, row, strict=True):
        if feature.kind == "time":
            times = pd.Series([cell], dtype="datetime64[us]")
            zone = "UTC" if feature.is_zoned else None
            columns[feature.name] = times.dt.tz_localize(zone)
        elif feature.kind == "number":
            columns[feature.name] = pd.Series([cell], dtype="float64")
        else:
            columns[feature.name] = pd.Series([cell], dtype="object")
    return pd.DataFrame(columns)


def test_a_level_that_is_none_of_these(show):
    X = [["a"], ["b"], ["c"], ["d"]] * 5
    made = OptimalTreeClassifier(leaf_penalty=0.01).fit(X, ["u", "v", "v", "v"] * 5)
    page = show(export_report(made))
    for level in ("a", "b", "(another value)"):
        set_case(page, 0, level)
        expected = made.predict([[level]])[0]
        assert page.locator("#prediction").inner_text() == expected


def test_rules_are_copied(show, wine):
    page = show(wine[1], permissions=["clipboard-read", "clipboard-write"])
    page.click("#copy-rules")
    page.locator("#copied", has_text="Copied.").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    shown = page.locator("#rules-list li").all_inner_texts()
    assert len(copied.splitlines()) == len(shown)
    assert all(line.startswith("if ") for line in copied.splitlines())
    assert page.locator("#copy-rules").inner_text() == "Copied"
    page.locator("#copy-rules", has_text="Copy all rules").wait_for()
    page.locator("#rules-list button").first.click()
    page.wait_for_function(
        "async () => !(await navigator.clipboard.readText()).includes('\\n')"
    )


def test_rules_are_copied_without_a_clipboard(show, wine):
    page = show(wine[1])
    page.evaluate("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.click("#copy-rules")
    page.locator("#copied:not(:empty)").wait_for()
    assert page.locator("textarea").count() == 0


@pytest.mark.parametrize("look", LOOKS)
def test_looks(show, wine, mixed, look, tmp_path):
    """Nothing sticks out; OSTRYA_SCREENSHOTS names a folder to keep pictures in."""
    folder = Path(os.environ.get("OSTRYA_SCREENSHOTS", tmp_path))
    for name, source in (("wine", wine[1]), ("mixed", export_report(mixed))):
        page = show(source, **LOOKS[look])
        page.screenshot(path=folder / f"{name}-{look}.png", full_page=True)
        view, root = (page.locator(x).bounding_box() for x in ("#view", "#node-0"))
        assert view["y"] <= root["y"] <= view["y"] + view["height"] - root["height"]
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        is_dark = LOOKS[look]["color_scheme"] == "dark"
        assert ground == ("rgb(20, 23, 28)" if is_dark else "rgb(255, 255, 255)")


def test_it_is_printed_on_one_page(show, wine, mixed, tmp_path):
    folder = Path(os.environ.get("OSTRYA_SCREENSHOTS", tmp_path))
    for name, source in (("wine", wine[1]), ("mixed", export_report(mixed))):
        page = show(source, **LOOKS["dark"])
        before = zoom_of(page)
        path = folder / f"{name}.pdf"
        page.pdf(path=path, prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", path.read_bytes())) == 1
        assert zoom_of(page) == before


def test_hostile_words_are_words(show, mixed):
    source = export_report(mixed, title="<img src=x onerror=alert(1)>")
    page = show(source)
    assert page.locator("h1").inner_text() == "<img src=x onerror=alert(1)>"
    assert page.title() == "<img src=x onerror=alert(1)>"
    assert page.locator("main b, img").count() == 0
    assert page.locator("legend", has_text="</script><b>it's").count() == 4


def test_a_lone_leaf(show):
    made = OptimalTreeClassifier(leaf_penalty=0.4).fit(
        [["a"], ["b"], ["b"]], ["x", "y", "y"]
    )
    page = show(export_report(made))
    assert page.locator("[role=treeitem]").count() == 1
    assert page.locator("#prediction").inner_text() == "y"
    assert "a single leaf" in page.locator("#case").inner_text()


def test_large_trees_are_folded_at_first(show):
    outcome = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1], leaf_penalty=0.01)
    tree = random_tree(300, seed=1)
    page = show(export_report(replace(outcome, tree=tree, n_leaves=300)))
    assert page.locator("[role=treeitem]").count() < 20
    page.click("#unfold")
    assert page.locator("[role=treeitem]").count() == tree.n_nodes


def test_a_model_without_a_record_of_its_search(show, wine):
    made = copy.copy(wine[0])
    made.trace_ = ()
    page = show(export_report(made))
    assert "no record" in page.locator("#search").inner_text()
    page = show(wine[1])
    assert page.locator("#search svg path.second").count() == 2
    page.locator("#search summary").click()
    assert page.locator("#search tbody tr").count() > 1


def test_without_scripts_there_are_the_rules(show, wine):
    page = show(wine[1], java_script_enabled=False)
    assert "if color_intensity" in page.locator("noscript pre").inner_text()


def test_the_what_if_starts_from_typical_values(show):
    rows = [*[("Ulm", 30, True)] * 3, ("Ulm", 90, True), ("Bonn", 30, False)]
    rows += [("Kiel", 30, False), ("Ulm", 20, False), ("Ulm", 20, False)]
    table = pd.DataFrame(rows, columns=["city", "age", "bought"])
    clf = OptimalTreeClassifier(leaf_penalty=0.01, max_depth=2)
    clf.fit(table[["city", "age"]], table["bought"])
    page = show(export_report(clf), **LOOKS["light"])
    chosen = "select => select.options[select.selectedIndex].text"
    assert page.locator("#input-0 select").evaluate(chosen) == "Ulm"
    assert page.locator("#input-1 input[type=number]").input_value() == "30"
    assert page.locator("#prediction").inner_text() == "True"


@pytest.mark.parametrize("max_depth", [2, 5])
def test_the_whole_tree_can_be_reached_on_a_phone(show, max_depth):
    chance = np.random.default_rng(0)
    X = pd.DataFrame(
        chance.normal(size=(300, 4)).round(2),
        columns=[f"a column with quite a long name {i}" for i in range(4)],
    )
    y = (X.iloc[:, 0] * X.iloc[:, 1] + X.iloc[:, 2] > 0.2).to_numpy()
    clf = ostrya.TopKTreeClassifier(leaf_penalty=0.001, max_depth=max_depth, k=2).fit(
        X, y
    )
    page = show(export_report(clf), **PHONE)
    page.click("#unfold")
    # The page itself does not scroll sideways; the drawing does, within its frame.
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    for node in range(clf.tree_.n_nodes):
        box = page.locator(f"#node-{node}")
        box.scroll_into_view_if_needed()
        frame, place = page.locator("#view").bounding_box(), box.bounding_box()
        assert place["x"] >= frame["x"] - 1
        assert place["x"] + place["width"] <= frame["x"] + frame["width"] + 1
        assert place["width"] >= 120  # large enough to read and to tap

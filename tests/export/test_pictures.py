"""Pictures: all that matters is in them, nothing overlaps, nothing is injected."""

from __future__ import annotations

import itertools
import runpy
import sys
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from export.trees import NASTY, random_tree
from ostrya.export import Wording, export_html, export_svg, plot_tree
from ostrya.export.colours import palette
from ostrya.export.layout import lay_out
from test_tree import lone_leaf, make_tree

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"
TEXT = f"{SVG}text"
NAMES = ["age", "debt"], ["poor", "fair", "good"]
TEXTS = ["age <= 1.5?", "9 rows", "debt <= 0?", "5 rows", "poor", "3 rows, 100%", "yes"]


def texts_of(picture):
    return [
        item.text or "" for item in ElementTree.fromstring(picture).iter(SVG + "text")
    ]


@pytest.fixture
def pyplot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


def test_svg_holds_what_matters():
    texts = texts_of(export_svg(make_tree(), *NAMES))
    assert set(TEXTS) <= set(texts)
    assert texts.count("yes") == texts.count("no") == 2


def test_flipped_branches_are_drawn_flipped():
    words = Wording(questions=["red", None, None, None, None], flipped=[1, 0, 0, 0, 0])
    boxes = {box.node: box for box in lay_out(words.of(make_tree())).boxes}
    assert boxes[4].y < boxes[1].y
    assert boxes[0].titles == ("red?",)


@pytest.mark.parametrize("n_leaves", [1, 2, 3, 8, 30, 80])
@pytest.mark.parametrize("word", ["x", "a long name over several lines, " * 9])
def test_boxes_do_not_overlap_and_lie_inside(n_leaves, word):
    names = ["a", word, "b", f"another {word}"]
    layout = lay_out(Wording(names).of(random_tree(n_leaves, seed=n_leaves)))
    assert len(layout.boxes) == 2 * n_leaves - 1
    for one, two in itertools.combinations(layout.boxes, 2):
        is_apart = one.x + one.width <= two.x or two.x + two.width <= one.x
        assert is_apart or abs(one.y - two.y) > (one.height + two.height) / 2
    for box in layout.boxes:
        assert 0 < box.x < box.x + box.width < layout.width
        assert 0 < box.top < box.top + box.height < layout.height


def test_strips_show_the_shares_of_the_classes():
    box = lay_out(Wording().of(lone_leaf())).boxes[0]
    assert box.strip == (
        (0.0, 0.25, palette(2)[0]),
        (0.25, 0.75, palette(2)[1]),
    )
    assert lay_out(Wording().of(lone_leaf((0, 0)))).boxes[0].strip == ()


@pytest.mark.parametrize("name", NASTY)
def test_no_name_becomes_markup(name):
    tree = make_tree()
    picture = export_svg(tree, [name, name], [name] * 3)
    plain = export_svg(tree, ["a", "b"], ["c", "d", "e"])
    tags, wanted = (
        [item.tag for item in ElementTree.fromstring(svg).iter() if item.tag != TEXT]
        for svg in (picture, plain)
    )
    assert tags == wanted, "but for lines of text, of which long names take more"


class Tags(HTMLParser):
    """Collects the names of all tags and attributes of a page."""

    def __init__(self):
        super().__init__()
        self.seen, self.classes = set(), set()

    def handle_starttag(self, tag, attributes):
        self.classes |= {value for name, value in attributes if name == "class"}
        self.seen |= {tag, *(f"{tag} {name}" for name, _ in attributes)}


@pytest.mark.parametrize("name", NASTY)
def test_pages_are_self_contained(name):
    page = Tags()
    page.feed(export_html(make_tree(), wording=Wording([name] * 2, [name] * 3)))
    tags = {tag for tag in page.seen if " " not in tag}
    assert tags == {
        *("html", "head", "meta", "title", "style", "body", "div"),
        *("svg", "g", "rect", "path", "text"),
    }
    allowed = {"html lang", "meta charset", "div style"}
    attributes = {tag for tag in page.seen if " " in tag} - allowed
    assert not any(
        name.startswith("on") or name in {"id", "style", "href", "src"}
        for name in (attribute.split()[1] for attribute in attributes)
    )
    assert all(name.startswith("ostrya-") for name in page.classes)


def test_a_notebook_shows_the_picture():
    html = make_tree()._repr_html_()
    assert html.startswith("<div")
    assert export_svg(make_tree()) in html


def test_the_picture_of_the_readme_is_up_to_date():
    draw = runpy.run_path(str(ROOT / "docs" / "images" / "draw.py"))
    assert draw["PLACE"].read_text(encoding="utf-8") == draw["picture"]()


def test_long_names_take_several_lines():
    name = "a rather long name of a feature that goes on and on and on"
    picture = export_svg(make_tree(), [name, "b"])
    texts = texts_of(picture)
    assert "a rather long name of a feature" in texts
    assert "that goes on and on and on <= 1.5?" in texts
    assert all(len(text) <= 40 for text in texts)
    assert f"{name} &lt;= 1.5?" in picture, "in full where one points at it"


def test_names_too_long_for_a_picture_stay_different():
    start, end = "the same beginning " * 10, " and the same end" * 10
    names = [f"{start}{which}{end}" for which in ("one", "two")]
    tree = make_tree()
    boxes = lay_out(Wording(names, [*names, "x"]).of(tree)).boxes
    titles = {box.node: " ".join(box.titles) for box in boxes}
    assert "one" in titles[0]
    assert "two" in titles[1]
    assert len(set(titles.values())) == 5
    legend = lay_out(Wording(names, [*names, "x"]).of(tree)).legend
    assert len({entry.name for entry in legend}) == 3
    assert all(len(entry.name) <= 40 for entry in legend)


def test_many_classes_have_colours_of_their_own():
    for n_classes in (1, 8, 9, 40):
        assert len(set(palette(n_classes))) == n_classes


@pytest.mark.parametrize("n_leaves", [1, 3, 8, 30])
def test_no_text_overlaps_another_in_a_plot(pyplot, n_leaves):
    names = ["worst concave points", "MEAN WIDTH", "ill", "x"]
    ax = plot_tree(random_tree(n_leaves, seed=n_leaves), names, ["malignant", "b", "?"])
    figure = ax.figure
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    extents = [text.get_window_extent(renderer) for text in ax.texts]
    for one, two in itertools.combinations(extents, 2):
        assert not one.overlaps(two)
    frame = figure.bbox
    assert all(frame.x0 <= box.x0 and box.x1 <= frame.x1 for box in extents)


def test_texts_of_a_plot_fit_their_boxes(pyplot):
    tree = random_tree(12, seed=5)
    names = ["WWWWMMMM", "illicit %", "age in years", "ÄÖÜ_under_score"]
    words = Wording(names, ["YES", "no, never", "maybe"])
    ax = plot_tree(tree, wording=words)
    ax.figure.canvas.draw()
    renderer = ax.figure.canvas.get_renderer()
    places = {text.get_text(): text.get_window_extent(renderer) for text in ax.texts}
    points = 72 / ax.figure.dpi
    for box in lay_out(words.of(tree)).boxes:
        for line in box.titles:
            assert places[line].width * points <= box.width


def test_a_plot_holds_what_matters(pyplot):
    ax = plot_tree(make_tree(), *NAMES)
    assert set(TEXTS) <= {text.get_text() for text in ax.texts}
    assert not ax.axison


@pytest.mark.parametrize("name", NASTY[:3])
def test_a_plot_takes_names_as_they_are(pyplot, name, tmp_path):
    ax = plot_tree(make_tree(), [name, "$\\frac{$"], [name, "b", "c"])
    ax.figure.savefig(tmp_path / "tree.png")
    assert "$\\frac{$ <= 0?" in {text.get_text() for text in ax.texts}


def test_a_plot_fits_the_axes_it_is_given(pyplot):
    figure, axes = pyplot.subplots(1, 2, figsize=(4, 2))
    assert plot_tree(make_tree(), ax=axes[0]) is axes[0]
    figure.canvas.draw()
    renderer = figure.canvas.get_renderer()
    area = axes[0].get_window_extent(renderer)
    for text in axes[0].texts:
        box = text.get_window_extent(renderer)
        assert area.x0 - 1 <= box.x0 <= box.x1 <= area.x1 + 1
    assert not axes[1].texts


def test_a_plot_without_matplotlib_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r'pip install "ostrya\[plot\]"'):
        plot_tree(make_tree())

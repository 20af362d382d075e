"""Pictures on dark paper: all that is written can be read."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from export.trees import random_tree
from ostrya.export import export_html, export_svg, plot_tree
from ostrya.export.colours import DARK, LIGHT, palette, strength

SVG = "{http://www.w3.org/2000/svg}"


def luminance(colour):
    """Return the relative luminance of WCAG 2."""
    shares = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (
        s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one, two):
    light, dark = sorted((luminance(one), luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("n_classes", [2, 8, 15])
def test_words_are_read_on_every_colour(theme, n_classes):
    """4.5 is what WCAG asks for."""
    fills = [theme.paper, theme.split_fill]
    fills += [theme.tint(colour, strength(1.0)) for colour in palette(n_classes)]
    for fill in fills:
        assert contrast(theme.ink, fill) >= 4.5
        assert contrast(theme.pale_ink, fill) >= 4.5


def test_svg_turns_dark_with_its_reader():
    picture = export_svg(random_tree(5))
    root = ElementTree.fromstring(picture)
    (style,) = root.iter(f"{SVG}style")
    assert style.text.startswith("@media (prefers-color-scheme: dark)")
    ruled = dict(re.findall(r"\.(ostrya-\w+) \{ \w+: (#\w+) \}", style.text))
    light = {"ink": LIGHT.ink, "pale": LIGHT.pale_ink, "line": LIGHT.line}
    light |= {"paper": LIGHT.paper, "split": LIGHT.split_fill}
    used = set()
    for item in root.iter():
        name = (item.get("class") or "").removeprefix("ostrya-")
        if name:
            used.add(name)
            assert light[name] in (item.get("fill"), item.get("stroke"))
        elif item.tag != f"{SVG}text":
            # What keeps its colour is of a class, and seen on light and dark.
            assert not {item.get("fill"), item.get("stroke")} & set(light.values())
    assert used == set(light)
    assert set(ruled) == {f"ostrya-{name}" for name in light}
    assert DARK.paper in export_html(random_tree(2)).partition("</head>")[0]


@pytest.fixture
def pyplot():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    yield pyplot
    pyplot.close("all")


@pytest.mark.parametrize(
    ("style", "theme"),
    [
        ("default", LIGHT),
        ("dark_background", DARK),
        ("Solarize_Light2", LIGHT),
        ({"figure.facecolor": "#222222"}, DARK),
        ({"figure.facecolor": "none"}, LIGHT),
        ({"figure.facecolor": "none", "text.color": "white"}, DARK),
    ],
    ids=str,
)
def test_plots_follow_the_style(pyplot, style, theme):
    with pyplot.style.context(style):
        ax = plot_tree(random_tree(4))
    assert {text.get_color() for text in ax.texts} == {theme.ink, theme.pale_ink}


def test_a_plot_on_given_axes_follows_their_figure(pyplot):
    _, ax = pyplot.subplots(facecolor="black")
    plot_tree(random_tree(3), ax=ax)
    assert DARK.ink in {text.get_color() for text in ax.texts}

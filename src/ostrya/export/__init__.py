"""A tree for people and for other programs: text, pictures, files, models."""

from ostrya.export.graphviz import export_graphviz
from ostrya.export.json_file import from_json, load_json, save_json, to_json
from ostrya.export.latex import export_latex
from ostrya.export.plot import plot_tree
from ostrya.export.roc import roc_area, roc_points
from ostrya.export.roc_plot import plot_roc
from ostrya.export.sklearn_tree import to_sklearn, to_sklearn_forest
from ostrya.export.svg import export_html, export_svg
from ostrya.export.text import export_rules, export_text
from ostrya.export.wording import Wording

__all__ = [
    "Wording",
    "export_graphviz",
    "export_html",
    "export_latex",
    "export_rules",
    "export_svg",
    "export_text",
    "from_json",
    "load_json",
    "plot_roc",
    "plot_tree",
    "roc_area",
    "roc_points",
    "save_json",
    "to_json",
    "to_sklearn",
    "to_sklearn_forest",
]


def __dir__() -> list[str]:
    return __all__

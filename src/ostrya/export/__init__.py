"""Export trees as text, pictures, files, source code and models of other packages."""

from ostrya.export.frontier_plot import plot_frontier
from ostrya.export.graphviz import export_graphviz
from ostrya.export.json_file import from_json, load_json, save_json, to_json
from ostrya.export.latex import export_latex
from ostrya.export.plot import plot_tree
from ostrya.export.programs.c import to_c
from ostrya.export.programs.javascript import to_javascript
from ostrya.export.programs.onnx import to_onnx
from ostrya.export.programs.pmml import to_pmml
from ostrya.export.programs.python import to_python
from ostrya.export.programs.sql import to_sql
from ostrya.export.report.page import export_report
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
    "export_report",
    "export_rules",
    "export_svg",
    "export_text",
    "from_json",
    "load_json",
    "plot_frontier",
    "plot_roc",
    "plot_tree",
    "roc_area",
    "roc_points",
    "save_json",
    "to_c",
    "to_javascript",
    "to_json",
    "to_onnx",
    "to_pmml",
    "to_python",
    "to_sklearn",
    "to_sklearn_forest",
    "to_sql",
]


def __dir__() -> list[str]:
    return __all__

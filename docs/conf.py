"""The documentation site: ``make docs`` builds it into ``docs/_build/html``."""

from __future__ import annotations

import re
import sys
import warnings
from importlib.metadata import version as version_of
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_ext"))

project = "Ostrya"
author = "Ostrya contributors"
project_copyright = author
version = release = version_of("ostrya")

extensions = [
    "command_help",
    "mathml",
    "myst_parser",
    "numpydoc",
    "self_contained",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "gallery/*.ipynb", "gallery/*.py"]
# The order of the gallery is a function, which Sphinx cannot keep between builds.
suppress_warnings = ["config.cache"]

# Pages

highlight_language = "none"  # blocks say what they are
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3
FILE_OUTSIDE = re.compile(
    r"(?<!!)\[([^\]]+)\]\(((?:\.\./)+(?:[A-Z]+|benchmarks/[^)]+)\.(?:md|csv|svg|txt))\)"
)


def offer_files_outside(app: Any, page: str, source: list[str]) -> None:
    """Make files of the repository that are no pages of the site downloads of it."""
    source[0] = FILE_OUTSIDE.sub(r"{download}`\1 <\2>`", source[0])


# Reference

autodoc_typehints = "none"  # the docstrings have them, in words
autosummary_generate = True
toc_object_entries_show_parents = "hide"
templates_path = ["_templates"]
numpydoc_show_class_members = False  # the template of classes lists them


def skip_what_scikit_learn_says(
    app: Any, what: str, name: str, member: Any, skip: bool, options: Any
) -> bool | None:
    """Leave inherited methods to the documentation they come from."""
    owner = getattr(member, "__module__", None) or ""
    return True if owner.startswith("sklearn.") else None


def setup(app: Any) -> None:
    """Connect both of these."""
    app.connect("source-read", offer_files_outside)
    app.connect("autodoc-skip-member", skip_what_scikit_learn_says)


# Gallery: what a reader meets first comes first.

ORDER = [
    "first_tree",
    "monk",
    "costs",
    "rare_disease",
    "table",
    "dates",
    "survey_weights",
    "frontier",
    "cross_validation",
    "ranking",
    "progress",
    "guesses",
    "topk",
    "report",
    "deploy",
]


def place_in_gallery(file_name: str) -> tuple[int, str]:
    """Return what examples are sorted by; those that ORDER lacks come last."""
    name = Path(file_name).stem
    return (ORDER.index(name) if name in ORDER else len(ORDER), name)


sphinx_gallery_conf = {
    "examples_dirs": "../examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"\.py$",
    "within_subsection_order": place_in_gallery,
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "min_reported_time": 10**9,  # seconds differ between machines
    "write_computation_times": False,
    "remove_config_comments": True,
    "abort_on_example_error": True,
    "backreferences_dir": "gallery/uses",
    "doc_module": ("ostrya",),
    "reference_url": {"ostrya": None},
}
warnings.filterwarnings("ignore", message=".*is non-interactive", category=UserWarning)

# Looks; everything comes from this site, nothing from elsewhere.

html_theme = "pydata_sphinx_theme"
html_title = "Ostrya"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_context = {"default_mode": "auto"}
html_show_sourcelink = False
html_copy_source = False
html_theme_options = {
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "show_prev_next": True,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}
html_sidebars: dict[str, list[str]] = {"index": []}

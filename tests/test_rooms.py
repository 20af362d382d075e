"""The rooms: arrows point one way, files stay small, names say something."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "ostrya"
CPP = ROOT / "cpp"

# What each module, or room of modules, may import besides itself. It comes after
# everything it imports, so the arrows cannot run in a circle.
PYTHON_ARROWS = {
    "_core": set(),
    "machine": set(),
    "exceptions": set(),
    "routing": set(),
    "arguments": set(),
    "tree": {"arguments", "routing"},
    "roc": {"tree"},
    "export": {"roc", "tree"},
    "text": {"export"},
    "bounds": set(),
    "options": set(),
    "problem": set(),
    "multiples": set(),
    "top_k": {"multiples"},
    "outcome": {"tree"},
    "measures": set(),
    "door": {"arguments", "options", "problem", "top_k", "tree"},
    "objective_door": {"arguments", "bounds", "measures", "multiples", "problem"},
    "grid": {"multiples", "problem"},
    "measure_grid": {"grid", "measures", "multiples", "problem"},
    "recount": {"grid", "measure_grid", "problem", "routing", "tree"},
    "undo": {"grid", "measure_grid", "problem", "recount", "routing"},
    "f_score": {"grid", "measure_grid", "measures", "problem"},
    "engines": {
        *("_core", "f_score", "grid", "machine", "measure_grid", "options"),
        *("problem", "recount", "top_k"),
    },
    "conclusion": {"exceptions", "grid", "outcome", "recount"},
    "guarantee": {"grid", "problem"},
    "polish": {"grid", "problem", "routing"},
    "subsets": {"engines", "grid", "polish", "problem"},
    "guessed": {
        *("conclusion", "engines", "grid", "guarantee", "polish", "problem"),
        *("recount", "routing", "subsets"),
    },
    "solve": {
        *("bounds", "conclusion", "door", "engines", "grid", "guessed"),
        *("measure_grid", "objective_door", "outcome", "recount", "top_k", "tree"),
        "undo",
    },
    "preprocessing": {"arguments", "exceptions"},
    "estimators": {
        *("arguments", "door", "exceptions", "export", "measures", "objective_door"),
        "outcome",
        *("preprocessing", "roc", "routing", "solve", "top_k", "tree"),
    },
    "demo": {"outcome", "solve", "text"},
    "cli": {
        *("demo", "estimators", "exceptions", "export", "machine", "options"),
        "outcome",
        "preprocessing",
    },
    "__main__": {"cli"},
    "__init__": {
        *("bounds", "estimators", "exceptions", "outcome"),
        *("preprocessing", "solve", "top_k", "tree"),
    },
}
# The one import inside a function: showing a tree wakes the room that draws it.
LAZY_ARROWS = {("tree", "export")}

# What each room of the engines may include besides itself; again after all it includes.
CPP_ARROWS = {
    "data": set(),
    "objective": {"data"},
    "watch": {"objective", "data"},
    "kernels": {"objective", "data"},
    "bounds": {"kernels", "objective", "data"},
    "search": {"bounds", "kernels", "watch", "objective", "data"},
    # The second engine knows nothing of the first, or it would be no second opinion.
    "leaf_sets": {"watch", "objective", "data"},
    "top_k": {"search", "bounds", "kernels", "watch", "objective", "data"},
    "bind": {
        *("top_k", "search", "leaf_sets", "bounds", "kernels"),
        *("watch", "objective", "data"),
    },
}
PYTHON_HEADER = re.compile(r"Python\.h|nanobind/|numpy/")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)

MOST_LINES = {".py": 400, ".cpp": 300, ".hpp": 300}
EMPTY_NAMES = {"util", "utils", "common", "global", "globals", "misc", "helpers"}

MODULES = sorted(PACKAGE.rglob("*.py"))
CPP_FILES = sorted(path for path in CPP.rglob("*.?pp"))
SOURCES = [
    path
    for folder in ("src", "cpp", "tests", "benchmarks", "examples")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in MOST_LINES
    and not any(part.startswith(".") for part in path.relative_to(ROOT).parts)
]


def named(paths):
    return [pytest.param(path, id=path.relative_to(ROOT).as_posix()) for path in paths]


def our_imports(nodes):
    """Return the modules of ours that these syntax nodes import."""
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            dotted = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module == "ostrya":
            dotted = [f"ostrya.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            dotted = [node.module]
        else:
            continue
        found |= {name.split(".")[1] for name in dotted if name.startswith("ostrya.")}
    return found


def test_the_arrows_run_in_no_circle():
    for arrows in (PYTHON_ARROWS, CPP_ARROWS):
        known = set()
        for module, imported in arrows.items():
            assert imported <= known
            known.add(module)


@pytest.mark.parametrize("path", named(MODULES))
def test_python_imports_follow_the_arrows(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    inside = {node for function in functions for node in ast.walk(function)}
    lazy = our_imports(inside)
    at_once = our_imports(node for node in ast.walk(tree) if node not in inside)

    room = path.relative_to(PACKAGE).with_suffix("").parts[0]
    assert at_once <= PYTHON_ARROWS[room] | {room}
    assert {(room, imported) for imported in lazy - {room}} <= LAZY_ARROWS


@pytest.mark.parametrize("path", named(CPP_FILES))
def test_cpp_includes_follow_the_arrows(path):
    room = path.relative_to(CPP).parts[0]
    allowed = CPP_ARROWS[room] | {room}
    for bracket, header in INCLUDE.findall(path.read_text(encoding="utf-8")):
        if bracket == '"':
            assert header.split("/")[0] in allowed, f"{room} includes {header}"
        if room != "bind":
            assert not PYTHON_HEADER.search(header), f"{room} includes {header}"


@pytest.mark.parametrize("path", named(SOURCES))
def test_files_stay_small(path):
    lines = path.read_text(encoding="utf-8").count("\n")
    assert lines <= MOST_LINES[path.suffix], "split it by concept"


@pytest.mark.parametrize("path", named(SOURCES))
def test_names_say_something(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    assert not EMPTY_NAMES & {part.strip("_").lower() for part in parts}

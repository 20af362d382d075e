"""Imports follow arrows that point one way, files stay small, names say something."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import ostrya

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "ostrya"
CPP = ROOT / "cpp"

# What each module, or folder of modules, may import besides itself. It comes after
# everything it imports, so the arrows cannot run in a circle. The two private folders
# are held module by module.
PYTHON_ARROWS = {
    **{name: set() for name in ("_core", "exceptions", "bounds", "_arguments")},
    **{name: set() for name in ("_condition", "_ctrl_c", "_memory", "_whole_file")},
    "_weights": {"_arguments"},
    "_whole_numbers": set(),
    "_warn_caller": {"exceptions"},
    "_coded_matrix": set(),
    "_tree_shape": {"_coded_matrix", "_core"},
    "top_k": set(),
    "_shares": set(),
    "tree": {"_arguments", "_shares", "_tree_shape"},
    "_leaf_boxes": {"_shares", "tree"},
    "results": {"_arguments", "_whole_file", "tree"},
    "constraints": {"_arguments", "_leaf_boxes", "tree"},
    "_live": {"results"},
    "_cart": {"_tree_shape"},
    "objectives": {"_arguments"},
    "export": {
        *("_arguments", "_cart", "_condition", "_shares", "_whole_file"),
        *("objectives", "tree"),
    },
    "_solve.__init__": set(),
    "preprocessing": {
        *("_arguments", "_condition", "_memory", "_warn_caller", "_weights"),
        *("_coded_matrix", "_whole_numbers", "exceptions"),
    },
    "_solve.options": set(),
    "_solve.limits": {"_memory", "_solve.options"},
    "_solve.multiples": set(),
    "_solve.labelings": set(),
    "_solve.measures": {"_solve.labelings"},
    "_solve.training_data": {"_coded_matrix", "_core"},
    "_solve.objective_weights": {"_arguments", "objectives"},
    "_solve.impurity": {"_arguments", "top_k"},
    "_solve.validation": {
        *("_arguments", "_warn_caller", "_weights", "_whole_numbers", "top_k", "tree"),
        *(
            "_coded_matrix",
            "_solve.impurity",
            "_solve.limits",
            "_solve.objective_weights",
            "_solve.options",
        ),
        "_solve.training_data",
    },
    "_solve.fit_monitor": {
        *("_ctrl_c", "results", "_solve.limits", "_solve.validation"),
    },
    "_solve.objective_validation": {
        *("_arguments", "bounds", "objectives"),
        *("_solve.measures", "_solve.multiples", "_solve.objective_weights"),
        "_solve.training_data",
    },
    "_solve.checkpoint": {"_arguments", "_whole_file"},
    "_solve.settings": {
        *("bounds", "results", "top_k", "tree", "_solve.checkpoint"),
        *("_solve.limits", "_solve.measures", "_solve.objective_validation"),
        *("_solve.training_data", "_solve.validation"),
    },
    "_solve.idle_threads": {"_solve.validation", "_warn_caller"},
    "_solve.ranked_splits": {
        *("_coded_matrix", "top_k", "_solve.impurity", "_solve.multiples"),
    },
    "_solve.ranking": set(),
    "_solve.root_part": {"_core"},
    "_solve.search": {
        *("_ctrl_c", "_tree_shape", "bounds", "results", "_solve.checkpoint"),
        *("_solve.limits", "_solve.ranked_splits", "_solve.ranking"),
        "_solve.root_part",
    },
    "_solve.grid": {"_solve.multiples", "_solve.training_data"},
    "_solve.row_cost_grid": {
        *("_solve.grid", "_solve.multiples", "_solve.training_data"),
    },
    "_solve.certificate": {
        *("_coded_matrix", "_core", "_ctrl_c", "_tree_shape", "tree", "_solve.grid"),
        *("_solve.limits", "_solve.training_data", "exceptions"),
        "results",
    },
    "_solve.measure_grid": {
        *("_solve.grid", "_solve.measures", "_solve.multiples"),
        "_solve.training_data",
    },
    "_solve.recount": {
        *("_tree_shape", "tree", "_solve.measures"),
        *("_solve.grid", "_solve.measure_grid", "_solve.training_data"),
    },
    "_solve.hull": set(),
    "_solve.reports": {
        *("results", "_solve.grid", "_solve.recount", "_solve.search"),
    },
    "_solve.pruning": {
        *("_tree_shape", "_solve.grid", "_solve.measure_grid", "_solve.recount"),
        "_solve.training_data",
    },
    "_solve.engine": {
        *("_coded_matrix", "_core", "_ctrl_c", "_tree_shape", "bounds", "results"),
        *("_solve.checkpoint", "_solve.grid", "_solve.limits", "_solve.measure_grid"),
        *("_solve.ranking", "_solve.root_part", "_solve.search"),
        "_solve.training_data",
    },
    "_solve.tree_counts": {
        *("_core", "_ctrl_c", "_solve.engine", "_solve.grid", "_solve.limits"),
        *("_solve.multiples", "_solve.training_data"),
    },
    "_solve.f_score": {
        *("_tree_shape", "results", "_solve.engine", "_solve.grid", "_solve.limits"),
        *("_solve.measure_grid", "_solve.measures", "_solve.multiples"),
        *("_solve.recount", "_solve.search", "_solve.training_data"),
    },
    "_solve.area_search": {
        *("_tree_shape", "bounds", "results", "_solve.engine", "_solve.grid"),
        *("_solve.limits", "_solve.measure_grid", "_solve.multiples"),
        *("_solve.pruning", "_solve.recount", "_solve.search", "_solve.training_data"),
    },
    "_solve.size_brackets": {
        *("_tree_shape", "_solve.grid", "_solve.pruning", "_solve.recount"),
        *("_solve.search", "_solve.training_data"),
    },
    "_solve.size_search": {
        *("results", "_solve.engine", "_solve.grid", "_solve.limits"),
        *("_solve.search", "_solve.training_data"),
    },
    "_solve.penalty_sweep": {
        *("results", "top_k", "_solve.engine", "_solve.grid", "_solve.limits"),
        *("_solve.ranked_splits", "_solve.search", "_solve.settings"),
        *("_solve.size_brackets", "_solve.size_search", "_solve.training_data"),
    },
    "_solve.error_prices": {"_solve.grid"},
    "_solve.callable_search": {
        *("_tree_shape", "results", "_solve.engine", "_solve.grid", "_solve.limits"),
        *("bounds", "_solve.measure_grid", "_solve.measures", "_solve.error_prices"),
        *("_solve.pruning", "_solve.recount", "_solve.search", "_solve.training_data"),
    },
    "_solve.conclusion": {
        *("_tree_shape", "exceptions", "results"),
        *("_solve.grid", "_solve.multiples", "_solve.recount", "_solve.search"),
    },
    "_solve.constrained_search": {
        *("_ctrl_c", "_leaf_boxes", "_tree_shape", "results", "tree"),
        *("_solve.conclusion", "_solve.engine", "_solve.grid", "_solve.limits"),
        *("_solve.recount", "_solve.reports", "_solve.search", "_solve.settings"),
        "_solve.training_data",
    },
    "_solve.anchored_search": {
        *("results", "_solve.conclusion", "_solve.limits", "_solve.measure_grid"),
        *("_solve.multiples", "_solve.recount", "_solve.search"),
        "_solve.training_data",
    },
    "_guesses.__init__": set(),
    "_guesses.guess": {"_arguments"},
    "_guesses.depth": {"_arguments"},
    "_guesses.report": set(),
    "_guesses.ensembles": set(),
    "_guesses.intervals": {"_coded_matrix"},
    "_guesses.candidates": {
        *("preprocessing", "_guesses.ensembles", "_guesses.intervals"),
    },
    "_guesses.codes": {"_guesses.candidates"},
    "_guesses.guess_clock": {"_solve.fit_monitor"},
    "_guesses.refits": {
        *("_guesses.candidates", "_guesses.codes", "_guesses.ensembles"),
        "_guesses.guess_clock",
    },
    "_guesses.row_sample": {
        *("preprocessing", "_guesses.guess_clock", "_guesses.refits"),
        *("_coded_matrix", "_memory"),
    },
    "_guesses.elimination": {"_guesses.guess_clock", "_guesses.refits"},
    "_guesses.reference_model": {
        *("preprocessing", "_guesses.candidates", "_guesses.codes"),
        *("_guesses.elimination", "_guesses.ensembles", "_guesses.guess_clock"),
        *("_guesses.intervals", "_guesses.refits"),
    },
    "_guesses.threshold_guess": {
        *("_arguments", "exceptions", "preprocessing"),
        *("_guesses.guess", "_guesses.reference_model"),
    },
    "guesses": {
        *("_guesses.depth", "_guesses.guess", "_guesses.report"),
        "_guesses.threshold_guess",
    },
    "_guesses.fitted_reference": {"preprocessing", "_guesses.reference_model"},
    "_guesses.label_loss": {"_solve.measures", "_solve.objective_validation"},
    "_guesses.scorer": {"_guesses.label_loss"},
    "_guesses.hold_out": {
        *("_guesses.guess_clock", "_guesses.refits", "_guesses.scorer"),
    },
    "_guesses.reference_check": {
        *("exceptions", "_guesses.guess_clock", "_guesses.hold_out"),
        *("_guesses.reference_model", "_guesses.scorer"),
    },
    "_guesses.plan": {
        *("results", "preprocessing", "_guesses.depth", "_guesses.ensembles"),
        *("_guesses.fitted_reference", "_guesses.guess", "_guesses.guess_clock"),
        *("_guesses.hold_out", "_guesses.label_loss", "_guesses.reference_check"),
        *("_guesses.reference_model", "_guesses.report", "_guesses.row_sample"),
        *("_coded_matrix", "_guesses.scorer", "_solve.fit_monitor"),
    },
    "_guesses.guarantee": {"_solve.grid", "_solve.training_data"},
    "_guesses.polish": {"_tree_shape", "_solve.grid", "_solve.training_data"},
    "_guesses.subtree_search": {
        *("_tree_shape", "results", "_solve.engine", "_solve.grid", "_solve.limits"),
        *("_solve.search", "_solve.training_data", "_guesses.polish"),
    },
    "_guesses.guessed_search": {
        *("_tree_shape", "results", "_solve.conclusion", "_solve.engine"),
        *("_solve.grid", "_solve.limits", "_solve.recount", "_solve.search"),
        *("_solve.training_data", "_guesses.guarantee", "_guesses.polish"),
        "_guesses.subtree_search",
    },
    "_cluster.__init__": set(),
    "_cluster.context": {"_arguments"},
    "_cluster.task": {
        *("_core", "bounds", "_solve.checkpoint", "_solve.engine", "_solve.grid"),
        *("_solve.limits", "_solve.root_part", "_solve.search", "_solve.training_data"),
    },
    "_cluster.subproblem": {
        *("_tree_shape", "_cluster.task", "_solve.limits", "_solve.root_part"),
        "_solve.search",
    },
    "_cluster.agenda": {"_cluster.subproblem", "_cluster.task"},
    "_cluster.exchange": {"_cluster.task"},
    "_cluster.workers": {"_cluster.agenda", "_cluster.context", "_cluster.task"},
    "_cluster.search": {
        *("_core", "bounds", "exceptions", "results"),
        *("_cluster.agenda", "_cluster.context", "_cluster.exchange"),
        *("_cluster.subproblem", "_cluster.task", "_cluster.workers", "_solve.engine"),
        *("_solve.grid", "_solve.limits", "_solve.root_part", "_solve.search"),
        "_solve.training_data",
    },
    "_solver": {
        *("_cluster.context", "_cluster.search"),
        *("_ctrl_c", "_tree_shape", "bounds", "objectives", "results", "top_k"),
        *("tree", "_solve.area_search", "_solve.callable_search", "_solve.conclusion"),
        *("_solve.certificate", "_solve.engine", "_solve.f_score"),
        *("_solve.fit_monitor", "_solve.grid"),
        *("_solve.anchored_search", "_solve.measure_grid", "_solve.measures"),
        *("_solve.idle_threads", "_solve.pruning", "_solve.ranked_splits"),
        *("_solve.recount", "_solve.reports", "_solve.row_cost_grid"),
        *("_solve.search", "_solve.settings"),
        *("_solve.training_data", "_solve.validation", "_guesses.guessed_search"),
    },
    "_frontier": {
        *("_ctrl_c", "exceptions", "tree"),
        *("_solve.grid", "_solve.hull", "_solve.limits"),
        *("_solve.ranking", "_solve.recount", "_solve.reports", "_solve.search"),
        *("_solve.penalty_sweep", "_solve.settings", "_solve.size_brackets"),
        *("_solve.size_search", "_solve.training_data", "results"),
    },
    "_solve.ladder": set(),
    "_estimate_runtime": {
        *("_ctrl_c", "_frontier", "results", "top_k"),
        *("_solve.engine", "_solve.grid", "_solve.ladder", "_solve.limits"),
        *("_solve.ranked_splits", "_solve.search", "_solve.settings"),
        *("_solve.size_search", "_solve.training_data"),
    },
    "estimators": {
        *("_arguments", "_cart", "_ctrl_c", "_estimate_runtime", "_frontier", "_live"),
        *("_leaf_boxes", "_solve.constrained_search"),
        *("objectives", "_solve.objective_weights"),
        *(
            "_solve.certificate",
            "_solve.engine",
            "_solve.grid",
            "_solve.idle_threads",
            "_solve.penalty_sweep",
            "_solve.ranking",
            "_solve.recount",
            "_solver",
        ),
        *("_condition", "_tree_shape", "_warn_caller", "_weights", "_whole_file"),
        *("_coded_matrix", "_memory", "_solve.measure_grid", "exceptions", "export"),
        *("bounds", "constraints", "preprocessing", "results", "top_k", "tree"),
        *("_solve.reports", "_solve.search", "_solve.tree_counts"),
        *("_solve.training_data", "_solve.fit_monitor", "_solve.limits"),
        *("_solve.measures", "_solve.settings", "_guesses.threshold_guess"),
        *("_solve.objective_validation", "_solve.options", "_solve.validation"),
        *("_guesses.depth", "_guesses.guess", "_guesses.label_loss"),
        *("_guesses.plan", "_guesses.reference_model", "_guesses.report"),
    },
    "demo": {"_solver", "export"},
    "cli": {
        *("_live", "_whole_file", "_whole_numbers"),
        *("demo", "estimators", "exceptions", "export", "results", "preprocessing"),
        *("_memory", "_solve.certificate", "_solve.options", "_guesses.guess"),
        *("constraints", "objectives", "_solve.objective_weights"),
    },
    "__main__": {"cli"},
    "__init__": {
        *("_cluster.context", "_solver", "bounds", "constraints", "guesses"),
        "objectives",
        *("estimators", "exceptions", "export", "preprocessing", "results"),
        *("top_k", "tree"),
    },
}
HELD_BY_MODULE = ("_cluster", "_solve", "_guesses")
# Imports inside a function: showing a tree wakes the folder that draws it, and a guess
# of thresholds is a public name of the tables it is made from.
LAZY_ARROWS = {
    ("tree", "export"),
    ("results", "export"),
    ("preprocessing", "_guesses.threshold_guess"),
    ("_estimate_runtime", "_guesses.threshold_guess"),
}

# What each room of the engines may include besides itself; again after all it includes.
CPP_ARROWS = {
    "tuning": set(),
    "memory": set(),
    "threads": set(),
    "data": {"threads", "memory"},
    "kernels": set(),
    "objective": {"tuning", "threads", "memory", "data"},
    "watch": {"objective", "data"},
    "greedy": {"tuning", "watch", "objective", "memory", "data"},
    "bounds": {"objective", "data"},
    "prices": {
        *("tuning", "watch", "kernels", "objective", "threads", "memory", "data"),
    },
    "node": {"kernels", "objective", "memory", "data"},
    "pairs": {"node", "kernels", "objective", "memory", "data"},
    "tables": {"node", "kernels", "objective", "memory", "data"},
    "search": {
        *("tables", "pairs", "node", "greedy", "prices", "bounds", "kernels"),
        *("tuning", "watch", "objective", "threads", "memory", "data"),
    },
    # The second engine knows nothing of the first, or it would be no second opinion.
    "leaf_sets": {"tuning", "watch", "objective", "memory", "data"},
    "top_k": {
        *("search", "pairs", "node", "bounds", "tuning"),
        *("watch", "objective", "threads", "memory", "data"),
    },
    "rashomon": {
        *("search", "pairs", "node", "bounds", "kernels"),
        *("watch", "objective", "memory", "data"),
    },
    "constrained": {
        *("rashomon", "search", "bounds", "watch", "objective", "memory", "data"),
    },
    "fronts": {"leaf_sets", "watch", "objective", "memory", "data"},
    "certificate": {
        *("search", "node", "kernels", "prices", "bounds", "tuning"),
        *("watch", "objective", "threads", "memory", "data"),
    },
    "bind": {
        *("certificate", "top_k", "search", "fronts", "leaf_sets", "rashomon"),
        "constrained",
        *("greedy", "prices", "bounds", "kernels", "tuning"),
        *("watch", "objective", "threads", "memory", "data"),
    },
}
PYTHON_HEADER = re.compile(r"Python\.h|nanobind/|numpy/")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)

# A file holds one concept, whatever its length; beyond this it usually holds two.
MOST_LINES = {".py": 800, ".cpp": 800, ".hpp": 800}
EMPTY_NAMES = {"util", "utils", "common", "global", "globals", "misc", "helpers"}

MODULES = sorted(PACKAGE.rglob("*.py"))
CPP_FILES = sorted(path for path in CPP.rglob("*.?pp"))
SOURCES = [
    path
    for folder in ("src", "cpp", "tests", "benchmarks", "fuzz", "examples")
    for path in sorted((ROOT / folder).rglob("*"))
    if path.suffix in MOST_LINES
    and not any(part.startswith(".") for part in path.relative_to(ROOT).parts)
]


def named(paths):
    return [pytest.param(path, id=path.relative_to(ROOT).as_posix()) for path in paths]


def unit(dotted):
    """Return what the arrows call a module of ours, given by its parts."""
    return ".".join(dotted[: 2 if dotted[0] in HELD_BY_MODULE else 1])


def our_imports(nodes):
    """Return the modules of ours that these syntax nodes import."""
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            dotted = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            from_package = node.module in (
                "ostrya",
                *(f"ostrya.{n}" for n in HELD_BY_MODULE),
            )
            names = [f".{alias.name}" for alias in node.names] if from_package else [""]
            dotted = [node.module + name for name in names]
        else:
            continue
        found |= {unit(n.split(".")[1:]) for n in dotted if n.startswith("ostrya.")}
    return found


def is_for_types(node):
    """Tell whether a block is read by type checkers alone."""
    return isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"


def test_the_package_lists_its_public_names():
    assert dir(ostrya) == sorted(ostrya.__all__)


def test_the_arrows_run_in_no_circle():
    for arrows in (PYTHON_ARROWS, CPP_ARROWS):
        known = set()
        for module, imported in arrows.items():
            assert imported <= known
            known.add(module)


@pytest.mark.parametrize("path", named(MODULES))
def test_python_imports_follow_the_arrows(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    blocks = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef) or is_for_types(node)
    ]
    inside = {node for block in blocks for node in ast.walk(block)}
    lazy = our_imports(inside)
    at_once = our_imports(node for node in ast.walk(tree) if node not in inside)

    own = unit(path.relative_to(PACKAGE).with_suffix("").parts)
    allowed = PYTHON_ARROWS[own] | {own}
    assert at_once <= allowed
    assert {(own, imported) for imported in lazy - allowed} <= LAZY_ARROWS


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

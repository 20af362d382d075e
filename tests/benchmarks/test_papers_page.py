"""The page on the papers: its commands exist, and its files are there."""

from __future__ import annotations

import re

import pytest

from benchmarks.__main__ import parser
from benchmarks.data import ROOT

PAGE = ROOT / "docs" / "papers.md"
COLUMNS = 6
HEAD = "| item | code | command | printed | ours | what differs, and why |"
LINK = re.compile(r"\]\(([^)]+)\)")
CODE = re.compile(r"`([^`]+)`")


def rows():
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    cells = [line.strip("|").split("|") for line in lines if line.startswith("| ")]
    found = [[cell.strip() for cell in row] for row in cells]
    return [row for row in found if row[:3] != ["item", "code", "command"]]


ROWS = [row for row in rows() if len(row) == COLUMNS]
NAMES = [row[0] for row in ROWS]


def test_there_is_one_table_per_paper():
    text = PAGE.read_text(encoding="utf-8")
    assert text.count(HEAD) == 4
    for paper, least in (("OSDT", 30), ("GOSDT", 30), ("Guesses", 18), ("Top-k", 10)):
        section = text.split(f"\n## {paper}\n")[1].split("\n## ")[0]
        assert sum(line.startswith("| ") for line in section.splitlines()) > least


def test_every_row_has_every_cell():
    for row in rows():
        assert all(row), row


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_code_of_a_row_is_there(row):
    paths = [path for path in CODE.findall(row[1]) if "/" in path]
    assert paths
    for path in paths:
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize("row", ROWS, ids=NAMES)
def test_command_of_a_row_exists(row):
    command = row[2]
    if command == "none":
        assert "Not reproduced" in row[4] or "Not used" in row[4] or "prints" in row[4]
        return
    (words,) = CODE.findall(command)
    if words.startswith("pytest "):
        assert (ROOT / words.removeprefix("pytest ")).exists()
    else:
        assert words.startswith("python -m benchmarks ")
        options = parser().parse_args(words.split()[3:])
        assert callable(options.call)


def test_every_linked_file_is_there():
    links = LINK.findall(PAGE.read_text(encoding="utf-8"))
    assert links
    for link in links:
        assert (PAGE.parent / link.partition("#")[0]).exists(), link


def test_every_kept_result_is_linked_or_beside_one_that_is():
    """A result that no reader can find from the page is not worth keeping."""
    linked = {
        (PAGE.parent / link).resolve().parent
        for link in LINK.findall(PAGE.read_text(encoding="utf-8"))
        if "results/papers" in link
    }
    kept = (ROOT / "benchmarks" / "results" / "papers").rglob("*.*")
    assert {path.parent for path in kept} <= linked


def test_every_kept_table_and_figure_names_command_and_commit():
    folder = ROOT / "benchmarks" / "results" / "papers"
    for path in folder.rglob("*.csv"):
        first = path.read_text(encoding="utf-8").partition("\n")[0]
        match = re.fullmatch(
            r"# python -m benchmarks (.+); commit ([0-9a-f]+); .+", first
        )
        assert match, path
        parser().parse_args(match[1].split())
    for path in folder.rglob("*.svg"):
        if path.parent.name != "trees":
            assert re.search(r"; commit [0-9a-f]{10}; ", path.read_text()), path

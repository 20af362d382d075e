"""Classes of the engine stay small enough to be read at one go."""

from __future__ import annotations

import re
from pathlib import Path

CPP = Path(__file__).parent.parent / "cpp"
# Some 15 are aimed at; constructors are not counted.
MOST_FUNCTIONS = 17

NO_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\btemplate\s*<[^>]*>', re.DOTALL
)
CLASS = re.compile(r"(?<!enum )\b(?:class|struct)\s+(\w+)[^;{}()]*\{")
NO_FUNCTION = ("using", "friend", "static_assert", "struct", "class", "enum")
SCOPE = re.compile(r"\b(?:public|private|protected)\s*:")
NAMED = re.compile(r"(operator\W+|\w+)\s*$")


def members(code, start):
    """Return the declarations in the body of a class that begins at `start`."""
    depth, declared = 1, ""
    while depth:
        mark = code[start]
        depth += (mark == "{") - (mark == "}")
        if mark == "}" and depth == 1:
            declared += ";"
        elif depth == 1 and mark != "}":
            declared += mark
        start += 1
    return [SCOPE.sub("", each).strip() for each in declared.split(";")]


def functions(name, declared):
    """Return the functions among some declarations of a class of that name."""
    found = []
    for each in declared:
        head = each.split("(")[0]
        is_value = "=" in head and "operator" not in head
        if "(" not in each or each.startswith(NO_FUNCTION) or is_value:
            continue
        named = NAMED.search(head)
        if named is None or named[1] in (name, "void") or "= default" in each:
            continue
        if not named[1].endswith("_"):  # a member and what it begins as
            found.append(named[1])
    return found


def classes():
    for path in sorted(CPP.rglob("*.?pp")):
        code = NO_CODE.sub("", path.read_text(encoding="utf-8"))
        for found in CLASS.finditer(code):
            declared = members(code, found.end())
            yield f"{path.parent.name}/{found[1]}", functions(found[1], declared)


def test_classes_have_few_functions():
    large = {name: found for name, found in classes() if len(found) > MOST_FUNCTIONS}
    assert not large, "split them by concept"


def test_functions_are_counted():
    by_name = dict(classes())
    assert len(by_name) > 100
    assert {"is_up", "is_up_before", "pause", "raise"} <= set(by_name["watch/StopSign"])
    assert by_name["watch/StopSign"].count("StopSign") == 0
    assert len(by_name["search/Solver"]) == 15

"""Every public name is in the reference, and has an example."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import ostrya

# These are also at the top level, where the reference lists them.
TWICE = [
    (ostrya.exceptions, name)
    for name in ("OptimalityWarning", "OstryaError", "TableWarning")
]
REFERENCE = Path(__file__).parents[2] / "docs" / "reference" / "api.rst"
NAMES = [getattr(ostrya, name) for name in ostrya.__all__]
MODULES = (ostrya, *filter(inspect.ismodule, NAMES))
PUBLIC = [
    (module, name)
    for module in MODULES
    for name in module.__all__
    if callable(getattr(module, name)) and (module, name) not in TWICE
]


def names_in_reference():
    """Return the objects that the reference lists."""
    listed, module = [], ostrya
    for line in REFERENCE.read_text(encoding="utf-8").splitlines():
        if found := re.fullmatch(r"\.\. currentmodule:: (\S+)", line):
            module = next(each for each in MODULES if each.__name__ == found[1])
        elif found := re.fullmatch(r"   (\w+)", line):
            listed.append(getattr(module, found[1]))
    return listed


def test_every_public_name_is_in_the_reference_once():
    listed = names_in_reference()
    assert len(set(listed)) == len(listed)
    assert set(listed) == {getattr(module, name) for module, name in PUBLIC}


@pytest.mark.parametrize(
    ("module", "name"), PUBLIC, ids=lambda part: getattr(part, "__name__", part)
)
def test_every_public_name_has_an_example(module, name):
    assert ">>> " in inspect.getdoc(getattr(module, name))

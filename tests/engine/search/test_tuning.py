"""Constants of the schedule: each is documented, and none changes an optimum."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from oracle import optimum
from ostrya import _core
from strategies import deep_problems, random_problems

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "research" / "tuning.md").read_text(encoding="utf-8")
HEADER = (ROOT / "cpp" / "tuning" / "tuning.hpp").read_text(encoding="utf-8")


def names_of(value):
    """Return the attributes of a value of `_core` that are data."""
    return [name for name in vars(type(value)) if not name.startswith("_")]


def families(tuning):
    """Return the families of constants by name."""
    found = {name: getattr(tuning, name) for name in names_of(tuning)}
    return {name: each for name, each in found.items() if not isinstance(each, type)}


def number(text):
    """Return a number as the page writes it."""
    if text in ("true", "false"):
        return text == "true"
    power = re.fullmatch(r"2\^(\d+)", text)
    if power:
        return 2 ** int(power[1])
    mebibytes = re.fullmatch(r"(\d+) MiB", text)
    return int(mebibytes[1]) << 20 if mebibytes else float(text.replace(",", ""))


def documented():
    """Return the constants on the page and their values, by family."""
    found = {}
    for section in PAGE.split("\n## ")[1:]:
        family = re.search(r"\(`(\w+)`\)", section.splitlines()[0])
        rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", section, re.MULTILINE)
        key = family[1] if family else "compiled"
        found[key] = {name: number(value) for name, value in rows}
    return found


def test_the_page_has_every_constant_with_its_value():
    expected = {
        family: {name: getattr(each, name) for name in names_of(each)}
        for family, each in families(_core.Tuning()).items()
    }
    page = documented()
    compiled = page.pop("compiled")
    assert page == expected
    fixed = HEADER.split("struct FixedTuning")[1]
    assert list(compiled) == re.findall(r"static constexpr [\w:]+ (\w+) =", fixed)


def test_the_binding_has_every_constant_of_the_header():
    table = HEADER.split("struct FixedTuning")[0]
    declared = re.findall(r"\b(\w+) = [^,;=]+[,;]", re.sub(r"///.*", "", table))
    bound = [n for each in families(_core.Tuning()).values() for n in names_of(each)]
    assert declared == bound


def drawn(rng):
    """Return a tuning whose whole numbers are far from the measured ones."""
    tuning = _core.Tuning()
    # Samples have to grow, from the least to the most rows.
    kept = ("sample_growth", "least_rows", "most_rows")
    for family in families(tuning).values():
        for name in names_of(family):
            value = getattr(family, name)
            if isinstance(value, bool):
                setattr(family, name, rng.random() < 0.5)
            elif isinstance(value, int) and name not in kept:
                others = (1, max(1, value // 16), value, 16 * value)
                setattr(family, name, rng.choice(others))
    return tuning


@pytest.mark.parametrize("seed", range(9900, 9904))
def test_no_constant_changes_an_optimum(seed):
    rng = random.Random(seed)
    for case in [*random_problems(seed, 80), *deep_problems(seed, 6)]:
        cost = optimum(case.problem).cost
        found = _core.solve(
            *case.core_arguments(
                tuning=drawn(rng),
                n_threads=rng.choice([1, 1, 2]),
                few_cuts=rng.choice([None, 0]),
            )
        )
        assert (found.lower, found.upper, found.status) == (cost, cost, "optimal")

"""`ostrya fit --certificate` and `ostrya verify`."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from typer.testing import CliRunner

from ostrya.cli.app import app


def run(*arguments):
    return CliRunner().invoke(app, [str(each) for each in arguments])


@pytest.fixture
def files(tmp_path):
    """A table with numbers, categories and missing cells, its model and the proof."""
    rng = np.random.default_rng(0)
    n = 120
    size, colour = rng.integers(0, 9, n), rng.choice(["red", "green", "blue"], n)
    label = np.where((size > 4) ^ (colour == "red") ^ (rng.random(n) < 0.1), "a", "b")
    cells = [str(x) if rng.random() > 0.1 else "" for x in size]
    table, model, proof = (tmp_path / name for name in ("t.csv", "m.json", "p.ostrya"))
    with table.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["size", "colour", "label"])
        writer.writerows(zip(cells, colour, label, strict=True))
    done = run(
        *("fit", table, "--target", "label", "--leaf-penalty", 0.02),
        *("--max-depth", "none", "-o", model, "--certificate", proof),
    )
    assert done.exit_code == 0, done.output
    return table, model, proof


def test_a_certificate_is_verified(files):
    done = run("verify", *files)
    assert done.exit_code == 0, done.output
    assert "VERIFIED: no allowed tree costs less" in done.output


def test_another_table_is_refused(files):
    table, model, proof = files
    lines = table.read_text().splitlines()
    first, *rest = lines[1].rsplit(",", 1)
    lines[1] = f"{first},{'b' if rest == ['a'] else 'a'}"
    table.write_text("\n".join(lines) + "\n")
    done = run("verify", table, model, proof)
    assert done.exit_code == 1
    assert "REFUSED: the proof is about another problem" in done.output


def test_a_damaged_certificate_is_refused(files):
    content = bytearray(files[2].read_bytes())
    content[-1] ^= 1
    files[2].write_bytes(content)
    done = run("verify", *files)
    assert done.exit_code == 1
    assert "REFUSED: the file is damaged" in done.output


def test_a_missing_certificate_is_bad_input(files):
    done = run("verify", *files[:2], files[2].with_name("missing"))
    assert done.exit_code == 2

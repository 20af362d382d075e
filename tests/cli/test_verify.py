"""`ostrya fit --certificate` and `ostrya verify`."""

from __future__ import annotations

import csv
import hashlib
import json
import subprocess
import sys

import numpy as np
import pytest
from typer.testing import CliRunner

from certified import FOLDER, program
from ostrya.cli.app import app
from ostrya.estimators import OptimalTreeClassifier
from ostrya.estimators.model_format import digest


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
    assert "VERIFIED: no tree has a lower objective\n" in done.output
    assert "for all trees with max_depth=None" in done.output


def test_a_certificate_that_was_not_written_is_said(files, tmp_path, monkeypatch):
    monkeypatch.setattr("ostrya._solve.certificate.prove", lambda *_, **__: None)
    model, proof = tmp_path / "m2.json", tmp_path / "p2.ostrya"
    done = run(
        *("fit", files[0], "--target", "label", "--leaf-penalty", 0.02),
        *("--max-depth", 2, "-o", model, "--certificate", proof),
    )
    assert done.exit_code == 3
    assert "There is no certificate" in done.output
    assert model.exists()
    assert not proof.exists()


def test_the_model_and_its_report_name_the_certificate(files, tmp_path):
    _, model, proof = files
    of_proof = hashlib.sha256(proof.read_bytes()).hexdigest()
    assert json.loads(model.read_text())["certificate"] == f"sha256:{of_proof}"
    page = tmp_path / "report.html"
    assert run("report", model, "-o", page).exit_code == 0
    assert of_proof in page.read_text()
    assert "ostrya verify TABLE MODEL CERTIFICATE" in page.read_text()
    loaded = OptimalTreeClassifier.load(model)
    assert loaded.certificate_digest_ == of_proof
    loaded.fit([[0], [1]], [0, 1])
    assert not hasattr(loaded, "certificate_digest_")


def test_a_model_with_a_malformed_certificate_is_refused(files):
    content = json.loads(files[1].read_text())
    content["certificate"] = "sha256:12"
    content["digest"] = digest(content)
    files[1].write_text(json.dumps(content))
    done = run("verify", *files)
    assert done.exit_code == 2
    assert "certificate must be sha256:" in done.output


def test_the_standalone_programs_verify_the_same_files(files, tmp_path):
    problem = tmp_path / "problem.bin"
    assert run("verify", *files, "--problem", problem).exit_code == 0
    _, model, proof = files
    plain = [sys.executable, FOLDER / "ostrya_check.py"]
    for command in (plain, [program()]):
        for arguments, code in (
            ([problem, proof], 0),
            ([problem, model], 1),
            ([problem, "missing"], 2),
            ([], 2),
        ):
            done = subprocess.run(
                [*command, *arguments], capture_output=True, text=True
            )
            assert done.returncode == code, (command, arguments, done)
        done = subprocess.run(
            [*command, problem, proof], capture_output=True, text=True
        )
        assert done.stdout.splitlines()[-1] == "VERIFIED: no allowed tree costs less"


def test_a_checker_that_crashes_verifies_nothing(files, monkeypatch, tmp_path):
    broken = tmp_path / "ostrya-check"
    broken.write_text("#!/bin/sh\necho 'VERIFIED'\nkill -SEGV $$\n")
    broken.chmod(0o755)
    monkeypatch.setattr("shutil.which", lambda name, path: str(broken))
    done = run("verify", *files)
    assert done.exit_code == 2
    assert "ended with exit code -11" in done.output
    monkeypatch.setattr("shutil.which", lambda name, path: None)
    done = run("verify", *files)
    assert done.exit_code == 2
    assert "ostrya-check is not next to" in done.output


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

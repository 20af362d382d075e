"""The command as installed: output, colours on a terminal, Ctrl-C, exit codes."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig

import pytest

from cli.files import TOY, hard_csv, write
from ostrya import OptimalTreeClassifier

OSTRYA = shutil.which("ostrya", path=sysconfig.get_path("scripts"))


def call(*arguments, program=(OSTRYA,)):
    command = [*program, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("program", [(OSTRYA,), (sys.executable, "-m", "ostrya")])
def test_a_session(tmp_path, program):
    model = tmp_path / "model.json"
    data = write(tmp_path)
    done = call("fit", data, "--target", "label", TOY, "-o", model, program=program)
    assert (done.returncode, done.stderr) == (0, f"Wrote {model}\n")
    assert "Proved" in done.stdout
    said = call("predict", model, data, program=program)
    assert said.returncode == 0
    assert said.stderr == "100.00% of 7 rows correct\n"
    assert len(said.stdout.splitlines()) == 8


def test_bad_input_ends_with_one_sentence_and_two(tmp_path):
    done = call("fit", write(tmp_path), "--target", "lable")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.endswith("has no column 'lable'. Did you mean 'label'?\n")
    assert done.stderr.count("\n") == 1


def on_a_terminal(*arguments):
    """Start a command whose stderr is a terminal; return it and the other end."""
    pty = pytest.importorskip("pty")
    ours, theirs = pty.openpty()
    environment = {k: v for k, v in os.environ.items() if k not in ("CI", "NO_COLOR")}
    process = subprocess.Popen(
        [OSTRYA, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        env={**environment, "TERM": "xterm-256color", "COLUMNS": "120"},
    )
    os.close(theirs)
    return process, ours


def read_until(terminal, words):
    said = b""
    while words not in said:
        said += os.read(terminal, 1024)
    return said


def test_ctrl_c_keeps_the_best_tree_and_says_its_gap(tmp_path):
    model = tmp_path / "model.json"
    process, terminal = on_a_terminal(
        *("fit", hard_csv(tmp_path), "--target", "label", "-o", model),
        *("--leaf-penalty", "0.0005", "--max-depth", "9", "--time-limit", "none"),
    )
    said = read_until(terminal, b"Ctrl-C keeps it")
    for word in (b" s\x1b", b"best ", b"bound ", b"gap ", b" lea"):
        assert word in said
    process.send_signal(signal.SIGINT)
    stdout, _ = process.communicate()
    os.close(terminal)
    assert process.returncode == 0
    clf = OptimalTreeClassifier.load(model)
    assert clf.status_ == "interrupted"
    assert (
        f"stopped by Ctrl-C): the optimal objective lies in [{clf.lower_bound_:.4f}"
        in stdout
    )
    assert f"gap {clf.gap_:.4f}" in stdout


def test_ctrl_c_before_there_is_a_tree_ends_with_130():
    """A standard input that nobody writes to keeps the command reading."""
    process = subprocess.Popen(
        [OSTRYA, "fit", "-", "--target", "label", TOY],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    )
    # More than a pipe holds: once it is written, the command reads.
    process.stdin.write(b"x" * 2**20)
    process.send_signal(signal.SIGINT)
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(b"x")  # wakes a read that had begun before the signal
    stdout, stderr = process.stdout.read(), process.stderr.read()
    process.stdin.close()
    assert process.wait() == 130
    assert stdout == b""
    assert stderr == b"ostrya: interrupted; nothing was written\n"
    process.stdout.close()
    process.stderr.close()


def test_no_live_line_where_nobody_watches(tmp_path):
    done = call(
        *("fit", hard_csv(tmp_path), "--target", "label", "--json"),
        *("--leaf-penalty", "0.0005", "--max-depth", "9", "--time-limit", "0.5"),
    )
    assert done.stderr == ""
    assert json.loads(done.stdout)["status"] == "time_limit"


def test_a_reader_that_leaves_early_is_no_error(tmp_path):
    model = tmp_path / "model.json"
    call("fit", write(tmp_path), "--target", "label", TOY, "-o", model)
    rows = write(tmp_path).read_text().splitlines()
    many = write(tmp_path, "\n".join([rows[0], *rows[1:] * 20_000]) + "\n", "many.csv")
    process = subprocess.Popen(
        [OSTRYA, "predict", str(model), str(many)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stdout.readline()
    process.stdout.close()
    # Some pipes hold all of it, so that nobody notices.
    assert process.stderr.read() in ("", "100.00% of 140,000 rows correct\n")
    process.stderr.close()
    assert process.wait() == 0

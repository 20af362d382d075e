"""Any terminal, any locale, a full disk, closed streams: exit codes stay true."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from cli.files import CARS, TOY, write
from cli.test_entry_point import OSTRYA

ASCII = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"}


def call(*arguments, **more):
    environment = {**os.environ, **more.pop("env", {})}
    command = [OSTRYA, *map(str, arguments)]
    more = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    return subprocess.run(command, env=environment, check=False, **more)


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "model.json"
    data = write(tmp_path, CARS.replace("red", "rosé"), "rose.csv")
    done = call("fit", data, "--target", "label", TOY, "-o", path)
    assert done.returncode == 0, done.stderr
    return path


def test_an_ascii_terminal_gets_ascii_and_exit_0(tmp_path, model):
    done = call("fit", write(tmp_path), "--target", "label", TOY, env=ASCII)
    assert done.returncode == 0, done.stderr
    assert done.stdout.isascii()
    assert b"|- yes: " in done.stdout
    assert b"`- no:  " in done.stdout
    for arguments in (["show", model], ["show", model, "--rules"], ["fit", "--help"]):
        done = call(*arguments, env=ASCII)
        assert (done.returncode, done.stdout.isascii()) == (0, True), done.stderr
    done = call("fit", tmp_path / "né.csv", "--target", "label", env=ASCII)
    assert (done.returncode, done.stderr.isascii()) == (2, True)


def test_predictions_keep_their_letters_whatever_the_locale(tmp_path):
    content, model = "a,label\n1,é\n2,b\n", tmp_path / "m.json"
    data = write(tmp_path, content)
    call("fit", data, "--target", "label", TOY, "-o", model)
    done = call("predict", model, data, env=ASCII)
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode("utf-8").splitlines()[1].startswith("é,")


@pytest.mark.parametrize(
    "env",
    [
        {"TERM": "dumb"},
        {"NO_COLOR": "1", "FORCE_COLOR": "1"},
        {"COLUMNS": "1"},
        {"COLUMNS": "0"},
        {"COLUMNS": "-3"},
    ],
    ids=str,
)
def test_odd_terminals_get_the_same_words(env, model):
    plain = call("show", model).stdout
    done = call("show", model, env=env)
    assert done.returncode == 0
    assert b"According to the model file, proved" in plain
    if "FORCE_COLOR" not in env:
        assert done.stdout == plain


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
def test_a_full_disk_is_told_and_ends_with_2(tmp_path, model):
    data = write(tmp_path)
    with open("/dev/full", "wb") as full:
        for arguments in (["show", model], ["predict", model, data]):
            done = call(*arguments, stdout=full)
            assert done.returncode == 2
            assert done.stderr.count(b"\n") == 1
            assert b"no space left on device" in done.stderr
    done = call("fit", data, "--target", "label", TOY, "-o", "/dev/full")
    assert done.returncode == 2
    assert done.stderr == b"ostrya: /dev/full: no space left on device\n"


def closed(number, *arguments):
    """Run a command with a standard stream closed."""
    command = ["sh", "-c", f'exec "$@" {number}>&-', "sh", OSTRYA, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False)


def test_closed_streams_are_no_traceback(tmp_path, model):
    data = write(tmp_path)
    assert closed(1, "show", model).returncode == 0
    done = closed(1, "predict", model, data)
    assert done.returncode == 2
    assert b"standard output is closed. Pass an output file with -o" in done.stderr
    assert closed(2, "show", tmp_path / "none.json").returncode == 2
    done = closed(0, "fit", "-", "--target", "label", TOY)
    assert done.returncode == 2
    assert b"standard input is closed" in done.stderr


def test_a_name_cannot_steer_the_terminal(tmp_path):
    done = call("fit", tmp_path / "\x1b[31mred\udcff.csv", "--target", "label")
    assert done.returncode == 2
    assert b"\x1b" not in done.stderr
    assert b"no such file" in done.stderr

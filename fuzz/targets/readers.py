"""Damaged files give a result or a one-sentence error, never a traceback or hang."""

from __future__ import annotations

import contextlib
import json
import random
import signal
import tempfile
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import ostrya
import ostrya.export
from cli.files import run
from fuzz import corpus, mutation
from fuzz.target import Case
from ostrya.estimators.model_format import digest

# No file of a few kilobytes takes this many seconds on any machine.
HUNG = 120
COMMANDS = {
    "csv": ("fit", "fit", "predict"),
    "parquet": ("fit", "predict"),
    "model": ("show", "show", "predict from", "load", "plot"),
    "tree": ("from_json",),
}


def draw(rng: random.Random) -> Case:
    """Return a damaged file and how to read it."""
    kind = rng.choice(["csv", "parquet", "model", "model", "tree"])
    sources = {
        "csv": corpus.tables,
        "parquet": corpus.parquets,
        "model": corpus.models,
        "tree": corpus.trees,
    }
    files = sources[kind]()
    content = rng.choice(files)
    if kind in ("model", "tree") and rng.random() < 0.8:
        content = _written(mutation.mutated_json(content, rng), rng.random() < 0.9)
    else:
        content = mutation.mutated_bytes(content, files, rng)
    return {
        "kind": kind,
        "command": rng.choice(COMMANDS[kind]),
        "content": content,
        "json": rng.random() < 0.2,
    }


def _written(value: Any, is_signed: bool) -> bytes:
    if is_signed and isinstance(value, dict) and "digest" in value:
        with contextlib.suppress(ValueError, TypeError):
            value["digest"] = digest(value)
    return json.dumps(value).encode()


def check(case: Case, counts: Counter[str]) -> None:
    """Read the file with the command of the case."""
    command = case["command"]
    with _not_for_ever():
        ending = _read(command, case["content"], ["--json"] if case["json"] else [])
    counts[f"{case['kind']} {command}: {ending}"] += 1


def _read(command: str, content: bytes, more: list[str]) -> str:
    if command == "from_json":
        return _refused_or(lambda: ostrya.export.from_json(content.decode("latin1")))
    path = _folder() / "file"
    path.write_bytes(content)
    if command == "load":
        return _refused_or(lambda: _used(ostrya.OptimalTreeClassifier.load(path)))
    if command == "fit":
        search = ["--max-depth", "2", "--time-limit", "1"]
        return _said(run("fit", path, "--target", "label", *search, *more))
    if command == "predict":
        return _said(run("predict", _good_model(), path, *more))
    if command == "predict from":
        return _said(run("predict", path, _good_table(), *more))
    if command == "plot":
        return _said(run("plot", path, _folder() / "tree.svg"))
    return _said(run("show", path, *more))


def _used(model: Any) -> None:
    """Use a loaded model as users do: a file that was accepted must work."""
    repr(model)
    ostrya.export.export_text(model)
    model.tree_.to_dict()


def _refused_or(read: Any) -> str:
    try:
        read()
    except (ValueError, TypeError) as error:
        said = str(error)
        assert said, "refused without a word"
        assert len(said) < 2000, said[:300]
        return "refused"
    return "read"


def _said(done: Any) -> str:
    """Assert that the exit code is 0, or 2 with a one-sentence message."""
    words = done.stderr
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    assert done.exit_code in (0, 2), (done.exit_code, words)
    assert "Traceback" not in done.output
    assert all(c.isprintable() or c == "\n" for c in words), ascii(words)
    if done.exit_code == 0:
        return "read"
    assert words.startswith("ostrya: "), words
    assert words.count("\n") == 1, words
    assert len(words) < 2000, words[:300]
    return "refused"


@cache
def _folder() -> Path:
    return Path(_kept().name)


@cache
def _kept() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory()


@cache
def _good_model() -> Path:
    path = _folder() / "model.json"
    path.write_bytes(corpus.models()[0])
    return path


@cache
def _good_table() -> Path:
    path = _folder() / "table.csv"
    path.write_bytes(corpus.tables()[0])
    return path


@contextlib.contextmanager
def _not_for_ever() -> Iterator[None]:
    def give_up(*_: Any) -> None:
        raise AssertionError(f"took more than {HUNG} s")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(HUNG)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)

"""`ostrya fit --checkpoint`: a search that is stopped goes on with the same command."""

from __future__ import annotations

import json

from cli.files import hard_csv, run, write


def test_the_same_command_goes_on(tmp_path):
    path = tmp_path / "facts"
    given = ("fit", hard_csv(tmp_path), "--target", "label", "--json")
    given = (*given, "--checkpoint", path, "--time-limit", "1", "--max-depth", "none")
    before, after = (json.loads(run(*given).stdout) for _ in range(2))
    assert path.exists()
    assert before["status"] == "time_limit"
    assert before["lower_bound"] <= after["lower_bound"]
    assert after["objective"] <= before["objective"]


def test_a_file_of_another_table_is_refused_in_a_sentence(tmp_path):
    path = tmp_path / "facts"
    given = ("--target", "label", "--checkpoint", path)
    assert run("fit", write(tmp_path), *given).exit_code == 0
    done = run("fit", hard_csv(tmp_path), *given)
    assert done.exit_code == 2
    assert "belongs to another problem" in done.stderr
    assert "Traceback" not in done.output


def test_many_searches_have_no_one_file(tmp_path):
    table = write(tmp_path)
    path = tmp_path / "facts"
    for more, message in (
        (("--cv", "2"), "--checkpoint cannot be combined with --cv"),
        (("--top-k", "2"), "--checkpoint cannot be combined with --top-k"),
        (("--objective", "f1"), "checkpoint cannot be combined"),
    ):
        done = run("fit", table, "--target", "label", "--checkpoint", path, *more)
        assert done.exit_code == 2
        assert message in done.stderr
    assert not path.exists()

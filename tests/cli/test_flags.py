"""Messages about parameters become messages about options, user text does not."""

from __future__ import annotations

import pytest

from ostrya.cli.flags import in_flags

MESSAGES = {
    "a value": ("max_depth must be >= 0; got -2", "--max-depth must be >= 0; got -2"),
    "a setting": ('n_jobs=2 with max_depth="auto"', "--jobs 2 with --max-depth auto"),
    "auto and None": (
        'leaf_penalty must be "auto" or None; got x',
        "--leaf-penalty must be auto or none; got x",
    ),
    "the end of a sentence": ("Try max_depth=3.", "Try --max-depth 3."),
    "an English word": ("the objective is 3", "the objective is 3"),
    "an English word set": ('set objective="auc"', "set --objective auc"),
    "a column": ("column 'max_depth' is text", "column 'max_depth' is text"),
    "a file": ("a/n_jobs: not a file", "a/n_jobs: not a file"),
    "a file with a suffix": ("n_jobs.csv: not a file", "n_jobs.csv: not a file"),
    "a call": ("guess=Guess(x)", "guess=Guess(x)"),
    "nothing to translate": ('got None or "auto"', 'got None or "auto"'),
}


@pytest.mark.parametrize(("message", "told"), MESSAGES.values(), ids=MESSAGES)
def test_parameters_become_options(message, told):
    assert in_flags(message) == told

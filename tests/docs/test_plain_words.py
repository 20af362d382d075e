"""The wording check finds phrases that confuse readers, and no good sentences."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[2] / "tools" / "plain_words.py"


@pytest.fixture(scope="module")
def plain_words():
    if not TOOL.exists():
        pytest.skip("tools/ is not in the sdist")
    spec = importlib.util.spec_from_file_location("plain_words", TOOL)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    "sentence",
    [
        "The leaf gets 12 rows and is told its label.",
        "Each kind of column is searched anew.",
        "The time of two threads beside one.",
        "The two builds run by turns.",
        "Row prices prove raw tables.",
        "A leaf with 98% right.",
        "The contender claims the optimum.",
        "Times are seconds of the processor.",
        "A list of what came of it.",
        "The dearest label costs 5.",
        "This fault is mended.",
        "Values were merged without a word.",
        "prefix is 3; want a name",
        "X has 3 columns; drop one of them",
        "'x4' is no number",
        "This is a mistake of ostrya.",
        "Scores on rows held out of training.",
    ],
)
def test_a_phrase_that_confuses_readers_is_found(plain_words, sentence):
    assert list(plain_words.find(TOOL, 1, sentence))


@pytest.mark.parametrize(
    "sentence",
    [
        "Floats cannot be told apart above 2^53.",
        "Besides accuracy, you can optimise F1.",
        "Both builds run in turn.",
        "Dual prices of rows prove raw tables.",
        "The right child contains 98% of the right half.",
        "Processor seconds do not depend on other work.",
        "We recommend a depth limit; amend the settings if needed.",
    ],
)
def test_a_good_sentence_is_accepted(plain_words, sentence):
    assert not list(plain_words.find(TOOL, 1, sentence))


def test_code_and_names_are_ignored_and_lines_are_kept(plain_words):
    page = "`beside`\n\n```\nanew\n```\n\nIt is told.\n"
    found = list(plain_words.find(TOOL, 1, plain_words.prose_of_page(page)))
    assert [(each.line, each.text) for each in found] == [(7, "is told")]

"""Long names: broken where they may be, shortened so that they stay apart."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ostrya.export.shortening import shortened, shortened_questions, wrapped

LETTERS = st.text(alphabet="ab _-/<=5.", max_size=120)


@given(LETTERS.map(lambda text: " ".join(text.split())), st.integers(8, 40))
def test_lines_hold_every_letter_and_no_more_than_they_may(text, most):
    lines = wrapped(text, most)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(len(line) <= most for line in lines)
    assert len(lines) == 1 or all(lines)


@given(st.lists(LETTERS, max_size=12), st.integers(12, 30))
def test_short_texts_are_short_and_different(texts, most):
    short = shortened(texts, most)
    assert short.keys() == set(texts)
    assert len(set(short.values())) == len(short)
    assert all(len(kept) <= most for kept in short.values())
    assert all(short[text] == text for text in texts if len(text) <= most)


def test_a_threshold_stays_with_its_sign():
    lines = wrapped("a_name_of_words_and_words_and_words <= -12.5?", 24)
    assert lines[-1].endswith("<= -12.5?")


def test_what_differs_is_shown():
    names = [f"{'income ' * 9}in {year}{' of all' * 9}" for year in (2019, 2020)]
    assert [name for name in shortened(names, 40).values() if "2019" in name]
    assert [name for name in shortened(names, 40).values() if "2020" in name]


@given(st.lists(LETTERS, max_size=8), st.integers(24, 40))
def test_questions_about_different_names_differ_in_the_names(names, most):
    names = [name for name in dict.fromkeys(" ".join(n.split()) for n in names) if name]
    questions = [f"{name} <= {number}?" for number, name in enumerate(names)]
    short = shortened_questions(questions, most)
    assert all(len(kept) <= most for kept in short.values())
    kept = [text.rpartition(" <= ")[0] for text in short.values()]
    assert len(set(kept)) == len(names)

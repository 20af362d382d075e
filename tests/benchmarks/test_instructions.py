from __future__ import annotations

import pytest

from benchmarks.instructions import bare, by_bare_name, read_dump


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ostrya::Solver<int>::explore(unsigned long, Limits, Bracket&)", "explore"),
        ("ostrya::PairTree<int>::second_split(Node<int> const&) const", "second_split"),
        (
            "void ostrya::for_each_bit<Builder<int>::child(Node<int>)>(int)",
            "for_each_bit",
        ),
        (
            "std::vector<long, ostrya::Counted<long> >::_M_fill_assign(long)",
            "_M_fill_assign",
        ),
        ("ostrya::(anonymous namespace)::RowTable::number_of(unsigned)", "number_of"),
        ("memcpy", "memcpy"),
    ],
)
def test_a_function_keeps_its_name_when_classes_and_types_change(name, expected):
    assert bare(name) == expected


def test_functions_of_one_name_are_added_up():
    assert by_bare_name({"A::f(int)": 1, "B<int>::f()": 2}) == {"f": 3}


def test_a_dump_must_be_that_of_its_problem(tmp_path):
    dump = tmp_path / "callgrind.out.1"
    dump.write_text("desc: Trigger: Client Request: toy, 0.01\nfn=f\ntotals: 1234\n")
    assert read_dump(dump, "toy, 0.01") == (1234, dump)
    with pytest.raises(SystemExit, match="not the dump"):
        read_dump(dump, "another")

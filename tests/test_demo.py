"""The demo shows a tree, its proof, and how it compares with CART on held-out rows."""

from __future__ import annotations

import re

from ostrya import demo


def test_the_demo_shows_a_tree_and_its_proof(capsys):
    demo.main()
    shown = capsys.readouterr().out
    assert "├─ yes: " in shown
    assert "benign" in shown
    assert "Proved: no tree" in shown
    assert len(shown.splitlines()) < 30


def test_the_demo_compares_held_out_accuracy_with_cart_of_equal_size(capsys):
    demo.main()
    shown = capsys.readouterr().out
    assert "held-out" in shown
    lines = {
        name: re.search(rf"^{name} +([\d.]+)% +([\d.]+)% +(\d+) ", shown, re.MULTILINE)
        for name in ("Ostrya", "CART")
    }
    training = {name: float(line[1]) for name, line in lines.items()}
    held_out = {name: float(line[2]) for name, line in lines.items()}
    assert training["Ostrya"] > training["CART"]
    assert held_out["Ostrya"] < training["Ostrya"]
    assert held_out["CART"] < training["CART"]
    assert int(lines["CART"][3]) <= int(lines["Ostrya"][3])

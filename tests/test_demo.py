"""The demo shows a tree and its proof."""

from __future__ import annotations

from ostrya import demo


def test_the_demo_shows_a_tree_and_its_proof(capsys):
    demo.main()
    shown = capsys.readouterr().out
    assert "├─ yes: " in shown
    assert "benign" in shown
    assert "Proved: no tree" in shown
    assert len(shown.splitlines()) < 30

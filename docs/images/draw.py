"""Draw the picture of the README: ``python docs/images/draw.py``."""

from __future__ import annotations

from pathlib import Path

from sklearn.datasets import load_wine

import ostrya
from ostrya.export import export_svg

PLACE = Path(__file__).parent / "wine.svg"
FEATURE_NAMES = [
    *("alcohol", "malic acid", "ash", "alkalinity of ash", "magnesium", "phenols"),
    *("flavanoids", "nonflavanoid phenols", "proanthocyanins", "colour", "hue"),
    *("OD280/OD315", "proline"),
]
CLASS_NAMES = ["Barolo", "Grignolino", "Barbera"]


def picture() -> str:
    """Return the optimal tree for three wines, as SVG."""
    wine = load_wine()
    tree = ostrya.solve(wine.data, wine.target, leaf_penalty=0.02, max_depth=3).tree
    return export_svg(tree, FEATURE_NAMES, CLASS_NAMES) + "\n"


if __name__ == "__main__":
    PLACE.write_text(picture(), encoding="utf-8")

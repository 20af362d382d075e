"""Load a model, whichever classifier its file holds."""

from __future__ import annotations

import os
from typing import Any

from ostrya.estimators import model_read
from ostrya.estimators._search import SearchedTreeClassifier
from ostrya.estimators.optimal_tree import OptimalTreeClassifier
from ostrya.estimators.top_k_tree import TopKTreeClassifier

_BY_NAME: dict[str, type[SearchedTreeClassifier]] = {
    made.__name__: made for made in (OptimalTreeClassifier, TopKTreeClassifier)
}


def load_model(path: str | os.PathLike[str]) -> SearchedTreeClassifier:
    """Return the fitted classifier in a file that its `save` wrote.

    Raises
    ------
    ValueError, OSError
        As the `load` of the classifiers does.
    """
    try:
        return restore_model(model_read.read(path))
    except ValueError as error:
        raise ValueError(f"{os.fspath(path)}: {error}") from None


def restore_model(content: Any) -> SearchedTreeClassifier:
    """Return the fitted classifier in what a model file holds.

    Raises
    ------
    ValueError
        When it holds none of a known version; says what is wrong.
    """
    name = content.get("estimator") if isinstance(content, dict) else None
    made = _BY_NAME.get(name, OptimalTreeClassifier) if isinstance(name, str) else None
    model: SearchedTreeClassifier
    model = model_read.restore(made or OptimalTreeClassifier, content)
    return model

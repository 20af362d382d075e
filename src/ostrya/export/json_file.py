"""Write and read a tree and its wording as JSON; reading runs no code.

``tree.schema.json`` in this folder describes the format as a JSON Schema. Every
document that `from_json` accepts is valid according to this schema.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from ostrya._whole_file import write_whole
from ostrya.export.json_checks import (
    FlawError,
    check_format,
    check_keys,
    check_list,
    is_bool,
    is_count,
    is_int,
    is_int32,
    is_number,
    is_text,
    is_threshold,
    is_weights,
    read_bytes,
    read_object,
)
from ostrya.export.wording import Grown, Wording, worded
from ostrya.tree import Tree

FORMAT = "ostrya.worded-tree"
VERSION = 1


def to_json(
    tree: Tree | Grown,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[object] | None = None,
    *,
    wording: Wording | None = None,
) -> str:
    """Return `tree` and its wording as JSON.

    Parameters
    ----------
    tree, feature_names, class_names, wording
        As in `export_text`.

    Returns
    -------
    str
        One JSON object, in ASCII, with a ``format`` and a ``version``. Numbers are
        written so that `from_json` restores them exactly.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import from_json, to_json
    >>> tree = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1], leaf_penalty=0.01).tree
    >>> again, wording = from_json(to_json(tree, ["age"]))
    >>> again == tree, wording.feature_names
    (True, ('age',))
    """
    words = worded(tree, feature_names, class_names, wording)
    return json.dumps(to_document(words.tree, words.wording), allow_nan=False)


def from_json(text: str | bytes) -> tuple[Tree, Wording]:
    """Return the tree and the wording that `to_json` wrote.

    Parameters
    ----------
    text : str or bytes
        JSON. It is read as data; no code in it is run.

    Returns
    -------
    tree : Tree
        A tree equal to the one that was written.
    wording : Wording
        Its wording.

    Raises
    ------
    ValueError
        If `text` is not JSON, or not a tree of a supported version. The message names
        the flaw.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import from_json, to_json
    >>> tree = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1], leaf_penalty=0.01).tree
    >>> again, wording = from_json(to_json(tree))
    >>> again == tree
    True
    """
    try:
        content = read_object(text)
    except FlawError as flaw:
        raise ValueError(f"malformed tree: {flaw}") from None
    return from_document(content)


def save_json(
    tree: Tree | Grown,
    path: str | os.PathLike[str],
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[object] | None = None,
    *,
    wording: Wording | None = None,
) -> None:
    """Write `tree` and its wording to a file, completely or not at all.

    The content is that of `to_json`.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import ostrya
    >>> from ostrya.export import load_json, save_json
    >>> tree = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1], leaf_penalty=0.01).tree
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_json(tree, Path(folder) / "tree.json")
    ...     again, wording = load_json(Path(folder) / "tree.json")
    >>> again == tree
    True
    """
    text = to_json(tree, feature_names, class_names, wording=wording)
    write_whole(path, f"{text}\n".encode("ascii"))


def load_json(path: str | os.PathLike[str]) -> tuple[Tree, Wording]:
    """Return the tree and the wording in a file that `save_json` wrote.

    Raises
    ------
    ValueError
        If the file is not a tree of a supported version. The message names the flaw.
    OSError
        If the file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import ostrya
    >>> from ostrya.export import load_json, save_json
    >>> tree = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1], leaf_penalty=0.01).tree
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_json(tree, Path(folder) / "tree.json")
    ...     again, wording = load_json(Path(folder) / "tree.json")
    >>> again == tree
    True
    """
    try:
        return from_json(read_bytes(path))
    except ValueError as error:
        raise ValueError(f"{os.fspath(path)}: {error}") from None


def to_document(tree: Tree, wording: Wording) -> dict[str, Any]:
    """Return the content of `to_json` as dicts and lists."""
    words = {field.name: getattr(wording, field.name) for field in fields(Wording)}
    return {
        "format": FORMAT,
        "version": VERSION,
        "tree": tree.to_dict(),
        "wording": {
            name: list(items) for name, items in words.items() if items is not None
        },
    }


def from_document(content: Any) -> tuple[Tree, Wording]:
    """Return the arguments of `to_document`, given its result.

    Raises
    ------
    ValueError
        If `content` is not a tree of a supported version.
    """
    try:
        check_format(content, FORMAT, VERSION)
        check_keys("", content, {"format", "version", "tree"}, {"wording"})
        tree = read_tree(content["tree"])
        wording = _read_wording(content.get("wording", {}))
        wording.of(tree)
    except ValueError as error:
        # Messages of `Tree` start with the same words, which must not be repeated.
        raise ValueError(f"malformed tree: {plain(error)}") from None
    return tree, wording


def plain(error: Exception) -> str:
    """Return the message of an error of `Tree`, without its prefix."""
    return str(error).removeprefix("malformed tree: ")


_TREE_LISTS = {
    "feature": (is_int32, "32-bit integers"),
    "threshold": (is_threshold, "numbers, null at leaves"),
    "yes": (is_int32, "32-bit integers"),
    "no": (is_int32, "32-bit integers"),
    "label": (is_int32, "32-bit integers"),
    "value": (is_weights, "lists of numbers"),
    "n_samples": (is_count, "integers >= 0"),
}


_TREE_WORDS = {"questions", "denials", "class_names"}
_TREE_OPTIONS = {"n_effective", "smoothing", "costs", "shows_rewards", "probabilities"}


def read_tree(content: Any) -> Tree:
    """Return a tree from its dict form, parsed from JSON.

    The types and ranges of numbers are checked here, all other rules by `Tree`.

    Raises
    ------
    ValueError
        If `content` is not a tree of a supported version.
    """
    if not isinstance(content, dict):
        raise FlawError("tree must be an object")
    required = {"format", "version", "n_features", *_TREE_LISTS}
    check_keys("tree.", content, required, _TREE_WORDS | _TREE_OPTIONS)
    if not is_int(content["version"]):
        raise FlawError("tree.version must be an integer")
    if not (is_int32(content["n_features"]) and content["n_features"] >= 0):
        raise FlawError("tree.n_features must be an integer >= 0")
    for name, (is_right, things) in _TREE_LISTS.items():
        check_list(f"tree.{name}", content[name], is_right, things)
    if "n_effective" in content:
        sizes = content["n_effective"]
        check_list("tree.n_effective", sizes, is_number, "numbers")
    if "costs" in content:
        check_list("tree.costs", content["costs"], is_weights, "lists of numbers")
    if "probabilities" in content:
        shares = content["probabilities"]
        check_list("tree.probabilities", shares, is_weights, "lists of numbers")
    if not is_bool(content.get("shows_rewards", False)):
        raise FlawError("tree.shows_rewards must be true or false")
    if not is_number(content.get("smoothing", 0.0)):
        raise FlawError("tree.smoothing must be a number")
    for name in _TREE_WORDS & content.keys():
        check_list(f"tree.{name}", content[name], is_text, "texts")
    for node, feature in enumerate(content["feature"]):
        is_leaf = content["threshold"][node : node + 1] == [None]
        if is_leaf != (feature < 0):
            raise FlawError(
                f"tree.threshold[{node}] must be "
                f"{'null' if feature < 0 else 'a number'}"
            )
    return Tree.from_dict(content)


def _is_text_or_null(item: Any) -> bool:
    return item is None or is_text(item)


_WORDS = {
    "questions": (_is_text_or_null, "texts"),
    "denials": (_is_text_or_null, "texts"),
    "flipped": (is_bool, "true or false"),
}


def _read_wording(content: Any) -> Wording:
    if not isinstance(content, dict):
        raise FlawError("wording must be an object")
    check_keys("wording.", content, set(), {field.name for field in fields(Wording)})
    for name, items in content.items():
        is_right, things = _WORDS.get(name, (is_text, "texts"))
        check_list(f"wording.{name}", items, is_right, things)
    return Wording(**content)

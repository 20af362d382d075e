"""A tree and its words as JSON, in and out; reading runs no code.

``tree.schema.json`` beside this file describes the format in JSON Schema; whatever
`from_json` accepts agrees with it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from ostrya.export.wording import Wording, worded
from ostrya.tree import Tree

FORMAT = "ostrya.worded-tree"
VERSION = 1

_INT32 = 2**31
_INT64 = 2**63


def to_json(
    tree: Tree,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[object] | None = None,
    *,
    wording: Wording | None = None,
) -> str:
    """Return `tree` and its words as JSON.

    Parameters
    ----------
    tree : Tree
        What to write.
    feature_names : sequence of str, default=None
        One name a feature.
    class_names : sequence, default=None
        One name a class code; written as text.
    wording : Wording, default=None
        All words at once, in place of the names.

    Returns
    -------
    str
        One JSON object, in ASCII, with a ``format`` and a ``version``. Numbers are
        written so that they are read back exactly.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import from_json, to_json
    >>> tree = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1]).tree
    >>> again, wording = from_json(to_json(tree, ["age"]))
    >>> again == tree, wording.feature_names
    (True, ('age',))
    """
    words = worded(tree, feature_names, class_names, wording).wording
    return json.dumps(to_document(tree, words), allow_nan=False)


def from_json(text: str | bytes) -> tuple[Tree, Wording]:
    """Return the tree and the words that `to_json` wrote.

    Parameters
    ----------
    text : str or bytes
        JSON; it is read as data only, nothing in it is run.

    Returns
    -------
    tree : Tree
        Equal to the one written.
    wording : Wording
        Its words.

    Raises
    ------
    ValueError
        When `text` is not JSON, or no tree of a known version; says what is wrong.
    """
    try:
        content = json.loads(
            text, parse_constant=_no_constant, object_pairs_hook=_no_twins
        )
    except RecursionError:
        raise ValueError("malformed tree: nested too deeply") from None
    except UnicodeDecodeError:
        raise ValueError("malformed tree: not text in UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"malformed tree: not JSON: {error}") from None
    return from_document(content)


def save_json(
    tree: Tree,
    path: str | os.PathLike[str],
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[object] | None = None,
    *,
    wording: Wording | None = None,
) -> None:
    """Write `tree` and its words to the file `path`; see `to_json`."""
    text = to_json(tree, feature_names, class_names, wording=wording)
    Path(path).write_text(text + "\n", encoding="ascii")


def load_json(path: str | os.PathLike[str]) -> tuple[Tree, Wording]:
    """Return the tree and the words in the file `path`; see `from_json`.

    Raises
    ------
    ValueError
        When the file holds no tree of a known version; says what is wrong.
    OSError
        When the file cannot be read.
    """
    try:
        return from_json(Path(path).read_bytes())
    except ValueError as error:
        raise ValueError(f"{os.fspath(path)}: {error}") from None


def to_document(tree: Tree, wording: Wording) -> dict[str, Any]:
    """Return what `to_json` writes, as dicts and lists."""
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
    """Return what `to_document` was given.

    Raises
    ------
    ValueError
        When `content` is no tree of a known version; says what is wrong.
    """
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise ValueError(f"malformed tree: want an object with format {FORMAT!r}")
    if not _is_int(content.get("version")) or content["version"] != VERSION:
        raise ValueError(
            f"malformed tree: version {content.get('version')!r} is not known; this "
            f"release reads version {VERSION}"
        )
    _check_keys("", content, {"format", "version", "tree"}, {"wording"})
    _check_tree(content["tree"])
    tree = Tree.from_dict(content["tree"])
    wording = _read_wording(content.get("wording", {}))
    try:
        wording.of(tree)
    except ValueError as error:
        raise ValueError(f"malformed tree: {error}") from None
    return tree, wording


def _no_constant(name: str) -> None:
    raise ValueError(f"malformed tree: {name} is not a JSON number")


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) != len(pairs):
        keys = [key for key, _ in pairs]
        twin = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"malformed tree: {twin!r} is given twice")
    return content


def _check_keys(
    where: str, content: Mapping[str, Any], required: set[str], optional: set[str]
) -> None:
    for key in sorted(required - content.keys()):
        raise ValueError(f"malformed tree: {where}{key} is missing")
    for key in sorted(content.keys() - required - optional):
        raise ValueError(f"malformed tree: {where}{key} is not known")


def _is_int(item: Any) -> bool:
    return type(item) is int


def _is_number(item: Any) -> bool:
    return type(item) is float or (_is_int(item) and abs(item) <= _INT64)


def _is_int32(item: Any) -> bool:
    return _is_int(item) and -_INT32 <= item < _INT32


def _is_count(item: Any) -> bool:
    return _is_int(item) and 0 <= item < _INT64


def _is_weights(item: Any) -> bool:
    return isinstance(item, list) and all(map(_is_number, item))


def _is_threshold(item: Any) -> bool:
    return item is None or _is_number(item)


_TREE_LISTS = {
    "feature": (_is_int32, "32-bit integers"),
    "threshold": (_is_threshold, "numbers, null at leaves"),
    "yes": (_is_int32, "32-bit integers"),
    "no": (_is_int32, "32-bit integers"),
    "label": (_is_int32, "32-bit integers"),
    "value": (_is_weights, "lists of numbers"),
    "n_samples": (_is_count, "integers >= 0"),
}


def _check_tree(content: Any) -> None:
    """Hold types and sizes of numbers to the schema; `Tree` holds the rest."""
    if not isinstance(content, dict):
        raise ValueError("malformed tree: tree must be an object")
    _check_keys(
        "tree.", content, {"format", "version", "n_features", *_TREE_LISTS}, set()
    )
    if not _is_int(content["version"]):
        raise ValueError("malformed tree: tree.version must be an integer")
    if not (_is_int32(content["n_features"]) and content["n_features"] >= 0):
        raise ValueError("malformed tree: tree.n_features must be an integer >= 0")
    for name, (is_right, things) in _TREE_LISTS.items():
        _check_list(f"tree.{name}", content[name], is_right, things)
    for node, feature in enumerate(content["feature"]):
        is_leaf = content["threshold"][node : node + 1] == [None]
        if is_leaf != (feature < 0):
            raise ValueError(
                f"malformed tree: tree.threshold[{node}] must be "
                f"{'null' if feature < 0 else 'a number'}"
            )


def _check_list(where: str, items: Any, is_right: Any, things: str) -> None:
    if not isinstance(items, list):
        raise ValueError(f"malformed tree: {where} must be a list")
    for place, item in enumerate(items):
        if not is_right(item):
            raise ValueError(
                f"malformed tree: {where} must hold {things}; see item {place}"
            )


def _read_wording(content: Any) -> Wording:
    if not isinstance(content, dict):
        raise ValueError("malformed tree: wording must be an object")
    names = {field.name for field in fields(Wording)}
    _check_keys("wording.", content, set(), names)
    for name, items in content.items():
        may_be_null = name in ("questions", "denials")
        wanted: tuple[type, ...] = (bool,) if name == "flipped" else (str,)
        things = "true or false" if name == "flipped" else "texts"
        _check_list(
            f"wording.{name}",
            items,
            lambda item, wanted=wanted, may_be_null=may_be_null: (
                isinstance(item, wanted) or (may_be_null and item is None)
            ),
            things,
        )
    return Wording(**content)

"""Tree: a decision tree as immutable arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from ostrya._arguments import as_array, check_number, is_number
from ostrya._shares import as_shares, smoothed, wilson_intervals
from ostrya._tree_shape import TreeShape, broken_rule_of_contents

FORMAT = "ostrya.tree"
VERSION = 1


@dataclass(frozen=True, eq=False, repr=False, slots=True)
class Tree:
    """A binary decision tree as read-only arrays; node 0 is the root.

    A node with ``feature`` f and ``threshold`` t sends the rows with ``X[:, f] <= t``
    to its ``yes`` child and the others to its ``no`` child. Nodes are in preorder: a
    node, its yes subtree, its no subtree.

    Attributes
    ----------
    feature : ndarray of int32
        Feature of the split; -1 at leaves.
    threshold : ndarray of float64
        NaN at leaves.
    yes, no : ndarray of int32
        Children; -1 at leaves.
    label : ndarray of int32
        The class code with the lowest loss at each node, also at inner nodes.
    value : ndarray of float64, shape (n_nodes, n_classes)
        Weight of each class among the training rows of each node.
    n_samples : ndarray of int64
        Number of training rows of each node.
    n_features : int
        Number of columns of the training matrix.
    questions : tuple of str, or None
        The condition of the yes branch at each node, in words; "" at leaves.
    class_names : tuple of str, or None
        The name of each class code.
    denials : tuple of str, or None
        The condition of the no branch at each node, in words; "" at leaves.
    n_effective : ndarray of float64, or None
        Kish's effective sample size of each node, ``sum(w) ** 2 / sum(w ** 2)`` over
        the weights w of its training rows. None if it is `n_samples` everywhere.
    smoothing : float
        Number of pseudo-rows that `shares` adds to each class of a node.
    costs : ndarray of float64, shape (n_nodes, n_classes), or None
        Mean cost of each class among the training rows of each node, for trees grown
        with costs per row. None for all other trees. `value` then contains the weight
        of the rows for which each class is the cheapest one.
    probabilities : ndarray of float64, shape (n_nodes, n_classes), or None
        Class probabilities of each node where they are not the shares of `value`, for
        trees grown with `monotonic_cst`. None for all other trees.
    shows_rewards : bool
        Whether exports show `costs` as rewards, with the opposite sign. True for the
        ``tree_`` of an `OptimalPolicyTree`.
    headline : str
        How good the tree is and what was proved of it, in one sentence. Set for the
        ``tree_`` of a classifier and printed above the tree; "" otherwise. Trees that
        differ in nothing else are equal.

    Examples
    --------
    >>> import ostrya
    >>> X, y = [[0.0], [1.0], [5.0], [6.0]], [0, 0, 1, 1]
    >>> tree = ostrya.solve(X, y, leaf_penalty=0.01).tree
    >>> tree.predict([[0.5], [7.0]])
    array([0, 1], dtype=int32)
    >>> tree
    Tree(n_leaves=2, depth=1, n_features=1, n_classes=2)
    """

    feature: npt.NDArray[np.int32]
    threshold: npt.NDArray[np.float64]
    yes: npt.NDArray[np.int32]
    no: npt.NDArray[np.int32]
    label: npt.NDArray[np.int32]
    value: npt.NDArray[np.float64]
    n_samples: npt.NDArray[np.int64]
    n_features: int
    questions: tuple[str, ...] | None = None
    class_names: tuple[str, ...] | None = None
    denials: tuple[str, ...] | None = None
    n_effective: npt.NDArray[np.float64] | None = None
    smoothing: float = 0.0
    headline: str = ""
    costs: npt.NDArray[np.float64] | None = None
    shows_rewards: bool = False
    probabilities: npt.NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        """Copy the arrays, lock them, and hold them to the invariant above."""
        for name, dtype in (*_DTYPES.items(), *_OPTIONAL_DTYPES.items()):
            if name in _OPTIONAL_DTYPES and getattr(self, name) is None:
                continue
            array = np.asarray(getattr(self, name), dtype=dtype)
            # An array that owns its memory can be unlocked again; bytes cannot change.
            locked = np.ndarray(array.shape, dtype, array.tobytes())
            object.__setattr__(self, name, locked)
        for name in _WORDS:
            object.__setattr__(self, name, _plain_words(name, getattr(self, name)))
        _check_shapes(self)
        _check_contents(self)

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return len(self.feature)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return (self.n_nodes + 1) // 2

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return int(self.value.shape[1])

    @property
    def depth(self) -> int:
        """Depth of the tree; a single leaf has depth 0."""
        return int(TreeShape(**self.shape).depths().max())

    @property
    def shape(self) -> dict[str, npt.NDArray[Any]]:
        """The arrays ``feature``, ``threshold``, ``yes`` and ``no`` by name."""
        return {name: getattr(self, name) for name in TreeShape._fields}

    def walk(self) -> Iterator[tuple[int, int]]:
        """Yield ``(node, depth)`` for every node in preorder.

        Examples
        --------
        >>> import ostrya
        >>> X, y = [[0], [1], [2], [3]], [0, 0, 1, 1]
        >>> list(ostrya.solve(X, y, leaf_penalty=0.01).tree.walk())
        [(0, 0), (1, 1), (2, 1)]
        """
        yield from enumerate(TreeShape(**self.shape).depths().tolist())

    def apply(self, X: npt.ArrayLike) -> npt.NDArray[np.int32]:
        """Return the leaf that each row of `X` reaches.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            Numbers, without NaN in columns that the tree uses.

        Returns
        -------
        ndarray of int32, shape (n_samples,)
            Node indices.
        """
        return TreeShape(**self.shape).leaves_of_rows(self._check_matrix(X))

    def predict(self, X: npt.ArrayLike) -> npt.NDArray[np.int32]:
        """Return the class code of each row of `X`."""
        return self.label[self.apply(X)]

    def predict_proba(self, X: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Return the class probabilities of the leaf of each row; see `shares`."""
        return self.shares()[self.apply(X)]

    def shares(self) -> npt.NDArray[np.float64]:
        """Return the class probabilities of each node.

        They are `probabilities` if these are set. Otherwise they are the shares of the
        classes in the weight of the node, or, with smoothing
        s, ``(n * share + s) / (n + s * n_classes)`` for n effective rows. If all rows
        of a node have weight 0, its label has probability one. So has the label of
        every node of a tree with `costs`.
        """
        if self.costs is not None:
            return np.eye(self.n_classes)[self.label]
        if self.probabilities is not None:
            return np.array(self.probabilities)
        share = as_shares(self.value)
        weightless = ~share.any(axis=1)
        share[weightless, self.label[weightless]] = 1.0
        if self.smoothing:
            share = smoothed(share, self._effective_rows(), self.smoothing)
        return share

    def intervals(self, confidence: float = 0.95) -> npt.NDArray[np.float64]:
        """Return Wilson confidence intervals for the class shares of each node.

        The intervals treat the training rows of a node as a random sample. The search
        chose the splits by looking at the same rows, so the true coverage is lower:
        use held-out rows for an unbiased estimate.

        Parameters
        ----------
        confidence : float, default=0.95
            Confidence level, between 0 and 1.

        Returns
        -------
        ndarray of float64, shape (n_nodes, n_classes, 2)
            Lower and upper end for each class. Rows count by their effective sample
            size, ``n_effective``. A node without weight has the interval from 0 to 1.

        Examples
        --------
        >>> import ostrya
        >>> X, y = [[0]] * 10 + [[1]] * 20, [0] * 9 + [1] * 21
        >>> tree = ostrya.solve(X, y).tree
        >>> tree.intervals()[1].round(2)  # the first leaf: 9 of 10 rows in class 0
        array([[0.6 , 0.98],
               [0.02, 0.4 ]])
        """
        level = check_number(
            "confidence", confidence, "a number between 0 and 1", lambda c: 0 < c < 1
        )
        return wilson_intervals(as_shares(self.value), self._effective_rows(), level)

    def _effective_rows(self) -> npt.NDArray[np.float64]:
        if self.n_effective is not None:
            return self.n_effective
        return self.n_samples.astype(np.float64)

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists and numbers that JSON can hold.

        Examples
        --------
        >>> import ostrya
        >>> X, y = [[0], [1], [2], [3]], [0, 0, 1, 1]
        >>> tree = ostrya.solve(X, y, leaf_penalty=0.01).tree
        >>> ostrya.Tree.from_dict(tree.to_dict()) == tree
        True
        """
        content: dict[str, Any] = {"format": FORMAT, "version": VERSION}
        content["n_features"] = self.n_features
        content.update({name: getattr(self, name).tolist() for name in _DTYPES})
        content["threshold"] = [
            None if feature < 0 else threshold
            for feature, threshold in zip(
                content["feature"], content["threshold"], strict=True
            )
        ]
        for name in (*_WORDS, *_OPTIONAL_DTYPES):
            if getattr(self, name) is not None:
                content[name] = np.asarray(getattr(self, name)).tolist()
        if self.shows_rewards:
            content["shows_rewards"] = True
        if self.smoothing:
            content["smoothing"] = self.smoothing
        return content

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Tree:
        """Return the tree that `to_dict` wrote.

        Raises
        ------
        ValueError
            If `content` is not a tree of a known format version.
        """
        if not isinstance(content, Mapping) or content.get("format") != FORMAT:
            raise ValueError(f"not a tree: must be a dict with format={FORMAT!r}")
        if content.get("version") != VERSION:
            raise ValueError(
                f"tree format version {content.get('version')!r} is not known; this "
                f"release reads version {VERSION}"
            )
        wanted = {*_DTYPES, "n_features"}
        missing = wanted - content.keys()
        if missing:
            raise ValueError(f"malformed tree: {', '.join(sorted(missing))} missing")
        arrays: dict[str, Any] = {
            name: _plain_array(name, content[name]) for name in _DTYPES
        }
        more: dict[str, Any] = {name: content.get(name) for name in _WORDS}
        for name in _OPTIONAL_DTYPES:
            if content.get(name) is not None:
                more[name] = _plain_array(name, content[name])
        more["shows_rewards"] = content.get("shows_rewards", False)
        more["smoothing"] = content.get("smoothing", 0.0)
        return cls(**arrays, n_features=content["n_features"], **more)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        plain = ("n_features", "smoothing", "shows_rewards", *_WORDS)
        return (
            all(getattr(self, n) == getattr(other, n) for n in plain)
            and all(
                np.array_equal(
                    getattr(self, name),
                    getattr(other, name),
                    equal_nan=name == "threshold",
                )
                for name in _DTYPES
            )
            and np.array_equal(self._effective_rows(), other._effective_rows())
            and (self.costs is None) == (other.costs is None)
            and (self.costs is None or np.array_equal(self.costs, other.costs))  # type: ignore[arg-type]
            and np.array_equal(self.shares(), other.shares())
        )

    def __hash__(self) -> int:
        parts = (self.feature, self.threshold, self.label)
        return hash((self.n_features, *(part.tobytes() for part in parts)))

    def __repr__(self) -> str:
        return (
            f"Tree(n_leaves={self.n_leaves}, depth={self.depth}, "
            f"n_features={self.n_features}, n_classes={self.n_classes})"
        )

    def __str__(self) -> str:
        # Exports know trees; a tree by itself needs none of them.
        from ostrya.export import export_text

        drawing = export_text(self)
        return f"{self.headline}\n\n{drawing}" if self.headline else drawing

    def _repr_html_(self) -> str:
        from ostrya.export.svg import notebook_html

        return notebook_html(self)

    def __reduce__(self) -> tuple[type[Tree], tuple[Any, ...]]:
        return Tree, tuple(getattr(self, field.name) for field in fields(self))

    def _check_matrix(self, X: npt.ArrayLike) -> npt.NDArray[Any]:
        matrix = as_array("X", X)
        if matrix.ndim != 2 or matrix.shape[1] != self.n_features:
            raise ValueError(
                f"X must have shape (n_samples, {self.n_features}); got {matrix.shape}"
            )
        if matrix.dtype.kind not in "biuf":
            raise TypeError(f"X must contain real numbers; got dtype {matrix.dtype}")
        return matrix


_DTYPES: dict[str, npt.DTypeLike] = {
    "feature": np.int32,
    "threshold": np.float64,
    "yes": np.int32,
    "no": np.int32,
    "label": np.int32,
    "value": np.float64,
    "n_samples": np.int64,
}
_OPTIONAL_DTYPES: dict[str, npt.DTypeLike] = {
    "n_effective": np.float64,
    "costs": np.float64,
    "probabilities": np.float64,
}
_WORDS = ("questions", "class_names", "denials")


def _plain_words(name: str, words: Any) -> tuple[str, ...] | None:
    """Return a sequence of strings as a tuple, or None."""
    if words is None:
        return None
    _require(
        isinstance(words, (list, tuple))
        and all(issubclass(kind, str) for kind in set(map(type, words))),
        f"{name} must be a list of strings",
    )
    return tuple(words)


def _plain_array(name: str, items: Any) -> npt.NDArray[Any]:
    """Return one list of `to_dict` as an array, refusing to round or to parse."""
    try:
        if name == "threshold":
            items = [np.nan if item is None else item for item in items]
        array = np.asarray(items)
    except (TypeError, ValueError):
        raise ValueError(f"malformed tree: {name} must be a regular list") from None
    wants_floats = np.issubdtype(_DTYPES.get(name, np.float64), np.floating)
    _require(
        array.dtype.kind in ("iuf" if wants_floats else "iu"),
        f"{name} must contain {'numbers' if wants_floats else 'integers'}",
    )
    if not wants_floats:
        kept = array.astype(_DTYPES[name])
        _require(
            kept == array, f"{name} must contain integers of {kept.itemsize} bytes"
        )
    return array


def _require(claim: bool | npt.NDArray[np.bool_], rule: str) -> None:
    if not (claim if isinstance(claim, bool) else claim.all()):
        raise ValueError(f"malformed tree: {rule}")


def _check_shapes(tree: Tree) -> None:
    n = tree.feature.size
    _require(n >= 1, "at least one node")
    for name in _DTYPES:
        if name != "value" and getattr(tree, name).shape != (n,):
            raise ValueError(f"malformed tree: {name} must have shape ({n},)")
    _require(
        tree.value.ndim == 2 and tree.value.shape[0] == n and tree.value.shape[1] >= 1,
        f"value must have shape ({n}, n_classes)",
    )
    effective = tree.n_effective
    if effective is not None and effective.shape != (n,):
        raise ValueError(f"malformed tree: n_effective must have shape ({n},)")
    if tree.costs is not None and tree.costs.shape != tree.value.shape:
        raise ValueError(f"malformed tree: costs must have shape {tree.value.shape}")
    if tree.probabilities is not None and tree.probabilities.shape != tree.value.shape:
        raise ValueError(
            f"malformed tree: probabilities must have shape {tree.value.shape}"
        )
    for name in _WORDS:
        words = getattr(tree, name)
        count = tree.value.shape[1] if name == "class_names" else n
        if words is not None and len(words) != count:
            raise ValueError(f"malformed tree: {name} must have {count} entries")


def _check_contents(tree: Tree) -> None:
    _require(
        isinstance(tree.n_features, int) and tree.n_features >= 0,
        "n_features must be an integer >= 0",
    )
    if tree.n_effective is not None:
        is_size = (tree.n_effective >= 0) & (tree.n_effective <= tree.n_samples)
        _require(is_size, "n_effective must lie between 0 and n_samples")
    if tree.costs is not None:
        _require(np.isfinite(tree.costs), "costs must contain finite numbers")
    if tree.probabilities is not None:
        is_share = (tree.probabilities >= 0) & (tree.probabilities <= 1)
        adds_up = abs(tree.probabilities.sum(axis=1) - 1) < 1e-9
        _require(is_share.all(axis=1) & adds_up, "probabilities must be shares")
    _require(
        isinstance(tree.shows_rewards, bool)
        and (tree.costs is not None or not tree.shows_rewards),
        "shows_rewards must be true or false, and false without costs",
    )
    _require(
        is_number(tree.smoothing) and 0 <= tree.smoothing < np.inf,
        "smoothing must be a finite number >= 0",
    )
    rule = TreeShape(**tree.shape).broken_rule(tree.n_features)
    if rule is None:
        rule = broken_rule_of_contents(tree.label, tree.value, tree.n_samples)
    _require(rule is None, str(rule))

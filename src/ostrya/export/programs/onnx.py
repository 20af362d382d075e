"""Export a tree as an ONNX graph; requires the extra `onnx`.

Conditions are evaluated in float64, so that rounding moves no row to another side. The
results, 0 or 1, are the input of an ``ai.onnx.ml`` tree that determines the leaf of a
row. Label and probabilities are looked up by leaf.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ostrya._condition import AtMost, Condition, IsMissing, OneOf
from ostrya.export.programs.decisions import Decisions, InputColumn, Model
from ostrya.export.programs.identifiers import identifiers
from ostrya.export.programs.texts import require_utf8

if TYPE_CHECKING:
    import onnx

# Supported by every runtime since 2022.
OPSET, ML_OPSET, IR_VERSION = 17, 3, 8


def to_onnx(
    model: Model,
    *,
    feature_names: Sequence[str] | None = None,
    classes: Sequence[Any] | npt.NDArray[Any] | None = None,
) -> onnx.ModelProto:
    """Return a tree as an ONNX model.

    Parameters
    ----------
    model, feature_names, classes
        As in `to_python`.

    Returns
    -------
    onnx.ModelProto
        The inputs are the columns that the tree uses, each of shape (rows, 1). Numbers
        and booleans are float64, NaN if missing; so are times, in microseconds since
        1970 (in UTC if they have a time zone), and durations, in microseconds. Strings
        are empty if missing. An input has the name of its column, converted to an
        identifier; its ``doc_string`` is the original name. The outputs are ``label``,
        of shape (rows,), and ``probabilities``, of shape (rows, classes), in float64.

    Raises
    ------
    ImportError
        If the package `onnx` is not installed.
    TypeError
        In the same cases as `to_python`.
    ValueError
        If a level is the empty string, or cannot be encoded in UTF-8.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import to_onnx
    >>> tree = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1], leaf_penalty=0.01).tree
    >>> model = to_onnx(tree, feature_names=["dose"])  # doctest: +SKIP
    >>> [given.name for given in model.graph.input]  # doctest: +SKIP
    ['dose']
    """
    try:
        import onnx
    except ImportError:
        raise ImportError(
            'to_onnx requires the package onnx. Install it with: pip install "ostrya'
            '[onnx]"'
        ) from None

    graph = _Graph(Decisions(model, feature_names, classes))
    graph.build()
    made = onnx.helper.make_model(
        graph.proto(),
        opset_imports=[
            onnx.helper.make_opsetid("", OPSET),
            onnx.helper.make_opsetid("ai.onnx.ml", ML_OPSET),
        ],
        producer_name="ostrya",
    )
    made.ir_version = IR_VERSION
    onnx.checker.check_model(made)
    return made


class _Graph:
    """A graph to which nodes and constants are added."""

    def __init__(self, decisions: Decisions) -> None:
        import onnx

        self._onnx = onnx
        self._decisions = decisions
        # A tree with a single leaf needs one column, to know the number of rows.
        self._columns = decisions.columns or {0: InputColumn(0, "x0", "number")}
        words = identifiers(column.name for column in self._columns.values())
        # Internal names start with an underscore; names of inputs never do.
        self._names = dict(zip(self._columns, words, strict=True))
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def build(self) -> None:
        """Add all nodes, from the conditions to the results."""
        decisions, tree = self._decisions, self._decisions.tree
        asked = {node: decisions.condition(node) for node in decisions.splits}
        distinct = list(dict.fromkeys(asked.values()))
        if not distinct:
            distinct = [IsMissing(next(iter(self._columns)))]
        place = {condition: number for number, condition in enumerate(distinct)}
        answers = [self._answer(condition) for condition in distinct]
        self._add("Concat", answers, "_answers", axis=1)
        self._add_tree({node: place[condition] for node, condition in asked.items()})
        self._add("Cast", ["_leaves"], "_places", to=_type("INT64"))
        self._constant("_flat", np.array([-1]))
        self._add("Reshape", ["_places", "_flat"], "_leaf")
        labels = [decisions.label(leaf) for leaf in decisions.leaves]
        self._constant("_labels", _label_array(labels))
        self._add("Gather", ["_labels", "_leaf"], "label", axis=0)
        self._constant("_shares", tree.shares()[decisions.leaves])
        self._add("Gather", ["_shares", "_leaf"], "probabilities", axis=0)

    def proto(self) -> Any:
        """Return the graph."""
        helper = self._onnx.helper
        inputs = []
        for place, column in self._columns.items():
            require_utf8("ONNX", column.name)
            kind = "STRING" if column.kind == "text" else "DOUBLE"
            shape = ["rows", 1]
            made = helper.make_tensor_value_info(
                self._names[place], _type(kind), shape, column.name
            )
            inputs.append(made)
        labels = self._decisions.labels
        kinds = {bool: "BOOL", int: "INT64", float: "DOUBLE", str: "STRING"}
        label_type = _type(kinds[type(labels[0])])
        outputs = [
            helper.make_tensor_value_info("label", label_type, ["rows"]),
            helper.make_tensor_value_info(
                "probabilities", _type("DOUBLE"), ["rows", len(labels)]
            ),
        ]
        return helper.make_graph(
            self._nodes, "ostrya", inputs, outputs, initializer=self._constants
        )

    def _answer(self, condition: Condition) -> str:
        """Add a condition, and return the name of its results: 1 for yes, else 0."""
        number = len(self._nodes)
        answer = f"_answer_{number}"
        column, given = self._columns[condition.source], self._names[condition.source]
        if column.kind == "text":
            self._add_texts(given, answer, _texts_asked(condition, column))
            return answer
        truth, other = f"_truth_{number}", f"_constant_{number}"
        if isinstance(condition, IsMissing):
            self._add("IsNaN", [given], truth)
        elif isinstance(condition, AtMost):
            self._constant(other, np.array([condition.threshold]))
            self._add("LessOrEqual", [given, other], truth)
        else:
            levels = np.array([condition.levels], dtype=np.float64)
            self._constant(other, levels)
            self._add("Equal", [given, other], f"{truth}_each")
            self._add("Cast", [f"{truth}_each"], f"{truth}_ones", to=_type("FLOAT"))
            self._add("ReduceMax", [f"{truth}_ones"], answer, axes=[1], keepdims=1)
            return answer
        self._add("Cast", [truth], answer, to=_type("FLOAT"))
        return answer

    def _add_texts(self, given: str, answer: str, levels: list[str]) -> None:
        self._add(
            "LabelEncoder",
            [given],
            answer,
            domain="ai.onnx.ml",
            keys_strings=levels,
            values_floats=[1.0] * len(levels),
            default_float=0.0,
        )

    def _add_tree(self, places: dict[int, int]) -> None:
        tree, leaves = self._decisions.tree, self._decisions.leaves
        nodes = list(range(tree.n_nodes))
        is_split = [node in places for node in nodes]
        self._add(
            "TreeEnsembleRegressor",
            ["_answers"],
            "_leaves",
            domain="ai.onnx.ml",
            n_targets=1,
            nodes_treeids=[0] * len(nodes),
            nodes_nodeids=nodes,
            nodes_featureids=[places.get(node, 0) for node in nodes],
            nodes_modes=["BRANCH_LEQ" if split else "LEAF" for split in is_split],
            nodes_values=[0.5 if split else 0.0 for split in is_split],
            # A result of at most 0.5 means "no".
            nodes_truenodeids=np.maximum(tree.no, 0).tolist(),
            nodes_falsenodeids=np.maximum(tree.yes, 0).tolist(),
            target_treeids=[0] * len(leaves),
            target_nodeids=leaves,
            target_ids=[0] * len(leaves),
            target_weights=[float(place) for place in range(len(leaves))],
        )

    def _add(self, kind: str, inputs: list[str], output: str, **options: Any) -> None:
        made = self._onnx.helper.make_node(kind, inputs, [output], **options)
        self._nodes.append(made)

    def _constant(self, name: str, values: npt.NDArray[Any]) -> None:
        self._constants.append(self._onnx.numpy_helper.from_array(values, name))


def _texts_asked(condition: Condition, column: InputColumn) -> list[str]:
    """Return the strings for which a condition holds; "" is a missing value."""
    if not isinstance(condition, OneOf):
        return [""]
    if "" in condition.levels:
        raise ValueError(
            f"levels of column {column.name!r} must not be the empty string, which "
            "represents missing values in ONNX. Rename this level before fit"
        )
    for level in condition.levels:
        require_utf8("ONNX", level)
    return list(condition.levels)


def _type(name: str) -> int:
    import onnx

    return int(onnx.TensorProto.DataType.Value(name))


def _label_array(labels: list[Any]) -> npt.NDArray[Any]:
    if not isinstance(labels[0], str):
        return np.array(labels)
    for label in labels:
        require_utf8("ONNX", label)
    return np.array(labels, dtype=object)

"""Export a tree as PMML, the Predictive Model Markup Language."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

import numpy.typing as npt

from ostrya._condition import AtMost, Condition, IsMissing
from ostrya.export.programs.decisions import Decisions, InputColumn, Model
from ostrya.export.programs.identifiers import unlike
from ostrya.export.programs.texts import require_utf8

_SPACE = "http://www.dmg.org/PMML-4_4"
# XML parsers limit the nesting of elements to a few hundred.
MOST_LEVELS = 200
# Characters that are not allowed in XML 1.0, not even as a reference.
_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_TYPES = {
    "text": ("categorical", "string"),
    "boolean": ("categorical", "boolean"),
    "number": ("continuous", "double"),
    "time": ("continuous", "double"),
    "duration": ("continuous", "double"),
}
_UNITS = {"time": "microseconds since 1970", "duration": "microseconds"}
TARGET = "prediction"


def to_pmml(
    model: Model,
    *,
    feature_names: Sequence[str] | None = None,
    classes: Sequence[Any] | npt.NDArray[Any] | None = None,
) -> str:
    """Return a tree as a PMML 4.4 document.

    Parameters
    ----------
    model, feature_names, classes
        As in `to_python`.

    Returns
    -------
    str
        A ``TreeModel`` whose fields are the columns that the tree uses, by name. The
        output fields are ``predicted prediction`` and, for each label,
        ``probability(label)``. If a column has one of these names, a number is added to
        the name of the output, as in ``prediction_2``. Times are in microseconds since
        1970 (in UTC if they have a time zone), and durations in microseconds.

    Raises
    ------
    TypeError
        In the same cases as `to_python`.
    ValueError
        If a string contains characters that XML does not allow, or the depth of the
        tree exceeds 200.

    Examples
    --------
    >>> import ostrya
    >>> from ostrya.export import to_pmml
    >>> tree = ostrya.solve([[0], [1], [2], [3]], [0, 0, 1, 1], leaf_penalty=0.01).tree
    >>> document = to_pmml(tree, feature_names=["dose"], classes=["sick", "well"])
    >>> '<SimplePredicate field="dose" operator="lessOrEqual" value="1.5"' in document
    True
    """
    decisions = Decisions(model, feature_names, classes)
    if decisions.tree.depth > MOST_LEVELS:
        raise ValueError(
            f"the depth of the tree must be at most {MOST_LEVELS} for PMML, because "
            "XML parsers limit the nesting of elements; got "
            f"{decisions.tree.depth:,}. Fit with max_depth={MOST_LEVELS} or less"
        )
    columns = list(decisions.columns.values())
    target = unlike(TARGET, decisions.names)
    document = ElementTree.Element("PMML", version="4.4", xmlns=_SPACE)
    _add(document, "Header", description="A decision tree")
    dictionary = _add(document, "DataDictionary", numberOfFields=str(len(columns) + 1))
    for column in columns:
        optype, kind = _TYPES[column.kind]
        field = _add(
            dictionary, "DataField", name=column.name, optype=optype, dataType=kind
        )
        if column.kind in _UNITS:
            zone = ", in UTC" if column.is_zoned else ""
            _add(field, "Extension", name="unit", value=_UNITS[column.kind] + zone)
    field = _add(
        dictionary,
        "DataField",
        name=target,
        optype="categorical",
        dataType=_label_type(decisions.labels),
    )
    for label in decisions.labels:
        _add(field, "Value", value=_written(label))
    # A comparison with a missing value is false, so the row follows the last child.
    tree = _add(
        document,
        "TreeModel",
        functionName="classification",
        missingValueStrategy="none",
        noTrueChildStrategy="returnLastPrediction",
        splitCharacteristic="binarySplit",
    )
    schema = _add(tree, "MiningSchema")
    for column in columns:
        _add(schema, "MiningField", name=column.name, invalidValueTreatment="asIs")
    _add(schema, "MiningField", name=target, usageType="target")
    _add_output(tree, decisions, target)
    _add_nodes(tree, decisions)
    ElementTree.indent(document)
    text = ElementTree.tostring(document, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _add_output(tree: ElementTree.Element, decisions: Decisions, target: str) -> None:
    output, labels = _add(tree, "Output"), decisions.labels
    _add(
        output,
        "OutputField",
        name=unlike(f"predicted {target}", decisions.names),
        optype="categorical",
        dataType=_label_type(labels),
        feature="predictedValue",
    )
    for label in labels:
        _add(
            output,
            "OutputField",
            name=unlike(f"probability({_written(label)})", decisions.names),
            optype="continuous",
            dataType="double",
            feature="probability",
            value=_written(label),
        )


def _add_nodes(parent: ElementTree.Element, decisions: Decisions) -> None:
    tree = decisions.tree
    shares, weights = tree.shares().tolist(), tree.value.tolist()
    waiting: list[tuple[Any, int, Condition | None]] = [(parent, 0, None)]
    while waiting:
        above, node, condition = waiting.pop()
        element = _add(
            above,
            "Node",
            id=str(node),
            score=_written(decisions.label(node)),
            recordCount=repr(sum(weights[node])),
        )
        if condition is None:
            _add(element, "True")
        else:
            _add_predicate(element, condition, decisions.columns[condition.source])
        for code, label in enumerate(decisions.labels):
            _add(
                element,
                "ScoreDistribution",
                value=_written(label),
                recordCount=repr(weights[node][code]),
                probability=repr(shares[node][code]),
            )
        if tree.feature[node] >= 0:
            waiting.append((element, int(tree.no[node]), None))
            asked = decisions.condition(node)
            waiting.append((element, int(tree.yes[node]), asked))


def _add_predicate(
    node: ElementTree.Element, condition: Condition, column: InputColumn
) -> None:
    field = column.name
    if isinstance(condition, IsMissing):
        _add(node, "SimplePredicate", field=field, operator="isMissing")
        return
    if isinstance(condition, AtMost):
        value = repr(condition.threshold)
        _add(node, "SimplePredicate", field=field, operator="lessOrEqual", value=value)
        return
    # Not an array of levels, because programs disagree on how to parse its quotes.
    if len(condition.levels) > 1:
        node = _add(node, "CompoundPredicate", booleanOperator="or")
    for level in condition.levels:
        value = _written(level)
        _add(node, "SimplePredicate", field=field, operator="equal", value=value)


def _add(parent: ElementTree.Element, tag: str, **attributes: str) -> Any:
    for text in attributes.values():
        require_utf8("XML", text, "".join(_NO_XML.findall(text)))
    return ElementTree.SubElement(parent, tag, attributes)


def _label_type(labels: list[Any]) -> str:
    kinds = {bool: "boolean", int: "integer", float: "double"}
    return kinds.get(type(labels[0]), "string")


def _written(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else repr(value)

"""A tree of PMML 4.4 evaluated as the standard says, by the document alone."""

from __future__ import annotations

from xml.etree import ElementTree

SPACE = "{http://www.dmg.org/PMML-4_4}"
READERS = {
    "string": lambda text: text,
    "double": float,
    "integer": int,
    "boolean": {"true": True, "false": False}.__getitem__,
}


def evaluate(document, row):
    """Return the score of a row, as text, and the probability of each value."""
    root = ElementTree.fromstring(document)
    fields = {
        field.get("name"): READERS[field.get("dataType")]
        for field in root.iter(f"{SPACE}DataField")
    }
    model = root.find(f"{SPACE}TreeModel")
    assert model.get("missingValueStrategy") == "none"
    active = [
        field.get("name")
        for field in model.iter(f"{SPACE}MiningField")
        if field.get("usageType", "active") == "active"
    ]
    values = {name: row.get(name) for name in active}
    node = model.find(f"{SPACE}Node")
    assert holds(node, values, fields)
    while True:
        children = node.findall(f"{SPACE}Node")
        chosen = [child for child in children if holds(child, values, fields)]
        if not children:
            break
        assert chosen, "one child is always true"
        node = chosen[0]
    shares = {
        part.get("value"): float(part.get("probability"))
        for part in node.findall(f"{SPACE}ScoreDistribution")
    }
    return node.get("score"), shares


def holds(element, values, fields):
    """Say whether the predicate among the children of an element is true."""
    for child in element:
        tag = child.tag.removeprefix(SPACE)
        if tag == "True":
            return True
        if tag == "SimplePredicate":
            return simple(child, values, fields)
        if tag == "CompoundPredicate":
            assert child.get("booleanOperator") == "or"
            return any(simple(part, values, fields) for part in child)
    raise AssertionError("no predicate")


def simple(predicate, values, fields):
    value = values[predicate.get("field")]
    operator = predicate.get("operator")
    if operator == "isMissing":
        return value is None
    if value is None:  # missingValueStrategy="none": such comparisons are false
        return False
    other = fields[predicate.get("field")](predicate.get("value"))
    assert operator in ("equal", "lessOrEqual")
    return value == other if operator == "equal" else value <= other

// The path of a case through the tree. A missing value is null.

function holds(condition, value) {
    if (condition.asks === "missing") return value === null;
    if (value === null) return false;
    if (condition.asks === "at most") return value <= condition.threshold;
    return condition.levels.includes(value);
}

// The nodes on the path of a case, from the root to its leaf.
function walk(values) {
    const path = [0];
    for (let node = content.nodes[0], at = 0; node.question !== undefined;) {
        const condition = content.conditions[at];
        const isYes = holds(condition, values[condition.input]);
        const other = node.if_holds === node.yes ? node.no : node.yes;
        at = isYes ? node.if_holds : other;
        node = content.nodes[at];
        path.push(at);
    }
    return path;
}

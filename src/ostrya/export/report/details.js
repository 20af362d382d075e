// The details of the selected node.

function showDetails(at) {
    const node = content.nodes[at], isLeaf = node.question === undefined;
    const name = isLeaf ? `Leaf: ${content.labels[node.label]}` : `Split: ${node.whole_question}?`;
    const label = content.labels[node.label];
    const parts = [
        element("h3", {}, name),
        element("p", {}, node.note ? `${node.note}.` : counted(node.rows, "training row") + (isLeaf
            ? `, ${percent(node.shares[node.label])} correct ` +
                `(95% interval: ${interval(node.intervals[node.label])}).`
            : `; as a leaf, this node would predict ${label}.`)),
    ];
    if (isLeaf) {
        const copy = element("button", {type: "button"}, "Copy the rule");
        copy.addEventListener("click", () => copyText(node.rule, copy));
        parts.push(element("p", {class: "rule"}, node.rule), element("p", {}, copy));
    }
    const tables = node.outcomes ? [outcomesTable(node)] : [sharesTable(node.shares, isLeaf
        ? "Class shares of the training rows, with 95% intervals"
        : "Class shares of the training rows", node.intervals)];
    if (node.probabilities) {
        tables.push(sharesTable(node.probabilities, "Smoothed probabilities"));
    }
    const given = content.scores.find((score) => score.by_leaf)?.by_leaf[at];
    if (given) {
        const total = given.reduce((sum, number) => sum + number, 0);
        tables.push(sharesTable(given.map((number) => number / total),
            `Class shares of ${counted(total, "given row")}`));
    }
    parts.push(element("div", {class: "columns"}, ...tables));
    byId("details").replaceChildren(...parts);
}

// The listed trees. Their questions and nodes are stored once for all trees.

// The nodes of a tree, in the form in which a page about a single tree stores them.
function nodesOf(tree) {
    const nodes = tree.nodes.map((place) => ({...content.cells[place]}));
    let next = 0;
    const build = () => {
        const at = next++, asked = tree.questions[at];
        if (asked < 0) return at;
        const {question, whole_question, answers} = content.questions[asked];
        const yes = build(), no = build();
        Object.assign(nodes[at], {question, whole_question, answers, yes, no});
        return at;
    };
    build();
    return nodes;
}

// The place after the subtree that starts at `at`, in preorder.
function subtreeEnd(questions, at) {
    for (let open = 1; open > 0; at++) open += questions[at] < 0 ? -1 : 1;
    return at;
}

for (const tree of content.trees) {
    const {questions} = tree;
    tree.features = new Set(questions.filter((asked) => asked >= 0)
        .map((asked) => content.questions[asked].feature));
    tree.first = questions[0];
    tree.below = tree.first < 0 ? [-1, -1] : [questions[1], questions[subtreeEnd(questions, 1)]];
}

const questionText = (asked) => asked < 0 ? "leaf" : content.questions[asked].question;
const firstText = (asked) => asked < 0 ? "A single leaf" : questionText(asked);
const belowText = ([yes, no]) => `yes: ${questionText(yes)} / no: ${questionText(no)}`;

// Trees by a key, in the order of their best trees.
function grouped(trees, key) {
    const groups = new Map();
    for (const tree of trees) {
        const name = String(key(tree));
        if (!groups.has(name)) groups.set(name, []);
        groups.get(name).push(tree);
    }
    return [...groups.values()];
}

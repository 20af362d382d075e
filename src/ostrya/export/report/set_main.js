byId("summary").append(...content.summary.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value))));
byId("set-text").append(...content.text.map((line) => element("p", {}, line)));

let current = content.trees[0], shown = content.trees;
content.nodes = nodesOf(current);
const filters = new Filters(refilter);
showBars();
showRows();
const drawing = new Drawing(showDetails);
refilter();
showTree(current);

function refilter() {
    shown = content.trees.filter((tree) => filters.accepts(tree));
    byId("n-shown").textContent = `${count(shown.length)} of ${count(content.trees.length)} listed trees.`;
    byId("reset").hidden = shown.length === content.trees.length;
    byId("sunburst-hint").textContent = filters.group === null
        ? "Inner ring: the first question. Outer ring: the questions below it. Click a part to see only its trees."
        : `Only trees that begin with ${filters.title}`;
    showSunburst(shown, (group, title) => {
        filters.group = group;
        filters.title = title;
        refilter();
        showTree(group[0]);
    });
    showGroups(shown, current, showTree);
    showNeighbours();
}

function showTree(tree) {
    current = tree;
    content.nodes = nodesOf(tree);
    drawing.renew();
    byId("details").replaceChildren();
    byId("tree-title").textContent = `Tree ${rankText(tree)} of ${content.total}`;
    const features = [...tree.features].map((place) => content.features[place]);
    byId("tree-facts").textContent =
        `Objective ${objectiveText(tree.objective)}; ${(100 * tree.right).toFixed(2)}% of the ` +
        `training rows correct; features: ${features.join(", ") || "none"}. ` +
        `In Python, this tree is trees[${tree.place}].`;
    markCurrent(tree);
    showPredictions(tree);
    showNeighbours();
}

function showNeighbours() {
    const place = shown.indexOf(current);
    byId("previous").disabled = place <= 0;
    byId("next").disabled = place < 0 || place === shown.length - 1;
}

byId("previous").addEventListener("click", () => showTree(shown[shown.indexOf(current) - 1]));
byId("next").addEventListener("click", () => showTree(shown[shown.indexOf(current) + 1]));
byId("reset").addEventListener("click", () => filters.reset());
byId("copy-tree").addEventListener("click", () => copyText(
    content.nodes.filter(({rule}) => rule !== undefined).map(({rule}) => rule).join("\n"),
    byId("copy-tree")));

// What holds for all trees of the set: shares as bars, with exact numbers.

function barTable(head, rows) {
    return element("table", {},
        element("thead", {}, element("tr", {},
            ...head.map((name) => element("th", {scope: "col"}, name)))),
        element("tbody", {}, ...rows.map(({name, cells, share}) => {
            const bar = element("span", {class: "bar plain-bar"});
            bar.style.width = `${100 * share}%`;
            return element("tr", {},
                element("th", {scope: "row"}, name),
                ...cells.map((cell) => element("td", {}, cell)),
                element("td", {class: "shares", "aria-hidden": "true"}, share ? bar : ""));
        })));
}

function showBars() {
    byId("use-table").append(barTable(
        ["feature", "trees", "share", "best objective without it", ""],
        content.use.map(({feature, trees, share, told, without}) => ({
            name: content.features[feature], share,
            cells: [trees, told, without ?? "no such tree"],
        }))));
    const widest = (bins) => Math.max(...bins.map(({share}) => share)) || 1;
    byId("sizes-table").append(barTable(["leaves", "trees", ""],
        content.sizes.map(({leaves, trees, share}) =>
            ({name: count(leaves), cells: [trees], share: share / widest(content.sizes)}))));
    byId("objectives-table").append(barTable(["objective", "trees", ""],
        content.objectives.map(({from, to, trees, share}) => ({
            name: from === to ? objectiveText(from) : `${from.toPrecision(4)} to ${to.toPrecision(4)}`,
            cells: [trees], share: share / widest(content.objectives),
        }))));
}

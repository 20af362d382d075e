// The rows whose prediction depends on the choice of the tree.

function showRows() {
    if (content.rows === null) return;
    const {name, asked, total, split, bins, columns, table} = content.rows;
    const sample = asked < total ? ` (a sample of ${count(total)})` : "";
    byId("rows-text").textContent = split
        ? `All trees of the set vote on ${counted(asked, name)}${sample}. For ${count(split)} of them, ` +
            "the prediction depends on the tree: check that the tree you choose decides these as you would."
        : `All trees of the set agree on ${counted(asked, name)}${sample}.`;
    byId("agreement").append(barTable(["trees that agree", `${name}s`, ""],
        bins.map(({name: bin, rows, share}) => ({name: bin, cells: [count(rows)], share}))));
    if (table.length) {
        const head = ["row", "rows alike", ...columns.map((place) => content.features[place]),
            ...(table[0].label === null ? [] : ["label"]), "votes", "this tree"];
        byId("rows-table").append(element("table", {},
            element("caption", {}, "The rows with the closest votes; rows that look alike are shown once"),
            element("thead", {}, element("tr", {},
                ...head.map((title) => element("th", {scope: "col"}, title)))),
            element("tbody", {}, ...table.map(voteRow))));
    }
    byId("rows").hidden = false;
}

function voteRow({row, alike, cells, label, shares}) {
    const votes = element("span", {class: "votes", "aria-hidden": "true"});
    const told = [];
    shares.forEach((share, code) => {
        if (!share) return;
        const part = element("span");
        part.style.background = content.colours[code];
        part.style.flexGrow = share;
        votes.append(part);
        told.push(`${percent(share)} ${content.labels[code]}`);
    });
    return element("tr", {},
        element("th", {scope: "row"}, String(row)),
        element("td", {}, count(alike)),
        ...cells.map((cell) => element("td", {}, cell)),
        ...(label === null ? [] : [element("td", {}, label)]),
        element("td", {}, votes, element("span", {class: "note"}, told.join(", "))),
        element("td", {class: "predicted"}));
}

// What the chosen tree predicts; in bold where most trees predict something else.
function showPredictions(tree) {
    const cells = byId("rows-table").querySelectorAll("td.predicted");
    const predicted = content.rows?.predictions[content.trees.indexOf(tree)] ?? [];
    predicted.forEach((code, i) => {
        const {shares} = content.rows.table[i];
        cells[i].replaceChildren(swatch(code), content.labels[code]);
        cells[i].classList.toggle("changed", shares[code] < Math.max(...shares));
    });
}

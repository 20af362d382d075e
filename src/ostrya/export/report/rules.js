// The rules, one per leaf, to read and to copy.

const leaves = content.nodes.filter((node) => node.rule !== undefined);
const noteOf = (node) => node.note ? `(${node.note})` : `(${counted(node.rows, "row")}, ${percent(node.shares[node.label])} correct)`;

function showRules() {
    byId("rules-list").append(...leaves.map((node) => {
        const copy = element("button", {type: "button", "aria-label": `Copy: ${node.rule}`}, "Copy");
        copy.addEventListener("click", () => copyText(node.rule, copy));
        return element("li", {}, swatch(node.label), `${node.rule} `,
            element("span", {class: "note"}, `${noteOf(node)} `), copy);
    }));
    const all = byId("copy-rules");
    all.addEventListener("click", () =>
        copyText(leaves.map((node) => `${node.rule}   ${noteOf(node)}`).join("\n"), all));
}

// The rules, one per leaf, to read and to copy.

const leaves = content.nodes.filter((node) => node.rule !== undefined);
const noteOf = (node) => `(${counted(node.rows, "row")}, ${percent(node.shares[node.label])} right)`;

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

// What became of it is said on the button, and to screen readers.
async function copyText(text, button) {
    let isDone = false;
    try {
        await navigator.clipboard.writeText(text);
        isDone = true;
    } catch {
        // Pages of files may not use the clipboard in every browser; selections may.
        const area = element("textarea", {"aria-hidden": "true"});
        area.value = text;
        document.body.append(area);
        area.select();
        isDone = document.execCommand("copy");
        area.remove();
    }
    byId("copied").textContent = isDone ? "Copied." : "This browser lets no page copy.";
    const before = button.dataset.name ?? button.textContent;
    button.dataset.name = before;
    button.textContent = isDone ? "Copied" : "Not copied";
    setTimeout(() => { button.textContent = before; }, 1500);
}

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

// Copy text; the result is shown on the button and announced to screen readers.
async function copyText(text, button) {
    let isDone = false;
    try {
        await navigator.clipboard.writeText(text);
        isDone = true;
    } catch {
        // Some browsers deny the clipboard to local files, but allow to copy a selection.
        const area = element("textarea", {"aria-hidden": "true"});
        area.value = text;
        document.body.append(area);
        area.select();
        isDone = document.execCommand("copy");
        area.remove();
    }
    byId("copied").textContent = isDone ? "Copied." : "The browser did not allow copying.";
    const before = button.dataset.name ?? button.textContent;
    button.dataset.name = before;
    button.textContent = isDone ? "Copied" : "Not copied";
    setTimeout(() => { button.textContent = before; }, 1500);
}

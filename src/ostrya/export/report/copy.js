// Buttons that copy text.

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

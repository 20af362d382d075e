// The what-if section: follow a case entered by the reader through the tree.

function showWhatIf(drawing) {
    if (content.inputs === null) {
        byId("case").append(element("p", {}, `Not available for this model: ${content.no_inputs}.`));
        return;
    }
    if (!content.inputs.length) {
        byId("case").append("The tree has a single leaf, so it predicts the same for every case.");
    }
    const values = {};
    const update = () => {
        const path = walk(values);
        drawing.showWalk(path);
        showAnswer(path);
    };
    byId("case").addEventListener("submit", (event) => event.preventDefault());
    for (const input of content.inputs) byId("case").append(fieldOf(input, values, update));
    update();
}

function fieldOf(input, values, update) {
    const controls = input.kind === "levels" ? levelControls(input) : rangeControls(input);
    const missing = element("input", {type: "checkbox"});
    const read = () => {
        for (const control of controls.elements) control.disabled = missing.checked;
        values[input.place] = missing.checked ? null : controls.value();
        update();
    };
    missing.addEventListener("change", read);
    controls.onChange(read);
    values[input.place] = controls.value();
    return element("fieldset", {id: `input-${input.place}`},
        element("legend", {}, input.name),
        element("div", {class: "asked"}, ...controls.elements, ...(controls.more ?? []),
            element("label", {}, missing, " missing")));
}

function levelControls({levels, name, start}) {
    const select = element("select", {"aria-label": name},
        ...levels.map(([, text], i) => element("option", {value: i}, text)),
        element("option", {value: -1}, "(another value)"));
    select.value = start;
    return {
        elements: [select],
        // Any other value answers "no", like a level that is not in the training rows.
        value: () => (select.value === "-1" ? undefined : levels[select.value][0]),
        onChange: (read) => select.addEventListener("change", read),
    };
}

// Times and durations are in microseconds, and shown in readable units.
function rangeControls({range, name, kind, zoned, start}) {
    const {least, most, step} = range;
    const slider = element("input", {
        type: "range", min: least, max: most, step, "aria-label": `${name}, slider`,
    });
    const isNumber = kind === "number";
    const box = element("input", isNumber
        ? {type: "number", step: "any", "aria-label": name}
        : {type: "text", readonly: "", "aria-label": name});
    // The median of the training rows, which older model files do not contain.
    let value = start ?? least + Math.round((most - least) / 2 / step) * step;
    const inWords = () => (kind === "time" ? timeInWords(value, zoned) : durationInWords(value));
    const show = () => {
        box.value = isNumber ? Number(value.toPrecision(12)) : inWords();
        slider.setAttribute("aria-valuetext", box.value);
    };
    slider.value = value;
    show();
    return {
        elements: [slider, box],
        value: () => value,
        onChange: (read) => {
            slider.addEventListener("input", () => {
                value = Number(slider.value);
                show();
                read();
            });
            box.addEventListener("input", () => {
                if (!isNumber || box.value === "" || !Number.isFinite(Number(box.value))) return;
                value = Number(box.value);
                slider.value = value;
                slider.setAttribute("aria-valuetext", box.value);
                read();
            });
        },
    };
}

function timeInWords(microseconds, zoned) {
    const time = new Date(microseconds / 1000);
    if (Number.isNaN(time.getTime())) return `${microseconds} \u00b5s since 1970`;
    const text = time.toISOString().slice(0, 19).replace("T", " ");
    return zoned ? `${text} UTC` : text;
}

function durationInWords(microseconds) {
    const units = [[86400e6, "days"], [3600e6, "h"], [60e6, "min"], [1e6, "s"], [1e3, "ms"]];
    const [size, name] = units.find(([unit]) => unit <= Math.abs(microseconds)) ?? [1, "\u00b5s"];
    return `${short(microseconds / size)} ${name}`;
}

function showAnswer(path) {
    const steps = path.slice(0, -1).map((at, i) => {
        const node = content.nodes[at];
        const answer = path[i + 1] === node.yes ? "yes" : "no";
        return element("li", {}, `${node.whole_question}? `, element("strong", {}, answer));
    });
    const leaf = content.nodes[path.at(-1)];
    // Screen readers announce only the prediction, and only when it changes.
    const name = content.labels[leaf.label];
    if (byId("prediction").textContent !== name) {
        byId("prediction").replaceChildren(swatch(leaf.label), name);
    }
    byId("steps").replaceChildren(
        element("ol", {}, ...steps),
        leaf.outcomes ? outcomesTable(leaf) : sharesTable(leaf.shares, `Class shares of the ${counted(leaf.rows, "training row")} in this leaf`));
}

// Filters: at most so many leaves, at most some objective, features to use or to avoid.

class Filters {
    constructor(onChange) {
        const sizes = content.trees.map(({leaves}) => leaves);
        const objectives = content.trees.map(({objective}) => objective);
        this.onChange = onChange;
        this.leaves = this.slider("leaves", "Leaves, at most", sizes, 1, count);
        // Rounded up to a step, so that the slider includes the last tree.
        const [least, most] = [Math.min(...objectives), Math.max(...objectives)];
        const step = (most - least) / 200 || 1;
        this.objective = this.slider("objective", "Objective, at most",
            [least, most > least ? least + 200 * step : least], step, objectiveText);
        this.features = this.featureMenus();
        this.group = null;  // trees with one beginning, chosen in the sunburst
    }

    slider(name, title, values, step, show) {
        const least = Math.min(...values), most = Math.max(...values);
        const input = element("input", {
            type: "range", id: `filter-${name}`, min: least, max: most, step, value: most,
            "aria-valuetext": show(most),
        });
        const shown = element("output", {}, show(most));
        input.addEventListener("input", () => {
            shown.textContent = show(Number(input.value));
            input.setAttribute("aria-valuetext", shown.textContent);
            this.onChange();
        });
        input.disabled = least === most;
        byId("filters").append(element("label", {}, element("span", {}, `${title}: `, shown), input));
        return input;
    }

    featureMenus() {
        const menus = content.use.map(({feature}) => {
            const menu = element("select", {id: `filter-feature-${feature}`},
                element("option", {value: ""}, "any"),
                element("option", {value: "used"}, "used"),
                element("option", {value: "avoided"}, "not used"));
            menu.addEventListener("change", () => this.onChange());
            return [feature, menu];
        });
        const labels = menus.map(([feature, menu]) =>
            element("label", {}, content.features[feature], menu));
        if (labels.length) {
            byId("filters").append(element("details", {},
                element("summary", {}, "Features to use or to avoid"),
                element("div", {class: "features"}, ...labels)));
        }
        return menus;
    }

    accepts(tree) {
        if (tree.leaves > Number(this.leaves.value)) return false;
        // Browsers round the values of sliders, so the last step means no limit.
        const {value, max, step: width} = this.objective;
        const isLast = Number(value) > Number(max) - Number(width) / 2;
        if (!isLast && tree.objective > Number(value)) return false;
        if (this.group !== null && !this.group.includes(tree)) return false;
        return this.features.every(([feature, menu]) =>
            menu.value === "" || tree.features.has(feature) === (menu.value === "used"));
    }

    reset() {
        for (const input of [this.leaves, this.objective]) {
            input.value = input.max;
            input.dispatchEvent(new Event("input"));
        }
        for (const [, menu] of this.features) menu.value = "";
        this.group = null;
        this.onChange();
    }
}

const objectiveText = (objective) => objective.toPrecision(6).replace(/0+$/, "").replace(/\.$/, "");

// How the bounds met: the best objective from above, the lower bound from below.

function showSearch() {
    const {moments, claimed} = content.search;
    const chart = byId("search-chart");
    if (claimed) {
        chart.append(element("p", {class: "hint"},
            "As the model file tells it; only the training rows could prove it."));
    }
    if (moments.length < 2) {
        chart.append(element("p", {}, moments.length
            ? `The search ended at once, after ${seconds(moments[0][0])}.`
            : "How the search went was not kept with this model."));
        return;
    }
    const [last, lower, objective] = moments.at(-1);
    const text = `After ${seconds(last)} the best tree has objective ${short(objective)}, ` +
        `and no tree has less than ${short(lower)}.`;
    chart.append(picture(moments, text), element("p", {}, text), pointsTable(moments));
}

const short = (number) => Number(number.toPrecision(4)).toString();
const seconds = (number) => `${Number(number.toPrecision(2))} s`;

function picture(moments, text) {
    const width = 480, height = 250, left = 52, right = 8, top = 26, bottom = 34;
    const values = moments.flatMap(([, lower, objective]) => [lower, objective]);
    const least = Math.min(...values), most = Math.max(...values);
    const end = moments.at(-1)[0] || 1;
    const x = (time) => left + time / end * (width - left - right);
    const y = (value) => top + (most - value) / (most - least || 1) * (height - top - bottom);
    const steps = (place) => moments.map((moment, i) => {
        const point = `${x(moment[0]).toFixed(1)} ${y(moment[place]).toFixed(1)}`;
        return i ? `H${x(moment[0]).toFixed(1)}L${point}` : `M${point}`;
    }).join("");
    const svg = drawn("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": text});
    const axis = (attributes) => drawn("line", {class: "axis", ...attributes});
    svg.append(
        axis({x1: left, x2: left, y1: top, y2: height - bottom}),
        axis({x1: left, x2: width - right, y1: height - bottom, y2: height - bottom}),
        drawn("path", {class: "best", d: steps(2)}),
        drawn("path", {class: "bound", d: steps(1)}),
        drawn("path", {class: "best", d: `M${left} 10h28`}),
        drawn("text", {x: left + 34, y: 14}, "best objective"),
        drawn("path", {class: "bound", d: `M${left + 160} 10h28`}),
        drawn("text", {x: left + 194, y: 14}, "lower bound"),
        drawn("text", {x: left - 6, y: y(most) + 5, "text-anchor": "end"}, short(most)),
        drawn("text", {x: left - 6, y: y(least) + 2, "text-anchor": "end"}, short(least)),
        drawn("text", {x: left, y: height - 14}, "0 s"),
        drawn("text", {x: width - right, y: height - 14, "text-anchor": "end"}, seconds(end)));
    return svg;
}

function pointsTable(moments) {
    const head = ["seconds", "lower bound", "best objective"];
    const step = Math.ceil(moments.length / 20);
    const kept = moments.filter((_, i) => i % step === 0 || i === moments.length - 1);
    return element("details", {},
        element("summary", {}, "As a table"),
        element("div", {class: "scroll"}, element("table", {},
            element("thead", {}, element("tr", {},
                ...head.map((name) => element("th", {scope: "col"}, name)))),
            element("tbody", {}, ...kept.map((moment) => element("tr", {},
                ...moment.map((number) => element("td", {}, short(number)))))))));
}

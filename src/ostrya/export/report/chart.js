// The search over time: the best objective from above, the lower bound from below.

function showSearch() {
    const {moments, claimed} = content.search;
    const chart = byId("search-chart");
    if (claimed) {
        chart.append(element("p", {class: "hint"},
            "According to the model file; this could not be verified without the training rows."));
    }
    if (moments.length < 2) {
        chart.append(element("p", {}, moments.length
            ? `The search ended after ${seconds(moments[0][0])}.`
            : "This model contains no record of the search."));
        return;
    }
    const [last, lower, objective] = moments.at(-1);
    const text = `After ${seconds(last)} the best tree has objective ${short(objective)}, ` +
        `and no tree has an objective below ${short(lower)}.`;
    chart.append(picture(moments, text), element("p", {}, text), pointsTable(moments));
}

const seconds = (number) => `${Number(number.toPrecision(2))} s`;

function picture(moments, text) {
    const values = moments.flatMap(([, lower, objective]) => [lower, objective]);
    const end = moments.at(-1)[0] || 1;
    const frame = chartFrame(text, [0, end], values);
    const {svg, x, y, left, half} = frame;
    const steps = (place) => moments.map((moment, i) => {
        const point = `${x(moment[0]).toFixed(1)} ${y(moment[place]).toFixed(1)}`;
        return i ? `H${x(moment[0]).toFixed(1)}L${point}` : `M${point}`;
    }).join("");
    svg.append(
        drawn("path", {class: "first", d: steps(2)}),
        drawn("path", {class: "second", d: steps(1)}),
        drawn("path", {class: "first", d: `M${left} 10h28`}),
        drawn("text", {x: left + 34, y: 14}, "best objective"),
        drawn("path", {class: "second", d: `M${left + half} 10h28`}),
        drawn("text", {x: left + half + 34, y: 14}, "lower bound"),
        drawn("text", {x: left, y: frame.below}, "0 s"),
        drawn("text", {x: frame.end, y: frame.below, "text-anchor": "end"}, seconds(end)));
    return svg;
}

function pointsTable(moments) {
    const step = Math.ceil(moments.length / 20);
    const kept = moments.filter((_, i) => i % step === 0 || i === moments.length - 1);
    return numbersTable(["seconds", "lower bound", "best objective"],
        kept.map((moment) => moment.map(short)));
}

// The frame of a chart: two axes and the scales between them.

const short = (number) => Number(number.toPrecision(4)).toString();

// Pictures are scaled to the page together with their text, so on phones a narrower
// picture keeps the text legible.
const chartWidth = () => matchMedia("(max-width: 30rem)").matches ? 340 : 480;

function chartFrame(text, [first, last], values) {
    const width = chartWidth(), height = 250, left = 52, right = 12, top = 26, bottom = 34;
    const least = Math.min(...values), most = Math.max(...values);
    const x = (place) =>
        left + (place - first) / (last - first || 1) * (width - left - right);
    const y = (value) =>
        top + (most - value) / (most - least || 1) * (height - top - bottom);
    const svg = drawn("svg", {viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": text});
    const axis = (attributes) => drawn("line", {class: "axis", ...attributes});
    svg.append(
        axis({x1: left, x2: left, y1: top, y2: height - bottom}),
        axis({x1: left, x2: width - right, y1: height - bottom, y2: height - bottom}),
        drawn("text", {x: left - 6, y: y(most) + 5, "text-anchor": "end"}, short(most)));
    if (least < most) {
        svg.append(drawn("text", {x: left - 6, y: y(least) + 2, "text-anchor": "end"}, short(least)));
    }
    const half = (width - left - right) / 2;  // the width of each of two legend entries
    return {svg, x, y, left, half, end: width - right, below: height - 14, floor: height - bottom};
}

// The same numbers as a table, for readers who cannot see the chart.
function numbersTable(head, rows) {
    return element("details", {},
        element("summary", {}, "As a table"),
        element("div", {class: "scroll"}, element("table", {},
            element("thead", {}, element("tr", {},
                ...head.map((name) => element("th", {scope: "col"}, name)))),
            element("tbody", {}, ...rows.map((row) => element("tr", {},
                ...row.map((cell) => element("td", {}, cell))))))));
}

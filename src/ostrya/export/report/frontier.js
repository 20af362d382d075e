// The best score for every number of leaves: a line per set of rows, a ring at the choice.

function showFrontier() {
    if (content.frontier === null) return;
    const {text, lines, sizes} = content.frontier;
    const head = ["leaves", ...lines.map(({name}) => name), ""];
    const rows = sizes.map((size, i) => [
        String(size),
        ...lines.map((line) => scoreText(line, i)),
        size === content.frontier.chosen ? "this tree" : "",
    ]);
    byId("frontier-chart").append(frontierPicture(text.join(" ")));
    byId("frontier-text").append(
        ...text.map((line) => element("p", {}, line)), numbersTable(head, rows));
    byId("frontier").hidden = false;
}

function scoreText({scores, below, above}, i) {
    if (scores[i] === null) return "\u2013";
    const score = scores[i].toFixed(4);
    if (below[i]) return `${score} \u00b1 ${below[i].toFixed(4)}`;
    return above[i] ? `${score}, at most ${(scores[i] + above[i]).toFixed(4)}` : score;
}

function frontierPicture(text) {
    const {lines, sizes, chosen} = content.frontier;
    const values = lines.flatMap(({scores, below, above}) => scores.flatMap((score, i) =>
        score === null ? [] : [score - below[i], score + above[i]]));
    if (!values.length) return "";
    const frame = chartFrame(text, [sizes[0], sizes.at(-1)], values);
    const {svg, x, floor} = frame;
    if (chosen !== null) {
        svg.append(drawn("line", {class: "chosen-size", x1: x(chosen), x2: x(chosen), y1: 26, y2: floor}));
    }
    lines.forEach((line, i) => svg.append(
        ...scoreLine(frame, line, i), ...legendEntry(frame.left + frame.half * i, line, i)));
    const step = Math.ceil(sizes.length / 10);
    svg.append(...sizes.filter((_, i) => i % step === 0).map((size) =>
        drawn("text", {x: x(size), y: floor + 16, "text-anchor": "middle"}, String(size))));
    svg.append(drawn("text", {x: frame.end, y: frame.below + 12, "text-anchor": "end"}, "leaves"));
    return svg;
}

const LINES = ["first", "second"];

function scoreLine({x, y}, {scores, below, above}, kind) {
    const {sizes, chosen} = content.frontier;
    const known = sizes.map((_, i) => i).filter((i) => scores[i] !== null);
    const path = known.map((i) => `${x(sizes[i]).toFixed(1)} ${y(scores[i]).toFixed(1)}`);
    if (!path.length) return [];
    const whiskers = known.filter((i) => below[i] || above[i]).map((i) => {
        const [top, end] = [y(scores[i] + above[i]), y(scores[i] - below[i])];
        return drawn("path", {class: "whisker", d: `M${x(sizes[i]) - 3} ${top}h6m-3 0V${end}m-3 0h6`});
    });
    const rings = known.filter((i) => sizes[i] === chosen).map((i) =>
        drawn("circle", {class: "ring", cx: x(sizes[i]), cy: y(scores[i]), r: 8}));
    return [
        ...whiskers,
        drawn("path", {class: LINES[kind], d: `M${path.join("L")}`}),
        ...known.map((i) => mark(x(sizes[i]), y(scores[i]), kind)),
        ...rings,
    ];
}

// Dots and squares, so that lines can be distinguished without colours.
function mark(x, y, kind) {
    return kind
        ? drawn("rect", {class: "second-mark", x: x - 3.5, y: y - 3.5, width: 7, height: 7})
        : drawn("circle", {class: "first-mark", cx: x, cy: y, r: 3.5});
}

function legendEntry(at, {name}, kind) {
    return [
        drawn("path", {class: LINES[kind], d: `M${at} 10h28`}),
        mark(at + 14, 10, kind),
        drawn("text", {x: at + 34, y: 14}, name),
    ];
}

// The trees by their first question (inner ring) and the two below it (outer ring).

const HUES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8a8a"];
const HOLE = 45, INNER = 105, OUTER = 155;

// A first question has the same colour in the sunburst and in the list.
const firsts = [...new Set(content.trees.map(({first}) => first))];
const hueOf = (first) => HUES[firsts.indexOf(first) % HUES.length];

function showSunburst(trees, onChoose) {
    const total = trees.length;
    const groups = grouped(trees, ({first}) => first);
    const told = groups.map((group) => `${firstText(group[0].first)} ${counted(group.length, "tree")}`);
    const svg = drawn("svg", {
        viewBox: "-160 -160 320 320", role: "img",
        "aria-label": `Listed trees by first question. ${told.join("; ")}`,
    });
    let start = 0;
    for (const group of groups) {
        const {first} = group[0];
        svg.append(ringPart(start, group, total, HOLE, INNER, "inner", firstText(first), onChoose));
        for (const part of grouped(group, ({below}) => below)) {
            const text = `${firstText(first)} ${belowText(part[0].below)}`;
            svg.append(ringPart(start, part, total, INNER + 2, OUTER, "outer", text, onChoose));
            start += part.length;
        }
    }
    svg.append(
        drawn("text", {y: 2}, count(total)),
        drawn("text", {y: 20, class: "unit"}, total === 1 ? "tree" : "trees"));
    byId("sunburst").replaceChildren(svg);
}

function ringPart(start, group, total, from, to, ring, text, onChoose) {
    const path = drawn("path", {
        class: ring, fill: hueOf(group[0].first),
        // Gaps between parts must not be wider than the parts.
        "stroke-width": group.length < total / 100 ? 0.1 : 1,
        d: ringPath(start / total, (start + group.length) / total, from, to),
    }, drawn("title", {}, `${text} (${counted(group.length, "tree")})`));
    path.addEventListener("click", () => onChoose(group, text));
    return path;
}

function ringPath(start, end, from, to) {
    if (end - start >= 1) end = start + 0.99999;  // an arc cannot be a full circle
    const point = (share, radius) => {
        const angle = 2 * Math.PI * (share - 0.25);
        return `${(radius * Math.cos(angle)).toFixed(2)} ${(radius * Math.sin(angle)).toFixed(2)}`;
    };
    const large = end - start > 0.5 ? 1 : 0;
    return `M${point(start, to)}A${to} ${to} 0 ${large} 1 ${point(end, to)}` +
        `L${point(end, from)}A${from} ${from} 0 ${large} 0 ${point(start, from)}Z`;
}

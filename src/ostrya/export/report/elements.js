// Elements of the page. Strings of the user are only inserted as text, never as markup.

const content = JSON.parse(document.getElementById("content").textContent);
const byId = (id) => document.getElementById(id);

function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
}

function drawn(tag, attributes = {}, ...children) {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    made.append(...children);
    return made;
}

const count = (number) => number.toLocaleString("en-US", {maximumFractionDigits: 4});
const counted = (number, thing) => `${count(number)} ${thing}${number === 1 ? "" : "s"}`;

// 0% and 100% appear only if they are exact.
function percent(share) {
    if (share > 0 && share < 0.005) return "<1%";
    if (share < 1 && share >= 0.995) return ">99%";
    return `${Math.round(100 * share)}%`;
}

function swatch(code) {
    const made = element("span", {class: "swatch", "aria-hidden": "true"});
    made.style.background = content.colours[code];
    return made;
}

// The share of each class, as numbers and as bars.
const interval = ([least, most]) => `${percent(least)} to ${percent(most)}`;

function sharesTable(shares, caption, intervals) {
    const rows = shares.map((share, code) => {
        const bar = element("span", {class: "bar"});
        bar.style.background = content.colours[code];
        bar.style.width = `${100 * share}%`;
        return element("tr", {},
            element("th", {scope: "row"}, swatch(code), content.labels[code]),
            element("td", {}, percent(share)),
            ...(intervals ? [element("td", {}, interval(intervals[code]))] : []),
            element("td", {class: "shares", "aria-hidden": "true"}, share ? bar : ""));
    });
    const title = element("caption", {}, caption);
    return element("div", {class: "scroll"},
        element("table", {}, title, element("tbody", {}, ...rows)));
}

// The mean cost or reward of each label in a node.
function outcomesTable(node) {
    const rows = node.outcomes.map((mean, code) =>
        element("tr", {},
            element("th", {scope: "row"}, swatch(code), content.labels[code]),
            element("td", {}, mean.toPrecision(4))));
    return element("table", {},
        element("caption", {}, `${content.outcome} of the training rows`),
        element("tbody", {}, ...rows));
}

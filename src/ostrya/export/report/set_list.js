// The trees as a list: by first question, then by the two below it, best trees first.

// Trees of a group that are listed at once.
const MOST_OF_A_GROUP = 50;

function showGroups(trees, current, onChoose) {
    byId("groups").replaceChildren(...grouped(trees, ({first}) => first).map((group) => {
        const mark = element("span", {class: "swatch", "aria-hidden": "true"});
        mark.style.background = hueOf(group[0].first);
        const parts = grouped(group, ({below}) => below);
        return foldable([mark, firstText(group[0].first)], group, group.includes(current), () =>
            parts.length === 1 && group[0].first < 0 ? [treeList(group, current, onChoose)]
                : parts.map((part) => foldable([belowText(part[0].below)], part,
                    part.includes(current), () => [treeList(part, current, onChoose)])));
    }));
}

// A group whose contents are made when it is opened for the first time.
function foldable(title, group, isOpen, make) {
    const note = ` ${counted(group.length, "tree")}, best objective ${objectiveText(group[0].objective)}`;
    const made = element("details", {},
        element("summary", {}, ...title, element("span", {class: "note"}, note)));
    const fill = () => { if (made.childElementCount === 1) made.append(...make()); };
    made.addEventListener("toggle", () => { if (made.open) fill(); });
    if (isOpen) {
        fill();
        made.open = true;
    }
    return made;
}

function treeList(group, current, onChoose) {
    const item = (tree) => {
        const button = element("button", {type: "button", "aria-current": tree === current},
            `Tree ${rankText(tree)}: objective ${objectiveText(tree.objective)}, ` +
            `${counted(tree.leaves, "leaf").replace("leafs", "leaves")}, depth ${tree.depth}`);
        button.addEventListener("click", () => onChoose(tree));
        button.dataset.place = tree.place;
        return element("li", {}, button);
    };
    const list = element("ul", {}, ...group.slice(0, MOST_OF_A_GROUP).map(item));
    const rest = group.slice(MOST_OF_A_GROUP);
    if (rest.length) {
        const more = element("button", {type: "button"}, `Show ${count(rest.length)} more`);
        more.addEventListener("click", () => more.parentElement.replaceWith(...rest.map(item)));
        list.append(element("li", {}, more));
    }
    return list;
}

// Places are counted from 0 in Python, and may be larger than numbers here can be.
const rankText = ({place}) => (BigInt(place) + 1n).toLocaleString("en-US");

function markCurrent(tree) {
    for (const button of byId("groups").querySelectorAll("button[data-place]")) {
        button.setAttribute("aria-current", button.dataset.place === tree.place);
    }
}

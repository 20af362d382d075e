// The interactive drawing of the tree, root on the left: fold, zoom, select, follow a case.

const WIDTH = 190, SPACE = 12, MARGIN = 14;
// Answers are between the boxes; "no or missing" needs more space than "no".
const gap = () => content.nodes.some((node) => node.answers?.[1].length > 3) ? 104 : 58;
// A larger tree is folded initially.
const MOST_AT_FIRST = 40;

class Drawing {
    constructor(onChoose) {
        this.onChoose = onChoose;
        this.zoom = 1;
        this.forget();
        byId("nodes").addEventListener("keydown", (event) => this.onKey(event));
        byId("zoom-in").addEventListener("click", () => this.setZoom(this.zoom * 1.25));
        byId("zoom-out").addEventListener("click", () => this.setZoom(this.zoom / 1.25));
        byId("zoom-fit").addEventListener("click", () => this.fit());
        byId("unfold").addEventListener("click", () => this.refold(() => this.folded.clear()));
        byId("fold").addEventListener("click", () => this.refold(() => this.foldBelow(1)));
        let before = null;
        addEventListener("beforeprint", () => {
            before = before ?? this.zoom;
            this.fit(PAPER_WIDTH, PAPER_HEIGHT);
        });
        addEventListener("afterprint", () => {
            this.setZoom(before ?? this.zoom);
            before = null;
        });
        this.draw();
        this.fit();
    }

    // Draw the nodes of another tree.
    renew() {
        this.forget();
        this.draw();
        this.fit();
    }

    forget() {
        this.folded = new Set();
        this.walked = new Set([0]);
        this.chosen = null;
        this.focus = 0;
        if (content.nodes.length > 2 * MOST_AT_FIRST) this.foldBelow(3);
    }

    foldBelow(depth) {
        const fold = (at, level) => {
            const node = content.nodes[at];
            if (node.question === undefined) return;
            if (level >= depth) this.folded.add(at);
            else [node.yes, node.no].forEach((child) => fold(child, level + 1));
        };
        fold(0, 0);
    }

    refold(change) {
        change();
        this.draw();
        this.fit();
    }

    // The visible nodes from top to bottom, each with its level, parent and answer.
    visible() {
        const shown = [], waiting = [{at: 0, level: 0, parent: null, answer: "", told: ""}];
        while (waiting.length) {
            const place = waiting.pop();
            shown.push(place);
            const {at, level} = place, node = content.nodes[at];
            if (node.question === undefined || this.folded.has(at)) continue;
            const [yes, no] = node.answers, below = {level: level + 1, parent: place};
            waiting.push({at: node.no, answer: "no", told: no, ...below});
            waiting.push({at: node.yes, answer: "yes", told: yes, ...below});
        }
        return shown;
    }

    draw() {
        this.places = this.visible();
        for (const place of this.places) place.box = this.box(place);
        byId("nodes").replaceChildren(...this.places.map((place) => place.box));
        this.arrange();
        byId("stage").querySelector("svg")?.remove();
        byId("stage").prepend(this.lines());
        this.scale();
    }

    // A node without visible children has a row of its own; others are halfway between.
    arrange() {
        let y = MARGIN;
        for (const place of this.places) place.children = [];
        for (const place of this.places) place.parent?.children.push(place);
        for (const place of [...this.places]) {
            place.height = place.box.offsetHeight;
            if (place.children.length) continue;
            place.y = y + place.height / 2;
            y += place.height + SPACE;
        }
        for (const place of [...this.places].reverse()) {
            const [first, last] = place.children;
            if (first) place.y = (first.y + last.y) / 2;
        }
        // A tall split between two small leaves must stay inside the drawing.
        const top = Math.min(...this.places.map((p) => p.y - p.height / 2));
        const shift = Math.max(0, MARGIN - top);
        let bottom = 0, right = 0;
        const step = WIDTH + gap();
        for (const place of this.places) {
            place.y += shift;
            place.x = MARGIN + place.level * step;
            place.box.style.left = `${place.x}px`;
            place.box.style.top = `${place.y - place.height / 2}px`;
            bottom = Math.max(bottom, place.y + place.height / 2);
            right = Math.max(right, place.x + WIDTH);
        }
        this.width = right + MARGIN;
        this.height = bottom + MARGIN;
    }

    lines() {
        const most = content.nodes[0].rows || 1;
        const svg = drawn("svg", {"aria-hidden": "true"});
        for (const {parent, at, x, y, answer, told} of this.places) {
            if (!parent) continue;
            const start = parent.x + WIDTH, middle = (start + x) / 2;
            const isWalked = this.walked.has(at) && this.walked.has(parent.at);
            svg.append(
                drawn("path", {
                    d: `M${start} ${parent.y}C${middle} ${parent.y} ${middle} ${y} ${x} ${y}`,
                    "stroke-width": 1 + 7 * content.nodes[at].rows / most,
                    class: isWalked ? "walked" : "",
                }),
                drawn("text", {x: x - 6, y: answer === "yes" ? y - 6 : y + 16}, told));
        }
        return svg;
    }

    box({at, level, parent, answer, told}) {
        const node = content.nodes[at], isLeaf = node.question === undefined;
        const title = isLeaf ? content.labels[node.label] : node.question;
        const right = node.shares[node.label];
        const note = node.note ?? `${counted(node.rows, "row")}, ${percent(right)} ${isLeaf ? "correct" : content.labels[node.label]}`;
        const box = element("div", {
            class: `node${isLeaf ? " leaf" : ""}${this.walked.has(at) ? " walked" : ""}`,
            role: "treeitem",
            id: `node-${at}`,
            tabindex: at === this.focus ? 0 : -1,
            "aria-level": level + 1,
            "aria-posinset": answer === "no" ? 2 : 1,
            "aria-setsize": parent ? 2 : 1,
            "aria-selected": at === this.chosen,
            "aria-label": `${told ? `${told}: ` : ""}${isLeaf ? "leaf, " : ""}${title}, ${note}`,
        });
        box.append(element("span", {class: "title"}, title), element("span", {class: "note"}, note));
        const strip = element("span", {class: "strip", "aria-hidden": "true"});
        node.shares.forEach((share, code) => {
            const part = element("span");
            part.style.background = content.colours[code];
            part.style.flexGrow = share;
            if (share) strip.append(part);
        });
        box.append(strip);
        if (isLeaf) {
            box.style.borderLeftColor = content.colours[node.label];
        } else {
            const isFolded = this.folded.has(at);
            box.setAttribute("aria-expanded", !isFolded);
            const fold = element("button", {
                type: "button", class: "fold", tabindex: -1, "aria-hidden": "true",
                title: isFolded ? "Unfold" : "Fold",
            }, isFolded ? "+" : "\u2212");
            fold.addEventListener("click", (event) => {
                event.stopPropagation();
                this.toggle(at);
            });
            box.append(fold);
        }
        box.addEventListener("click", () => this.choose(at));
        return box;
    }

    toggle(at) {
        if (!this.folded.delete(at)) this.folded.add(at);
        this.draw();
        this.moveTo(at);
    }

    choose(at) {
        this.chosen = at;
        for (const {at: other, box} of this.places) box.setAttribute("aria-selected", other === at);
        this.moveTo(at);
        this.onChoose(at);
    }

    moveTo(at) {
        this.focus = at;
        for (const {at: other, box} of this.places) box.tabIndex = other === at ? 0 : -1;
        byId(`node-${at}`).focus({preventScroll: false});
    }

    showWalk(path) {
        this.walked = new Set(path);
        for (const {at, box} of this.places) box.classList.toggle("walked", this.walked.has(at));
        byId("stage").querySelector("svg").replaceWith(this.lines());
    }

    onKey(event) {
        const index = this.places.findIndex(({at}) => at === this.focus);
        const {at, parent, children} = this.places[index];
        const isSplit = content.nodes[at].question !== undefined;
        const isFolded = this.folded.has(at);
        const moves = {
            ArrowDown: () => this.places[index + 1]?.at,
            ArrowUp: () => this.places[index - 1]?.at,
            Home: () => 0,
            End: () => this.places.at(-1).at,
            ArrowRight: () => (isSplit && isFolded ? this.toggle(at) : children[0]?.at),
            ArrowLeft: () => (isSplit && !isFolded ? this.toggle(at) : parent?.at),
            Enter: () => this.choose(at),
            " ": () => this.choose(at),
        };
        if (!(event.key in moves)) return;
        event.preventDefault();
        const target = moves[event.key]();
        if (target !== undefined) this.moveTo(target);
    }

    setZoom(zoom) {
        this.zoom = Math.min(Math.max(zoom, 0.05), 4);
        this.scale();
    }

    // As large as the space allows, but at most 100%; on screens at least legible.
    fit(width = byId("view").clientWidth, height = Infinity) {
        const room = Math.min(width / this.width, height / this.height, 1);
        this.setZoom(height === Infinity ? Math.max(room, 0.75) : room);
        // If the drawing does not fit, the root is visible.
        byId("view").scrollTo(0, this.places[0].y * this.zoom - byId("view").clientHeight / 2);
    }

    scale() {
        const stage = byId("stage");
        stage.style.transform = `scale(${this.zoom})`;
        stage.style.width = `${this.width}px`;
        // The transformed stage keeps its old size for the layout around it.
        stage.style.height = `${this.height}px`;
        stage.style.marginRight = `${this.width * (this.zoom - 1)}px`;
        stage.style.marginBottom = `${this.height * (this.zoom - 1)}px`;
    }
}

// The space for the drawing on an A4 page, in CSS pixels.
const PAPER_WIDTH = 690, PAPER_HEIGHT = 360;

// Accuracy, scores of each class and the confusion matrix.

function showScores() {
    byId("scores-list").append(...content.scores.flatMap(scoreParts));
}

function scoreParts(score) {
    const {name, rows, right, unit, unknown, matrix} = score;
    if (score.told) {
        return [element("p", {}, element("strong", {}, `${name}: `), score.told)];
    }
    const of = unit === "rows" ? "" : "the weight of ";
    const parts = [element("p", {},
        element("strong", {}, `${name}: `),
        `${(100 * right).toFixed(2)}% of ${of}${counted(rows, "row")} correct.` +
        (unknown ? ` ${counted(unknown, "row")} with a label that the tree does not predict.` : ""))];
    if (score.by_leaf && isLikeTraining(score)) {
        parts.push(element("p", {class: "hint"},
            "The counts are the same as for the training rows, so these are probably " +
            "the training rows."));
    }
    if (matrix) {
        parts.push(
            element("div", {class: "scroll"}, classTable(score)),
            element("div", {class: "scroll"}, matrixTable(name, unit, matrix)));
    }
    return parts;
}

const isLikeTraining = ({matrix, rows}) => matrix !== null && rows === content.scores[0].rows &&
    JSON.stringify(matrix) === JSON.stringify(content.scores[0].matrix);

const shownOr = (number, show) => number === null ? "\u2013" : show(number);

function classTable({name, unit, classes}) {
    const heads = ["class", unit, "recall", "precision", "AUC"];
    const body = classes.map(({weight, recall, precision, auc}, code) =>
        element("tr", {},
            element("th", {scope: "row"}, swatch(code), content.labels[code]),
            element("td", {}, count(weight)),
            element("td", {}, shownOr(recall, percent)),
            element("td", {}, shownOr(precision, percent)),
            element("td", {}, shownOr(auc, (area) => area.toFixed(3)))));
    return element("table", {},
        element("caption", {}, `${name}: scores of each class against the others`),
        element("thead", {}, element("tr", {},
            ...heads.map((head) => element("th", {scope: "col"}, head)))),
        element("tbody", {}, ...body));
}

function matrixTable(name, unit, matrix) {
    const head = content.labels.map((label, code) =>
        element("th", {scope: "col"}, swatch(code), label));
    const body = matrix.map((row, code) => {
        const total = row.reduce((sum, number) => sum + number, 0);
        return element("tr", {},
            element("th", {scope: "row"}, swatch(code), content.labels[code]),
            ...row.map((number, other) => other === code
                ? element("td", {class: "right"}, count(number))
                : element("td", {}, count(number))),
            element("td", {}, total ? percent(row[code] / total) : "\u2013"));
    });
    return element("table", {},
        element("caption", {}, `${name}: true label by prediction, in ${unit}`),
        element("thead", {}, element("tr", {},
            element("th", {scope: "col"}, "true \\ predicted"), ...head,
            element("th", {scope: "col"}, "correct"))),
        element("tbody", {}, ...body));
}

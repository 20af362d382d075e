byId("summary").append(...content.summary.map(([name, value]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value))));
byId("proof-text").append(...content.proof.map((line) => element("p", {}, line)));
showScores();
showFrontier();
showSearch();
showRules();
showWhatIf(new Drawing(showDetails));

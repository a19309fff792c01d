// What every seed finds in the same experiment: a mark per seed, and a ring around the reader's.

// Probability that two of them find the same, from how many found each: R2.
function replibAgreement(counts) {
  const n = counts.reduce((a, b) => a + b);
  return counts.reduce((sum, k) => sum + k * (k - 1), 0) / (n * (n - 1));
}

function replibReruns(box, decisions) {
  const RED = "var(--replib-red, #c84a00)",
    BLUE = "var(--replib-blue, #0072b2)",
    GREY = "var(--replib-grey, #777d86)";
  const KINDS = {
    "+": [
      "naive Bayes better",
      (x, y) =>
        `<rect x="${x - 3.4}" y="${y - 3.4}" width="6.8" height="6.8" style="fill:${BLUE}"/>`,
    ],
    ".": [
      "no significant difference",
      (x, y) => `<circle cx="${x}" cy="${y}" r="1.5" style="fill:${GREY}"/>`,
    ],
    "-": [
      "tree better",
      (x, y) => `<path d="M${x} ${y - 4.5}l4.5 4.5l-4.5 4.5l-4.5 -4.5Z" style="fill:${RED}"/>`,
    ],
  };
  replibLive(box, (form, svg) => {
    const seed = +form.elements.seed.value,
      runs = +form.elements.runs.value,
      found = decisions[runs - 1];
    replibOutputs(form, { runs });
    const down = 240 / Math.ceil(found.length / 40),
      at = (i) => [15 + 10 * (i % 40), 10 + down * Math.floor(i / 40)];
    const parts = [...found].map((kind, i) => KINDS[kind][1](...at(i)));
    const counts = Object.keys(KINDS).map((kind) => found.split(kind).length - 1);
    parts.push(
      `<circle cx="${at(seed - 1)[0]}" cy="${at(seed - 1)[1]}" r="8" style="fill:none;` +
        `stroke:currentColor;stroke-width:2.5"/>`,
    );
    Object.values(KINDS).forEach(([words, mark], i) =>
      parts.push(
        mark([10, 150, 325][i], 272),
        `<text x="${[20, 158, 335][i]}" y="276" style="fill:currentColor">${words}</text>`,
      ),
    );
    svg.innerHTML = parts.join("");
    return (
      `After ${runs} ${runs > 1 ? "runs" : "run"}, seed ${seed} (ringed) says: ` +
      `${KINDS[found[seed - 1]][0]}. Of all ${found.length} seeds, ` +
      `${counts[0]} find naive Bayes significantly better, ${counts[2]} the tree, and ` +
      `${counts[1]} neither. ` +
      `Two seeds agree with probability ${replibAgreement(counts).toFixed(2)}.`
    );
  });
}

// What 200 people find who run the same experiment with their own seeds, as one mark per person.

// Probability that two of them find the same, from how many found each: R2.
function replibAgreement(counts) {
  const n = counts.reduce((a, b) => a + b);
  return counts.reduce((sum, k) => sum + k * (k - 1), 0) / (n * (n - 1));
}

function replibReruns(box, sets) {
  const RED = "var(--replib-red, #c84a00)", BLUE = "var(--replib-blue, #0072b2)", GREY = "var(--replib-grey, #777d86)";
  const shapes = [
    (x, y) => `<rect x="${x - 5}" y="${y - 5}" width="10" height="10" style="fill:${BLUE}"/>`,
    (x, y) => `<circle cx="${x}" cy="${y}" r="5" style="fill:none;stroke:${GREY};stroke-width:1.4"/>`,
    (x, y) => `<path d="M${x} ${y - 7}l7 7l-7 7l-7 -7Z" style="fill:${RED}"/>`,
  ];
  replibLive(box, (form, svg) => {
    const set = sets[+form.elements.place.value], runs = +form.elements.runs.value;
    const counts = set.counts[runs - 1], parts = [];
    replibOutputs(form, { runs });
    let place = 0;
    counts.forEach((count, kind) => {
      for (let k = 0; k < count; k++, place++) {
        parts.push(shapes[kind](25 + 20 * (place % 20), 16 + 23 * Math.floor(place / 20)));
      }
    });
    const [a, b] = set.learners;
    [a + " better", "neither", b + " better"].forEach((words, kind) => {
      const x = [18, 178, 258][kind];
      parts.push(shapes[kind](x, 264),
        `<text x="${x + 11}" y="268" style="fill:currentColor">${words}</text>`);
    });
    svg.innerHTML = parts.join("");
    const all = counts.reduce((a, b) => a + b);
    return `Of ${all} people, ${counts[0]} find ${a} significantly better, ${counts[2]} find ${b} better, and `
      + `${counts[1]} find no significant difference. Two of them agree with probability ${replibAgreement(counts).toFixed(2)}.`;
  });
}

// Of a hundred experiments in which there is nothing to find: how many find something, by design.
function replibFalseDiscoveries(box, designs) {
  const RED = "var(--replib-red, #c84a00)",
    GREY = "var(--replib-grey, #777d86)";
  replibLive(box, (form, svg, bet) => {
    const it = designs[+form.elements.design.value];
    const found = Math.round(it.type_1),
      parts = [];
    for (let i = 0; i < 100; i++) {
      const x = 60 + 34 * (i % 10),
        y = 24 + 25 * Math.floor(i / 10);
      parts.push(
        i < found
          ? `<path d="M${x - 6} ${y - 6}l12 12m0 -12l-12 12" style="stroke:${RED};` +
              `stroke-width:3.5;fill:none"/>`
          : `<circle cx="${x}" cy="${y}" r="5.5" style="fill:none;stroke:${GREY};` +
              `stroke-width:1.3"/>`,
      );
    }
    if (bet !== null) parts.push(replibBetOnCrosses(bet));
    svg.innerHTML = parts.join("");
    return (
      `Of 100 experiments in which there is nothing to find, ${found} find something. The level ` +
      `allows 5. (Exactly, it is ${it.type_1.toFixed(1)}%, with a standard deviation between ` +
      `networks of ${it.type_1_deviation.toFixed(1)}.) ` +
      `Power ${it.power.toFixed(0)}%, ` +
      `normalised replicability ${it.replicability_normalized.toFixed(0)}%, ${it.trainings} ` +
      `trainings of each learner.`
    );
  });
}

// A line after as many of the hundred experiments as the reader bet on.
function replibBetOnCrosses(bet) {
  const row = Math.floor(bet / 10),
    x = 43 + 34 * (bet % 10),
    y = 11.5 + 25 * row;
  return (
    `<path d="M43 ${y + 25}H${x}V${y}H383" style="fill:none;stroke:currentColor;` +
    `stroke-width:2;stroke-dasharray:1 4"/>` +
    `<text x="388" y="${Math.min(y + 4, 250)}" style="fill:currentColor">bet</text>`
  );
}

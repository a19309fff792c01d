// Of a hundred experiments in which there is nothing to find: how many find something, by design.
function replibFalseDiscoveries(box, designs) {
  const RED = "var(--replib-red, #c84a00)",
    GREY = "var(--replib-grey, #777d86)";
  replibLive(box, (form, svg) => {
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
    svg.innerHTML = parts.join("");
    return (
      `Of 100 experiments in which there is nothing to find, ${found} find something` +
      ` (${it.type_1.toFixed(1)} ± ${it.type_1_deviation.toFixed(1)} %; the level allows 5). ` +
      `Power ${it.power.toFixed(0)} %, ` +
      `normalised replicability ${it.replicability_normalized.toFixed(0)} %, ${it.trainings} ` +
      `trainings of each learner.`
    );
  });
}

// What each seed predicts about a rerun, and how often reruns really agree, against its p-value.
function replibBeliefs(box, looks) {
  const RED = "var(--replib-red, #c84a00)",
    BLUE = "var(--replib-blue, #0072b2)",
    LOW = 0.002,
    HIGH = 1;
  replibLive(box, (form, svg) => {
    const { runs, p, predicted, counted } = looks[+form.elements.look.value],
      alpha = +form.dataset.alpha;
    const seed = +form.elements.seed.value,
      at = (i) => Math.max(LOW, p[i] / 1000);
    replibOutputs(form, { look: runs });
    const ticks = [0.002, 0.01, 0.05, 0.2, 1].map((v) => [v, String(v)]),
      mine = counted[at(seed - 1) < alpha ? 1 : 0];
    const plot = replibPlot(svg, {
      low: LOW,
      high: HIGH,
      log: true,
      ticks,
      label: "p-value of the experiment, logarithmic",
    });
    p.forEach((_, i) => {
      if (i % 3 === 0) plot.mark(at(i), predicted[i] / 100, BLUE, 2, "opacity:.45");
    });
    [
      [LOW, alpha, 1],
      [alpha, HIGH, 0],
    ].forEach(([from, to, which]) => {
      if (which in counted)
        plot.curve(
          [
            [from, counted[which]],
            [to, counted[which]],
          ],
          `stroke:${RED};stroke-width:3`,
        );
    });
    plot.guide(alpha);
    plot.mark(
      at(seed - 1),
      predicted[seed - 1] / 100,
      "none",
      8,
      "stroke:currentColor;stroke-width:2.5",
    );
    plot.words(
      0.0022,
      0.1,
      "a rerun agrees (%), as predicted by each seed",
      `text-anchor:start;fill:${BLUE}`,
    );
    plot.words(0.0022, 0.03, "as counted among all seeds", `text-anchor:start;fill:${RED}`);
    plot.draw();
    return (
      `After ${runs} runs seed ${seed} has p = ${at(seed - 1).toPrecision(2)} and predicts that ` +
      `a rerun agrees with probability ` +
      `${(predicted[seed - 1] / 100).toFixed(2)}. In truth, ${(100 * mine).toFixed(0)}% of the ` +
      `other seeds do.`
    );
  });
}

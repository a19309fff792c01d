// Power and replicability of a design over the difference; the mathematics is in designs.js.
function replibExplorer(designs, box, constants) {
  const LISTS = {
    folds: [2, 5, 10, 20],
    samples: [5, 10, 20, 30, 50, 100, 200, 500],
    runs: [1, 2, 3, 5, 10, 20, 50, 100],
    size: [100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6],
  };
  const POINTS = 200;
  const RED = "var(--replib-red, #c84a00)",
    BLUE = "var(--replib-blue, #0072b2)";
  const percent = (x, digits) => (100 * x).toFixed(digits) + "%";
  const normalised = (r) => 2 * r - 1;

  function settings(form) {
    const values = { kind: form.elements.kind.value };
    for (const input of form.querySelectorAll("input")) {
      const list = LISTS[input.name];
      values[input.name] = list ? list[+input.value] : +input.value;
    }
    return values;
  }

  replibLive(box, (form, svg) => {
    const now = settings(form),
      mcnemar = now.kind === "mcnemar";
    for (const label of form.querySelectorAll("[data-for]")) {
      label.hidden = !label.dataset.for.split(" ").includes(now.kind);
    }
    // the difference in units of its standard error on the whole data set, without draws for half
    const shiftOf = (d) => Math.sqrt(now.size / (mcnemar ? 0.5 : 0.5 - d * d)) * d;
    const reach = 7 / (mcnemar ? Math.sqrt(now.testFraction) : 1);
    const most = Math.min(0.5, reach * Math.sqrt(0.5 / now.size));
    const at = designs.profile(now, now.alpha, constants, shiftOf(most) + 0.1);
    const curve = [];
    for (let i = 0; i <= POINTS; i++) {
      const difference = (most * i) / POINTS;
      curve.push({ difference, ...at(shiftOf(difference)) });
    }
    const difference = now.difference * most,
      here = at(shiftOf(difference));
    const lowest = curve.reduce((a, b) => (b.replicability < a.replicability ? b : a));
    replibOutputs(form, {
      testFraction: percent(now.testFraction, 0),
      folds: now.folds,
      samples: now.samples,
      runs: now.runs,
      alpha: now.alpha.toFixed(3).replace(/0$/, ""),
      size: now.size.toLocaleString("en"),
      difference: (100 * difference).toPrecision(3) + " points",
    });
    const unit = 10 ** Math.floor(Math.log10((100 * most) / 2));
    const tick = [1, 2, 5, 10].map((k) => k * unit).find((k) => (100 * most) / k <= 6);
    const ticks = [];
    for (let v = 0; v <= 100 * most + 1e-9; v += tick) ticks.push([v / 100, +v.toPrecision(6)]);
    const plot = replibPlot(svg, {
      high: most,
      ticks,
      label: "difference in accuracy (percentage points)",
    });
    plot.guide(difference);
    for (const [row, value, colour, style, words] of [
      [0.12, (c) => c.power, RED, "stroke-width:2;stroke-dasharray:6 3", "power (%)"],
      [
        0.05,
        (c) => normalised(c.replicability),
        BLUE,
        "stroke-width:3",
        "replicability, normalised (%)",
      ],
    ]) {
      plot.curve(
        curve.map((c) => [c.difference, value(c)]),
        `stroke:${colour};${style}`,
      );
      plot.mark(difference, value(here), colour);
      plot.words(most, row, words, `text-anchor:end;fill:${colour}`);
    }
    plot.draw();
    return (
      `Power ${percent(here.power, 1)}. Replicability ${here.replicability.toFixed(3)}, ` +
      `normalised ${percent(normalised(here.replicability), 1)}. ` +
      `It is lowest at a difference of ${(100 * lowest.difference).toPrecision(2)} points: ` +
      `${percent(normalised(lowest.replicability), 1)}, normalised. ` +
      `Each learner is trained ${designs.trainings(now)} ×.`
    );
  });
}

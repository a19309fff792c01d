// The p-value of a corrected t, which was computed with 1/9, at other odds.
function replibAtOdds(statistics, t, n, odds) {
  const corrected = Math.abs(t) * Math.sqrt((1 / n + 1 / 9) / (1 / n + odds));
  return 2 * statistics.student(-corrected, n - 1);
}

function replibOdds(statistics, box, pairs) {
  replibLive(box, (form, svg) => {
    const runs = +form.elements.runs.value,
      t = +form.elements.t.value,
      pair = pairs[+form.elements.pair.value];
    const p = (odds) => replibAtOdds(statistics, t, 10 * runs, odds);
    replibOutputs(form, { t: t.toFixed(2) });
    const ticks = [0, 0.1, 0.2, 0.3, 0.4].map((v) => [v, v.toFixed(1)]);
    const plot = replibPlot(svg, {
      high: 0.4,
      ticks,
      label: "odds of the correlation; y: p-value (%)",
    });
    const points = Array.from({ length: 81 }, (_, i) => [i / 200, p(i / 200)]);
    const [low, middle, high] = pair[runs].map((v) => Math.min(v, 0.4)),
      within = points.filter(([v]) => v >= low && v <= high);
    plot.band(
      within.map(([v]) => [v, 0]),
      within,
      "fill:var(--replib-blue, #0072b2);opacity:.2",
    );
    plot.curve(points, "stroke:var(--replib-blue, #0072b2);stroke-width:3");
    plot.guide(1 / 9);
    plot.mark(middle, p(middle), "var(--replib-blue, #0072b2)");
    plot.draw();
    return (
      `With 1/9, p = ${p(1 / 9).toFixed(3)}. With odds from ${low.toFixed(2)} to ` +
      `${high.toFixed(2)}, as in 90% of populations for ` +
      `${pair.title}, p = ${p(low).toFixed(3)} to ${p(high).toFixed(3)}.`
    );
  });
}

// From a p-value to the probability of a significant result of the same direction on new data.

// Point and 95% limits: the effect is taken to be the observed one, or the limits of its interval.
function replibAgain(designs, p, alpha) {
  const z = designs.quantile(p, Infinity),
    critical = designs.quantile(alpha, Infinity);
  const half = designs.quantile(0.05, Infinity);
  return [z, z - half, z + half].map((effect) => designs.normalTail(critical - effect));
}

function replibAgainExplorer(designs, box) {
  const LOW = 1e-4,
    HIGH = 0.5,
    POINTS = 120;
  const BLUE = "var(--replib-blue, #0072b2)";
  const at = (share) => HIGH * (LOW / HIGH) ** share;
  replibLive(box, (form, svg, bet) => {
    const alpha = +form.elements.alpha.value,
      p = at(+form.elements.p.value);
    const [point, low, high] = replibAgain(designs, p, alpha);
    replibOutputs(form, { p: p.toPrecision(2), alpha: alpha.toFixed(3).replace(/0$/, "") });
    const ticks = [0.0001, 0.001, 0.01, 0.05, 0.5].map((v) => [v, String(v)]);
    const plot = replibPlot(svg, {
      low: HIGH,
      high: LOW,
      log: true,
      ticks,
      label: "p-value of the first experiment, logarithmic",
    });
    const curve = Array.from({ length: POINTS + 1 }, (_, i) => at(i / POINTS)).map((v) => [
      v,
      replibAgain(designs, v, alpha),
    ]);
    plot.band(
      curve.map(([v, c]) => [v, c[1]]),
      curve.map(([v, c]) => [v, c[2]]),
      `fill:${BLUE};opacity:.15`,
    );
    plot.curve(
      curve.map(([v, c]) => [v, c[0]]),
      `stroke:${BLUE};stroke-width:3`,
    );
    plot.guide(p);
    if (bet !== null) plot.bet(bet / 100);
    plot.mark(p, point, BLUE);
    plot.words(
      at(0.03),
      0.94,
      "significant again (%), with 95% limits",
      `text-anchor:start;fill:${BLUE}`,
    );
    plot.draw();
    return (
      `p = ${p.toPrecision(2)}: significant again, in the same direction, with probability ` +
      `${point.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)}).`
    );
  });
}

// Replicability over power of McNemar's test in the limit of large data sets.

// Power and normalised replicability along growing differences, from the level to near certainty.
function replibOverPower(designs, testFraction, alpha) {
  const most = 7 / Math.sqrt(testFraction),
    curve = [];
  const at = designs.profile({ kind: "mcnemar", testFraction }, alpha, null, most);
  for (let i = 0; i <= 400; i++) {
    const { power, replicability } = at((most * i) / 400);
    curve.push([power, 2 * replicability - 1]);
  }
  return curve;
}

// The second value of a curve where the first, which rises, is `power`.
function replibInterpolated(curve, power) {
  const next = Math.max(
    1,
    curve.findIndex(([p]) => p >= power),
  );
  const [[p0, r0], [p1, r1]] = [curve[next - 1], curve[next]];
  return r0 + ((r1 - r0) * (power - p0)) / (p1 - p0);
}

function replibOverPowerExplorer(designs, box) {
  const BLUE = "var(--replib-blue, #0072b2)",
    GREY = "var(--replib-grey, #777d86)";
  const percent = (x, digits) => (100 * x).toFixed(digits) + "%";
  replibLive(box, (form, svg) => {
    const alpha = +form.dataset.alpha,
      share = +form.elements.testFraction.value;
    const curve = replibOverPower(designs, share, alpha);
    // the slider goes from the level to 99 % in steps of its own
    const power = alpha + (0.99 - alpha) * +form.elements.power.value;
    const here = replibInterpolated(curve, power),
      apart = (2 * power - 1) ** 2;
    replibOutputs(form, { testFraction: percent(share, 0), power: percent(power, 0) });
    const ticks = [0, 0.25, 0.5, 0.75, 1].map((v) => [v, 100 * v]);
    const plot = replibPlot(svg, { high: 1, ticks, label: "power (%)" });
    const without = Array.from({ length: 101 }, (_, i) => [i / 100, ((2 * i) / 100 - 1) ** 2]);
    plot.curve(without, `stroke:${GREY};stroke-width:1.5;stroke-dasharray:4 3`);
    plot.curve(curve, `stroke:${BLUE};stroke-width:3`);
    plot.guide(power);
    plot.mark(power, apart, GREY);
    plot.mark(power, here, BLUE);
    plot.words(0.5, 0.93, "replicability, normalised (%)", `text-anchor:middle;fill:${BLUE}`);
    plot.words(0.5, 0.86, "of independent data", `text-anchor:middle;fill:${GREY}`);
    plot.draw();
    return (
      `Power ${percent(power, 0)}, ${percent(share, 0)} of the data for testing: ` +
      `the normalised replicability is ${percent(here, 1)}. On independent data it would be ` +
      `${percent(apart, 1)}. ` +
      `Worst case, at power one half: ${percent(replibInterpolated(curve, 0.5), 1)}.`
    );
  });
}

// Replicability of McNemar's test over the difference in accuracy, for any size of the data set.

// Differences and normalised replicabilities, where half of the instances tell classifiers apart.
function replibValley(designs, size, testFraction, alpha) {
  const LOW = 1e-4,
    HIGH = 0.5, // more would need more instances that tell the classifiers apart
    most = 9 / Math.sqrt(testFraction);
  const at = designs.profile({ kind: "mcnemar", testFraction }, alpha, null, most);
  return Array.from({ length: 241 }, (_, i) => LOW * (HIGH / LOW) ** (i / 240)).map(
    (difference) => {
      const { replicability } = at(Math.min(most, difference * Math.sqrt(size / 0.5)));
      return [difference, 2 * replicability - 1];
    },
  );
}

function replibMoreData(designs, box) {
  const BLUE = "var(--replib-blue, #0072b2)",
    GREY = "var(--replib-grey, #777d86)";
  replibLive(box, (form, svg, bet) => {
    const alpha = +form.dataset.alpha,
      share = +form.elements.testFraction.value;
    const size = Number((10 ** +form.elements.size.value).toPrecision(2));
    const curve = replibValley(designs, size, share, alpha);
    const before = replibValley(designs, 100, share, alpha);
    const [where, depth] = curve.reduce((a, b) => (b[1] < a[1] ? b : a));
    replibOutputs(form, {
      size: size.toLocaleString("en"),
      testFraction: (100 * share).toFixed(0) + "%",
    });
    const ticks = [0.0001, 0.001, 0.01, 0.1, 0.5].map((v) => [v, String(100 * v)]);
    const plot = replibPlot(svg, {
      low: 1e-4,
      high: 0.5,
      log: true,
      ticks,
      label: "difference in accuracy (percentage points), logarithmic",
    });
    plot.curve(before, `stroke:${GREY};stroke-width:1.5;stroke-dasharray:4 3`);
    plot.curve(curve, `stroke:${BLUE};stroke-width:3`);
    plot.mark(where, depth, BLUE);
    // the bet is a share of pairs that agree, of which two coins have one half
    if (bet !== null) plot.bet(2 * (bet / 100) - 1);
    plot.words(1.2e-4, 0.12, "replicability, normalised (%)", `text-anchor:start;fill:${BLUE}`);
    plot.words(1.2e-4, 0.05, "with 100 instances", `text-anchor:start;fill:${GREY}`);
    plot.draw();
    return (
      `${size.toLocaleString("en")} instances, ${(100 * share).toFixed(0)}% of them for ` +
      `testing: normalised replicability is lowest at a difference of ` +
      `${(100 * where).toPrecision(2)} percentage points. There it is ` +
      `${(100 * depth).toFixed(0)}%.`
    );
  });
}

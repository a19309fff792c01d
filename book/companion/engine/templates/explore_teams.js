// How often two teams with a few seeds agree: companion.studies.teams_with_seeds.forecast again.

// A function of the true difference; item, seed and mixed are variances of one item and seed.
function replibTeamForecast(statistics, { item, seed, mixed }, runs, items, alpha) {
  const { gammaP, normal, normalQuantile, root, studentQuantile } = statistics;
  const SQUARES = 10,
    LUCK = 24,
    middles = (n) => Array.from({ length: n }, (_, i) => (i + 0.5) / n);
  const df = runs - 1,
    ofItems = item / items,
    crossed = mixed / runs / items;
  const ofSeeds = seed / runs + crossed,
    spread = Math.sqrt(ofSeeds),
    borders = [];
  const luck = middles(LUCK).map((share) => Math.sqrt(ofItems) * normalQuantile(share));
  const ofModel = middles(SQUARES).map(
    (share) => (ofSeeds / 2) * root((x) => gammaP(df / 2, (x * df) / 2) - share, 0, 40),
  );
  ofModel.forEach((a, i) =>
    ofModel.slice(0, i + 1).forEach((b, j) => {
      // either order is the same
      const square = a + b,
        welch = (df * square ** 2) / (a ** 2 + b ** 2);
      const inflated = (1 + 2 / welch ** 2) * square;
      const total = Math.max(ofItems + crossed, ofItems + inflated);
      const itsDf =
        1 / ((inflated / total) ** 2 / welch + ((ofItems + crossed) / total) ** 2 / (items - 1));
      borders.push([
        studentQuantile(1 - alpha / 2, itsDf) * Math.sqrt(ofItems + Math.max(crossed, square)),
        (i === j ? 1 : 2) / SQUARES ** 2,
      ]);
    }),
  );
  const beyond = (distance) => (distance > 8 ? 0 : distance < -8 ? 1 : normal(-distance));
  return (difference) => {
    const means = [0, 0, 0];
    let sameItems = 0;
    for (const chance of luck) {
      let a = 0,
        b = 0;
      for (const [border, weight] of borders) {
        a += weight * beyond((border - difference - chance) / spread);
        b += weight * beyond((border + difference + chance) / spread);
      }
      [a, b, 1 - a - b].forEach((p, k) => {
        means[k] += p / LUCK;
        sameItems += (p * p) / LUCK;
      });
    }
    return {
      significant: means[0] + means[1],
      sameItems,
      newItems: means.reduce((sum, p) => sum + p * p, 0),
    };
  };
}

function replibTeams(statistics, box, pairs) {
  const LOW = 0.001,
    HIGH = 0.1,
    BLUE = "var(--replib-blue, #0072b2)",
    RED = "var(--replib-red, #c84a00)";
  replibLive(box, (form, svg) => {
    const pair = pairs[+form.elements.pair.value],
      seeds = +form.elements.seeds.value;
    const items = Number((10 ** +form.elements.items.value).toPrecision(2));
    const at = replibTeamForecast(statistics, pair, seeds, items, +form.dataset.alpha);
    replibOutputs(form, { seeds, items: items.toLocaleString("en") });
    const ticks = [0.001, 0.003, 0.01, 0.03, 0.1].map((v) => [
      v,
      String(Number((100 * v).toPrecision(1))),
    ]);
    const plot = replibPlot(svg, {
      low: LOW,
      high: HIGH,
      log: true,
      ticks,
      label: "true difference (percentage points), logarithmic",
    });
    const curve = Array.from({ length: 61 }, (_, i) => LOW * (HIGH / LOW) ** (i / 60)).map((v) => [
      v,
      at(v),
    ]);
    plot.curve(
      curve.map(([v, c]) => [v, c.newItems]),
      `stroke:${RED};stroke-width:2;stroke-dasharray:6 4`,
    );
    plot.curve(
      curve.map(([v, c]) => [v, c.sameItems]),
      `stroke:${BLUE};stroke-width:3`,
    );
    const here = Math.max(LOW, Math.abs(pair.difference)),
      now = at(here);
    plot.guide(here);
    plot.mark(here, now.sameItems, BLUE);
    plot.words(0.0011, 0.17, "two teams agree (%)", "text-anchor:start");
    plot.words(0.0011, 0.1, "on the same test set", `text-anchor:start;fill:${BLUE}`);
    plot.words(0.0011, 0.03, "each on its own (dashed)", `text-anchor:start;fill:${RED}`);
    plot.draw();
    const parts = [pair.item / items, pair.seed / seeds, pair.mixed / seeds / items];
    const total = parts.reduce((a, b) => a + b);
    const [item, seed, mixed] = parts.map((part) => ((100 * part) / total).toFixed(0) + "%");
    return (
      `${seeds} seeds, ${items.toLocaleString("en")} items: the standard error is ` +
      `${(100 * Math.sqrt(total)).toPrecision(2)} points ` +
      `(variance: items ${item}, seeds ${seed}, seed × item ${mixed}). At the difference of ` +
      `these networks, ` +
      `${(100 * Math.abs(pair.difference)).toPrecision(2)} points, a team finds a significant ` +
      `difference with probability ${now.significant.toFixed(2)}. Two teams with the same test ` +
      `set agree with probability ${now.sameItems.toFixed(2)}. With a new test set for each, ` +
      `they agree with probability ${now.newItems.toFixed(2)}.`
    );
  });
}

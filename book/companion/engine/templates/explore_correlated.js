// Type I error of two t tests on n differences of which any two have the same correlation.

// The test takes Var(mean)/s² to be 1/n + extra; it is 1/n + rho/(1 - rho).
function replibTypeI(statistics, n, rho, extra, alpha) {
  const claimed = 1 / n + extra,
    correct = 1 / n + rho / (1 - rho);
  const critical = statistics.studentQuantile(1 - alpha / 2, n - 1);
  return 2 * (1 - statistics.student(critical * Math.sqrt(claimed / correct), n - 1));
}

function replibCorrelated(statistics, box) {
  const RED = "var(--replib-red, #c84a00)",
    BLUE = "var(--replib-blue, #0072b2)",
    GREY = "var(--replib-grey, #777d86)";
  const NUMBERS = [2, 5, 10, 20, 50, 100, 200, 500, 1000];
  const grid = Array.from({ length: 41 }, (_, i) => Math.round(2 * 500 ** (i / 40)));
  const percent = (x) => (100 * x).toFixed(1) + "%";
  replibLive(box, (form, svg, bet) => {
    const alpha = +form.dataset.alpha,
      rho = +form.elements.rho.value,
      n = NUMBERS[+form.elements.n.value];
    const error = (k, extra) => replibTypeI(statistics, k, rho, extra, alpha);
    replibOutputs(form, { rho: rho.toFixed(2), n });
    const ticks = [2, 5, 10, 20, 50, 100, 300, 1000].map((v) => [v, String(v)]);
    const plot = replibPlot(svg, {
      low: 2,
      high: 1000,
      log: true,
      ticks,
      label: "number of differences, logarithmic",
    });
    plot.curve(
      [
        [2, alpha],
        [1000, alpha],
      ],
      `stroke:${GREY};stroke-width:1.5;stroke-dasharray:4 3`,
    );
    for (const [extra, colour, style, row, words] of [
      [0, RED, "stroke-width:3;stroke-dasharray:6 3", 0.94, "Type I error of the plain t test (%)"],
      [1 / 9, BLUE, "stroke-width:3", 0.86, "of the corrected t test, for ten folds"],
    ]) {
      plot.curve(
        grid.map((k) => [k, error(k, extra)]),
        `stroke:${colour};${style}`,
      );
      plot.mark(n, error(n, extra), colour);
      plot.words(2.2, row, words, `text-anchor:start;fill:${colour}`);
    }
    plot.guide(n);
    if (bet !== null) {
      plot.upright(n / (1 + (n - 1) * rho), `worth ${(n / (1 + (n - 1) * rho)).toFixed(0)}`, 0.78);
      plot.upright(Math.max(bet, 2), "your bet", 0.7);
    }
    plot.draw();
    return (
      `${n} differences with correlation ${rho.toFixed(2)}, and nothing to find: the plain t ` +
      `test rejects in ${percent(error(n, 0))} of experiments. The corrected t test rejects in ` +
      `${percent(error(n, 1 / 9))}. Their level allows ${percent(alpha)}.`
    );
  });
}

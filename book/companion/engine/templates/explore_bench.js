// Every method on the bench: replicability against Type I error, by size and by null hypothesis.
function replibBench(box, bench, alpha) {
  const RED = "var(--replib-red, #c84a00)",
    BLUE = "var(--replib-blue, #0072b2)";
  const LEAST = 0.5,
    MOST = 80;
  const inside = (v) => Math.min(MOST, Math.max(LEAST, v));
  replibLive(box, (form, svg) => {
    const place = +form.elements.size.value,
      size = bench.sizes[place].toLocaleString("en");
    const nulls = +form.elements.nulls.value,
      chosen = +form.elements.method.value;
    replibOutputs(form, { size });
    const ticks = [1, 2, 5, 10, 20, 50].map((v) => [v, String(v)]);
    const plot = replibPlot(svg, {
      low: LEAST,
      high: MOST,
      log: true,
      ticks,
      label: "Type I error (%), logarithmic",
    });
    plot.guide(100 * alpha);
    const draw = (it, isChosen) => {
      const error = it.type_1[nulls][place],
        again = it.replicability[place];
      if (error === null || again === null) return;
      const radius = 3 + 2.4 * Math.log10(it.trainings);
      const colour =
        it.method === "corrected_t_all"
          ? "var(--replib-green, #00805e)"
          : error <= 150 * alpha
            ? BLUE
            : RED;
      plot.mark(
        inside(error),
        again / 100,
        error <= 150 * alpha ? colour : "none",
        radius,
        `stroke:${colour};stroke-width:2.5;opacity:${isChosen ? 1 : 0.45}`,
      );
      if (!isChosen) return;
      plot.title(inside(error), again / 100, it.title);
    };
    bench.methods.forEach((it, i) => {
      if (i !== chosen) draw(it, false);
    });
    draw(bench.methods[chosen], true);
    plot.words(
      LEAST * 1.08,
      0.02,
      "replicability (%), normalised",
      "text-anchor:start;fill:currentColor",
    );
    plot.draw();
    const it = bench.methods[chosen],
      error = it.type_1[nulls][place];
    const known = (value, words) => (value === null ? "" : `${words} ${value.toFixed(1)}%`);
    const rest = [
      known(it.power[place], "power"),
      known(it.replicability[place], "normalised replicability"),
    ]
      .filter(Boolean)
      .join(", ");
    return (
      `${it.title[0].toUpperCase()}${it.title.slice(1)}, ${size} instances: ` +
      (error === null
        ? "not measured here"
        : `finds a difference in ${error.toFixed(1)}% of experiments in which the learners are ` +
          `equal`) +
      `. ${rest ? rest[0].toUpperCase() + rest.slice(1) + ". " : ""}${it.trainings} ` +
      `training${it.trainings > 1 ? "s" : ""} of each learner.`
    );
  });
}

// One experiment run by run: how certain its forecast is, and where it may stop.

// First run from `least` on after which the forecast is certain enough; courses are complete.
function replibStop(confidence, wanted, least) {
  return confidence.findIndex((c, i) => i + 1 >= least && c >= wanted) + 1;
}

function replibStopping(box, { courses, least, words }) {
  const BLUE = "var(--replib-blue, #0072b2)",
    RED = "var(--replib-red, #c84a00)",
    GREY = "var(--replib-grey, #777d86)";
  const runs = courses[0].confidence.length;
  const curve = (course) => course.confidence.map((c, i) => [i + 1, c]).slice(least - 1);
  replibLive(box, (form, svg) => {
    const number = +form.elements.experiment.value,
      wanted = +form.elements.wanted.value;
    const stops = courses.map((one) => replibStop(one.confidence, wanted, least));
    const decidesAsAll = courses.map(
      (one, i) => one.forecast[stops[i] - 1] === one.forecast[runs - 1],
    );
    const same = decidesAsAll.filter(Boolean).length;
    const mean = stops.reduce((a, b) => a + b) / courses.length;
    const it = courses[number - 1],
      stop = stops[number - 1];
    replibOutputs(form, {
      experiment: `${number} of ${courses.length}`,
      wanted: (100 * wanted).toFixed(0) + "%",
    });
    const ticks = [least, 10, 20, 30, 40, 50].filter((v) => v <= runs).map((v) => [v, v]);
    const plot = replibPlot(svg, { low: least, high: runs, ticks, label: "runs so far" });
    plot.curve(
      [
        [least, wanted],
        [runs, wanted],
      ],
      `stroke:${GREY};stroke-width:1.5;stroke-dasharray:4 3`,
    );
    for (const one of courses)
      if (one !== it) plot.curve(curve(one), `stroke:${GREY};stroke-width:.7;opacity:.45`);
    plot.curve(curve(it), `stroke:${BLUE};stroke-width:3`);
    plot.guide(stop);
    courses.forEach((one, i) => {
      const place = [stops[i], one.confidence[stops[i] - 1]];
      const colour = one === it ? BLUE : GREY;
      if (decidesAsAll[i]) plot.mark(...place, colour, one === it ? 4.5 : 2.5);
      else plot.mark(...place, "none", 4.5, `stroke:${RED};stroke-width:2`);
    });
    plot.words(runs, 0.1, "certainty of the forecast (%)", `text-anchor:end;fill:${BLUE}`);
    plot.draw();
    return (
      `Seed ${number} stops after ${stop} runs and decides: ${words[1 + it.forecast[stop - 1]]}. ` +
      `All ${runs} runs decide: ${words[1 + it.forecast[runs - 1]]}. ` +
      `At ${(100 * wanted).toFixed(0)}%, these ${courses.length} seeds take ${mean.toFixed(1)} ` +
      `runs on average, ` +
      `and ${same} of them decide as all ${runs} runs would.`
    );
  });
}

// How probably a rerun decides the same, by how far the decision is from the border.
function replibRerun(statistics, margin, runs) {
  return statistics.student(margin / Math.SQRT2, runs - 1);
}

function replibMargin(statistics, box) {
  const BLUE = "var(--replib-blue, #0072b2)", GREY = "var(--replib-grey, #777d86)";
  const grid = Array.from({ length: 121 }, (_, i) => i / 20);
  const curve = (runs) => grid.map((v) => [v, replibRerun(statistics, v, runs)]);
  replibLive(box, (form, svg) => {
    const margin = +form.elements.margin.value, runs = +form.elements.runs.value;
    const here = replibRerun(statistics, margin, runs);
    replibOutputs(form, { margin: margin.toFixed(1), runs });
    const ticks = [0, 1, 2, 3, 4, 5, 6].map((v) => [v, v]);
    const plot = replibPlot(svg, { high: 6, ticks, label: "distance from the border (standard errors)" });
    plot.curve(curve(50), `stroke:${GREY};stroke-width:1.5;stroke-dasharray:4 3`);
    plot.curve(curve(runs), `stroke:${BLUE};stroke-width:3`);
    plot.guide(margin);
    plot.mark(margin, here, BLUE);
    plot.words(6, 0.12, "rerun decides the same (%)", `text-anchor:end;fill:${BLUE}`);
    plot.words(6, 0.05, "the same, with 50 runs", `text-anchor:end;fill:${GREY}`);
    plot.draw();
    return `${margin.toFixed(1)} standard errors from the border, seen in ${runs} runs: `
      + `a rerun decides the same with probability ${here.toFixed(2)}.`;
  });
}

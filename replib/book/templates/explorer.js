// The controls and the picture of the explorer; the mathematics is in designs.js.
function replibExplorer(designs, box, constants) {
  const LISTS = {
    folds: [2, 5, 10, 20], samples: [5, 10, 20, 30, 50, 100, 200, 500],
    runs: [1, 2, 3, 5, 10, 20, 50, 100],
    size: [100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6],
  };
  const LEFT = 40, RIGHT = 420, TOP = 12, BOTTOM = 236, POINTS = 200;
  const form = box.querySelector("form"), svg = box.querySelector("svg");
  const percent = (x, digits) => (100 * x).toFixed(digits) + " %";

  function settings() {
    const values = { kind: form.elements.kind.value };
    for (const input of form.querySelectorAll("input")) {
      const list = LISTS[input.name];
      values[input.name] = list ? list[+input.value] : +input.value;
    }
    return values;
  }

  function draw() {
    const now = settings(), mcnemar = now.kind === "mcnemar";
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
      const difference = most * i / POINTS;
      curve.push({ difference, ...at(shiftOf(difference)) });
    }
    const difference = now.difference * most, here = at(shiftOf(difference));
    const lowest = curve.reduce((a, b) => (b.replicability < a.replicability ? b : a));

    const outputs = {
      testFraction: percent(now.testFraction, 0), folds: now.folds, samples: now.samples,
      runs: now.runs, alpha: now.alpha.toFixed(3).replace(/0$/, ""),
      size: now.size.toLocaleString("en"), difference: (100 * difference).toPrecision(3) + " points",
    };
    for (const input of form.querySelectorAll("input")) {
      input.parentElement.querySelector("output").value = outputs[input.name];
      input.setAttribute("aria-valuetext", outputs[input.name]);
    }
    const normalised = (r) => 2 * r - 1;
    const reading = `Power ${percent(here.power, 1)}. Replicability ${here.replicability.toFixed(3)}, `
      + `normalised ${percent(normalised(here.replicability), 1)}. `
      + `Worst case ${percent(normalised(lowest.replicability), 1)} normalised, `
      + `at ${(100 * lowest.difference).toPrecision(2)} points. `
      + `Each learner is trained ${designs.trainings(now)}\u00a0×.`;
    box.querySelector(".reading").textContent = reading;
    svg.setAttribute("aria-label", "Power and normalised replicability over the difference. " + reading);
    picture(curve, most, difference, here);
  }

  function picture(curve, most, difference, here) {
    const x = (d) => LEFT + (RIGHT - LEFT) * d / most, y = (v) => BOTTOM - (BOTTOM - TOP) * v;
    const normalised = (c) => 2 * c.replicability - 1, power = (c) => c.power;
    const path = (value) => curve.map(
      (c, i) => `${i ? "L" : "M"}${x(c.difference).toFixed(1)} ${y(value(c)).toFixed(1)}`
    ).join("");
    const parts = [];
    const line = (x1, y1, x2, y2, style) => parts.push(
      `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" style="stroke:currentColor;${style}"/>`);
    const text = (at, up, words, style) => parts.push(
      `<text x="${at}" y="${up}" style="fill:currentColor;${style}">${words}</text>`);
    for (const v of [0, 0.25, 0.5, 0.75, 1]) {
      line(LEFT, y(v), RIGHT, y(v), "opacity:.15");
      text(LEFT - 5, y(v) + 4, 100 * v, "text-anchor:end");
    }
    const unit = 10 ** Math.floor(Math.log10(100 * most / 2));
    const tick = [1, 2, 5, 10].map((k) => k * unit).find((k) => 100 * most / k <= 6);
    for (let v = 0; v <= 100 * most + 1e-9; v += tick) {
      line(x(v / 100), BOTTOM, x(v / 100), BOTTOM + 4, "");
      text(x(v / 100), BOTTOM + 17, +v.toPrecision(6), "text-anchor:middle");
    }
    line(LEFT, BOTTOM, RIGHT, BOTTOM, "");
    line(x(difference), TOP, x(difference), BOTTOM, "stroke-dasharray:2 3");
    text((LEFT + RIGHT) / 2, BOTTOM + 36, "difference in accuracy (percentage points)", "text-anchor:middle");
    for (const [value, colour, style, words] of [
      [power, "var(--replib-red, #c84a00)", "stroke-width:2;stroke-dasharray:6 3", "power (%)"],
      [normalised, "var(--replib-blue, #0072b2)", "stroke-width:3", "replicability, normalised (%)"],
    ]) {
      parts.push(`<path d="${path(value)}" style="fill:none;stroke:${colour};${style}"/>`);
      parts.push(`<circle cx="${x(difference)}" cy="${y(value(here))}" r="4.5" style="fill:${colour}"/>`);
      const row = value === power ? 0 : 15;
      text(RIGHT, BOTTOM - 26 + row, words, `text-anchor:end;fill:${colour}`);
    }
    svg.innerHTML = parts.join("");
  }

  form.addEventListener("input", draw);
  form.addEventListener("submit", (event) => event.preventDefault());
  draw();
}

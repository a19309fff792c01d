// Axes, curves and marks of an explorer's picture; shares from 0 to 1 are percent on the y axis.
function replibPlot(svg, { low = 0, high, log = false, ticks, label }) {
  const LEFT = 40,
    RIGHT = 420,
    TOP = 12,
    BOTTOM = 236;
  const scale = log ? Math.log : (v) => v;
  const x = (v) => LEFT + ((RIGHT - LEFT) * (scale(v) - scale(low))) / (scale(high) - scale(low));
  const y = (share) => BOTTOM - (BOTTOM - TOP) * share;
  const parts = [];
  const line = (x1, y1, x2, y2, style) =>
    parts.push(
      `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" style="stroke:currentColor;${style}"/>`,
    );
  const text = (at, up, words, style) =>
    parts.push(`<text x="${at}" y="${up}" style="fill:currentColor;${style}">${words}</text>`);
  const path = (points) =>
    points
      .map(([v, share], i) => `${i ? "L" : "M"}${x(v).toFixed(1)} ${y(share).toFixed(1)}`)
      .join("");
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    line(LEFT, y(share), RIGHT, y(share), "opacity:.15");
    text(LEFT - 5, y(share) + 4, 100 * share, "text-anchor:end");
  }
  for (const [v, words] of ticks) {
    line(x(v), BOTTOM, x(v), BOTTOM + 4, "");
    const isLast = x(v) > RIGHT - 15; // its words must not leave the picture
    text(x(v) + (isLast ? 9 : 0), BOTTOM + 17, words, `text-anchor:${isLast ? "end" : "middle"}`);
  }
  line(LEFT, BOTTOM, RIGHT, BOTTOM, "");
  text((LEFT + RIGHT) / 2, BOTTOM + 36, label, "text-anchor:middle");
  return {
    curve: (points, style) => parts.push(`<path d="${path(points)}" style="fill:none;${style}"/>`),
    band: (lower, upper, style) =>
      parts.push(
        `<path d="${path(lower)}${path(upper.slice().reverse()).replace("M", "L")}Z" ` +
          `style="${style}"/>`,
      ),
    guide: (v) => line(x(v), TOP, x(v), BOTTOM, "stroke-dasharray:2 3"),
    mark: (v, share, colour, radius = 4.5, more = "") =>
      parts.push(
        `<circle cx="${x(v)}" cy="${y(share)}" r="${radius}" style="fill:${colour};${more}"/>`,
      ),
    words: (v, share, words, style) => text(x(v), y(share), words, style),
    draw: () => {
      svg.innerHTML = parts.join("");
    },
  };
}

// Shows the value of each control beside it, for eyes and for screen readers.
function replibOutputs(form, outputs) {
  for (const input of form.querySelectorAll("input[type=range]")) {
    input.parentElement.querySelector("output").value = outputs[input.name];
    input.setAttribute("aria-valuetext", outputs[input.name]);
  }
}

// Draws now and whenever a control moves; `draw` returns the reading in words.
function replibLive(box, draw) {
  const form = box.querySelector("form");
  // the output in a label would take its words from the control
  for (const control of form.querySelectorAll("input, select")) {
    control.setAttribute("aria-label", control.parentElement.firstChild.textContent.trim());
  }
  const update = () => {
    const reading = draw(form, box.querySelector("svg")).replace(/\bp ([=<]) /g, "p\u00a0$1\u00a0");
    box.querySelector(".reading").textContent = reading;
    box.querySelector("svg").setAttribute("aria-label", reading);
  };
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  update();
}

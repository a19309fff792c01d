// Axes, curves and marks of an explorer's picture; shares from 0 to 1 are percent on the y axis,
// unless it has other `levels`, up to `most`.
function replibPlot(
  svg,
  { low = 0, high, log = false, ticks, label, levels, most = 1, top = 12, bottom = 236 },
) {
  const WIDTH = 430,
    LEFT = 40,
    RIGHT = 420,
    LETTER = 8.6, // width of one in bold words on a phone, on average
    TOP = top,
    BOTTOM = bottom;
  const scale = log ? Math.log : (v) => v;
  const x = (v) => LEFT + ((RIGHT - LEFT) * (scale(v) - scale(low))) / (scale(high) - scale(low));
  const y = (share) => BOTTOM - ((BOTTOM - TOP) * share) / most;
  // Words come last and have an edge in the colour of the page, so that no line crosses them.
  const EDGE =
    "paint-order:stroke;stroke:var(--pst-color-background, #fff);stroke-width:4px;" +
    "stroke-linejoin:round;";
  const parts = [],
    written = [];
  const line = (x1, y1, x2, y2, style) =>
    parts.push(
      `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" style="stroke:currentColor;${style}"/>`,
    );
  const text = (at, up, words, style) =>
    written.push(
      `<text x="${at}" y="${up}" style="fill:currentColor;${EDGE}${style}">${words}</text>`,
    );
  const path = (points) =>
    points
      .map(([v, share], i) => `${i ? "L" : "M"}${x(v).toFixed(1)} ${y(share).toFixed(1)}`)
      .join("");
  for (const level of levels ?? [0, 0.25, 0.5, 0.75, 1]) {
    line(LEFT, y(level), RIGHT, y(level), "opacity:.15");
    text(LEFT - 5, y(level) + 4, levels ? level : 100 * level, "text-anchor:end");
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
    area: (points, style) => parts.push(`<path d="${path(points)}Z" style="${style}"/>`),
    // a bar above the picture: the share so far, and what the reader bet on
    share: (share, bet, ink) => {
      const at = (part) => LEFT + (RIGHT - LEFT) * part;
      line(LEFT, TOP - 16, RIGHT, TOP - 16, "stroke-width:7;opacity:.2");
      line(LEFT, TOP - 16, at(share), TOP - 16, `stroke-width:7;stroke:${ink}`);
      if (bet === null) return;
      line(at(bet), TOP - 24, at(bet), TOP - 8, "stroke-width:2");
      const anchor = bet > 0.8 ? "end" : "start";
      text(at(bet) + (bet > 0.8 ? -4 : 4), TOP - 22, "your bet", `text-anchor:${anchor}`);
    },
    guide: (v) => line(x(v), TOP, x(v), BOTTOM, "stroke-dasharray:2 3"),
    // what the reader bet on, across the picture
    bet: (share) => {
      line(LEFT, y(share), RIGHT, y(share), "stroke-width:2;stroke-dasharray:1 4");
      text(RIGHT, y(share) + (share > 0.9 ? 14 : -5), "your bet", "text-anchor:end");
    },
    upright: (v, words, share) => {
      line(x(v), TOP, x(v), BOTTOM, "stroke-width:2;stroke-dasharray:1 4");
      text(x(v) + 4, y(share), words, "");
    },
    mark: (v, share, colour, radius = 4.5, more = "") =>
      parts.push(
        `<circle cx="${x(v)}" cy="${y(share)}" r="${radius}" style="fill:${colour};${more}"/>`,
      ),
    // the name of a mark, above it and inside the picture
    title: (v, share, words) => {
      const half = (LETTER * words.length) / 2;
      text(
        Math.min(Math.max(x(v), half), WIDTH - half),
        Math.max(y(share) - 12, 14),
        words,
        "text-anchor:middle;font-weight:600",
      );
    },
    words: (v, share, words, style) => text(x(v), y(share), words, style),
    draw: (above = "") => {
      svg.innerHTML = above + parts.join("") + written.join("");
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

// Draws now and whenever a control moves or a bet is placed; `draw` returns the reading in words.
function replibLive(box, draw) {
  const form = box.querySelector("form");
  for (const control of form.querySelectorAll("input:not([type=hidden]), select")) {
    const label = control.closest("label");
    // the output in a label would take its words from the control, and a click on them
    control.setAttribute("aria-label", label.firstChild.textContent.trim());
    control.id ||= `${box.id}-${control.name || "seed"}`;
    label.htmlFor = control.id;
  }
  const update = () => {
    const bet = box.dataset?.bet === undefined ? null : Number(box.dataset.bet);
    const words = draw(form, box.querySelector("svg"), bet);
    const reading = words.replace(/\bp ([=<]) /g, "p\u00a0$1\u00a0");
    box.querySelector(".reading").textContent = reading;
    box.querySelector("svg").setAttribute("aria-label", reading);
  };
  form.addEventListener("input", update);
  form.addEventListener("submit", (event) => event.preventDefault());
  update();
}

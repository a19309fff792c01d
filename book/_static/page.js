// What a page needs beyond the theme so that it can be read with keys, aloud, and on any screen.
document.addEventListener("DOMContentLoaded", () => {
  // a table too wide for its column goes on over the margin; the theme makes way for it
  for (const box of document.querySelectorAll(
    ".cell_output .text_html:has(table), .pst-scrollable-table-container",
  )) {
    if (box.scrollWidth > box.clientWidth + 1 && !box.closest(".admonition"))
      box.classList.add("full-width");
  }
  // the theme's arrows that fold the contents have no name
  for (const summary of document.querySelectorAll("nav details > summary")) {
    const above = summary.closest("li")?.querySelector("a");
    if (!summary.textContent.trim() && above)
      summary.setAttribute("aria-label", `Pages of ${above.textContent.trim()}`);
  }
  // answers that are a formula alone
  for (const label of document.querySelectorAll("label")) {
    const tex = label.querySelector("annotation");
    if (tex && label.control)
      label.control.setAttribute("aria-label", label.textContent.replace(/\s+/g, " ").trim());
  }
  // references are marked as entries, not as items of a list
  document
    .querySelectorAll(".citation-list[role=list]")
    .forEach((list) => list.removeAttribute("role"));
  // the corner of a table is no heading
  for (const head of document.querySelectorAll("th")) {
    if (head.textContent.trim()) continue;
    const corner = document.createElement("td");
    for (const { name, value } of head.attributes) corner.setAttribute(name, value);
    head.replaceWith(corner);
  }
});
// paper is light
const { dataset } = document.documentElement;
let onScreen = dataset.theme;
addEventListener("beforeprint", () => {
  onScreen = dataset.theme;
  dataset.theme = "light";
});
addEventListener("afterprint", () => {
  dataset.theme = onScreen;
});

// What scrolls can be scrolled with keys; a formula has its width when its letters are there.
function markWhatScrolls() {
  const boxes =
    "pre, div.math, article dd p, .cell_output .text_html, .replib-figure, .slides .shown, " +
    ".table-wrapper, .pst-scrollable-table-container";
  for (const box of document.querySelectorAll(boxes)) {
    if (box.scrollWidth <= box.clientWidth) continue;
    box.tabIndex = 0;
    box.classList.add("replib-scrolls");
  }
}
addEventListener("load", () => document.fonts.ready.then(markWhatScrolls));

// The reader's seed is in the address, ?seed=, and goes along with every link inside the book.
function followSeed() {
  let seed = parseInt(new URLSearchParams(location.search).get("seed")) || 1;
  for (const input of document.querySelectorAll(".replib-your-seed")) {
    input.value = seed = Math.min(input.max, Math.max(1, seed));
    input.dispatchEvent(new Event("input", { bubbles: true })); // pictures draw again
  }
  for (const box of document.querySelectorAll(".replib-seed")) {
    const columns = JSON.parse(box.dataset.columns);
    for (const part of box.querySelectorAll("[data-column]"))
      part.textContent = columns[part.dataset.column][seed - 1];
  }
}
document.addEventListener("DOMContentLoaded", followSeed);
document.addEventListener("change", ({ target }) => {
  if (!target.matches(".replib-your-seed")) return;
  const search = `?seed=${target.value}`;
  try {
    history.replaceState(null, "", search);
    followSeed();
  } catch {
    location.search = search;
  } // some disks
});
document.addEventListener("click", ({ target }) => {
  const link = target.closest("a[href]"),
    seed = new URLSearchParams(location.search).get("seed");
  if (seed && link && link.origin === location.origin && link.pathname !== location.pathname)
    link.search = `?seed=${seed}`;
});

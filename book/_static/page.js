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

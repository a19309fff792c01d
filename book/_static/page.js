// What a page needs beyond the theme so that it can be read with keys, aloud, and on any screen.

// A longer table would become too long a column of cards, and scrolls sideways instead, unless the
// reader has opened it.
const MOST_CARDS = 12;
// A cell with more letters is a sentence, which needs a line of its own, or at least so many
// pixels.
const MOST_LETTERS = 40;
const NARROW = 160;

// A head of several rows is written into each of them, because a card stands alone.
function repeatHeads(rows) {
  for (const row of rows)
    [...row.cells].forEach((cell, i) => {
      const height = cell.rowSpan;
      cell.removeAttribute("rowspan");
      let below = row;
      for (let k = 1; k < height; k++) {
        below = below.nextElementSibling;
        below.insertBefore(cell.cloneNode(true), below.cells[i] ?? null);
      }
    });
}

// On a phone a table that is too wide turns into cards: a row is a card, and each cell has the
// name of its column. Roles say what display: block takes away from screen readers.
function turnIntoCards(table) {
  const heads = [...table.querySelectorAll("thead th, thead td")];
  const rows = [...table.querySelectorAll("tbody tr")];
  if (rows.length > MOST_CARDS && !table.closest("details")) return;
  const isPlain =
    table.querySelectorAll("thead tr").length === 1 &&
    !table.querySelector("[colspan]:not([colspan='1'])");
  if (!isPlain) return;
  repeatHeads(rows);
  if (!rows.every((row) => row.cells.length === heads.length)) return;
  table.classList.add("replib-cards");
  table.setAttribute("role", "table");
  for (const row of rows) {
    row.setAttribute("role", "row");
    [...row.cells].forEach((cell, i) => {
      cell.setAttribute("role", i === 0 ? "rowheader" : "cell");
      cell.dataset.label = heads[i].textContent.trim();
      if (isSentence(cell)) cell.classList.add("replib-sentence");
    });
  }
}

const isSentence = (cell) => cell.textContent.trim().length > MOST_LETTERS;

function isTooNarrow(table) {
  const cells = [...table.querySelectorAll("tbody :is(td, th)")];
  return cells.some((cell) => isSentence(cell) && cell.clientWidth && cell.clientWidth < NARROW);
}

function turnTooWideTablesIntoCards(part) {
  for (const table of part.querySelectorAll("table:not(.replib-ledger, .replib-changes)")) {
    const box = table.closest(".cell_output .text_html, .pst-scrollable-table-container");
    const isTooWide = box && box.scrollWidth > box.clientWidth + 1;
    if (isTooWide || isTooNarrow(table)) turnIntoCards(table);
  }
}

// What was printed has columns if two words of a line are more than a space apart. Columns that
// fit on a phone do not break.
const MOST_PRINTED = 40;
const hasWideColumns = (printed) =>
  printed.textContent
    .split("\n")
    .some((line) => line.length > MOST_PRINTED && /\S {2,}\S/.test(line));

// On a phone a printed sentence goes on in the next line; columns stay below each other.
function breakPrintedSentences() {
  for (const printed of document.querySelectorAll(".highlight-text pre, .cell_output pre"))
    if (!hasWideColumns(printed)) printed.classList.add("replib-sentences");
}

document.addEventListener("DOMContentLoaded", () => {
  if (matchMedia("(max-width: 600px)").matches) {
    breakPrintedSentences();
    turnTooWideTablesIntoCards(document);
    // a table in a fold has its width when the fold opens
    const whenOpen = ({ target }) => target.open && turnTooWideTablesIntoCards(target);
    document.addEventListener("toggle", whenOpen, true);
  }
  // a table too wide for its column goes on over the margin; the theme makes way for it
  for (const box of document.querySelectorAll(
    ".cell_output .text_html:has(table), .pst-scrollable-table-container",
  )) {
    if (box.scrollWidth > box.clientWidth + 1 && !box.closest(".admonition"))
      box.classList.add("full-width");
  }
  // the theme's sidebar, with the title of the book, is no landmark
  const sidebar = document.querySelector("div.bd-sidebar-primary");
  sidebar?.setAttribute("role", "complementary");
  sidebar?.setAttribute("aria-label", "The book");
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
    "pre, div.math > span, article dd p, .cell_output .text_html, .replib-figure, " +
    ".slides .shown, .table-wrapper, .pst-scrollable-table-container";
  for (const box of document.querySelectorAll(boxes)) {
    if (box.scrollWidth <= box.clientWidth) continue;
    box.tabIndex = 0;
    box.classList.add("replib-scrolls");
  }
}
addEventListener("load", () => document.fonts.ready.then(markWhatScrolls));

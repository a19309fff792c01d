// From change to change on the page of a rerun, by button or by the keys n and p.
document.addEventListener("DOMContentLoaded", () => {
  const bar = document.querySelector(".replib-steps");
  const changes = [...document.querySelectorAll(".replib-change")];
  if (!bar || !changes.length) return;
  const place = bar.querySelector("span");
  let current = -1;

  function step(by) {
    const last = changes.length - 1;
    if (current < 0) current = by > 0 ? 0 : last;
    else current = (current + by + changes.length) % changes.length;
    const change = changes[current];
    for (let box = change; box; box = box.parentElement) {
      if (box.tagName === "DETAILS") box.open = true;
      // a proof or an answer, which the theme folds
      if (box.matches(".toggle-hidden")) box.querySelector(".admonition-title").click();
    }
    document.querySelector(".replib-current")?.classList.remove("replib-current");
    change.classList.add("replib-current");
    change.tabIndex = -1;
    change.focus({ preventScroll: true });
    const isTall = change.offsetHeight > innerHeight / 2;
    change.scrollIntoView({ block: isTall ? "start" : "center" });
    place.textContent = `${current + 1} of ${changes.length}`;
  }

  place.textContent = `${changes.length} ${changes.length > 1 ? "places" : "place"}`;
  bar.hidden = false;
  bar.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-step]");
    if (button) step(Number(button.dataset.step));
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input, select, textarea, [contenteditable]")) return;
    if (event.key === "n") step(1);
    if (event.key === "p") step(-1);
  });
});

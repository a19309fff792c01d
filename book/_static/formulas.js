// Draws each formula of a page: Sphinx leaves it as TeX between \( and \) or \[ and \].
for (const place of document.querySelectorAll("span.math, div.math")) {
  const source = place.lastChild;
  const tex = source?.textContent.trim() ?? "";
  const display = tex.startsWith("\\[");
  if (!display && !tex.startsWith("\\(")) continue;
  const formula = document.createElement("span");
  katex.render(tex.slice(2, -2), formula, { displayMode: display, throwOnError: false, macros: { ...window.texMacros } });
  source.replaceWith(formula);
}

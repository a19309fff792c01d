// Draws each formula of a page: Sphinx leaves it as TeX between \( and \) or \[ and \].
// Where it has several lines Sphinx puts a split around it, even around an environment.
const IN_SPLIT = /^\\begin\{split\}\s*(\\begin\{(\w+)\}[\s\S]*\\end\{\2\})\s*\\end\{split\}$/;
// Letters that KaTeX draws, but warns about on every page.
const AS_TEX = { "½": "\\tfrac12", "¼": "\\tfrac14", "−": "-", "\u00a0": "~" };
const inTex = (text) => text.replace(/[½¼−\u00a0]/g, (letter) => AS_TEX[letter]);
for (const place of document.querySelectorAll("span.math, div.math")) {
  const source = place.lastChild;
  const tex = source?.textContent.trim() ?? "";
  const display = tex.startsWith("\\[");
  if (!display && !tex.startsWith("\\(")) continue;
  const formula = document.createElement("span");
  katex.render(inTex(tex.slice(2, -2).trim().replace(IN_SPLIT, "$1")), formula, {
    displayMode: display,
    throwOnError: false,
    macros: { ...window.texMacros },
  });
  source.replaceWith(formula);
  // a full stop or a comma does not begin a line
  const after = place.nextSibling;
  const end = formula.querySelector(".katex-base:last-child");
  if (!display && end && after?.nodeType === Node.TEXT_NODE && /^[.,;:]/.test(after.data)) {
    end.append(after.data[0]);
    after.data = after.data.slice(1);
  }
}

"""Formulas, drawn in the reader's browser by KaTeX from files of the site.

KaTeX has a quarter of the bytes of MathJax and draws a page of formulas before it is
shown.
"""

import json

from sphinx.ext import mathjax


def load_katex(app, pagename, templatename, context, doctree) -> None:
    """Add the scripts to pages that have a formula."""
    if 'class="math' not in context.get("body", ""):
        return
    macros = {f"\\{name}": tex for name, tex in _macros(app.config).items()}
    app.add_css_file("katex/katex.min.css")
    app.add_js_file("katex/katex.min.js", loading_method="defer")
    app.add_js_file(None, body=f"window.texMacros = {json.dumps(macros)}")
    app.add_js_file("formulas.js", loading_method="defer")


def _macros(config) -> dict[str, str]:
    return (config.mathjax3_config or {}).get("tex", {}).get("macros", {})


def setup(app):
    app.add_html_math_renderer(
        "katex",  # written as for MathJax: TeX between delimiters
        inline_renderers=(mathjax.html_visit_math, None),
        block_renderers=(mathjax.html_visit_displaymath, None),
    )
    app.connect("html-page-context", load_katex)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

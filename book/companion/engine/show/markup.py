"""Markdown with formulas as HTML, for output not made by Sphinx: quizzes, slides, questions."""

import re

from markdown_it import MarkdownIt
from markupsafe import Markup
from mdit_py_plugins.container import container_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin

#: Blocks of a deck: ``::: notes`` … ``:::`` becomes a ``div`` with that class.
CONTAINERS = ("notes", "bet", "steps")


def inline(text: str) -> Markup:
    """Return the HTML of one paragraph's text, without the paragraph."""
    return Markup(_markdown().renderInline(" ".join(text.split())))


def blocks(text: str) -> Markup:
    """Return the HTML of paragraphs, lists, tables, formulas and the blocks in `CONTAINERS`."""
    return Markup(_markdown().render(text))


def with_minus(text: str) -> str:
    """Return a text whose negative numbers have a minus sign instead of a hyphen.

    >>> with_minus("-0.5 to 0.1, 10-fold")
    '−0.5 to 0.1, 10-fold'
    """
    return re.sub(r"(?<![\w.)])-(?=\.?\d)", "\N{MINUS SIGN}", text)


def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"typographer": True, "html": False})
    markdown.enable(["smartquotes", "table"]).use(dollarmath_plugin)
    markdown.add_render_rule("math_inline", _inline_formula)
    markdown.add_render_rule("math_block", _formula)
    for name in CONTAINERS:
        markdown.use(container_plugin, name)
    return markdown


def _inline_formula(self, tokens, index, options, env) -> str:
    tex = Markup.escape(tokens[index].content)
    return f'<span class="math notranslate nohighlight">\\({tex}\\)</span>'


def _formula(self, tokens, index, options, env) -> str:
    tex = Markup.escape(tokens[index].content.strip())
    return f'<div class="math notranslate nohighlight">\\[{tex}\\]</div>'

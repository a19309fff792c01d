"""Computed numbers in prose: minus signs, digits for exponents, and no break inside them.

Lines may break at a space. A "p" or "10 ×" alone at the end of a line is hard to read.
"""

import re

from docutils import nodes

from companion.engine.show.prose import in_prose

#: Class with which MyST-NB wraps the value of a role ``glue:text``.
_QUOTED = "pasted-text"
_P_VALUE = re.compile(r"\bp (=|<|&lt;) (?=\d|$)")
#: Between two numbers, one of which may be another piece of text.
_SIGN = re.compile(r"(?:(?<=\d)|^) ([±×]) (?=\d|$)")
_AS_TYPED = nodes.literal | nodes.literal_block | nodes.math | nodes.math_block


def write_numbers(app, doctree, docname) -> None:
    """Write each number that was glued into a sentence as a sentence has it."""
    for quoted in doctree.findall(nodes.inline):
        if _QUOTED in quoted["classes"]:
            for text in list(quoted.findall(nodes.Text)):
                text.parent.replace(text, nodes.Text(in_prose(text.astext())))


def keep_together(app, doctree, docname) -> None:
    """Put spaces at which no line breaks into "p = 0.14", "4 ± 1" and "10 × 10", everywhere."""
    for text in list(doctree.findall(nodes.Text)):
        if not isinstance(text.parent, _AS_TYPED):
            text.parent.replace(text, nodes.Text(unbroken(text.astext())))


def unbroken(text: str) -> str:
    """Write a p-value, and two numbers with a sign, with spaces at which no line breaks.

    >>> unbroken("p = 0.14 or p < 0.001").count(" ")
    2
    >>> unbroken("10 × 2 × 5 folds: 65 ± 4%, seed × item").count(" ")
    5
    """
    text = _P_VALUE.sub("p\u00a0\\1\u00a0", text)
    return _SIGN.sub("\u00a0\\1\u00a0", text)


def setup(app):
    app.connect("doctree-resolved", write_numbers)
    app.connect("doctree-resolved", keep_together)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

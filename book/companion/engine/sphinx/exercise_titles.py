"""Titles of exercises and solutions without brackets in brackets.

The extension for exercises puts a title into brackets, and ours end in brackets that say how hard
an exercise is and what it asks for.
"""

import re

from docutils import nodes

#: A title, its stars and its kind.
_MARKED = re.compile(r"^(.+) \((★+), (\w+)\)$")


def write_titles(app, doctree, docname) -> None:
    """Write the mark of each exercise after a comma, and no space at the start of a link."""
    for title in doctree.findall(nodes.title):
        for text in list(title.findall(nodes.Text)):
            text.parent.replace(text, nodes.Text(unbracketed(text.astext())))
        _begin_links_with_a_word(title)


def unbracketed(text: str) -> str:
    """Write a title with its mark after a comma, in which no line breaks.

    >>> unbracketed("Twice the runs (★★, proof)").split(" ")
    ['Twice', 'the', 'runs,', '★★\\xa0proof']
    """
    return _MARKED.sub("\\1, \\2\u00a0\\3", text)


def _begin_links_with_a_word(title: nodes.title) -> None:
    for before, link in zip(title.children, title.children[1:]):
        if isinstance(link, nodes.reference) and link.astext().startswith(" "):
            first = next(link.findall(nodes.Text))
            first.parent.replace(first, nodes.Text(first.astext().lstrip()))
            title.replace(before, nodes.Text(before.astext() + " "))


def setup(app):
    app.connect("doctree-resolved", write_titles)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

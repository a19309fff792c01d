"""Minus signs instead of hyphens in computed numbers that prose quotes."""

from docutils import nodes

from companion.engine.show.markup import with_minus

#: Class with which MyST-NB wraps the value of a role ``glue:text``.
_QUOTED = "pasted-text"


def put_signs(app, doctree, docname) -> None:
    """Replace the hyphen of each negative number that was glued into a sentence."""
    for quoted in doctree.findall(nodes.inline):
        if _QUOTED in quoted["classes"]:
            for text in list(quoted.findall(nodes.Text)):
                text.parent.replace(text, nodes.Text(with_minus(text.astext())))


def setup(app):
    app.connect("doctree-resolved", put_signs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""A glued number has a minus sign; the words around it keep their hyphens."""


from docutils import nodes

from companion.engine.sphinx import minus_signs


def test_glued_numbers_have_a_minus_sign():
    doctree = nodes.container()
    doctree += nodes.paragraph("", "from -1 to ", nodes.inline("", "-0.6", classes=["pasted-text"]))
    doctree += nodes.inline("", "5x2-fold, -.5 to 3", classes=["pasted-text"])
    minus_signs.put_signs(None, doctree, "any")
    assert doctree[0].astext() == "from -1 to −0.6"  # what an author writes stays
    assert doctree[1].astext() == "5x2-fold, −.5 to 3"

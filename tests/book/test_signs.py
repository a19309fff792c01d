"""A glued number has a minus sign; the words around it keep their hyphens."""

import sys

from docutils import nodes

from replib.book import chapters


def test_glued_numbers_have_a_minus_sign():
    folder = str(chapters.ROOT / "book" / "_ext")
    sys.path.insert(0, folder)
    import signs

    sys.path.remove(folder)
    doctree = nodes.container()
    doctree += nodes.paragraph("", "from -1 to ", nodes.inline("", "-0.6", classes=["pasted-text"]))
    doctree += nodes.inline("", "5x2-fold, -.5 to 3", classes=["pasted-text"])
    signs.put_signs(None, doctree, "any")
    assert doctree[0].astext() == "from -1 to −0.6"  # what an author writes stays
    assert doctree[1].astext() == "5x2-fold, −.5 to 3"

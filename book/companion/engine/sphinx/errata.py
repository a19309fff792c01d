"""The role ``{erratum}`e05```: a superscript link to an erratum, with its title on hover."""

import functools

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.util.docutils import SphinxRole

from companion.engine.show.display import anchor
from companion.papers import published

_CLASS = "replib-erratum"


class Erratum(SphinxRole):
    """A link to the section of an erratum; its text is the number of the erratum."""

    def run(self):
        try:
            target = targets()[self.text]
        except KeyError:
            message = f"there is no erratum {self.text!r}"
            problem = self.inliner.reporter.error(message, line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, problem)], [
                problem
            ]
        link = pending_xref(
            self.rawtext,
            nodes.inline(text=self.text),
            refdomain="std",
            reftype="ref",
            refdoc=self.env.docname,
            refexplicit=True,
            refwarn=True,
            reftarget=target,
        )
        return [nodes.superscript("", "", link, classes=[_CLASS])], []


@functools.cache
def targets() -> dict[str, str]:
    """Return the label of the section of each erratum, by its number, such as ``e05``."""
    return {
        erratum.rpartition(".")[2]: anchor(erratum, "erratum")
        for erratum in published.errata()["id"]
    }


def put_titles(app, doctree, docname) -> None:
    """Let each link show the title of its erratum on hover."""
    labels = app.env.get_domain("std").labels
    for mark in doctree.findall(nodes.superscript):
        if _CLASS not in mark["classes"]:
            continue
        for link in mark.findall(nodes.reference):
            *_, title = labels[targets()[link.astext()]]
            link["reftitle"] = title


def setup(app):
    app.add_role("erratum", Erratum())
    app.connect("doctree-resolved", put_titles)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

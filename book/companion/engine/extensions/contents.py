"""The list of contents beside each page: made of titles, and once for all pages of source code.

Sphinx copies the headings of the whole book for each page, and throws away all but the titles; it
took a third of the time in which the site is written.
"""

import posixpath
from functools import cache

from docutils import nodes
from sphinx import addnodes


class Contents:
    """What the lists of contents of one site share."""

    def __init__(self) -> None:
        self.titles: dict[str, nodes.Element] = {}
        self.of_folder: dict[str, object] = {}

    def share(self, app, pagename, templatename, context, doctree) -> None:
        """Give a page a function that makes its list of contents sooner."""
        env, make = app.env, context["toctree"]
        if not self.titles:
            self.titles = {name: _without_headings(toc) for name, toc in env.tocs.items()}

        def from_titles(**options):
            if not options.get("titles_only"):
                return make(**options)
            whole, env.tocs = env.tocs, self.titles
            try:
                return make(**options)
            finally:
                env.tocs = whole

        context["toctree"] = from_titles
        if pagename not in env.all_docs:  # it has no place in the list: so has none of its folder
            folder = posixpath.dirname(pagename)
            context["toctree"] = self.of_folder.setdefault(folder, cache(from_titles))


def _without_headings(toc: nodes.Element) -> nodes.Element:
    titles = toc.deepcopy()
    for title in titles.children:
        if len(title) > 1:
            title[1][:] = list(title.findall(addnodes.toctree))
    return titles


def setup(app):
    app.connect("html-page-context", Contents().share, priority=400)  # before the theme
    return {"parallel_read_safe": True, "parallel_write_safe": True}

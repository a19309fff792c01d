"""The page of a reader's copy: Sphinx knows the outline of the book, and makes this one page.

Loading the outline takes longer than making a page.  A server loads it once, and makes
each page in a fork, which leaves nothing behind.
"""

import sys
from pathlib import Path
from types import SimpleNamespace

from docutils import nodes
from jupyter_book.config import get_final_config
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment
from sphinx.environment.collectors.toctree import TocTreeCollector
from sphinx.util.docutils import patch_docutils


def load(project: Path, site: Path) -> Sphinx:
    """Return Sphinx with the outline of a book, which it has read as far as it has changed.

    Parameters
    ----------
    project : Path
        Folder of the sources and of ``_config.yml``, which names this extension.
    site : Path
        Folder of the pages.
    """
    own = {"external_toc_path": f"{project}/_toc.yml", "latex_individualpages": False}
    config, _ = get_final_config(
        user_yaml=project / "_config.yml", cli_config=own, sourcedir=project
    )
    # MyST-NB writes the notebooks that it reads here, beside the pages
    config["exclude_patterns"] = [*config["exclude_patterns"], "jupyter_execute"]
    with patch_docutils():
        app = Sphinx(
            srcdir=project,
            confdir=None,
            outdir=site,
            doctreedir=project / "doctrees",
            buildername=OnePage.name,
            confoverrides=config,
            status=sys.__stdout__,
            warning=sys.__stderr__,
        )
        app.build()
    return app


def make(app: Sphinx, document: str, notebook: str) -> None:
    """Make the page of a document from a notebook instead of its source."""
    with patch_docutils():
        app.builder.make(document, notebook)


class OnePage(StandaloneHTMLBuilder):
    """Makes the page that is asked for; the others are there for its references."""

    name = "html"
    search = False
    #: The document that is asked for, what is read instead of its source, and its tree.
    asked: str | None = None
    notebook = ""
    doctree: nodes.document | None = None
    #: Of the figures of all pages.
    numbers: dict[str, dict]

    def make(self, document: str, notebook: str) -> None:
        """Make the page of a document from a notebook instead of its source."""
        self.asked, self.notebook = document, notebook
        self.env.reread_always.clear()  # pages that are not written here
        # What is loaded, and its files, stay as they are; the page has others.
        self.doctreedir = self.app.doctreedir.with_name("doctrees_of_page")
        self.doctreedir.mkdir(exist_ok=True)
        self.app.build(filenames=[self.env.doc2path(document)])

    def get_outdated_docs(self) -> list[str]:
        return [self.config.root_doc]  # without any, Sphinx would copy no assets

    def write(self, *_: object) -> None:
        """Write the page; if none is asked for, all that pages share."""
        if self.asked is None:
            self.prepare_writing(set())
            self.copy_assets()
            return
        doctree = self.env.get_and_resolve_doctree(self.asked, self)
        self.write_doc_serialized(self.asked, doctree)
        self.write_doc(self.asked, doctree)

    def finish(self) -> None:
        """Copy the pictures of the page; no other page, index or inventory is written."""
        self.copy_image_files()


def take_notebook(app: Sphinx, document: str, source: list[str]) -> None:
    if document == app.builder.asked:
        source[0] = app.builder.notebook


def read_again(app: Sphinx, *_: object) -> list[str]:
    return [app.builder.asked] if app.builder.asked else []


def keep_doctree(app: Sphinx, doctree: nodes.document) -> None:
    if app.env.docname == app.builder.asked:
        app.builder.doctree = doctree


def keep_numbers(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Keep the numbers of all figures, before Sphinx forgets them to count again."""
    app.builder.numbers = env.toc_fignumbers
    return []


def count_figures(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Give the figures, tables and theorems of the page their numbers; the others have theirs."""
    document, doctree = app.builder.asked, app.builder.doctree
    if doctree is None:
        return TocTreeCollector().assign_figure_numbers(env)
    alone = _Alone(env, document, doctree)
    TocTreeCollector().assign_figure_numbers(alone)
    env.toc_fignumbers = app.builder.numbers | alone.toc_fignumbers
    return []


class _Alone:
    """An environment in which Sphinx, when it counts figures, finds one page alone."""

    def __init__(self, env: BuildEnvironment, document: str, doctree: nodes.document):
        self._env, self._doctree = env, doctree
        depth = env.config.numfig_secnum_depth
        self.config = SimpleNamespace(
            numfig=True, numfig_secnum_depth=depth, root_doc=document
        )
        self.toc_fignumbers: dict = {}

    def get_doctree(self, _: str) -> nodes.document:
        return self._doctree

    def __getattr__(self, name: str) -> object:
        return getattr(self._env, name)


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_builder(OnePage, override=True)
    app.setup_extension("sphinx_multitoc_numbering")  # as Jupyter Book does it
    app.connect("env-get-outdated", read_again)
    # before the book's own changes
    app.connect("source-read", take_notebook, priority=400)
    app.connect("doctree-read", keep_doctree)
    app.connect("env-get-updated", keep_numbers, priority=300)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

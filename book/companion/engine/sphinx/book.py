"""The book's own Sphinx extension: executes stale chapters, and keeps links working."""

import os
import re
from importlib import resources
from pathlib import Path

import nbformat
from docutils import nodes
from sphinx.environment.collectors.toctree import TocTreeCollector

from companion.engine.build import (
    chapters,
    computed_by,
    costs,
    editions,
    execution,
    sphinx_process,
)
from companion.engine.course import exported
from companion.engine.show import quizzes
from companion.engine.sphinx import identity

#: A page that quotes numbers of another page: its source does not change when they do.
_QUOTES_OTHERS = re.compile(r"\{glue:\w*\}`[^`]*::|^:doc: .*\.ipynb", flags=re.MULTILINE)


def execute_stale_chapters() -> None:
    """Execute stale chapters, so that `jupyter-book build .` alone works in a fresh clone."""
    preset = os.environ.get(sphinx_process.PRESET_VARIABLE, "")
    if preset != sphinx_process.EXECUTE_NOTHING:
        costs.remember(execution.execute_stale(preset_name=preset or None))


def edition_made() -> editions.Edition:
    return editions.EDITIONS[os.environ.get(editions.VARIABLE, "book")]


def as_readers_see_it(app, docname, source) -> None:
    """Pass a chapter to Sphinx as the current edition shows it, with its quiz."""
    file = Path(app.env.doc2path(docname))
    if file.suffix == ".ipynb":
        notebook = nbformat.reads(source[0], as_version=4)
        has_page = Path(app.srcdir) == chapters.ROOT or chapters.METADATA_KEY in notebook.metadata
        if not has_page:  # an outline, next to the page of a reader's copy
            return
        seen = editions.for_readers(notebook, edition_made())
        chapter = chapters.find(file.stem)
        if questions := quizzes.of_chapter(chapter):
            quizzes.insert(seen, quizzes.on_page(questions, chapter.name))
        computed_by.insert(seen, identity.address_of("book", app.config))
        source[0] = nbformat.writes(seen)


def number_as_files(app, env) -> list[str]:
    """Give chapters the numbers of their files: the parts begin with 10, 20 and so on."""
    for page, numbers in env.toc_secnumbers.items():
        if not (match := re.search(r"chapters/(\d+)_", page)):
            continue
        chapter = int(match[1])
        env.toc_secnumbers[page] = {
            anchor: number and (chapter, *number[1:]) for anchor, number in numbers.items()
        }
        for node in (env.titles[page], *env.tocs[page].findall(nodes.reference)):
            if number := node.get("secnumber"):
                node["secnumber"] = [chapter, *number[1:]]
    return TocTreeCollector().assign_figure_numbers(env)


def keep_within_its_document(app, doctree) -> None:
    """Make the nodes of `eval-rst` belong to their page.

    They still refer to the document in which they were parsed, and so to the whole environment,
    which would be written with each page of the reference and read again to count figures.
    """
    for node in doctree.findall():
        node.document = doctree


def put_notebooks(app, exception) -> None:
    """Offer each chapter as a notebook that runs without Sphinx, instead of the executed one."""
    if exception or app.builder.format != "html" or Path(app.srcdir) != chapters.ROOT:
        return
    folder = Path(app.outdir) / "_sources" / "book" / "chapters"
    book = exported.Book.read()
    for chapter in chapters.chapters():
        exported.write(chapter, book, edition_made(), folder)


def pages_that_quote_others(app, env, added, changed, removed):
    """Read pages that quote other pages again in each build."""
    texts = {name: Path(env.doc2path(name)) for name in env.found_docs}
    return [
        name for name, file in texts.items()
        if file.suffix == ".md" and _QUOTES_OTHERS.search(file.read_text())
    ]


def copy_statistics(app, exception) -> None:
    """Copy the statistics script to the site; in chapters it is part of the page."""
    if not exception and app.builder.format == "html":
        template = resources.files("companion.engine") / "templates" / "statistics.js"
        (Path(app.outdir) / "_static" / template.name).write_text(template.read_text())


def drop_unused_files(app, pagename, templatename, context, doctree) -> None:
    """Leave out the live-code scripts, which need a server and log an error on every page, and
    the files for cards and tabs on pages that have none."""
    unused = ("thebe",) if "sd-" in context.get("body", "") else ("thebe", "design")
    for kind in ("script_files", "css_files"):
        context[kind] = [
            file for file in context.get(kind, ())
            if not any(word in f"{file} {getattr(file, 'attributes', {}).get('body', '')}".lower()
                       for word in unused)
        ]


def setup(app):
    execute_stale_chapters()
    app.connect("source-read", as_readers_see_it)
    app.connect("doctree-read", keep_within_its_document)
    app.connect("env-get-outdated", pages_that_quote_others)
    app.connect("env-get-updated", number_as_files, priority=600)  # after Sphinx has counted
    app.connect("html-page-context", drop_unused_files, priority=990)
    app.connect("build-finished", copy_statistics)
    app.connect("build-finished", put_notebooks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""The book's own Sphinx extension: executes stale chapters, and keeps links working."""

import json
import os
import re
import shutil
from importlib import resources
from pathlib import Path

import matplotlib
import nbformat
from docutils import nodes
from pygments.lexers import get_lexer_by_name
from sphinx.environment.collectors.toctree import TocTreeCollector

from companion.engine.build import (
    chapters,
    computed_by,
    costs,
    editions,
    execution,
    last_fold,
    sphinx_process,
)
from companion.engine.show import quizzes
from companion.engine.sphinx import identity, one_page

#: A page that quotes numbers of another page: its source does not change when they do.
_QUOTES_OTHERS = re.compile(
    r"\{glue:\w*\}`[^`]*::|^:doc: .*\.ipynb", flags=re.MULTILINE
)

_IN_COLAB = """# In Colab this cell installs the book; elsewhere it does nothing.
import os, sys
if "google.colab" in sys.modules:
    os.system("git clone --quiet --depth=1 {url} the_book")
    os.system("pip install --quiet -e the_book -e the_book/book")
    sys.path[:0] = ["the_book", "the_book/book"]"""


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
        has_page = (
            Path(app.srcdir) == chapters.ROOT
            or chapters.METADATA_KEY in notebook.metadata
        )
        if not has_page:  # an outline, next to the page of a reader's copy
            return
        seen = editions.for_readers(notebook, edition_made())
        chapter = chapters.find(file.stem)
        if questions := quizzes.of_chapter(chapter):
            quizzes.insert(seen, quizzes.on_page(questions, chapter.name))
        computed_by.insert(seen, identity.address_of("book", app.config))
        if chapter.number <= last_fold.LAST_SHORT_CHAPTER:
            last_fold.gather(seen)
        source[0] = nbformat.writes(seen)


def count_no_figures(app, env) -> list[str]:
    """Let Sphinx count no figures before chapters have their numbers: it walks all pages."""
    app.config.numfig = False
    return []


def number_as_files(app, env) -> list[str]:
    """Give chapters the numbers of their files: the parts begin with 10, 20 and so on."""
    app.config.numfig = True
    for page, numbers in env.toc_secnumbers.items():
        if not (match := re.search(r"chapters/(\d+)_", page)):
            continue
        chapter = int(match[1])
        env.toc_secnumbers[page] = {
            anchor: number and (chapter, *number[1:])
            for anchor, number in numbers.items()
        }
        for node in (env.titles[page], *env.tocs[page].findall(nodes.reference)):
            if number := node.get("secnumber"):
                node["secnumber"] = [chapter, *number[1:]]
    if _is_of_copies(app):
        return one_page.count_figures(app, env)
    return TocTreeCollector().assign_figure_numbers(env)


def write_in_two_processes(app, env) -> None:
    """Let Sphinx write the pages beside preparing them; not all extensions can *read* so."""
    app.parallel = 2


def keep_within_its_document(app, doctree) -> None:
    """Make the nodes of `eval-rst` belong to their page.

    They still refer to the document in which they were parsed, and so to the whole
    environment, which would be written with each page of the reference and read again
    to count figures.
    """
    for node in doctree.findall():
        node.document = doctree


def put_notebooks(app, exception) -> None:
    """Offer each executed chapter as a notebook of this edition: a student's has no solutions."""
    if exception or app.builder.format != "html" or Path(app.srcdir) != chapters.ROOT:
        return
    folder = Path(app.outdir) / "_sources" / "book" / "chapters"
    address = identity.repository(app.config)
    for chapter in chapters.chapters():
        notebook = nbformat.read(chapter.executed, as_version=4)
        seen = editions.for_readers(notebook, edition_made(), frozenset())
        if address:
            install = nbformat.v4.new_code_cell(
                _IN_COLAB.format(url=address), id="in-colab"
            )
            seen.cells.insert(1, install)
        nbformat.write(seen, folder / chapter.executed.name)


def pages_that_quote_others(app, env, added, changed, removed):
    """Read pages that quote other pages again in each build of the book."""
    if _is_of_copies(app):
        return []
    texts = {name: Path(env.doc2path(name)) for name in env.found_docs}
    return [
        name
        for name, file in texts.items()
        if file.suffix == ".md" and _QUOTES_OTHERS.search(file.read_text())
    ]


def _is_of_copies(app) -> bool:
    """Whether this makes the page of a reader's copy."""
    return Path(app.srcdir) != chapters.ROOT


def copy_files(app, exception) -> None:
    """Copy the statistics script, which in chapters is part of the page, and Matplotlib's font."""
    if exception or app.builder.format != "html":
        return
    static = Path(app.outdir) / "_static"
    template = resources.files("companion.engine") / "templates" / "statistics.js"
    (static / template.name).write_text(template.read_text())
    for face in ("DejaVuSans", "DejaVuSans-Oblique", "DejaVuSans-Bold"):
        shutil.copy(
            Path(matplotlib.get_data_path(), "fonts", "ttf", f"{face}.ttf"),
            static / "letters",
        )


def pages_that_name_others(app, env) -> list[str]:
    """Write all pages again if a title has changed, because others link to it by its words."""
    labels = env.get_domain("std").labels.items()
    titles = {name: title for name, (_, _, title) in labels}
    titles |= {document: title.astext() for document, title in env.titles.items()}
    before = getattr(env, "replib_titles", titles)
    env.replib_titles = titles
    return [] if titles == before else sorted(env.found_docs)


def drop_words_of_no_page(app, exception) -> None:
    """Remove words that are on no page any more from the index of the search.

    Sphinx keeps them, so the index of a book that was built before would differ from that
    of a new one.
    """
    file = Path(app.outdir) / "searchindex.js"
    if exception or not file.exists():
        return
    start, index, end = re.fullmatch(
        r"(\w+[.]\w+\()(.*)(\)\s*)", file.read_text(encoding="utf-8"), re.DOTALL
    ).groups()
    found = json.loads(index)
    for kind in ("terms", "titleterms"):
        pages = found[kind].items()
        found[kind] = {word: where for word, where in pages if where != []}
    written = json.dumps(found, ensure_ascii=False, separators=(",", ":"))
    file.write_text(f"{start}{written}{end}", encoding="utf-8")


def drop_live_code(app, pagename, templatename, context, doctree) -> None:
    """Leave out the live-code scripts, which need a server and log an error on every page."""
    for kind in ("script_files", "css_files"):
        context[kind] = [
            file
            for file in context.get(kind, ())
            if "thebe"
            not in f"{file} {getattr(file, 'attributes', {}).get('body', '')}".lower()
        ]


def setup(app):
    execute_stale_chapters()
    app.connect("source-read", as_readers_see_it)
    app.connect("doctree-read", keep_within_its_document)
    app.connect("env-get-outdated", pages_that_quote_others)
    # before and after Sphinx counts
    app.connect("env-get-updated", count_no_figures, priority=400)
    app.connect("env-get-updated", number_as_files, priority=600)
    app.connect("env-get-updated", pages_that_name_others)
    app.connect("env-check-consistency", write_in_two_processes)
    # else each cell of code looks it up among all packages that are installed
    app.add_lexer("ipython3", type(get_lexer_by_name("ipython3")))
    app.connect("html-page-context", drop_live_code, priority=990)
    app.connect("build-finished", copy_files)
    app.connect("build-finished", put_notebooks)
    app.connect("build-finished", drop_words_of_no_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

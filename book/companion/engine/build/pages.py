"""The pages: the site of the book, and one page of a reader's own copy.

Sphinx makes both.  A chapter that has not been executed still has a page, with its text
but without its numbers, so that references to it work.
"""

import hashlib
import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

import nbformat
from bs4 import BeautifulSoup, Tag

from companion.engine.build import chapters, files, outputs, sphinx_process
from companion.engine.build.chapters import Chapter
from companion.engine.build.execution import renew_text
from companion.lab.locks import one_at_a_time

_NOT_EXECUTED = """:::{{note}}
This chapter has not been executed here. `python -m replib build {name}` does it, and fills in the
numbers, tables and figures.
:::"""
_DRAWS = re.compile("katex|texMacros|formulas[.]js|letters[.]css")
#: The extension that makes the page of a copy.
_ONE_PAGE = "companion.engine.sphinx.one_page"
_NOT_BUILT = "this page has not been built: python -m replib build"


def site(edition: str = "book") -> Path:
    """Return the folder of the site of an edition."""
    folder = (
        chapters.BUILD if edition == "book" else chapters.BUILD / edition / "_build"
    )
    return folder / "html"


def render(edition: str = "book") -> Path:
    """Make the site from the executed chapters, warnings as errors, if anything has changed.

    Parameters
    ----------
    edition : str
        A name of `companion.engine.build.editions.EDITIONS`.

    Returns
    -------
    Path
        The page to open.

    Raises
    ------
    ChapterFailed
        If Sphinx warned or failed; the existing site is not changed.
    """
    with one_at_a_time(chapters.BUILD):
        return _render(edition)


def _render(edition: str) -> Path:
    fill_gaps()
    page = site(edition) / "index.html"
    stamp = page.parent.with_suffix(".stamp")
    inputs = digest_of_inputs()
    if not (
        page.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == inputs
    ):
        stamp.unlink(missing_ok=True)
        workshop = chapters.BUILD / "sphinx" / edition
        unfinished = workshop.with_suffix(".unfinished")
        if (
            unfinished.exists()
        ):  # an incomplete page, or one with a warning, would seem up to date
            shutil.rmtree(workshop, ignore_errors=True)
        workshop.mkdir(parents=True, exist_ok=True)
        unfinished.touch()
        # A page names the version of a style sheet that is there before the page is
        # written.  Some extensions copy theirs after it, so the pages of a second build
        # would differ.
        shutil.rmtree(workshop / "_build" / "html" / "_static", ignore_errors=True)
        log = chapters.BUILD / "logs" / f"{edition}.log"
        sphinx_process.make_site(workshop, log=log, edition=edition)
        unfinished.unlink()
        built = workshop / "_build" / "html"
        pages = documents(built)
        for folder in (built, page.parent):
            remove_other_pages(folder, pages)
        files.put_in_place(built, page.parent)
        files.write(stamp, inputs)
    return page


def documents(folder: Path) -> set[str]:
    """Return the names of the documents that Sphinx's index of a site lists.

    Parameters
    ----------
    folder : Path
        Of the site.

    Returns
    -------
    set of str
        Such as "book/intro".
    """
    index = (folder / "searchindex.js").read_text(encoding="utf-8")
    names = re.search(r'"docnames":(\[.*?\])', index)
    assert names is not None  # Sphinx writes them into every index
    return set(json.loads(names.group(1)))


def remove_other_pages(folder: Path, names: set[str]) -> None:
    """Remove pages of documents that have left the book, with their sources.

    Sphinx leaves what it has written once, and a reader who follows an old link would find
    a page that nobody maintains.

    Parameters
    ----------
    folder : Path
        Of a site; its `_sources` tell which documents it has had.
    names : set of str
        Documents that the book has.
    """
    sources = folder / "_sources"
    for source in sorted(sources.rglob("*")):
        name = source.relative_to(sources).with_suffix("").as_posix()
        if source.is_file() and name not in names:
            source.unlink()
            (folder / f"{name}.html").unlink(missing_ok=True)


def strip_controls(article: Tag) -> None:
    """Remove what is only for a screen from an article: heading links, scripts, folded code."""
    for tag in article.select(".headerlink, script, button, details.above-input"):
        tag.decompose()
    for tag in article.select("details"):
        tag["open"] = ""


def what_draws_formulas(page: BeautifulSoup) -> str:
    """Return the tags in the head of a page that draw its formulas and load its letters."""
    found = page.head.find_all(["link", "script"])
    return "".join(tag for tag in map(str, found) if _DRAWS.search(tag))


def fill_gaps() -> None:
    """Write a chapter without numbers if none was executed, or if it has other code."""
    chapters.CHAPTERS.mkdir(parents=True, exist_ok=True)
    known = {chapter.executed for chapter in chapters.chapters()}
    for old in set(chapters.CHAPTERS.glob("*.ipynb")) - known:
        old.unlink()
    for chapter in chapters.chapters():
        renew_text(chapter.executed, chapter)
        if not outputs.has_text_of(chapter, chapter.executed):
            files.write(chapter.executed, nbformat.writes(unexecuted(chapter)))


def unexecuted(chapter: Chapter) -> nbformat.NotebookNode:
    """Return a chapter with its text and code, without outputs; numbers in prose are dots."""
    notebook = nbformat.from_dict(chapter.notebook)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = _without_numbers(cell.source)
        elif figure := cell.metadata.get("mystnb", {}).get("figure"):
            figure["caption"] = _without_numbers(figure.get("caption", ""))
            # other pages refer to the number of the figure
            empty = {"text/html": "<p>…</p>", "text/plain": "…"}
            cell.outputs = [nbformat.v4.new_output("display_data", empty)]
    remark = nbformat.v4.new_markdown_cell(
        _NOT_EXECUTED.format(name=chapter.name), id="not-executed"
    )
    notebook.cells.insert(1, remark)
    return notebook


def _without_numbers(text: str) -> str:
    """Return Markdown with dots in the place of glued numbers.

    >>> _without_numbers("It errs in {glue:text}`x:.1f`%.")
    'It errs in …%.'
    """
    return re.sub(r"\{glue:\w+\}`[^`]*`", "…", text)


def outline(chapter: Chapter) -> nbformat.NotebookNode:
    """Return what other pages may refer to in a chapter: its text, and that it has figures."""
    notebook = unexecuted(chapter)
    notebook.cells = [
        cell
        for cell in notebook.cells
        if cell.cell_type == "markdown" or "figure" in cell.metadata.get("mystnb", {})
    ]
    return notebook


def one_page(
    chapter: Chapter, copy: Path, notebook: nbformat.NotebookNode, *, log: Path
) -> Path:
    """Make the page of a copy next to it; all copies share style and scripts.

    Only this page is written.  References to other pages get their numbers from the
    sources; links to pages that have not been built have no target.

    Parameters
    ----------
    chapter : Chapter
    copy : Path
        The notebook that the page offers.
    notebook : NotebookNode
        What the page shows of it.
    log : Path
        For the output of Sphinx.

    Returns
    -------
    Path
        The page to open.
    """
    with one_at_a_time(_project_of_copies()):
        name = _make_in_project(chapter, notebook, log)
        site = _project_of_copies() / "html"
        page = copy.with_suffix(".html")
        html = (site / f"{name}.html").read_text(encoding="utf-8")
        files.write(page, _moved(html, f"{name}.html", site, page, copy))
    return page


def keep_sphinx(*, log: Path) -> None:
    """Load Sphinx here, with what pages of copies refer to: each then takes a second.

    For a server, which does it before the first copy is asked for.
    """
    project, chapter = _project_of_copies(), chapters.chapters()[0]
    with one_at_a_time(project):
        page = _page_in_project(chapter, outline(chapter), log)
        sphinx_process.keep(project, *page, log=log)


def _make_in_project(
    chapter: Chapter, notebook: nbformat.NotebookNode, log: Path
) -> str:
    """Make a page in the project of copies; return its name there."""
    document, source = _page_in_project(chapter, notebook, log)
    sphinx_process.make_page(_project_of_copies(), document, source, log=log)
    return document


def _page_in_project(
    chapter: Chapter, notebook: nbformat.NotebookNode, log: Path
) -> tuple[str, Path]:
    """Return a page's name in the project of copies, and the file that it is made of."""
    source = log.with_suffix(".ipynb")
    log.parent.mkdir(parents=True, exist_ok=True)
    _prepare(_project_of_copies())
    files.write(source, nbformat.writes(notebook))
    return f"book/chapters/{chapter.source.stem}", source


def _project_of_copies() -> Path:
    return chapters.BUILD / "run"


def _prepare(project: Path) -> None:
    """Bring the project of copies up to date; unchanged files are not written again."""
    book = project / "book"
    for folder in ("chapters", "reference"):
        (book / folder).mkdir(parents=True, exist_ok=True)
    for name in ("_config.yml", "_toc.yml", "book/references.bib"):
        text = (chapters.ROOT / name).read_text(encoding="utf-8")
        # what is not written here needs large parts of the library
        for first_page in ("landing", "take_away"):
            text = text.replace(f"companion.engine.sphinx.{first_page}, ", "")
        text = text.replace("extra_extensions: [", f"extra_extensions: [{_ONE_PAGE}, ")
        files.write(project / name, text)
    # style, and files that pages offer: one that is missing makes its page stale
    for name in (
        "book/_static",
        "book/_templates",
        "book/results",
        "CITATION.cff",
        "LICENSE",
    ):
        (project / name).unlink(missing_ok=True)
        (project / name).symlink_to(chapters.ROOT / name)
    source = chapters.ROOT / "book"
    for page in (*source.glob("*.md"), *source.glob("reference/*.md")):
        # the library's reference takes long to collect, and no chapter refers to it
        text = re.sub(
            r"(?ms)^```\{eval-rst\}.*?^```$", "", page.read_text(encoding="utf-8")
        )
        text = re.sub(r"\{\{ \w+ \}\}", "…", text)  # values computed for the first page
        files.write(book / page.relative_to(source), text)
    for other in chapters.chapters():
        page = book / "chapters" / other.executed.name
        if not (page.exists() and page.stat().st_mtime > other.source.stat().st_mtime):
            files.write(page, nbformat.writes(outline(other)))


def _moved(html: str, name: str, site: Path, page: Path, notebook: Path) -> str:
    """Return the page for its new place, with adjusted addresses of assets and pages."""
    built = chapters.BUILD / "html"

    def address(match: re.Match) -> str:
        attribute, target, anchor = match.groups()
        where = os.path.normpath(os.path.join(os.path.dirname(name), target))
        if where == name:
            new = page.name
        elif where.endswith(".ipynb"):
            new = notebook.name
        elif not where.endswith(".html"):
            new = os.path.relpath(site / where, page.parent)
        elif (built / where).exists():
            new = os.path.relpath(built / where, page.parent)
        else:
            return f'title="{_NOT_BUILT}"'
        return f'{attribute}="{new}{anchor}"'

    html = re.sub(
        r'\b(href|src|action)="(?!\w+:|//|#|")([^"#]*)(#?[^"]*)"', address, html
    )
    root = os.path.relpath(site, page.parent)
    return re.sub(r'data-content_root="[^"]*"', f'data-content_root="{root}/"', html)


def digest_of_inputs(*more: Path) -> str:
    """Return a hash of every file from which the pages are made, and of some more."""
    return _digest([*_inputs(), *more])


def _inputs() -> Iterator[Path]:
    """Yield every file from which the pages are made."""
    root = chapters.ROOT
    names = ("_config.yml", "_toc.yml", "requirements.txt", "CITATION.cff")
    yield from (root / name for name in names)
    yield from sorted(chapters.CHAPTERS.glob("*.ipynb"))
    made_of = {
        ".md",
        ".bib",
        ".py",
        ".css",
        ".js",
        ".png",
        ".svg",
        ".html",
        ".woff2",
        ".csv",
        ".json",
        ".npz",  # verdicts and counts, from which the first page is computed
    }
    for folder, endings in (
        ("book", made_of),
        ("replib", {".py", ".html"}),
        ("notebooks/quizzes", {".yml"}),
    ):
        found = (root / folder).rglob("*")
        yield from sorted(file for file in found if file.suffix in endings)


def _digest(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in paths:
        digest.update(f"{file}\n".encode() + file.read_bytes())
    return digest.hexdigest()

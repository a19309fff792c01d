"""The course on the site: slides, syllabi, sheets, assignments, the exam."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import nbformat

from companion.engine.build import chapters, files
from companion.engine.course import assignments, questions, slides
from companion.engine.show import display, markup

COURSE = chapters.ROOT / "course"
_CODE = re.compile(r"(?ms)^```python\n(.*?)^```$")
#: Where a slide of a deck begins, and what its speaker says.
_SLIDE = re.compile(r"(?m)^##? ")
_NOTES = re.compile(r"(?ms)^::: notes\n(.*?)^:::$")
#: Where the sources of the course link to, and where these pages are.
_LINKS = (
    (r"\]\(\.\./notebooks/(\w+)\.md", r"](../chapters/\1.html"),
    (r"\]\(assignments/(\w+)\.md", r"](\1.ipynb"),
    (r"\]\((?:decks/|sheets/)?(\w+)\.(?:md|yml)", r"](\1.html"),
)


def with_course(page: Path, *, solutions: bool = False) -> Path:
    """Put the pages of the course next to those of a site; return the page of the site.

    Slides and lesson plans are made again if their deck or a page of the site is newer.
    """
    book = page.parent
    folder = slides.folder(book)
    newest = max(
        file.stat().st_mtime for file in (book / "book" / "chapters").glob("*.html")
    )
    for deck in slides.decks():
        since = max(newest, deck.stat().st_mtime)
        if _is_older(folder / f"{deck.stem}.html", since):
            slides.write(deck, book)
        plan = folder / f"plan_{deck.stem[:2]}.html"
        if _is_older(plan, since):
            _write_page(plan, lesson_plan(deck), book)
    for name, text in texts():
        _write_page(folder / f"{name}.html", text, book)
    shutil.copytree(assignments.DATA, folder / "data", dirs_exist_ok=True)
    for name, notebook in notebooks():
        files.write(folder / f"{name}.ipynb", nbformat.writes(notebook) + "\n")
    questions.write_all(book, solutions=solutions)
    return page


def _is_older(file: Path, since: float) -> bool:
    """Return whether a file was made before that time, or not at all."""
    return not file.exists() or file.stat().st_mtime <= since


def _write_page(file: Path, text: str, book: Path) -> None:
    """Write a page of the course from Markdown, whose first line is its title."""
    files.write(
        file,
        display.html(
            "course",
            title=text.partition("\n")[0].removeprefix("# "),
            body=markup.blocks(text),
            scripts=slides.scripts_of(book),
        ),
    )


def lesson_plan(deck: Path) -> str:
    """Return the plan of a session as Markdown: its part of the syllabus, and the slides' notes."""
    number = int(deck.stem[:2])
    syllabus = (COURSE / "syllabus_12.md").read_text(encoding="utf-8")
    session = re.search(rf"(?ms)^## (Session {number}\..*?)(?=^## |\Z)", syllabus)[1]
    parts = [f"# {_with_links(session)}", "## Slide by slide"]
    for slide in _SLIDE.split(slides.with_numbers(deck.read_text(encoding="utf-8")))[
        1:
    ]:
        notes = _NOTES.search(slide)
        said = " ".join(notes[1].split()) if notes else ""
        parts.append(f"1. **{slide.partition(chr(10))[0].strip()}** {said}")
    return "\n\n".join(parts)


def _with_links(text: str) -> str:
    """Let links to sources of the course lead to pages of the site."""
    for pattern, page in _LINKS:
        text = re.sub(pattern, page, text)
    return text


def notebooks() -> Iterator[tuple[str, nbformat.NotebookNode]]:
    """Yield the notebook of each sheet, which has one cell of code, and of each assignment."""
    for sheet in sorted(COURSE.glob("sheets/sheet_*.md")):
        title, code = sheet.read_text(encoding="utf-8").split("\n", 1)
        cells = [
            nbformat.v4.new_code_cell(cell.strip(), id="code")
            for cell in _CODE.findall(code)
        ]
        cells = [nbformat.v4.new_markdown_cell(title, id="title"), *cells]
        yield sheet.stem, nbformat.v4.new_notebook(cells=cells)
    for source in sorted(assignments.SOURCES.glob("*.md")):
        yield source.stem, assignments.for_students(source)


def texts() -> Iterator[tuple[str, str]]:
    """Yield the name and the Markdown of each page, with links to the pages of the site."""
    for file in sorted([*COURSE.glob("*.md"), *COURSE.glob("sheets/*.md")]):
        yield file.stem, _with_links(file.read_text(encoding="utf-8"))

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
#: Where the sources of the course link to, and where these pages are.
_LINKS = (
    (r"\]\(\.\./notebooks/(\w+)\.md", r"](../chapters/\1.html"),
    (r"\]\(assignments/(\w+)\.md", r"](\1.ipynb"),
    (r"\]\((?:decks/|sheets/)?(\w+)\.(?:md|yml)", r"](\1.html"),
)


def with_course(page: Path, *, solutions: bool = False) -> Path:
    """Put the pages of the course next to those of a site; return the page of the site.

    Slides are made again if their deck or a page of the site is newer.
    """
    book = page.parent
    folder = slides.folder(book)
    newest = max(
        file.stat().st_mtime for file in (book / "book" / "chapters").glob("*.html")
    )
    for deck in slides.decks():
        made = folder / f"{deck.stem}.html"
        if not (
            made.exists() and made.stat().st_mtime > max(newest, deck.stat().st_mtime)
        ):
            slides.write(deck, book)
    for name, text in texts():
        files.write(
            folder / f"{name}.html",
            display.html(
                "course",
                title=text.partition("\n")[0].removeprefix("# "),
                body=markup.blocks(text),
                scripts=slides.scripts_of(book),
            ),
        )
    shutil.copytree(assignments.DATA, folder / "data", dirs_exist_ok=True)
    for name, notebook in notebooks():
        files.write(folder / f"{name}.ipynb", nbformat.writes(notebook) + "\n")
    questions.write_all(book, solutions=solutions)
    return page


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
        text = file.read_text(encoding="utf-8")
        for pattern, page in _LINKS:
            text = re.sub(pattern, page, text)
        yield file.stem, text

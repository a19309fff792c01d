"""Targets of references in the book: labelled places with their numbers, and the literature."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import nbformat
from pybtex.backends.plaintext import Backend
from pybtex.database import Entry, parse_file
from pybtex.richtext import Text

from companion.engine.build import chapters
from companion.engine.build.chapters import Chapter
from companion.engine.build.directives import Directive, replace

_HEADING = re.compile(r"^\(([\w-]+)\)=\s*\n+#+ +(.+)$", flags=re.MULTILINE)
_EQUATION = re.compile(r"^\$\$ \(([\w-]+)\)", flags=re.MULTILINE)


@dataclass(frozen=True)
class Target:
    """A place with a label.

    Attributes
    ----------
    kind : str
        ``"section"``, ``"equation"``, ``"figure"``, ``"exercise"`` or that of a statement, such as
        ``"theorem"``.
    title, number : str
        Either may be empty: ``"Sorting keeps the spread"``, ``"10.1"``.
    page : str
        Name of its page without the folder: ``"11_replicability"``.
    """

    kind: str
    title: str
    number: str
    page: str

    @property
    def words(self) -> str:
        """The words of a reference to it: ``"Theorem 10.1"``, or the title of a section."""
        return self.title if self.kind == "section" else f"{self.kind.capitalize()} {self.number}"


def targets() -> dict[str, Target]:
    """Return every labelled place of the book by its label."""
    found = {}
    for page in sorted((chapters.ROOT / "book").glob("*.md")):
        for label, title in _HEADING.findall(page.read_text(encoding="utf-8")):
            found[label] = Target("section", title, "", page.stem)
    for chapter in chapters.chapters():
        found |= _of_chapter(chapter)
    return found


def _of_chapter(chapter: Chapter) -> dict[str, Target]:
    found, counts = {}, Counter()
    page = chapter.source.stem
    for cell in chapter.notebook.cells:
        for label, title in _HEADING.findall(cell.source):
            found[label] = Target("section", title, "", page)
        for kind, label, title in _numbered(cell):
            counts[kind] += 1
            found[label] = Target(kind, title, f"{chapter.number}.{counts[kind]}", page)
    return found


def _numbered(cell: nbformat.NotebookNode) -> Iterator[tuple[str, str, str]]:
    """Yield kind, label and title of the numbered things in a cell, in their order."""
    if cell.cell_type == "code":
        if figure := cell.metadata.get("mystnb", {}).get("figure"):
            yield "figure", figure["name"], ""
        return
    yield from (("equation", label, "") for label in _EQUATION.findall(cell.source))
    statements: list[Directive] = []
    replace(cell.source, statements.append)
    for one in statements:
        kind = one.name.removeprefix("prf:")
        if (kind != one.name or kind == "exercise") and "nonumber" not in one.options:
            yield kind, one.options.get("label", ""), one.argument


def literature() -> dict[str, Entry]:
    """Return the works in ``book/references.bib`` by their keys."""
    return dict(parse_file(chapters.ROOT / "book" / "references.bib").entries)


def authors(work: Entry) -> str:
    """Write surnames as in a sentence: one, two with "and", or the first and "et al."."""
    names = [_text(" ".join(person.prelast_names + person.last_names))
             for person in work.persons.get("author", ())]
    if not names:
        return _text(work.fields.get("title", work.key))
    return f"{names[0]} et al." if len(names) > 2 else " and ".join(names)


def entry(work: Entry) -> str:
    """Write a work as a line of a list of references."""
    fields = {name: _text(text) for name, text in work.fields.items()}
    place = fields.get("journal") or fields.get("booktitle") or fields.get("publisher", "")
    volume = ", ".join(filter(None, [place, fields.get("volume"), fields.get("pages")]))
    address = f"https://doi.org/{work.fields['doi']}" if "doi" in fields else work.fields.get("url")
    parts = [f"{authors(work)} ({fields.get('year', 'n.d.')})", fields.get("title"), volume]
    sentences = [part if part.endswith(("?", "!", ".")) else f"{part}." for part in parts if part]
    return " ".join(filter(None, [*sentences, address]))


def _text(tex: str) -> str:
    return Text.from_latex(tex).render(Backend())  # render_as would look for plugins each time

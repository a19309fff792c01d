"""Slides of a chapter, made from its page: one idea a slide, with the prose as the speaker's notes.

A slide is the opening of a section, a definition or a statement, a figure, a small table, a list,
what to do in practice, or a question of the quiz.  Nothing is computed again, and nothing is loaded
from elsewhere: reveal.js comes from the package ``sphinx-revealjs``.
"""

import copy
import importlib.util
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from markupsafe import Markup

from companion.engine import display, files, pages
from companion.engine.chapters import Chapter

#: Sections that are read, not shown.
_NOT_SHOWN = ("Published and rebuilt", "Errata", "Exercises", "What next", "References")
#: How the paragraph begins that says what the chapter is for.
_GOALS = "After this chapter you can"
#: Rows of a table that a room can read.
_ROWS = 9
#: Letters that may stand above a table, open a section, and be in a part of a list.
_LEAD, _OPENING, _LIST = 400, 500, 650
#: Height of a figure over its width from which its caption stands beside it.
_TALL = 0.85
#: Parts of reveal.js that slides need, beside the folder of each page.
_PARTS = ("dist/reveal.css", "dist/reveal.js", "plugin/notes")


@dataclass
class Slide:
    """What is shown under a title, which is HTML, and what is said with it."""

    title: Markup
    shown: list[Tag] = field(default_factory=list)
    said: list[Tag] = field(default_factory=list)
    kind: str = "text"

    @property
    def html(self) -> Markup:
        return Markup("".join(map(str, self.shown)))

    @property
    def notes(self) -> Markup:
        return Markup("".join(map(str, self.said)))


def write(chapter: Chapter, site: Path) -> Path:
    """Put the slides of a chapter beside the pages of a site that has the chapter's page."""
    file = site / "book" / "chapters" / f"{chapter.source.stem}.html"
    page = BeautifulSoup(file.read_text(encoding="utf-8"), "html.parser")
    target = site / "book" / "slides" / f"{chapter.source.stem}.html"
    target.parent.mkdir(exist_ok=True)
    files.write(target, display.html(
        "slides", title=chapter.title, slides=of_page(page),
        scripts=Markup(pages.what_draws_formulas(page)),
    ))
    _put_reveal(site / "_static" / "reveal")
    return target


def of_page(page: BeautifulSoup) -> list[Slide]:
    """The slides of a page."""
    article = copy.copy(page.select_one("article.bd-article"))
    pages.strip_controls(article)
    for link in article.select("a"):
        link.unwrap()
    for beside in article.select(".section-number, .replib-drawn-by"):
        beside.decompose()
    for content in article.select(".admonition section"):
        content.name = "div"  # to reveal.js a section is a slide
    return [slide for slide in _of_section(article.section, is_first=True) if slide.shown]


def _of_section(section: Tag, *, is_first: bool = False) -> Iterator[Slide]:
    heading = section.find(["h1", "h2", "h3", "h4"], recursive=False)
    title = Markup(heading.decode_contents().strip())
    if title.startswith(_NOT_SHOWN) and not is_first:  # the chapter of the errata is shown
        return
    slide = Slide(title, kind="title" if is_first else "opening")
    opening = True  # until something of its own was shown, prose is shown, too
    for part in section.find_all(True, recursive=False):
        if part.name == "section":
            yield slide
            slide = Slide(title)
            yield from _of_section(part)
        elif part is heading or part.name in ("span", "script"):
            continue
        elif own := _own_slides(part, title):
            if own[0].kind == "table":
                own[0].shown[:0] = _take_lead(slide)
            yield slide
            *others, slide = own
            yield from others
            opening = False
        elif is_first and part.get_text().lstrip().startswith(_GOALS):
            yield slide
            slide = Slide(title, [part])
            opening = False
        elif part.name in ("ul", "ol") and (not opening or _letters([*slide.shown, part]) > _LIST):
            yield slide
            *others, slide = [Slide(title, [items]) for items in _split(part)]
            yield from others
        elif opening and part.name in ("p", "div", "ul", "ol", "dl") and not _is_cell(part):
            so_far = _letters(slide.shown)
            opening = not so_far or (not is_first and so_far + _letters([part]) <= _OPENING)
            (slide.shown if opening else slide.said).append(part)
        elif not _is_cell(part):
            slide.said.append(part)
    yield slide


def _letters(parts: Iterable[Tag]) -> int:
    return sum(len(part.get_text()) for part in parts)


def _split(items: Tag) -> list[Tag]:
    """A list in parts that a slide can hold."""
    parts: list[Tag] = []
    for number, item in enumerate(items.find_all("li", recursive=False), start=1):
        if not parts or _letters([parts[-1], item]) > _LIST:
            parts.append(BeautifulSoup(f'<{items.name} start="{number}"></{items.name}>',
                                       "html.parser").contents[0])
        parts[-1].append(item)
    return parts


def _take_lead(slide: Slide) -> list[Tag]:
    """Take from a slide the prose that leads to the table after it, to be shown above that."""
    is_text = slide.kind in ("text", "opening")
    lead = slide.said[-1:] or (slide.shown if is_text else [])
    if _letters(lead) > _LEAD or any(part.name != "p" for part in lead):
        return []
    if slide.said:
        slide.said = slide.said[:-1]
    elif is_text:
        slide.shown = []
    return lead


def _own_slides(part: Tag, title: Markup) -> list[Slide]:
    """The slides of a part that is an idea of its own; none if it is not."""
    classes = part.get("class", [])
    if questions := part.find_all("fieldset"):
        return [Slide(title, [_in_quiz(one)], kind="quiz") for one in questions]
    if "proof" in classes and "Proof" not in part.p.get_text():
        return [Slide(title, [part], kind="statement")]
    if "admonition" in classes and "proof" not in classes:
        return [Slide(title, [part], kind="statement")]
    if found := [part] if part.name == "figure" else part.find_all("figure"):
        return [Slide(title, [one], kind=_kind_of(one)) for one in found]
    table = part if part.name == "table" else part.find("table")
    is_small = table is not None and len(table.find_all("tr")) <= _ROWS + 1
    return [Slide(title, [table], kind="table")] if is_small else []


def _kind_of(figure: Tag) -> str:
    """How a figure is shown: a tall one has its caption beside it."""
    sizes = [list(map(float, svg["viewbox"].split())) for svg in figure.select("svg[viewbox]")]
    is_tall = sum(height for *_, height in sizes) > _TALL * max([size[2] for size in sizes] or [1])
    return "tall figure" if is_tall else "figure"


def _in_quiz(question: Tag) -> Tag:
    return BeautifulSoup(f'<div class="replib-quiz">{question}</div>', "html.parser").div


def _is_cell(part: Tag) -> bool:
    return "cell" in part.get("class", [])


def _put_reveal(folder: Path) -> None:
    package = importlib.util.find_spec("sphinx_revealjs").submodule_search_locations[0]
    source = Path(package) / "_static" / "revealjs"
    for part in _PARTS:
        target = folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if (source / part).is_dir():
            shutil.copytree(source / part, target, dirs_exist_ok=True)
        else:
            shutil.copy(source / part, target)

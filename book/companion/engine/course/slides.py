"""Slides of a session, from its deck ``course/decks/NN_name.md``: one claim per slide.

A deck is Markdown.  Each ``##`` begins a slide and states its claim; ``::: notes`` is for the
speaker, ``::: bet`` for a guess before the next slide, and the items of ``::: steps`` appear one at
a time.
Numbers and pictures are those of the executed chapters: ``{glue:text}`chapter/name:.1f``` quotes a
glued number, and ``![](chapter#id)`` takes a figure, or a picture with controls, from a chapter's
page.  ``![](chapter#id "panel 2")`` takes one panel of a figure, which then fills the slide, and
``"panel 2 without key"`` leaves its legend out.
Nothing is computed again, and nothing is loaded from elsewhere.
"""

import copy
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import yaml
from bs4 import BeautifulSoup, Tag
from markupsafe import Markup

from companion.engine.build import chapters, files, outputs, pages, parameters
from companion.engine.show import display, markup
from companion.engine.show.prose import in_prose

DECKS = chapters.ROOT / "course" / "decks"
_NUMBER = re.compile(r"\{glue:\w+\}`([\w-]+)/(\w+):?([^`]*)`")


@dataclass
class Slide:
    """A claim, what is shown below it, and the speaker's notes."""

    title: Markup
    kind: str = "text"
    pictures: list[Tag] = field(default_factory=list)
    words: list[Tag] = field(default_factory=list)
    notes: list[Tag] = field(default_factory=list)


def decks() -> list[Path]:
    """Return the decks in the order of their sessions."""
    return sorted(DECKS.glob("*.md"))


def folder(site: Path) -> Path:
    """Return the folder of the course among the pages of a site."""
    where = site / "book" / "course"
    where.mkdir(exist_ok=True)
    return where


def write(deck: Path, site: Path) -> Path:
    """Write the slides of a deck next to the pages of a site with the pages of its chapters."""
    slides = of_deck(deck.read_text(encoding="utf-8"), site)
    target = folder(site) / f"{deck.stem}.html"
    files.write(
        target,
        display.html(
            "slides",
            title=Markup(slides[0].title).striptags(),
            slides=slides,
            scripts=scripts_of(site),
        ),
    )
    return target


def scripts_of(site: Path) -> Markup:
    """Return the tags that draw formulas on a page in a folder next to the chapters."""
    return Markup(pages.what_draws_formulas(_page(site, chapters.chapters()[0])))


def of_deck(text: str, site: Path) -> list[Slide]:
    """Return the slides of a deck.

    Raises
    ------
    ParameterError
        If it names a chapter that does not exist, or a picture that is not on the
        chapter's page.
    """
    soup = BeautifulSoup(markup.blocks(with_numbers(text)), "html.parser")
    slides: list[Slide] = []
    for part in soup.find_all(True, recursive=False):
        if part.name in ("h1", "h2"):
            slides.append(
                Slide(
                    Markup(part.decode_contents()),
                    "title" if part.name == "h1" else "text",
                )
            )
        elif "notes" in part.get("class", ()):
            slides[-1].notes.append(part)
        elif images := part.find_all("img"):
            slides[-1].pictures += [
                _picture(image["src"], image.get("title"), site) for image in images
            ]
            slides[-1].kind = "figure"
        else:
            if "bet" in part.get("class", ()):
                slides[-1].kind = "bet"
            for step in part.select("li") if "steps" in part.get("class", ()) else ():
                step["class"] = "fragment"
            slides[-1].words.append(part)
    return slides


def with_numbers(text: str) -> str:
    """Return the Markdown of a deck with the numbers that its chapters have glued.

    A number that has not been computed here is ``…``.  The TeX macros of the book are
    replaced too.
    """
    from myst_nb.core.variables import (
        format_plain_text,
    )  # also loads the database of a cache

    found = map(
        chapters.find, dict.fromkeys(name for name, *_ in _NUMBER.findall(text))
    )
    values = {
        chapter.name: outputs.glued_texts(chapter.executed)
        for chapter in found
        if outputs.has_text_of(chapter, chapter.executed)
    }

    def number(match: re.Match) -> str:
        name, key, form = match.groups()
        value = values.get(name, {}).get(key, "…")
        return in_prose(
            format_plain_text(value, form) if form and value != "…" else value
        )

    text = _NUMBER.sub(number, text)
    config = yaml.safe_load((chapters.ROOT / "_config.yml").read_text(encoding="utf-8"))
    macros = config["sphinx"]["config"]["mathjax3_config"]["tex"]["macros"]
    return re.sub(r"\\([A-Za-z]+)", lambda match: macros.get(match[1], match[0]), text)


def _picture(source: str, panel: str | None, site: Path) -> Tag:
    """Return a figure of a chapter, or a picture with controls together with its script.

    Of a figure, one panel if it is named, as in ``panel 2``.
    """
    name, _, anchor = source.partition("#")
    chapter = chapters.find(name)
    found = _page(site, chapter).find(id=anchor)
    is_drawn = found is not None and (found.svg is not None or not panel)
    if not is_drawn and not outputs.has_text_of(chapter, chapter.executed):
        return BeautifulSoup("<p>…</p>", "html.parser").p
    if found is None:
        raise parameters.ParameterError(
            f"the page of chapter {chapter.name} has no picture {parameters.shown(anchor)}"
        )
    box = BeautifulSoup('<div class="picture"></div>', "html.parser").div
    box.append(picture := copy.copy(found))
    if "replib-explorer" in found.get("class", ()):
        box.append(copy.copy(found.find_next("script")))
    else:
        pages.strip_controls(picture)
    if panel:
        _leave_panel(picture.svg, panel)
    for link in picture.select("a"):
        link.unwrap()
    for beside in picture.select(".section-number"):
        beside.decompose()
    return box


def _leave_panel(svg: Tag, panel: str) -> None:
    """Take all panels but one from a figure; the slide's script makes it fill the figure.

    Raises
    ------
    ParameterError
        If the figure has no such panel.
    """
    panels = {
        axes["id"].rpartition("axes_")[2]: axes
        for axes in svg.find_all("g", id=re.compile(r"axes_\d+$"))
    }
    has_key = not panel.endswith(" without key")
    number = panel.removesuffix(" without key").removeprefix("panel ")
    if number not in panels:
        raise parameters.ParameterError(
            f"the figure has panels {', '.join(panels)}, not {parameters.shown(panel)}"
        )
    kept = panels.pop(number)
    _draw_shared_axis(kept, panels.values())
    for other in panels.values():
        # the key, and marks that other panels use
        for part in other.find_all(["defs", "g"]):
            if part.name == "defs" or _is_legend(part):
                kept.insert_before(part.extract())
        other.decompose()
    for legend in svg.find_all(_is_legend):
        if not has_key:
            legend.decompose()
        elif kept not in legend.parents:
            legend["data-legend"] = ""
    kept["data-panel"] = ""
    # a label beside all panels is longer than one of them
    for text in svg.find_all("g", id=re.compile(r"text_\d+$")):
        if not any(
            re.search(r"(axes|legend)_\d+$", of.get("id", "")) for of in text.parents
        ):
            text.decompose()


def _is_legend(part: Tag) -> bool:
    return part.name == "g" and bool(re.search(r"legend_\d+$", part.get("id", "")))


def _draw_shared_axis(panel: Tag, others: Iterable[Tag]) -> None:
    """Give a panel the labels of the lowest panel, if only that one has them."""
    below = _x_axis(panel)
    if below is None or below.find("text"):
        return
    lowest = max(others, key=_bottom)
    axis = copy.copy(_x_axis(lowest))
    axis["transform"] = f"translate(0 {_bottom(panel) - _bottom(lowest):.2f})"
    below.insert_after(axis)


def _x_axis(panel: Tag) -> Tag | None:
    return panel.find("g", id=re.compile(r"matplotlib\.axis_\d+$"))


def _bottom(panel: Tag) -> float:
    """Return how far down the rectangle of a panel reaches."""
    corners = re.findall(r"[ML] \S+ (\S+)", panel.find("path")["d"])
    return max(map(float, corners))


def _page(site: Path, chapter: chapters.Chapter) -> BeautifulSoup:
    file = site / "book" / "chapters" / f"{chapter.source.stem}.html"
    return _parsed(file, file.stat().st_mtime_ns)


@cache
def _parsed(file: Path, modified: int) -> BeautifulSoup:
    """Return a parsed page, which is parsed once for all decks."""
    return BeautifulSoup(file.read_text(encoding="utf-8"), "html.parser")

"""Decks: one claim per slide, with numbers and pictures that the chapters have."""

import ast
import itertools
import re

import pytest
import yaml
from bs4 import BeautifulSoup

from companion.engine.build import chapters
from companion.engine.build.parameters import ParameterError
from companion.engine.course import slides

DECK = """# A question?

It is {glue:text}`sample/n` or {glue:text}`sample/share:.1f`.

::: notes
Welcome.
:::

## What do you think?

::: bet
- Much.
- Little.
:::

## It is $x^2$.

![](sample#f)

Look.

::: steps
- One.
- Two.
:::

$$
x \\in \\E
$$
"""


@pytest.fixture
def site(project, page, monkeypatch):
    """A site with the page of one chapter, which has a figure."""
    folder = project / "site" / "book" / "chapters"
    folder.mkdir(parents=True)
    explorer = (
        '<div class="replib-explorer" id="e"><svg></svg></div><script>move()</script>'
    )
    (folder / "10_sample.html").write_text(
        page().replace("<table>", f"{explorer}<table>")
    )
    monkeypatch.setattr(slides.outputs, "has_text_of", lambda chapter, executed: True)
    monkeypatch.setattr(
        slides.outputs, "glued_texts", lambda path: {"n": "3", "share": "0.25"}
    )
    macros = {"mathjax3_config": {"tex": {"macros": {"E": "\\operatorname{E}"}}}}
    (project / "_config.yml").write_text(yaml.safe_dump({"sphinx": {"config": macros}}))
    return project / "site"


def test_a_claim_begins_a_slide(site):
    title, bet, claim = slides.of_deck(DECK, site)
    assert (title.title, title.kind, bet.kind, claim.kind) == (
        "A question?",
        "title",
        "bet",
        "figure",
    )
    assert "It is 3 or 0.2" in title.words[0].text and "Welcome." in title.notes[0].text
    assert not bet.notes and [li.text for li in bet.words[0].find_all("li")] == [
        "Much.",
        "Little.",
    ]
    assert 'class="math' in claim.title and "operatorname" in str(claim.words)
    assert [li["class"] for li in claim.words[1].find_all("li")] == ["fragment"] * 2


def test_a_picture_is_that_of_the_page_without_its_controls(site):
    picture = slides.of_deck(DECK, site)[2].pictures[0]
    assert (
        picture.figure["id"] == "f"
        and "Caption" in picture.text
        and not picture.find("a")
    )
    moving = slides.of_deck(DECK.replace("sample#f", "sample#e"), site)[2].pictures[0]
    assert moving.script.text == "move()"


def test_what_a_deck_names_must_exist(site, monkeypatch):
    with pytest.raises(ParameterError, match="chapter sample has no picture 'g'"):
        slides.of_deck(DECK.replace("sample#f", "sample#g"), site)
    with pytest.raises(ParameterError, match="there is no chapter 'other'"):
        slides.of_deck(DECK.replace("sample#f", "other#f"), site)
    monkeypatch.setattr(
        slides.outputs, "has_text_of", lambda chapter, executed: False
    )  # not executed
    assert (
        slides.of_deck(DECK.replace("sample#f", "sample#g"), site)[2].pictures[0].text
        == "…"
    )


def panels_of(numbers: range, bottom: int) -> str:
    """Panels one below the other as Matplotlib writes them; only the last has labels."""
    return "".join(
        f'<g id="1f-axes_{n}"><g id="1f-patch_{n}">'
        f'<path d="M 5 {bottom * n} L 9 {bottom * n} L 9 0"/></g>'
        f'<g id="1f-matplotlib.axis_{n}"><defs><path id="tick{n}"/></defs>'
        f"{'<text>x</text>' if n == numbers[-1] else ''}</g>"
        f'<text>panel {n}</text><g id="1f-legend_{n}"></g></g>'
        for n in numbers
    )


def test_one_panel_of_a_figure_fills_a_slide(site):
    page = site / "book" / "chapters" / "10_sample.html"
    panels = (
        panels_of(range(1, 4), 100) + '<g id="1f-text_9"><text>beside all</text></g>'
    )
    page.write_text(page.read_text().replace("</svg>", f"{panels}</svg>", 2))

    def shown(panel):
        deck = DECK.replace("sample#f", f'sample#f "{panel}"')
        return slides.of_deck(deck, site)[2].pictures[0].svg

    svg = shown("panel 2")
    assert [text.text for text in svg.find_all("text")] == ["x", "panel 2"]
    assert svg.select("[transform]")[0]["transform"] == "translate(0 -100.00)"
    assert {path["id"] for path in svg.select("defs path")} == {
        "tick1",
        "tick2",
        "tick3",
    }
    assert [g["id"][-1] for g in svg.select("[data-legend]")] == ["1", "3"]
    assert not shown("panel 3").select("[transform]")
    assert not shown("panel 2 without key").select("[id*=legend]")
    with pytest.raises(ParameterError, match="panels 1, 2, 3, not 'panel 4'"):
        shown("panel 4")


def test_a_panel_of_a_chapter_that_is_not_executed_waits_for_it(site, monkeypatch):
    page = site / "book" / "chapters" / "10_sample.html"
    page.write_text(re.sub(r"<svg.*?</svg>", "", page.read_text(), flags=re.DOTALL))
    monkeypatch.setattr(slides.outputs, "has_text_of", lambda chapter, executed: False)
    deck = DECK.replace("sample#f", 'sample#f "panel 2"')
    assert slides.of_deck(deck, site)[2].pictures[0].text == "…"


def glued(chapter) -> set[str]:
    """Names that a chapter's calls of `book.glue` define, or that its prose quotes."""
    calls = (
        node
        for code in chapter.code
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "book.glue"
    )
    prose = "\n".join(cell.source for cell in chapter.notebook.cells)
    quoted = set(re.findall(r"\{glue:\w+\}`(\w+)", prose))
    return quoted | {keyword.arg for call in calls for keyword in call.keywords}


def pictures(chapter) -> set[str]:
    """Names of the figures of a chapter, and of its pictures with controls."""
    figures = {
        cell.metadata.get("mystnb", {}).get("figure", {}).get("name")
        for cell in chapter.notebook.cells
    }
    moving = re.findall(r"explorers\.(\w+)\(", "\n".join(chapter.code))
    return figures | {f"replib-{name.replace('_', '-')}" for name in moving}


@pytest.mark.parametrize("deck", slides.decks(), ids=lambda deck: deck.stem)
class TestDeck:
    def test_numbers_and_pictures_are_those_of_chapters(self, deck):
        text = deck.read_text()
        for name, number in re.findall(r"\{glue:text\}`(\w+)/(\w+)", text):
            assert number in glued(chapters.find(name)), f"{name}/{number}"
        for name, picture in re.findall(r"!\[\]\((\w+)#([\w-]+)[^)]*\)", text):
            assert picture in pictures(chapters.find(name)), f"{name}#{picture}"

    def test_it_has_claims_notes_bets_and_pictures(self, deck, monkeypatch, tmp_path):
        empty = BeautifulSoup("<p></p>", "html.parser").p
        monkeypatch.setattr(slides, "_picture", lambda source, panel, site: empty)
        monkeypatch.setattr(slides, "with_numbers", lambda text: text)
        found = slides.of_deck(deck.read_text(), tmp_path)
        kinds = [one.kind for one in found]
        assert kinds[0] == "title" and {*kinds[1:]} >= {"bet", "figure"}
        assert all(one.notes for one in found)
        for bet, claim in itertools.pairwise(found):
            if (
                bet.kind == "bet"
            ):  # a question with three answers, and on the next slide the claim
                assert bet.title.endswith("?") and len(bet.words[0].find_all("li")) == 3
                assert claim.kind != "bet" and not claim.title.endswith("?")

    def test_no_number_of_the_book_is_typed(self, deck):
        """Percentages and decimals on slides are quoted; choices, levels and notes are not."""
        text = re.sub(r"(?ms)^::: (?:bet|notes).*?^:::$", "", deck.read_text())
        text = re.sub(
            r"\{glue:\w+\}`[^`]*`|\$\$.*?\$\$|\$[^$]*\$", "", text, flags=re.DOTALL
        )
        typed = set(re.findall(r"\b\d+\.\d+\b|\b\d+%", text))
        assert typed <= {"5%", "0.5", "4.5", "0.05", "0.01", "70%"}, typed


def test_each_session_has_a_deck():
    assert [deck.stem[:2] for deck in slides.decks()] == [
        f"{i:02d}" for i in range(1, 13)
    ]

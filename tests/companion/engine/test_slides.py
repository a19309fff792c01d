"""Slides are made of pages: one idea a slide, no code, no audit."""

import pytest
from bs4 import BeautifulSoup

from companion.engine import slides


def test_a_slide_has_one_idea_and_prose_is_said(page):
    found = slides.of_page(BeautifulSoup(page(), "html.parser"))
    assert [(one.kind, one.title) for one in found] == [
        ("title", "A?"), ("text", "A?"), ("opening", "One"), ("figure", "One"),
        ("statement", "One"),
        ("table", "One"), ("quiz", "Check yourself"), ("quiz", "Check yourself")]
    shown = [BeautifulSoup(one.html, "html.parser").get_text(" ", strip=True) for one in found]
    assert shown[:5] == [
        "The question.", "After this chapter you can y.",
                         "Opening, see s.", "Caption",
        "Theorem 10.1 1",
    ]
    assert "Said of the figure." in found[3].notes and "Proof. Clear." in found[4].notes
    assert "code" not in "".join(shown) and "import x" not in "".join(shown)


def test_a_table_stands_beneath_the_prose_that_leads_to_it(page):
    told = page().replace("<table>", "<p>The next table counts.</p><table>")
    found = slides.of_page(BeautifulSoup(told, "html.parser"))
    table = next(one for one in found if one.kind == "table")
    assert [part.name for part in table.shown] == ["p", "table"]
    assert not any("next table" in one.notes for one in found)
    alone = page().replace("<p>Opening", "<table><tr><td>2</td></tr></table><p>Opening")
    first = next(one for one in slides.of_page(BeautifulSoup(alone, "html.parser"))
                 if one.kind == "table")
    assert [part.name for part in first.shown] == ["table"]


def test_a_long_list_goes_on_on_the_next_slide(page):
    items = "".join(f"<li>{word * 200}</li>" for word in "abcd")
    told = page().replace("<p>Said", f"<ol>{items}</ol><p>Said")
    lists = [part for one in slides.of_page(BeautifulSoup(told, "html.parser"))
             for part in one.shown if part.name == "ol"]
    assert [(part["start"], len(part.find_all("li"))) for part in lists] == [("1", 3), ("4", 1)]


def test_a_title_keeps_its_formulas_and_a_statement_is_no_slide_of_its_own(page):
    told = page().replace("<h2>One</h2>", '<h2>One <span class="math">\\(t\\)</span></h2>')
    told = told.replace("<p>1</p></div>", '<section id="proof-content"><p>1</p></section></div>')
    found = slides.of_page(BeautifulSoup(told, "html.parser"))
    assert 'class="math"' in next(one.title for one in found if one.kind == "figure")
    assert not any("<section" in one.html for one in found)


@pytest.mark.parametrize("box, kind", [("0 0 400 300", "figure"), ("0 0 400 900", "tall figure")])
def test_a_tall_figure_has_its_caption_beside_it(page, box, kind):
    told = page().replace("<svg>", f'<svg viewbox="{box}">')
    found = slides.of_page(BeautifulSoup(told, "html.parser"))
    assert kind in [one.kind for one in found]


def test_a_long_table_is_no_slide(page):
    found = slides.of_page(BeautifulSoup(page(rows=30), "html.parser"))
    assert "table" not in [one.kind for one in found]


def test_a_chapter_is_shown_that_is_called_like_a_section_that_is_not(page):
    errata = page().replace("A?<a", "Errata<a").replace("Published and rebuilt", "Errata")
    found = slides.of_page(BeautifulSoup(errata, "html.parser"))
    assert [one.kind for one in found] == [
        one.kind for one in slides.of_page(BeautifulSoup(page(), "html.parser"))]
    assert found[0].title == "Errata"

"""Slides and print are made of pages: one idea a slide, no code, no audit; links stay inside."""

import re

import pytest
from bs4 import BeautifulSoup

from replib.book import printed, slides

PAGE = """<html><head><script>window.texMacros = {}</script></head><body>
<nav class="bd-links"><a class="internal" href="#">Start</a>
<a class="internal" href="chapters/10_a.html">A</a>
<a class="internal" href="notation.html">N</a></nav>
<article class="bd-article"><section id="a"><h1><span class="section-number">10. </span>A?<a
class="headerlink" href="#a">#</a></h1>
<p>The question.</p><div class="cell"><div class="cell_input">import x</div></div>
<p>You need x.</p><p>Afterwards you can y.</p>
<section id="one"><h2>One</h2><p>Opening, see <a href="../notation.html#s">s</a>.</p>
<div class="cell"><details class="above-input"><summary>Show</summary>code</details>
<figure id="f"><svg><path id="p1"/></svg><figcaption>Caption</figcaption></figure></div>
<p>Said of the figure.</p>
<div class="proof theorem admonition" id="t"><p class="admonition-title">Theorem 10.1</p>
<p>1</p></div>
<div class="proof admonition"><p>Proof. Clear.</p></div>
<table>{rows}</table></section>
<section id="q"><h2>Check yourself</h2>
<div class="replib-quiz"><fieldset><legend>Q1</legend></fieldset>
<fieldset><legend>Q2</legend></fieldset></div></section>
<section id="e"><h2>Exercises</h2><div class="exercise admonition"><p>Do it.</p></div>
<div class="solution admonition"><p>Done.</p></div></section>
<section id="p"><h2>Published and rebuilt</h2><table><tr><td>1</td></tr></table></section>
</section></article></body></html>"""


def page(rows: int = 2) -> str:
    return PAGE.replace("{rows}", "<tr><td>1</td></tr>" * rows)


def test_a_slide_has_one_idea_and_prose_is_said():
    found = slides.of_page(BeautifulSoup(page(), "html.parser"))
    assert [(one.kind, one.title) for one in found] == [
        ("title", "A?"), ("text", "A?"), ("opening", "One"), ("figure", "One"),
        ("statement", "One"),
        ("table", "One"), ("quiz", "Check yourself"), ("quiz", "Check yourself")]
    shown = [BeautifulSoup(one.html, "html.parser").get_text(" ", strip=True) for one in found]
    assert shown[:5] == ["The question.", "Afterwards you can y.", "Opening, see s.", "Caption",
                         "Theorem 10.1 1"]
    assert "Said of the figure." in found[3].notes and "Proof. Clear." in found[4].notes
    assert "code" not in "".join(shown) and "import x" not in "".join(shown)


def test_a_table_stands_beneath_the_prose_that_leads_to_it():
    told = page().replace("<table>", "<p>The next table counts.</p><table>")
    found = slides.of_page(BeautifulSoup(told, "html.parser"))
    table = next(one for one in found if one.kind == "table")
    assert [part.name for part in table.shown] == ["p", "table"]
    assert not any("next table" in one.notes for one in found)
    alone = page().replace("<p>Opening", "<table><tr><td>2</td></tr></table><p>Opening")
    first = next(one for one in slides.of_page(BeautifulSoup(alone, "html.parser"))
                 if one.kind == "table")
    assert [part.name for part in first.shown] == ["table"]


def test_a_long_list_goes_on_on_the_next_slide():
    items = "".join(f"<li>{word * 200}</li>" for word in "abcd")
    told = page().replace("<p>Said", f"<ol>{items}</ol><p>Said")
    lists = [part for one in slides.of_page(BeautifulSoup(told, "html.parser"))
             for part in one.shown if part.name == "ol"]
    assert [(part["start"], len(part.find_all("li"))) for part in lists] == [("1", 3), ("4", 1)]


def test_a_title_keeps_its_formulas_and_a_statement_is_no_slide_of_its_own():
    told = page().replace("<h2>One</h2>", '<h2>One <span class="math">\\(t\\)</span></h2>')
    told = told.replace("<p>1</p></div>", '<section id="proof-content"><p>1</p></section></div>')
    found = slides.of_page(BeautifulSoup(told, "html.parser"))
    assert 'class="math"' in next(one.title for one in found if one.kind == "figure")
    assert not any("<section" in one.html for one in found)


@pytest.mark.parametrize("box, kind", [("0 0 400 300", "figure"), ("0 0 400 900", "tall figure")])
def test_a_tall_figure_has_its_caption_beside_it(box, kind):
    told = page().replace("<svg>", f'<svg viewbox="{box}">')
    found = slides.of_page(BeautifulSoup(told, "html.parser"))
    assert kind in [one.kind for one in found]


def test_a_long_table_is_no_slide():
    found = slides.of_page(BeautifulSoup(page(rows=30), "html.parser"))
    assert "table" not in [one.kind for one in found]


def test_a_chapter_is_shown_that_is_called_like_a_section_that_is_not():
    errata = page().replace("A?<a", "Errata<a").replace("Published and rebuilt", "Errata")
    found = slides.of_page(BeautifulSoup(errata, "html.parser"))
    assert [one.kind for one in found] == [
        one.kind for one in slides.of_page(BeautifulSoup(page(), "html.parser"))]
    assert found[0].title == "Errata"


@pytest.fixture
def site(tmp_path):
    for name in ("book/intro", "book/chapters/10_a", "book/notation"):
        file = tmp_path / f"{name}.html"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(page())
    return tmp_path


def test_pages_are_printed_in_the_order_of_the_contents(site):
    assert printed.pages_in_order(site) == [
        "book/intro.html", "book/chapters/10_a.html", "book/notation.html"]


@pytest.mark.parametrize("solutions", [True, False])
def test_a_document_has_its_pages_once_with_links_that_lead(site, solutions):
    addresses = ["book/chapters/10_a.html", "book/notation.html"]
    text = printed.document(site, addresses, "T", solutions=solutions)
    found = BeautifulSoup(text, "html.parser")
    ids = [tag["id"] for tag in found.find_all(id=True) if not tag.find_parent("svg")]
    assert len(ids) == len(set(ids)) and len(found.find_all("article")) == 2
    link = found.find("article").find("a")
    assert link["href"] == "#page1-s"
    assert ("Done." in text) == solutions
    assert not re.search(r"headerlink|above-input", text)

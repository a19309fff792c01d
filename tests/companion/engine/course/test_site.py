"""The course on the site: its links lead somewhere, and its sheets run without the book."""

import json
import os
import re
import subprocess
import sys

import nbformat
import pandas as pd
import pytest

from companion.engine.build import chapters
from companion.engine.course import site

TEACHING = chapters.ROOT / "book" / "teaching.md"
SHEETS = sorted(site.COURSE.glob("sheets/sheet_*.md"))
#: Runs programs, where the packages of the book are impossible to import.
ALONE = """
import contextlib, io, json, sys
sys.modules.update(companion=None, replib=None)
for code in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(code, {"__name__": "__main__"})
    assert said.getvalue(), code
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder of the course on a site whose slides are up to date."""
    folder = tmp_path_factory.mktemp("site")
    for chapter in chapters.chapters():
        page = folder / "book" / "chapters" / f"{chapter.source.stem}.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text("<head></head>")
    for name in ("teaching.html", "take_away.pdf"):
        (folder / "book" / name).touch()
    for deck in site.slides.decks():
        made = site.slides.folder(folder) / f"{deck.stem}.html"
        made.touch()
        os.utime(made, (2e9, 2e9))
    assert site.with_course(folder / "index.html") == folder / "index.html"
    return folder / "book" / "course"


def test_every_link_of_the_course_leads_to_a_file(built):
    places = [(file, file.read_text()) for file in built.glob("*.html")]
    for file, text in [*places, (built.parent / "x", TEACHING.read_text())]:
        for address in re.findall(r'href="([^"#]+)', text):
            if "://" not in address and "_static" not in address:
                assert (file.parent / address).exists(), (file.name, address)


def test_the_page_for_teachers_links_to_all_that_a_class_needs(built):
    linked = set(re.findall(r'href="course/([^"]+)', TEACHING.read_text()))
    made = {file.name for file in built.iterdir() if file.suffix in (".html", ".ipynb")}
    assert made - linked == {
        "README.html",
        *(f"{sheet.stem}.ipynb" for sheet in SHEETS),
    }


def test_slides_older_than_their_deck_or_a_page_are_made_again(built, monkeypatch):
    made = []
    monkeypatch.setattr(site.slides, "write", lambda deck, book: made.append(deck.stem))
    os.utime(built / "03_dependence.html", (1, 1))
    site.with_course(built.parents[1] / "index.html")
    assert made == ["03_dependence"]


def test_a_plan_has_the_minutes_of_its_session_and_notes_for_each_slide(built):
    for deck in site.slides.decks():
        plan = (built / f"plan_{deck.stem[:2]}.html").read_text()
        assert " min)" in plan and "Homework" in plan
        slides = len(re.findall(r"(?m)^##? ", deck.read_text()))
        listed = plan.partition("Slide by slide")[2]
        assert listed.count("<li>") == slides > 5
    assert plan.count("<h1>") == 1


def code(sheet):
    cells = dict(site.notebooks())[sheet.stem].cells
    return next(cell.source for cell in cells if cell.cell_type == "code")


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.stem)
def test_a_sheet_is_one_page(sheet):
    text = sheet.read_text()
    syllabus = (site.COURSE / "syllabus_12.md").read_text()
    assert f"## {text.partition(chr(10))[0].removeprefix('# ')}\n" in syllabus
    assert re.findall(r"^\*\*([^*]+)\.\*\*", text, re.M) == [
        "Question",
        "Three terms",
        "Exercise",
        "To run",
    ]
    assert len(re.findall(r"^- \*\*", text, re.M)) == 3 and len(text.splitlines()) <= 55
    nbformat.validate(dict(site.notebooks())[sheet.stem])
    imported = set(re.findall(r"^(?:from|import) (\w+)", code(sheet), re.M))
    assert imported <= {"numpy", "scipy", "sklearn"}


@pytest.mark.slow
def test_the_cells_of_sheets_run_with_scikit_learn_alone(tmp_path):
    done = subprocess.run(
        [sys.executable, "-I", "-c", ALONE],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        input=json.dumps([code(sheet) for sheet in SHEETS]),
    )
    assert done.returncode == 0 and not done.stderr, done.stderr


def test_the_tables_of_session_5_are_the_printed_ones():
    text = (site.COURSE / "sheets" / "tables_05.md").read_text()
    rows = [
        row.split(" | ")[1:]
        for row in re.findall(r"^\| (?=NB|C4\.5)(.*) \|$", text, re.M)
    ]
    cells = pd.read_csv(
        chapters.ROOT / "book/companion/papers/published/cells.csv", dtype=str
    )
    printed = cells[
        cells["item_id"].isin([f"bouckaert_frank2004.tab0{i}" for i in (2, 3, 4)])
    ]
    assert [x for row in rows for x in row] == printed["printed"].tolist()


def test_the_first_pages_hold_the_answers_of_the_cold_reader():
    text = (site.COURSE / "cold_reader.md").read_text()
    questions, answers = text.split("## Answers")
    assert [
        len(re.findall(r"^\d\. ", part, re.M)) for part in (questions, answers)
    ] == [5, 5]
    named = ["01_another_seed.md", "02_which_test.md", "07_significant_again.md"]
    assert sorted(set(re.findall(r"notebooks/(\w+\.md)", answers))) == named

"""Two sites are the same only if pages, ids and numbers are."""

import subprocess
import sys

import pytest

from companion.engine.build import chapters

PAGE = """<div id="pst-header"></div><article class="bd-article"><h1 id="a">A</h1>
<span class="pasted-text">0.5</span> <span class="pasted-text">−1</span>
<span class="caption-number">Fig. 1 </span><span class="eqno">(1.1)<a>#</a></span></article>"""


def compared(one, other):
    done = subprocess.run(
        [sys.executable, chapters.ROOT / ".ci" / "same_pages.py", one, other],
        capture_output=True, text=True, check=False,
    )
    assert not done.stderr
    return done.returncode, done.stdout


@pytest.fixture
def sites(tmp_path):
    """Two sites of two pages: one has slides beside them, the other a bar with an id."""
    for site in ("one", "other"):
        (tmp_path / site / "book" / "slides").mkdir(parents=True)
        for name in ("index", "book/a"):
            (tmp_path / site / f"{name}.html").write_text(PAGE)
    (tmp_path / "one" / "book" / "slides" / "01.html").write_text("")
    (tmp_path / "one" / "index.html").write_text(PAGE.replace("pst-header", "pst-footer"))
    return tmp_path / "one", tmp_path / "other"


def test_the_same(sites):
    code, said = compared(*sites)
    assert code == 0 and "2 and 2 pages, 0 differences" in said and "glued number: 4" in said


@pytest.mark.parametrize("old, new, words", [
    ('id="a"', "", "id 'a' only of"),
    ("0.5", "0.6", "glued number '0.6' only of"),
    ('<span class="pasted-text">0.5</span>', "", "glued number '0.5' only of"),
    ('0.5</span> <span class="pasted-text">−1', '−1</span> <span class="pasted-text">0.5',
     "glued number, in another order"),
    ("Fig. 1 ", "Fig. 2 ", "number of a caption 'Fig. 1 ' only of"),
    ("(1.1)", "(1.2)", "number of a formula '(1.1)' only of"),
])
@pytest.mark.parametrize("changed", [0, 1])
def test_what_differs_is_said(sites, changed, old, new, words):
    (sites[changed] / "book" / "a.html").write_text(PAGE.replace(old, new))
    code, said = compared(*sites)
    assert code == 1 and f"book/a.html: {words}" in said


@pytest.mark.parametrize("changed", [0, 1])
def test_a_missing_page_is_said(sites, changed):
    (sites[changed] / "book" / "a.html").unlink()
    code, said = compared(*sites)
    assert code == 1 and f"book/a.html: a page only of {sites[1 - changed]}" in said


def test_sites_without_numbers_are_not_the_same(tmp_path):
    for site in ("one", "other"):
        (tmp_path / site).mkdir()
        (tmp_path / site / "index.html").write_text("<article><h1>A</h1></article>")
    code, said = compared(tmp_path / "one", tmp_path / "other")
    assert code == 1 and "glued number: none in" in said

"""A light site: the icons in use, and no file that nothing asks for."""

import base64
import hashlib
import io
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import pydata_sphinx_theme
import pytest
from fontTools.ttLib import TTFont

from companion.engine.build import chapters
from companion.engine.sphinx import weight

THEME = Path(pydata_sphinx_theme.__file__).parent / "theme/pydata_sphinx_theme/static"
PAGE = """<head><link href="_static/styles/theme.css" rel="stylesheet">
<link href="_static/styles/pydata-sphinx-theme.css?v=1" rel="stylesheet">
<link rel="stylesheet" type="text/css" href="_static/katex.css?v=1" />
<link rel="stylesheet" type="text/css" href="_static/replib.css?v=1" />
<script src="_static/documentation_options.js?v=2"></script>
<script src="_static/scripts/bootstrap.js"></script>
<script>DOCUMENTATION_OPTIONS.pagename = "index";</script></head><img src="data:,">
<a href="https://elsewhere.org/_static/unasked.png"><i class="fa-solid fa-moon"></i></a>
"""


@pytest.fixture
def site(tmp_path):
    """A site of one page with the files of the installed theme."""
    site = tmp_path / "html"
    shutil.copytree(THEME, site / "_static")
    (site / "index.html").write_text(PAGE)
    (site / "_static" / "unasked.png").touch()
    (site / "_static" / "basic.css").write_text("a {background: url(file.png)}")
    for name in ("file.png", "katex.css", "letter.ttf"):
        (site / "_static" / name).touch()
    (site / "_static" / "replib.css").write_text(
        "@font-face {src: url('letter.ttf')} b {background: url('data:,%3Ca')}"
    )
    options = site / "_static" / "documentation_options.js"
    options.write_text("const DOCUMENTATION_OPTIONS = {};")
    return site


def faces(site):
    """The fonts within the style of the theme, by weight and family."""
    style = (site / "_static/styles/pydata-sphinx-theme.css").read_text()
    found = re.findall(
        r"font-family:([^;]+);font-style:normal;font-weight:(\d+);"
        r"src:url\(data:font/woff;base64,([^)]+)\)",
        style,
    )
    return {
        (family.replace("\\", ""), int(heaviness)): TTFont(
            io.BytesIO(base64.b64decode(data))
        )
        for family, heaviness, data in found
    }


def test_the_style_has_the_icons_that_pages_and_scripts_name(site):
    (site / "_static" / "own.js").write_text('element.className = "fa-solid fa-print";')
    weight.cut_icons(site)
    style = (site / "_static/styles/pydata-sphinx-theme.css").read_text()
    assert ".fa-moon:before" in style and ".fa-print:before" in style
    assert ".fa-car:before" not in style
    found = faces(site)
    assert len(found) == 3
    solid = found["Font Awesome 6 Free", 900].getBestCmap()
    assert {0xF186, 0xF02F} <= solid.keys() and 0xF1B9 not in solid
    assert len(style) < 330_000


def test_it_is_the_same_whenever_it_is_made(site):
    styles = []
    for _ in range(2):
        shutil.copytree(THEME, site / "_static", dirs_exist_ok=True)
        weight.cut_icons(site)
        styles.append((site / "_static/styles/pydata-sphinx-theme.css").read_bytes())
    assert styles[0] == styles[1]


def test_what_is_asked_for_stays_and_what_is_not_goes(site, monkeypatch, tmp_path):
    root = tmp_path / "checkout"
    (root / "book" / "_static").mkdir(parents=True)
    (root / "book" / "_static" / "table.csv").touch()
    (site / "_static" / "table.csv").touch()
    monkeypatch.setattr(chapters, "ROOT", root)
    builder = SimpleNamespace(format="html")
    app = SimpleNamespace(builder=builder, srcdir=root, outdir=site)
    weight.lighten(app, None)
    left = {
        file.relative_to(site / "_static").as_posix()
        for file in (site / "_static").rglob("*")
        if file.is_file()
    }
    assert left == {
        "documentation_options.js",  # for the pages of reruns, as the single styles
        "file.png",
        "katex.css",
        "letter.ttf",
        "replib.css",
        "scripts/bootstrap.js",
        "scripts/bootstrap.js.LICENSE.txt",  # the script says where its licence is
        "styles/joined.css",
        "styles/pydata-sphinx-theme.css",
        "styles/theme.css",
        "table.csv",  # of the book itself
    }
    theme = (site / "_static/styles/theme.css").read_text()
    assert "url(../file.png)" in theme and "@import" not in theme
    for file in ("scripts/bootstrap.js", "styles/pydata-sphinx-theme.css"):
        assert "sourceMappingURL" not in (site / "_static" / file).read_text()


@pytest.mark.parametrize("times", [1, 2])
def test_a_page_asks_for_one_style_and_waits_for_no_script(site, times):
    """Also if it is left from an earlier build, whose style was another."""
    page = site / "book" / "a.html"
    page.parent.mkdir()
    page.write_text(PAGE.replace("_static", "../_static"))
    if times == 2:
        weight.join_styles(site)
        with (site / "_static" / "replib.css").open("a") as style:
            style.write(" i {color: red}")
    weight.join_styles(site)
    joined = (site / "_static/styles/joined.css").read_text()
    for text in ("url(../letter.ttf)", "url('data:,%3Ca')", "--pst-font-size-base"):
        assert text in joined
    version = hashlib.sha256(joined.encode()).hexdigest()[:8]
    for html, up in (
        (page.read_text(), "../"),
        ((site / "index.html").read_text(), "./"),
    ):
        asked = re.findall(r'<link [^>]*href="([^"]*)"', html)
        link = f"{up}_static/styles/joined.css?v={version}"
        assert asked == [f"{up}_static/katex.css?v=1".removeprefix("./"), link]
        assert "<script>const DOCUMENTATION_OPTIONS = {};</script>" in html
        assert re.findall("<script ([a-z]+)", html) == ["defer"]


def test_pages_share_a_long_script(site):
    long = "const data = 1;" + " " * 20_000
    for name in ("a.html", "b.html", "book/c.html"):
        page = site / name
        page.parent.mkdir(exist_ok=True)
        page.write_text(f"<p>1</p><script>{long}</script><script>short()</script>")
    weight.move_scripts(site)
    (file,) = (site / "_static/scripts/of_pages").iterdir()
    assert file.read_text() == long
    for name, root in (("a.html", "."), ("b.html", "."), ("book/c.html", "..")):
        assert (site / name).read_text() == (
            f'<p>1</p><script defer src="{root}/_static/scripts/of_pages/{file.name}">'
            "</script><script>short()</script>"
        )
    assert file not in weight.unasked(site, own=site / "none")


def test_other_projects_and_failed_builds_are_left_alone(site):
    before = sorted(site.rglob("*"))
    builder = SimpleNamespace(format="html")
    app = SimpleNamespace(builder=builder, srcdir=chapters.ROOT, outdir=site)
    weight.lighten(app, ValueError())
    weight.lighten(SimpleNamespace(builder=builder, srcdir="/run", outdir=site), None)
    assert sorted(site.rglob("*")) == before

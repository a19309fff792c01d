"""Two configured addresses give all links; none gives none."""

import re
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest
from docutils import nodes

from companion.engine.build import chapters
from companion.engine.sphinx import identity

HERE = "https://github.com/someone/a-book"


def app_of(url, base=""):
    return SimpleNamespace(
        config=SimpleNamespace(
            html_theme_options={"repository_url": url},
            html_title="A book",
            project="A book",
            html_baseurl=base,
            html_context={},
        )
    )


def described(app, page="book/chapters/10_sample"):
    identity.name_book(app, app.config)
    context = {"title": "<em>A</em> chapter"}
    doctree = nodes.container()
    doctree += nodes.paragraph(
        text="Which of two is better, and " + "would it be so again? " * 20
    )
    identity.describe(app, page, "page.html", context, doctree)
    return context


@pytest.mark.parametrize(
    "url", ["", None, "https://github.com/executablebooks/jupyter-book"]
)
def test_without_an_address_there_is_no_link(url):
    app = app_of(url)
    context = described(app)
    assert "header_buttons" not in context
    assert not app.config.html_theme_options["repository_url"]
    assert "og:url" not in context["metatags"]


def test_with_an_address_chapters_can_be_run():
    app = app_of(HERE + "/", base="https://book.example/")
    context = described(app)
    binder, colab, code = [button["url"] for button in context["header_buttons"]]
    assert binder.startswith(
        "https://mybinder.org/v2/gh/someone/a-book/main?urlpath=replib/"
    )
    assert binder.endswith("book/chapters/10_sample.html")
    assert colab.startswith(
        "https://colab.research.google.com/github/someone/a-book/blob/gh-pages"
    )
    assert colab.endswith("/_sources/book/chapters/10_sample.ipynb")
    assert code == HERE  # there is no such chapter, and so nothing to edit
    assert (
        'content="https://book.example/book/chapters/10_sample.html"'
        in context["metatags"]
    )


def links_of(page, address, base=""):
    return {words: url for _, words, url in identity.links(page, address, base, "next")}


def test_any_address_will_do():
    elsewhere = "https://code.example.org/someone/a-book"
    found = links_of(
        "book/chapters/01_another_seed", elsewhere, "https://example.org/book"
    )
    assert found == {
        "Run this chapter on Binder": "https://mybinder.org/v2/git/https%3A%2F%2Fcode.example.org"
        "%2Fsomeone%2Fa-book/next?urlpath=replib/book/chapters/01_another_seed.html",
        "Edit this page": f"{elsewhere}/edit/next/notebooks/01_another_seed.md",
        "See the code of this book": elsewhere,
    }


@pytest.mark.parametrize(
    "page, file",
    [
        ("book/notation", "book/notation.md"),
        ("book/reference/methods", "book/reference/methods.md"),
        ("book/reference/papers/uci", None),
        ("_modules/replib/schemes", None),
        ("genindex", None),
    ],
)
def test_only_what_somebody_wrote_can_be_edited(page, file):
    edit = links_of(page, HERE).get("Edit this page")
    assert edit == (file and f"{HERE}/edit/next/{file}")


@pytest.mark.parametrize("root", ["book/intro", "index"])
def test_the_address_of_the_site_leads_to_its_first_page_under_the_mark(root, tmp_path):
    app = app_of("")
    app.config.root_doc = root
    app.builder, app.outdir = SimpleNamespace(format="html"), tmp_path
    identity.lead_to_first_page(app, None)
    texts = [file.read_text() for file in tmp_path.iterdir()]
    assert len(texts) == (root != "index")  # a first page that is there already stays
    for text in texts:
        assert "url=book/intro.html" in text and 'href="_static/mark.svg"' in text


@pytest.mark.parametrize("base", ["", "https://example.org/book/"])
def test_the_map_of_the_site_needs_an_address(base, tmp_path):
    app = app_of("", base)
    app.builder, app.outdir = SimpleNamespace(format="html"), tmp_path
    app.env = SimpleNamespace(found_docs={"book/notation", "book/intro"})
    identity.write_site_map(app, None)
    found = [file.read_text() for file in tmp_path.iterdir()]
    assert [re.findall("<loc>(.*)</loc>", text) for text in found] == (
        [
            [
                "https://example.org/book/book/intro.html",
                "https://example.org/book/book/notation.html",
            ]
        ]
        if base
        else []
    )


CONF = """
import sys
sys.path[:0] = {paths!r}
project, html_title, html_theme, html_baseurl = "A book", "A book", "sphinx_book_theme", {base!r}
extensions = ["companion.engine.sphinx.identity"]
html_theme_options = {{"repository_url": {url!r}}}
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "url, base",
    [
        ("", ""),
        ("https://code.example.org/someone/a-book", "https://example.org/book"),
    ],
)
def test_the_theme_takes_any_address(url, base, tmp_path):
    project, chapter = tmp_path / "project", tmp_path / "project/book/chapters/x.rst"
    chapter.parent.mkdir(parents=True)
    chapter.write_text("A chapter\n=========\n\nText.\n")
    (project / "index.rst").write_text(
        "A book\n======\n\n.. toctree::\n\n   book/chapters/x\n"
    )
    paths = [str(path) for path in chapters.PACKAGES]
    (project / "conf.py").write_text(CONF.format(paths=paths, url=url, base=base))
    (project / "book" / "_static").mkdir()
    shutil.copy(
        chapters.ROOT / "book" / "_static" / "mark.svg", project / "book" / "_static"
    )
    command = [sys.executable, "-m", "sphinx", "-W", "-q", project, tmp_path / "html"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "html/book/chapters/x.html").read_text()
    assert ("mybinder.org" in page, "code.example.org" in page) == (
        bool(url),
        bool(url),
    )
    assert 'href="https:///' not in page and 'href="/edit/' not in page
    assert (tmp_path / "html" / "sitemap.xml").exists() == bool(base)


def test_a_description_is_short_and_ends_at_a_word():
    metatags = described(app_of(""))["metatags"]
    text = metatags.split('name="description" content="')[1].split('"')[0]
    assert len(text) <= 202 and text.endswith(" …") and "<em>" not in metatags

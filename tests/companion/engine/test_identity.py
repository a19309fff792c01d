"""One configured address gives links to the code and a button to Binder; none gives none."""

from types import SimpleNamespace

import pytest
from docutils import nodes

from companion.engine.extensions import identity

HERE = "https://github.com/someone/a-book"


def app_of(url, base=""):
    return SimpleNamespace(config=SimpleNamespace(
        html_theme_options={"repository_url": url}, html_title="A book", project="A book",
        html_baseurl=base,
    ))


def described(app, page="book/chapters/10_sample"):
    identity.name_book(app, app.config)
    context = {"title": "<em>A</em> chapter"}
    doctree = nodes.container()
    doctree += nodes.paragraph(text="Which of two is better, and " + "would it be so again? " * 20)
    identity.describe(app, page, "page.html", context, doctree)
    return context


@pytest.mark.parametrize("url", ["", None, "https://github.com/executablebooks/jupyter-book"])
def test_without_an_address_there_is_no_link(url):
    app = app_of(url)
    context = described(app)
    assert "header_buttons" not in context
    assert not app.config.html_theme_options["use_repository_button"]
    assert "og:url" not in context["metatags"]


def test_with_an_address_chapters_can_be_run():
    app = app_of(HERE + "/", base="https://book.example/")
    context = described(app)
    [button] = context["header_buttons"]
    assert button["url"].startswith("https://mybinder.org/v2/gh/someone/a-book/HEAD")
    assert button["url"].endswith("notebooks/10_sample.md")
    assert app.config.html_theme_options["use_repository_button"]
    assert 'content="https://book.example/book/chapters/10_sample.html"' in context["metatags"]
    assert "header_buttons" not in described(app_of(HERE), page="book/notation")


def test_a_description_is_short_and_ends_at_a_word():
    metatags = described(app_of(""))["metatags"]
    text = metatags.split('name="description" content="')[1].split('"')[0]
    assert len(text) <= 202 and text.endswith(" …") and "<em>" not in metatags


def picture_cell(url):
    code = "from companion.engine.pictures import sample as pictures\nplot.show(pictures.curve(x))"
    cell, fold, figure = nodes.container(classes=["cell"]), nodes.container(), nodes.figure()
    fold += nodes.literal_block(code, code)
    figure += nodes.caption("A curve.", "A curve.")
    cell += [fold, figure]
    doctree = nodes.container()
    doctree += cell
    identity.say_where_figures_are_drawn(app_of(url), doctree, "book/chapters/10_sample")
    return doctree


def test_a_figure_names_what_drew_it():
    for url in ("", HERE):
        doctree = picture_cell(url)
        assert "Drawn by book/companion/engine/pictures/sample.py, curve" in doctree.astext()
        links = [link["refuri"] for link in doctree.findall(nodes.reference)]
        assert [link.startswith(f"{HERE}/blob/") for link in links] == ([True] if url else [])

"""Pages: chapters without numbers where none were executed, the page of a copy, the site."""

import nbformat
import pytest

from companion.engine.build import chapters, pages, staleness
from companion.engine.build.execution import ChapterFailed

TEXT = """---
kernelspec:
  display_name: Python 3
  name: python3
replib:
  minutes_to_read: 1
---

# A chapter

Of {glue:text}`n` runs {glue:md}`share:.1f` % agree.

```{code-cell} ipython3
---
mystnb:
  figure:
    name: fig-x
    caption: |
      It errs in {glue:text}`error:.1f`%.
---
draw()
```
"""


def test_a_chapter_that_was_not_executed_has_its_text_and_its_labels(project):
    (project / "notebooks" / "10_sample.md").write_text(TEXT)
    pages.fill_gaps()
    chapter = chapters.find("sample")
    cells = nbformat.read(chapter.executed, as_version=4).cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    assert "Of … runs … % agree." in text and "replib build sample" in text
    assert (
        cells[-1].metadata["mystnb"]["figure"]["name"] == "fig-x" and cells[-1].outputs
    )
    assert "It errs in …%." in cells[-1].metadata["mystnb"]["figure"]["caption"]
    assert not chapters.executed_metadata(chapter.executed)


def test_a_gap_is_filled_where_the_code_is_another_or_the_chapter_is_no_more(project):
    chapter = chapters.find("sample")
    executed = nbformat.from_dict(chapter.notebook)
    source = staleness.of_source(chapter)
    executed.metadata["language_info"] = {"name": "python"}
    executed.metadata["replib"] = {"key": "0", "source": source, "data": {}}
    chapter.executed.parent.mkdir()
    chapters.write_sealed(executed, chapter.executed)
    (chapters.CHAPTERS / "09_gone.ipynb").write_text("{}")
    pages.fill_gaps()
    assert chapters.executed_metadata(chapter.executed)
    assert [file.name for file in chapters.CHAPTERS.iterdir()] == ["10_sample.ipynb"]
    text = chapter.source.read_text()
    chapter.source.write_text(text.replace("A chapter", "Another"))
    pages.fill_gaps()
    assert chapters.executed_metadata(chapter.executed)
    assert "Another" in chapter.executed.read_text()
    chapter.source.write_text(text.replace("(3)", "(4)"))
    pages.fill_gaps()
    assert not chapters.executed_metadata(chapter.executed)


@pytest.mark.parametrize(
    "old, new",
    [
        (
            'href="../../_static/x.css?d=1"',
            'href="../../../_build/run/html/_static/x.css?d=1"',
        ),
        ('src="../../_static/x.js"', 'src="../../../_build/run/html/_static/x.js"'),
        ('href="10_sample.html#top"', 'href="sample.html#top"'),
        ('href="../../_sources/book/chapters/10_sample.ipynb"', 'href="sample.ipynb"'),
        (
            'href="11_built.html#fig"',
            'href="../../../_build/html/book/chapters/11_built.html#fig"',
        ),
        ('href="12_missing.html"', f'title="{pages._NOT_BUILT}"'),
        ('href="#below"', 'href="#below"'),
        ('href="https://example.org/a"', 'href="https://example.org/a"'),
        ('src="data:image/png;base64,AA=="', 'src="data:image/png;base64,AA=="'),
        ('data-content_root="../../"', 'data-content_root="../../../_build/run/html/"'),
    ],
)
def test_addresses_of_the_page_of_a_copy(project, old, new):
    built = chapters.BUILD / "html" / "book" / "chapters" / "11_built.html"
    built.parent.mkdir(parents=True)
    built.touch()
    page = chapters.RUNS / "sample" / "12345678" / "sample.html"
    moved = pages._moved(
        f"<a {old}>",
        "book/chapters/10_sample.html",
        chapters.BUILD / "run" / "html",
        page,
        page.with_suffix(".ipynb"),
    )
    assert moved == f"<a {new}>"


@pytest.fixture
def sphinx(project, monkeypatch):
    """Replaces Sphinx: writes a first page that says `text`, or writes half of it and fails."""

    class Sphinx:
        text, fails, began_with = "one", False, None
        documents = ("book/intro",)

        def make_site(self, workshop, log, edition):
            html = workshop / "_build" / "html"
            self.began_with = sorted(file.name for file in html.glob("*"))
            html.mkdir(parents=True, exist_ok=True)
            (html / "index.html").write_text(self.text[:1] if self.fails else self.text)
            names = ",".join(f'"{name}"' for name in self.documents)
            index = f'Search.setIndex({{"alltitles":{{}},"docnames":[{names}],"terms":{{}}}})'
            (html / "searchindex.js").write_text(index)
            for name in self.documents:
                for file in (html / f"{name}.html", html / "_sources" / f"{name}.md"):
                    file.parent.mkdir(parents=True, exist_ok=True)
                    file.write_text(name)
            if self.fails:
                raise ChapterFailed("a warning")

    monkeypatch.setattr(pages, "fill_gaps", lambda: None)
    monkeypatch.setattr(pages, "_inputs", lambda: ())
    monkeypatch.setattr(pages, "sphinx_process", standing := Sphinx())
    return standing


def test_a_page_that_left_the_book_leaves_the_site(sphinx):
    sphinx.documents = ("book/intro", "book/chapters/12.5_old", "book/old")
    site = pages.render().parent
    assert (site / "book" / "old.html").is_file()
    (site / "book" / "mine.html").touch()  # no page of the book
    site.with_suffix(".stamp").unlink()
    sphinx.documents = ("book/intro", "book/new")
    pages.render()
    found = {file.relative_to(site).as_posix() for file in site.rglob("*.*")}
    assert found == {
        *("index.html", "searchindex.js", "book/mine.html"),
        *("book/intro.html", "book/new.html"),
        *("_sources/book/intro.md", "_sources/book/new.md"),
    }


def test_a_site_that_could_not_be_made_leaves_the_old_one(sphinx):
    page = pages.render()
    assert page.read_text() == "one" and sphinx.began_with == []
    page.parent.with_suffix(".stamp").unlink()  # as if something had changed
    sphinx.text, sphinx.fails = "two", True
    with pytest.raises(ChapterFailed):
        pages.render()
    assert page.read_text() == "one" and "index.html" in sphinx.began_with
    sphinx.fails = False
    assert pages.render().read_text() == "two"
    assert (
        sphinx.began_with == []
    )  # nothing of a build that failed is taken for up to date

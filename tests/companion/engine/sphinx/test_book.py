"""Notebooks to download: those of the edition, and with what Colab needs if there is an address."""

from types import SimpleNamespace

import nbformat
import pytest
from click.testing import CliRunner

from companion.engine.build import chapters, editions
from companion.engine.cli import main
from companion.engine.sphinx import book

SOLUTION = ":::{exercise} Q\n:label: ex\nWhat?\n:::\n\n:::{solution} ex\nThis.\n:::"


@pytest.mark.parametrize("edition, solved", [("student", False), ("book", True)])
@pytest.mark.parametrize("address", ["", "https://code.example.org/someone/a-book"])
def test_a_page_offers_the_notebook_of_its_edition(
    project, notebook, edition, solved, address, monkeypatch
):
    folder = project / "html" / "_sources" / "book" / "chapters"
    for needed in (folder, chapters.CHAPTERS):
        needed.mkdir(parents=True)
    executed = nbformat.read(
        notebook(chapters.CHAPTERS / "10_sample.ipynb"), as_version=4
    )
    executed.cells[0].source += f"\n\n{SOLUTION}"
    nbformat.write(executed, chapters.CHAPTERS / "10_sample.ipynb")
    monkeypatch.setenv(editions.VARIABLE, edition)
    book.put_notebooks(
        SimpleNamespace(
            builder=SimpleNamespace(format="html"),
            srcdir=project,
            outdir=project / "html",
            config=SimpleNamespace(html_context={"replib_repository": address}),
        ),
        None,
    )
    found = nbformat.read(folder / "10_sample.ipynb", as_version=4)
    nbformat.validate(found)
    text = "\n".join(cell.source for cell in found.cells)
    assert "What?" in text and ("This." in text) == solved
    assert ("google.colab" in text) == bool(address) and address in text
    assert found.cells[-1].outputs


def test_notebooks_are_written_once(project, monkeypatch):
    folder = project / "mine"
    said = [
        CliRunner().invoke(main, ["notebook", "--into", str(folder)]) for _ in range(2)
    ]
    file = folder / "10_sample.ipynb"
    assert [one.output for one in said] == [f"open {file}\n", f"kept {file}\n"]
    cells = nbformat.read(file, as_version=4).cells
    assert [cell.source for cell in cells] == [
        cell.source for cell in chapters.find("sample").notebook.cells
    ]


def test_words_that_are_on_no_page_leave_the_index_of_the_search(tmp_path):
    index = tmp_path / "searchindex.js"
    app = SimpleNamespace(outdir=tmp_path)
    book.drop_words_of_no_page(app, None)  # no index was made
    text = (
        'Search.setIndex({"terms": {"a": 0, "b": [], "c": [1, 2]}, "titleterms": {}})'
    )
    index.write_text(text)
    for _ in range(2):
        book.drop_words_of_no_page(app, None)
        assert index.read_text() == (
            'Search.setIndex({"terms":{"a":0,"c":[1,2]},"titleterms":{}})'
        )

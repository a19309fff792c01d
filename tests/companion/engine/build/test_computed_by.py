"""Each table and figure names what computed it, with source that is there and runs."""

import ast

import nbformat
import pytest

from companion.engine.build import chapters, computed_by

CELLS = [
    "from companion.papers.bouckaert2004 import table_1\nfrom companion import stored",
    "runs = stored.load('x')\ncompared = table_1.half_widths(runs).head()",
    "book.glue(n=table_1.published())",
    "compared",
    "compared.describe()",
]


def notebook(*shown):
    cells = [
        nbformat.v4.new_code_cell(source, id=f"c-{i}") for i, source in enumerate(CELLS)
    ]
    for i in shown:
        cells[i].outputs = [
            nbformat.v4.new_output("display_data", {"text/html": "<p>1</p>"})
        ]
    return nbformat.v4.new_notebook(cells=cells)


def added(book):
    return {cell.id: cell.source for cell in book.cells if cell.id.startswith("by-")}


def test_a_shown_variable_is_traced_to_the_function_that_assigned_it():
    book = notebook(3)
    computed_by.insert(book)
    assert list(added(book)) == ["by-c-3"]
    fold = added(book)["by-c-3"]
    assert "Computed by <code>papers.bouckaert2004.table_1.half_widths</code>" in fold
    assert "def half_widths(" in fold
    assert "stored" not in fold.partition("```")[0]


def test_source_stands_once_on_a_page_and_is_linked_where_there_is_an_address():
    book = notebook(3, 4)
    computed_by.insert(book, "https://example.org/blob/abc/book")
    first, second = added(book).values()
    assert (
        "https://example.org/blob/abc/book/companion/papers/bouckaert2004/table_1.py"
        in first
    )
    assert "def half_widths(" not in second
    assert 'href="#computed-by-papers-bouckaert2004-table_1-half_widths"' in second


@pytest.mark.parametrize("tag", ["remove-cell", "remove-output"])
def test_what_a_reader_does_not_see_names_nothing(tag):
    book = notebook(3)
    book.cells[3].metadata["tags"] = [tag]
    computed_by.insert(book)
    assert not added(book)


def test_source_of_every_chapter_is_there_and_whole():
    shown = set()
    for chapter in chapters.chapters():
        trace = computed_by.Trace()
        for cell in chapter.notebook.cells:
            if cell.cell_type == "code":
                shown |= set(trace.run(cell.source))
    assert len(shown) > 100
    for module, name in shown:
        defined = ast.parse(computed_by.sources(module, name)[1]).body
        assert defined[0].name == name

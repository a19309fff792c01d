"""On a page of the short book, parameters, costs and code come last; downloads keep their order."""

import nbformat

from companion.engine.build import last_fold, marks


def page():
    code, text = nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell
    cells = [
        text("# Question", id="question"),
        code("alpha = 0.05", id="alpha", metadata={"tags": ["parameters"]}),
        code("explorers.machine(counts)", id="picture"),
        text("<details>its code</details>", id="by-picture"),
        code("book.glue(a=1)\nbook.card('x')", id="card"),
        text("## What next", id="next"),
    ]
    return nbformat.v4.new_notebook(cells=cells)


def test_the_making_of_a_page_is_in_a_fold_at_its_end():
    notebook = page()
    last_fold.gather(notebook)
    assert [cell.id for cell in notebook.cells] == [
        "question",
        "picture",
        "to-the-making",
        "next",
        "making",
        "alpha",
        "by-picture",
        "card",
        "end-of-making",
    ]
    opened, closed = notebook.cells[4].source, notebook.cells[-1].source
    assert opened.startswith("<details") and closed == "</details>"
    assert f'id="{last_fold.ANCHOR}"' in opened
    assert "#replib-parameters" in notebook.cells[2].source
    assert marks._CHANGE not in notebook.cells[2].source  # *next change* is not for it

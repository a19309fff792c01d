"""On a page of the short book, all that is about its making stands in one fold at the end.

A reader meets the question and the picture first.  The cell of parameters, the card
with costs and parameters, and the sources of what was computed come last; a link below
the first picture leads there.  The notebook that readers download keeps its order,
because there the parameters have to be set first.
"""

import nbformat

#: Number of the last chapter of the short book.
LAST_SHORT_CHAPTER = 7
ANCHOR = "made"

_OPEN = (
    f'<details class="replib-made" id="{ANCHOR}">'
    "<summary>How this page was made: parameters, costs, code</summary>"
)
#: To the form with the parameters, which opens the fold; without scripts, to the fold.
_LINK = '<p class="replib-to-form"><a href="#replib-parameters">change or check this</a></p>'


def gather(notebook: nbformat.NotebookNode) -> None:
    """Move what is about the making of a page into a fold at its end.

    Parameters
    ----------
    notebook : NotebookNode
        A chapter as readers see it, with the sources that `computed_by` inserts;
        changed in place.
    """
    last = [cell for cell in notebook.cells if _is_about_making(cell)]
    rest = [cell for cell in notebook.cells if not _is_about_making(cell)]
    for place, cell in enumerate(rest):
        if _is_picture(cell):
            rest.insert(place + 1, _markdown(_LINK, "to-the-making"))
            break
    fold = [_markdown(_OPEN, "making"), *last, _markdown("</details>", "end-of-making")]
    notebook.cells = [*rest, *fold]


def _is_about_making(cell: nbformat.NotebookNode) -> bool:
    if cell.get("id", "").startswith("by-"):
        return True
    is_parameters = {"parameters", "injected-parameters"} & {
        *cell.metadata.get("tags", ())
    }
    return bool(is_parameters) or "book.card(" in cell.source


def _is_picture(cell: nbformat.NotebookNode) -> bool:
    return cell.cell_type == "code" and "explorers." in cell.source


def _markdown(text: str, name: str) -> nbformat.NotebookNode:
    return nbformat.v4.new_markdown_cell(text, id=name)

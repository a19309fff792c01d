"""What a rerun changed, marked where the reader meets it on the page.

A changed value of the text stands beside the default, which is small and struck through.
In a changed table each cell does.  Any other output that changed, such as a figure, gets
a switch between both runs.
"""

import html
import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import nbformat
from bs4 import BeautifulSoup, NavigableString, Tag
from nbformat import NotebookNode

from companion.engine.build import editions, outputs
from companion.engine.build.quotations import (
    names_that_repeat_parameters,
    text_of_value,
)
from companion.engine.show import display
from companion.engine.show.pictures.common_axes import on_common_axes
from companion.engine.show.prose import in_prose

#: Of what *next change* visits; `templates/rerun.js` looks for it.
_CHANGE = "replib-change"
_NOT_SHOWN = {"remove-cell", "remove-output"}


class Marked(NamedTuple):
    """An executed chapter with marks, and how many of its outputs changed.

    Attributes
    ----------
    notebook : NotebookNode
    figures, tables : int
        Tables are with text that a cell prints.
    """

    notebook: NotebookNode
    figures: int
    tables: int


def marked(default: Path, yours: Path) -> Marked:
    """Return your execution of a chapter with marks where it differs from the default one."""
    notebook = _without_bets(nbformat.read(yours, as_version=4))
    of_default = _without_bets(nbformat.read(default, as_version=4))
    before = {cell.id: cell for cell in of_default.cells}
    change_roles = _Roles(
        outputs.glued(default),
        outputs.glued(yours),
        names_that_repeat_parameters(notebook),
    )
    changed: Counter[str] = Counter()
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = change_roles.marked(cell.source)
            continue
        if figure := cell.metadata.get("mystnb", {}).get("figure"):
            figure["caption"] = change_roles.marked(figure.get("caption", ""))
        is_shown = not _NOT_SHOWN & {*cell.metadata.get("tags", ())}
        if is_shown and cell.id in before:
            changed += _mark_outputs(cell, before[cell.id])
    return Marked(notebook, changed["figure"], changed["table"])


def _without_bets(notebook: NotebookNode) -> NotebookNode:
    """Take out the bets: a picture that waits for one would hide what has changed."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if not _is_bet(output)]
    return notebook


def _is_bet(output: NotebookNode) -> bool:
    shown = output.get("data", {}).get("text/html", "")
    return shown.lstrip().startswith('<form class="replib-bet"')


class _Roles(NamedTuple):
    """The roles that quote glued values, with the values of both runs."""

    default: Mapping[str, object]
    yours: Mapping[str, object]
    repeating: set[str]

    def marked(self, text: str) -> str:
        """Return Markdown in which each changed value stands beside the default."""
        return editions.GLUED.sub(self._marked_role, text)

    def _marked_role(self, role: re.Match) -> str:
        name, spec = role.groups()
        before, after = (
            text_of_value(values.get(name), spec or "")
            for values in (self.default, self.yours)
        )
        if before == after:
            return role[0]
        classes = "replib-yours"
        if name not in self.repeating:
            classes += f" replib-marked {_CHANGE}"
        return _beside(_literal(in_prose(before)), role[0], classes)


def _beside(default: str, yours: str, classes: str) -> str:
    """Return the default, followed by your value: what follows, a unit, belongs to yours."""
    inserted = f'<ins class="{classes}">{yours}</ins>'
    if not default:
        return inserted
    name = '<span class="visually-hidden">default </span>'
    gap = "" if default.endswith("\n") else " "  # a line of output begins at its margin
    return f'<del class="replib-default">{name}{default}</del>{gap}{inserted}'


def _literal(text: str) -> str:
    """Return Markdown that shows a text as it is; a formula is left to be drawn.

    >>> _literal("a*b")
    'a&#42;b'
    """
    if "$" in text:
        return text
    return re.sub(r"[^\w\s]", lambda sign: f"&#{ord(sign[0])};", text)


def _mark_outputs(cell: NotebookNode, before: NotebookNode) -> Counter[str]:
    """Mark what a cell shows other than in the default run; count it by its kind."""
    glued = [output for output in cell.outputs if not _is_shown(output)]
    shown = [output for output in cell.outputs if _is_shown(output)]
    yours = [_as_html(output) for output in shown]
    default = [_as_html(output) for output in before.outputs if _is_shown(output)]
    changed: Counter[str] = Counter()
    if default == yours:
        return changed
    if len(default) != len(yours):
        default, yours = ["\n".join(default)], ["\n".join(yours)]
        shown = [None]
    for position, (old, new) in enumerate(zip(default, yours)):
        if old == new:
            continue
        changed["figure" if _is_figure(new) else "table"] += 1
        text = in_place(old, new) or _both(old, new, f"{cell.id}-{position}")
        shown[position] = nbformat.v4.new_output("display_data", {"text/html": text})
    cell.outputs = glued + shown
    return changed


def _is_shown(output: NotebookNode) -> bool:
    """Return whether a reader sees an output; a glued value is not shown by its cell."""
    return "scrapbook" not in output.get("metadata", {})


def _as_html(output: NotebookNode) -> str:
    if output.output_type == "stream":
        return f"<pre>{html.escape(output.text)}</pre>"
    if "text/html" in output.data:
        return output.data["text/html"]
    if "text/latex" in output.data:
        return f"<p>{display.draw_formulas(output.data['text/latex'])}</p>"
    return f"<pre>{html.escape(output.data.get('text/plain', ''))}</pre>"


def _both(default: str, yours: str, name: str) -> str:
    """Return an output of both runs, with a switch between them."""
    if _is_figure(yours):
        default, yours = on_common_axes(default, yours)
    return display.html(
        "both",
        name=name,
        default=_with_other_ids(default),
        yours=yours,
        kind="figure" if _is_figure(yours) else "output",
    )


def _is_figure(text: str) -> bool:
    return text.lstrip().startswith('<div class="replib-figure')


def _with_other_ids(text: str) -> str:
    """Return HTML that can stand on one page with the same HTML of another run.

    >>> _with_other_ids('<b id="a"></b><script>find("a")</script>')
    '<b id="a-default"></b><script>find("a-default")</script>'
    """
    ids = sorted(set(re.findall(r'\bid="([^"]+)"', text)), key=len, reverse=True)
    if not ids:
        return text
    any_id = "|".join(map(re.escape, ids))
    return re.sub(rf"""(["'#])({any_id})(?=["')])""", r"\1\2-default", text)


def in_place(default: str, yours: str) -> str | None:
    """Return your HTML with each changed text beside the default.

    None if more than texts differ: the elements, their attributes, or the heads of the
    rows of a table, because its rows then come in another order.
    """
    before, after = (BeautifulSoup(text, "html.parser") for text in (default, yours))
    pairs = _pairs_of_texts(before, after)
    if pairs is None:
        return None
    for old, new in pairs:
        texts = html.escape(old), html.escape(new)
        marks = _beside(*texts, classes="replib-yours replib-marked")
        new.replace_with(BeautifulSoup(marks, "html.parser"))
    return f'<div class="{_CHANGE}">{after}</div>'


def _pairs_of_texts(
    before: Tag, after: Tag
) -> list[tuple[NavigableString, NavigableString]] | None:
    """Return the texts that differ between two equal trees; None if the trees are not equal."""
    is_equal = (
        before.name == after.name
        and before.attrs == after.attrs
        and len(before.contents) == len(after.contents)
        and (after.name != "tr" or _head(before) == _head(after))
        and after.name not in ("script", "svg")
    )
    if not is_equal:
        return None
    pairs = []
    for old, new in zip(before.contents, after.contents):
        if isinstance(old, Tag) and isinstance(new, Tag):
            below = _pairs_of_texts(old, new)
            if below is None:
                return None
            pairs += below
        elif isinstance(old, Tag) or isinstance(new, Tag):
            return None
        elif not _is_same(old, new):
            pairs.append((old, new))
    return pairs


def _is_same(first: str, second: str) -> bool:
    """Return whether two texts are equal, or one number with more or fewer zeros.

    >>> _is_same("0.58", "0.5800"), _is_same("0.58", "0.59")
    (True, False)
    """
    try:
        return first == second or float(first) == float(second)
    except ValueError:
        return False


def _head(row: Tag) -> str:
    """Return the text of the first cell of a row."""
    cell = row.find(["th", "td"])
    return cell.get_text() if cell else ""

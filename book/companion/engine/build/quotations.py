"""Glued values where the prose quotes them: the sentence, the format, the text of the value."""

import ast
import builtins
import math
import re
from collections.abc import Mapping
from typing import NamedTuple

import nbformat

from companion.engine.build import editions
from companion.engine.show.prose import without_exponents
from companion.papers import published

_PARAGRAPHS = re.compile(r"\n\s*\n|\n\s*(?:[-*]|\d+\.) ")
_SENTENCES = re.compile(r"(?<=[.!?])\s+(?=[A-Z{$*])")

_REFERENCE_IN_PARENTHESES = re.compile(r"\s*\(\{\w+(:\w+)?\}`[^`]*`\)")
_CITATION = re.compile(r"\{cite:\w+\}`([^`]*)`")
#: Any other role; its text stands before the target, if there is one.
_ROLE = re.compile(r"\{\w+(?::\w+)?\}`(?:([^`<]*)<[^`]*>|[^`]*)`")
#: Text between dollars is a formula, in which stars are not markup.
_FORMULA_OR_MARKUP = re.compile(r"(\$[^$]+\$)|\*\*?|^[-*] |^#+ ")


class Quotation(NamedTuple):
    """The first sentence that quotes a value, and the format in which it does."""

    words: str
    spec: str


def text_of_value(value: object, spec: str) -> str:
    """Return a value as the page shows it in a format; a missing value is empty.

    >>> text_of_value(2.0, ""), text_of_value(0.876, ".2f"), text_of_value(2e-5, ".1g")
    ('2', '0.88', '0.00002')
    """
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return without_exponents(str(value))
    if math.isfinite(value) and value == int(value) and not spec.endswith("f"):
        value = int(value)
    try:
        return without_exponents(format(value, spec))
    except ValueError:  # a format of numbers that are not whole
        return without_exponents(f"{value:.4g}")


def quotations(
    notebook: nbformat.NotebookNode, values: Mapping[str, object]
) -> dict[str, Quotation]:
    """Return the quotation of each glued value, by its name.

    Parameters
    ----------
    notebook : NotebookNode
        An executed chapter; its prose and the captions of its figures are read.
    values : mapping
        The glued values by name; they are filled into the sentences.
    """
    prose = editions.EDITIONS["book"].text("\n\n".join(map(_prose, notebook.cells)))
    quoted: dict[str, Quotation] = {}
    for paragraph in _PARAGRAPHS.split(prose):
        for sentence in _SENTENCES.split(" ".join(paragraph.split())):
            roles = editions.GLUED.findall(sentence)
            for name, spec in roles:
                marked = name if len(roles) > 1 else ""
                words = plain(sentence, values, marked)
                quoted.setdefault(name, Quotation(words, spec))
    return quoted


def _prose(cell: nbformat.NotebookNode) -> str:
    if cell.cell_type == "markdown":
        return cell.source
    return cell.metadata.get("mystnb", {}).get("figure", {}).get("caption", "")


def plain(sentence: str, values: Mapping[str, object], marked: str = "") -> str:
    """Return a sentence without markup, with its values; that of `marked` is in brackets."""

    def filled(role: re.Match) -> str:
        name, spec = role.groups()
        text = text_of_value(values.get(name, "…"), spec or "")
        return f"[{text}]" if name == marked else text

    text = editions.GLUED.sub(filled, sentence)
    text = _REFERENCE_IN_PARENTHESES.sub("", text)
    text = _CITATION.sub(lambda role: published.PAPERS.get(role[1], role[1]), text)
    text = _ROLE.sub(lambda role: role[1] or "…", text)
    return _FORMULA_OR_MARKUP.sub(lambda part: part[1] or "", text).strip()


def names_that_repeat_parameters(notebook: nbformat.NotebookNode) -> set[str]:
    """Return the names of glued values that are computed from parameters alone."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    code = [ast.parse(cell.source) for cell in cells]
    declared = {
        node.target.id
        for cell, module in zip(cells, code)
        if "parameters" in cell.metadata.get("tags", ())
        for node in module.body
        if isinstance(node, ast.AnnAssign)
    }
    known = declared | set(dir(builtins))
    used = {
        keyword.arg: _names(keyword.value)
        for module in code
        for keyword in _glued_keywords(module)
    }
    return {name for name, names in used.items() if names & declared and names <= known}


def _glued_keywords(module: ast.Module) -> list[ast.keyword]:
    calls = [node for node in ast.walk(module) if isinstance(node, ast.Call)]
    glued = [call for call in calls if getattr(call.func, "attr", "") == "glue"]
    return [keyword for call in glued for keyword in call.keywords]


def _names(code: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(code) if isinstance(node, ast.Name)}

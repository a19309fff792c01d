"""Notebooks to take away: plain Markdown, values in the text, code that runs."""

import ast
import re

import nbclient
import nbformat
import pytest

from replib.book import chapters, exported
from replib.book.editions import EDITIONS
from replib.book.plain_markdown import PlainMarkdown, cited
from replib.book.references import Target

TARGETS = {
    "thm-x": Target("theorem", "A title", "10.1", "10_sample"),
    "eq-x": Target("equation", "", "10.2", "10_sample"),
    "fig-y": Target("figure", "", "11.3", "11_other"),
    "ch-other": Target("section", "The other", "", "11_other"),
    "rerun": Target("section", "Rerun", "", "rerun"),
}


@pytest.fixture(scope="module")
def book():
    return exported.Book.read()


def plain(text, edition="book", **values):
    return PlainMarkdown(
        "10_sample", TARGETS, exported.Book.read().works, values,
        {"E": "\\operatorname{E}"}, EDITIONS[edition],
    )(text)


@pytest.mark.parametrize("text, expected", [
    ("Of {glue:text}`n` runs {glue:text}`share:.1f` % and {glue:text}`none:.2f`",
     "Of 30 runs 12.3 % and …"),
    ("see {prf:ref}`thm-x`, {eq}`eq-x`, {numref}`fig-y`",
     "see Theorem 10.1, (10.2), [Figure 11.3](11_other.ipynb)"),
    ("{ref}`ch-other`, {ref}`that one <ch-other>`, {ref}`rerun`",
     "[The other](11_other.ipynb), [that one](11_other.ipynb), *Rerun*"),
    ("{numref}`Panel {number} <fig-y>`", "[Panel 11.3](11_other.ipynb)"),
    ("{cite:t}`bouckaert_frank2004` and {cite:p}`bouckaert2004,berrar2024`",
     "Bouckaert and Frank (2004) and (Bouckaert, 2004; Berrar, 2024)"),
    ("(ch-x)=\n# Title\n\n$$\n\\E x = 1\n$$ (eq-x)",
     "# Title\n\n$$\n\\operatorname{E} x = 1\n\\tag{10.2}\n$$"),
    (":::{prf:theorem} A title\n:label: thm-x\nIt is {glue:text}`n`.\n:::",
     "**Theorem 10.1 (A title)**\n\nIt is 30."),
    (":::{prf:proof}\nClear.\n:::", "*Proof.* Clear. ∎"),
    ("```python\n{ref}`x`\n\n\n\n# :::\n```", "```python\n{ref}`x`\n\n\n\n# :::\n```"),
    ("::::{admonition} Tip\n:::{note}\nInside.\n:::\n::::", "**Tip**\n\n**Note**\n\nInside."),
])
def test_markdown_of_sphinx_becomes_plain(text, expected):
    assert plain(text, n="30", share="12.34") == expected


@pytest.mark.parametrize("edition, expected", [
    ("book", "<details><summary>Solution</summary>\n\nBecause.\n\n</details>"),
    ("teacher", "**Solution**\n\nBecause."),
])
def test_a_solution_is_folded_or_open(edition, expected):
    assert plain(":::{solution} ex-x\n:class: dropdown\nBecause.\n:::", edition) == expected


def test_a_reference_to_nothing_is_an_error():
    with pytest.raises(KeyError, match="nowhere"):
        plain("{ref}`nowhere`")


@pytest.mark.parametrize("edition", EDITIONS.values(), ids=lambda edition: edition.name)
@pytest.mark.parametrize("chapter", chapters.chapters(), ids=lambda chapter: chapter.name)
def test_every_chapter_converts(chapter, edition, book):
    found = exported.notebook(chapter, book, edition)
    nbformat.validate(found)
    text = "\n".join(cell.source for cell in found.cells if cell.cell_type == "markdown")
    code = "\n".join(cell.source for cell in found.cells if cell.cell_type == "code")
    assert text.startswith("# ")
    assert not re.search(r"\{[\w:]+\}`|^:::|^```+\{|^\(\S+\)=|^:\w+:", text, flags=re.MULTILINE)
    assert not re.search(r"\\(E|Var|Cov)(?![A-Za-z])", text)
    assert "book.glue" not in code and "book.card" not in code
    imported = False
    for statement in ast.parse(code).body:  # `book` is imported where, and only where, it is used
        uses = any(isinstance(node, ast.Name) and node.id == "book" for node in ast.walk(statement))
        assert imported or not uses
        imported |= "book" in ast.unparse(statement).partition("import ")[2].split(", ")
    for cell in found.cells:
        assert cell.source != "from replib import book"
    assert ("Solution" in text) <= (edition.solutions != "none")
    works = set().union(*(cited(cell.source) for cell in chapter.notebook.cells))
    assert ("## References" in text) == bool(works)
    if chapter.parameters:
        assert code.index("Change me") < code.index(next(iter(chapter.parameters)))


def test_numbers_follow_the_order_of_a_chapter(book):
    numbered = [target for target in book.targets.values() if target.page == "10_replicability"]
    for kind in ("theorem", "figure", "exercise", "equation"):
        numbers = [target.number for target in numbered if target.kind == kind]
        assert numbers == [f"10.{i}" for i in range(1, len(numbers) + 1)] and numbers


def test_an_exported_notebook_runs(tmp_path, book, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(chapters.ROOT))
    chapter = chapters.find("wins_and_losses")
    file = exported.write(chapter, book, EDITIONS["student"], tmp_path)
    found = nbformat.read(file, as_version=4)
    for cell in found.cells:
        cell.pop("outputs", None) if cell.cell_type == "markdown" else cell.update(outputs=[])
    nbclient.execute(found, cwd=tmp_path, timeout=600)
    figures = [cell for cell in found.cells if cell.cell_type == "code" and any(
        "svg" in output.get("data", {}).get("text/html", "") for output in cell.outputs
    )]
    captions = [cell for cell in found.cells if cell.source.startswith("**Figure 40.")]
    assert len(figures) >= len(captions) > 0

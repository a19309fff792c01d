"""Plain Markdown in place of directives that only Sphinx understands."""

import pytest

from companion.engine.build.editions import EDITIONS
from companion.engine.course import references
from companion.engine.course.plain_markdown import PlainMarkdown
from companion.engine.course.references import Target

TARGETS = {
    "thm-x": Target("theorem", "A title", "10.1", "10_sample"),
    "eq-x": Target("equation", "", "10.2", "10_sample"),
    "fig-y": Target("figure", "", "11.3", "11_other"),
    "ch-other": Target("section", "The other", "", "11_other"),
    "rerun": Target("section", "Rerun", "", "rerun"),
}


def plain(text, edition="book", **values):
    return PlainMarkdown(
        "10_sample", TARGETS, references.literature(), values,
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

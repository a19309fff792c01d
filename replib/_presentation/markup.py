"""Tables as LaTeX and as Markdown, for papers and for pages of a repository."""

import re

import pandas as pd

#: Characters that LaTeX reads as commands, and what prints them.
_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\N{MINUS SIGN}": "$-$",
    "–": "--",
    "∞": r"$\infty$",
    "<": "$<$",
    ">": "$>$",
    "|": r"$|$",
} | {character: f"\\{character}" for character in "&%$#_{}"}
_LATEX_SPECIAL = re.compile("|".join(map(re.escape, _LATEX)))
#: Characters that Markdown reads as the end of a cell, as emphasis or as a formula.
_MARKDOWN_SPECIAL = re.compile(r"([\\|*_`<>\[\]$])")


def as_latex(table: pd.DataFrame) -> str:
    r"""Write a table of text with its index, for the package booktabs.

    >>> print(as_latex(pd.DataFrame({"mean": ["0.9"]}, index=pd.Index(["a_b"], name="model"))))
    \begin{tabular}{ll}
    \toprule
    model & mean \\
    \midrule
    a\_b & 0.9 \\
    \bottomrule
    \end{tabular}
    """
    head, *rows = [
        " & ".join(_LATEX_SPECIAL.sub(_latex, cell) for cell in row) + r" \\"
        for row in _rows(table)
    ]
    columns = "l" * (table.shape[1] + 1)
    lines = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", head, r"\midrule"]
    return "\n".join([*lines, *rows, r"\bottomrule", r"\end{tabular}"])


def _latex(special: re.Match[str]) -> str:
    return _LATEX[special[0]]


def as_markdown(table: pd.DataFrame) -> str:
    """Write a table of text with its index.

    >>> print(as_markdown(pd.DataFrame({"mean": ["0.9"]}, index=pd.Index(["a"], name="model"))))
    | model | mean |
    |---|---|
    | a | 0.9 |
    """
    head, *rows = [
        "| " + " | ".join(_MARKDOWN_SPECIAL.sub(r"\\\1", cell) for cell in row) + " |"
        for row in _rows(table)
    ]
    rule = "|" + "---|" * (table.shape[1] + 1)
    return "\n".join([head, rule, *rows])


def _rows(table: pd.DataFrame) -> list[list[str]]:
    """Return the head of a table and its rows, as text in one line each."""
    body = table.reset_index()
    rows = [list(body.columns), *body.to_numpy().tolist()]
    return [[" ".join(str(cell).split()) for cell in row] for row in rows]

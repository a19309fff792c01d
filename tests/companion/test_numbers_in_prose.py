"""Numbers in the prose of chapters are computed by a cell, or listed here with the reason."""

import csv
import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CHAPTERS = sorted((ROOT / "notebooks").glob("*.md"))

#: What is not prose, or a number that a cell computes.
NOT_PROSE = re.compile(
    r"\A---\n.*?^---$"  # the header of the file
    r"|^(`{3,})\{code-cell\}.*?^\1$|^(`{3,}).*?^\2$"
    r"|\$\$.*?\$\$|\$[^$]*\$"
    r"|\{[a-z:]+\}`[^`]*`|`[^`]*`"  # glued numbers, references, code
    r"|\]\([^)]*\)|https?://\S+"
    r"|(?:Section|Figure|Table|Theorem|scikit-learn)s? \d[\d.]*(?: (?:and|to) \d[\d.]*)?",
    re.M | re.S,
)
#: Of a glued p-value, whose name is `p` or begins with `p_`: 1e-13 would be "0.0000".
P_IN_FIXED_DECIMALS = re.compile(r"\{glue:text\}`(?:\w+/)?p(?:\d+|_\w+)?:[^`]*f`")
NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+%?|%)(?![\w])")


def typed(chapter: Path) -> Counter:
    """Count the numbers with a decimal point or a percent sign that are typed into a chapter."""
    return Counter(NUMBER.findall(NOT_PROSE.sub(" ", chapter.read_text("utf-8"))))


def allowed(chapter: Path) -> Counter:
    with (Path(__file__).parent / "numbers_in_prose.csv").open(
        encoding="utf-8"
    ) as lines:
        rows = [row for row in csv.DictReader(lines) if row["chapter"] == chapter.stem]
    assert all(row["reason"] for row in rows)
    return Counter({row["number"]: int(row["times"]) for row in rows})


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda path: path.stem)
def test_every_number_in_prose_is_computed_or_has_a_reason(chapter):
    more = typed(chapter) - allowed(chapter)
    assert not more, f"typed into the prose, glue them: {dict(more)}"


def test_a_typed_number_is_found(tmp_path):
    page = tmp_path / "x.md"
    page.write_text(
        "Of $0.3$ and {glue:text}`a:.1f`%, 26% and 0.5.\n```\n0.7\n```\n", "utf-8"
    )
    assert typed(page) == {"26%": 1, "0.5": 1}


QUOTING = [*CHAPTERS, *sorted((ROOT / "course" / "decks").glob("*.md"))]


@pytest.mark.parametrize("page", QUOTING, ids=lambda path: path.stem)
def test_no_glued_p_value_can_be_shown_as_zero(page):
    found = P_IN_FIXED_DECIMALS.findall(page.read_text("utf-8"))
    assert not found, f"quote it in significant digits, for instance as .3g: {found}"


def test_a_p_value_in_fixed_decimals_is_found():
    page = "{glue:text}`p:.4f` {glue:text}`four/p_low:.5f` {glue:text}`p24:.2f`"
    assert len(P_IN_FIXED_DECIMALS.findall(page)) == page.count("glue")
    others = "{glue:text}`P_b:.4f` {glue:text}`p:.3g` {glue:text}`power:.2f`"
    assert not P_IN_FIXED_DECIMALS.findall(others)

# ruff: noqa: E501  (lines of the page)
"""Write what is made from the table of mistakes: the page of the book, and the table as a script.

Run ``python -m mistakes.make`` in ``tests/comparison``.
`test_mistakes.py` fails where either is out of step.
"""

import json
import re
from pathlib import Path

from mistakes import catalogue

from replib.comparison import rules
from replib.comparison.command import as_option

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "book" / "sixty_ways.md"
SCRIPT = ROOT / "book" / "_static" / "rules.js"

_OPENING = """\
(sixty-ways)=
# Sixty ways to be wrong about a comparison

Which mistakes do people make when they compare classifiers, and what happens then? This page lists {count}. Each is a
short piece of code that runs. Next to it are the answer that `replib` gave before it checked all its input, and the
answer that it gives now. Of these mistakes, **{refused} are refused**: there is no result, only a sentence that says what to do.
Another **{noted} are noted**: the numbers may still be of use, so a note is printed below them, in the report and in the
JSON. The other {read} are **put in order** and read as they were meant. Before, {silent} of the {count} got an answer
without a word of warning, and {significant} of these answers called a difference significant.

Which mistakes are refused and which are noted is decided in one table, `replib/comparison/rules.json`, which the
library, the command line and the page {{ref}}`compare-without-python` share. A test runs every row of this page, and
another checks that none of {right} right uses is refused or draws a note.

The examples share a few names: `tree`, `bayes` and `forest` are accuracies on a 10×10 cross-validation, `one_run` and
`another` those of a single run of ten folds, `truth`, `pred_a` and `pred_b` are classes of 200 test instances, and
`benchmark` is a table of three classifiers on eight data sets. `new` and `old` are right and wrong answers of two models
to 120 items in 5 runs, and `texts` names the text that an item is about. `scores_a` and `scores_b` are probabilities of
class 1 for the 200 instances in 5 runs, and `runs_a` and `runs_b` the classes that follow from them. `command(text, ...)`
saves a text as `scores.csv` and runs `replib compare scores.csv ...`; `harness` and `inspect` write logs of
lm-evaluation-harness and of Inspect.
"""


def script() -> str:
    """Return the table of rules as a script, for pages that are opened from a disk."""
    plain = json.dumps(rules.table(), ensure_ascii=True, separators=(",", ":"))
    return (
        "// Made from replib/comparison/rules.json by tests/comparison/mistakes/make.py.\n"
        f"const replibRules = {plain};\n"
    )


def page() -> str:
    """Return the catalogue as a page of the book."""
    rows = catalogue.rows("mistakes")
    verdicts = [verdict(row) for row in rows]
    silent = [row for row in rows if row["before"].startswith("answered")]
    parts = [_OPENING.format(
        count=len(rows), refused=verdicts.count("refused"), noted=verdicts.count("noted"),
        read=_words(verdicts.count("read")), silent=len(silent),
        significant=sum("significantly better" in row["before"]
                        and "not significantly" not in row["before"] for row in silent),
        right=len(catalogue.rows("right_uses")),
    )]
    part = None
    for place, (row, kind) in enumerate(zip(rows, verdicts), start=1):
        if row["part"] != part:
            part = row["part"]
            parts.append(f"\n## {part}\n")
        parts.append(_entry(place, row, kind))
    return "".join(parts)


def verdict(row: dict[str, str]) -> str:
    """Return "refused", "noted", or "read" where the mistake is put right."""
    known = rules.table()["rules"].get(row["rule"], {"verdict": "refused"})
    return "read" if row["rule"] == "aligned" else known["verdict"]


def sentence(row: dict[str, str]) -> str:
    """Return the sentence that an example gets now: of its rule, among others."""
    _, text = catalogue.answer(row["code"])
    if verdict(row) != "noted":
        return text
    wanted = pattern(row["rule"])
    lines = (line.removeprefix("Note: ") for line in text.splitlines())
    return next(line for line in lines if wanted.fullmatch(line))


def pattern(rule: str) -> re.Pattern[str]:
    """Return the sentence of a rule with anything in its gaps, in Python or for the command."""
    says = rules.table()["rules"][rule]["says"]
    either = (".*".join(map(re.escape, re.split(r"\{\w+\}", one))) for one in (says, as_option(says)))
    return re.compile("|".join(either), re.DOTALL)


def _entry(place: int, row: dict[str, str], kind: str) -> str:
    before_kind, _, before = row["before"].partition(": ")
    before_said = {
        "answered": "Before", "noted": "Before, noted", "refused": "Before, refused"}.get(
        before_kind, f"Before, {before_kind}"
    )
    now = {"refused": "Now, **refused**", "noted": "Now, **noted**", "read": "Now, **put in order**"}
    return (
        f"\n### {place}. {row['title']}\n\n```python\n{row['code'].strip()}\n```\n\n"
        f"{before_said}: {_quoted(before)}\n\n{now[kind]}: {_quoted(sentence(row))}\n"
    )


def _quoted(text: str) -> str:
    """A sentence as literal text, without the prediction that follows a decision."""
    text = text.strip().splitlines()[0]
    text = re.sub(r" (?:\(difference|A rerun with|The tests? (?:is|are) about).*", " …", text)
    return f"`{text.replace('`', chr(39))}`"


def _words(n: int) -> str:
    return {1: "one", 2: "two", 3: "three", 4: "four"}.get(n, str(n))


if __name__ == "__main__":
    SCRIPT.write_text(script(), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")

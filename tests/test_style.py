"""The English of pages, captions, docstrings, comments and messages: no habit of `style.toml`.

A pattern is data: what it finds, why, a sentence that has the habit and one that has not.
Formulas, code and cross-references are blanked, and the lines of a paragraph are joined.
"""

import ast
import io
import re
import tokenize
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
PATTERNS = tomllib.loads((Path(__file__).parent / "style.toml").read_text("utf-8"))["pattern"]
PAGES = ["*.md", "book/*.md", "notebooks/*.md"]
MODULES = ["replib/**/*.py", "book/companion/**/*.py"]
TABLES = [f"book/companion/papers/published/{name}.csv" for name in ("claims", "errata")]

FENCE = re.compile(r"(?ms)^(```+)(\{[\w:-]+\})?[^\n]*\n(.*?)^\1[ ]*$")
CELL_HEAD = re.compile(r"(?s)\A---\n(.*?)^---\n", re.MULTILINE)
FORMULA = re.compile(r"(?s)\$\$.*?\$\$|\$[^$\n]*(?:\n[^$\n]+)?\$")
ROLE = re.compile(r"\{[\w:]+\}`[^`]+`|\{\{.*?\}\}")
CODE = re.compile(r"``[^`]+``|`[^`\n]+`")


def plain(text: str) -> str:
    """Text without formulas, code and roles; what stands for them is a word to no pattern."""
    for pattern, sign in ((FORMULA, "§"), (ROLE, "…"), (CODE, "`")):
        text = pattern.sub(sign, text)
    return " ".join(text.split())


def paragraphs(text: str) -> Iterator[str]:
    """Paragraphs, items of lists, lines of tables and headings, each on one line."""
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*|#:%]|\d+\.) ?)", text):
        yield plain(block)


def of_code(source: str) -> Iterator[tuple[str, str]]:
    """Comments, docstrings and strings of Python."""
    remarks: list[tokenize.TokenInfo] = []
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if remarks and remarks[-1].start[0] + 1 != token.start[0]:
                yield "code", plain(" ".join(x.string.lstrip("#: ") for x in remarks))
                remarks = []
            remarks.append(token)
    yield "code", plain(" ".join(x.string.lstrip("#: ") for x in remarks))
    tree = ast.parse(source)
    parts = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)
             for part in node.values}
    for node in ast.walk(tree):
        match node:
            case ast.JoinedStr():
                text = "".join(str(x.value) if isinstance(x, ast.Constant) else "…"
                               for x in node.values)
            case ast.Constant(value=str(text)) if id(node) not in parts:
                pass
            case _:
                continue
        if " " in text:
            yield from (("code", line) for line in paragraphs(text))


def of_page(text: str) -> Iterator[tuple[str, str]]:
    """Prose of a page, and the captions, prompts, alt texts and comments of its cells."""
    text = re.sub(r"(?s)\A---\n.*?\n---\n", "", text)
    for _, kind, body in FENCE.findall(text):
        if kind == "{code-cell}":
            if head := CELL_HEAD.match(body):
                shown = yaml.safe_load(head[1]).get("mystnb", {})
                yield "caption", plain(shown.get("figure", {}).get("caption", ""))
                yield "prose", shown.get("code_prompt_show", "")
                body = body[head.end():]
            body = "\n".join(line for line in body.splitlines() if not line.startswith((":", "%")))
            for _, line in of_code(body + "\n"):
                yield "prose", line
        elif kind and kind not in ("{raw}", "{math}"):
            yield from (("prose", line) for line in paragraphs(body))
    yield from (("prose", line) for line in paragraphs(FENCE.sub("", text)))


@cache
def written() -> list[tuple[str, str, str]]:
    """File, kind and text of all that the project says."""
    found = []
    for globs, read in ((PAGES, of_page), (MODULES, of_code),
                        (TABLES, lambda text: (("prose", plain(x)) for x in text.splitlines()))):
        for file in sorted({file for glob in globs for file in ROOT.glob(glob)}):
            name = str(file.relative_to(ROOT))
            found += [(name, kind, line) for kind, line in read(file.read_text("utf-8")) if line]
    return found


def hits(pattern: dict, text: str, kind: str = "") -> list[str]:
    """What a pattern finds in a text of a kind."""
    if kind and "in" in pattern and kind not in pattern["in"]:
        return []
    return [
        text[max(0, match.start() - 50):match.end() + 50]
        for match in re.finditer(pattern["find"], text)
    ]


def named(pattern: dict) -> str:
    return pattern["name"]


@pytest.mark.parametrize("pattern", PATTERNS, ids=named)
def test_a_pattern_finds_its_bad_example_and_leaves_the_good_one(pattern):
    assert pattern["why"]
    assert hits(pattern, plain(pattern["bad"]))
    assert not hits(pattern, plain(pattern["good"]))


@pytest.mark.parametrize("pattern", PATTERNS, ids=named)
def test_nothing_is_written_that_way(pattern):
    found = [
        f"{file}: …{hit}…" for file, kind, text in written() for hit in hits(pattern, text, kind)
    ]
    assert not found, "\n".join([pattern["why"], *found])


def test_what_is_read():
    page = """---
x: 1
---
One *line*
and `another` with $x$.

```{code-cell} ipython3
---
tags: [remove-input]
mystnb:
  figure:
    caption: A caption.
---
plot(alt="An alt text.")  # A remark.
```

:::{note}
Inside a box.
:::
"""
    found = list(of_page(page))
    assert ("prose", "One *line* and ` with §.") in found
    assert ("caption", "A caption.") in found
    assert {("prose", "An alt text."), ("prose", "A remark.")} <= {*found}
    assert any("Inside a box." in text for _, text in found)
    code = list(of_code('"""A module."""\nraise ValueError(f"x must be {1}, "\n    "not 2")\n'))
    assert ("code", "A module.") in code and ("code", "x must be …, not 2") in code

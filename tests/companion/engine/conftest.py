"""Small books, an executed chapter, and a page: quicker than the real ones."""

import errno
import os
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import nbformat
import pandas as pd
import pytest

from companion.engine.build import chapters
from companion.engine.show import display

ROOT = Path(__file__).parents[3]
#: What a book of its own needs of this checkout.
FOLDERS = ("replib", "book/companion", "book/_static")
FILES = (
    "requirements.txt",
    "_config.yml",
    "CITATION.cff",
    "book/references.bib",
    "book/ledger.csv",
)
CONTENTS = """
format: jb-book
root: book/intro
chapters:
"""

CHAPTER = """---
kernelspec:
  display_name: Python 3
  name: python3
replib:
  minutes_to_read: 1
---

# A chapter

```{code-cell} ipython3
:tags: [parameters]

n: int = 3  # things; 1 to 9; how many
```

```{code-cell} ipython3
import numpy as np
np.random.default_rng(n).random(3) / (n - 5)
```
"""

FACT = "berrar2024.ex01.p"
PROSE = """# Title

Of {glue:text}`n` runs {glue:text}`share:.1f` % agree ({ref}`ch-x`). *More* follows."""

PAGE = """<html><head><script>window.texMacros = {}</script></head><body>
<nav class="bd-links"><a class="internal" href="#">Start</a>
<a class="internal" href="chapters/10_a.html">A</a>
<a class="internal" href="notation.html">N</a></nav>
<article class="bd-article"><section id="a"><h1><span class="section-number">10. </span>A?<a
class="headerlink" href="#a">#</a></h1>
<p>The question.</p><div class="cell"><div class="cell_input">import x</div></div>
<p>You need x.</p><p>After this chapter you can y.</p>
<section id="one"><h2>One</h2><p>Opening, see <a href="../notation.html#s">s</a>.</p>
<div class="cell"><details class="above-input"><summary>Show</summary>code</details>
<figure id="f"><svg><path id="p1"/></svg><figcaption>Caption</figcaption></figure></div>
<p>Said of the figure.</p>
<div class="proof theorem admonition" id="t"><p class="admonition-title">Theorem 10.1</p>
<p>1</p></div>
<div class="proof admonition"><p>Proof. Clear.</p></div>
<table>{rows}</table></section>
<section id="q"><h2>Check yourself</h2>
<div class="replib-quiz"><fieldset><legend>Q1</legend></fieldset>
<fieldset><legend>Q2</legend></fieldset></div></section>
<section id="e"><h2>Exercises</h2><div class="exercise admonition"><p>Do it.</p></div>
<div class="solution admonition"><p>Done.</p></div></section>
<section id="p"><h2>What next</h2><table><tr><td>1</td></tr></table></section>
</section></article></body></html>"""


@pytest.fixture(scope="session")
def small_book() -> Callable[[Path, Mapping[str, str]], Path]:
    """Makes a checkout in a new folder, with chapters of the given names and texts."""

    def make(folder: Path, texts: Mapping[str, str]) -> Path:
        for name in FOLDERS:
            without = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / name, folder / name, ignore=without)
        for name in FILES:
            shutil.copy(ROOT / name, folder / name)
        config = folder / "_config.yml"  # its first page has nothing to compute
        landing = "companion.engine.sphinx.landing, "
        config.write_text(config.read_text().replace(landing, ""))
        (folder / "notebooks" / "presets").mkdir(parents=True)
        (folder / "notebooks" / "costs.yml").write_text("{}\n")
        (folder / "book" / "intro.md").write_text("# A small book\n")
        contents = CONTENTS
        for name, text in texts.items():
            (folder / "notebooks" / f"{name}.md").write_text(text)
            contents += f"  - file: book/chapters/{name}\n"
        (folder / "_toc.yml").write_text(contents)
        return folder

    return make


@pytest.fixture
def no_renaming(monkeypatch):
    """Every folder is a file system of its own: no file can be renamed into another one."""
    rename = os.replace

    def replace(source, target):
        if Path(source).parent != Path(target).parent:
            raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))
        rename(source, target)

    monkeypatch.setattr(os, "replace", replace)
    monkeypatch.setattr(os, "rename", replace)


@pytest.fixture
def project(tmp_path, monkeypatch):
    """The folder of that book, in which n = 5 is allowed but divides by zero."""
    for name, path in (
        ("SOURCES", "notebooks"),
        ("CHAPTERS", "chapters"),
        ("BUILD", "_build"),
        ("RUNS", "runs"),
    ):
        monkeypatch.setattr(chapters, name, tmp_path / path)
    monkeypatch.setattr(chapters, "ROOT", tmp_path)
    (tmp_path / "notebooks" / "presets").mkdir(parents=True)
    (tmp_path / "notebooks" / "10_sample.md").write_text(CHAPTER)
    (tmp_path / "notebooks" / "costs.yml").write_text("{}")
    (tmp_path / "requirements.txt").write_text("numpy==2.4.6\nruff==1\n")
    return tmp_path


def _output(data: dict, metadata: dict | None = None):
    return nbformat.v4.new_output("display_data", data, metadata=metadata or {})


def _glued(**numbers):
    return [
        _output(
            {"application/papermill.record/text/plain": repr(x)},
            {"scrapbook": {"name": name}},
        )
        for name, x in numbers.items()
    ]


def _notebook(path, *, rebuilt=0.0488, n=10, share=50.0):
    ledger = display.ledger(
        pd.DataFrame({"id": [FACT], "rebuilt": [rebuilt]}), chapter="test"
    )
    outputs = [[], [_output(*ledger._repr_mimebundle_())], _glued(n=n, share=share)]
    code = [
        nbformat.v4.new_code_cell("x", outputs=o, id=f"c{i}")
        for i, o in enumerate(outputs)
    ]
    prose = nbformat.v4.new_markdown_cell(PROSE, id="prose")
    nbformat.write(nbformat.v4.new_notebook(cells=[prose, *code]), path)
    return path


@pytest.fixture
def notebook():
    """Writes an executed chapter with one ledger row and two glued numbers."""
    return _notebook


@pytest.fixture
def page():
    """Gives the page of a chapter whose table has as many rows as are asked for."""

    def text(rows: int = 2) -> str:
        return PAGE.replace("{rows}", "<tr><td>1</td></tr>" * rows)

    return text

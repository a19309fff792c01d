"""A chapter is stale exactly when something that it depends on has changed."""

import sys

import nbformat
import pytest

from companion.engine.build import chapters, execution, staleness
from companion.lab.experiments import provenance

CHAPTER = """---
kernelspec:
  display_name: Python 3
  name: python3
replib:
  minutes_to_read: 1
---

# A chapter

```{code-cell} ipython3
from replib import library
library.total()
```
"""

FILES = {
    "replib/__init__.py": "",
    "replib/library.py": '"""Sums."""\nimport csv\nfrom replib import helper\n\n'
    "def total():\n    from replib import late\n    return helper.read()\n",
    "replib/helper.py": "from pathlib import Path\n\ndef read():\n"
    "    return (Path('results') / 'used.csv').read_text()\n",
    "replib/late.py": "import numpy\nLEVEL = 0.05\n",
    "replib/other.py": "import pandas\nUNUSED = 1\n",
    "results/used.csv": "1,2\n3,4\n",
    "results/unused.csv": "5,6\n",
}


@pytest.fixture
def executed(project, monkeypatch):
    """The chapter above, executed, and the library that it imports."""
    for name, text in FILES.items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text)
    (project / "requirements.txt").write_text(
        "numpy==2.4.6  # arrays\npandas==3.1.1\nruff==0.17.6\n"
    )
    (project / "notebooks" / "10_sample.md").write_text(CHAPTER)
    monkeypatch.setattr(
        provenance,
        "_source",
        lambda name: next(
            (
                file
                for file in (
                    project / f"{name.replace('.', '/')}.py",
                    project / name.replace(".", "/") / "__init__.py",
                )
                if file.exists()
            ),
            None,
        ),
    )
    chapter = chapters.find("sample")
    notebook = nbformat.v4.new_notebook()
    reads = [
        project / "results" / "used.csv",
        project / "replib" / "helper.py",
        "/etc/hostname",
    ]
    notebook.metadata["replib"] = {
        "key": staleness.key(chapter, {}),
        "parts": staleness.parts(chapter, {}),
        "data": staleness.hashes(staleness.data_among(map(str, reads))),
    }
    chapter.executed.parent.mkdir()
    chapters.write_sealed(notebook, chapter.executed)
    assert not staleness.is_stale(chapter, {})
    return project


def stale() -> bool:
    return staleness.is_stale(chapters.find("sample"), {})


@pytest.mark.parametrize(
    "name, old, new",
    [
        ("replib/helper.py", "used.csv", "unused.csv"),
        ("replib/library.py", "helper.read()", "helper.read() * 2"),
        ("replib/late.py", "0.05", "0.01"),
        ("notebooks/10_sample.md", "library.total()", "library.total() + '!'"),
        ("notebooks/10_sample.md", "```\n", "```\n\n```{code-cell}\n1\n```\n"),
        ("notebooks/10_sample.md", "library\n", "library  # sums\n"),  # readers see it
        ("notebooks/10_sample.md", "ipython3\n", "ipython3\n:tags: [parameters]\n\n"),
        ("notebooks/10_sample.md", "read: 1", "read: 2"),  # the card shows it
        ("requirements.txt", "numpy==2.4.6", "numpy==2.4.7"),
        ("requirements.txt", "ruff==0.17.6", "ruff==0.18"),
        ("results/used.csv", "4", "5"),
    ],
)
def test_what_a_chapter_reaches_makes_it_stale(executed, name, old, new):
    text = (executed / name).read_text()
    assert old in text
    (executed / name).write_text(text.replace(old, new))
    assert stale()
    (executed / name).write_text(text)
    assert not stale()


@pytest.mark.parametrize(
    "name, old, new, reason",
    [
        ("replib/late.py", "0.05", "0.01", "replib.late"),
        ("notebooks/10_sample.md", "library.total()", "1", "the code cells"),
        ("requirements.txt", "4.6", "4.7", "the versions of packages"),
        ("results/used.csv", "4", "5", "results/used.csv"),
    ],
)
def test_what_made_a_chapter_stale_is_named(executed, name, old, new, reason):
    chapter = chapters.find("sample")
    assert staleness.changes(chapter, {}) == []
    text = (executed / name).read_text()
    (executed / name).write_text(text.replace(old, new))
    assert reason in staleness.changes(chapters.find("sample"), {})
    changed = staleness.changes(chapters.find("sample"), {"runs": 3})
    assert "the values of parameters" in changed


@pytest.mark.parametrize(
    "name, old, new",
    [
        ("notebooks/10_sample.md", "# A chapter", "# The chapter"),
        ("notebooks/10_sample.md", "\n```{", "\nProse.\n\n```{"),
        ("notebooks/10_sample.md", "ipython3\n", "ipython3\n:name: sum\n\n"),
        ("replib/library.py", '"""Sums."""', '"""Sums of all."""'),
        ("replib/late.py", "0.05", "0.05  # the usual one"),
        ("replib/helper.py", "def read", "\n\n# reads\ndef read"),
        ("replib/other.py", "1", "2"),
        ("results/unused.csv", "5", "7"),
        ("notebooks/costs.yml", "{}", "sample: {paper: 3}"),
        ("requirements.txt", "arrays", "numbers"),
    ],
)
def test_what_it_does_not_reach_does_not(executed, name, old, new):
    text = (executed / name).read_text()
    assert old in text
    (executed / name).write_text(text.replace(old, new))
    assert not stale()


def test_a_parameter_value_and_a_missing_file_make_it_stale(executed):
    chapter = chapters.find("sample")
    assert staleness.is_stale(chapter, {"n": 4})
    (executed / "results" / "used.csv").unlink()
    assert stale()


def test_an_execution_writes_down_what_it_reads(project):
    (project / "numbers.csv").write_text("1\n")
    text = (project / "notebooks" / "10_sample.md").read_text()
    (project / "notebooks" / "10_sample.md").write_text(
        text.replace(
            "import numpy as np", "import numpy as np\nnp.loadtxt('numbers.csv')"
        )
    )
    chapter = chapters.find("sample")
    execution.execute(chapter, {}, chapter.executed)
    found = chapters.executed_metadata(chapter.executed)["data"]
    assert found == staleness.hashes(["numbers.csv"])
    (project / "numbers.csv").write_text("22\n")
    assert stale()


def test_importing_a_notebooks_modules_is_not_needed_to_find_them():
    before = set(sys.modules)
    sources = provenance.closure({"companion.papers.bouckaert2004.table_2"})
    assert "companion.papers.published" in sources and set(sys.modules) == before

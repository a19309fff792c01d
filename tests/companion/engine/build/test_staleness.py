"""A chapter is stale exactly when something that it depends on has changed."""

import ast
import sys

import nbformat
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.engine.build import chapters, execution, staleness
from companion.lab.experiments import provenance

SOURCE = '''"""What the module is for."""

import math


def area(radius, scale=1.0):
    """Area of a disc."""
    if radius < 0:
        raise ValueError("the radius is negative")
    return scale * math.pi * radius**2


class Disc:
    """A disc."""

    unit = "m"

    def __init__(self, radius):
        self.radius = radius
'''


@st.composite
def remarks(draw) -> str:
    """The source with comments, blank lines or other docstrings that change no code."""
    lines = SOURCE.splitlines()
    harmless = st.characters(codec="ascii", exclude_characters="\n\r\\\"'\0")
    words = draw(st.text(harmless, max_size=30))
    kind = draw(st.sampled_from(["comment", "trailing", "blank", "docstring", "layout"]))
    place = draw(st.integers(4, len(lines) - 1))
    if kind == "comment":
        lines.insert(place, f"# {words}".rstrip())
    elif kind == "trailing" and lines[place] and '"""' not in lines[place]:
        lines[place] += f"  # {words}"
    elif kind == "blank":
        lines.insert(place, "")
    elif kind == "layout":
        lines = [line.replace("scale=1.0", "scale = 1.0") for line in lines]
    else:
        old = draw(st.sampled_from(["What the module is for.", "Area of a disc.", "A disc."]))
        return SOURCE.replace(old, f"x{words}")
    return "\n".join(lines) + "\n"


@given(remarks())
def test_remarks_and_layout_mean_nothing(edited):
    assert provenance.Code(edited).meaning == provenance.Code(SOURCE).meaning


TOKENS = sorted({
    (node.lineno, node.col_offset, node.end_col_offset)
    for node in ast.walk(ast.parse(SOURCE))
    if isinstance(node, (ast.Name, ast.Constant)) and node.lineno == node.end_lineno
    and '"""' not in SOURCE.splitlines()[node.lineno - 1]
})


@given(st.sampled_from(TOKENS), st.sampled_from(["x", "17", "None", "(math, 3)"]))
def test_every_name_and_every_value_means_something(token, other):
    row, start, end = token
    lines = SOURCE.splitlines()
    was = lines[row - 1][start:end]
    lines[row - 1] = lines[row - 1][:start] + other + lines[row - 1][end:]
    try:
        edited = provenance.Code("\n".join(lines))
    except SyntaxError:
        return
    assert (edited.meaning == provenance.Code(SOURCE).meaning) == (other == was)


CHAPTER = '''---
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
'''

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
        provenance, "_source", lambda name: next((
            file for file in (project / f"{name.replace('.', '/')}.py",
                              project / name.replace(".", "/") / "__init__.py") if file.exists()
        ), None),
    )
    chapter = chapters.find("sample")
    notebook = nbformat.v4.new_notebook()
    reads = [project / "results" / "used.csv", project / "replib" / "helper.py", "/etc/hostname"]
    notebook.metadata["replib"] = {
        "key": staleness.key(chapter, {}),
        "data": staleness.hashes(staleness.data_among(map(str, reads))),
    }
    chapter.executed.parent.mkdir()
    chapters.write_sealed(notebook, chapter.executed)
    assert not staleness.is_stale(chapter, {})
    return project


def stale() -> bool:
    return staleness.is_stale(chapters.find("sample"), {})


@pytest.mark.parametrize("name, old, new", [
    ("replib/helper.py", "used.csv", "unused.csv"),
    ("replib/library.py", "helper.read()", "helper.read() * 2"),
    ("replib/late.py", "0.05", "0.01"),
    ("notebooks/10_sample.md", "# A chapter", "# The chapter"),
    ("notebooks/10_sample.md", "library.total()", "library.total() + '!'"),
    ("requirements.txt", "numpy==2.4.6", "numpy==2.4.7"),
    ("requirements.txt", "ruff==0.17.6", "ruff==0.18"),
    ("results/used.csv", "4", "5"),
])
def test_what_a_chapter_reaches_makes_it_stale(executed, name, old, new):
    text = (executed / name).read_text()
    assert old in text
    (executed / name).write_text(text.replace(old, new))
    assert stale()
    (executed / name).write_text(text)
    assert not stale()


@pytest.mark.parametrize("name, old, new", [
    ("replib/library.py", '"""Sums."""', '"""Sums of all."""'),
    ("replib/late.py", "0.05", "0.05  # the usual one"),
    ("replib/helper.py", "def read", "\n\n# reads\ndef read"),
    ("replib/other.py", "1", "2"),
    ("results/unused.csv", "5", "7"),
    ("notebooks/costs.yml", "{}", "sample: {paper: 3}"),
    ("requirements.txt", "arrays", "numbers"),
])
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


@given(place=st.integers(0, 7), byte=st.integers(0, 255))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_byte_of_the_data_counts(executed, place, byte):
    file = executed / "results" / "used.csv"
    data = bytearray(FILES["results/used.csv"].encode())
    changed = data[place] != byte
    data[place] = byte
    file.unlink()
    file.write_bytes(data)
    assert stale() == changed


def test_the_kernel_writes_down_what_it_reads(project):
    (project / "numbers.csv").write_text("1\n")
    text = (project / "notebooks" / "10_sample.md").read_text()
    (project / "notebooks" / "10_sample.md").write_text(
        text.replace("import numpy as np", "import numpy as np\nnp.loadtxt('numbers.csv')")
    )
    chapter = chapters.find("sample")
    execution.execute(chapter, {}, chapter.executed)
    found = chapters.executed_metadata(chapter.executed)["data"]
    assert found == staleness.hashes(["numbers.csv"])
    (project / "numbers.csv").write_text("22\n")
    assert stale()


def test_importing_a_notebooks_modules_is_not_needed_to_find_them():
    before = set(sys.modules)
    sources = provenance.closure(
        {"companion.papers.bouckaert2004.table_2", "companion.lab.learners.packed"}
    )
    assert "companion.papers.published" in sources and set(sys.modules) == before


@pytest.mark.parametrize("code, names", [
    ("import replib\nreplib.schemes.sample()", {
        "replib", "replib.schemes", "replib.schemes.sample",
    }),
    ("from companion import papers as p\np.uci.table", {
        "companion", "companion.papers", "companion.papers.uci", "companion.papers.uci.table",
    }),
    ("def f():\n    from companion.engine import display", {
        "companion", "companion.engine", "companion.engine.show.display",
    }),
    ("x.schemes", set()),
])
def test_imports_are_found_wherever_they_stand(code, names):
    assert provenance.Code(code).imports() == names

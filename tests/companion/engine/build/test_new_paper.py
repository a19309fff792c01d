"""A new source from the template: what it writes, what it refuses, and that its parts work."""

import shutil
import subprocess
import sys

import pytest
from click.testing import CliRunner

from companion.engine.build import chapters
from companion.engine.cli import main

ROOT = chapters.ROOT
ERRATA = """---
kernelspec: {display_name: Python 3, name: python3}
replib: {minutes_to_read: 1}
---

# Errata

```{code-cell} ipython3
from companion import engine as book
```

## Take-away

- None.
"""


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A copy of the packages, with the chapter of errata as the only one."""
    for name in ("replib", "book/companion"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("_toc.yml", "requirements.txt", "book/ledger.csv"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "notebooks" / "quizzes").mkdir(parents=True)
    (tmp_path / "notebooks" / "33_errata.md").write_text(ERRATA)
    monkeypatch.setattr(chapters, "ROOT", tmp_path)
    monkeypatch.setattr(chapters, "SOURCES", tmp_path / "notebooks")
    return tmp_path


def everything(folder):
    return {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def new_paper(*arguments):
    return CliRunner().invoke(main, ["new-paper", *arguments])


def python(checkout, *arguments):
    return subprocess.run(
        [sys.executable, *arguments], cwd=checkout, capture_output=True, text=True,
        env={"PYTHONPATH": f"{checkout}:{checkout / 'book'}", "PATH": ""}, check=False,
    )


def test_what_is_written_is_judged_and_its_tests_pass(checkout):
    before = everything(checkout)
    said = new_paper("smith2027", "--title", "Smith, JMLR 2027")
    assert said.exit_code == 0, said.output
    after = everything(checkout)
    # no file is shorter, and what was there is still there, in its order
    for file, old in before.items():
        lines = iter(after[file].splitlines())
        assert all(line in lines for line in old.splitlines()), file
    assert {file.name for file in after.keys() - before.keys()} == {
        "__init__.py", "table_1.py", "test_table_1.py", "34_smith2027.md", "34_smith2027.yml"}
    assert "    - file: book/chapters/34_smith2027\n" in (checkout / "_toc.yml").read_text()

    program = "from companion.engine.cli import main; main()"
    checked = python(checkout, "-c", program, "check", "--compute", "smith2027")
    assert checked.returncode == 0, checked.stderr
    verdicts = [line.split() for line in checked.stdout.splitlines() if "smith2027." in line]
    assert {row[-1]: row[0] for row in verdicts} == {
        "smith2027.tab01.n02": "exact", "smith2027.tab01.n05": "erratum",
        "smith2027.tab01.n10": "exact", "smith2027.cl.01": "holds"}
    tested = python(checkout, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                    "tests/companion/papers/smith2027")
    assert tested.returncode == 0, tested.stdout


def test_the_cells_of_its_chapter_run(checkout):
    assert new_paper("smith2027").exit_code == 0
    code = "\n".join(chapters.find("smith2027").code)
    ran = python(checkout, "-c", code)
    assert ran.returncode == 0, ran.stderr
    assert [*chapters.find("smith2027").parameters] == ["tosses"]


def test_what_is_there_is_never_overwritten(checkout):
    assert new_paper("smith2027").exit_code == 0
    before = everything(checkout)
    again = new_paper("smith2027")
    assert again.exit_code == 2
    assert "book/companion/papers/smith2027 is there already" in again.output
    assert everything(checkout) == before


@pytest.mark.parametrize("name", [
    "", "Smith2027", "2027smith", "smith-2027", "smith 2027", "../smith", "smith.x", "class",
    "ſmith", "s", "s" * 50, "smith\n", "stored", "ledger", "berrar2024", "errata", "published",
    "topics",
])
def test_a_name_that_cannot_be_is_refused_in_a_sentence(checkout, name):
    before = everything(checkout)
    said = new_paper("--", name)
    assert said.exit_code == 2
    assert len(said.output.strip().splitlines()) == 1
    assert "must be a lower-case word" in said.output or "is there already" in said.output
    assert everything(checkout) == before


@pytest.mark.parametrize("title", ["", " ", "two\nlines", 'a "quoted" title', "a # sign", "tab\t"])
def test_a_title_that_cannot_be_is_refused_in_a_sentence(checkout, title):
    before = everything(checkout)
    said = new_paper("smith2027", "--title", title)
    assert said.exit_code == 2
    assert "the title must be one line of text" in said.output
    assert everything(checkout) == before

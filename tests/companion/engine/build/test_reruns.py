"""A reader's copy: what is executed for it, what differs from the default run, what it says."""

import math
import os
import re
import subprocess
import sys

import nbformat
import pandas as pd
import pytest

from companion.engine.build import chapters, execution, reruns
from companion.engine.build.differences import COLUMNS, difference


def box(values, changes, n_figures=0, n_tables=0):
    asked = reruns.Rerun(chapters.find("estimators"), values, {})
    return reruns._box(
        asked,
        changes,
        reruns.sentence(asked, changes, n_figures=n_figures, n_tables=n_tables),
    )


def test_the_box_counts_what_changed_and_lists_it(notebook, tmp_path):
    default = notebook(tmp_path / "a.ipynb")
    yours = notebook(tmp_path / "b.ipynb", rebuilt=0.2)
    changes = difference(default, yours)
    html = box({"wins": 30, "name": "<script>a"}, changes, n_figures=2, n_tables=1)
    assert "wins = 30, name = &#39;&lt;script&gt;a&#39;: 1 number, 1 verdict" in html
    assert "1 table and 2 figures changed" in html and "<script>a" not in html
    assert re.search("verdict-exact.* → .*verdict-differs", html)
    assert '<td data-label="paper">0.0488</td>' in html and ">0.2</td>" in html
    assert html.count("<tr>") == 2


def test_a_column_without_a_value_is_left_out(notebook, tmp_path):
    default = notebook(tmp_path / "a.ipynb")
    changes = difference(default, notebook(tmp_path / "b.ipynb", share=51.0))
    html = box({"wins": 30}, changes)
    assert len(changes) == 1 and "paper" not in html.split("<script>")[0]
    none = difference(default, default)
    assert "<table" not in box({}, none)
    assert "The defaults: no number, no verdict and no figure changed." in box({}, none)


def test_the_value_is_marked_in_its_sentence(notebook, tmp_path):
    default = notebook(tmp_path / "a.ipynb")
    changes = difference(default, notebook(tmp_path / "b.ipynb", share=51.0))
    assert "Of 10 runs <mark>51.0</mark> % agree." in box({}, changes)


def test_formulas_are_drawn_and_markup_is_not():
    words = "With $n^* < 3$ and <b>, $1 and more"
    row = (words, "", "$\\frac{1}{2}$", "1", "", float("nan"), float("inf"))
    html = box({"wins": 30}, pd.DataFrame([row], columns=COLUMNS))
    begin = '<span class="math notranslate nohighlight">'
    assert f"With {begin}\\(n^* &lt; 3\\)</span> and &lt;b&gt;, $1 and more" in html
    assert f'<td data-label="default">{begin}\\(\\frac{{1}}{{2}}\\)</span></td>' in html
    assert "from 0" in html


@pytest.mark.parametrize(
    "verdicts, changes, sentence",
    [
        (["", ""], [0.5, 0.1], "2 numbers, no verdict and no figure changed."),
        (["a → b"], [math.inf], "1 number, 1 verdict and no figure changed."),
        (["", ""], [math.nan, 0.1], "1 number, 1 wording, no verdict and no"),
    ],
)
def test_numbers_words_and_verdicts_are_counted(verdicts, changes, sentence):
    asked = reruns.Rerun(chapters.find("estimators"), {}, {})
    frame = pd.DataFrame({"verdict": verdicts, "change": changes, "yours": "accepts"})
    assert sentence in reruns.sentence(asked, frame, n_figures=0, n_tables=0)


@pytest.fixture
def executions(project, monkeypatch):
    """Where executed notebooks went, one list per run; the page is not made."""
    went = []

    def execute_all(tasks, jobs, labels, report):
        went.append([path for _, _, path in tasks])
        for task in tasks:
            execution.execute(*task)

    monkeypatch.setattr(reruns, "execute_all", execute_all)

    def one_page(chapter, copy, notebook, log):
        copy.with_suffix(".html").write_text(nbformat.writes(notebook))

    monkeypatch.setattr(reruns.pages, "one_page", one_page)
    monkeypatch.setattr(reruns.pages, "_inputs", lambda: chapters.SOURCES.glob("*.md"))
    return went


def test_the_default_run_is_executed_once_for_all_copies_and_a_copy_once(executions):
    chapter, default = (
        chapters.find("sample"),
        chapters.BUILD / "defaults" / "10_sample.ipynb",
    )
    first = reruns.run(reruns.Rerun(chapter, {"n": 4}, {}))
    second = reruns.run(reruns.Rerun(chapter, {"n": 6}, {}))
    again = reruns.run(reruns.Rerun(chapter, {"n": 4}, {}))
    assert again.page == first.page != second.page
    assert [default in went for went in executions] == [True, False, False]
    assert list(map(len, executions)) == [2, 1, 0]


def test_runs_may_lie_on_another_file_system(executions, no_renaming):
    done = reruns.run(reruns.Rerun(chapters.find("sample"), {"n": 4}, {}))
    assert done.page.exists() and done.page.is_relative_to(chapters.RUNS)


def test_a_copy_gets_the_present_prose_without_another_run(executions):
    chapter = chapters.find("sample")
    page = reruns.run(reruns.Rerun(chapter, {"n": 4}, {})).page
    before = page.read_text()
    text = chapter.source.read_text()
    chapter.source.write_text(text.replace("# A chapter", "# Another one"))
    again = reruns.run(reruns.Rerun(chapters.find("sample"), {"n": 4}, {})).page
    assert again == page and executions[1:] == [[]]
    assert "A chapter" in before and "A chapter" not in page.read_text()
    assert "Another one" in page.read_text() and "n = 4" in page.read_text()
    copy = nbformat.read(page.with_suffix(".ipynb"), as_version=4)
    marks = [cell.get("id") for cell in copy.cells]
    assert marks.count(chapters.MARK) == 1


def test_the_run_of_the_book_serves_as_the_default(executions):
    chapter = chapters.find("sample")
    execution.execute(chapter, {}, chapter.executed)
    page = reruns.run(reruns.Rerun(chapter, {"n": 4}, {})).page
    [[part]] = executions
    assert part != chapter.executed and not part.exists() and page.exists()
    assert (page.parent / "difference.csv").exists()


def test_with_a_preset_both_runs_have_its_values(executions):
    chapter = chapters.find("sample")
    reruns.run(reruns.Rerun(chapter, {"n": 4}, {"n": 2}))
    reruns.run(
        reruns.Rerun(chapter, {}, {"n": 2})
    )  # the default run of the preset is kept
    first, second = executions
    kept = chapters.BUILD / "defaults" / "10_sample.preset.ipynb"
    assert kept in first and len(first) == 2
    assert kept not in second and len(second) == 1
    assert chapters.executed_metadata(kept)["parameters"] == {"n": 2}
    for copy in chapters.RUNS.glob("sample/*/sample.ipynb"):
        assert "the default run of the small version" in copy.read_text()


def test_a_run_that_was_killed_before_its_box_gets_it_from_the_next(
    executions, monkeypatch
):
    chapter, made = chapters.find("sample"), reruns._box
    monkeypatch.setattr(reruns, "_box", lambda *args, **options: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        reruns.run(reruns.Rerun(chapter, {"n": 4}, {}))
    monkeypatch.setattr(reruns, "_box", made)
    page = reruns.run(reruns.Rerun(chapter, {"n": 4}, {})).page
    assert len(executions) == 2 and executions[1] == []
    for _ in range(2):  # there is one box, however often the page is made
        cells = nbformat.read(page.with_suffix(".ipynb"), as_version=4).cells
        assert [cell.id for cell in cells].count(chapters.MARK) == 1
        reruns.run(reruns.Rerun(chapter, {"n": 4}, {}))


@pytest.mark.parametrize("harm", ["", "copy", "page", "stamp", "prose", "default"])
def test_a_page_is_made_once_unless_something_changed(executions, harm):
    asked = reruns.Rerun(chapters.find("sample"), {"n": 4}, {})
    assert reruns.finished_page(asked) is None
    first = reruns.run(asked)
    stamp = asked.page.with_suffix(".json")
    match harm:
        case "copy" | "page" | "stamp":
            harmed = {"copy": asked.copy, "page": asked.page, "stamp": stamp}[harm]
            harmed.write_text("{")
        case "prose":
            asked.chapter.source.write_text(
                asked.chapter.source.read_text() + "\nMore.\n"
            )
        case "default":
            (chapters.BUILD / "defaults" / "10_sample.ipynb").unlink()
    asked = reruns.Rerun(chapters.find("sample"), {"n": 4}, {})
    assert reruns.finished_page(asked) == (None if harm else asked.page)
    assert reruns.run(asked).sentence == first.sentence
    assert reruns.finished_page(asked) == asked.page


def test_both_values_of_each_changed_parameter_are_known(project):
    chapter = chapters.find("sample")
    assert reruns.changed(chapter, {"n": 4}, {}) == {"n": (3, 4)}
    assert reruns.changed(chapter, {"n": 3}, {}) == {}
    assert reruns.changed(chapter, {"n": 3}, {"n": 2}) == {"n": (2, 3)}


CHAPTER = """---
kernelspec: {display_name: Python 3, name: python3}
replib: {minutes_to_read: 1}
---

(ch-NAME)=
# The chapter NAME

```{code-cell} ipython3
:tags: [parameters]

n: int = 3  # things; 1 to 9; how many
```

```{code-cell} ipython3
from companion import engine as book
book.glue(twice=2 * n)
```

Twice is {glue:text}`twice`; see {ref}`ch-OTHER` and {prf:ref}`thm-NAME`.

```{prf:theorem}
:label: thm-NAME
Twice is even.
```
"""


@pytest.mark.slow
def test_a_rerun_needs_no_book_that_was_built(small_book, tmp_path):
    """As on a fresh clone; the second page is made where the first one has left its files."""
    texts = {
        "10_one": CHAPTER.replace("NAME", "one").replace("OTHER", "two"),
        "11_two": CHAPTER.replace("NAME", "two").replace("OTHER", "one"),
    }
    folder = small_book(tmp_path / "clone", texts)
    paths = os.pathsep.join([str(folder), str(folder / "book")])
    for n in ("4", "5"):
        command = [sys.executable, "-m", "replib", "run", "one", "-p", "n", n]
        environment = os.environ | {"PYTHONPATH": paths}
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
    answers = [page.read_text() for page in folder.glob("runs/one/*/one.html")]
    assert len(answers) == 2
    assert all("The chapter two" in answer for answer in answers)

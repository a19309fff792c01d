"""A reader's copy: what it says at the top, and what is executed for it."""

import re

import nbformat
import pandas as pd
import pytest

from companion.engine.build import chapters, copies, executed, execution
from companion.engine.build.difference import COLUMNS, difference


def test_the_copy_says_with_what_it_was_run_and_what_changed(notebook, tmp_path):
    default, yours = notebook(tmp_path / "a.ipynb"), notebook(tmp_path / "b.ipynb", rebuilt=0.2)
    copies.mark(yours, {"wins": 30, "name": "<script>"}, difference(default, yours))
    cell = nbformat.read(yours, as_version=4).cells[1]
    html = cell.outputs[0].data["text/html"]
    assert cell.id == executed.MARK
    assert "wins = 30" in html and "1 number differs" in html and ">0.2</td>" in html
    assert "<strong>1 verdict changed</strong>" in html
    assert re.search("verdict-exact.* → .*verdict-differs", html)
    assert '<td data-label="paper">0.0488</td>' in html
    assert "<script>" not in html
    assert len(difference(default, yours)) == 1  # what we added is no number of the chapter


def test_a_copy_in_which_everything_changed_stays_small_and_says_where_the_rest_is(
    notebook, tmp_path
):
    yours = notebook(tmp_path / "b.ipynb")
    row = ("", "1", "2", "", float("nan"), 1.0)
    rows = pd.DataFrame([("table", f"row {i}", *row) for i in range(5000)], columns=COLUMNS)
    copies.mark(yours, {"wins": 30}, rows)
    html = nbformat.read(yours, as_version=4).cells[1].outputs[0].data["text/html"]
    assert "5000 numbers differ" in html
    assert html.count("<tr>") == copies.LISTED + 2  # and the heads of the two tables
    assert f"The other {5000 - copies.LISTED}" in html


def test_formulas_are_drawn_and_markup_is_not(notebook, tmp_path):
    yours = notebook(tmp_path / "b.ipynb")
    words = "With $n^* < 3$ and <b>, $1 and more"
    row = ("text", words, "", "$\\frac{1}{2}$", "1", "", float("nan"), float("inf"))
    copies.mark(yours, {"wins": 30}, pd.DataFrame([row], columns=COLUMNS))
    html = nbformat.read(yours, as_version=4).cells[1].outputs[0].data["text/html"]
    begin = '<span class="math notranslate nohighlight">'
    assert f"With {begin}\\(n^* &lt; 3\\)</span> and &lt;b&gt;, $1 and more" in html
    assert f'<td data-label="default">{begin}\\(\\frac{{1}}{{2}}\\)</span></td>' in html
    assert "from 0" in html and "No verdict changed" in html


@pytest.fixture
def executions(project, monkeypatch):
    """Where executed notebooks went, one list per run; the page is not made."""
    went = []

    def execute_all(tasks, jobs):
        went.append([path for _, _, path in tasks])
        for task in tasks:
            execution.execute(*task)

    monkeypatch.setattr(copies, "execute_all", execute_all)
    monkeypatch.setattr(copies.pages, "one_page", lambda chapter, copy, log: copy)
    return went


def test_the_default_run_is_executed_once_for_all_copies_and_a_copy_once(executions):
    chapter, default = chapters.find("sample"), chapters.BUILD / "defaults" / "10_sample.ipynb"
    first, _ = copies.run(chapter, {"n": 4})
    second, _ = copies.run(chapter, {"n": 6})
    again, _ = copies.run(chapter, {"n": 4})
    assert again == first != second
    assert [default in went for went in executions] == [True, False, False]
    assert list(map(len, executions)) == [2, 1, 0]


def test_the_run_of_the_book_serves_as_the_default(executions):
    chapter = chapters.find("sample")
    execution.execute(chapter, {}, chapter.executed)
    page, _ = copies.run(chapter, {"n": 4})
    [[part]] = executions
    assert part != chapter.executed and not part.exists() and page.exists()
    assert (page.parent / "difference.csv").exists()


def test_with_a_preset_both_runs_have_its_values(executions):
    chapter = chapters.find("sample")
    copies.run(chapter, {"n": 4}, {"n": 2})
    copies.run(chapter, {}, {"n": 2})  # the default run of the preset is kept
    first, second = executions
    kept = chapters.BUILD / "defaults" / "10_sample.preset.ipynb"
    assert kept in first and len(first) == 2
    assert kept not in second and len(second) == 1
    assert chapters.executed_metadata(kept)["parameters"] == {"n": 2}
    for copy in chapters.RUNS.glob("sample/*/sample.ipynb"):
        assert "the default run with the same preset" in copy.read_text()


def test_both_values_of_each_changed_parameter_are_known(project):
    chapter = chapters.find("sample")
    assert copies.changed(chapter, {"n": 4}, {}) == {"n": (3, 4)}
    assert copies.changed(chapter, {"n": 3}, {}) == {}
    assert copies.changed(chapter, {"n": 3}, {"n": 2}) == {"n": (2, 3)}

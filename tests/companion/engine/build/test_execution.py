"""Executing chapters: the same bytes twice, and what remains when a cell fails."""

import subprocess
import sys
from types import SimpleNamespace

import nbformat
import pytest

from companion.engine import problems
from companion.engine.build import chapters, execution
from companion.engine.build.parameters import ParameterError


def test_two_executions_leave_identical_files(project):
    chapter = chapters.find("sample")
    first, second = project / "a.ipynb", project / "b.ipynb"
    execution.execute(chapter, {"n": 4}, first)
    execution.execute(chapter, {"n": 4}, second)
    assert first.read_bytes() == second.read_bytes()
    assert not any((project / "_build" / "chapters").iterdir())


def test_the_notebook_and_the_log_may_lie_on_other_file_systems(project, no_renaming):
    chapter, target = chapters.find("sample"), project / "elsewhere" / "a.ipynb"
    execution.execute(chapter, {}, target)
    assert chapters.executed_metadata(target)
    text = chapter.source.read_text()
    chapter.source.write_text(text.replace("np.random.", "1 / 0; np.random."))
    with pytest.raises(execution.ChapterFailed, match="log is"):
        execution.execute(chapters.find("sample"), {}, target)
    assert (project / "_build" / "logs" / "10_sample.ipynb").exists()
    assert not any((project / "_build" / "chapters").iterdir())


def test_steps_are_reported_and_a_bar_is_no_output(project):
    chapter, steps = chapters.find("sample"), []
    bar = """
from tqdm import tqdm
import subprocess
import sys
print("begins", file=sys.stderr)
for _ in tqdm(range(4), mininterval=0):
    list(tqdm(range(2), mininterval=0))  # a bar within the other
print("ends", file=sys.stderr)
np.random."""
    text = chapter.source.read_text().replace("\nnp.random.", bar)
    chapter.source.write_text(text)
    chapter = chapters.find("sample")
    execution.execute(chapter, {}, project / "a.ipynb", report=steps.append)
    assert list(dict.fromkeys(step[:2] for step in steps)) == [(1, 3), (2, 3), (3, 3)]
    percents = dict.fromkeys(step.percent for step in steps)
    assert {0, 25, 50, 75, 100} == {*percents}
    outputs = nbformat.read(project / "a.ipynb", as_version=4).cells[-1].outputs
    assert outputs[0].text == "begins\nends\n"


def test_a_chapter_leaves_no_semaphore_when_it_is_killed(project):
    """A bar, and papermill's own, take no lock of the system."""
    chapter = chapters.find("sample")
    looking = """
from tqdm import tqdm
list(tqdm(range(2)))
print("semaphore" if hasattr(tqdm.get_lock(), "locks") else type(tqdm.get_lock()))
np.random."""
    text = chapter.source.read_text().replace("\nnp.random.", looking)
    chapter.source.write_text(text)
    execution.execute(chapters.find("sample"), {}, project / "a.ipynb")
    outputs = nbformat.read(project / "a.ipynb", as_version=4).cells[-1].outputs
    assert outputs[0].text == "<class '_thread.RLock'>\n"


def test_a_full_disk_leaves_the_last_good_chapter(project, full_disks, monkeypatch):
    """The process that runs the cells is left out."""

    def cells(chapter, values, part, *others):
        nbformat.write(chapter.notebook, part)
        return [], {}

    monkeypatch.setattr(execution, "_run_cells", cells)
    chapter, target = chapters.find("sample"), project / "a.ipynb"
    execution.execute(chapter, {}, target)
    good, there = target.read_bytes(), sorted(project.rglob("*"))
    for disk in full_disks:
        target.write_bytes(b"old")
        try:
            with disk:
                execution.execute(chapter, {}, target)
        except OSError as problem:
            assert problems.answer(problem) == (1, problem.strerror)
            assert target.read_bytes() == b"old" and sorted(project.rglob("*")) == there
        else:
            break
    assert disk not in full_disks[:6] and target.read_bytes() == good


def test_a_failing_chapter_names_its_cell_keeps_the_log_and_the_last_good_page(project):
    chapter = chapters.find("sample")
    execution.execute(chapter, {}, chapter.executed)
    good = chapter.executed.read_bytes()
    text = chapter.source.read_text()
    chapter.source.write_text(
        text.replace("np.random.", "import math; math.sqrt(-1); np.random.")
    )
    with pytest.raises(
        execution.ChapterFailed, match=r"failed in cell \d+ \('import numpy as np'\)"
    ) as failure:
        execution.execute(chapters.find("sample"), {}, chapter.executed)
    assert "ValueError" in (project / "_build" / "logs" / "10_sample.log").read_text()
    assert "log is" in str(failure.value)
    chapter.source.write_text(
        text.replace("np.random.", "import os; os._exit(9); np.random.")
    )
    with pytest.raises(
        execution.ChapterFailed, match=r"ended from outside .* \(exit code 9\)"
    ):
        execution.execute(chapters.find("sample"), {}, chapter.executed)
    assert chapter.executed.read_bytes() == good


def test_a_chapter_is_executed_again_only_when_something_changed(project):
    chapter = chapters.find("sample")
    assert execution.execute_stale().keys() == {"sample"}
    assert execution.execute_stale() == {}
    chapter.source.write_text(chapter.source.read_text().replace("(3)", "(4)"))
    assert execution.execute_stale().keys() == {"sample"}


@pytest.mark.parametrize("preset", [None, "four"])
def test_prose_alone_is_put_into_what_was_executed(project, preset):
    """The notebook is, to the byte, what another execution gives; no cell runs."""
    (project / "notebooks" / "presets" / "four.yml").write_text("sample: {n: 4}")
    chapter = chapters.find("sample")
    execution.execute_stale(preset_name=preset)
    text = chapter.source.read_text()
    text = text.replace("# A chapter", "# Another\n\n+++\n\nIt is longer.")
    chapter.source.write_text(
        text.replace("ipython3\nimport", "ipython3\n:name: x\n\nimport")
    )
    assert execution.execute_stale(preset_name=preset) == {}
    renewed = chapter.executed.read_bytes()
    assert b"It is longer." in renewed and b'"name": "x"' in renewed
    values = {"n": 4} if preset else {}
    execution.execute(chapters.find("sample"), values, chapter.executed)
    assert chapter.executed.read_bytes() == renewed


def test_a_chapter_about_others_runs_again_for_their_numbers_and_titles_only(project):
    source = project / "notebooks" / "10_sample.md"
    text = source.read_text()
    reading = "open('chapters/10_sample.ipynb').read()\nimport numpy"
    (project / "notebooks" / "11_about.md").write_text(
        text.replace("  minutes", "  reads_ledger: true\n  minutes")
        .replace("n: int = 3", "n: int = 2")
        .replace("import numpy", reading)
    )
    assert execution.execute_stale().keys() == {"sample", "about"}
    source.write_text(text + "\nAn afterthought.\n")
    assert execution.execute_stale() == {}
    source.write_text(text.replace("# A chapter", "# Another"))
    assert execution.execute_stale().keys() == {"about"}
    source.write_text(text.replace("(3)", "(4)"))
    assert execution.execute_stale().keys() == {"sample", "about"}


def test_values_that_do_not_go_together_are_refused_before_anything_is_executed(
    project, monkeypatch
):
    def refuse_four(n):
        if n == 4:
            raise ValueError("four does not go with the others")

    monkeypatch.setitem(
        sys.modules, "together", SimpleNamespace(refuse_four=refuse_four)
    )
    text = (project / "notebooks" / "10_sample.md").read_text()
    (project / "notebooks" / "11_checked.md").write_text(
        text.replace("  minutes", "  checked_by: together:refuse_four\n  minutes")
    )
    presets = project / "notebooks" / "presets"
    for n in (3, 4):
        (presets / f"n_is_{n}.yml").write_text(f"checked: {{n: {n}}}")
    with pytest.raises(ParameterError, match="chapter checked: four does not go"):
        execution.execute_stale(preset_name="n_is_4")
    assert not (project / "chapters").exists()
    assert execution.execute_stale(preset_name="n_is_3").keys() == {"sample", "checked"}


def test_a_busy_machine_is_no_warning_on_a_page():
    code = """
import warnings
import companion.engine.build.cells
warnings.warn("Persisting input arguments took 0.58s to run.")
warnings.warn("something else")
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert "something else" in done.stderr
    assert "Persisting" not in done.stderr

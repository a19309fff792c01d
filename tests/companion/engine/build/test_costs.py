"""Costs of chapters: recorded ones stay, and none is needed where nothing was measured."""

import nbformat
import pytest

from companion.engine.build import chapters, costs
from companion.papers import stored


def test_recorded_seconds_are_kept_by_preset(project):
    costs.record({"sample": 12.6, "other": 0.2}, preset=None)
    costs.record({"sample": 3.4}, preset="quick")
    assert costs.recorded() == {"sample": {"paper": 13, "quick": 3}, "other": {"paper": 1}}
    assert (chapters.SOURCES / "costs.yml").read_text().startswith("# Seconds")


def test_chapters_that_a_build_left_alone_keep_their_seconds(project):
    assert costs.of_last_build() == {}
    costs.remember({"sample": 12.5, "other": 2.0})
    costs.remember({"sample": 11.5})
    assert costs.of_last_build() == {"sample": 11.5, "other": 2.0}


@pytest.mark.parametrize("damaged", ["", "{", "null", "3", '"text"'])
def test_damaged_seconds_are_those_of_no_chapter(project, damaged):
    costs.remember({})
    (chapters.BUILD / "seconds.json").write_text(damaged)
    assert costs.of_last_build() == {}


def test_minutes_of_runs_are_recorded_beside_those_of_others(tmp_path, monkeypatch):
    monkeypatch.setattr(costs, "RUNS", tmp_path / "costs.csv")
    row = {"timed": 3, "measured": "2026-11-01", "machine": "Linux x86_64, CPython"}
    costs.record_runs({"coins": {"now": 1.5, **row}})
    costs.record_runs({"dice": {"now": 0.1, **row}, "coins": {"now": 2.5, **row}})
    assert costs.of_runs()["now"].to_dict() == {"coins": 2.5, "dice": 0.1}


def test_the_runs_that_a_chapter_read_are_those_of_its_last_execution(project):
    chapter = chapters.find("sample")
    assert costs.runs_read_by(chapter) == []
    data = {f"book/results/{name}": "0" for name in ("coins.npz", "coins.json", "costs.csv")}
    notebook = nbformat.from_dict(chapter.notebook)
    notebook.metadata["replib"] = {"key": "0", "data": data}
    chapter.executed.parent.mkdir()
    chapters.write_sealed(notebook, chapter.executed)
    assert costs.runs_read_by(chapter) == ["coins"]


def test_minutes_are_recorded_only_of_stored_runs():
    """Told once: `results`, `list` and the page on long runs read this file."""
    known = costs.of_runs()
    assert len(known) and set(known.index) <= set(stored.names())
    assert (known["now"] >= 0).all() and (known["timed"] >= 1).all()

"""Costs of chapters: recorded ones stay, and none is needed where nothing was measured."""

import pytest

from companion.engine.build import chapters, costs


def test_recorded_seconds_are_kept_by_preset(project):
    costs.record({"sample": 12.6, "other": 0.2}, preset=None)
    costs.record({"sample": 3.4}, preset="quick")
    assert costs.recorded() == {
        "sample": {"paper": 13, "quick": 3},
        "other": {"paper": 1},
    }
    assert (chapters.SOURCES / "costs.yml").read_text().startswith("# Seconds")


def test_a_rerun_takes_the_cells_and_the_page(project):
    costs.record({"sample": 12.6}, preset=None)
    assert costs.of_rerun("sample", "paper") == 13 + costs.SECONDS_OF_PAGE
    assert costs.of_rerun("sample", "quick") is None


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

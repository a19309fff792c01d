"""Which test to use: designs that keep their level, and what they cost."""

import pytest

from companion import stored
from companion.papers import methods_of_2004
from companion.studies import which_test
from replib import methods


@pytest.fixture(scope="module")
def measured():
    return which_test.measured(stored.load("synthetic_decisions"))


def test_the_advice_is_the_most_replicable_test_that_holds_its_level(measured):
    advice = which_test.advice(measured)
    assert advice == {10: "corrected_resampled_10", 100: "corrected_repeated_cv"}


@pytest.mark.parametrize(
    "design, column, value, trainings, advised",
    [
        (
            "corrected_repeated_cv",
            "type_1",
            7.6,
            100,
            "average_over_sorted_runs.paired_t",
        ),
        (
            "corrected_resampled_100",
            "replicability_normalized",
            95,
            100,
            "corrected_resampled_100",
        ),
        ("corrected_resampled_10", "type_1", 12, 10, "five_by_two_cv"),
        ("k_fold.paired_t", "type_1", 5, 10, "k_fold.paired_t"),
    ],
)
def test_new_evidence_changes_the_advice(
    measured, design, column, value, trainings, advised
):
    changed = measured.copy()
    changed.loc[design, column] = value
    advice = which_test.advice(changed)
    assert advice[trainings] == advised


def test_without_a_test_that_holds_its_level_none_is_advised(measured):
    assert which_test.advice(measured.assign(type_1=20)) == {}


@pytest.mark.parametrize("run", which_test.RUNS)
def test_the_evidence_of_the_library_is_what_the_stored_run_says(run):
    of_run = which_test.evidence(stored.load(run), run)
    of_library = of_run.drop(methods_of_2004.PRINTED, errors="ignore")
    for name, row in of_library.iterrows():
        assert row.to_dict().items() <= methods.EVIDENCE[name]._asdict().items()


def test_evidence_comes_from_stored_runs_only():
    assert {one.run for one in methods.EVIDENCE.values()} == {*which_test.RUNS}
    of_designs = {name for name in methods.EVIDENCE if not name.startswith("bench.")}
    assert of_designs == {*methods.METHODS}

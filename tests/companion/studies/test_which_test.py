"""Which test to use: designs that keep their level, and what they cost."""

import pytest

from companion import stored
from companion.papers import methods_of_2004
from companion.studies import which_test
from replib import methods


@pytest.fixture(scope="module")
def measured():
    return which_test.measured(stored.load("synthetic_decisions"))


def test_levels_are_those_of_the_one_definition(measured):
    levels = which_test.levels(measured)
    for design, row in measured.iterrows():
        assert levels[design] == methods.level_held(
            row["type_1"] / 100,
            standard_error=row["type_1_deviation"] / 100 / 10**0.5,
            populations=10,
        )
    assert set(levels) == {"held", "not held"}


def test_a_single_network_settles_nothing(measured):
    levels = which_test.levels(measured.assign(type_1_deviation=float("nan")))
    assert set(levels) == {"not settled"}


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

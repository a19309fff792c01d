"""Which test to use: designs that keep their level, and what they cost."""

import numpy as np
import pytest

from companion.papers import stored
from companion.papers.topics import which_test
from replib import designs


def test_designs_that_keep_their_level():
    measured = which_test.measured(stored.load("synthetic_decisions"))
    kept = which_test.keeps(measured)
    assert kept["corrected_repeated_cv"] and kept["average_over_sorted_runs.paired_t"]
    assert not kept["use_all_data.paired_t"] and not kept["k_fold.paired_t"]
    assert measured.loc["corrected_repeated_cv", "replicability_normalized"] > 80
    assert set(which_test.shown(measured)["trainings"]) == {10, 100}


@pytest.mark.parametrize("runs, folds, alpha", [(10, 10, 0.05), (4, 5, 0.2)])
def test_at_the_threshold_either_design_changes_its_mind(runs, folds, alpha):
    block = np.random.default_rng(1).normal(size=(runs, folds))
    sorted_runs = np.sort(block, axis=1).mean(axis=0)
    samples = {"sorted_runs": sorted_runs, "corrected": block.ravel()}
    for design, threshold in which_test.thresholds(runs, folds, alpha).items():
        mean = threshold * samples[design].std(ddof=1)
        for side, rejects in ((0.999, 0), (1.001, 1)):
            shifted = block - block.mean() + side * mean
            found = which_test.corrected_beside_sorted_runs({"x": shifted[None]}, alpha).loc["x"]
            assert found[design] == rejects


@pytest.mark.parametrize("run", which_test.RUNS)
def test_the_evidence_of_the_library_is_what_the_stored_run_says(run):
    of_run = which_test.evidence(stored.load(run), run)
    for name, row in of_run.iterrows():
        assert designs.DESIGNS[name].evidence._asdict() == row.to_dict()


def test_evidence_comes_from_stored_runs_only():
    runs = {one.evidence.run for one in designs.DESIGNS.values() if one.evidence}
    assert runs == {*which_test.RUNS}

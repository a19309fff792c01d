"""Ten reruns of one experiment, as the first page shows them."""

import pytest

from companion import stored
from companion.papers import uci
from companion.papers.bouckaert_frank2004 import section_3
from companion.studies import ten_reruns
from replib import significance


@pytest.fixture(scope="module")
def results():
    return {name: stored.load(name, size=20) for name in ten_reruns.NEEDS}


def test_a_decision_is_that_of_the_test_on_one_experiment(results):
    found = ten_reruns.decisions(results, "five_by_two_cv")
    samples = uci.differences(
        results["uci_five_by_two_cv"], "uci_five_by_two_cv", ten_reruns.PAIR
    )
    for dataset in ("vote", "anneal"):
        for rerun in range(ten_reruns.RERUNS):
            sample = samples[dataset][rerun]
            pvalue = significance.five_by_two_cv_t(sample).pvalue
            assert abs(found.loc[dataset, rerun]) == (pvalue < 0.05)
            assert found.loc[dataset, rerun] * sample.mean() >= 0


@pytest.mark.parametrize("test", ten_reruns.TRAININGS)
def test_data_sets_that_are_not_unanimous_are_counted(test):
    first_ten = {name: stored.load(name, size=10) for name in ten_reruns.NEEDS}
    frame = ten_reruns.decisions(first_ten, test)
    # an outcome is accept or reject, whoever is better
    torn = sum((row != 0).nunique() > 1 for _, row in frame.iterrows())
    assert ten_reruns.not_unanimous(first_ten, test).tolist() == [torn]


@pytest.mark.parametrize("test", ten_reruns.TRAININGS)
def test_the_deviation_is_that_of_tables_drawn_from_the_frequencies(test):
    results = {name: stored.load(name) for name in ten_reruns.NEEDS}
    accepted = section_3.acceptances(results, test, ten_reruns.PAIR)
    drawn = uci.simulated_tables(accepted, 4000, seed=3)
    torn = (~drawn.isin([0, uci.TABLE])).sum()
    # the standard error of a deviation from 4000 tables is 1.1%; five of them
    expected = pytest.approx(torn.std(), rel=0.056)
    assert ten_reruns.deviation_of_not_unanimous(results, test) == expected

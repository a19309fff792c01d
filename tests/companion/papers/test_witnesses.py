"""The search for networks that give a printed column: candidates, distances, committed ones."""

import numpy as np
import pandas as pd
import pytest

from companion import stored
from companion.lab.experiments import on_sources, runner
from companion.lab.sources import random_network
from companion.papers import synthetic, witnesses
from companion.papers.bouckaert_frank2004 import readings
from companion.papers.networks.margins import margin, targets

TABLES = [table.item for table in witnesses.TABLES]


@pytest.fixture(scope="module")
def again():
    return stored.load("witness_decisions")


def test_a_network_of_no_strength_is_naive_bayes():
    network = random_network(seed=1, attributes=5, arrows=8)
    naive = witnesses.weakened(network, 0.0)
    unchanged = witnesses.weakened(network, 1.0)
    for full, weakest, strongest in zip(
        network.tables[1:], naive.tables[1:], unchanged.tables[1:]
    ):
        assert np.allclose(strongest, full)
        assert np.allclose(weakest.sum(axis=-1), 1)
        rows = weakest.reshape(2, -1, 2)  # by class, by the other parents together
        assert np.allclose(rows, rows[:, :1])
        assert np.allclose(rows[:, 0], full.reshape(2, -1, 2).mean(axis=1))


def test_a_candidate_has_the_margin_or_is_none():
    tried = [witnesses.candidate(np.random.default_rng(seed), 2.0) for seed in range(4)]
    networks = [network for network in tried if network is not None]
    assert networks
    for network in networks:
        measured = margin(network, training_sets=300)
        allowed = 4 * measured["margin_error"] * 2**0.5 + 0.1
        assert abs(measured["margin"] - 2.0) < allowed
    assert witnesses.candidate(np.random.default_rng(0), 90.0) is None


def test_values_of_cells_by_hand():
    cells = pd.DataFrame({"design": ["b", "a"], "measure": ["rejected", "consistent"]})
    counts = np.array([[[0, 10, 0], [4, 5, 1]], [[9, 1, 0], [0, 0, 10]]])
    values = witnesses.cell_values(counts, ["a", "b"], cells)
    assert values.tolist() == [[50, 100], [100, 0]]


def test_a_column_has_every_printed_number_of_its_source():
    for source in (2, 3, 4):
        column = witnesses.printed_column(source)
        assert column.groupby("table").size().tolist() == [8, 5]
        assert (column["design"] == "five_by_two_cv").sum() == 1


def rng_of(seed):
    """Return a generator of its own; a shared seed sequence would count its spawned streams."""
    return np.random.default_rng(np.random.SeedSequence(5, spawn_key=(seed,)))


def test_designs_decide_on_one_data_set_and_5x2cv_with_four_degrees_of_freedom():
    network = random_network(seed=3, attributes=5, arrows=6)
    designs = ["k_fold.paired_t", "five_by_two_cv", "corrected_resampled_10"]
    setting = {**synthetic.SETTING, "source": network, "experiments": 10}
    level = readings.level_of_degrees(0.05, 4)
    as_read = []
    five_degrees = []
    four_degrees = []
    for seed in range(12):
        counts = witnesses.outcome_counts(
            rng_of(seed), network, designs=designs, experiments=10
        )
        plain = on_sources.decisions(rng_of(seed), designs=designs, **setting)
        # splits and data are not touched
        assert (counts[[0, 2]] == plain[[0, 2]]).all()
        at_level = on_sources.decisions(
            rng_of(seed), designs=["five_by_two_cv"], **{**setting, "alpha": level}
        )
        as_read.append(counts[1])
        five_degrees.append(plain[1])
        four_degrees.append(at_level[0])
    assert np.array_equal(as_read, four_degrees)
    assert not np.array_equal(as_read, five_degrees)
    rejected = np.delete(np.array(as_read), 1, axis=1)
    rejected_by_five = np.delete(np.array(five_degrees), 1, axis=1)
    assert (rejected <= rejected_by_five).all()


def test_a_level_of_other_degrees_of_freedom_decides_as_they_do():
    block = np.random.default_rng(7).normal(0.4, 1, (4000, 5, 2))
    level = readings.level_of_degrees(0.05, 4)
    decided = readings.five_by_two_p(block) < level
    assert np.array_equal(decided, readings.five_by_two_p(block, df=4) < 0.05)
    assert decided.any()
    assert (readings.five_by_two_p(block) < 0.05).sum() > decided.sum()


def test_distances_have_both_errors_and_grant_half_a_digit():
    values = np.tile([[0.0], [100.0]], (50, 1))  # mean 50, of 100 data sets
    deviation = values.std(ddof=1)
    error = deviation * np.sqrt(1 / 100 + 1 / synthetic.DATASETS)
    for off in (-8.0, 8.0):
        z = witnesses.distances(values, np.array([50 + off])).item()
        assert z == pytest.approx(np.sign(off) * (8 - 0.05) / error)
    assert witnesses.distances(values, np.array([50.05])) == 0
    # all of few data sets are not certainty
    z = witnesses.distances(np.full((25, 1), 100.0), np.array([99.0])).item()
    assert -1 < z < 0


def test_the_nearest_is_of_those_that_came_furthest():
    counts = np.array([[-1, 0], [2, 310], [4, 280], [4, 250], [3, 301]])
    results = runner.Replications(witnesses.search(3), counts, {})
    assert witnesses.nearest({"source3": results}) == {"source3": 3}


def test_the_committed_candidates_are_the_nearest_of_the_stored_search():
    nearest = witnesses.nearest(stored.load("witness_search"))
    for name, number in nearest.items():
        assert witnesses.confirmation_plan()[name][0].stream[0] == number
        source = int(name[-1])
        sequence = np.random.SeedSequence(witnesses.SEED, spawn_key=(source, number))
        again = witnesses.candidate(np.random.default_rng(sequence), targets()[source])
        # the tables are only a little weaker
        assert again.parents == witnesses.load(name).parents


def test_the_committed_candidates_have_the_printed_margins():
    for name, row in witnesses._records().items():
        assert abs(row["margin"] - targets()[int(name[-1])]) < 0.2
        measured = margin(witnesses.load(name), training_sets=300)
        error = np.hypot(measured["margin_error"], row["margin_error"])
        assert abs(measured["margin"] - row["margin"]) < 4 * error


@pytest.mark.parametrize("item", TABLES)
def test_each_number_is_that_of_its_design(again, item):
    confirmed = witnesses.confirmed(again, item).set_index(["source", "design"])
    measure = {table.item: table.measure for table in witnesses.TABLES}[item]
    for name, results in again.items():
        designs = [*results.experiment.parameters["designs"], "five_by_two_cv"]
        # the readings follow the designs, the second of them with four degrees of
        # freedom
        counts = results.counts[:, [*range(len(designs) - 1), len(designs)]]
        expected = synthetic.measures(counts, designs)
        expected_error = expected[f"{measure}_error"]
        for design, row in confirmed.loc[name].iterrows():
            assert row["measured"] == pytest.approx(expected.at[design, measure])
            assert row["standard_error"] == pytest.approx(expected_error[design])

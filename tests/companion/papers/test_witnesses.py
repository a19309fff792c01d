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
    naive, same = witnesses.weakened(network, 0.0), witnesses.weakened(network, 1.0)
    for full, without, kept in zip(
        network.tables[1:], naive.tables[1:], same.tables[1:]
    ):
        assert np.allclose(kept, full) and np.allclose(without.sum(axis=-1), 1)
        of_class = without.reshape(2, -1, 2)  # by class, by the other parents together
        assert np.allclose(of_class, of_class[:, :1])
        assert np.allclose(of_class[:, 0], full.reshape(2, -1, 2).mean(axis=1))


def test_a_candidate_has_the_margin_or_is_none():
    found = [witnesses.candidate(np.random.default_rng(seed), 2.0) for seed in range(4)]
    networks = [network for network in found if network is not None]
    assert networks
    for network in networks:
        measured = margin(network, training_sets=300)
        assert (
            abs(measured["margin"] - 2.0) < 4 * measured["margin_error"] * 2**0.5 + 0.1
        )
    assert witnesses.candidate(np.random.default_rng(0), 90.0) is None


def test_what_data_sets_say_by_hand():
    cells = pd.DataFrame({"design": ["b", "a"], "measure": ["rejected", "consistent"]})
    counts = np.array([[[0, 10, 0], [4, 5, 1]], [[9, 1, 0], [0, 0, 10]]])
    assert witnesses.of_data_sets(counts, ["a", "b"], cells).tolist() == [
        [50, 100],
        [100, 0],
    ]


def test_a_column_has_every_printed_number_of_its_source():
    for source in (2, 3, 4):
        column = witnesses.printed_column(source)
        assert column.groupby("table").size().tolist() == [8, 5]
        assert (column["design"] == "five_by_two_cv").sum() == 1


def test_designs_decide_on_one_data_set_and_5x2cv_with_four_degrees_of_freedom():
    network = random_network(seed=3, attributes=5, arrows=6)
    designs = ["k_fold.paired_t", "five_by_two_cv", "corrected_resampled_10"]
    setting = {**synthetic.SETTING, "source": network, "experiments": 10}
    found, five, four = [], [], []
    for seed in range(12):
        rng = lambda seed=seed: np.random.default_rng(
            np.random.SeedSequence(5, spawn_key=(seed,))
        )
        counts = witnesses.decided(rng(), network, designs=designs, experiments=10)
        alone = on_sources.decisions(rng(), designs=designs, **setting)
        assert (
            counts[[0, 2]] == alone[[0, 2]]
        ).all()  # splits and data are not touched
        level = readings.level_of_degrees(0.05, 4)
        of_four = on_sources.decisions(
            rng(), designs=["five_by_two_cv"], **{**setting, "alpha": level}
        )
        found.append(counts[1]), five.append(alone[1]), four.append(of_four[0])
    assert np.array_equal(found, four)
    rejected = lambda rows: np.delete(np.array(rows), 1, axis=1)
    assert (rejected(found) <= rejected(five)).all() and not np.array_equal(found, five)


def test_a_level_of_other_degrees_of_freedom_decides_as_they_do():
    block = np.random.default_rng(7).normal(0.4, 1, (4000, 5, 2))
    level = readings.level_of_degrees(0.05, 4)
    decided = readings.five_by_two_p(block) < level
    assert np.array_equal(decided, readings.five_by_two_p(block, df=4) < 0.05)
    assert (
        decided.any() and (readings.five_by_two_p(block) < 0.05).sum() > decided.sum()
    )


def test_distances_have_both_errors_and_grant_half_a_digit():
    found = np.tile([[0.0], [100.0]], (50, 1))  # mean 50, of 100 data sets
    deviation = found.std(ddof=1)
    error = deviation * np.sqrt(1 / 100 + 1 / synthetic.DATASETS)
    for off in (-8.0, 8.0):
        z = witnesses.distances(found, np.array([50 + off])).item()
        assert z == pytest.approx(np.sign(off) * (8 - 0.05) / error)
    assert witnesses.distances(found, np.array([50.05])) == 0
    # all of few data sets are not certainty
    assert (
        0
        < witnesses.distances(np.full((25, 1), 100.0), np.array([99.0])).item() * -1
        < 1
    )


def test_the_nearest_is_of_those_that_came_furthest():
    counts = np.array([[-1, 0], [2, 310], [4, 280], [4, 250], [3, 301]])
    one = runner.Replications(witnesses.search(3), counts, {})
    assert witnesses.nearest({"source3": one}) == {"source3": 3}


def test_the_committed_candidates_are_the_nearest_of_the_stored_search():
    nearest = witnesses.nearest(stored.load("witness_search"))
    for name, number in nearest.items():
        assert witnesses.confirmation_plan()[name][0].stream[0] == number
        sequence = np.random.SeedSequence(
            witnesses.SEED, spawn_key=(int(name[-1]), number)
        )
        again = witnesses.candidate(
            np.random.default_rng(sequence), targets()[int(name[-1])]
        )
        assert (
            again.parents == witnesses.load(name).parents
        )  # the tables only a little weaker


def test_the_committed_candidates_have_the_printed_margins():
    for name, row in witnesses._records().items():
        assert abs(row["margin"] - targets()[int(name[-1])]) < 0.2
        measured = margin(witnesses.load(name), training_sets=300)
        error = np.hypot(measured["margin_error"], row["margin_error"])
        assert abs(measured["margin"] - row["margin"]) < 4 * error


@pytest.mark.parametrize("item", TABLES)
def test_each_number_is_that_of_its_design(again, item):
    found = witnesses.confirmed(again, item).set_index(["source", "design"])
    for name, one in again.items():
        designs = [*one.experiment.parameters["designs"], "five_by_two_cv"]
        # the readings follow the designs, the second of them with four degrees of
        # freedom
        counts = one.counts[:, [*range(len(designs) - 1), len(designs)]]
        measured = synthetic.measures(counts, designs)
        measure = {table.item: table.measure for table in witnesses.TABLES}[item]
        for design, row in found.loc[name].iterrows():
            assert row["found"] == pytest.approx(measured.at[design, measure])
            assert row["standard_error"] == pytest.approx(
                measured.at[design, f"{measure}_error"]
            )

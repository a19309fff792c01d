"""The rules on stored cross-validations: long experiments from short ones, averages, paths."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from companion import stored
from companion.papers import uci
from companion.studies.adaptive_design import border as border_model
from companion.studies.adaptive_design import on_datasets
from replib import adaptive, replicability


@pytest.fixture(scope="module")
def few():
    """Experiments of eight runs on the UCI data sets, from twenty stored ones."""
    return on_datasets.uci_blocks(
        stored.load("uci_cross_validation", size=20), 8, shuffles=2, seed=1
    )


def test_each_run_is_in_one_experiment_of_a_shuffle(few):
    cells, blocks = few
    assert blocks.shape == (81, 2, 25, 8, 10)  # 200 runs make 25 experiments of eight
    differences = uci.differences(
        stored.load("uci_cross_validation", size=20), "uci_cross_validation", "c45_nn"
    )
    for cell in np.flatnonzero(cells["pair"] == "c45_nn")[::5]:
        runs = differences[cells.at[cell, "dataset"]].reshape(-1, 10)
        for shuffle in blocks[cell]:
            ours = shuffle.reshape(-1, 10)
            assert_array_equal(ours[np.lexsort(ours.T)], runs[np.lexsort(runs.T)])
        assert not np.array_equal(*blocks[cell])


def test_the_three_pairs_see_the_same_runs(few):
    cells, blocks = few
    of = {pair: blocks[cells["pair"] == pair] for pair in uci.PAIRS}
    assert_allclose(of["nb_c45"] + of["c45_nn"], of["nb_nn"], atol=1e-12)


def test_cells_and_averages_are_those_of_the_estimators(few):
    seen = adaptive.course(few[1], test="corrected")
    levels = {"fixed": (3, 8), "curtailed": (0.9,)}
    compared = on_datasets.compare(seen, levels)
    stops = [
        adaptive.stop(seen, level, rule=rule)
        for rule, level in (("fixed", 3), ("fixed", 8), ("curtailed", 0.9))
    ]
    for row, stopped in zip(compared.itertuples(), stops, strict=True):
        r = replicability.r2(stopped.decision != 0)
        assert_allclose(row.replicability, 2 * r.mean() - 1)
        assert_allclose(row.disagree, 100 * (1 - r.mean()))
        assert_allclose(row.runs, stopped.runs.mean())
        assert_allclose(
            row.as_all, 100 * (stopped.decision == stops[1].decision).mean()
        )
    assert compared["as_all"].iloc[1] == 100


def test_error_of_the_averages_is_their_deviation():
    """Over 600 made-up books of 81 cells: their deviation is known to 3 %, four times that.

    Errors that are 16% off are found with probability 0.9.
    """
    rng = np.random.default_rng(np.random.SeedSequence(8))
    n = 20
    p = rng.beta(0.3, 0.3, 81)
    averages = []
    for accepted in rng.binomial(n, p, (600, 81)):
        columns = {
            "runs": 1,
            "rejects": 1 - accepted / n,
            "as_all": 1,
            "replicability": replicability.r2_from_counts(accepted, n),
            "experiments": n,
        }
        averages.append(on_datasets._averages(pd.DataFrame(columns)))
    averages = pd.DataFrame(averages)
    expected = np.sqrt(replicability.r2_variance(p**2 + (1 - p) ** 2, n).sum()) / 81
    assert_allclose(averages["disagree"].std(), 100 * expected, rtol=0.12)
    # estimated from 20 experiments a cell, it is off by less than a tenth on average
    assert_allclose(averages["disagree_error"].mean(), 100 * expected, rtol=0.1)
    assert_allclose(averages["standard_error"], averages["disagree_error"] / 50)


def test_worth_in_fixed_runs_by_hand():
    fixed = pd.DataFrame(
        {
            "rule": "fixed",
            "level": [1, 2, 3, 4],
            "replicability": [0.2, 0.6, 0.5, 0.8],
        }
    )
    compared = pd.DataFrame(
        {
            "rule": ["fixed", "agreeing", "curtailed", "curtailed"],
            "level": [1, 2, 0.9, 0.99],
            "runs": [1, 1.5, 3.5, 2.0],
            "replicability": [0.2, 0.55, 0.1, 0.9],
        }
    )
    worth = on_datasets.worth_in_fixed_runs(compared, fixed)
    assert_allclose(worth["at_equal_cost"], [0.4, 0.65, 0.6])
    assert_array_equal(worth["equivalent"], [4, 1, np.nan])


def test_paths_are_the_course_of_one_cell(few):
    cells, blocks = few
    seen = adaptive.course(blocks, test="sorted_runs")
    frame = on_datasets.paths(
        cells, seen, "nb_nn", "vote", "curtailed", 0.9, experiments=2
    )
    cell = cells.query("pair == 'nb_nn' and dataset == 'vote'").index[0]
    alone = adaptive.course(blocks[cell, 0, 1], test="sorted_runs")
    second = frame[frame["experiment"] == 1]
    assert_allclose(second["pvalue"], alone.pvalue)
    assert second["stops"].sum() == 1
    stop = adaptive.stop(alone, 0.9, rule="curtailed")
    assert second.loc[second["stops"], "runs"].item() == stop.runs


def test_too_few_runs_are_refused():
    with pytest.raises(ValueError, match="too few for two"):
        on_datasets.uci_blocks(stored.load("uci_cross_validation", size=10), 60)


def test_distance_of_data_sets_of_the_border_model():
    seen = [
        border_model.border_course(d, 40, walks=500, seed=i)
        for i, d in enumerate((-1.0, 0.5))
    ]
    stack = lambda name: np.stack([getattr(one, name) for one in seen])[:, None]
    together = adaptive.Course(
        *(
            stack(n)
            for n in (
                "decision",
                "pvalue",
                "forecast",
                "confidence",
                "margin",
                "deviation",
            )
        ),
        max_runs=40,
    )
    # 20 000 contributions: the mean is known to 0.007, and over five times that; a distance off by
    # 0.05 is found with probability 0.9
    assert_allclose(on_datasets.distance_from_border(together), [-1.0, 0.5], atol=0.04)

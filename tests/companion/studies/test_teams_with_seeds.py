"""Two teams with a few seeds each: predicted, counted and forecast agreement."""

import numpy as np
import pytest

from companion import stored
from companion.studies import teams_with_seeds, trained_seeds
from replib import compare
from replib.variance import (
    VarianceComponents,
    difference_test,
    mean_squares,
    variance_components,
)


@pytest.fixture(scope="module")
def held_out():
    return teams_with_seeds.pairs(stored.load("trained_seeds_held_out"), "held_out")


def test_held_out_runs_share_nothing_with_those_that_chose_the_rule():
    first, other = (trained_seeds.NETWORKS[name] for name in ("first", "held out"))
    assert not [one for one in other.values() if one in first.values()]
    assert trained_seeds.SEED != trained_seeds.SEED_HELD_OUT
    for dataset in trained_seeds.TRAINING:
        a, b = (
            trained_seeds.data(dataset, split)[1]
            for split in trained_seeds.SPLITS.values()
        )
        assert a.shape == b.shape and not np.array_equal(a, b)


def test_teams_decide_as_the_library_does():
    """One team at a time, by `replib.compare`: the same decisions, the same predictions."""
    rng = np.random.default_rng(2)
    item = rng.normal(size=80)
    models = tuple(
        (
            item + rng.normal(shift, 0.4, (12, 1)) + rng.normal(0, 1, (12, 80)) > 0
        ).astype(float)
        for shift in (0.4, 0.0)
    )
    scores = {("data", "A", "B"): models}
    table = teams_with_seeds.same_decisions(
        scores, runs=3, teams=30, predicting=30, seed=9
    )
    drawn = np.random.default_rng(np.random.SeedSequence(9, spawn_key=(3, 0))).permuted(
        np.tile(np.arange(12), (2, 30, 1)), axis=-1
    )
    about = {"items": "models", "seeds": "training", "both": "both"}
    for row in table.itertuples():
        first, second = (
            [
                compare(
                    {"A": models[0][i[k : k + 3]], "B": models[1][j[k : k + 3]]},
                    design="items",
                    metric="accuracy",
                    about=about[row.question],
                    pairs=[("A", "B")],
                )
                for i, j in zip(*drawn)
            ]
            for k in (0, 3)
        )
        agree = [x.decisions == y.decisions for x, y in zip(first, second)]
        assert row.counted == pytest.approx(np.mean(agree))
        assert row.predicted == pytest.approx(
            np.mean([x.reruns[0].point for x in first])
        )
        assert row.significant == pytest.approx(
            np.mean([x.decisions != 0 for x in first])
        )


@pytest.mark.parametrize(
    "runs, items, difference", [(2, 100, 0.2), (5, 60, 0.25), (10, 200, 0.1)]
)
def test_a_forecast_is_what_simulated_teams_do(runs, items, difference):
    """Normal scores with known components; 2,500 pairs of teams on 50 test sets in each setting.

    Fewer than one other seed in 1000 fails; an agreement off by 9 points is found with probability
    0.9.
    """
    q, s, e, n = 0.5, 0.15, 0.8, 2500
    rng = np.random.default_rng(runs)
    test_sets, each = 50, n // 50

    def team(favour):
        return [
            favour / 2 * sign
            + sign * difference / 2
            + rng.normal(0, s, (each, runs, 1))
            + rng.normal(0, e, (each, runs, items))
            for sign in (1, -1)
        ]

    def decide(blocks):
        squares = mean_squares(*blocks)
        return np.where(
            difference_test(squares).pvalue < 0.05, np.sign(squares.estimate), 0
        )

    found = []
    for _ in range(test_sets):
        favour = rng.normal(0, q, items)
        found.append([decide(team(favour)), decide(team(favour))])
    found = np.array(found)  # test sets x 2 x each
    components = VarianceComponents(
        item=q**2 / items,
        cluster=0.0,
        seed=2 * s**2 / runs,
        interaction=2 * e**2 / runs / items,
        items=items,
        units=items,
        runs=runs,
    )
    forecast = teams_with_seeds.forecast(difference, components, runs=runs, items=items)
    same = (found[:, 0] == found[:, 1]).mean(axis=1)
    error = same.std(ddof=1) / np.sqrt(test_sets)
    assert abs(forecast.same_items - same.mean()) < 3 * error + 0.02
    significant = (found != 0).mean(axis=(1, 2))
    error = significant.std(ddof=1) / np.sqrt(test_sets)
    assert abs(forecast.significant - significant.mean()) < 3 * error + 0.02
    assert forecast.new_items <= forecast.same_items + 1e-9


@pytest.mark.parametrize("alpha", [0.01, 0.1])
def test_without_a_difference_the_forecast_holds_the_level(alpha):
    parts = VarianceComponents(2e-4, 0.0, 1e-4, 5e-5, items=400, units=400, runs=5)
    for runs in (3, 5, 20):
        rate = teams_with_seeds.forecast(
            0.0, parts, runs=runs, items=400, alpha=alpha
        ).significant
        assert 0 < rate <= 1.2 * alpha


def test_shares_sum_to_the_variance_of_the_library(held_out):
    table = teams_with_seeds.decomposition(held_out, runs=50)
    assert len(table) == 6
    assert np.allclose(
        table[["item (%)", "seed (%)", "seed × item (%)"]].sum(axis=1), 100
    )
    for (_, row), (a, b) in zip(table.iterrows(), held_out.values()):
        parts = variance_components(a, b)
        if min(parts.item, parts.seed, parts.interaction) >= 0:
            expected = 100 * parts.standard_error(50, a.shape[1])
            assert row["standard error (points)"] == pytest.approx(expected)
        assert row["difference (points)"] == pytest.approx(100 * (a.mean() - b.mean()))


def test_packed_bits_are_the_scores():
    bits = stored.load("trained_seeds_held_out")["digits_held_out"].counts
    scores = trained_seeds.unpacked(bits, "digits", "held out")
    assert list(scores) == list(trained_seeds.NETWORKS["held out"])
    for k, one in enumerate(scores.values()):
        assert set(np.unique(one)) == {0.0, 1.0}
        assert np.array_equal(np.packbits(one.astype(bool), axis=-1), bits[:, k])

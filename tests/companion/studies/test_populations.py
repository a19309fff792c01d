"""The bench on samples of real data: a tiny population by plain learners, its counts by hand."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from companion import stored
from companion.lab import datasets
from companion.lab.experiments import runner
from companion.lab.learners import LEARNERS, WEKA_LEARNERS, Table
from companion.studies.since_the_papers import methods
from companion.studies.since_the_papers.populations import (
    experiments,
    measures,
    plans,
)
from replib import significance

ROWS, N = 45, 20


@pytest.fixture(scope="module")
def population():
    """A class that depends on a number, of which some are missing, and on a nominal attribute."""
    rng = np.random.default_rng(1)
    y = rng.integers(3, size=ROWS)
    size = np.where(rng.random(ROWS) < 0.2, np.nan, y + rng.normal(size=ROWS))
    X = pd.DataFrame(
        {
            "size": size,
            "kind": pd.Categorical.from_codes(rng.integers(2, size=ROWS), ["x", "z"]),
        }
    )
    return X, pd.Series(pd.Categorical.from_codes(y, ["a", "b", "c"]))


@pytest.fixture(params=[False, True], ids=["without", "with_replacement"])
def drawn(request, population, monkeypatch):
    """A sample, the rows of the population in it, and those on which the truth is measured."""
    monkeypatch.setattr(
        experiments, "_table", lambda name: Table.from_frame(*population)
    )
    one = {"source": "uci.tiny", "instances": N, "replacement": request.param}
    rows = np.random.default_rng(5).choice(ROWS, N, replace=request.param)
    others = np.arange(ROWS) if request.param else sorted({*range(ROWS)} - {*rows})
    return (
        experiments._Sample(np.random.default_rng(5), **one),
        rows,
        np.array(others),
        one,
    )


def plain_differences(population, train, test):
    """Correct minus correct of each pair, by learners that are fitted to frames."""
    X, y = population
    a, b, c = [
        (
            LEARNERS[name]().fit(X.iloc[train], y.iloc[train]).predict(X.iloc[test])
            == y.iloc[test]
        )
        .to_numpy()
        .astype(int)
        for name in WEKA_LEARNERS
    ]
    return np.array([a - b, b - c, a - c, a, b])


def test_evidence_and_truth_are_those_of_plain_learners(drawn, population):
    data, rows, others, _ = drawn
    assert len(set(rows)) == N or len(others) == ROWS
    evidence = experiments.bench.cheap_evidence(
        data, np.random.default_rng(7), experiments=2
    )
    folds = evidence.folds[0, 0]
    fitted = data.fitted(experiments.pack_folds(folds[np.newaxis], 10))
    for fold in range(10):
        train, test = rows[folds != fold], rows[folds == fold]
        expected = plain_differences(population, train, test)
        np.testing.assert_array_equal(evidence.hits[:, 0, 0, folds == fold], expected)
        np.testing.assert_allclose(evidence.block[:, 0, 0, fold], expected.mean(axis=1))
        truth = plain_differences(population, train, others).mean(axis=1)
        np.testing.assert_allclose(fitted[:, fold], truth)
    assert evidence.held_out.shape == (5, 2, N // 3) and evidence.five_by_two.shape == (
        5,
        2,
        5,
        2,
    )


def test_truth_of_learners_is_that_of_models_of_whole_samples(drawn, population):
    _, rows, others, one = drawn
    found = experiments.fitted_differences(np.random.default_rng(5), **one)
    expected = plain_differences(population, rows, others).mean(axis=1)
    np.testing.assert_allclose(found / experiments.bench.UNIT, expected, atol=1e-9)


def test_counts_are_what_the_methods_say(drawn):
    """One sample: decisions and coverage recomputed from its evidence."""
    *_, one = drawn
    truth = [0.1, -0.1, 0.0, 0.5, 0.6]
    counts = experiments.outcomes(
        np.random.default_rng(3), datasets=2, experiments=2, truth=truth, **one
    )
    assert counts.shape == (2, 5, len(methods.CHEAP), 5)
    assert (counts[..., :3].sum(axis=-1) == 2).all()
    stream = np.random.default_rng(3).spawn(2)[1]
    data = experiments._Sample(stream, **one)
    evidence = experiments.bench.cheap_evidence(data, stream, 2)
    folds = experiments.pack_folds(evidence.folds[0, :1], 10)  # of equal size
    models = data.fitted(folds).mean(axis=1)
    t = significance.corrected_resampled_t(
        evidence.block[:, :, 0], test_train_ratio=1 / 9, axis=-1
    )
    low, high = t.confidence_interval()
    own = counts[1, :, list(methods.CHEAP).index("corrected_t_folds")]
    decided = np.where(t.pvalue < 0.05, np.sign(t.estimate), 0)
    np.testing.assert_array_equal(own[:, 0], (decided == -1).sum(axis=1))
    np.testing.assert_array_equal(
        own[:, 3], (low[:, 0] <= models) & (models <= high[:, 0])
    )
    target = np.array(truth)[:, np.newaxis]
    np.testing.assert_array_equal(
        own[:, 4], ((low <= target) & (target <= high)).sum(axis=1)
    )
    several_runs = [not method.of_one_run for method in methods.CHEAP.values()]
    assert not counts[:, :, several_runs, 3].any() and own[:, 3].any()


# ------------------------------------------------------------------ what is stored


def test_populations_are_all_that_are_large_enough():
    of = datasets.table()
    for n in (100, 300, 1000):
        assert plans.populations(n) == [
            name
            for name in datasets.names()
            if of.at[name, "instances"] >= 3 * n and name != "arrhythmia"
        ]
    assert of.at["arrhythmia", "numeric"] + of.at["arrhythmia", "nominal"] > 100
    assert len(plans.populations(100)) == 14 and not plans.populations(1000)


def test_what_is_stored_is_of_every_population_with_its_truth():
    results = stored.load("since_the_papers_uci")
    assert len(results) == len(plans.truth()) == 2 * 14 + 2
    for key, one in results.items():
        n, replacement = (
            one.experiment.parameters[name] for name in ("instances", "replacement")
        )
        samples = plans.SAMPLES[n, replacement]
        assert one.counts.reshape(samples, -1).shape[1] == 5 * len(methods.CHEAP) * 5
        assert (one.counts[..., :3].sum(axis=-1) == 2).all()
        difference, error = plans.truth()[key]
        assert (error[:3] > 0).all() and (error < 0.004).all()
        np.testing.assert_allclose(
            difference[2], difference[0] + difference[1], atol=1e-8
        )
        assert one.experiment.parameters["truth"] == difference.tolist()


def test_measures_by_hand():
    """Two samples of one population: decisions (A better, none) and (B better, B better)."""
    of = {
        "source": "uci.zoo",
        "instances": 100,
        "replacement": False,
        "truth": [0.1] * 5,
    }
    counts = np.zeros((1, 2, 5, len(methods.CHEAP), 5), dtype=int)
    counts[0, 0] = [0, 1, 1, 1, 2]
    counts[0, 1] = [2, 0, 0, 0, 1]
    others = {"instances": 300}, {"source": "source2.0"}, {"replacement": True}
    found = measures.by_source(
        {
            str(other): runner.Replications(
                runner.Experiment(experiments.outcomes, 1, of | other), counts, {}
            )
            for other in ({}, *others)
        },
        "uci",
    )
    assert list(found.index) == [("uci.zoo", method) for method in methods.CHEAP]
    found = found.loc["uci.zoo", "clt_all_pairs"]
    assert (
        found.to_dict()
        == pytest.approx(
            {
                "rejected": 75,
                "wrong": 50,
                "replicability": 0,
                "covers_learners": 75,
                "covers_models": 50,
                "new_data": 0,
            }
        )
    )  # on the same data -1 and 1; on new data an even and a certain decision agree by chance


def test_ranks_correlate_as_scipy_says_and_less_surely_with_fewer_sources():
    rng = np.random.default_rng(1)

    def made(sources, noise):
        values = np.arange(10.0) + noise * rng.normal(size=(sources, 10))
        return (
            pd.DataFrame(values)
            .rename_axis("source")
            .rename_axis("method", axis=1)
            .stack()
            .to_frame("power")
        )

    here, there = made(15, 6), made(30, 6)
    means = [frame["power"].groupby("method").mean() for frame in (here, there)]
    found, low = measures.rank_correlation(here, there, "power")
    assert found == pytest.approx(stats.spearmanr(*means).statistic)
    assert 0 < low < found < 1
    _, few = measures.rank_correlation(here.loc[:3], there.loc[:3], "power")
    assert few < low

"""CONTRIBUTING's recipe for a new test: a function, an entry, its evidence, and nothing else."""

import numpy as np
import pytest
from scipy import special, stats

from companion.lab.experiments import runner
from companion.papers import synthetic
from companion.papers.networks import experiments
from companion.studies import which_test
from replib import compare, methods
from replib.significance import TestResult

NAME = "average_over_sorted_runs.normal_scores"


def normal_scores(differences, *, axis=-1):
    """Test paired differences by van der Waerden's normal scores of their ranks."""
    x = np.moveaxis(np.asarray(differences, dtype=float), axis, -1)
    n = x.shape[-1]
    scores = np.sign(x) * special.ndtri(
        0.5 + stats.rankdata(np.abs(x), axis=-1) / (2 * n + 2)
    )
    error = np.sqrt((scores**2).sum(axis=-1))
    z = scores.sum(axis=-1) / np.where(error > 0, error, 1)
    return TestResult(
        statistic=z,
        pvalue=2 * special.ndtr(-np.abs(z)),
        alternative="two-sided",
        estimate=x.mean(axis=-1),
        n=n,
    )


@pytest.fixture
def added(monkeypatch):
    """Add one entry, as CONTRIBUTING says."""
    entry = methods.Method(
        NAME,
        "normal scores on sorted runs",
        "cross_validation",
        "average_over_sorted_runs",
        normal_scores,
    )
    for of in (methods.LATER, methods.METHODS):
        monkeypatch.setitem(of, NAME, entry)
    return entry


@pytest.fixture(scope="module")
def scores():
    rng = np.random.default_rng(1)
    return {"a": rng.normal(0.83, 0.02, (10, 10)), "b": rng.normal(0.8, 0.02, (10, 10))}


def test_an_entry_is_listed_as_not_examined(added, scores):
    row = compare(scores, design="10x10", metric="accuracy").methods().loc[added.label]
    sample = np.sort(scores["a"] - scores["b"], axis=1).mean(axis=0)
    assert row["p"] == pytest.approx(normal_scores(sample).pvalue)
    assert row["evidence"] == "not examined"
    assert (
        methods.decide(scores["a"] - scores["b"], method=NAME, alpha=0.05)
        == row["decision"]
    )


def test_its_evidence_is_measured_on_the_forty_networks(added, scores, monkeypatch):
    results, rng = {}, np.random.default_rng(7)
    for name, (one, _) in synthetic.plan(designs=[NAME], experiments=3).items():
        counts = [experiments.decisions(rng, **one.parameters) for _ in range(2)]
        results[name] = runner.Replications(one, np.stack(counts), {})
    (row,) = which_test.evidence(results, f"decisions_{NAME}").to_dict("records")
    least = {"type_1_error_least": np.nan, "type_1_error_most": np.nan}
    monkeypatch.setitem(methods.EVIDENCE, NAME, methods.Evidence(**row, **least))
    assert 0 <= added.evidence.type_1_error < added.evidence.power <= 1
    table = compare(scores, design="10x10", metric="accuracy").methods()
    expected = (
        f"Type I error {100 * added.evidence.type_1_error:.1f}% on average over 10 "
        "networks, for the learners of 2004"
    )
    assert table["evidence"][added.label] == expected


def test_the_test_of_five_times_two_folds_is_listed_where_it_fits():
    rng = np.random.default_rng(2)
    blocks = {name: rng.normal(0.8, 0.02, (5, 2)) for name in "ab"}
    table = compare(blocks, design="5x2", metric="accuracy").methods()
    assert table["evidence"]["Alpaydin's F"].startswith("Type I error")

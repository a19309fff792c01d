"""Numbers of the library before its door was rebuilt (tests/data/before.json): they stay.

Intervals, p-values and predictions with clusters of unequal sizes follow their effective
number since November 2026; differences and statistics are those of before.
"""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import scipy

from replib import Items, Metric, compare, from_arrays, from_predictions

pytestmark = pytest.mark.skipif(
    tuple(map(int, scipy.__version__.split(".")[:2])) < (1, 17),
    reason="before SciPy 1.17 quantiles of Student's t had ten digits, not sixteen",
)

BEFORE = json.loads((Path(__file__).parent / "data" / "before.json").read_text())


def splits(seed, models, *shape):
    """Scores of models on common splits, as fractions of fifty test instances."""
    rng = np.random.default_rng(seed)
    common = rng.normal(0.8, 0.04, shape)
    return {
        name: (50 * (common + rng.normal(0.012 * place, 0.03, shape))).round() / 50
        for place, name in enumerate(models)
    }


def answers(seed, runs, items=200, binary=True):
    """Scores of two models on items of different difficulty, in runs."""
    rng = np.random.default_rng(seed)
    difficulty = rng.normal(size=items)
    of = {
        name: difficulty
        + rng.normal(mean, 1, (runs, 1)) * 0.2
        + rng.normal(mean, 1, (runs, items))
        for name, mean in (("new", 0.9), ("old", 0.6))
    }
    return {name: (x > 0).astype(float) if binary else x for name, x in of.items()}


def clusters(items=200):
    return np.arange(items) // 7


def tables(seed, models, datasets=14):
    """A score for each data set and model."""
    rng = np.random.default_rng(seed)
    base = rng.uniform(0.6, 0.95, (datasets, 1))
    scores = (
        base
        + rng.normal(0, 0.02, (datasets, len(models)))
        + 0.01 * np.arange(len(models))
    )
    return pd.DataFrame(
        scores.round(3),
        columns=list(models),
        index=[f"data {i}" for i in range(datasets)],
    )


def classes(seed, items=300):
    """Truth, and predicted classes and scores of two models."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, items)
    score = {
        name: truth + rng.normal(0, spread, items)
        for name, spread in (("new", 0.8), ("old", 1.0))
    }
    return truth, {name: (x > 0.5).astype(int) for name, x in score.items()}, score


# ---------------------------------------------------------------- what is compared with it

ANY = Metric("score", better="higher")
OF_PAIRS = {
    "difference": "difference",
    "low": "low",
    "high": "high",
    "statistic": "statistic",
    "df": "df",
    "p": "pvalue",
    "decision": "decision",
    "rerun": "agreement",
    "rerun_high": "agreement_high",
    "replication": "replication",
    "replication_low": "replication_low",
    "replication_high": "replication_high",
}
#: Intervals of a rerun now contain their point, so the lower limit may be lower.
NAMED = {"rerun_low": "agreement_low"}


def check(key, pairs, columns, rtol=1e-12):
    before = pd.DataFrame(BEFORE[key])
    for column, name in columns.items():
        if name in before and before[name].notna().any():
            if before[name].dtype.kind in "OUT":
                assert pairs[column].tolist() == before[name].tolist()
            else:
                np.testing.assert_allclose(
                    pairs[column].astype(float),
                    before[name].astype(float),
                    rtol=rtol,
                    atol=1e-14,
                    err_msg=f"{key}: {column}",
                )
    for column, name in NAMED.items():
        if name in before and before[name].notna().any():
            contains = np.minimum(before[name], before["agreement"])
            np.testing.assert_allclose(pairs[column], contains.astype(float), rtol=rtol)


@pytest.mark.parametrize("shape", [(10, 10), (5, 2), (1, 10)])
def test_two_models_in_cross_validation(shape):
    result = compare(
        splits(1, "ab", *shape),
        design="{}x{}".format(*shape),
        metric=ANY,
        pairs=[("a", "b")],
    )
    check("two {}x{}".format(*shape), result.pairs, OF_PAIRS)
    needed = BEFORE["two {}x{}".format(*shape)][0]["runs_needed"]
    assert result.runs_needed() == needed


def test_two_models_on_random_splits():
    result = compare(
        splits(2, "ab", 30, 1), design="30 x 10%", metric=ANY, pairs=[("a", "b")]
    )
    check("two 30 x 10%", result.pairs, OF_PAIRS)


@pytest.mark.parametrize("models", ["abc", "abcdefgh"])
def test_several_models(models):
    result = compare(splits(3, models, 10, 10), design="10x10", metric=ANY)
    check(
        f"{len(models)} models",
        result.pairs,
        {**OF_PAIRS, "a": "a", "b": "b", "p": "unadjusted", "adjusted_p": "pvalue"},
    )
    together = result.reruns[1]
    np.testing.assert_allclose(
        [together.point, together.low, together.high],
        BEFORE[f"{len(models)} models, all"],
        rtol=1e-12,
    )


@pytest.mark.parametrize("key", [key for key in BEFORE if key.startswith("items: ")])
def test_items(key):
    kind, question, grouped, paired = key.removeprefix("items: ").rsplit(", ", 3)
    given = answers(4, runs=5 if "five" in kind else 1, binary="numbers" not in kind)
    scores = from_arrays(
        given,
        design=Items(paired=paired == "paired"),
        metric=ANY,
        clusters=clusters() if grouped == "clusters" else None,
    )
    about = {"items": "models", "seeds": "training", "both": "both"}[question]
    columns = dict(OF_PAIRS)
    if key == "items: one run 0/1, items, independent, unpaired":
        # replication is now that of McNemar's test, as it was for predictions
        columns = {
            name: old for name, old in columns.items() if "replication" not in name
        }
    check(key, compare(scores, about=about, pairs=[("new", "old")]).pairs, columns)


@pytest.mark.parametrize("models", ["ab", "abcd"])
def test_data_sets(models):
    """The estimate was the median of the differences; it is now that of Hodges and Lehmann."""
    result = compare(tables(5, models).to_dict("list"), design="datasets", metric=ANY)
    check(
        f"data sets: {len(models)} models",
        result.pairs,
        {
            "a": "a",
            "b": "b",
            "p": "signed_rank",
            "adjusted_p": "holm",
            **{
                name: name
                for name in ("replication", "replication_low", "replication_high")
            },
        },
    )
    ranks, friedman = BEFORE[f"data sets: {len(models)} models, ranks"]
    assert result.ranks()["mean_rank"].to_dict() == pytest.approx(ranks, rel=1e-12)
    if len(models) > 2:
        assert result.tests.overall[1] == pytest.approx(friedman, rel=1e-12)


def test_predictions():
    truth, predicted, scores = classes(6)
    result = compare(
        from_predictions(truth, predicted, metric="accuracy"), pairs=[("new", "old")]
    )
    check("predictions: accuracy", result.pairs, OF_PAIRS)
    result = compare(
        from_predictions(truth, scores, metric="roc_auc"), pairs=[("new", "old")]
    )
    check(
        "predictions: roc_auc",
        result.pairs,
        {name: name for name in ("difference", "low", "high", "statistic")}
        | {"p": "pvalue"},
    )


def test_a_search():
    candidates = {
        f"C={i}": block for i, block in enumerate(splits(7, "abcde", 5, 5).values())
    }
    best, second, *_, baseline = BEFORE["search"]
    result = compare(candidates, design="5x5", metric=ANY, pairs="best")
    (pair,) = result.pairs.to_dict("records")
    assert (pair["a"], pair["b"]) == (best["candidate"], second["candidate"])
    assert pair["statistic"] == pytest.approx(second["statistic"], rel=1e-12)
    assert pair["adjusted_p"] == pytest.approx(second["pvalue"], rel=1e-12)
    same, chosen = result.choice
    *predicted, low, high = BEFORE["search, choice"]
    assert [same.point, same.low, same.high] == pytest.approx(predicted, rel=1e-12)
    assert sorted(chosen) == pytest.approx(
        sorted(x["chosen"] for x in BEFORE["search"])
    )
    result = compare(candidates, design="5x5", metric=ANY, pairs=[("best", "C=0")])
    (pair,) = result.pairs.to_dict("records")
    assert pair["adjusted_p"] == pytest.approx(baseline["pvalue"], rel=1e-12)
    assert [pair["low"], pair["high"]] == pytest.approx([low, high], rel=1e-12)

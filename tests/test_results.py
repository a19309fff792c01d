"""What a result tells of many models: ranks, and sets that are not separated."""

import pickle

import numpy as np
import pandas as pd
import pytest

from replib import Items, Metric, Seeds, compare, from_predictions

ANY = Metric("score", better="higher")
RNG = np.random.default_rng(7)
SHIFTS = {"forest": 0.05, "svm": 0.045, "bayes": 0.02, "tree": 0.0}
FOUR = {
    name: RNG.normal(0.80 + shift, 0.02, (10, 10)) for name, shift in SHIFTS.items()
}
TWO = {name: FOUR[name] for name in ("tree", "bayes")}


@pytest.fixture(scope="module")
def result():
    return compare(FOUR, design="10x10", metric=ANY, equivalence=0.03)


def test_ranks_are_as_wide_as_the_decisions_allow(result):
    ranks, pairs = result.ranks(), result.pairs
    for model, row in ranks.iterrows():
        better = ((pairs["a"] == model) & (pairs["decision"] > 0)).sum()
        worse = ((pairs["b"] == model) & (pairs["decision"] > 0)).sum()
        assert (row["low"], row["high"]) == (1 + worse, 4 - better)
    for group in result.tied():
        chosen = pairs["a"].isin(group) & pairs["b"].isin(group)
        assert len(group) > 1 and (pairs.loc[chosen, "decision"] == 0).all()
    for options in (
        {"correction": "none"},
        {"pairs": "best"},
        {"pairs": [("tree", "svm")]},
    ):
        with pytest.raises(ValueError, match="ranks need the corrected decisions"):
            compare(FOUR, design="10x10", metric=ANY, **options).ranks()


TRUTH = RNG.integers(0, 2, 60)


@pytest.mark.parametrize(
    "data, options",
    [
        (FOUR, {"design": "10x10"}),
        ({"a": [0.8, 0.9], "b": [0.7, 0.6]}, {"design": "seeds"}),
        ({"a": [0.8, 0.9, 0.7], "b": [0.7, 0.6, 0.6]}, {"design": Seeds(paired=True)}),
        ({name: RNG.normal(size=12) for name in "abc"}, {"design": "datasets"}),
        ({name: RNG.random(50) < 0.6 for name in "ab"}, {"design": "items"}),
        ({name: RNG.normal(size=(3, 50)) for name in "ab"}, {"design": Items()}),
    ],
)
def test_a_result_survives_being_pickled(data, options):
    """Workers of joblib, multiprocessing and dask send results so."""
    result = compare(data, metric=ANY, equivalence=0.01, **options)
    copy = pickle.loads(pickle.dumps(result))
    assert str(copy) == str(result)
    assert copy.pairs.equals(result.pairs)
    assert repr(copy.tests) == repr(result.tests) and result.tests.name in repr(
        copy.tests
    )


@pytest.mark.parametrize("metric", ["f1", "roc_auc", "matthews_corrcoef"])
def test_a_result_of_predictions_survives_being_pickled(metric):
    answers = {name: (RNG.random(60) < 0.3) ^ (TRUTH == 1) for name in "ab"}
    predictions = from_predictions(
        TRUTH, {name: x.astype(int) for name, x in answers.items()}, metric=metric
    )
    result = compare(predictions, equivalence=0.01)
    copy = pickle.loads(pickle.dumps(result))
    assert copy.pairs.equals(result.pairs)


def test_predictions_for_very_many_pairs_are_left_out_and_named():
    """All 4950 pairs of a hundred models took minutes."""
    scores = {f"m{i}": RNG.normal(0.8, 0.02, (2, 5)) for i in range(11)}
    many = compare(scores, design="2x5", metric=ANY)
    few = compare(dict(list(scores.items())[:10]), design="2x5", metric=ANY)
    assert (len(few.pairs), len(many.pairs)) == (45, 55)
    assert few.pairs["rerun"].notna().all() and many.pairs["rerun"].isna().all()
    assert "predicted for at most 45 pairs, and these are 55" in str(many)


@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize("design", ["seeds", "datasets", "2x5"])
def test_ranks_have_the_best_first(design, better):
    rng = np.random.default_rng(2)
    scores = {f"m{i}": rng.normal(0.8 + 0.004 * i, 0.01, 10) for i in range(7)}
    result = compare(scores, design=design, metric=Metric("score", better=better))
    ranks = result.ranks()
    first, *_ = ranks.index
    if design == "datasets":
        assert ranks["mean_rank"].is_monotonic_increasing
        table = pd.DataFrame(scores).rank(axis=1, ascending=better == "lower")
        assert ranks["mean_rank"].to_dict() == pytest.approx(table.mean().to_dict())
    else:
        sign = 1 if better == "higher" else -1
        assert (np.diff(sign * ranks["mean"]) <= 0).all()
        assert f"{first} had the {better.removesuffix('er')}est" in str(result)

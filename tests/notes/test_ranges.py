"""Scores and chances that a metric of that name cannot have."""

import numpy as np
import pytest

from replib import Metric, estimate
from replib._notes.ranges import notes_about_chance, notes_about_ranges
from replib._notes.values import notes_about_values
from replib.readers import from_arrays

RNG = np.random.default_rng(8)
FRACTIONS = RNG.uniform(0.1, 0.9, 40).round(3)


def scored(first, second, metric, design="items"):
    """A table of two models with a metric without a declared range."""
    metric = Metric(metric, better="higher")
    return from_arrays({"a": first, "b": second}, design=design, metric=metric)


@pytest.mark.parametrize(
    ("metric", "is_noted"),
    [
        *[(name, True) for name in ("recall@100", "ndcg_cut_10", "P_10", "recip_rank")],
        *[
            (name, True)
            for name in ("f1-macro", "mean_ndcg", "Hits@10", "mIoU", "BLEU")
        ],
        *[(name, True) for name in ("val/map", "pass@1", "top-5 accuracy", "ROUGE-L")],
        *[(name, False) for name in ("neg_recall@10", "recall gain", "skill", "kappa")],
        *[(name, False) for name in ("delta_ndcg@10", "excess recall", "pearson_r")],
        *[
            (name, False)
            for name in ("SSIM", "log_likelihood", "adjusted f1", "reward")
        ],
    ],
)
def test_scores_below_zero(metric, is_noted):
    low = np.where(np.arange(40) % 9 == 0, -0.2, FRACTIONS)
    assert len([*notes_about_ranges(scored(low, FRACTIONS, metric))]) == is_noted
    code = np.where(np.arange(40) % 9 == 0, -1, FRACTIONS)
    told = notes_about_values(scored(code, code[::-1], metric))
    assert not is_noted or sum("Score -1 of a" in note for note in told) == 1


@pytest.mark.parametrize(
    ("metric", "is_noted"),
    [("val_perplexity", True), ("eval ppl", True), ("log perplexity", False)],
)
def test_a_perplexity_below_1_is_another_metric(metric, is_noted):
    table = from_arrays(
        {"a": FRACTIONS, "b": FRACTIONS[::-1]},
        design="seeds",
        metric=Metric(metric, better="lower"),
    )
    assert len([*notes_about_ranges(table)]) == is_noted


@pytest.mark.parametrize(
    ("metric", "score", "is_noted"),
    [
        *[("NSE", 1.4, True), ("kappa", 2.0, True), ("TSS", 9.99, True)],
        *[("CRPSS", 1.3, True), ("ARI", 1.2, True), ("pearson_r", 1.1, True)],
        *[("spearman", 1.02, True)],
        *[("NSE", 1.0, False), ("NSE", -9.99, False), ("Gini", 0.9, False)],
        *[("enrichment factor", 9.1, False), ("lift", 3.2, False), ("Qini", 2, False)],
        *[("log_likelihood", 3.0, False), ("reward", 40.0, False), ("MOS", 4.5, False)],
    ],
)
def test_scores_above_the_highest(metric, score, is_noted):
    scores = np.where(np.arange(40) == 7, score, FRACTIONS)
    notes = [*notes_about_ranges(scored(scores, FRACTIONS, metric))]
    assert len(notes) == is_noted
    in_percent = scored(100 * FRACTIONS, 90 * FRACTIONS, metric)
    assert metric == "MOS" or [*notes_about_ranges(in_percent)] == []


@pytest.mark.parametrize(
    ("metric", "is_noted"),
    [
        *[("rmse_gw", True), ("load forecast mae", True), ("rmse_t2m", True)],
        *[("wer_dev", True), ("price_smape", True), ("crps_degC", True)],
        *[("log rmse", False), ("mae change", False), ("mape_bias", False)],
        *[("excess mae", False), ("nll", False), ("residual error", False)],
    ],
)
def test_errors_with_a_turned_sign(metric, is_noted):
    errors = Metric(metric, better="lower")
    scores = {"a": -40 * FRACTIONS, "b": -42 * FRACTIONS}
    table = from_arrays(scores, design="items", metric=errors)
    notes = [note for note in notes_about_ranges(table) if "sign turned" in note]
    assert len(notes) == is_noted


@pytest.mark.parametrize(
    ("metric", "is_noted"),
    [
        *[(name, True) for name in ("neg_mae_eform", "neg_rmse_gw", "negated mae_mw")],
        *[
            (name, False)
            for name in ("neg_nll", "neg_recall@10", "negative error rate")
        ],
        *[(name, False) for name in ("neg_elbo", "neg_mae_change", "neg_skill")],
    ],
)
def test_a_negated_error_above_zero(metric, is_noted):
    for signs, says in (
        ((-1, 1), "was its sign not turned?"),
        ((1, 1), "lower is better"),
    ):
        errors = signs[0] * FRACTIONS, signs[1] * FRACTIONS[::-1]
        notes = [*notes_about_ranges(scored(*errors, metric))]
        assert [says in note for note in notes] == [True] * is_noted
    assert [*notes_about_ranges(scored(-FRACTIONS, -FRACTIONS, metric))] == []


@pytest.mark.parametrize(
    "metric",
    ["max_drawdown", "mdd", "avg drawdown (%)", "CVaR_95", "expected shortfall"],
)
def test_amounts_lost_of_which_the_largest_would_be_best(metric):
    for better, sign, is_noted in [
        *[("lower", -1, True), ("higher", 1, True)],
        *[("lower", 1, False), ("higher", -1, False)],
    ]:
        lost = {"a": sign * FRACTIONS, "b": 0.9 * sign * FRACTIONS}
        loss = Metric(metric, better=better)
        table = from_arrays(lost, design="items", metric=loss)
        asked = [note for note in notes_about_ranges(table) if "farthest" in note]
        assert len(asked) == is_noted


@pytest.mark.parametrize(
    "metric",
    ["weight loss", "loss", "focal loss", "return", "drawdown ratio", "ELBO loss"],
)
def test_losses_that_may_have_either_sign(metric):
    scores = {"a": -FRACTIONS, "b": -0.9 * FRACTIONS}
    better = "higher" if metric == "return" else "lower"
    declared = Metric(metric, better=better)
    table = from_arrays(scores, design="items", metric=declared)
    assert [*notes_about_ranges(table)] == []


@pytest.mark.parametrize("metric", ["ndcg_cut_10", "mrr", "P@5", "macro_f1"])
def test_counts_among_fractions(metric):
    counts = RNG.integers(4, 90, 40).astype(float)
    (note,) = notes_about_ranges(scored(counts, FRACTIONS, metric))
    assert "of a is no" in note
    (note,) = notes_about_ranges(scored(100 * FRACTIONS, 4 * counts + 60, metric))
    assert "of b is no" in note


@pytest.mark.parametrize(
    ("first", "second", "metric"),
    [
        (100 * FRACTIONS, 90 * FRACTIONS, "ndcg@10"),
        (np.round(100 * FRACTIONS), 90 * FRACTIONS, "ndcg@10"),
        (np.round(FRACTIONS), FRACTIONS, "ndcg@10"),
        (100 * np.round(FRACTIONS), 0.4 * np.round(FRACTIONS), "pass@1"),
        (np.round(50 * FRACTIONS), FRACTIONS, "reward"),
        (400 * FRACTIONS, 300 * FRACTIONS, "return"),
    ],
)
def test_scores_in_the_range_of_their_metric(first, second, metric):
    assert [*notes_about_ranges(scored(first, second, metric))] == []


def test_a_declared_range_is_believed():
    metric = Metric("recall@100", better="higher", low=-1, high=200)
    blocks = {"a": FRACTIONS - 0.5, "b": 150 * FRACTIONS}
    assert [
        *notes_about_ranges(from_arrays(blocks, design="items", metric=metric))
    ] == []


@pytest.mark.parametrize(
    ("chance", "mean", "metric", "is_noted"),
    [
        (0.5, 53.7, Metric("win rate", "higher", 0, 100), True),
        (0.25, 78.0, Metric("accuracy", high=100), True),
        (0.5, 48.0, Metric("ndcg@10", "higher"), True),
        (50, 0.537, Metric("hit@1", "higher"), True),
        (50, 53.7, Metric("win rate", "higher", 0, 100), False),
        (0.5, 13.8, Metric("accuracy", high=100), False),  # of 200 classes
        (0.1, 76.1, Metric("accuracy", high=100), False),  # of 1000 classes
        (0.1, 76.1, Metric("win rate", "higher", 0, 100), True),
        (0.5, 0.537, Metric("accuracy"), False),
        (0.5, 53.7, Metric("reward", "higher"), False),
        (5, 0.3, Metric("reward", "higher"), False),
    ],
)
def test_a_chance_in_another_unit(chance, mean, metric, is_noted):
    notes = [*notes_about_chance(chance, {"a": mean, "b": mean + 0.01}, metric)]
    assert len(notes) == is_noted


def test_estimate_tells_of_the_chance():
    metric = Metric("win rate", "higher", 0, 100)
    scores = {"a": 50 + 8 * FRACTIONS[:8]}
    found = estimate(scores, design="seeds", metric=metric, chance=0.5)
    assert any("chance is 0.5" in note for note in found.notes)
    assert estimate(scores, design="seeds", metric=metric, chance=50).notes == ()

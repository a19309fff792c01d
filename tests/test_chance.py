"""What guessing scores: chances that a metric does not have, and scores below them."""

import numpy as np
import pytest

from replib import Metric, estimate
from replib._chance import notes_about_guessing, notes_about_level
from replib.readers import from_arrays, from_predictions

RNG = np.random.default_rng(3)


def scored(mean, metric, **options):
    """A table of two models whose scores are about a mean."""
    spread = RNG.normal(0, 0.01 * abs(mean) + 1e-3, (2, 8))
    scores = dict(zip("ab", mean + spread))
    return from_arrays(scores, design="seeds", metric=Metric(metric, **options))


@pytest.mark.parametrize(
    ("metric", "mean", "chance", "is_noted"),
    [
        *[("cohen_kappa", 0.4, 0.5, True), ("matthews_corrcoef", 0.4, 0.5, True)],
        *[("roc_auc", 0.8, chance, True) for chance in (0.0, 0.035, 0.25)],
        *[("r2", 0.6, 0.5, True), ("NSE", 0.7, 0.5, True), ("c-index", 0.7, 0.0, True)],
        *[("AUC", 81, 10, True), ("TSS", 0.6, 0.5, True), ("ARI", 0.6, 0.25, True)],
        *[("Qini", 0.2, 0.5, True), ("Brier skill score", 0.2, 0.5, True)],
        *[("average_precision", 0.3, 0.5, True), ("cohen_kappa", 0.4, 0, False)],
        *[("roc_auc", 0.8, 0.5, False), ("roc_auc", 0.8, 0.513, False)],
        *[("AUC", 81, 50, False), ("r2", 0.6, -0.2, False), ("NSE", 0.7, -0.4, False)],
        *[("accuracy", 0.3, 0.25, False), ("f1", 0.3, 0.1, False)],
        *[("average_precision", 0.3, 0.03, False), ("KGE", 0.5, -0.41, False)],
        *[("average_precision", 0.8, 0.5, False), ("win rate", 0.6, 0.5, False)],
        *[("delta auc", 0.1, 0, False), ("1 - kappa", 0.4, 1, False)],
        *[("reward", 30, 12, False), ("top-5 accuracy", 0.7, 0.05, False)],
    ],
)
def test_a_chance_that_the_metric_does_not_have(metric, mean, chance, is_noted):
    known = ("roc_auc", "r2", "cohen_kappa", "matthews_corrcoef", "accuracy", "f1")
    better = None if metric in (*known, "average_precision") else "higher"
    better = "lower" if metric == "1 - kappa" else better
    table = scored(mean, metric, better=better)
    notes = [*notes_about_level(chance, {"a": mean, "b": mean}, table)]
    assert len(notes) == is_noted
    assert all(f"chance is {chance:g}" in x or "chance of 0.5" in x for x in notes)


TRUTH = np.arange(400) % 25 == 0  # 4 % are positive


@pytest.mark.parametrize(
    ("metric", "chance", "is_noted"),
    [
        *[("average_precision", 0.5, True), ("average_precision", 0.04, False)],
        *[("roc_auc", 0.04, True), ("roc_auc", 0.5, False)],
        *[("accuracy", 0.3, True), ("accuracy", 0.5, False), ("accuracy", 0.96, False)],
        *[("precision", 0.5, True), ("precision", 0.04, False)],
        ("f1", 0.5, False),
    ],
)
def test_a_chance_beside_the_truth(metric, chance, is_noted):
    predicted = np.clip(0.3 * TRUTH + RNG.random(400), 0, 1)
    if metric not in ("average_precision", "roc_auc"):
        predicted = (predicted > 0.7).astype(int)
    table = from_predictions(TRUTH.astype(int), {"a": predicted}, metric=metric)
    found = estimate(table, chance=chance)
    assert sum("chance is" in note for note in found.notes) == is_noted


def test_the_unit_of_a_chance_is_noted_before_its_level():
    table = scored(81, "AUC", better="higher")
    (note,) = estimate(table, chance=0.5).notes
    assert "is it the fraction" in note


@pytest.mark.parametrize(
    ("metric", "means", "is_noted"),
    [
        *[("roc_auc", (0.41, 0.4), True), ("c-index", (0.3, 0.38), True)],
        *[("cohen_kappa", (-0.3, -0.2), True), ("auroc", (41, 38), True)],
        *[("EER", (0.7, 0.8), True), ("roc_auc", (0.41, 0.6), False)],
        *[("roc_auc", (0.48, 0.49), False), ("r2", (-0.4, -2), False)],
        *[("NSE", (-3, -1), False), ("spearman", (-0.3, -0.2), False)],
        *[("1 - roc_auc", (0.2, 0.1), False), ("cohen_kappa", (-0.01, 0.02), False)],
        *[("auroc", (81, 78), False), ("EER", (0.1, 0.2), False)],
        *[("average_precision", (0.1, 0.04), False), ("attack auc", (0.1, 0.2), False)],
    ],
)
def test_all_models_are_worse_than_guessing(metric, means, is_noted):
    is_known = metric in ("roc_auc", "cohen_kappa", "r2", "average_precision")
    better = "lower" if metric in ("EER", "1 - roc_auc") else "higher"
    scores = {x: mean + RNG.normal(0, 1e-3, 8) for x, mean in zip("ab", means)}
    declared = Metric(metric, better=None if is_known else better)
    table = from_arrays(scores, design="seeds", metric=declared)
    assert len([*notes_about_guessing(table)]) == is_noted


def test_few_scores_may_be_worse_than_guessing_by_accident():
    scores = {"a": [0.41, 0.39, 0.4], "b": [0.38, 0.41, 0.42]}
    table = from_arrays(scores, design="seeds", metric="roc_auc")
    assert [*notes_about_guessing(table)] == []


@pytest.mark.parametrize(
    ("metric", "share", "chance", "is_noted"),
    [
        *[("log_loss", 0.5, 0.5, True), ("log_loss", 0.03, 0.5, True)],
        *[("log_loss", 0.4, 0.25, True), ("log_loss", 0.4, 1.2, True)],
        *[("log_loss", 0.5, 0.693, False), ("log_loss", 0.2, 0.5, False)],
        *[("log_loss", 0.03, 0.135, False), ("log_loss", 0.03, 0.693, False)],
        *[("brier_score", 0.5, 0.5, True), ("brier_score", 0.03, 0.5, True)],
        *[("brier_score", 0.5, 0.25, False), ("brier_score", 0.03, 0.029, False)],
        *[("brier_score", 0.3, 0.21, False), ("brier_score", 0.3, 0.25, False)],
    ],
)
def test_a_loss_of_probabilities_that_guessing_does_not_have(
    metric, share, chance, is_noted
):
    truth = (np.arange(400) < 400 * share).astype(int)
    table = from_predictions(truth, {"a": RNG.uniform(0.1, 0.9, 400)}, metric=metric)
    notes = [*notes_about_level(chance, {"a": 0.6}, table)]
    assert len(notes) == is_noted


def test_the_probability_of_a_guess_is_no_log_loss():
    """Without the truth, too, as 0.5 is hardly ever the entropy of its classes."""
    for chance, is_noted in [(0.5, True), (0.693, False), (0.45, False)]:
        table = scored(0.4, "val log loss", better="lower")
        assert len([*notes_about_level(chance, {"a": 0.4}, table)]) == is_noted

"""Metrics: their direction, by declaration and by name, and the values that they allow."""

import numpy as np
import pandas as pd
import pytest

from replib.readers import from_arrays, from_wide
from replib.scores import Metric, Scores, find_metric


@pytest.mark.parametrize(
    "arguments, says",
    [
        (
            ("quality",),
            "metric 'quality' is not known: say Metric('quality', better=\"higher\")",
        ),
        (("accuracy", "lower"), "metric 'accuracy' is better higher, not lower"),
        (
            ("smape",),
            "metric 'smape' needs a direction, and is by its name better lower: say Metric(",
        ),
        (
            ("gini",),
            "metric 'gini' needs a direction, and has none by its name: say Metric(",
        ),
        (("rocauc",), "metric 'rocauc' is not known (is it roc_auc?)"),
        (("x", "higher", 1, 1), "metric 'x' needs low < high"),
    ],
)
def test_a_metric_declares_its_direction(arguments, says):
    assert [find_metric(name).sign for name in ("r2", "rmse", "neg_log_loss")] == [
        1,
        -1,
        1,
    ]
    with pytest.raises(ValueError) as refusal:
        Metric(*arguments)
    assert says in str(refusal.value)


@pytest.mark.parametrize(
    "name, declared",
    [
        ("word_error_rate", "higher"),
        ("FID", "higher"),
        ("latency_ms", "higher"),
        ("eval/wer", "higher"),
        ("valLoss", "higher"),
        ("negative log-likelihood", "higher"),
        ("MAE (kWh)", "higher"),
        ("val_accuracy", "lower"),
        ("F1-score", "lower"),
        ("log_likelihood", "lower"),
        ("mAP", "lower"),
        ("hits@10", "lower"),
        ("Top-1", "lower"),
        ("nDCG@10", "lower"),
        ("tokens_per_second", "lower"),
        ("resolved_rate", "lower"),
        ("cost_usd", "higher"),
        ("wall_time", "higher"),
        ("bits_per_char", "higher"),
    ],
)
def test_a_direction_that_the_name_contradicts_is_asked_about(name, declared):
    with pytest.raises(ValueError, match="is by its name better .* if its sign") as no:
        Metric(name, better=declared)
    other = {"higher": "lower", "lower": "higher"}[declared]
    assert Metric(name, better=other).better == other and "\n" not in str(no.value)


@pytest.mark.parametrize(
    "name, declared",
    [
        ("neg_FID", "higher"),
        ("-rmse", "higher"),
        ("1 - error", "higher"),
        ("error_reduction", "higher"),
        ("time to failure", "higher"),
        ("inverse perplexity", "higher"),
        ("quality", "lower"),
        ("bits", "higher"),
        ("survival time", "higher"),
        ("walking distance", "higher"),
    ],
)
def test_a_name_that_says_nothing_is_believed(name, declared):
    assert Metric(name, better=declared).better == declared


@pytest.mark.parametrize(
    "name, known",
    [("Accuracy", "accuracy"), ("ROC AUC", "roc_auc"), ("Log-Loss", "log_loss")],
)
def test_a_known_metric_may_be_written_with_capitals_and_blanks(name, known):
    assert find_metric(name) == Metric(known)
    own = Metric(name, better=Metric(known).better)  # what a person declares is hers
    assert (own.name, own.high) == (name, np.inf)


@pytest.mark.parametrize("metric", ["perplexity", "brier_score", "neg_perplexity"])
def test_values_that_no_such_metric_has_are_refused(metric):
    wrong = {"perplexity": 0.6, "brier_score": 18.0, "neg_perplexity": -0.6}[metric]
    scores = {"a": [wrong, wrong], "b": [wrong, wrong]}
    with pytest.raises(ValueError, match="outside the range of"):
        from_arrays(scores, design="seeds", metric=metric)


@pytest.mark.parametrize(
    ("metric", "values", "turned"),
    [
        ("rmse", [-0.7, -0.6], "neg_rmse"),
        ("neg_log_loss", [0.4, 0.3], "log_loss"),
        ("mean_absolute_error", [-3.0, -2.0], "neg_mean_absolute_error"),
    ],
)
def test_scores_with_the_other_sign_show_what_the_metric_is_called(
    metric, values, turned
):
    scores = {"a": values, "b": values[::-1]}
    with pytest.raises(ValueError, match=f'turned, say metric="{turned}"'):
        from_arrays(scores, design="seeds", metric=metric)
    one_wrong = {"a": values, "b": [values[0], -values[1]]}
    with pytest.raises(ValueError) as refusal:
        from_arrays(one_wrong, design="seeds", metric=metric)
    assert f'"{turned}"' not in str(refusal.value)
    one_turned = {"a": values, "b": [-values[0], -values[1]], "c": [-values[1]] * 2}
    with pytest.raises(
        ValueError, match="not those of the others: was its sign turned"
    ):
        from_arrays(one_turned, design="seeds", metric=metric)


def test_names_of_models_are_not_read():
    table = pd.DataFrame({"rf_error": [0.8, 0.9], "low_loss": [0.7, 0.8]})
    data = {name: column.tolist() for name, column in table.items()}
    scores = from_arrays(data, design="seeds", metric="accuracy")
    assert scores.models == ("rf_error", "low_loss")


@pytest.mark.parametrize(
    "arrays",
    [
        {"a": np.ones((10, 10)), "b": np.ones((10, 10))},
        {"a": np.ones((10, 10))},
        {},
    ],
)
def test_arrays_have_one_way_in_which_checks_them(arrays):
    with pytest.raises(ValueError, match="arrays go to from_arrays"):
        Scores(arrays, metric="accuracy", design="5x20")


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        (["N", "Mean", "Std. Deviation"], "are called like statistics"),
        (["count", "mean", "std"], "are called like statistics"),
        (["nobs", "average", "Std. Error"], "are called like statistics"),
        (["Q1", "Q2", "Q3"], "outside the range"),
        (["N", "P", "K"], "outside the range"),
    ],
)
def test_rows_of_statistics_are_told_before_their_range(labels, says):
    frame = pd.DataFrame({"a": [20, 0.7, 0.01], "b": [20, 0.8, 0.02]}, index=labels)
    with pytest.raises(ValueError, match=says):
        from_wide(frame, design="seeds", metric="roc_auc")

"""Names of columns that hold times or sizes."""

import pandas as pd
import pytest

from replib import Metric, Scores, compare
from replib._names.columns import measured_by_name
from replib.readers import from_wide


@pytest.mark.parametrize(
    "name, has",
    [
        ("fit_time", "times"),
        ("mean_fit_time", "times"),
        ("Training time (s)", "times"),
        ("time (s)", "times"),
        ("time_ms", "times"),
        ("Runtime", "times"),
        ("seconds", "times"),
        ("n_instances", "sizes"),
        ("#features", "sizes"),
        ("Number of classes", "sizes"),
        ("num_parameters", "sizes"),
        ("params", "sizes"),
        ("FLOPs", "sizes"),
        ("support", "sizes"),
        ("p-value", "results of tests"),
        ("run_id", "identifiers"),
    ],
)
def test_columns_that_are_no_models(name, has):
    assert measured_by_name(name) == has
    frame = pd.DataFrame({"a": [0.7, 0.8], "b": [0.6, 0.9], name: [3.5, 4.5]})
    with pytest.raises(ValueError, match=f"has {has} by its name, and no scores"):
        from_wide(frame, design="datasets", metric="rmse")


@pytest.mark.parametrize(
    "name",
    ["time", "time domain", "10 features", "all features", "realtime", "runtime-bert"]
    + ["params-7b", "seconds order", "lifetime", "n", "no", "timesnet", "memory net"],
)
def test_models_may_be_called_almost_so(name):
    assert measured_by_name(name) is None


@pytest.mark.parametrize(
    "name, better",
    [("ROUGE-L", "lower"), ("FPR", "higher"), ("pearson_r", "lower"), ("EM", "lower")]
    + [("RMSE_log", "higher"), ("bits/dim", "higher"), ("hit@5", "lower")]
    + [
        ("latency p99", "higher"),
        ("time_s", "higher"),
        ("misclassification rate", "higher"),
    ],
)
def test_a_direction_that_a_name_contradicts_is_refused(name, better):
    with pytest.raises(ValueError, match="better"):
        Metric(name, better=better)


@pytest.mark.parametrize("better", ["higher", "lower"])
@pytest.mark.parametrize(
    "name",
    ["d2_log_loss_score", "error reduction", "jailbreak success rate", "duration"]
    + ["insertion loss", "weight loss"]
    + ["steps to accuracy", "Brier skill", "loss_saved", "diversity"],
)
def test_names_that_may_have_either_direction(name, better):
    assert Metric(name, better=better).better == better


def test_times_are_no_scores_of_another_metric():
    frame = pd.DataFrame(
        {"model": list("aabb"), "run": [1, 2, 1, 2], "seconds": [3.1, 3.4, 2.9, 3.0]}
    )
    columns = {"score": "seconds"}

    def table(name, better):
        metric = Metric(name, better=better)
        return compare(Scores(frame, design="seeds", metric=metric, columns=columns))

    with pytest.raises(ValueError, match="'seconds' has times by its name, and the"):
        table("quality", "higher")
    assert table("latency", "lower").notes == ()
    assert table("seconds", "lower").notes == ()

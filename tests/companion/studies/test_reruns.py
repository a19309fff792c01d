"""Predicted and observed agreement: correct counts, on blocks whose decisions are known."""

import numpy as np
import pandas as pd
import pytest

from companion import stored
from companion.studies import reruns


def test_observed_is_the_share_of_the_other_experiments():
    rng = np.random.default_rng(0)
    clear = rng.normal(0.2, 0.01, (3, 10, 10))
    nothing = rng.normal(0.0, 0.01, (2, 10, 10))
    found = reruns.calibration({("UCI", "x", "pair"): np.concatenate([clear, nothing])})
    assert found["decision"].tolist() == [1, 1, 1, 0, 0]
    assert found["observed"].tolist() == pytest.approx([2 / 4] * 3 + [1 / 4] * 2)


def test_summaries_of_a_calibration():
    frame = pd.DataFrame(
        {
            "collection": "UCI",
            "dataset": ["x", "x", "y", "y"],
            "pair": "p",
            "predicted": [0.5, 0.7, 0.9, 1.0],
            "observed": [0.6, 0.6, 1.0, 1.0],
            "low": [0.1, 0.65, 0.2, 0.9],
            "high": [0.9, 0.9, 1.0, 1.0],
        }
    )
    of_all = reruns.errors(frame)
    assert of_all["error"] == pytest.approx((0.1 + 0.05) / 2)
    assert of_all["rms_of_certainty"] == pytest.approx(np.sqrt((0.4**2 + 0) / 2))
    assert of_all["rms"] == pytest.approx(np.sqrt((0.1**2 + 0.1**2 / 2) / 2))
    assert of_all["covered"] == pytest.approx(3 / 4)


def test_what_is_printed_is_judged_by_what_others_decide():
    """Two data sets, of which one is divided; errors by data set, as residuals of two units."""
    frame = pd.DataFrame(
        {
            "collection": "UCI",
            "dataset": ["x", "x", "y", "y"],
            "pair": "p",
            "predicted": [0.55, 0.95, 0.58, 0.97],
            "observed": [0.6, 0.5, 0.9, 1.0],
            "low": [0.1, 0.8, 0.1, 0.9],
            "high": [0.95, 1.0, 0.9, 1.0],
        }
    )
    by_prediction = reruns.printed(frame)
    assert by_prediction.index.tolist() == ["0 to 0.6", "0.9 to 0.95", "0.95 to 0.99"]
    lowest = by_prediction.loc["0 to 0.6"]
    assert lowest[["predicted", "observed"]].tolist() == pytest.approx([0.565, 0.75])
    # distances are -0.05 and -0.32: each is 0.135 from their mean
    assert lowest["error"] == pytest.approx(np.sqrt(2 * 2 * 0.135**2) / 2)
    by_rule = reruns.selected_by_width(frame)
    assert by_rule["experiments"].tolist() == [2, 1]
    assert by_rule["share"].tolist() == [1, 0.5]
    assert by_rule.loc["if narrow", "predicted"] == 0.95


@pytest.mark.slow
def test_the_stored_calibration_of_what_is_printed_is_that_of_the_stored_runs(tmp_path):
    calibration = reruns.calibration(reruns.blocks(*map(stored.load, reruns.RUNS)))
    for by, table in (
        ("prediction", reruns.printed(calibration)),
        ("rule", reruns.selected_by_width(calibration)),
    ):
        written = reruns.read_printed(by)
        pd.testing.assert_frame_equal(
            table[written.columns].round(4),
            written,
            check_dtype=False,
            check_names=False,
        )


def test_the_most_divided_pair():
    frame = pd.DataFrame(
        {
            "collection": ["scikit-learn"] * 4 + ["UCI"],
            "dataset": ["x", "x", "y", "y", "z"],
            "pair": ["a, b", "a, b", "a, c", "a, c", "a, b"],
            "decision": [0, 0, 1, 0, 1],
            "predicted": 1.0,
            "observed": [1.0, 1.0, 0.0, 0.0, 0.0],
        }
    )
    assert reruns.most_divided(frame, "scikit-learn") == {
        "dataset": "y",
        "pair": "a and c",
        "experiments": 2,
        "found": 1,
        "not": 1,
    }


def test_the_error_that_is_aimed_at():
    """The target for the mean absolute error of predictions on the data sets of scikit-learn."""
    blocks = reruns.blocks({}, {}, stored.load("reruns_scikit_learn"))
    assert len(blocks) == 7 * 3
    assert reruns.errors(reruns.calibration(blocks))["error"] < 0.05

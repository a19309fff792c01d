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

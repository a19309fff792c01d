"""Learning curves: their points, their samples, where they cross."""

from math import log2

import numpy as np
import pandas as pd
import pytest

from companion.papers.topics.learners_and_sources import learning_curves


def test_a_point_of_a_curve_does_not_depend_on_the_others():
    options = {"training_sets": 5, "others": 3, "learners": ["naive_bayes", "c45", "tan"]}
    curves = learning_curves.learning_curves(["source2.0", "source4.1"], [20, 50], **options)
    alone = learning_curves.learning_curves(["source4.1"], [50], **options)
    same = curves.query("network == 'source4.1' and instances == 50").reset_index(drop=True)
    pd.testing.assert_frame_equal(same, alone)
    three = learning_curves.learning_curves(["source4.1"], [50], **options | {"training_sets": 3})
    assert (three["accuracy"] == alone["accuracy"]).tolist() == [False, False, True]


def test_learners_of_a_curve_see_the_same_samples():
    """Naive Bayes asked for by itself has the accuracies that it has beside C4.5."""
    both, one = (
        learning_curves.learning_curves(["source3.0"], [40], training_sets=6, learners=learners)
        for learners in (["naive_bayes", "c45"], ["naive_bayes"])
    )
    of_naive_bayes = both.query("learner == 'naive_bayes'").reset_index(drop=True)
    pd.testing.assert_frame_equal(of_naive_bayes, one)


def curve(margin, sizes=(10, 30, 100, 300, 1000), name="source2.0"):
    return pd.DataFrame({
        "source": 2, "network": name, "instances": sizes,
        "margin": [margin(n) for n in sizes], "standard_error": 0.1,
    })


def test_crossings_lie_on_lines_over_the_logarithm():
    curves = pd.concat([
        curve(lambda n: log2(n / 137), name="source2.0"),
        curve(lambda n: -1.0, name="source2.1"),
        curve(lambda n: 1.0, name="source2.2"),
        # ahead, behind, ahead again: it stays ahead from the last crossing on
        curve(lambda n: {10: 1.0, 30: -1.0, 100: 2.0, 300: -1.0, 1000: 1.0}[n], name="source2.3"),
    ])
    size = learning_curves.crossings(curves)["size"]
    assert size["source2.0"] == pytest.approx(137)
    assert np.isnan(size["source2.1"])
    assert size["source2.2"] == 10
    assert size["source2.3"] == pytest.approx(np.sqrt(300 * 1000))
    spread = learning_curves.spread_of_margins(curves).loc[2]
    assert spread["never"] == 1 and spread["ahead from, least"] == 10

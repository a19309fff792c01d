"""Margins of the four sources, and the accuracy of every classifier on the first."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose

from companion.papers import four_sources, ledger
from companion.papers.networks import margins


def test_margins_are_measured_again_on_other_samples():
    measured = four_sources.remeasured_margins(
        training_sets=20, networks=1, instances=100
    )
    assert measured["source"].tolist() == [1, 2, 3, 4]
    assert measured.loc["source1.0", ["margin", "margin_error"]].tolist() == [0, 0]
    assert_allclose(
        measured["margin"], measured["c45"] - measured["naive_bayes"], atol=1e-9
    )
    assert_allclose(measured["margin_error"] * np.sqrt(20), measured["deviation"])
    assert (
        measured[["c45", "naive_bayes"]].max(axis=1) <= measured["bayes"] + 1e-9
    ).all()
    other = four_sources.remeasured_margins(
        training_sets=20, networks=1, instances=100, seed=1
    )
    assert (measured["margin"] != other["margin"])[1:].all()


def measured_with(shift):
    """Made-up margins: those printed, moved by `shift`."""
    return pd.DataFrame(
        [
            {
                "source": source,
                "margin": target + (shift if source > 1 else 0),
                "margin_error": 0.05 if source > 1 else 0.0,
                "deviation": 3.0 if source > 1 else 0.0,
                "naive_bayes": 50.0,
                "c45": 50.0 + target,
                "bayes": 50.0 + target,
            }
            for source, target in margins.targets().items()
            for _ in range(4)
        ]
    )


@pytest.mark.parametrize(
    ("shift", "verdict"), [(0.0, "recounted"), (0.2, "recounted"), (0.5, "differs")]
)
def test_verdicts_on_margins(shift, verdict):
    by_source = four_sources.margins_by_source(measured_with(shift))
    # the mean of four independent margins; the paper's of a thousand training sets
    assert_allclose(by_source["margin_error"], [0, 0.025, 0.025, 0.025])
    assert_allclose(by_source["published_error"][2:], 3 / np.sqrt(1000))
    rows = ledger.compare(four_sources._published_margins(by_source), chapter="test")
    verdicts = rows.set_index("id")["verdict"]
    assert len(verdicts) == 7
    assert verdicts.pop("bouckaert_frank2004.tab05.delta_accuracy.source1") == "exact"
    assert (verdicts == verdict).all()


@pytest.mark.parametrize(("accuracy", "verdict"), [(50.0, "exact"), (51.0, "differs")])
def test_verdict_on_the_accuracy_of_source_1(accuracy, verdict):
    measured = measured_with(0)
    measured.loc[2, "c45"] = accuracy  # one of the four networks of source 1
    frame = ledger.compare(four_sources._accuracy_on_source_1(measured), chapter="test")
    assert frame["verdict"].tolist() == [verdict]


def test_a_point_of_a_margin_curve_does_not_depend_on_the_others():
    curves = four_sources.margin_curves([20, 50], networks=2, training_sets=5)
    alone = four_sources.margin_curves([50], networks=1, training_sets=5)
    same = curves.query("network in @alone.network and instances == 50").reset_index(
        drop=True
    )
    pd.testing.assert_frame_equal(same, alone)
    assert len(curves) == 3 * 2 * 2 and (curves["standard_error"] > 0).all()

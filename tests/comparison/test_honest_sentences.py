"""The library says only what was given, measured or asked for."""

import numpy as np
import pytest

from replib import methods
from replib.comparison import (
    compare_counts,
    compare_item_scores,
    compare_predictions,
    compare_scores,
)

RNG = np.random.default_rng(41)
A, B = RNG.normal(0.8, 0.05, 100), RNG.normal(0.78, 0.05, 100)


def test_counts_do_not_split_the_draws():
    page = compare_counts(25, 12, 163).contents().tables["Result"]
    assert page.loc["both right or both wrong", ""] == 163
    assert not {"both right", "both wrong"} & set(page.index)


def test_predictions_show_four_counts_and_keep_their_call():
    found = compare_predictions([0, 1, 1, 0], [0, 1, 1, 1], [0, 0, 1, 1], alpha=0.01)
    assert found.contents().tables["Result"].loc["both wrong", ""] == found.neither == 1
    assert found.record["call"] == "compare_predictions(y_true, pred_a, pred_b, alpha=0.01)"


@pytest.mark.parametrize("alpha, level", [(0.05, "95%"), (0.01, "99%"), (0.001, "99.9%")])
def test_intervals_have_the_level_of_the_test(alpha, level):
    items = RNG.integers(0, 2, (2, 3, 40))
    for found in (
        compare_counts(25, 12, 163, alpha=alpha), compare_item_scores(*items, alpha=alpha),
        compare_scores(A, B, cv="10x10", alpha=alpha),
    ):
        assert f" {level} confidence interval" in found.sentence()
        assert tuple(found.confidence_interval()) == tuple(found.confidence_interval(1 - alpha))
        labels = [text.get_text() for text in found.plot().axes[0].get_yticklabels()]
        assert f"{level} interval" in labels


@pytest.mark.parametrize("cv", ["1x2", "20x5"])
def test_an_unmeasured_design_is_not_recommended(cv):
    n = np.prod([int(x) for x in cv.split("x")])
    row = compare_scores(A[:n], B[:n], cv=cv).tests().loc["corrected t on all differences"]
    assert row["verdict"] == "not examined"
    assert np.isnan(row["type_1_error"])


def test_a_recommendation_shows_its_evidence_with_the_range():
    tests = compare_scores(A, B, cv="10x10").tests()
    assert tests.at["corrected t on all differences", "verdict"] == (
        "recommended, measured: 4.3% (2 to 42% over learners and networks)")


def test_evidence_does_not_answer_for_another_level():
    evidence = methods.METHODS["corrected_repeated_cv"].evidence
    assert evidence.holds_level() and evidence.holds_level(0.05)
    with pytest.raises(ValueError, match=r"alpha must be 0\.05, the level that was measured"):
        evidence.holds_level(0.01)

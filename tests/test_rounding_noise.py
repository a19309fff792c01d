"""Scores that are equal but for rounding are equal: all results are those of rounded scores."""

import numpy as np
import pytest

from replib import Seeds, compare

#: 0.30000000000000004 and 0.3, for instance, by as many items and in the other order.
NOISY = np.array([0.1 + 0.2, 0.1 * 7, 0.7 - 0.1, np.nextafter(0.9, 1)])
EXACT = np.array([0.3, 0.7, 0.6, 0.9])
OTHERS = np.array([0.55, 0.62, 0.71, 0.83])
SHIFTS = np.array([0.01, -0.02, 0.03, 0.02])


def models(noise):
    """Scores of three models; the first two are equal on half of the units but for noise."""
    first = np.concatenate([NOISY if noise else EXACT, OTHERS + SHIFTS])
    return {
        "tree": first,
        "bayes": np.concatenate([EXACT, OTHERS]),
        "knn": np.concatenate([EXACT - [0.01, 0.02, 0, 0.01], OTHERS - 0.02]).round(2),
    }


@pytest.mark.parametrize("scale", [1, 100])
@pytest.mark.parametrize(
    "design", ["datasets", "seeds", Seeds(paired=True), "8 x 10%", "2x4"]
)
def test_rounding_changes_nothing_that_is_said(design, scale):
    noisy, exact = (
        compare(
            {name: scale * scores for name, scores in models(noise).items()},
            design=design,
            metric="accuracy" if scale == 1 else "perplexity",
        )
        for noise in (True, False)
    )
    assert noisy.sentence() == exact.sentence() and noisy.notes == exact.notes
    if design == "datasets":  # Friedman's test
        assert noisy.tests.overall[1] == pytest.approx(exact.tests.overall[1])
    for table in ("pairs", "counted", "ahead"):
        ours, expected = getattr(noisy, table), getattr(exact, table)
        numbers = expected.select_dtypes("number").columns
        np.testing.assert_allclose(ours[numbers], expected[numbers], atol=1e-9)


def test_a_run_whose_differences_are_noise_is_undecided():
    above = np.nextafter(EXACT, 1)
    runs = {
        "tree": np.array([above, above[::-1]]),
        "bayes": np.array([EXACT, EXACT[::-1]]),
        "knn": np.array([OTHERS, OTHERS + SHIFTS]),
    }
    result = compare(runs, design="2x4", metric="accuracy", pairs=[("tree", "bayes")])
    assert result.counted["neither"].tolist() == [2]


@pytest.mark.parametrize("design", ["datasets", "8 x 10%", "seeds"])
def test_units_that_are_all_equal_have_a_result_or_a_sentence(design):
    models = {"tree": [0.9] * 8, "bayes": [0.8] * 8}
    if design == "datasets":
        assert compare(models, design=design, metric="accuracy").pairs["p"][0] == 2**-7
        return
    with pytest.raises(ValueError, match="without any spread|show no spread"):
        compare(models, design=design, metric="accuracy")

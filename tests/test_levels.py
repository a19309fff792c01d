"""Levels and powers that are something else."""

import pytest

from replib import estimate, plan


@pytest.mark.parametrize(
    ("alpha", "question"),
    [
        (0.95, "is it the confidence level, of which alpha is 0.05?"),
        (0.999, "is it the confidence level, of which alpha is 0.001?"),
        (95, "is it the confidence level, of which alpha is 0.05?"),
        (5, "is it in percent, that is 0.05?"),
    ],
)
def test_what_is_given_in_place_of_a_level(alpha, question):
    with pytest.raises(ValueError, match=r"alpha must lie") as refused:
        estimate({"net": [0.7, 0.8]}, design="seeds", metric="accuracy", alpha=alpha)
    assert str(refused.value).endswith(question)


@pytest.mark.parametrize("alpha", [0, 1, 1.0, -0.05, float("nan"), True, "0.95"])
def test_what_is_no_level_of_any_kind(alpha):
    with pytest.raises(ValueError, match=r"alpha must lie") as refused:
        plan("seeds", 0.02, n=5, alpha=alpha)
    assert "?" not in str(refused.value)


@pytest.mark.parametrize(
    ("levels", "question"),
    [
        ({"alpha": 0.9, "power": 0.1}, "are they exchanged?"),
        ({"alpha": 0.4, "power": 0.05}, "are they exchanged?"),
        ({"power": 80}, "is it in percent, that is 0.8?"),
    ],
)
def test_what_is_given_in_place_of_a_power(levels, question):
    with pytest.raises(ValueError, match=r"must") as refused:
        plan("seeds", 0.02, n=5, **levels)
    assert str(refused.value).endswith(question)


@pytest.mark.parametrize("levels", [{"power": 0.5}, {"alpha": 0.5}, {"alpha": 0.001}])
def test_unusual_levels_are_taken(levels):
    assert plan("seeds", 0.02, n=5, **levels).n == 5

"""What follows from the distribution of the probability of rejection: against pairs of outcomes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from replib import theory


@st.composite
def distributions(draw):
    """Two settings, of three to six nodes."""
    nodes = draw(st.integers(3, 6))
    probability = draw(arrays(float, nodes, elements=st.floats(0, 1)))
    shares = draw(arrays(np.int64, (2, nodes), elements=st.integers(1, 9)))
    return theory.RejectionDistribution(probability, shares / shares.sum(axis=1, keepdims=True))


@given(distributions())
def test_power_and_replicability_are_those_of_two_experiments_on_one_data_set(distribution):
    """Summed over the data sets and the four pairs of outcomes."""
    for setting, weight in enumerate(distribution.weight):
        rejected = agreed = 0.0
        for p, w in zip(distribution.probability.tolist(), weight.tolist()):
            for first, second in ((1, 1), (1, 0), (0, 1), (0, 0)):
                pair = w * (p if first else 1 - p) * (p if second else 1 - p)
                rejected += pair * first
                agreed += pair * (first == second)
        assert distribution.power[setting] == pytest.approx(rejected, abs=1e-14)
        assert distribution.replicability[setting] == pytest.approx(agreed, abs=1e-14)


@given(distributions())
def test_no_distribution_of_a_power_replicates_less_than_its_mean(distribution):
    """Jensen; what lies above the bound is twice the variance over data sets."""
    mean, square = distribution.power, distribution.expectation(distribution.probability**2)
    above = distribution.replicability - theory.agreement(mean.clip(0, 1))
    np.testing.assert_allclose(above, 2 * (square - mean**2), atol=1e-14)
    assert (above >= -1e-15).all()


@given(st.floats(0, 1))
def test_agreement_is_symmetric_and_at_least_one_half(p):
    assert theory.agreement(p) == pytest.approx(p**2 + (1 - p) ** 2, abs=1e-15)
    assert theory.agreement(p) >= 0.5
    assert theory.agreement(1 - p) == pytest.approx(theory.agreement(p), abs=1e-15)


@pytest.mark.parametrize("call, message", [
    (lambda: theory.RejectionDistribution(np.ones(3) / 2, np.ones(3) / 3).expectation([1, 2]),
     "one for each of 3 nodes"),
    (lambda: theory.agreement(1.5), "p must be numbers from 0 to 1"),
    (lambda: theory.agreement([0.5, -0.1]), "p must be numbers from 0 to 1"),
])
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()

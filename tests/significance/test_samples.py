"""Samples of differences: their axes, rounding noise in them, and what is refused."""

import numpy as np
import pytest
from every_test import corrected_t
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose, assert_array_equal

from replib._validation import (
    ROUNDING_NOISE,
    is_rounding_noise,
    without_rounding_noise,
)
from replib.significance import paired_t, sign_test, signed_rank
from replib.significance.samples import finite_samples, finite_scores


@given(st.permutations(range(4)), st.integers(1, 4), st.data())
def test_a_sample_holds_what_lies_along_its_axes_in_their_order(axes, merged, data):
    """Every entry names its place; axes may be counted from the end."""
    shape = (2, 3, 4, 5)
    places = np.arange(120).reshape(shape)
    axis = tuple(a - 4 if data.draw(st.booleans()) else a for a in axes[:merged])
    found = finite_samples(places, axis if merged > 1 else axis[0])
    others = [a for a in range(4) if a not in axes[:merged]]
    assert found.shape == (
        *(shape[a] for a in others),
        np.prod([shape[a] for a in axes[:merged]]),
    )
    assert_array_equal(found.ravel(), places.transpose(*others, *axes[:merged]).ravel())


@pytest.mark.parametrize(
    "shape, refusal",
    [
        ((2, 1), None),
        ((4, 2, 1), None),
        ((3,), r"x must have shape \(..., runs >= 2, folds >= 1\)"),
        ((4, 1, 1), r", not \(4, 1, 1\)"),
        ((2, 0), r", not \(2, 0\)"),
    ],
)
def test_axes_have_their_least_lengths(shape, refusal):
    if refusal is None:
        assert finite_scores("x", np.ones(shape), runs=2, folds=1).shape == shape
    else:
        with pytest.raises(ValueError, match=refusal):
            finite_scores("x", np.ones(shape), runs=2, folds=1)
    if len(shape) != 2:
        with pytest.raises(
            ValueError, match=r"x must have shape \(runs >= 2, folds >= 1\)"
        ):
            finite_scores("x", np.ones(shape), exactly=True, runs=2, folds=1)


@given(
    arrays(np.int64, (5, 12), elements=st.integers(-300, 300)),
    st.sampled_from([7, 150, 20_000]),
)
def test_only_what_rounding_leaves_of_a_sum_is_noise(wins, instances):
    """Sums of accuracies against those of whole numbers of instances."""
    differences = wins / instances
    sums = without_rounding_noise(
        differences.sum(axis=1), np.abs(differences).max(axis=1)
    )
    assert_array_equal(np.sign(sums), np.sign(wins.sum(axis=1)))
    assert_allclose(sums, wins.sum(axis=1) / instances, rtol=1e-9)


def test_noise_ends_where_it_says():
    """One part in 10^10: sums of accuracies leave less, and their differences are larger."""
    assert is_rounding_noise(0.9e-10, 1) and not is_rounding_noise(1.1e-10, 1)
    for scale in (1.0, 1e-8, 4e5):
        values = np.array([1, 1.001, -1, -1.001, np.nan, 0]) * ROUNDING_NOISE * scale
        kept = np.where([0, 1, 0, 1, 1, 0], values, 0.0)
        assert_array_equal(without_rounding_noise(values, scale), kept)


@pytest.mark.parametrize("test", [paired_t, corrected_t, sign_test, signed_rank])
def test_axes(test):
    x = np.random.default_rng(10).normal(size=(4, 5, 6))
    merged = test(x.reshape(4, 30)).pvalue
    assert_allclose(test(x, axis=(-2, -1)).pvalue, merged, rtol=1e-12)
    assert_allclose(test(x, axis=(2, 1)).pvalue, merged, rtol=1e-12)
    assert_allclose(test(np.moveaxis(x, 0, 1), axis=(0, 2)).pvalue, merged, rtol=1e-12)
    assert_allclose(
        test(x, axis=0).pvalue, test(np.moveaxis(x, 0, -1)).pvalue, rtol=1e-12
    )
    assert test(np.empty((0, 10))).pvalue.shape == (0,)

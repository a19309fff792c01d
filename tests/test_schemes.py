"""Sampling schemes: an example by hand, what each scheme must preserve, and their decisions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from numpy.testing import assert_allclose, assert_array_equal

from replib import methods
from replib.schemes import SCHEMES, sample
from replib.significance import paired_t

# Rows are runs, columns folds, as in the figure of Bouckaert (2004).
BLOCK = [[3.0, 9.0, 6.0], [0.0, -3.0, 6.0], [12.0, 3.0, 9.0]]

BY_HAND = {
    "resampling": [3, 0, 12],
    "k_fold": [3, 9, 6],
    "use_all_data": [3, 0, 12, 9, -3, 3, 6, 6, 9],
    "average_over_folds": [6, 1, 8],
    "average_over_runs": [5, 3, 7],
    "average_over_sorted_runs": [9, 5, 1],
}


def decide(block, *, scheme, test, alpha=0.05):
    name = {"sign_test": "exact_sign_test"}.get(test, test)
    return methods.decide(block, method=f"{scheme}.{name}", alpha=alpha)


blocks = arrays(
    np.int64,
    array_shapes(min_dims=2, max_dims=3, max_side=6),
    elements=st.integers(-20, 20),
)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_example_by_hand(scheme):
    assert_allclose(sample(BLOCK, scheme=scheme), BY_HAND[scheme], rtol=1e-15)


@pytest.mark.parametrize(("runs", "folds"), [(2, 5), (5, 2), (10, 10)])
def test_use_all_data_has_the_order_of_the_paper(runs, folds):
    """x_i is run ((i - 1) mod r) + 1 of fold ceil(i / r), counted from one."""
    block = np.arange(runs * folds, dtype=float).reshape(runs, folds)
    expected = [
        block[(i - 1) % runs, -(-i // runs) - 1] for i in range(1, runs * folds + 1)
    ]
    assert_array_equal(sample(block, scheme="use_all_data"), expected)


@given(blocks)
def test_averages_and_all_data_preserve_the_mean(block):
    for scheme in set(SCHEMES) - {"resampling", "k_fold"}:
        means = sample(block, scheme=scheme).mean(axis=-1)
        assert_allclose(means, block.mean(axis=(-2, -1)), rtol=1e-12, atol=1e-9)


@given(blocks)
def test_sorted_runs_descend_and_ignore_the_order_of_folds(block):
    x = sample(block, scheme="average_over_sorted_runs")
    assert (np.diff(x, axis=-1) <= 0).all()
    shuffled = np.random.default_rng(0).permuted(block, axis=-1)
    assert_array_equal(sample(shuffled, scheme="average_over_sorted_runs"), x)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_batch_of_blocks_is_its_blocks(scheme):
    batch = np.random.default_rng(6).normal(0.02, 0.04, size=(2, 7, 4, 5))
    samples, decisions = (
        sample(batch, scheme=scheme),
        decide(batch, scheme=scheme, test="paired_t"),
    )
    assert decisions.shape == (2, 7)
    for index in np.ndindex(2, 7):
        assert_array_equal(samples[index], sample(batch[index], scheme=scheme))
        assert decisions[index] == decide(batch[index], scheme=scheme, test="paired_t")


@pytest.mark.parametrize("scheme", SCHEMES)
def test_sample_is_a_copy(scheme):
    block = np.array(BLOCK)
    sample(block, scheme=scheme)[...] = 100
    assert_array_equal(block, BLOCK)


def test_average_over_folds_without_variance():
    """Every run shares out the same differences: a mean of rounding noise is no evidence."""
    no_difference = [[0.1, 0.2, -0.3], [-0.3, 0.1, 0.2], [0.2, -0.3, 0.1]]
    assert np.any(np.mean(no_difference, axis=-1) != 0)
    assert_array_equal(sample(no_difference, scheme="average_over_folds"), [0, 0, 0])
    for test in ("paired_t", "sign_test", "signed_rank"):
        assert decide(no_difference, scheme="average_over_folds", test=test) == 0
    noisy = [
        [0.1, 0.2, -0.3],
        [0.0, 0.0, 0.0],
    ]  # noise is measured by the largest difference
    assert_array_equal(sample(noisy, scheme="average_over_folds"), [0, 0])
    ahead = np.array(no_difference) + 0.1
    assert decide(ahead, scheme="average_over_folds", test="paired_t") == 1


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("test", ["paired_t", "sign_test", "signed_rank"])
def test_decision_names_the_better_classifier(scheme, test):
    rng = np.random.default_rng(8)
    block = rng.normal(0.05, 0.02, size=(10, 10))
    assert decide(block, scheme=scheme, test=test) == 1
    assert decide(-block, scheme=scheme, test=test) == -1
    assert decide(np.zeros((10, 10)), scheme=scheme, test=test) == 0
    assert decide(block, scheme=scheme, test=test).dtype == np.int8


def test_decision_follows_the_test_and_its_level():
    block = np.random.default_rng(1).normal(0.02, 0.04, size=(500, 10, 10))
    for alpha in (0.01, 0.05, 0.5):
        p = paired_t(block[..., 0, :]).pvalue
        rejected = decide(block, scheme="k_fold", test="paired_t", alpha=alpha) != 0
        assert_array_equal(rejected, p < alpha)
    less = methods.decide(block, method="corrected_repeated_cv", alpha=0.05) != 0
    more = decide(block, scheme="use_all_data", test="paired_t") != 0
    assert (more >= less).all()
    assert more.sum() > less.sum()


def test_two_differences_suffice_and_no_block_has_no_decision():
    assert decide([[0.3, 0.1]], scheme="k_fold", test="paired_t", alpha=0.5) == 1
    assert decide(
        np.empty((0, 4, 4)), scheme="use_all_data", test="paired_t"
    ).shape == (0,)
    assert decide(np.empty((0, 4, 4)), scheme="resampling", test="paired_t").shape == (
        0,
    )


@pytest.mark.parametrize(
    "scheme, shape",
    [
        ("resampling", (1, 4)),
        ("average_over_folds", (1, 4)),
        ("k_fold", (4, 1)),
        ("average_over_runs", (4, 1)),
        ("average_over_sorted_runs", (4, 1)),
    ],
)
def test_one_run_or_fold_is_too_few_for_a_sample_of_them(scheme, shape):
    with pytest.raises(ValueError, match="at least two|folds >= 2"):
        decide(np.ones(shape), scheme=scheme, test="paired_t")

"""Adjusted p-values: against statsmodels, and what the corrections promise."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from statsmodels.stats.multitest import multipletests

from replib.multiple_comparisons import METHODS, adjusted_pvalues

THEIRS = {"bonferroni": "bonferroni", "holm": "holm", "benjamini_hochberg": "fdr_bh"}
PVALUES = arrays(float, st.integers(1, 12), elements=st.floats(0, 1))
FEW = arrays(
    float, st.integers(1, 6), elements=st.sampled_from([0, 0.01, 0.02, 0.05, 0.3, 1])
)


@pytest.mark.parametrize("method", THEIRS)
def test_agree_with_statsmodels(method):
    """One large call, as statsmodels collects all garbage at each."""
    rng = np.random.default_rng(3)
    p = np.concatenate(
        [rng.random(200) ** 4, rng.integers(0, 6, 100) / 5]
    )  # with ties, 0 and 1
    np.testing.assert_allclose(
        adjusted_pvalues(p, method=method),
        multipletests(p, method=THEIRS[method])[1],
        rtol=1e-12,
    )


@given(p=FEW)
def test_holm_is_the_closed_test_of_bonferroni(p):
    """A hypothesis falls if every set of hypotheses that has it falls by Bonferroni's test."""
    m = len(p)
    sets = [s for size in range(1, m + 1) for s in combinations(range(m), size)]
    closed = [max(len(s) * p[list(s)].min() for s in sets if i in s) for i in range(m)]
    np.testing.assert_allclose(
        adjusted_pvalues(p, method="holm"), np.minimum(closed, 1)
    )


@given(p=FEW, q=st.floats(0.001, 0.5))
def test_benjamini_hochberg_steps_up(p, q):
    """Of the ordered p-values it rejects all up to the last that is below its share of q."""
    ranks = np.arange(1, len(p) + 1)
    below = np.flatnonzero(np.sort(p) * len(p) / ranks < q)
    rejected = below[-1] + 1 if len(below) else 0
    assert (adjusted_pvalues(p, method="benjamini_hochberg") < q).sum() == rejected


@given(p=PVALUES)
def test_what_bonferroni_rejects_holm_rejects_and_what_holm_does_benjamini_hochberg_does(
    p,
):
    each, bh, holm, bonferroni = (
        adjusted_pvalues(p, method=m)
        for m in ("none", "benjamini_hochberg", "holm", "bonferroni")
    )
    noise = 1e-12
    assert np.all(each <= bh + noise)
    assert np.all(bh <= holm + noise)
    assert np.all(holm <= bonferroni + noise)


@pytest.mark.parametrize("method", METHODS)
def test_each_row_is_adjusted_alone(method):
    p = np.random.default_rng(1).random((3, 4, 5))
    along = adjusted_pvalues(p, method=method)
    for i, j in np.ndindex(3, 4):
        np.testing.assert_array_equal(
            along[i, j], adjusted_pvalues(p[i, j], method=method)
        )

"""Adjusted p-values: against statsmodels, and what the corrections promise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from statsmodels.stats.multitest import multipletests

from replib.multiple_comparisons import METHODS, adjusted_pvalues

THEIRS = {"bonferroni": "bonferroni", "holm": "holm", "benjamini_hochberg": "fdr_bh"}
PVALUES = arrays(float, st.integers(1, 12), elements=st.floats(0, 1))


@pytest.mark.parametrize("method", THEIRS)
@settings(max_examples=25)  # statsmodels collects garbage at each call
@given(p=PVALUES)
def test_agree_with_statsmodels(method, p):
    np.testing.assert_allclose(
        adjusted_pvalues(p, method), multipletests(p, method=THEIRS[method])[1], rtol=1e-12
    )


@given(p=PVALUES)
def test_what_bonferroni_rejects_holm_rejects_and_what_holm_does_benjamini_hochberg_does(p):
    each, bh, holm, bonferroni = (
        adjusted_pvalues(p, m) for m in ("none", "benjamini_hochberg", "holm", "bonferroni")
    )
    noise = 1e-12
    assert np.all(each <= bh + noise)
    assert np.all(bh <= holm + noise)
    assert np.all(holm <= bonferroni + noise)


@pytest.mark.parametrize("method", METHODS)
def test_axis(method):
    p = np.random.default_rng(1).random((3, 5, 4))
    along = adjusted_pvalues(p, method, axis=1)
    for i, j in np.ndindex(3, 4):
        np.testing.assert_array_equal(along[i, :, j], adjusted_pvalues(p[i, :, j], method))


def test_refusals():
    with pytest.raises(ValueError, match="from 0 to 1"):
        adjusted_pvalues([0.1, 1.2], "holm")
    with pytest.raises(ValueError, match="from 0 to 1"):
        adjusted_pvalues([0.1, np.nan], "holm")
    with pytest.raises(ValueError, match="must be one of"):
        adjusted_pvalues([0.1], "sidak")

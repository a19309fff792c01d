"""Decisions about pairs of models that have one error rate together."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from replib._pair_tests import PairTests
from replib._pair_tests.base import Limits
from replib._pair_tests.splits import CorrectedResampledT
from replib._validation import Array, is_rounding_noise
from replib.multiple_comparisons import adjusted_pvalues

#: Draws of the largest statistic against a baseline: a standard error of 0.0015 at p = 0.05.
_DRAWS = 20_000
#: Draws at once, which bounds the memory.
_DRAWS_AT_ONCE = 1000


@dataclass(frozen=True, eq=False, kw_only=True)
class Decisions:
    """Decisions about all pairs that were compared, corrected for their number.

    Attributes
    ----------
    tests : PairTests
    alpha : float
        Error rate of all decisions together.
    correction : {"holm", "bonferroni", "none"}
    equivalence : float or None
        Margin within which a difference does not matter.
    n_choices : int or None
        If the best model was compared with a baseline: from how many it was chosen.
    largest : ndarray or None
        If it was chosen on splits: draws of the largest statistic if all models are equal.
    """

    tests: PairTests
    alpha: float
    correction: str
    equivalence: float | None = None
    n_choices: int | None = None
    largest: Array | None = None

    @cached_property
    def _adjusted(self) -> Array:
        """P-values of all claims about a pair, adjusted: shape (claims, pairs).

        The first claim is that its models differ; with a margin, the others are that the
        first, and that the second, is not worse by it.  NaN for a pair without spread.
        """
        claims = [self.tests.pvalue]
        if self.equivalence is not None:
            not_below, _ = self.tests.tails(-self.equivalence)
            _, not_above = self.tests.tails(self.equivalence)
            claims += [not_below, not_above]
        pvalues = np.array(claims)
        is_unknown = np.isnan(pvalues)
        adjusted = adjusted_claims(np.where(is_unknown, 1.0, pvalues), self.correction)
        return np.where(is_unknown, np.nan, adjusted)

    @cached_property
    def adjusted_pvalue(self) -> Array:
        """P-values adjusted for the number of pairs, or for the choice of the best."""
        if self.n_choices is None:
            return self._adjusted[0]
        pvalue = self.tests.pvalue
        bonferroni = np.minimum(1, self.n_choices * pvalue)
        if self.largest is None:
            return bonferroni
        exceeding = np.count_nonzero(self.largest >= np.abs(self.tests.statistic))
        simulated = (1 + exceeding) / (1 + len(self.largest))
        # Monte Carlo noise must not lead outside the known bounds
        return np.asarray(np.clip(simulated, pvalue, bonferroni))

    @cached_property
    def decision(self) -> NDArray[np.int64]:
        """For each pair +1 if the first is significantly better, -1 if the second, 0 if neither."""
        significant = self.adjusted_pvalue < self.alpha
        return np.where(significant, np.sign(self.tests.ahead), 0).astype(int)

    @property
    def level(self) -> float:
        """Confidence level of each interval, such that together they have 1 - `alpha`."""
        return 1 - self.alpha / self._n_intervals

    @property
    def _n_intervals(self) -> int:
        """Number of intervals that share `alpha`."""
        if self.largest is not None:
            return 1
        if self.n_choices is not None:
            return self.n_choices
        return 1 if self.correction == "none" else len(self.tests.pvalue)

    @cached_property
    def limits(self) -> Limits:
        """Limits of the advantage of the first of each pair."""
        if self.largest is None:
            return self.tests.limits(self.level)
        # for mypy: only splits have draws
        assert isinstance(self.tests, CorrectedResampledT)
        quantile = np.quantile(self.largest, 1 - self.alpha)
        reach = quantile * self.tests.standard_error
        return Limits(self.tests.estimate - reach, self.tests.estimate + reach)

    def equivalences(self) -> dict[str, Array]:
        """Return what is decided about the margin: columns of the table of pairs."""
        if self.equivalence is None:
            return {}
        _, not_worse, b_not_worse = self._adjusted
        both = np.maximum(not_worse, b_not_worse)
        return {
            "p_equivalent": both,
            "equivalent": both < self.alpha,
            "p_not_worse": not_worse,
            "not_worse": not_worse < self.alpha,
            "p_b_not_worse": b_not_worse,
            "b_not_worse": b_not_worse < self.alpha,
        }


def adjusted_claims(pvalues: Array, correction: str) -> Array:
    r"""Adjust the p-values of claims that exclude one another within a pair.

    The null hypotheses about a pair (no difference; worse by the margin; better by the
    margin) exclude one another, so that at most one of them is true.  Testing each at
    :math:`\alpha/m` for m pairs therefore keeps the chance of any false claim below
    :math:`\alpha`.  Step-down: a pair leaves the divisor when all its claims are decided.
    With one claim per pair this is Holm's procedure.

    Parameters
    ----------
    pvalues : ndarray, shape (claims, pairs)
    correction : {"holm", "bonferroni", "none"}

    Returns
    -------
    ndarray, shape (claims, pairs)
        The smallest level at which each claim is decided.

    Examples
    --------
    One pair of three is decided whole at the level 0.03, so two are left for the others:

    >>> p = np.array([[0.010, 0.020, 0.5], [0.001, 0.9, 0.02], [0.002, 0.9, 0.9]])
    >>> adjusted_claims(p, "holm").round(3).tolist()
    [[0.03, 0.04, 1.0], [0.003, 1.0, 0.04], [0.006, 1.0, 1.0]]
    """
    n_claims, n_pairs = pvalues.shape
    if n_claims == 1 or correction != "holm":
        adjusted = adjusted_pvalues(pvalues, method=correction)
        return np.asarray(adjusted)
    # the level at which a pair leaves, if all pairs with smaller p-values have left
    largest = np.sort(pvalues.max(axis=0))
    n_left = np.arange(n_pairs, 0, -1)
    leaves = np.append(0.0, np.maximum.accumulate(n_left * largest))
    levels = np.ones_like(pvalues)
    for n_gone in range(n_pairs):
        level = np.maximum(leaves[n_gone], n_left[n_gone] * pvalues)
        np.minimum(levels, level, out=levels)
    return levels


def largest_statistics(differences: Array, scale: float) -> Array:
    r"""Draw the largest :math:`|t|` of several models against a baseline, if all are equal.

    The statistics are multivariate t with the correlations of the differences over the
    splits; the largest of them has Dunnett's (1955) distribution for these correlations.

    Parameters
    ----------
    differences : ndarray, shape (models, splits)
        Scores of each model minus those of the baseline.
    scale : float
        Largest absolute score.

    Returns
    -------
    ndarray, shape (draws,)

    Examples
    --------
    One model alone has Student's t, whose 95% quantile is 2.26 with nine degrees of freedom:

    >>> differences = np.random.default_rng(0).normal(size=(1, 10))
    >>> round(float(np.quantile(largest_statistics(differences, 1.0), 0.95)), 1)
    2.3
    """
    centred = differences - differences.mean(axis=1, keepdims=True)
    norm = np.linalg.norm(centred, axis=1)
    varies = ~is_rounding_noise(norm, scale)
    directions = centred[varies] / norm[varies, None]
    n_splits = differences.shape[1]
    df = n_splits - 1
    rng = np.random.default_rng(np.random.SeedSequence(0))
    largest = []
    for _ in range(_DRAWS // _DRAWS_AT_ONCE):
        normal = rng.standard_normal((_DRAWS_AT_ONCE, n_splits)) @ directions.T
        chi = np.sqrt(rng.chisquare(df, _DRAWS_AT_ONCE) / df)
        largest.append(np.abs(normal).max(axis=1, initial=0) / chi)
    return np.concatenate(largest)

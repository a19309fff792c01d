"""Decisions about pairs of models that have one error rate together."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from replib._pair_tests import PairTests
from replib._pair_tests.base import Limits
from replib._pair_tests.splits import CorrectedResampledT
from replib._validation import Array
from replib.multiple_comparisons import adjusted_pvalues

#: Draws of the largest statistic against a baseline: a standard error of 0.0015 at p = 0.05.
_DRAWS = 20_000
#: Draws at once, which bounds the memory.
_DRAWS_AT_ONCE = 1000
#: A difference that varies by less than this part of the largest score does not vary.
_NO_SPREAD = 1e-10


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
    def adjusted_pvalue(self) -> Array:
        """P-values adjusted for the number of pairs, or for the choice of the best."""
        pvalue = self.tests.pvalue
        if self.n_choices is None:
            return np.asarray(adjusted_pvalues(pvalue, method=self.correction))
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
        if self.largest is not None or self.correction == "none":
            return 1
        return self.n_choices or len(self.tests.pvalue)

    @cached_property
    def limits(self) -> Limits:
        """Limits of the advantage of the first of each pair."""
        if self.largest is None:
            return self.tests.limits(self.level)
        assert isinstance(
            self.tests, CorrectedResampledT
        )  # for mypy: only splits have draws
        quantile = np.quantile(self.largest, 1 - self.alpha)
        reach = quantile * self.tests.standard_error
        return Limits(self.tests.estimate - reach, self.tests.estimate + reach)

    def equivalences(self) -> dict[str, Array]:
        """Return what is decided about the margin: columns of the table of pairs."""
        if self.equivalence is None:
            return {}
        not_below = self.tests.tails(-self.equivalence)[0]
        not_above = self.tests.tails(self.equivalence)[1]
        pvalue = np.maximum(not_below, not_above)
        adjusted = np.asarray(adjusted_pvalues(pvalue, method=self.correction))
        return {
            "p_equivalent": adjusted,
            "equivalent": adjusted < self.alpha,
            "not_worse": not_below < self.alpha,
            "b_not_worse": not_above < self.alpha,
        }


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
    varies = norm > _NO_SPREAD * scale
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

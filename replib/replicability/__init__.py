r"""Replicability estimated from the outcomes of repeated experiments on one data set.

An experiment is repeated :math:`n` times on the same data with fresh randomisations.  If its
outcome is *accept* with probability :math:`p`, two repetitions agree with probability

.. math:: r = p^2 + (1-p)^2,

the *replicability* (Bouckaert 2004, Section 3).  This module holds its estimators
(:func:`r1`, :func:`r2`, :func:`rk`), their exact variances, an interval, the counts of consistent
data sets of Bouckaert and Frank (2004), and :func:`agreement_over_pairs` for any other kind of
agreement between two repetitions.

All values are on the raw scale, between 1/2 and 1 for two outcomes; :func:`normalized` converts
them to the papers' "normalised" scale between 0 and 1.
"""

from replib.replicability.estimators import (
    Consistency,
    agreement_over_pairs,
    consistency,
    normalized,
    r1,
    r2,
    r2_from_counts,
    rk,
    three_outcome_r2,
)
from replib.replicability.precision import (
    r1_variance,
    r2_variance,
    replicability_interval,
    rk_variance,
)

__all__ = [
    "Consistency", "agreement_over_pairs", "consistency", "normalized", "r1", "r1_variance", "r2",
    "r2_from_counts", "r2_variance", "replicability_interval", "rk", "rk_variance",
    "three_outcome_r2",
]

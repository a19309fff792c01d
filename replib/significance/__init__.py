r"""Significance tests for the differences between two classifiers A and B.

A *difference* is always A minus B, so a positive estimate favours A.  Every test is
vectorised: one axis (or several) holds a sample, and the others hold independent
repetitions.  A block of runs x folds becomes one sample with ``axis=(-2, -1)``.

Conventions for inputs that leave a textbook formula undefined:

* all differences zero, or no discordant pair: statistic 0 and p = 1 (no evidence against H0);
* a t, z or F test of nonzero differences without variance: statistic ±inf, p = 0 (or 1 in a
  one-sided test of the other direction);
* NaN or infinite differences: ValueError.

Differences of accuracies carry rounding noise (``0.76 - 0.74`` and ``0.70 - 0.68`` are
different floating-point numbers).  Wherever a test asks whether values are equal or
zero, anything smaller than `ROUNDING_NOISE` times the scale of the sample counts as
noise.
"""

from replib.significance.counts import mcnemar, sign_test
from replib.significance.equivalence import HodgesLehmannResult, hodges_lehmann, tango
from replib.significance.means import (
    corrected_resampled_t,
    cv_clt,
    five_by_two_cv_f,
    five_by_two_cv_t,
    paired_t,
)
from replib.significance.power import mcnemar_critical_count, mcnemar_power
from replib.significance.ranks import signed_rank
from replib.significance.results import (
    Floats,
    MeanTestResult,
    RankTestResult,
    Tails,
    TestResult,
)
from replib.significance.split_halves import SharpResult, sharp

__all__ = [
    "Floats",
    "HodgesLehmannResult",
    "MeanTestResult",
    "RankTestResult",
    "SharpResult",
    "Tails",
    "TestResult",
    "corrected_resampled_t",
    "cv_clt",
    "five_by_two_cv_f",
    "five_by_two_cv_t",
    "hodges_lehmann",
    "mcnemar",
    "mcnemar_critical_count",
    "mcnemar_power",
    "paired_t",
    "sharp",
    "sign_test",
    "signed_rank",
    "tango",
]

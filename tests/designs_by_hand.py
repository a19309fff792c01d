"""What designs decide, by formulas on one block after another."""

import numpy as np
from scipy import stats

from replib import schemes

# Smaller differences are rounding errors.
NOISE = 1e-12


def t_decision(mean, variance_of_mean, df, alpha):
    if variance_of_mean == 0:
        return int(np.sign(mean))
    t = mean / np.sqrt(variance_of_mean)
    return int(np.sign(t)) * int(abs(t) > stats.t.isf(alpha / 2, df))


def sign_decision(test, pluses, minuses, n, alpha):
    """Decision of a sign test, from the numbers of positive and negative differences of n."""
    ties = n - pluses - minuses
    if ties == n:
        return 0
    if test == "exact_sign_test":
        pvalue = stats.binomtest(int(pluses), int(pluses + minuses)).pvalue
    else:
        pvalue = printed_sign_pvalue(pluses, ties, n)
        if test != "sign_test":  # the lenient reading takes the better side
            pvalue = min(pvalue, printed_sign_pvalue(minuses, ties, n))
    return int(np.sign(pluses - minuses)) * int(pvalue < alpha)


def printed_sign_pvalue(ahead, ties, n):
    """The rule of Bouckaert (2004) for one side: each tie counts one half."""
    at_most = stats.binom.cdf(np.floor(ahead + ties / 2), n, 0.5)
    return 2 * min(at_most, 1 - at_most)


def signed_rank_decision(x, alpha):
    """Decision of the signed-rank test without zeros, by its normal approximation."""
    if not len(x):
        return 0
    ranks = stats.rankdata(np.abs(x))
    z = ranks @ np.sign(x) / np.sqrt(ranks @ ranks)
    return int(np.sign(z)) * int(abs(z) > stats.norm.isf(alpha / 2))


def decided_by_hand(name, block, alpha):
    """Decision of one experiment, from its block of differences."""
    if name == "five_by_two_cv":
        spread = np.mean([run.var(ddof=1) for run in block])
        return t_decision(block[0, 0], spread, 5, alpha)
    if name == "five_by_two_cv_f":
        spread = np.sum([run.var(ddof=1) for run in block])
        exceeds = np.sum(block**2) > 2 * spread * stats.f.isf(alpha, 10, 5)
        return int(np.sign(block.mean())) * int(exceeds)
    if name.startswith("corrected"):
        n = block.size
        folds = block.shape[-1]
        # of random splits 10 % are test data
        ratio = 1 / (folds - 1) if folds > 1 else 1 / 9
        variance = (1 / n + ratio) * block.var(ddof=1)
        return t_decision(block.mean(), variance, n - 1, alpha)
    scheme, test = name.split(".")
    if scheme not in schemes.SCHEMES:
        scheme = "resampling"
    x = schemes.sample(block, scheme=scheme)
    n = len(x)
    if test == "paired_t":
        return t_decision(x.mean(), x.var(ddof=1) / n, n - 1, alpha)
    if test.endswith("sign_test"):
        return sign_decision(test, np.sum(x > NOISE), np.sum(x < -NOISE), n, alpha)
    if test != "signed_rank":
        raise LookupError(f"there is no formula here for the method {name!r}")
    return signed_rank_decision(np.round(x[np.abs(x) > NOISE], 12), alpha)

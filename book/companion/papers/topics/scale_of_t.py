"""How much the corrected t statistic varies over data sets, and how much the correction assumes.

T of cross-validation is about `scale` times a noncentral t.  No single data set shows the scale,
but many data sets of one source do.  The measured scales determined the defaults of
`replib.replication_probability.cv_t` (a single cross-validation) and of
`replib.comparison.Comparison.replication_probability`.
"""

import numpy as np


def scales(differences: np.ndarray) -> dict[str, float]:
    """Scale of T in one cross-validation and in all runs together, with bootstrap standard errors.

    `differences` come from many data sets of one source, (datasets, runs, folds).  The scale is the
    standard deviation of the mean difference over data sets, divided by the root mean square of the
    corrected standard error: `single` and `repeated`, each with its `_error`.

    >>> rng = np.random.default_rng(1)
    >>> found = scales(rng.normal(size=(2000, 1, 10)))  # independent folds: sqrt(9 / 19)
    >>> round(found["single"], 1), found["single"] == found["repeated"]
    (0.7, True)
    """
    rng = np.random.default_rng(np.random.SeedSequence(2026))
    n, _, folds = differences.shape
    ratio = 1 / (folds - 1)
    designs = {"single": differences[:, 0], "repeated": differences.reshape(n, -1)}
    found = {}
    for name, d in designs.items():
        means, variances = d.mean(axis=1), (1 / d.shape[1] + ratio) * d.var(axis=1, ddof=1)
        drawn = rng.integers(n, size=(200, n))
        again = means[drawn].std(axis=1, ddof=1) / np.sqrt(variances[drawn].mean(axis=1))
        found[name] = float(means.std(ddof=1) / np.sqrt(variances.mean()))
        found[f"{name}_error"] = float(again.std(ddof=1))
    return found

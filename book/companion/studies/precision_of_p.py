"""How precise a p-value is: the p-value of a replication, if the observed effect is the true one.

After Boos and Stefanski (2011), who measure precision by the standard deviation of the
logarithm of p to the base 10.
"""

import numpy as np
import pandas as pd
from scipy import special

#: Points of the distribution of the replication's statistic.
_NODES = 20_001
#: Standard deviations of the statistic on either side of its mean.
_REACH = 9.0


def of_replications(pvalues: np.ndarray) -> pd.DataFrame:
    """Describe the two-sided p-value of a replication by the observed one.

    The statistic is normal, with variance 1 about the observed value.  Columns: `mean`
    and `sd` of log10 p, and `low`, `median` and `high`, the 5%, 50% and 95% quantiles
    of p.

    >>> of_replications(np.array([0.05])).round(2).loc[0.05, "sd"].item()
    1.05
    """
    distance = np.linspace(-_REACH, _REACH, _NODES)
    weight = np.exp(-(distance**2) / 2)
    weight /= weight.sum()
    rows = []
    for z in -special.ndtri(np.asarray(pvalues) / 2):
        magnitude = np.abs(z + distance)
        log_p = (special.log_ndtr(-magnitude) + np.log(2)) / np.log(10)
        mean = weight @ log_p
        order = np.argsort(log_p)
        cumulated = np.cumsum(weight[order])
        places = np.searchsorted(cumulated, [0.05, 0.5, 0.95])
        low, median, high = 10 ** log_p[order[places]]
        rows.append(
            {
                "mean": mean,
                "sd": np.sqrt(weight @ (log_p - mean) ** 2),
                "low": low,
                "median": median,
                "high": high,
            }
        )
    return pd.DataFrame(rows, index=pd.Index(pvalues, name="p"))

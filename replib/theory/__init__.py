"""Results that need no experiment.

========================  ==========================================================================
`mcnemar`                 power and replicability of McNemar's test on finite data sets, exact
`limits`                  the same, in the limit of large data sets
`models`                  resampling and repeated cross-validation in that limit
`order_statistics`        sorted normal samples, the limit of sorted runs
`dependence`              Type I errors of t tests with correlated differences
========================  ==========================================================================
"""

from replib.theory.dependence import (
    equicorrelated_type1_error,
    scale_of_t,
    type1_error_of_scaled_t,
)
from replib.theory.mcnemar import (
    RejectionDistribution,
    agreement,
    critical_count,
    mcnemar_power,
    mcnemar_replicability,
    rejection_distribution,
    rejection_probability,
)

__all__ = [
    "RejectionDistribution",
    "agreement",
    "critical_count",
    "equicorrelated_type1_error",
    "mcnemar_power",
    "mcnemar_replicability",
    "rejection_distribution",
    "rejection_probability",
    "scale_of_t",
    "type1_error_of_scaled_t",
]

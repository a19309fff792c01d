"""The recommended test and the others that are in use, applied to one block of differences."""

import warnings
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from replib import margins, schemes
from replib.comparison import agreement
from replib.comparison.design import Design
from replib.significance import TestResult, corrected_resampled_t, paired_t, signed_rank

if TYPE_CHECKING:  # pandas would take longer to load than a comparison takes
    import pandas as pd


def quietly(test: Callable[..., TestResult], *args: Any, **options: Any) -> Any:
    """The result of a test without its warning of an infinite statistic, which notes put better."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*no variance", RuntimeWarning)
        return test(*args, **options)


def table(differences: np.ndarray, design: Design, alpha: float) -> "pd.DataFrame":
    """One row per test, as :meth:`replib.comparison.Comparison.tests` describes it."""
    import pandas as pd

    rows = []
    for name, scheme, test, kind in _tests(design):
        result = quietly(test, schemes.sample(differences, scheme=scheme))
        size = _type_1_error(kind, scheme, design, alpha)
        rows.append({
            "test": name,
            "statistic": result.statistic,
            "pvalue": result.pvalue,
            "decision": result.direction if result.pvalue < alpha else 0,
            "agreement": _agreement(differences, design, alpha, scheme, kind),
            "type_1_error": size,
            "verdict": _verdict(kind, size, alpha),
        })
    return pd.DataFrame(rows).set_index("test")


class _Test(NamedTuple):
    name: str
    scheme: str
    test: Callable[..., TestResult]
    kind: str  # "corrected", "sorted_runs" or "plain" t test, or "other"


def _tests(design: Design) -> list[_Test]:
    corrected = partial(corrected_resampled_t, test_train_ratio=design.test_train_ratio)
    if design.folds == 1:
        return [
            _Test("corrected resampled t", "resampling", corrected, "corrected"),
            _Test("paired t on all splits", "resampling", paired_t, "plain"),
        ]
    on_all = _Test("corrected t on all differences", "use_all_data", corrected, "corrected")
    on_first = _Test("paired t on the first run", "k_fold", paired_t, "plain")
    if design.runs == 1:
        return [on_all, on_first]
    sorted_runs = "average_over_sorted_runs"
    return [
        on_all,
        _Test("t on sorted runs", sorted_runs, paired_t, "sorted_runs"),
        _Test("signed rank on sorted runs", sorted_runs, signed_rank, "other"),
        on_first,
        _Test("paired t on means by fold", "average_over_runs", paired_t, "plain"),
        _Test("paired t on all differences", "use_all_data", paired_t, "plain"),
    ]


def _agreement(
    differences: np.ndarray, design: Design, alpha: float, scheme: str, kind: str
) -> float:
    if kind not in margins.TESTS or scheme in ("k_fold", "average_over_runs"):
        return np.nan
    found = agreement.of_rerun(
        differences, test_train_ratio=design.test_train_ratio, alpha=alpha, test=kind
    )
    return np.nan if found is None else found.point


def _type_1_error(kind: str, scheme: str, design: Design, alpha: float) -> float:
    r"""Size of a t test if any two differences have the correlation of the test fraction.

    Means over r of them by fold number have the correlation
    :math:`\rho / (\rho + (1-\rho)/r)`.
    """
    from replib.theory import equicorrelated_type1_error  # slow to load

    if kind != "plain":
        return alpha if kind == "corrected" else np.nan
    rho, size = design.test_fraction, design.splits
    if scheme in ("k_fold", "average_over_runs"):
        size = design.folds
    if scheme == "average_over_runs":
        rho = rho / (rho + (1 - rho) / design.runs)
    return equicorrelated_type1_error(rho, size, alpha=alpha)


def _verdict(kind: str, size: float, alpha: float) -> str:
    if kind == "corrected":
        return "recommended"
    if np.isnan(size):
        return "keeps its level in the simulations of this book"
    return "finds differences that are not there" if size > 1.5 * alpha else "keeps its level"

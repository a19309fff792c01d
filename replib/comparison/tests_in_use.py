"""The recommended test and the other tests in use, applied to one block of differences."""

import warnings
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from replib import margins, methods, schemes
from replib.comparison import agreement
from replib.comparison.design import Design
from replib.significance import TestResult

if TYPE_CHECKING:  # pandas would take longer to load than a comparison takes
    import pandas as pd


_FALSE = "finds differences that are not there"


def quietly(test: Callable[..., TestResult], *args: Any, **options: Any) -> Any:
    """Run a test without its warning of an infinite statistic; a note says this better."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*no variance", RuntimeWarning)
        return test(*args, **options)


def table(differences: np.ndarray, design: Design, alpha: float) -> "pd.DataFrame":
    """Return one row per test, as described in :meth:`replib.comparison.Comparison.tests`."""
    import pandas as pd

    rows = []
    for name, label, kind in _tests(design):
        test = methods.find(name)
        options = {"test_train_ratio": design.test_train_ratio} if test.corrected else {}
        sample = schemes.sample(differences, scheme=test.scheme)
        result = quietly(test.test, sample, **options)
        size = _type_1_error(kind, test.scheme, design, alpha)
        rows.append({
            "test": label, "statistic": result.statistic, "pvalue": result.pvalue,
            "decision": result.direction if result.pvalue < alpha else 0,
            "agreement": _agreement(differences, design, alpha, test.scheme, kind),
            "type_1_error": size,
            "verdict": _verdict(test, size, design, alpha),
        })
    return pd.DataFrame(rows).set_index("test")


def _tests(design: Design) -> list[tuple[str, str, str]]:
    """Return names in `replib.methods.METHODS`, labels, and kinds (of `replib.margins.TESTS`)."""
    if design.folds == 1:
        return [
            ("corrected_resampled_100", "corrected resampled t", "corrected"),
            ("resampling.paired_t", "paired t on all splits", "plain"),
        ]
    found = [
        ("corrected_repeated_cv", "corrected t on all differences", "corrected"),
        ("average_over_sorted_runs.paired_t", "t on sorted runs", "sorted_runs"),
        ("average_over_sorted_runs.signed_rank", "signed rank on sorted runs", "other"),
        ("k_fold.paired_t", "paired t on the first run", "plain"),
        ("average_over_runs.paired_t", "paired t on means by fold", "plain"),
        ("use_all_data.paired_t", "paired t on all differences", "plain"),
    ]
    return found if design.runs > 1 else [found[0], found[3]]


def _agreement(
    differences: np.ndarray, design: Design, alpha: float, scheme: str, kind: str
) -> float:
    if kind not in margins.TESTS or scheme in ("k_fold", "average_over_runs"):
        return np.nan
    found = agreement.of_rerun(
        differences, test_train_ratio=design.test_train_ratio, alpha=alpha, test=kind
    )
    return np.nan if found is None else float(found.point)


def _type_1_error(kind: str, scheme: str, design: Design, alpha: float) -> float:
    r"""Return the size of a t test if any two differences have the test fraction as correlation.

    Means over r differences by fold number have the correlation
    :math:`\rho / (\rho + (1-\rho)/r)`.
    """
    from replib.theory import equicorrelated_type1_error  # slow to load

    if kind != "plain":
        return np.nan
    rho, size = design.test_fraction, design.splits
    if scheme in ("k_fold", "average_over_runs"):
        size = design.folds
    if scheme == "average_over_runs":
        rho = rho / (rho + (1 - rho) / design.runs)
    return equicorrelated_type1_error(rho, size, alpha=alpha)


def _verdict(test: methods.Method, size: float, design: Design, alpha: float) -> str:
    """Return the verdict of stored evidence for these splits, or else of the formula."""
    here = (design.runs, design.folds, alpha)
    measured = here == methods.MEASURED_AT or (
        test.splits == "random_10" and here == (100, 1, 0.05) and design.test_fraction == 0.1
    )
    if not measured or test.evidence is None:
        return f"{_FALSE}, by formula" if size > 1.5 * alpha else "not examined"
    found = test.evidence
    verdict = "recommended" if test.corrected else "holds its level"
    low, high = 100 * found.type_1_error_least, 100 * found.type_1_error_most
    spread = f" ({low:.0f} to {high:.0f}% over learners and networks)" if high == high else ""
    return (
        f"{verdict if found.holds_level(alpha) else _FALSE}, measured: "
        f"{100 * found.type_1_error:.1f}%{spread}"
    )

"""Sections 4 and 4.1: Task I, and McNemar's test on up to 200,000 instances.

Replicability in percent is on the normalised scale 2r - 1, like the printed numbers;
the paper does not say so (erratum e25).
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import special

from companion.lab.experiments.splits import size_of_test_set
from companion.lab.sources import task_1
from companion.papers import published
from companion.papers.bouckaert2005 import limits, mcnemar
from companion.papers.bouckaert2005.simulation import (
    DATASETS,
    EXPERIMENTS,
    SEED,
    SIZES,
    STEPS,
    TEST_FRACTIONS,
    mcnemar_rejections,
)
from companion.papers.ledger.verdicts import near
from replib import replicability, significance

#: Data set sizes with a printed Type I replicability, and those with a printed worst
#: case.
TYPE_1_SIZES = (1000, 2000, 10_000, 20_000, 100_000, 200_000)
WORST_CASE_SIZES = (20_000, 100_000, 200_000)


def ledger_rows(
    *,
    alpha: float = 0.05,
    datasets: int = DATASETS,
    experiments: int = EXPERIMENTS,
    steps: int = STEPS,
    seed: int = SEED,
    trend: pd.DataFrame | None = None,
    worst: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Ledger rows of Task I, the number of experiments, and the replicabilities of Section 4.1.

    `trend` and `worst` are the results of `type1_trend` and `worst_case` for these
    parameters; they are computed if not given.
    """
    simulated = {
        "alpha": alpha,
        "datasets": datasets,
        "experiments": experiments,
        "seed": seed,
    }
    trend = type1_trend(**simulated) if trend is None else trend
    worst = worst_case(steps=steps, **simulated) if worst is None else worst
    grid = [Fraction(100 + k, 400) for k in range(101)]
    rows = [
        {
            "id": "bouckaert2005.txt_task1",
            "rebuilt": all(_task_1_is_as_described(q) for q in grid),
        },
        {
            "id": "bouckaert2005.txt.total_experiments",
            "rebuilt": datasets * experiments * steps,
        },
    ]
    rows += [
        _as_probability(f"bouckaert2005.txt.type1_repl_n{case.size}", case)
        for case in trend[trend["size"].isin(TYPE_1_SIZES)].itertuples()
    ]
    for case in worst.itertuples():
        lowest = _as_probability(f"bouckaert2005.txt.worst_repl_n{case.size}", case)
        lowest["numbers"]["too_low"] = abs(case.selection_bias)
        rows += [
            lowest,
            {
                "id": f"bouckaert2005.txt.worst_delta_n{case.size}",
                "rebuilt": case.difference,
                "numbers": {"step": case.step},
            },
            {
                "id": f"bouckaert2005.txt.worst_power_n{case.size}",
                "rebuilt": case.power,
                "published_error": case.published_power_error,
                "numbers": case._asdict(),
            },
        ]
    return pd.DataFrame(rows)


def _as_probability(fact_id: str, case) -> dict[str, object]:
    """Row of a replicability: as printed it is no probability, but right if normalised (e25)."""
    printed, error = published.facts().loc[fact_id], case.published_error
    return {
        "id": fact_id,
        "rebuilt": 50 + case.exact / 2,
        "published_error": error / 2,
        "corrected": near(printed["value"], case.exact, error, printed["rounding"]),
        "numbers": case._asdict(),
    }


def _task_1_is_as_described(q: Fraction) -> bool:
    source = task_1.combinations(q)
    mass = lambda rows: sum(source.loc[rows, "probability"], Fraction(0))
    half = Fraction(1, 2)
    return (
        mass(source["y"] >= 0) == 1
        and mass(source["y"] == 0) == half
        and mass(source["a_correct"]) == half
        and mass(source["b_correct"]) == 2 * q
        and mass(source["b_correct"]) - mass(source["a_correct"]) == 2 * q - half
    )


# ------------------------------------------------------------------ simulation


def simulate_mcnemar(
    size: int,
    test_fraction: float,
    q: float,
    *,
    datasets: int = DATASETS,
    experiments: int = EXPERIMENTS,
    alpha: float = 0.05,
    method: str = "corrected",
    seed: int | np.random.SeedSequence = SEED,
) -> np.ndarray:
    """Count the experiments on each data set of Task I that reject: the paper's simulation.

    >>> simulate_mcnemar(1000, 0.1, 0.31, datasets=5).shape
    (5,)
    """
    rng = np.random.default_rng(seed)
    data = task_1.counts(rng, size, q=q, datasets=datasets)
    return mcnemar_rejections(
        rng,
        data,
        size_of_test_set(size, test_fraction),
        experiments,
        alpha=alpha,
        method=method,
    )


def with_errors(rejections: np.ndarray, experiments: int) -> dict[str, float]:
    """Power and normalised replicability in percent, each with its standard error (`_error`)."""
    r2 = replicability.normalized(replicability.r2_from_counts(rejections, experiments))
    columns = {}
    for name, values in (("power", rejections / experiments), ("replicability", r2)):
        columns[name] = float(100 * values.mean())
        columns[f"{name}_error"] = float(
            100 * values.std(ddof=1) / np.sqrt(values.size)
        )
    return columns


def _simulated(rejections: np.ndarray, experiments: int) -> dict[str, float]:
    names = "simulated_power", "simulated_power_error", "simulated", "standard_error"
    return dict(zip(names, with_errors(rejections, experiments).values()))


def _error_of_design(
    distribution: mcnemar.RejectionDistribution,
) -> tuple[np.ndarray, np.ndarray]:
    """Standard errors of the power and of the normalised replicability in the paper's design, in
    percent, from the exact distribution of p(D): variance within plus variance between data sets.
    """
    p = distribution.probability
    r, expect = replicability.agreement(p), lambda values: distribution.weight @ values
    of_power = expect(p * (1 - p)) / EXPERIMENTS + expect(p**2) - expect(p) ** 2
    of_r2 = (
        expect(replicability.r2_variance(r, EXPERIMENTS))
        + expect(r**2)
        - expect(r) ** 2
    )
    return 100 * np.sqrt(of_power / DATASETS), 200 * np.sqrt(of_r2 / DATASETS)


def percent(raw: ArrayLike) -> np.ndarray | float:
    """Normalised replicability in percent, from raw r as a fraction."""
    return 100 * replicability.normalized(raw)


# ------------------------------------------------------------------ Type I replicability


def type1_trend(
    sizes: Sequence[int] = TYPE_1_SIZES,
    test_fraction: float = 0.1,
    *,
    alpha: float = 0.05,
    datasets: int = DATASETS,
    experiments: int = EXPERIMENTS,
    seed: int = SEED,
) -> pd.DataFrame:
    """Type I replicability of McNemar's test by data set size, in theory and in simulation.

    One row per size, in percent, replicabilities normalised: `size`, `type1_error`
    (exact, corrected test), `exact` and `limit` (corrected), `exact_uncorrected`,
    `simulated`, `standard_error`, `simulated_power`, `simulated_power_error`
    (corrected), and `published_error`, the standard error of the paper's 1000 data sets
    with 10 experiments each.
    """
    rows, rates = [], task_1.rates(0)
    for n in sizes:
        m = size_of_test_set(n, test_fraction)
        distribution = mcnemar.rejection_distribution(n, m, *rates, alpha=alpha)
        uncorrected = mcnemar.replicability(
            n, m, *rates, alpha=alpha, method="uncorrected"
        )
        rejections = simulate_mcnemar(
            n,
            test_fraction,
            rates[0],
            datasets=datasets,
            experiments=experiments,
            alpha=alpha,
            seed=np.random.SeedSequence(seed, spawn_key=(n, 0)),
        )
        rows.append(
            {
                "size": n,
                "type1_error": 100 * distribution.power,
                "exact": percent(distribution.replicability),
                "limit": percent(
                    limits.replicability(
                        test_fraction, 0, alpha=alpha, discordant=m / 2
                    )
                ),
                "exact_uncorrected": percent(uncorrected),
                **_simulated(rejections, experiments),
                "published_error": _error_of_design(distribution)[1],
            }
        )
    return pd.DataFrame(rows)


def errata_of_type1_trend(trend: pd.DataFrame, *, alpha: float = 0.05) -> pd.DataFrame:
    """Errata e24 and e25: why Type I replicability falls with data set size.

    `trend` is the result of `type1_trend`.  Columns `size`, and in percent: `printed`;
    for the corrected test the exact `type1_error`, `corrected` (normalised) and
    `corrected_raw`; `uncorrected` (normalised), for the test without the correction;
    `bound` and `bound_raw` for independent experiments, which the printed values would
    violate if they were raw.
    """
    printed = [
        published.value(f"bouckaert2005.txt.type1_repl_n{n}")
        if n in TYPE_1_SIZES
        else np.nan
        for n in trend["size"]
    ]
    return pd.DataFrame(
        {
            "size": trend["size"],
            "printed": printed,
            "type1_error": trend["type1_error"],
            "corrected": trend["exact"],
            "uncorrected": trend["exact_uncorrected"],
            "bound": percent(replicability.agreement(alpha)),
            "corrected_raw": 50 + trend["exact"] / 2,
            "bound_raw": 100 * replicability.agreement(alpha),
        }
    )


def errata_of_test_share(
    sizes: Sequence[int] = SIZES,
    test_fractions: Sequence[float] = TEST_FRACTIONS,
    *,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """Erratum e27: Type I replicability of the corrected test by share of test instances.

    In the limit it rises with the share.  At a finite size, a larger test set also
    weakens the continuity correction, which raises the Type I error and lowers
    replicability: at 1000 and 2000 instances the two effects nearly cancel, and Figure
    1 need not show a rise.  One row per data set size, `n` (text; the last is the
    limit), and one column per share: normalised, in percent.
    """
    columns = {}
    for t in test_fractions:
        exact = {
            f"{n:.0f}": percent(
                mcnemar.replicability(
                    n, size_of_test_set(n, t), *task_1.rates(0), alpha=alpha
                )
            )
            for n in sizes
        }
        limit = percent(limits.replicability(t, 0, alpha=alpha))
        columns[f"τ = {t:.2f}"] = exact | {"limit": limit}
    return pd.DataFrame(columns).rename_axis("n").reset_index()


# ------------------------------------------------------------------ the worst case


def worst_case(
    sizes: Sequence[int] = WORST_CASE_SIZES,
    test_fraction: float = 0.1,
    *,
    alpha: float = 0.05,
    steps: int = STEPS,
    datasets: int = DATASETS,
    experiments: int = EXPERIMENTS,
    seed: int = SEED,
) -> pd.DataFrame:
    """The step with the lowest replicability, for each data set size.

    The paper reports the lowest of its 100 simulated replicabilities, which on average
    is lower than the lowest replicability.  Here the step is exact, and only that step
    is simulated. `selection_bias` is the bias from taking the lowest of noisy values;
    it is negligible, because the neighbouring steps are far higher.

    One row per size, in percent, replicabilities normalised: `size`, `step`,
    `difference` (in accuracy), `power` and `exact` (replicability, both exact),
    `simulated_power`, `simulated_power_error`, `simulated` (replicability),
    `standard_error`; and for the paper's design `published_power_error`,
    `published_error`, `selection_bias`.
    """
    rows = []
    for n in sizes:
        m = size_of_test_set(n, test_fraction)
        rates = task_1.rates(np.arange(steps + 1), steps=steps)
        worst = int(np.argmin(mcnemar.replicability(n, m, *rates, alpha=alpha)))
        near = np.arange(max(worst - 3, 0), min(worst + 4, steps + 1))
        distribution = mcnemar.rejection_distribution(
            n, m, rates[0][near], rates[1][near], alpha=alpha
        )
        power_error, error = _error_of_design(distribution)
        here = int(np.flatnonzero(near == worst)[0])
        exact = percent(distribution.replicability)
        rejections = simulate_mcnemar(
            n,
            test_fraction,
            float(rates[0][worst]),
            datasets=datasets,
            experiments=experiments,
            alpha=alpha,
            seed=np.random.SeedSequence(seed, spawn_key=(n, worst)),
        )
        rows.append(
            {
                "size": n,
                "step": worst,
                "difference": task_1.accuracy_difference(worst, steps=steps),
                "power": 100 * distribution.power[here],
                "exact": exact[here],
                **_simulated(rejections, experiments),
                "published_power_error": power_error[here],
                "published_error": error[here],
                "selection_bias": _expected_minimum(exact, error) - exact[here],
            }
        )
    return pd.DataFrame(rows)


def _expected_minimum(means: np.ndarray, errors: np.ndarray) -> float:
    """Mean of the smallest of independent normal variables: the integral of P(all exceed x)."""
    low, high = (means - 8 * errors).min(), (means + 8 * errors).min()
    x = np.linspace(low, high, 4001)
    all_exceed = special.ndtr((means[:, np.newaxis] - x) / errors[:, np.newaxis]).prod(
        axis=0
    )
    return float(low + np.trapezoid(all_exceed, x))


def errata_of_difference(
    test_fraction: float = 0.1, *, alpha: float = 0.05
) -> pd.DataFrame:
    """Erratum e26: power at the printed accuracy difference, and at half of it.

    Columns `size`, and in percent `printed_difference`, `printed_power`,
    `power_at_printed`, `power_at_half`.
    """
    rows = []
    for n in WORST_CASE_SIZES:
        printed = published.value(f"bouckaert2005.txt.worst_delta_n{n}")
        m = size_of_test_set(n, test_fraction)
        power = lambda percent: (
            100
            * significance.mcnemar_power(
                m, 0.25 + percent / 200, 0.25 - percent / 200, alpha=alpha
            )
        )
        rows.append(
            {
                "size": n,
                "printed_difference": printed,
                "printed_power": published.value(f"bouckaert2005.txt.worst_power_n{n}"),
                "power_at_printed": power(printed),
                "power_at_half": power(printed / 2),
            }
        )
    return pd.DataFrame(rows)

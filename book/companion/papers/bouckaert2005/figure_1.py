"""Figure 1: power and replicability of McNemar's test against accuracy difference, three graphs.

No simulation is needed: given the counts of a data set, the probability of rejecting is
a sum, and so are its mean and its mean square over data sets (`mcnemar`).
"""

from collections.abc import Sequence
from itertools import product

import numpy as np
import pandas as pd
from scipy import optimize, stats

from companion.lab.experiments.splits import size_of_test_set
from companion.lab.sources import task_1
from companion.papers.bouckaert2005 import limits, mcnemar
from companion.papers.bouckaert2005.section_4 import (
    percent,
    simulate_mcnemar,
    with_errors,
)
from companion.papers.bouckaert2005.simulation import (
    DATASETS,
    EXPERIMENTS,
    SEED,
    SIZES,
    STEPS,
    TEST_FRACTIONS,
    check_sizes,
)
from companion.papers.ledger import rows
from replib import significance

# Percent: a bound for the numerical error of `mcnemar`, which is exact to 1e-10.
NUMERICAL_ERROR = 1e-7


def figure_1(
    sizes: Sequence[int] = SIZES,
    test_fractions: Sequence[float] = TEST_FRACTIONS,
    *,
    steps: int = STEPS,
    alpha: float = 0.05,
    method: str = "corrected",
) -> pd.DataFrame:
    """Exact power and replicability against the accuracy difference: Figure 1 without noise.

    Columns `test_fraction`, `size`, `step`, and in percent `difference` (in accuracy),
    `power` and `replicability` (normalised).

    >>> figure_1([1000], [0.1], steps=4)[["difference", "power"]].round(1).values.tolist()
    [[0.0, 3.6], [12.5, 37.2], [25.0, 94.3], [37.5, 100.0], [50.0, 100.0]]
    """
    check_sizes(sizes, test_fractions)
    step = np.arange(steps + 1)
    rates = task_1.rates(step, steps=steps)
    frames = []
    for fraction in test_fractions:
        for n in sizes:
            m = size_of_test_set(n, fraction)
            replicability = mcnemar.replicability(
                n, m, *rates, alpha=alpha, method=method
            )
            frames.append(
                pd.DataFrame(
                    {
                        "test_fraction": fraction,
                        "size": n,
                        "step": step,
                        "difference": task_1.accuracy_difference(step, steps=steps),
                        "power": 100
                        * significance.mcnemar_power(
                            m, *rates, alpha=alpha, method=method
                        ),
                        "replicability": percent(replicability),
                    }
                )
            )
    return pd.concat(frames, ignore_index=True)


def simulated(
    sizes: Sequence[int] = SIZES,
    test_fractions: Sequence[float] = TEST_FRACTIONS,
    *,
    steps: int = STEPS,
    alpha: float = 0.05,
    method: str = "corrected",
    datasets: int = DATASETS,
    experiments: int = EXPERIMENTS,
    seed: int = SEED,
) -> pd.DataFrame:
    """The paper's simulation of Figure 1: steps 0 to `steps` - 1, the same data sets for all.

    Columns of `figure_1`, and the standard errors `power_error`, `replicability_error`.
    """
    check_sizes(sizes, test_fractions)
    return pd.DataFrame(
        [
            {
                "test_fraction": fraction,
                "size": n,
                "step": step,
                "difference": task_1.accuracy_difference(step, steps=steps),
                **with_errors(
                    simulate_mcnemar(
                        n,
                        fraction,
                        task_1.rates(step, steps=steps)[0],
                        datasets=datasets,
                        alpha=alpha,
                        experiments=experiments,
                        method=method,
                        seed=np.random.SeedSequence(seed, spawn_key=(n, step)),
                    ),
                    experiments,
                ),
            }
            for n, step, fraction in product(sizes, range(steps), test_fractions)
        ]
    )


def agreement_of(
    simulated: pd.DataFrame,
    profile: pd.DataFrame,
    keys: Sequence[str] = ("test_fraction", "size"),
    at: str = "step",
) -> pd.DataFrame:
    """How far the simulation is from the exact curves: a row per value of the `keys`.

    Columns: the keys, `points` (steps with a power from 2 to 98%), `power` and
    `replicability` (mean squared distances in standard errors), and `largest`
    (distance).  A step at which all simulated data sets are equal has no standard
    error, and is left out.
    """
    both = simulated.merge(profile, on=[*keys, at], suffixes=("", "_exact"))
    both = both[both["power_exact"].between(2, 98)]
    for column in ("power", "replicability"):
        error = both[f"{column}_error"]
        both[column] = (both[column] - both[f"{column}_exact"]) / error.where(error > 0)
    mean_square = lambda z: (z**2).mean()
    both["largest"] = both[["power", "replicability"]].abs().max(axis=1)
    return both.groupby([*keys], as_index=False).agg(
        points=(at, "size"),
        power=("power", mean_square),
        replicability=("replicability", mean_square),
        largest=("largest", "max"),
    )


def limit_over_difference(
    sizes: Sequence[int] = SIZES,
    test_fractions: Sequence[float] = TEST_FRACTIONS,
    *,
    alpha: float = 0.05,
    corrected: bool = True,
) -> pd.DataFrame:
    """The limit curves on the axes of Figure 1; columns of `figure_1` without `step`.

    With `corrected`, the threshold has the continuity correction for the expected
    number of discordant test instances; otherwise it has none.
    """
    difference = np.arange(0, 50.25, 0.25)
    frames = []
    for fraction in test_fractions:
        for n in sizes:
            m = size_of_test_set(n, fraction)
            given = {"alpha": alpha, "discordant": m / 2 if corrected else np.inf}
            shift = np.sqrt(2 * m) * difference / 100
            frames.append(
                pd.DataFrame(
                    {
                        "test_fraction": fraction,
                        "size": n,
                        "difference": difference,
                        "power": 100 * limits.power(shift, **given),
                        "replicability": percent(
                            limits.replicability(fraction, shift, **given)
                        ),
                    }
                )
            )
    return pd.concat(frames, ignore_index=True)


def limit_at_power(
    powers: Sequence[float],
    test_fractions: Sequence[float] = TEST_FRACTIONS,
    *,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """Replicability in the limit at given powers, a column per test fraction.

    Normalised replicability in percent, indexed by `power` in percent; `independent` is
    for two experiments on independent data.  Powers must be above `alpha` and below 1.
    """
    powers = np.asarray(powers, dtype=float)
    shifts = [
        optimize.brentq(lambda d: limits.power(d, alpha=alpha) - power, 0, 20)
        for power in powers
    ]
    table = {"independent": 100 * (2 * powers - 1) ** 2} | {
        f"{100 * t:.0f}% for testing": percent(
            limits.replicability(t, shifts, alpha=alpha)
        )
        for t in test_fractions
    }
    return pd.DataFrame(table, index=pd.Index(100 * powers, name="power"))


def lowest_replicability(
    sizes: Sequence[int] = SIZES,
    test_fractions: Sequence[float] = TEST_FRACTIONS,
    *,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """The lowest replicability when the accuracy difference is not confined to steps.

    Columns `test_fraction`, `size`, and in percent `difference` (in accuracy), `power`,
    `replicability` (normalised), all exact, and `limit` (normalised; arcsine law).
    """
    found = []
    for fraction in test_fractions:
        for n in sizes:
            m = size_of_test_set(n, fraction)
            # the lowest point is near power 1/2; replicability is flat there, so a grid
            # of this width finds its value to 0.001 percentage points
            z = stats.norm.isf(alpha / 2) + 1 / np.sqrt(m / 2)
            shift = z + np.linspace(-0.3, 0.3, 61)
            difference = np.minimum(shift / np.sqrt(2 * m), 0.5)
            rates = 0.25 + difference / 2, 0.25 - difference / 2
            replicability = mcnemar.replicability(n, m, *rates, alpha=alpha)
            lowest = int(np.argmin(replicability))
            found.append(
                {
                    "test_fraction": fraction,
                    "size": n,
                    "difference": 100 * difference[lowest],
                    "power": 100
                    * significance.mcnemar_power(
                        m, rates[0][lowest], rates[1][lowest], alpha=alpha
                    ),
                    "replicability": percent(replicability[lowest]),
                    "limit": percent(limits.worst_case_replicability(fraction)),
                }
            )
    return pd.DataFrame(found)


# ------------------------------------------------------------------ statements about the figure


def ledger_rows(
    *,
    alpha: float = 0.05,
    sizes: Sequence[int] = SIZES,
    test_fractions: Sequence[float] = TEST_FRACTIONS,
    steps: int = STEPS,
    method: str = "corrected",
) -> pd.DataFrame:
    """Ledger rows: whether the statements of Section 4.1 about Figure 1 hold.

    They compare sizes and test shares; with fewer than two of either there are no rows.
    """
    if len(sizes) < 2 or len(test_fractions) < 2:
        return pd.DataFrame(columns=["id", "rebuilt"])
    return claims_of_figure_1(
        figure_1(sizes, test_fractions, steps=steps, alpha=alpha, method=method),
        lowest_replicability(sizes, test_fractions, alpha=alpha),
    )


def claims_of_figure_1(profile: pd.DataFrame, lowest: pd.DataFrame) -> pd.DataFrame:
    """The ledger rows, from `figure_1` and `lowest_replicability` for the same sizes."""
    curves = profile.set_index(["test_fraction", "size", "step"])
    power = curves["power"].unstack()
    replicability = curves["replicability"].unstack()
    type1 = replicability[0]
    worst = lowest.set_index(["test_fraction", "size"])["replicability"].sort_index()
    worst_step = replicability.idxmin(axis=1)

    spread = worst.groupby("test_fraction").agg(np.ptp)
    holds = {
        "cl.01": _rises(power, "size"),
        "cl.02": _has_valley_at_half(power, replicability),
        "cl.03": bool((spread < 0.05).all()),  # half a printed digit
        "cl.04": _falls(type1, "size"),
    }
    is_better = _rises(power, "test_fraction") and _rises(worst, "test_fraction")
    ends = type1.groupby("size").agg(["first", "last"])
    fractions = np.unique(profile["test_fraction"])
    of_fractions = limits.replicability(fractions, 0.0, alpha=0.05)
    nearest_to_half = (lowest["power"] - 50).abs().argmax()
    return rows(
        "bouckaert2005",
        holds
        | {
            "cl.05": is_better and bool((ends["last"] <= ends["first"]).all()),
            "fig01": all(holds.values()) and is_better and _falls(worst_step, "size"),
            "txt.worst_at_power": float(lowest["power"].iloc[nearest_to_half]),
        },
        corrected={"cl.05": is_better and bool((np.diff(of_fractions) > 0).all())},
        numbers={
            "cl.03": {"spread": spread.max()},
            "cl.05": {
                "small_first": ends["first"].iloc[0],
                "small_last": ends["last"].iloc[0],
                "smallest": ends.index[0],
                "large_first": ends["first"].iloc[-1],
                "large_last": ends["last"].iloc[-1],
                "largest": ends.index[-1],
            },
        },
    )


def _rises(values: pd.DataFrame | pd.Series, along: str) -> bool:
    """Return whether values never fall with the size, or with the share for testing."""
    return bool((_steps(values, along) >= -NUMERICAL_ERROR).all(axis=None))


def _falls(values: pd.DataFrame | pd.Series, along: str) -> bool:
    """Return whether values always fall with the size, or with the share for testing."""
    return bool((_steps(values, along) < 0).all(axis=None))


def _steps(values: pd.DataFrame | pd.Series, along: str) -> pd.DataFrame | pd.Series:
    """Return differences between neighbours along a level, for each label of the other level."""
    (other,) = {"test_fraction", "size"} - {along}
    return values.groupby(other).diff().dropna()


def _has_valley_at_half(power: pd.DataFrame, replicability: pd.DataFrame) -> bool:
    """Return whether replicability falls until the power is one half, and rises to certainty."""
    is_valley = all(_is_valley(row) for row in replicability.to_numpy())
    last_below_half = power.lt(50).sum(axis=1) - 1
    from_half = replicability.idxmin(axis=1) - last_below_half
    # where the power is 1 - e, r is at least 1 - 2e, or 1 - 4e if normalised
    is_uncertain = replicability < 100 - 4 * NUMERICAL_ERROR
    is_powerful = power >= 100 - NUMERICAL_ERROR
    is_certain = not (is_uncertain & is_powerful).any(axis=None)
    return is_valley and bool(from_half.between(0, 1).all()) and is_certain


def _is_valley(values: np.ndarray) -> bool:
    """Return whether the values fall to their minimum and rise after it."""
    steps, lowest = np.diff(values), int(np.argmin(values))
    return bool(
        (steps[:lowest] < 0).all() and (steps[lowest:] >= -NUMERICAL_ERROR).all()
    )

"""Bouckaert (ICML workshop 2005): low replicability is not a small data set phenomenon.

McNemar's test (Sections 2.1, 3 and 4.1 and the appendix) and Task I, on which all experiments of
the paper run.  Replicability in percent is on the normalised scale 2r - 1, as the numbers of
Section 4.1 are; the paper does not say so (erratum e25).
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import special, stats

from replib import replicability, schemes, theory
from replib.papers import published
from replib.significance import corrected_resampled_t, mcnemar, paired_t
from replib.sources import task_1

#: Data set sizes for which Section 4.1 prints the Type I replicability.
SIZES = (1000, 2000, 10_000, 20_000, 100_000, 200_000)
#: Those for which it prints the worst case.
WORST_CASE_SIZES = (20_000, 100_000, 200_000)
#: Those that Section 4.2 names; the caption of Figure 1 lists none.
FIGURE_SIZES = (1000, 2000, 10_000)
#: Test shares of the three graphs of Figure 1.
TEST_FRACTIONS = (0.1, 1 / 3, 0.5)
#: The paper's simulation: data sets for each step and size, experiments on each, steps.
DATASETS, EXPERIMENTS, STEPS = 1000, 10, task_1.STEPS

# In percent: bounds the error of what `replib.theory` computes exactly, to 1e-10.
_NUMERICAL_ERROR = 1e-7
# In percent: the paper prints replicabilities with one decimal.
_HALF_A_PRINTED_DIGIT = 0.05

def size_of_test_set(n: int, test_fraction: float) -> int:
    """Number of test instances: the share of n, rounded.

    Examples
    --------
    >>> size_of_test_set(1000, 1 / 3)
    333
    """
    return round(n * test_fraction)


def simulate_mcnemar(
    n: int,
    test_fraction: float,
    q: float,
    *,
    datasets: int = DATASETS,
    experiments: int = EXPERIMENTS,
    alpha: float = 0.05,
    method: str = "corrected",
    seed: int | np.random.SeedSequence = 2005,
) -> np.ndarray:
    """The paper's simulation of McNemar's test on Task I, on counts alone.

    Neither classifier learns, so a data set is its numbers of "+" and "-", and a random test set is
    a hypergeometric draw from them.

    Parameters
    ----------
    n : int
        Instances in a data set.
    test_fraction : float
        Share of test instances, above 0 and at most 1.
    q : float
        1/4 to 1/2, see :mod:`replib.sources.task_1`.
    datasets, experiments : int
        Number of data sets, and of experiments on each.
    alpha, method
        As in :func:`replib.theory.critical_count`.
    seed : int or SeedSequence

    Returns
    -------
    ndarray of int, shape (datasets,)
        How many of the experiments on each data set rejected.

    Raises
    ------
    ValueError
        If q or `alpha` lies outside its range.

    Examples
    --------
    >>> simulate_mcnemar(1000, 0.1, 0.31, datasets=5).shape
    (5,)
    """
    rng = np.random.default_rng(seed)
    m = size_of_test_set(n, test_fraction)
    drawn = task_1.counts(rng, n, q, datasets=datasets)
    tests = task_1.random_test_sets(rng, drawn, m, experiments=experiments)[..., :2]
    critical = theory.critical_count(np.arange(m + 1), alpha=alpha, method=method)
    rejected = tests.min(axis=-1) <= critical[tests.sum(axis=-1)]
    return rejected.sum(axis=1)


def _mean_and_error(values: np.ndarray) -> tuple[float, float]:
    return float(values.mean()), float(values.std(ddof=1) / np.sqrt(values.size))


def _simulated(rejections: np.ndarray, experiments: int) -> dict[str, float]:
    """Power and normalised replicability in percent with their standard errors."""
    power, power_error = _mean_and_error(100 * rejections / experiments)
    r2 = replicability.r2_from_counts(rejections, experiments)
    agreement, agreement_error = _mean_and_error(100 * replicability.normalized(r2))
    return {
        "simulated_power": power, "simulated_power_error": power_error,
        "simulated": agreement, "standard_error": agreement_error,
    }


def _error_of_design(
    distribution: theory.RejectionDistribution, datasets: int = DATASETS,
    experiments: int = EXPERIMENTS,
) -> tuple[np.ndarray, np.ndarray]:
    """Standard errors of the power and of the normalised replicability that a simulation has, in
    percent, from the exact distribution of p(D): variance within plus variance between data sets.
    """
    p = distribution.probability
    r = theory.agreement(p)
    expect = distribution.expectation
    of_power = expect(p * (1 - p)) / experiments + expect(p**2) - expect(p) ** 2
    of_r2 = expect(replicability.r2_variance(r, experiments)) + expect(r**2) - expect(r) ** 2
    return 100 * np.sqrt(of_power / datasets), 200 * np.sqrt(of_r2 / datasets)


# ------------------------------------------------------------------ Section 4.1: numbers


def type1_trend(
    sizes: Sequence[int] = SIZES,
    test_fraction: float = 0.1,
    *,
    alpha: float = 0.05,
    datasets: int = DATASETS,
    experiments: int = EXPERIMENTS,
    seed: int = 2005,
) -> pd.DataFrame:
    """Type I replicability of McNemar's test over data set size, in theory and in simulation.

    Parameters
    ----------
    sizes : sequence of int
        Data set sizes.
    test_fraction : float
        Share of test instances.
    alpha : float
        Significance level.
    datasets, experiments, seed : int
        Of the simulation.

    Returns
    -------
    DataFrame
        One row a size, everything in percent, replicabilities normalised: `size`, `type1_error`
        (exact, corrected test), `exact` and `limit` (corrected test), `exact_uncorrected`,
        `limit_uncorrected`, `simulated`, `standard_error`, `simulated_power`,
        `simulated_power_error` (corrected test), and `published_error`, the standard error of the
        paper's 1000 data sets with 10 experiments each.
    """
    rows = []
    for n in sizes:
        m = size_of_test_set(n, test_fraction)
        rates = task_1.rates(0)
        distribution = theory.rejection_distribution(n, m, *rates, alpha=alpha)
        uncorrected = theory.mcnemar_replicability(n, m, *rates, alpha=alpha, method="uncorrected")
        limit = theory.limit_replicability(test_fraction, 0, alpha=alpha, discordant=m / 2)
        rejections = simulate_mcnemar(
            n, test_fraction, rates[0], datasets=datasets, experiments=experiments, alpha=alpha,
            seed=np.random.SeedSequence(seed, spawn_key=(n, 0)),
        )
        rows.append({
            "size": n,
            "type1_error": 100 * distribution.power,
            "exact": _percent(distribution.replicability),
            "limit": _percent(limit),
            "exact_uncorrected": _percent(uncorrected),
            "limit_uncorrected": _percent(
                theory.limit_replicability(test_fraction, 0, alpha=alpha)
            ),
            **_simulated(rejections, experiments),
            "published_error": _error_of_design(distribution)[1],
        })
    return pd.DataFrame(rows)


def _percent(raw: ArrayLike) -> np.ndarray | float:
    return 100 * replicability.normalized(raw)


def type1_trend_rows(trend: pd.DataFrame) -> pd.DataFrame:
    """Ledger rows of the Type I replicabilities: exact values against the paper's simulated ones.

    Parameters
    ----------
    trend : DataFrame
        As :func:`type1_trend` returns it; sizes that the paper does not print are left out.

    Returns
    -------
    DataFrame
        Ledger rows.
    """
    return pd.DataFrame([
        {
            "id": f"bouckaert2005.txt.type1_repl_n{case.size}", "rebuilt": case.exact,
            "published_error": case.published_error, "erratum": "bouckaert2005.e25",
            "note": f"normalised scale; exact, where the printed value has a standard error of "
                    f"{case.published_error:.1f}; our simulation: {case.simulated:.1f} "
                    f"± {case.standard_error:.1f}",
        }
        for case in trend[trend["size"].isin(SIZES)].itertuples()
    ])


def worst_case(
    sizes: Sequence[int] = WORST_CASE_SIZES,
    test_fraction: float = 0.1,
    *,
    alpha: float = 0.05,
    steps: int = STEPS,
    datasets: int = DATASETS,
    experiments: int = EXPERIMENTS,
    seed: int = 2005,
) -> pd.DataFrame:
    """The step with the lowest replicability, for each data set size.

    The paper reports the lowest of its 100 simulated replicabilities, which on average is lower
    than the lowest replicability.  Here the step is the exact one, and the simulation is of that
    step only.  `selection_bias` is what taking the lowest of noisy values takes off; it is
    negligible, because the neighbouring steps lie far higher.

    Parameters
    ----------
    sizes : sequence of int
        Data set sizes.
    test_fraction : float
        Share of test instances.
    alpha : float
        Significance level.
    steps : int
        Number of steps of the accuracy difference.
    datasets, experiments, seed : int
        Of the simulation.

    Returns
    -------
    DataFrame
        One row a size, in percent, replicabilities normalised: `size`, `step`, `difference` (in
        accuracy), `power` and `exact` (replicability, both exact), `simulated_power`,
        `simulated_power_error`, `simulated` (replicability), `standard_error`; and of the paper's
        design `published_power_error`, `published_error`, `selection_bias`.
    """
    rows = []
    for n in sizes:
        m = size_of_test_set(n, test_fraction)
        rates = task_1.rates(np.arange(steps + 1), steps)
        replicability = theory.mcnemar_replicability(n, m, *rates, alpha=alpha)
        worst = int(np.argmin(replicability))
        near = np.arange(max(worst - 3, 0), min(worst + 4, steps + 1))
        distribution = theory.rejection_distribution(
            n, m, rates[0][near], rates[1][near], alpha=alpha
        )
        power_error, error = _error_of_design(distribution)
        here = int(np.flatnonzero(near == worst)[0])
        exact = _percent(distribution.replicability)
        rejections = simulate_mcnemar(
            n, test_fraction, float(rates[0][worst]), datasets=datasets, experiments=experiments,
            alpha=alpha, seed=np.random.SeedSequence(seed, spawn_key=(n, worst)),
        )
        rows.append({
            "size": n,
            "step": worst,
            "difference": float(task_1.accuracy_difference(worst, steps)),
            "power": 100 * distribution.power[here],
            "exact": exact[here],
            **_simulated(rejections, experiments),
            "published_power_error": power_error[here],
            "published_error": error[here],
            "selection_bias": _expected_minimum(exact, error) - exact[here],
        })
    return pd.DataFrame(rows)


def _expected_minimum(means: np.ndarray, errors: np.ndarray) -> float:
    """Mean of the smallest of independent normal variables: the integral of P(all exceed x)."""
    low, high = (means - 8 * errors).min(), (means + 8 * errors).min()
    x = np.linspace(low, high, 4001)
    all_exceed = special.ndtr((means[:, np.newaxis] - x) / errors[:, np.newaxis]).prod(axis=0)
    return float(low + np.trapezoid(all_exceed, x))


def worst_case_rows(worst: pd.DataFrame) -> pd.DataFrame:
    """Ledger rows of the worst cases of Section 4.1: exact against the paper's simulated values.

    Parameters
    ----------
    worst : DataFrame
        As :func:`worst_case` returns it; sizes that the paper does not print are left out.

    Returns
    -------
    DataFrame
        Ledger rows.
    """
    rows = []
    for case in worst[worst["size"].isin(WORST_CASE_SIZES)].itertuples():
        key = lambda quantity: f"bouckaert2005.txt.worst_{quantity}_n{case.size}"
        rows += [
            {
                "id": key("repl"), "rebuilt": case.exact,
                "published_error": case.published_error, "erratum": "bouckaert2005.e25",
                "note": f"normalised scale; exact at step {case.step}, where the printed value has "
                        f"a standard error of {case.published_error:.1f} and, as the lowest of "
                        f"noisy ones, is too low by {abs(case.selection_bias):.3f} on average; our "
                        f"simulation: {case.simulated:.1f} ± {case.standard_error:.1f}",
            },
            {
                "id": key("delta"), "rebuilt": case.difference, "erratum": "bouckaert2005.e26",
                "note": f"step {case.step}; a step is half a percentage point of accuracy",
            },
            {
                "id": key("power"), "rebuilt": case.power,
                "published_error": case.published_power_error,
                "note": f"exact at step {case.step}, where the printed value has a standard error "
                        f"of {case.published_power_error:.1f}; our simulation: "
                        f"{case.simulated_power:.1f} ± {case.simulated_power_error:.1f}",
            },
        ]
    return pd.DataFrame(rows)


# ------------------------------------------------------------------ Figure 1 and its claims


def figure_1(
    sizes: Sequence[int] = FIGURE_SIZES,
    test_fractions: Sequence[float] = TEST_FRACTIONS,
    *,
    steps: int = STEPS,
    alpha: float = 0.05,
    method: str = "corrected",
) -> pd.DataFrame:
    """Exact power and replicability over the accuracy difference (Figure 1, without noise).

    Parameters
    ----------
    sizes : sequence of int
        Data set sizes.
    test_fractions : sequence of float
        Shares of test instances, one a graph.
    steps : int
        Number of steps of the accuracy difference.
    alpha, method
        As in :func:`replib.theory.critical_count`.

    Returns
    -------
    DataFrame
        Columns `test_fraction`, `size`, `step`, and in percent `difference` (in accuracy), `power`
        and `replicability` (normalised).

    Examples
    --------
    >>> figure_1([1000], [0.1], steps=4)[["difference", "power"]].round(1).values.tolist()
    [[0.0, 3.6], [12.5, 37.2], [25.0, 94.3], [37.5, 100.0], [50.0, 100.0]]
    """
    step = np.arange(steps + 1)
    rates = task_1.rates(step, steps)
    frames = []
    for fraction in test_fractions:
        for n in sizes:
            m = size_of_test_set(n, fraction)
            replicability = theory.mcnemar_replicability(n, m, *rates, alpha=alpha, method=method)
            frames.append(pd.DataFrame({
                "test_fraction": fraction, "size": n, "step": step,
                "difference": task_1.accuracy_difference(step, steps),
                "power": 100 * theory.mcnemar_power(m, *rates, alpha=alpha, method=method),
                "replicability": _percent(replicability),
            }))
    return pd.concat(frames, ignore_index=True)


def limit_profile(
    test_fractions: Sequence[float] = TEST_FRACTIONS, *, alpha: float = 0.05
) -> pd.DataFrame:
    """Replicability against power in the limit of large data sets.

    Parameters
    ----------
    test_fractions : sequence of float
        Shares of test instances.
    alpha : float
        Significance level.

    Returns
    -------
    DataFrame
        Columns `test_fraction`, and in percent `power` and `replicability` (normalised), over the
        shift of the test statistic.
    """
    shift = np.linspace(0, stats.norm.isf(alpha / 2) + 4, 201)
    return pd.concat([
        pd.DataFrame({
            "test_fraction": t, "power": 100 * theory.limit_power(shift, alpha=alpha),
            "replicability": _percent(theory.limit_replicability(t, shift, alpha=alpha)),
        })
        for t in test_fractions
    ], ignore_index=True)


def spread_of_rejection(test_fractions: Sequence[float] = TEST_FRACTIONS) -> pd.DataFrame:
    """How p(D) is distributed over large data sets where the power is one half, in the limit.

    Parameters
    ----------
    test_fractions : sequence of float
        Shares of test instances, below 1.

    Returns
    -------
    DataFrame
        Columns `test_fraction`, `p` and `cdf`: the share of data sets on which an experiment rejects
        with probability at most p.
    """
    # at power 1/2 the far threshold is out of reach: the mean of Z is the near one, and p(D) rises
    # with U, the data set's own part of Z
    u = np.linspace(-5, 5, 401)
    return pd.concat([
        pd.DataFrame({
            "test_fraction": t, "p": special.ndtr(u * np.sqrt(t / (1 - t))), "cdf": special.ndtr(u),
        })
        for t in test_fractions
    ], ignore_index=True)


def lowest_replicability(
    sizes: Sequence[int] = FIGURE_SIZES,
    test_fractions: Sequence[float] = TEST_FRACTIONS,
    *,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """Where replicability is lowest when the accuracy difference is not confined to steps.

    Parameters
    ----------
    sizes : sequence of int
        Data set sizes.
    test_fractions : sequence of float
        Shares of test instances.
    alpha : float
        Significance level.

    Returns
    -------
    DataFrame
        Columns `test_fraction`, `size`, and in percent `difference` (in accuracy), `power`,
        `replicability` (normalised), all exact, and `limit` (normalised; arcsine law).
    """
    rows = []
    for fraction in test_fractions:
        for n in sizes:
            m = size_of_test_set(n, fraction)
            # the lowest point lies near power 1/2; replicability is flat there, so that a grid of
            # this width finds its value to 0.001 percentage points
            z = stats.norm.isf(alpha / 2) + 1 / np.sqrt(m / 2)
            shift = z + np.linspace(-0.3, 0.3, 61)
            difference = np.minimum(shift / np.sqrt(2 * m), 0.5)
            rates = 0.25 + difference / 2, 0.25 - difference / 2
            replicability = theory.mcnemar_replicability(n, m, *rates, alpha=alpha)
            lowest = int(np.argmin(replicability))
            rows.append({
                "test_fraction": fraction, "size": n, "difference": 100 * difference[lowest],
                "power": 100 * theory.mcnemar_power(
                    m, rates[0][lowest], rates[1][lowest], alpha=alpha
                ),
                "replicability": _percent(replicability[lowest]),
                "limit": _percent(theory.worst_case_replicability(fraction)),
            })
    return pd.DataFrame(rows)


def claims_of_figure_1(profile: pd.DataFrame, lowest: pd.DataFrame) -> pd.DataFrame:
    """Whether the statements of Section 4.1 about Figure 1 hold.

    Parameters
    ----------
    profile : DataFrame
        As :func:`figure_1` returns it, for at least two sizes and two test fractions.
    lowest : DataFrame
        As :func:`lowest_replicability` returns it, for the same.

    Returns
    -------
    DataFrame
        Ledger rows.
    """
    curve = lambda column: profile.set_index(["test_fraction", "size", "step"])[column].unstack()
    power, replicability = curve("power"), curve("replicability")
    by_size = lambda frame: frame.groupby("test_fraction")
    by_fraction = lambda frame: frame.groupby("size")
    rises = lambda groups: bool((groups.diff().dropna() >= -_NUMERICAL_ERROR).all(axis=None))
    falls = lambda groups: bool((groups.diff().dropna() < 0).all(axis=None))

    type1 = replicability[0]
    worst = lowest.set_index(["test_fraction", "size"])["replicability"].sort_index()
    worst_step = replicability.idxmin(axis=1)
    valley = all(_is_valley(row) for row in replicability.to_numpy())
    below_half = power.lt(50).sum(axis=1) - 1  # the last step with less than 50 %
    from_half = worst_step - below_half
    # where the power is 1 - e, r is at least 1 - 2e, normalised 1 - 4e
    uncertain = replicability < 100 - 4 * _NUMERICAL_ERROR
    certain_where_powerful = not (uncertain & (power >= 100 - _NUMERICAL_ERROR)).any(axis=None)
    spread = by_size(worst).agg(np.ptp)

    larger_n_more_power = rises(by_size(power))
    valley_at_half = (
        valley and bool(from_half.between(0, 1).all()) and bool(certain_where_powerful)
    )
    same_worst_case = bool((spread < _HALF_A_PRINTED_DIGIT).all())
    larger_n_less_type1 = falls(by_size(type1))
    larger_t_more_power = rises(by_fraction(power))
    larger_t_better_worst_case = rises(by_fraction(worst))
    largest_t = type1.groupby("size").agg(["first", "last"])
    type1_does_not_rise = bool((largest_t["last"] <= largest_t["first"]).all())
    shifted_left = falls(by_size(worst_step))

    first, last = largest_t.iloc[0], largest_t.iloc[-1]
    at_half = float(lowest["power"].iloc[(lowest["power"] - 50).abs().argmax()])
    rows = [
        {"id": "cl.01", "rebuilt": larger_n_more_power},
        {"id": "cl.02", "rebuilt": valley_at_half,
         "note": "the lowest step is one of the two between which the power passes 50 %"},
        {"id": "cl.03", "rebuilt": same_worst_case,
         "note": "with the difference unconfined to steps, the worst cases of all sizes lie within "
                 f"{spread.max():.3f} points; on the steps they scatter by chance of the grid"},
        {"id": "cl.04", "rebuilt": larger_n_less_type1, "erratum": "bouckaert2005.e24",
         "note": "only because the continuity correction wears off"},
        {"id": "cl.05",
         "rebuilt": larger_t_more_power and larger_t_better_worst_case and type1_does_not_rise,
         "erratum": "bouckaert2005.e27",
         "note": "power and worst case rise; Type I replicability, from the smallest to the "
                 f"largest test share, goes {first['first']:.1f} to {first['last']:.1f} at "
                 f"n = {largest_t.index[0]} and {last['first']:.1f} to {last['last']:.1f} at "
                 f"n = {largest_t.index[-1]}"},
        {"id": "fig01",
         "rebuilt": larger_n_more_power and valley_at_half and same_worst_case
         and larger_n_less_type1 and larger_t_more_power and larger_t_better_worst_case
         and shifted_left,
         "in_kind": "the figure prints no numbers; what it is said to show holds"},
        {"id": "txt.worst_at_power", "rebuilt": at_half,
         "note": "of all sizes and test shares the one farthest from 50 %"},
    ]
    frame = pd.DataFrame(rows)
    frame["id"] = "bouckaert2005." + frame["id"]
    return frame


def _is_valley(values: np.ndarray) -> bool:
    """Whether the values fall to their minimum and rise after it."""
    steps, lowest = np.diff(values), int(np.argmin(values))
    return bool((steps[:lowest] < 0).all() and (steps[lowest:] >= -_NUMERICAL_ERROR).all())


# ------------------------------------------------------------------ formulas for the ledger


def equations_of_section_2(alpha: float = 0.05) -> pd.DataFrame:
    """Equations (1) and (2), the sorted test and the chi-square quantile.

    Parameters
    ----------
    alpha : float
        Significance level.

    Returns
    -------
    DataFrame
        Ledger rows.
    """
    tie = errata_of_mcnemar_statistic()
    sorted_test = errata_of_sorted_test()
    return pd.DataFrame([
        {"id": "bouckaert2005.eq01.chi2", "rebuilt": stats.chi2.isf(alpha, 1)},
        {"id": "bouckaert2005.eq01", "rebuilt": bool((tie["printed"] == tie["correct"]).all()),
         "erratum": "bouckaert2005.e17",
         "note": "right but where n10 = n01, which must give 0"},
        {"id": "bouckaert2005.eq02", "rebuilt": _corrected_variance_is_unbiased(),
         "note": "the denominator estimates the variance of the mean without bias, if two runs "
                 "correlate by r2/(r1 + r2); reused in Section 2.3 with slips (erratum e15)"},
        {"id": "bouckaert2005.eq_sorted",
         "rebuilt": bool((sorted_test["printed"] == sorted_test["correct"]).all()),
         "erratum": "bouckaert2005.e16",
         "note": "right only where there are as many runs as folds"},
    ])


def _corrected_variance_is_unbiased() -> bool:
    """E[(1/r + r2/r1) s^2] = Var(mean) for equicorrelated runs, in exact arithmetic."""
    for runs in (2, 10, 100):
        for train, test in ((9, 1), (2, 1), (1, 1)):
            rho = Fraction(test, train + test)
            variance_of_mean = (1 + (runs - 1) * rho) / runs
            mean_of_sample_variance = 1 - rho
            estimate = (Fraction(1, runs) + Fraction(test, train)) * mean_of_sample_variance
            if estimate != variance_of_mean:
                return False
    return True


def type1_analysis(
    alpha: float = 0.05,
    sizes: Sequence[int] = FIGURE_SIZES,
    test_fractions: Sequence[float] = TEST_FRACTIONS,
) -> pd.DataFrame:
    """Section 3: the bound of Type I replicability, its derivation, and footnote 1.

    Parameters
    ----------
    alpha : float
        Significance level.
    sizes, test_fractions : sequences
        Where the bound is compared with the exact value.

    Returns
    -------
    DataFrame
        Ledger rows.
    """
    null = errata_of_test_share(sizes, test_fractions, alpha=alpha)
    bound = _percent(theory.agreement(null["type1_error"] / 100))
    bound_holds = bool((null["replicability"] >= bound).all())
    derivation = errata_of_type1_derivation(sizes, test_fractions, alpha=alpha)
    excess = derivation["exact"] - derivation["type1_error"]
    by_fraction = excess.groupby(derivation["test_fraction"]).agg(["first", "last"])
    vanishes = by_fraction["last"] < by_fraction["first"] / 2
    line = truncated_mean_line()
    z = stats.norm.isf(alpha / 2)
    at_z = errata_of_truncated_mean([z]).iloc[0]
    return pd.DataFrame([
        {"id": "bouckaert2005.txt.z", "rebuilt": z},
        {"id": "bouckaert2005.txt.type1_bound", "rebuilt": 100 * theory.agreement(alpha),
         "note": "raw scale"},
        {"id": "bouckaert2005.txt_type1_bound", "rebuilt": bound_holds,
         "note": "with the exact Type I error as alpha; by Jensen's inequality (sign: e14)"},
        {"id": "bouckaert2005.txt_type1_analysis", "rebuilt": bool(vanishes.all()),
         "erratum": "bouckaert2005.e21",
         "note": "the excess over independent experiments does not vanish with size: at t = "
                 f"{by_fraction.index[0]:.2g} it is {by_fraction['first'].iloc[0]:.4f} at n = "
                 f"{sizes[0]} and {by_fraction['last'].iloc[0]:.4f} at n = {sizes[-1]}"},
        {"id": "bouckaert2005.fn1.slope", "rebuilt": line["slope"],
         "erratum": "bouckaert2005.e20", "note": "least squares on 0 to 8"},
        {"id": "bouckaert2005.fn1.intercept", "rebuilt": line["intercept"],
         "erratum": "bouckaert2005.e20",
         "note": "least squares on 0 to 8; the printed line lies below the curve throughout, "
                 f"almost its tangent at x = {line['tangent_at']:.1f}"},
        {"id": "bouckaert2005.fn01", "rebuilt": bool(abs(at_z["line"] - at_z["exact"]) < 0.005),
         "erratum": "bouckaert2005.e20",
         "note": f"at z = {z:.2f} the mean is {at_z['exact']:.3f}, the line {at_z['line']:.3f}"},
    ])


def truncated_mean(z: ArrayLike) -> np.ndarray | float:
    """Mean of a standard normal variable that exceeds z: phi(z) / (1 - Phi(z)).

    Examples
    --------
    >>> round(float(truncated_mean(1.959964)), 3)
    2.338
    """
    z = np.asarray(z, dtype=float)
    # exp(-z^2/2) / erfc(z / sqrt 2) by the scaled erfcx: no underflow for large z
    return np.sqrt(2 / np.pi) / special.erfcx(z / np.sqrt(2))


def truncated_mean_line(low: float = 0.0, high: float = 8.0, slope: float = 0.97) -> pd.Series:
    """Straight lines beside phi(x) / (1 - Phi(x)), which footnote 1 approximates by 0.97x + 0.33.

    Parameters
    ----------
    low, high : float
        Range of the least-squares line.
    slope : float
        Slope of the tangent, above 0.65 and below 1.

    Returns
    -------
    Series
        `slope` and `intercept` of the least-squares line; `tangent_at` and `tangent_intercept` of
        the tangent with the given slope.
    """
    x = np.linspace(low, high, 2001)
    best_slope, best_intercept = np.polyfit(x, truncated_mean(x), 1)
    # the curve is convex: its derivative m(m - x) grows from 2/pi to 1
    left, right = 0.0, 100.0
    while right - left > 1e-9:
        middle = (left + right) / 2
        m = truncated_mean(middle)
        left, right = (middle, right) if m * (m - middle) < slope else (left, middle)
    return pd.Series({
        "slope": best_slope, "intercept": best_intercept,
        "tangent_at": left, "tangent_intercept": truncated_mean(left) - slope * left,
    })


def worst_case_analysis(
    alpha: float = 0.05, test_fractions: Sequence[float] = TEST_FRACTIONS
) -> pd.DataFrame:
    """Section 3.2 and the appendix: replicability where the power is one half.

    Parameters
    ----------
    alpha : float
        Significance level.
    test_fractions : sequence of float

    Returns
    -------
    DataFrame
        Ledger rows.
    """
    z = stats.norm.isf(alpha / 2)
    laws = errata_of_worst_case(test_fractions, alpha=alpha)
    agree = (laws["printed"] - laws["correct"]).abs() < 5e-5
    return pd.DataFrame([
        {"id": "bouckaert2005.app.half", "rebuilt": 100 * theory.limit_power(z, alpha=alpha),
         "note": "two-sided test; the far tail adds the excess over 50"},
        {"id": "bouckaert2005.app_worst_case", "rebuilt": bool(agree.all()),
         "erratum": "bouckaert2005.e30",
         "note": "free of n as stated; the value is 1/2 + arcsin(t)/pi, from which the printed one "
                 f"is off by up to {(laws['correct'] - laws['printed']).max():.4f} here"},
    ])


def size_of_simulation(
    datasets: int = DATASETS, experiments: int = EXPERIMENTS, steps: int = STEPS
) -> pd.DataFrame:
    """Task I, the number of experiments, and the cost comparison of Section 4.2.

    Parameters
    ----------
    datasets, experiments, steps : int
        Of the paper's simulation.

    Returns
    -------
    DataFrame
        Ledger rows.
    """
    grid = [Fraction(100 + k, 400) for k in range(101)]
    ten_resamplings, one_half = 10 * Fraction(1, 10), Fraction(1, 2)
    ratio = float(ten_resamplings / one_half)
    return pd.DataFrame([
        {"id": "bouckaert2005.txt_task1", "rebuilt": all(_task_1_is_as_described(q) for q in grid),
         "note": "exactly, for all 101 values of q"},
        {"id": "bouckaert2005.txt.total_experiments", "rebuilt": datasets * experiments * steps},
        {"id": "bouckaert2005.txt.cost_ratio", "rebuilt": ratio,
         "note": "counting test instances; counting training instances it is "
                 f"{float(10 * Fraction(9, 10) / one_half):.0f}"},
    ])


def _task_1_is_as_described(q: Fraction) -> bool:
    source = task_1.combinations(q)
    mass = lambda rows: sum(source.loc[rows, "probability"], Fraction(0))
    half = Fraction(1, 2)
    return (
        mass(source["y"] >= 0) == 1 and mass(source["y"] == 0) == half
        and mass(source["a_correct"]) == half and mass(source["b_correct"]) == 2 * q
        and mass(source["b_correct"]) - mass(source["a_correct"]) == 2 * q - half
    )


# ------------------------------------------------------------------ errata


def errata_of_algebra(alpha: float = 0.05, test_fraction: float = 0.1) -> pd.DataFrame:
    """Misprinted algebra of Sections 2.3 and 3 (errata e14, e15, e18, e23), each put to numbers.

    Parameters
    ----------
    alpha : float
        Significance level.
    test_fraction : float
        For the epsilon of erratum e23.

    Returns
    -------
    DataFrame
        Columns `erratum`, `printed`, `correct` (formulas), `printed_value`, `correct_value`, and
        `example`, to which the values belong.
    """
    a, epsilon = alpha, theory.type1_excess(test_fraction, alpha=alpha)
    plus, minus = 60, 40
    n = plus + minus
    train, test, folds, runs = 9, 1, 10, 10
    rows = [
        ("e14", "a a + (1-a)(a-1)", "a a + (1-a)(1-a)",
         a * a + (1 - a) * (a - 1), theory.agreement(a), f"a = {a:g}"),
        ("e15", "r1/r2 = 1/(k-1)", "r2/r1 = 1/(k-1)",
         train / test, test / train, "10 folds: 9 train, 1 tests"),
        ("e15", "1/r", "1/(k r)", 1 / runs, 1 / (folds * runs), "10 runs of 10 folds"),
        ("e18", "2(#+/n - 1) sqrt n", "(2 #+/n - 1) sqrt n",
         2 * (plus / n - 1) * np.sqrt(n), (2 * plus / n - 1) * np.sqrt(n), "60 +, 40 -"),
        ("e18", "(#+) - (#-) = n01 - n10", "n10 - n01", minus - plus, plus - minus,
         "+ a win of A, 60 +, 40 -"),
        ("e23", "1 - (2-e) a + a^2", "(1-a)(1-a) + a(a+e) = 1 - (2-e) a + 2 a^2",
         1 - (2 - epsilon) * a + a**2, (1 - a) ** 2 + a * (a + epsilon),
         f"its own terms; a = {a:g}, t = {test_fraction:g}"),
        ("e23", "1 - (2-e) a + a^2", "1 - 2a + 2 a^2 + 2 a e",
         1 - (2 - epsilon) * a + a**2, theory.limit_replicability(test_fraction, 0, alpha=alpha),
         "with the true probability of accepting twice"),
    ]
    columns = ["erratum", "printed", "correct", "printed_value", "correct_value", "example"]
    frame = pd.DataFrame(rows, columns=columns)
    frame["erratum"] = "bouckaert2005." + frame["erratum"]
    return frame


def errata_of_mcnemar_statistic(
    counts: Sequence[tuple[int, int]] = ((8, 2), (6, 5), (1, 1), (3, 3), (5, 5)),
) -> pd.DataFrame:
    """Equation (1) with and without a correction that stops at 0 (erratum e17).

    Parameters
    ----------
    counts : sequence of (int, int)
        n10 and n01, not both 0 (there the printed statistic is 1/0).

    Returns
    -------
    DataFrame
        Columns `n10`, `n01`, `printed`, `correct` (statistics), `printed_p`, `correct_p`.
    """
    n10, n01 = np.array(counts).T
    printed, correct = (mcnemar(n10, n01, method=m) for m in ("as_printed", "corrected"))
    return pd.DataFrame({
        "n10": n10, "n01": n01, "printed": printed.statistic, "correct": correct.statistic,
        "printed_p": printed.pvalue, "correct_p": correct.pvalue,
    })


def errata_of_sorted_test(runs: Sequence[int] = (1, 10, 50), folds: int = 10) -> pd.DataFrame:
    """What multiplies the variance in the sorted test: printed 1/r, for a sample of k values (e16).

    Parameters
    ----------
    runs : sequence of int
        Values of r; the paper's graphs have 1, 10 and 50.
    folds : int
        k.

    Returns
    -------
    DataFrame
        Columns `runs`, `printed`, `correct`.
    """
    return pd.DataFrame({
        "runs": runs, "printed": 1 / np.asarray(runs), "correct": np.full(len(runs), 1 / folds),
    })


def errata_of_cross_validation(
    n: int = 300,
    runs: Sequence[int] = (1, 10, 50),
    folds: int = 10,
    *,
    alpha: float = 0.05,
    datasets: int = 2000,
    seed: int = 2005,
) -> pd.DataFrame:
    """Type I error on Task I of the tests of Sections 2.3 and 2.4 as printed (errata e15, e16).

    Parameters
    ----------
    n : int
        Instances in a data set; a multiple of `folds`.
    runs : sequence of int
        Numbers of runs r.
    folds : int
        Number of folds k.
    alpha : float
        Significance level.
    datasets, seed : int
        Of the simulation.

    Returns
    -------
    DataFrame
        Columns `erratum`, `test`, `runs`, and in percent `printed`, `correct` (Type I errors) with
        `printed_error`, `correct_error` (their standard errors).

    Raises
    ------
    ValueError
        If n is not a multiple of `folds`.
    """
    if n % folds:
        raise ValueError(f"n must be a multiple of the number of folds, not {n} for {folds} folds")
    rows = []
    for r in runs:
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(n, folds, r)))
        dealt = task_1.folds(rng, task_1.counts(rng, n, datasets=datasets), runs=r, folds=folds)
        block = (dealt[..., 1] - dealt[..., 0]).astype(float)
        sorted_test = paired_t(schemes.sample(block, "average_over_sorted_runs"))
        repeated = corrected_resampled_t(block, test_train_ratio=1 / (folds - 1), axis=(-2, -1))
        ratio = 1 / (folds - 1)
        for erratum, name, test, factor in (
            ("e16", "sorted runs", sorted_test, r / folds),
            ("e15", "repeated cross-validation", repeated,
             (1 / (folds * r) + ratio) / (1 / r + ratio)),
        ):
            # the printed statistic has another factor before the variance, nothing else
            printed = 2 * special.stdtr(test.df, -np.abs(test.statistic) * np.sqrt(factor))
            sizes = {
                key: _mean_and_error(100.0 * (p < alpha))
                for key, p in (("printed", printed), ("correct", test.pvalue))
            }
            rows.append({
                "erratum": f"bouckaert2005.{erratum}", "test": name, "runs": r,
                "printed": sizes["printed"][0], "printed_error": sizes["printed"][1],
                "correct": sizes["correct"][0], "correct_error": sizes["correct"][1],
            })
    return pd.DataFrame(rows).sort_values(["erratum", "runs"], ignore_index=True)


def errata_of_truncated_mean(z: Sequence[float] = (0.0, 1.0, 1.959964, 4.0, 8.0)) -> pd.DataFrame:
    """Mean of a normal variable beyond z, and what Section 3.1 takes it for (erratum e20).

    Parameters
    ----------
    z : sequence of float
        Thresholds, above or at 0.

    Returns
    -------
    DataFrame
        Columns `z` (the printed approximation), `line` (footnote 1), `exact`, `excess_percent` (by
        how much `exact` exceeds z; infinite at 0).
    """
    z = np.asarray(z, dtype=float)
    slope = published.value("bouckaert2005.fn1.slope")
    intercept = published.value("bouckaert2005.fn1.intercept")
    exact = truncated_mean(z)
    with np.errstate(divide="ignore"):
        excess = 100 * (exact / z - 1)
    return pd.DataFrame({
        "z": z, "line": slope * z + intercept, "exact": exact, "excess_percent": excess,
    })


def errata_of_type1_derivation(
    sizes: Sequence[int] = FIGURE_SIZES,
    test_fractions: Sequence[float] = TEST_FRACTIONS,
    *,
    alpha: float = 0.05,
) -> pd.DataFrame:
    r"""Section 3.1: how likely is a second rejection after a first (errata e21, e22)?

    The derivation conditions on a first result :math:`Z_1 = x` beyond z, whose mean is m.  A
    standardised surplus x of the "+" over the "-" among n instances is a surplus of
    :math:`x\sqrt n` instances, hence :math:`p' = 1/2 + tx/(2\sqrt n)`.  The paper takes it for a
    surplus of x instances: :math:`p' = 1/2 + tx/n`.  It then compares the difference of counts,
    which has mean 2tx and standard deviation :math:`\sqrt n`, with z instead of
    :math:`z\sqrt n`, and gives it the standard deviation of one count, :math:`\sqrt n/2`.

    Parameters
    ----------
    sizes : sequence of int
        Data set sizes.
    test_fractions : sequence of float
        Shares t of test instances.
    alpha : float
        Significance level.

    Returns
    -------
    DataFrame
        One row a `test_fraction` and `size`, of probabilities of a second rejection: `literal`, by
        the printed formula; `surplus_only`, with threshold and standard deviation mended and only
        the surplus as printed (its excess over alpha vanishes with n, as the paper concludes);
        `mean_only`, with the right surplus, all first results put at their mean; `limit`, bivariate
        normal; `exact`, enumerated for the uncorrected test, whose Type I error is `type1_error`.
        And `accept_given_accept`, in the limit, which the paper puts at 1 - alpha.
    """
    z = stats.norm.isf(alpha / 2)
    m = float(truncated_mean(z))
    two_tails = lambda mean, threshold: float(
        special.ndtr(mean - threshold) + special.ndtr(-mean - threshold)
    )
    rows = []
    for t in test_fractions:
        covariance = theory.limit_covariance(t, 0, alpha=alpha)
        for n in sizes:
            test = size_of_test_set(n, t)
            discordant = test / 2
            root = np.sqrt(discordant)
            distribution = theory.rejection_distribution(
                n, test, *task_1.rates(0), alpha=alpha, method="uncorrected"
            )
            both = distribution.expectation(distribution.probability**2)
            rows.append({
                "test_fraction": t, "size": n,
                "literal": two_tails(2 * t * z / (root / 2), z / (root / 2)),
                "surplus_only": two_tails(2 * t * z / root, z),
                "mean_only": two_tails(t * m, z),
                "limit": alpha + covariance / alpha,
                "exact": both / distribution.power,
                "type1_error": distribution.power,
                "accept_given_accept": 1 - alpha + covariance / (1 - alpha),
            })
    return pd.DataFrame(rows)


def errata_of_type1_trend(trend: pd.DataFrame, *, alpha: float = 0.05) -> pd.DataFrame:
    """Where the fall of Type I replicability with data set size comes from (errata e24, e25).

    Parameters
    ----------
    trend : DataFrame
        As :func:`type1_trend` returns it.
    alpha : float
        Significance level at which `trend` was computed.

    Returns
    -------
    DataFrame
        Columns `size`, and in percent: `printed`; of the corrected test the exact `type1_error`,
        `corrected` (normalised) and `corrected_raw`; `uncorrected` (normalised), the same without
        the correction; `bound` and `bound_raw` of independent experiments, which print would break
        if it were raw.
    """
    printed = [
        published.value(f"bouckaert2005.txt.type1_repl_n{n}") if n in SIZES else np.nan
        for n in trend["size"]
    ]
    return pd.DataFrame({
        "size": trend["size"], "printed": printed, "type1_error": trend["type1_error"],
        "corrected": trend["exact"], "uncorrected": trend["exact_uncorrected"],
        "bound": _percent(theory.agreement(alpha)), "corrected_raw": 50 + trend["exact"] / 2,
        "bound_raw": 100 * theory.agreement(alpha),
    })


def errata_of_difference(test_fraction: float = 0.1, *, alpha: float = 0.05) -> pd.DataFrame:
    """Power at the accuracy difference as Section 4.1 prints it, and at half of it (erratum e26).

    Parameters
    ----------
    test_fraction : float
        Share of test instances.
    alpha : float
        Significance level.

    Returns
    -------
    DataFrame
        Columns `size`, and in percent `printed_difference`, `printed_power`, `power_at_printed`,
        `power_at_half`.
    """
    rows = []
    for n in WORST_CASE_SIZES:
        printed = published.value(f"bouckaert2005.txt.worst_delta_n{n}")
        m = size_of_test_set(n, test_fraction)
        power = lambda percent: 100 * theory.mcnemar_power(
            m, 0.25 + percent / 200, 0.25 - percent / 200, alpha=alpha
        )
        rows.append({
            "size": n, "printed_difference": printed,
            "printed_power": published.value(f"bouckaert2005.txt.worst_power_n{n}"),
            "power_at_printed": power(printed), "power_at_half": power(printed / 2),
        })
    return pd.DataFrame(rows)


def errata_of_test_share(
    sizes: Sequence[int] = FIGURE_SIZES,
    test_fractions: Sequence[float] = TEST_FRACTIONS,
    *,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """Type I replicability over the share of test instances (erratum e27).

    In the limit it rises with the share.  At a finite size a larger test set also weakens the
    continuity correction, hence raises the Type I error and lowers replicability: at 1000 and 2000
    instances the two effects nearly cancel, and Figure 1 need not show a rise.

    Parameters
    ----------
    sizes : sequence of int
        Data set sizes.
    test_fractions : sequence of float
        Shares of test instances.
    alpha : float
        Significance level.

    Returns
    -------
    DataFrame
        Columns `test_fraction`, `size` (infinite for the limit), `type1_error` and `replicability`
        (normalised), in percent, of the corrected test.
    """
    rows = []
    for t in test_fractions:
        for n in sizes:
            distribution = theory.rejection_distribution(
                n, size_of_test_set(n, t), *task_1.rates(0), alpha=alpha
            )
            rows.append((t, n, 100 * distribution.power, _percent(distribution.replicability)))
        limit = _percent(theory.limit_replicability(t, 0, alpha=alpha))
        rows.append((t, np.inf, 100 * alpha, limit))
    return pd.DataFrame(rows, columns=["test_fraction", "size", "type1_error", "replicability"])


def errata_of_conditional_means(n: int = 1000, *, alpha: float = 0.05) -> pd.DataFrame:
    r"""Appendix: mean number of "+" given the first outcome, which is printed twice (erratum e29).

    Parameters
    ----------
    n : int
        Number of test instances, none a draw.
    alpha : float
        Significance level.

    Returns
    -------
    DataFrame
        Rows for a first experiment that rejects and one that accepts: `outcome`, `printed`,
        `correct` (:math:`qn \pm 2\sqrt{nq(1-q)}/\sqrt{2\pi}`) and `exact` (binomial; the test
        rejects where "+" is more frequent than its mean qn).
    """
    q = 0.5 + stats.norm.isf(alpha / 2) / (2 * np.sqrt(n))
    reach = 2 * np.sqrt(n * q * (1 - q)) / np.sqrt(2 * np.pi)
    x = np.arange(n + 1)
    mass = stats.binom.pmf(x, n, q)
    mean = lambda event: float((x * mass)[event].sum() / mass[event].sum())
    return pd.DataFrame({
        "outcome": ["reject", "accept"],
        "printed": [q * n + reach, q * n + reach],
        "correct": [q * n + reach, q * n - reach],
        "exact": [mean(x > q * n), mean(x <= q * n)],
    })


def errata_of_worst_case(
    test_fractions: Sequence[float] = TEST_FRACTIONS, *, alpha: float = 0.05
) -> pd.DataFrame:
    """Worst-case replicability: as printed, the arcsine law, and the two-sided test (erratum e30).

    Parameters
    ----------
    test_fractions : sequence of float
        Shares of test instances.
    alpha : float
        Significance level.

    Returns
    -------
    DataFrame
        Columns `test_fraction`, `printed`, `correct` (arcsine law, one-sided), `two_sided` (where
        the mean of Z equals the threshold): raw replicabilities.
    """
    t = np.asarray(test_fractions, dtype=float)
    z = stats.norm.isf(alpha / 2)
    return pd.DataFrame({
        "test_fraction": t,
        "printed": theory.worst_case_as_printed(t),
        "correct": theory.worst_case_replicability(t),
        "two_sided": theory.limit_replicability(t, z, alpha=alpha),
    })

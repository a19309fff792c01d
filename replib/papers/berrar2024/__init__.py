"""Berrar (JMLR 2024): the replication probability of significant classification experiments.

The formulas of Section 2 with their examples and figures, and the in-text numbers that follow from
a formula.  Functions named after an example, a figure or a section return either data to draw or
ledger rows, as their docstrings say.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pandas as pd
from scipy import integrate, special, stats
from scipy.optimize import elementwise

from replib import intervals, replication_probability
from replib.papers import published
from replib.significance import corrected_resampled_t, mcnemar, signed_rank

PAPER = "berrar2024"


def two_sided_binomial_p(wins: int | np.ndarray, n: int) -> np.ndarray | float:
    """Two-sided p-value of the binomial test of equal chances, for wins of the better classifier.

    Twice the upper tail, which is McNemar's exact test of `wins` against n - `wins`.

    Examples
    --------
    >>> round(two_sided_binomial_p(29, 44), 4)
    0.0488
    """
    wins = np.asarray(wins)
    return mcnemar(wins, n - wins, method="exact").pvalue


def _rows(rebuilt: dict[str, object], errata: dict[str, str] | None = None,
          notes: dict[str, str] | None = None, holds: dict[str, bool] | None = None,
          corrected: dict[str, bool] | None = None) -> pd.DataFrame:
    """Ledger rows from a mapping of ids without the paper's prefix."""
    errata, notes, holds, corrected = errata or {}, notes or {}, holds or {}, corrected or {}
    return pd.DataFrame([
        {"id": f"{PAPER}.{key}", "rebuilt": value, "erratum": errata.get(key),
         "note": notes.get(key), "holds": holds.get(key), "corrected": corrected.get(key)}
        for key, value in rebuilt.items()
    ])


def _close(a: Sequence, b: Sequence, rtol: float = 1e-10) -> bool:
    return bool(np.allclose(np.array(a, dtype=float), np.array(b, dtype=float), rtol=rtol,
                            atol=1e-14))


# ------------------------------------------------------------------ Section 1 and the definitions


def binomial_tail(s: int, n: int, theta: Fraction) -> Fraction:
    """P(X >= s) of a binomial count, exact.

    Examples
    --------
    >>> binomial_tail(2, 3, Fraction(1, 2))
    Fraction(1, 2)
    """
    return sum(
        (comb(n, i) * theta**i * (1 - theta) ** (n - i) for i in range(s, n + 1)), Fraction(0)
    )


def two_experiments(
    effects: Mapping[Fraction, Fraction], n: int = 20, alpha: float = 0.05
) -> tuple[Fraction, Fraction]:
    """An experiment and its replication, enumerated: power and replication probability.

    Nature draws the success probability once; both experiments then count wins with it.

    Parameters
    ----------
    effects : mapping
        From each possible success probability to its probability.
    n : int
        Data sets in each experiment, enough for a significant result.
    alpha : float

    Returns
    -------
    first : Fraction
        P(E1s), that the first experiment is significant for A.
    again : Fraction
        P(E2s | E1s), that its replication is, given that the first was (Equation 2).

    Examples
    --------
    >>> first, again = two_experiments({Fraction(3, 4): Fraction(1)})
    >>> first == again, round(float(first), 4)
    (True, 0.6172)
    """
    s = replication_probability.smallest_significant(n, alpha=alpha)
    first = both = Fraction(0)
    for theta, probability in effects.items():
        pmf = [comb(n, i) * theta**i * (1 - theta) ** (n - i) for i in range(n + 1)]
        first += probability * sum(pmf[s:])
        both += probability * sum(a * b for a, b in product(pmf[s:], repeat=2))
    return first, both / first


def mean_empirical_probability(
    power: Fraction, experiments: int, leave_out_first: bool = True
) -> Fraction:
    """Mean of the empirical replication probability, given that the first experiment is
    significant.

    All outcomes of all experiments are enumerated (Definition 2).

    Parameters
    ----------
    power : Fraction
        Probability that one experiment is significant.
    experiments : int
        The first one and its replications.
    leave_out_first : bool
        Whether the fraction is over the replications alone, as Equation 3 says, or over all.

    Examples
    --------
    >>> mean_empirical_probability(Fraction(1, 3), 5)
    Fraction(1, 3)
    >>> mean_empirical_probability(Fraction(1, 3), 5, leave_out_first=False)
    Fraction(7, 15)
    """
    mean = Fraction(0)
    for outcome in product((0, 1), repeat=experiments - 1):
        significant = sum(outcome)
        probability = power**significant * (1 - power) ** (experiments - 1 - significant)
        counted, of = (0, experiments - 1) if leave_out_first else (1, experiments)
        mean += probability * Fraction(significant + counted, of)
    return mean


def definitions() -> pd.DataFrame:
    """Equations 1 to 4 and Definitions 1 to 3, checked by enumeration in exact fractions.

    Returns
    -------
    DataFrame
        Ledger rows.
    """
    half, effects = Fraction(1, 2), [Fraction(k, 20) for k in (10, 13, 15, 18)]
    p_values = [
        sum((comb(20, j) * half**20 for j in range(21) if abs(2 * j - 20) >= 2 * i - 20),
            Fraction(0))
        for i in range(11, 21)
    ]
    known = [two_experiments({theta: Fraction(1)}) for theta in effects]
    power_is_tail = all(
        again == first == binomial_tail(replication_probability.smallest_significant(20), 20, theta)
        for theta, (first, again) in zip(effects, known)
    )
    wins = range(15, 20)
    assume = lambda thetas: [float(two_experiments({theta: Fraction(1)})[1]) for theta in thetas]
    observed = assume(Fraction(x, 20) for x in wins)
    posterior_mean = assume(Fraction(1 + x, 22) for x in wins)
    first, again = two_experiments({theta: Fraction(1, 4) for theta in effects})
    empirical = [mean_empirical_probability(power, 8) == power for power in effects]
    return _rows(
        {
            "eq01": _close(p_values, two_sided_binomial_p(np.arange(11, 21), 20)),
            "eq02": bool(again > first), "def01": power_is_tail,
            "eq03": all(empirical), "def02": all(
                mean_empirical_probability(power, 8, leave_out_first=False) > power
                for power in effects
            ),
            "eq04": _close(posterior_mean, replication_probability.bayesian(wins, 20).point),
            "def03": _close(observed, replication_probability.binomial(wins, 20).point),
        },
        notes={
            "eq01": "p-values of 11 to 20 wins of 20 are the null probabilities of counts as extreme",
            "eq02": "with the effect itself random, a significant result makes another one likelier",
            "def01": "given the effect it equals the power, exactly, by enumeration of both experiments",
            "eq03": "its mean is the power, exactly, over all outcomes of 8 experiments",
            "def02": "counting the first, selected experiment as well would raise the mean",
            "eq04": "assume the posterior mean, enumerate two experiments: Lemma 2",
            "def03": "assume the observed rate, enumerate two experiments: Lemma 1",
        },
    )


# ------------------------------------------------------------------ Section 2.1.1 and 2.1.2


def figure_1(wins: int = 29, n: int = 44, alpha: float = 0.05) -> pd.DataFrame:
    """The two binomial distributions of Figure 1.

    Parameters
    ----------
    wins, n : int
        Wins of A among n data sets, at least half of them.
    alpha : float

    Returns
    -------
    DataFrame
        Columns `count`, `null` and `alternative` (probabilities for success rates 1/2 and wins/n),
        `significant` ("" or the side, "A" or "B").
    """
    count = np.arange(n + 1)
    s = replication_probability.smallest_significant(n, alpha=alpha)
    return pd.DataFrame({
        "count": count,
        "null": stats.binom.pmf(count, n, 0.5),
        "alternative": stats.binom.pmf(count, n, wins / n),
        "significant": np.select([count >= s, count <= n - s], ["A", "B"], ""),
    })


def figure_2(n: int = 44, alpha: float = 0.05, confidence_level: float = 0.95) -> pd.DataFrame:
    """Replication probabilities for every significant number of wins (Figure 2).

    Parameters
    ----------
    n : int
        Number of data sets.
    alpha, confidence_level : float

    Returns
    -------
    DataFrame
        Columns `wins`, `p`, and `point`, `low`, `high` of the two models with the suffixes
        ``_binomial`` and ``_bayesian``; no row where no number of wins is significant.
    """
    wins = np.arange(replication_probability.smallest_significant(n, alpha=alpha), n + 1)
    frame = pd.DataFrame({"wins": wins, "p": two_sided_binomial_p(wins, n)})
    for model in (replication_probability.binomial, replication_probability.bayesian):
        result = model(wins, n, alpha=alpha, confidence_level=confidence_level)
        for limit in ("point", "low", "high"):
            frame[f"{limit}_{model.__name__}"] = getattr(result, limit)
    return frame


def figure_2_anchors() -> dict[str, int]:
    """Wins at which the statements of the text about Figure 2 change, for 44 data sets at 5 %."""
    frame = figure_2()
    includes_half = frame[(frame["low_binomial"] <= 0.5) & (frame["high_binomial"] >= 0.5)]
    above_half = frame[frame["low_binomial"] > 0.5]
    return {
        "significant": int(frame["wins"].iloc[0]),
        "last including one half": int(includes_half["wins"].iloc[-1]),
        "first above one half": int(above_half["wins"].iloc[0]),
    }


def example_1(
    wins: int = 29, n: int = 44, alpha: float = 0.05, confidence_level: float = 0.95
) -> pd.DataFrame:
    """Example 1 and Figure 1: the binomial model.

    Parameters
    ----------
    wins, n : int
        Wins of A among n data sets.
    alpha, confidence_level : float

    Returns
    -------
    DataFrame
        Ledger rows.
    """
    theta = wins / n
    p = two_sided_binomial_p(wins, n)
    s = replication_probability.smallest_significant(n, alpha=alpha)
    result = replication_probability.binomial(wins, n, alpha=alpha,
                                              confidence_level=confidence_level)
    low, high = intervals.clopper_pearson(wins, n, confidence_level=confidence_level)
    return _rows(
        {
            "ex01.p": p, "ex01.theta": theta, "ex01.effect": abs(theta - 0.5),
            "ex01.P_b": result.point, "ex01.p_again": p, "ex01.P_about": 100 * result.point,
            "ex01.cp_lo": low, "ex01.cp_hi": high, "ex01.P_lo": result.low, "ex01.P_hi": result.high,
            "fig01.P_b": result.point, "fig01.sig_lo": n - s, "fig01.sig_hi": s,
        },
        errata={"ex01.P_b": "berrar2024.e36", "ex01.p_again": "berrar2024.e36"},
        notes={
            "ex01.p": "twice the sum that the example writes (erratum e35)",
            "ex01.P_b": "the printed value follows with the rate rounded to two decimals",
            "ex01.p_again": "cut off, not rounded",
        },
    )


def example_2(
    wins: int = 29, n: int = 44, alpha: float = 0.05, confidence_level: float = 0.95
) -> pd.DataFrame:
    """Example 2: the Bayesian model; parameters as in :func:`example_1`.

    Returns
    -------
    DataFrame
        Ledger rows.
    """
    result = replication_probability.bayesian(wins, n, alpha=alpha,
                                              confidence_level=confidence_level)
    low, high = intervals.highest_density_interval(
        1 + wins, 1 + n - wins, confidence_level=confidence_level
    )
    return _rows({
        "ex02.theta_m": (1 + wins) / (2 + n), "ex02.P_B": result.point,
        "ex02.hdi_lo": low, "ex02.hdi_hi": high, "ex02.P_lo": result.low, "ex02.P_hi": result.high,
    })


def text_about_figure_2() -> pd.DataFrame:
    """What the text reads off Figure 2, for 44 data sets at the 5 % level.

    Returns
    -------
    DataFrame
        Ledger rows.
    """
    frame = figure_2().set_index("wins")
    at = figure_2_anchors()
    wide, above = at["last including one half"], at["first above one half"]
    p32 = frame["p"].sub(published.value("berrar2024.fig02.p32")).abs().idxmin()
    lower = (frame["point_bayesian"] < frame["point_binomial"]).all()
    width = lambda model: frame[f"high_{model}"] - frame[f"low_{model}"]
    narrower = width("bayesian") < width("binomial")
    return _rows(
        {
            "fig02.n_p": len(frame), "fig02.p29": frame["p"].iloc[0], "fig02.p_wide": frame.at[wide, "p"],
            "fig02.p32": frame.at[p32, "p"], "fig02.P32_lo": frame.at[p32, "low_binomial"],
            "fig02.p35": frame.at[above, "p"], "fig02.w35": above,
            "cl.01": bool(lower and narrower.all()),
        },
        notes={"cl.01": (
            "lower in all, narrower in all" if narrower.all() else
            f"lower in all {len(frame)}; narrower in {narrower.sum()} of {len(frame)}"
        )},
    )


def binomial_and_bayesian_items(n: int = 44) -> pd.DataFrame:
    """Lemmas 1 and 2, Equations 5 to 9, the sum of Example 1, and what Figures 1 and 2 must show.

    Parameters
    ----------
    n : int
        Number of data sets on which the lemmas and equations are checked; the example and the
        figures are those of the paper.

    Returns
    -------
    DataFrame
        Ledger rows.
    """
    x = np.arange(n + 1)
    s = replication_probability.smallest_significant(n)
    binomial, bayesian = replication_probability.binomial(x,
                                                          n), replication_probability.bayesian(x, n)
    exact = lambda thetas: [binomial_tail(s, n, theta) for theta in thetas]
    observed, posterior_mean = ([Fraction(int(i), n) for i in x],
                                [Fraction(1 + int(i), 2 + n) for i in x])

    # limits of P cover P exactly when limits of theta cover theta: P rises with theta
    theta = np.linspace(0.5, 1, 101)[:, None]
    inside = (binomial.low <= stats.binom.sf(s - 1, n, theta)) & (
        stats.binom.sf(s - 1, n, theta) <= binomial.high
    )
    covered = (stats.binom.pmf(x, n, theta) * inside).sum(axis=1)

    r = x[1:-1]
    low, high = intervals.clopper_pearson(r, n)
    printed_low = r / (r + (n - r + 1) * stats.f.isf(0.025, 2 * (n - r + 1), 2 * r))
    up = (r + 1) * stats.f.isf(0.025, 2 * (r + 1), 2 * (n - r))
    printed_high = up / (n - r + up)

    hdi = intervals.highest_density_interval(1 + x, 1 + n - x)
    mass = stats.beta.cdf(hdi.high, 1 + x, 1 + n - x) - stats.beta.cdf(hdi.low, 1 + x, 1 + n - x)
    shifted = [
        np.subtract(*(stats.beta.ppf(below + level, 1 + x, 1 + n - x) for level in (0.95, 0)))
        for below in np.linspace(0, 0.05, 51)
    ]
    shortest = (np.min(shifted, axis=0) >= hdi.high - hdi.low - 1e-9).all()
    limits = [replication_probability.binomial(x, n, confidence_level=level) for level in (0.8,
                                                                                           0.95)]
    nested = (limits[1].low <= limits[0].low) & (limits[0].high <= limits[1].high)

    one, two = figure_1(), figure_2()
    significant = {side: one.loc[one["significant"] == side, "count"].tolist() for side in "AB"}
    green = one.loc[one["significant"] == "A", "alternative"].sum()
    includes_half = two["low_binomial"] <= 0.5
    return _rows(
        {
            "eq05": _close(exact(observed), binomial.point),
            "eq06": bool(covered.min() >= 0.95),
            "eq07": _close(printed_low, low) and _close(printed_high, high),
            "lem01": bool(nested.all()) and bool(
                ((binomial.low <= binomial.point) & (binomial.point <= binomial.high)).all()
            ),
            "eq08": _close(exact(posterior_mean), bayesian.point),
            "eq09": _close(mass, np.full(n + 1, 0.95)) and _close(
                bayesian.low, stats.binom.sf(s - 1, n, hdi.low)
            ),
            "lem02": bool(shortest),
            "ex01": bool(np.isclose(stats.binom.sf(28, 44, 0.5), two_sided_binomial_p(29, 44))),
            "fig01": significant == {"A": list(range(29, 45)), "B": list(range(16))}
            and round(green, 2) == 0.57 and _close(one["null"], one["null"][::-1]),
            "fig02": len(two) == 16 and bool((two["point_bayesian"] < two["point_binomial"]).all())
            and abs(two[["point_binomial", "point_bayesian"]].iloc[0] - 0.5).max() < 0.1
            and includes_half.tolist() == (two["p"] >= 0.00038).tolist(),
        },
        errata={"ex01": "berrar2024.e35"},
        corrected={"ex01": bool(
            np.isclose(2 * stats.binom.sf(28, 44, 0.5), two_sided_binomial_p(29, 44))
        )},
        notes={
            "eq05": f"equal to the sum in exact fractions for each of {n + 1} numbers of wins",
            "eq06": f"covers the true replication probability with {100 * covered.min():.1f} % or more",
            "eq07": "the F quantiles as printed equal quantiles of beta distributions",
            "lem01": "the limits enclose the estimate and are nested in the confidence level",
            "eq08": f"equal to the sum in exact fractions for each of {n + 1} numbers of wins",
            "eq09": "the interval holds its share of the posterior, for each number of wins",
            "lem02": "no other interval with that share is shorter",
            "ex01": "the sum that is written for the p-value is half of it",
            "fig01": "the significant sets, the symmetry of the white bars, the sum of the green ones",
            "fig02": "16 p-values; Bayesian below binomial; near one half at 0.0488; which include it",
        },
    )


def not_significant(
    wins: int = 24, n: int = 44, alpha: float = 0.05, confidence_level: float = 0.95
) -> pd.DataFrame:
    """A first result that is not significant (end of Section 2.1.2).

    Parameters as in :func:`example_1`.

    Returns
    -------
    DataFrame
        Ledger rows.
    """
    binomial = replication_probability.binomial(wins, n, alpha=alpha,
                                                confidence_level=confidence_level)
    bayesian = replication_probability.bayesian(wins, n, alpha=alpha,
                                                confidence_level=confidence_level)
    _, high = intervals.clopper_pearson(wins, n, confidence_level=confidence_level)
    return _rows(
        {
            "txt24.p": two_sided_binomial_p(wins, n), "txt24.theta": wins / n,
            "txt24.P_b": binomial.point, "txt24.cp_hi": high, "txt24.P_hi": binomial.high,
            "txt24.PB_hi": bayesian.high, "txt24.range_lo": 100 * bayesian.high,
            "txt24.range_hi": 100 * binomial.high,
        },
        errata={"txt24.P_b": "berrar2024.e36"},
        notes={"txt24.P_b": "the printed value follows with the rate rounded to four decimals"},
    )


def wins_in_text(n: int = 20) -> pd.DataFrame:
    """Numbers of Sections 3 and 4 that follow from wins alone.

    Parameters
    ----------
    n : int
        Data sets in an experiment of study #1.

    Returns
    -------
    DataFrame
        Ledger rows: the displayed experiment of Figure 7b (14 wins), a typical one of group 3
        (15), and
        the lucky one of the discussion (18).
    """
    shown, typical, lucky = 14, 15, 18
    binomial, bayesian = replication_probability.binomial(typical, n), replication_probability.bayesian(typical, n)
    return _rows({
        "fig07.theta": shown / n, "fig07.p_b": two_sided_binomial_p(shown, n),
        "g3.p": two_sided_binomial_p(typical, n), "g3.P_b": binomial.point,
        "g3.theta_m": (1 + typical) / (2 + n), "g3.P_B": bayesian.point,
        "disc.theta18": lucky / n, "disc.p18": two_sided_binomial_p(lucky, n),
    })


def quiz(p: float = 0.01, n: int = 44, alpha: float = 0.05) -> pd.DataFrame:
    """The question of the introduction: a p-value of 0.01 over 44 data sets.

    Parameters
    ----------
    p : float
        p-value of the first experiment.
    n : int
        Number of data sets.
    alpha : float

    Returns
    -------
    DataFrame
        Columns `model`, `p` (the attainable p-value nearest to the given one) and `P`.
    """
    wins = np.arange(n // 2, n + 1)
    attainable = two_sided_binomial_p(wins, n)
    nearest = int(wins[np.abs(attainable - p).argmin()])
    z = special.ndtri(1 - p / 2)
    p_wins = two_sided_binomial_p(nearest, n)
    return pd.DataFrame([
        (f"binomial, {nearest} wins", p_wins,
         replication_probability.binomial(nearest, n, alpha=alpha).point),
        (f"Bayesian, {nearest} wins", p_wins,
         replication_probability.bayesian(nearest, n, alpha=alpha).point),
        ("normal, standard deviation 1", p,
         replication_probability.wilcoxon(z, 1.0, alpha=alpha).point),
    ], columns=["model", "p", "P"])


def quiz_answer() -> pd.DataFrame:
    """Whether 0.75 is the best of the answers that the introduction offers.

    Returns
    -------
    DataFrame
        One ledger row: the mean of the three models of :func:`quiz`.
    """
    offered = np.array([0.50, 0.99, 0.75])  # answers 1 to 3; 4 and 5 are bounds, 6 is words
    models = quiz()["P"].to_numpy()
    nearest = offered[np.abs(offered - models[:, None]).argmin(axis=1)]
    answer = published.value("berrar2024.quiz.answer")
    between = bool((models < 0.9).all() and (models > 0.1).all())
    return _rows(
        {"quiz.answer": models.mean()}, holds={"quiz.answer": bool((nearest == answer).all()) and between},
        notes={"quiz.answer": f"three models give {models.min():.3f} to {models.max():.3f}"},
    )


# ------------------------------------------------------------------ Section 2.1.3


def figure_3(z: float = 1.96, sd: float = 1.0, confidence_level: float = 0.95) -> pd.DataFrame:
    """Densities of the statistic in Figure 3.

    Parameters
    ----------
    z, sd : float
        Observed statistic and its standard deviation under the alternative.
    confidence_level : float

    Returns
    -------
    DataFrame
        Columns `x`, `null`, `alternative`, `worst`, `best`.
    """
    x = np.linspace(min(-3.5, z - 5 * sd), z + 5 * sd, 601)
    half = special.ndtri((1 + confidence_level) / 2) * sd
    density = lambda mean, sd: stats.norm.pdf(x, mean, sd)
    return pd.DataFrame({
        "x": x, "null": density(0, 1), "alternative": density(z, sd),
        "worst": density(z - half, sd), "best": density(z + half, sd),
    })


def example_3(
    z: float = 1.96, sd: float = 1.0, alpha: float = 0.05, confidence_level: float = 0.95
) -> pd.DataFrame:
    """Example 3 and Figure 3: the Wilcoxon model.

    Parameters
    ----------
    z, sd : float
        Observed statistic and its standard deviation under the alternative.
    alpha, confidence_level : float

    Returns
    -------
    DataFrame
        Ledger rows.
    """
    result = replication_probability.wilcoxon(z, sd, alpha=alpha, confidence_level=confidence_level)
    half = special.ndtri((1 + confidence_level) / 2) * sd
    return _rows({
        "prop01.z": special.ndtri(1 - alpha / 2), "ex03.p": 2 * special.ndtr(-abs(z)),
        "ex03.P": result.point, "ex03.ci_lo": z - half, "ex03.ci_hi": z + half,
        "ex03.P_lo": result.low, "ex03.P_hi": result.high,
        "fig03.mu1": z, "fig03.red": alpha / 2, "fig03.blue": result.point,
        "fig03.worst": z - half, "fig03.best": z + half,
    })


def group_3_wilcoxon(z: float = 2.437, sd: float = 0.779, alpha: float = 0.05) -> pd.DataFrame:
    """The Wilcoxon estimate of group 3 from its printed mean and bootstrapped deviation.

    Returns
    -------
    DataFrame
        One ledger row.
    """
    return _rows({"g3.P_w": replication_probability.wilcoxon(z, sd, alpha=alpha).point})


def five_sigma() -> pd.DataFrame:
    """The p-value of the five-sigma criterion: one-sided, as particle physics uses it.

    Returns
    -------
    DataFrame
        One ledger row.
    """
    return _rows({"disc.five_sigma": special.ndtr(-5)}, notes={"disc.five_sigma": "one-sided"})


# ------------------------------------------------------------------ Section 2.2


def _noncentral_t_cdf(t: np.ndarray, df: float, effect: np.ndarray) -> np.ndarray:
    """Distribution function; SciPy's is NaN where it is nearly 0, its upper tail there is not."""
    below_0 = stats.nct.sf(-t, df, -effect)
    return np.where(t < 0, below_0, 1 - stats.nct.sf(t, df, effect))


def _noncentrality(t: np.ndarray, df: float, probability: float) -> np.ndarray:
    """Noncentrality at which t has this probability below it.

    `scipy.special.nctdtrinc` has four digits in places, and none for t = 0 and probability 1/2.
    """
    # T = (Z + effect) / S, and few degrees of freedom let S be several times its mean
    half = 10 + 8 * np.abs(t)
    off = lambda effect, t: _noncentral_t_cdf(t, df, effect) - probability
    return elementwise.find_root(off, (-half, half), args=(t,)).x


def figure_4(
    folds: int = 10, alpha: float = 0.05, confidence_level: float = 0.95,
    p: Sequence[float] = tuple(np.geomspace(1e-5, 0.05, 121)), interval: str = "as_printed",
    selected: bool = False,
) -> pd.DataFrame:
    """Replication probability over the p-value of one cross-validation (Figure 4).

    Parameters
    ----------
    folds : int
    alpha, confidence_level : float
    p : sequence of float
        Two-sided p-values.
    interval, selected
        As in :func:`replib.replication_probability.cv_t`.

    Returns
    -------
    DataFrame
        Columns `p`, `t`, `point`, `low`, `high`.
    """
    t = stats.t.isf(np.asarray(p) / 2, folds - 1)
    result = replication_probability.cv_t(
        t, folds, alpha=alpha, confidence_level=confidence_level, interval=interval, selected=selected
    )
    return pd.DataFrame({
        "p": np.asarray(p), "t": t, "point": result.point, "low": result.low, "high": result.high,
    })


def threshold(target: float = 0.95, folds: int = 10, alpha: float = 0.05) -> tuple[float, float]:
    """The p-value at which the estimated replication probability reaches a target.

    Parameters
    ----------
    target : float
        Replication probability.
    folds : int
    alpha : float

    Returns
    -------
    p, t : float
        Two-sided p-value and statistic.

    Examples
    --------
    >>> p, t = threshold()
    >>> round(p, 5)
    0.00281
    """
    critical = stats.t.isf(alpha / 2, folds - 1)
    t = float(_noncentrality(critical, folds - 1, 1 - target))
    return float(2 * stats.t.sf(t, folds - 1)), t


def example_4(
    t: float = 2.262, folds: int = 10, alpha: float = 0.05, confidence_level: float = 0.95,
    target: float = 0.95,
) -> pd.DataFrame:
    """Example 4 and the caption of Figure 4: the cross-validation model.

    Parameters
    ----------
    t : float
        Statistic of the first experiment; the example rounds it to three decimals.
    folds : int
    alpha, confidence_level : float
    target : float
        Replication probability at which Figure 4 is marked.

    Returns
    -------
    DataFrame
        Ledger rows.
    """
    result = replication_probability.cv_t(t, folds, alpha=alpha, confidence_level=confidence_level)
    tail = (1 - confidence_level) / 2
    p_target, t_target = threshold(target, folds, alpha)
    at_target = replication_probability.cv_t(t_target, folds, alpha=alpha,
                                             confidence_level=confidence_level)
    return _rows({
        "ex04.t": stats.t.isf(alpha / 2, folds - 1), "ex04.P": result.point, "ex04.P_lo": result.low, "ex04.P_hi": result.high,
        "ex04.q_lo": stats.nct.ppf(tail, folds - 1, t), "ex04.q_hi": stats.nct.ppf(1 - tail,
                                                                                   folds - 1, t),
        "fig04.p": p_target, "fig04.P": at_target.point,
        "fig04.P_lo": at_target.low, "fig04.P_hi": at_target.high,
    })


def study_3_text(t_first: float = 2.308, t_mean: float = 2.493, folds: int = 10) -> pd.DataFrame:
    """What follows in study #3, q = 3, from its printed statistics.

    Returns
    -------
    DataFrame
        Ledger rows.
    """
    return _rows({
        "s3.p31": 2 * stats.t.sf(t_first, folds - 1),
        "s3.P3": replication_probability.cv_t(t_mean, folds).point,
    })


# ------------------------------------------------------------------ items of Sections 2.1.3 and 2.2


def printed_signed_rank_z(differences: Sequence[int]) -> float:
    """Equation 10 term by term: zeros dropped, minus one half always, variance corrected for ties.

    Examples
    --------
    >>> round(printed_signed_rank_z([17, 3, 1, 9, -4, -2, -3, 3, 0]), 4)
    0.774
    """
    d = np.array([x for x in differences if x != 0])
    n = len(d)
    ranks = stats.rankdata(abs(d))
    _, ties = np.unique(abs(d), return_counts=True)
    variance = n * (n + 1) * (2 * n + 1) / 24 - (ties**3 - ties).sum() / 48
    return float((ranks[d > 0].sum() - n * (n + 1) / 4 - 0.5) / np.sqrt(variance))


def printed_corrected_t(differences: Sequence[Fraction], test_train_ratio: Fraction) -> float:
    """Equation 15 in exact fractions up to the square root.

    Examples
    --------
    >>> percent = [Fraction(x, 100) for x in (2, 5, -1, 4, 3)]
    >>> round(printed_corrected_t(percent, Fraction(1, 4)), 3)
    1.684
    """
    k = len(differences)
    mean = sum(differences) / k
    variance = sum((d - mean) ** 2 for d in differences) / (k - 1)
    return float(mean) / float((Fraction(1, k) + test_train_ratio) * variance) ** 0.5


def noncentral_t_mean(noncentrality: float, folds: int = 10) -> float:
    """Mean of the noncentral t distribution that the variance-corrected statistic is taken to have.

    Parameters
    ----------
    noncentrality : float
    folds : int
        At least 3: with a single degree of freedom there is no mean.

    Examples
    --------
    >>> round(noncentral_t_mean(1.0), 3)
    1.094
    """
    df = folds - 1
    log_factor = special.gammaln((df - 1) / 2) - special.gammaln(df / 2)
    return float(noncentrality * np.sqrt(df / 2) * np.exp(log_factor))


def wilcoxon_and_cv_t_items(seed: int = 2024, folds: int = 10) -> pd.DataFrame:
    """Propositions 1 and 2, Equations 10 to 15, and what Figures 3 and 4 must show.

    Parameters
    ----------
    seed : int
        Of the random differences on which the two statistics are compared with their formulas.
    folds : int
        For the claims on the noncentral t distribution.

    Returns
    -------
    DataFrame
        Ledger rows.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    samples = rng.integers(-6, 9, size=(50, 20))
    z_library = signed_rank(samples, correction="as_printed").zstatistic
    percent = [[Fraction(int(x), 100) for x in row] for row in samples]
    t_library = corrected_resampled_t(samples / 100, test_train_ratio=1 / 19).statistic

    z, sd = np.array([-0.5, 1.0, 1.96, 2.437, 4.0]), np.array([1.0, 0.5, 1.0, 0.779, 1.3])
    critical_z = special.ndtri(0.975)
    tail = lambda mean, s: integrate.quad(
        lambda x: np.exp(-0.5 * ((x - mean) / s) ** 2) / np.sqrt(2 * np.pi) / s, critical_z,
        max(mean, critical_z) + 12 * s, epsabs=1e-12,
    )[0]
    wilcoxon = replication_probability.wilcoxon(z, sd)
    at_critical = replication_probability.wilcoxon(critical_z, sd)

    t = np.array([0.5, 1.5, 2.262, 3.0, 4.0])
    critical_t = stats.t.isf(0.025, folds - 1)
    cv_t = replication_probability.cv_t(t, folds)
    beyond = [
        integrate.quad(stats.nct.pdf, critical_t, np.inf, args=(folds - 1, x), epsabs=1e-12)[0]
        for x in t
    ]
    mean = noncentral_t_mean(2.262, folds)
    covered, inverted = (
        coverage(folds=folds).query("interval == @name")["coverage"]
        for name in ("as_printed", "inverted")
    )
    towards_mean = lambda x: signed_rank(x, correction="towards_zero").zstatistic

    three, four = figure_3(), figure_4()
    step = three["x"].diff().iloc[1]
    peaks = [three.loc[three[c].idxmax(), "x"] for c in ("null", "alternative", "worst", "best")]
    p_marked, _ = threshold()
    read_off = np.interp(np.log(p_marked), np.log(four["p"]), four["point"])
    return _rows(
        {
            "eq10": _close([printed_signed_rank_z(row) for row in samples], z_library)
            and _close([printed_signed_rank_z(row) for row in -samples], -z_library),
            "eq11": _close([tail(*pair) for pair in zip(z, sd)], wilcoxon.point, rtol=1e-8),
            "eq12": _close([tail(m, s) for m, s in zip(z - critical_z * sd, sd)], wilcoxon.low,
                           1e-8)
            and _close([tail(m, s) for m, s in zip(z + critical_z * sd, sd)], wilcoxon.high, 1e-8),
            "prop01": _close(at_critical.point, np.full(5, 0.5)) and _close(
                [at_critical.low, at_critical.high], [np.full(5, 0.025), np.full(5, 0.975)]
            ),
            "eq13": _close(beyond, cv_t.point, rtol=1e-7),
            "eq14": bool((covered >= 0.95).all()),
            "eq15": _close([printed_corrected_t(row, Fraction(1, 19)) for row in percent],
                           t_library),
            "prop02": bool(np.isclose(mean, 2.262)),
            "fig03": all(abs(peak - at) <= step for peak, at in zip(peaks, (0, 1.96, 0, 3.92)))
            and _close(three["alternative"].max(), three["null"].max(), rtol=1e-3),
            "fig04": bool((four["point"].diff().dropna() < 0).all())
            and bool(((four["low"] < four["point"]) & (four["point"] < four["high"])).all())
            and abs(read_off - 0.95) < 1e-3,
        },
        errata={"eq10": "berrar2024.e52", "eq14": "berrar2024.e38", "prop02": "berrar2024.e37"},
        corrected={
            # towards its mean, the statistic changes no more than its sign when A and B do
            "eq10": _close(towards_mean(samples), -towards_mean(-samples)),
            "eq14": bool((inverted >= 0.95 - 1e-6).all()),
            "prop02": round(mean / 2.262, 3) == 1.094,
        },
        notes={
            "eq10": "agrees on 50 random samples; but exchanging A and B changes more than the sign",
            "eq11": "the integral, done numerically, for five pairs of Z and s*",
            "eq12": "the same integral at the two shifted means",
            "prop01": "at the critical value it gives 1/2 [0.025, 0.975] whatever s* is",
            "eq13": "the integral, done numerically, for five values of T",
            "eq14": f"as a 95 % interval it covers {100 * covered.min():.1f} to {100 * covered.max():.1f} %",
            "eq15": "in exact fractions on 50 random samples",
            "prop02": f"the mean of the distribution is {mean / 2.262:.3f} T, not T",
            "fig03": "two equal bells at 0 and 1.96, the worst at 0 and the best at 3.92",
            "fig04": "falls with p; lies between its limits; passes 0.95 at the marked p-value",
        },
    )


# ------------------------------------------------------------------ what the paper lacks


def power_over_theta(wins: int = 29, n: int = 44, alpha: float = 0.05) -> pd.DataFrame:
    """Why the interval is wide: the replication probability over what the success probability may
    be.

    Parameters
    ----------
    wins, n : int
        Wins of A among n data sets.
    alpha : float

    Returns
    -------
    DataFrame
        Columns `theta`, `P` (replication probability at theta) and `posterior` (density of theta
        under a uniform prior, as a share of its highest value, which is also the likelihood).
    """
    theta = np.linspace(0, 1, 401)
    s = replication_probability.smallest_significant(n, alpha=alpha)
    log_likelihood = special.xlogy(wins, theta) + special.xlog1py(n - wins, -theta)
    return pd.DataFrame({
        "theta": theta, "P": stats.binom.sf(s - 1, n, theta) if s <= n else 0 * theta,
        "posterior": np.exp(log_likelihood - log_likelihood.max()),
    })


def over_all_wins(
    n: int = 44, alpha: float = 0.05, levels: Sequence[float] = (0.5, 0.8, 0.95)
) -> pd.DataFrame:
    """Estimate and nested intervals of the binomial model for each number of wins from half up.

    Parameters
    ----------
    n : int
    alpha : float
    levels : sequence of float
        Confidence levels.

    Returns
    -------
    DataFrame
        Columns `wins`, `p`, `level`, `point`, `low`, `high`.
    """
    wins = np.arange((n + 1) // 2, n + 1)
    frames = []
    for level in levels:
        result = replication_probability.binomial(wins, n, alpha=alpha, confidence_level=level)
        frames.append(pd.DataFrame({
            "wins": wins, "p": two_sided_binomial_p(wins, n), "level": level,
            "point": result.point, "low": result.low, "high": result.high,
        }))
    return pd.concat(frames, ignore_index=True)


def averaged_over_posterior(wins: int, n: int, *, alpha: float = 0.05) -> float:
    """Replication probability when the success probability is averaged out instead of plugged in.

    The wins of the replication then follow a beta-binomial distribution.

    Parameters
    ----------
    wins, n : int
        Wins of A among n data sets.
    alpha : float

    Returns
    -------
    float

    Examples
    --------
    >>> round(averaged_over_posterior(29, 44), 3)
    0.531
    """
    s = replication_probability.smallest_significant(n, alpha=alpha)
    return float(stats.betabinom.sf(s - 1, n, 1 + wins, 1 + n - wins))


def thresholds(
    folds: Sequence[int] = (5, 10, 20, 30, 100), target: float = 0.95, alpha: float = 0.05,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """The p-value at which four readings of one cross-validation reach a replication probability.

    Parameters
    ----------
    folds : sequence of int
    target : float
        Replication probability, below 1.
    alpha, confidence_level : float

    Returns
    -------
    DataFrame
        Indexed by `folds`, p-values in the columns `point` (Equation 13), `selected` (estimate
        given
        selection), `low_as_printed` and `low_inverted` (lower limits); `alpha` where any
        significant
        result reaches the target.
    """
    folds = np.asarray(folds)
    critical = stats.t.isf(alpha / 2, folds - 1)
    readings = {
        "point": ("point", {}), "selected": ("point", {"selected": True}),
        "low_as_printed": ("low", {}), "low_inverted": ("low", {"interval": "inverted"}),
    }
    frame = pd.DataFrame(index=pd.Index(folds, name="folds"))
    for name, (limit, options) in readings.items():
        def short_of_target(log_ratio, folds, critical):
            result = replication_probability.cv_t(
                critical * np.exp(log_ratio), folds, alpha=alpha, confidence_level=confidence_level,
                **options,
            )
            return target - getattr(result, limit)

        bracket = np.zeros(folds.shape), np.full(folds.shape, np.log(1e3))
        root = elementwise.find_root(short_of_target, bracket, args=(folds, critical)).x
        at_once = short_of_target(np.zeros(folds.shape), folds, critical) <= 0
        t = critical * np.exp(np.where(at_once, 0.0, root))
        frame[name] = 2 * stats.t.sf(t, folds - 1)
    return frame


def coverage(
    effects: Sequence[float] = tuple(np.linspace(0, 8, 81)), folds: int = 10, alpha: float = 0.05,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Coverage of the printed and of the inverted interval, for all results and for significant
    ones.

    An interval covers when the true replication probability lies in it.  Both intervals map limits
    of
    the noncentrality, which rise with T, so each covers exactly when T lies between two bounds, and
    its coverage is a difference of two values of the noncentral t distribution function.

    Parameters
    ----------
    effects : sequence of float
        True noncentralities.
    folds : int
    alpha, confidence_level : float

    Returns
    -------
    DataFrame
        Columns `effect`, `interval` ("as_printed" or "inverted"), `P` (true replication
        probability), `coverage` and `coverage_significant` (given a significant result in either
        direction, with A and B exchanged where B won).
    """
    effect, df = np.asarray(effects, dtype=float), folds - 1
    tail = (1 - confidence_level) / 2
    critical = stats.t.isf(alpha / 2, df)
    cdf = lambda t: _noncentral_t_cdf(t, df, effect)
    power, wrong_direction = 1 - cdf(critical), cdf(-critical)
    bounds = {
        # noncentralities whose quantiles equal the true one: T between them has it inside its
        # limits
        "as_printed": [_noncentrality(effect, df, q) for q in (1 - tail, tail)],
        "inverted": [stats.nct.ppf(q, df, effect) for q in (tail, 1 - tail)],
    }
    frames = []
    for interval, (low, high) in bounds.items():
        within = lambda a, b: np.maximum(cdf(np.minimum(high, b)) - cdf(np.maximum(low, a)), 0)
        significant = within(critical, np.inf) + within(-np.inf, -critical)
        frames.append(pd.DataFrame({
            "effect": effect, "interval": interval, "P": power,
            "coverage": within(-np.inf, np.inf),
            "coverage_significant": significant / (power + wrong_direction),
        }))
    return pd.concat(frames, ignore_index=True)


def selection_bias(
    effects: Sequence[float] = tuple(np.linspace(0, 6, 31)), folds: int = 10, alpha: float = 0.05,
    cells: int = 200,
) -> pd.DataFrame:
    """What the estimates say, given a significant first result, against the truth.

    Parameters
    ----------
    effects : sequence of float
        True noncentralities, at least 0.
    folds : int
    alpha : float
    cells : int
        Into how many cells the range of significant T is cut for the means.

    Returns
    -------
    DataFrame
        Columns `effect`, `P` (truth), and for the plain estimate and the one given selection the
        mean and the median over significant results in the direction of A: `plain_mean`,
        `plain_median`, `selected_mean`, `selected_median`.
    """
    effect, df = np.asarray(effects, dtype=float), folds - 1
    critical = stats.t.isf(alpha / 2, df)
    beyond = lambda t: stats.nct.sf(t, df, effect[:, None])
    power = beyond(critical)[:, 0]
    # critical / T is uniform enough for few folds and many; its last cell, up to infinity, has
    # mean 1
    edges = critical / np.linspace(1, 0, cells + 1)[:-1]
    share = np.diff(np.column_stack([-beyond(edges), np.zeros(len(effect))])) / power[:, None]
    # the estimates rise with T: their median is the estimate at the median of T
    middle = np.maximum(stats.nct.isf(power / 2, df, effect), critical)
    columns = {"effect": effect, "P": power}
    for name, selected in (("plain", False), ("selected", True)):
        estimate = lambda t: replication_probability.cv_t(t, folds, alpha=alpha,
                                                          selected=selected).point
        at_edges = np.append(estimate(edges), 1.0)
        columns[f"{name}_mean"] = share @ (at_edges[:-1] + at_edges[1:]) / 2
        columns[f"{name}_median"] = estimate(middle)
    return pd.DataFrame(columns)


def binomial_selection_bias(
    thetas: Sequence[float] = (0.6,), n: int = 44, alpha: float = 0.05
) -> pd.DataFrame:
    """The same bias for wins and losses, exact.

    Parameters
    ----------
    thetas : sequence of float
        True success probabilities, above 0.
    n : int
        Number of data sets, enough for a significant result.
    alpha : float

    Returns
    -------
    DataFrame
        Columns `theta`, `P` (truth), `binomial` and `bayesian` (means of the two estimates given a
        significant result in the direction of A).
    """
    theta = np.asarray(thetas, dtype=float)
    wins = np.arange(replication_probability.smallest_significant(n, alpha=alpha), n + 1)
    weight = stats.binom.pmf(wins, n, theta[:, None])
    frame = pd.DataFrame({"theta": theta, "P": weight.sum(axis=1)})
    for model in (replication_probability.binomial, replication_probability.bayesian):
        frame[model.__name__] = weight @ model(wins, n, alpha=alpha).point / frame["P"]
    return frame


# ------------------------------------------------------------------ sizes of studies #1 and #2


def sizes_study_1(datasets: int = 20, groups: int = 21) -> pd.DataFrame:
    """Cases of each data set of study #1: 290 + 50 (g - 1) + 10 i (Figure 7a).

    Returns
    -------
    DataFrame
        Rows are data sets i, columns groups g, both counted from 1.
    """
    i, g = np.arange(1, datasets + 1), np.arange(1, groups + 1)
    return pd.DataFrame(290 + 50 * (g - 1) + 10 * i[:, None], index=i, columns=g)


def sizes_study_2(
    starts: Sequence[int] = (70, 100, 140, 190, 200, 240, 260, 360, 460, 560), datasets: int = 44
) -> pd.DataFrame:
    """Cases of each data set of study #2: the group's start size + 10 i.

    Parameters
    ----------
    starts : sequence of int
        A start size for each group: the free part of Table 2, read off its first row.
    datasets : int

    Returns
    -------
    DataFrame
        Rows are data sets i, columns groups, both counted from 1.
    """
    i = np.arange(1, datasets + 1)
    return pd.DataFrame(
        np.asarray(starts) + 10 * i[:, None], index=i, columns=np.arange(1, len(starts) + 1)
    )


def table_2() -> pd.DataFrame:
    """Table 2, all cells from its first row.

    Returns
    -------
    DataFrame
        Ledger rows of the 440 cells, and of the second size of group 3 in Figure 7a.
    """
    cells = {
        f"tab02.dataset{i:02d}.group{g:02d}": int(cases)
        for g, column in sizes_study_2().items() for i, cases in column.items()
    }
    return _rows(cells | {"fig07.size_g3_2": int(sizes_study_1().at[2, 3])})

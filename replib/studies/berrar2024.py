"""Berrar (JMLR 2024): the replication probability of significant classification experiments.

The formulas of Section 2 with their examples and figures, and the in-text numbers that follow from
a formula.  Functions named after an example, a figure or a section return either data to draw or
ledger rows, as their docstrings say.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
from scipy import special, stats

from replib import published, replication
from replib.significance import mcnemar

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
          notes: dict[str, str] | None = None, holds: dict[str, bool] | None = None) -> pd.DataFrame:
    """Ledger rows from a mapping of ids without the paper's prefix."""
    errata, notes, holds = errata or {}, notes or {}, holds or {}
    return pd.DataFrame([
        {"id": f"{PAPER}.{key}", "rebuilt": value, "erratum": errata.get(key),
         "note": notes.get(key), "holds": holds.get(key)}
        for key, value in rebuilt.items()
    ])


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
    s = replication.smallest_significant(n, alpha=alpha)
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
    wins = np.arange(replication.smallest_significant(n, alpha=alpha), n + 1)
    frame = pd.DataFrame({"wins": wins, "p": two_sided_binomial_p(wins, n)})
    for model in (replication.binomial, replication.bayesian):
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
    s = replication.smallest_significant(n, alpha=alpha)
    result = replication.binomial(wins, n, alpha=alpha, confidence_level=confidence_level)
    low, high = replication.clopper_pearson(wins, n, confidence_level=confidence_level)
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
    result = replication.bayesian(wins, n, alpha=alpha, confidence_level=confidence_level)
    low, high = replication.highest_density_interval(
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
    binomial = replication.binomial(wins, n, alpha=alpha, confidence_level=confidence_level)
    bayesian = replication.bayesian(wins, n, alpha=alpha, confidence_level=confidence_level)
    _, high = replication.clopper_pearson(wins, n, confidence_level=confidence_level)
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
        Ledger rows: the displayed experiment of Figure 7b (14 wins), a typical one of group 3 (15), and
        the lucky one of the discussion (18).
    """
    shown, typical, lucky = 14, 15, 18
    binomial, bayesian = replication.binomial(typical, n), replication.bayesian(typical, n)
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
        (f"binomial, {nearest} wins", p_wins, replication.binomial(nearest, n, alpha=alpha).point),
        (f"Bayesian, {nearest} wins", p_wins, replication.bayesian(nearest, n, alpha=alpha).point),
        ("normal, standard deviation 1", p, replication.wilcoxon(z, 1.0, alpha=alpha).point),
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
    result = replication.wilcoxon(z, sd, alpha=alpha, confidence_level=confidence_level)
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
    return _rows({"g3.P_w": replication.wilcoxon(z, sd, alpha=alpha).point})


def five_sigma() -> pd.DataFrame:
    """The p-value of the five-sigma criterion: one-sided, as particle physics uses it.

    Returns
    -------
    DataFrame
        One ledger row.
    """
    return _rows({"disc.five_sigma": special.ndtr(-5)}, notes={"disc.five_sigma": "one-sided"})


# ------------------------------------------------------------------ Section 2.2


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
        As in :func:`replib.replication.cv_t`.

    Returns
    -------
    DataFrame
        Columns `p`, `t`, `point`, `low`, `high`.
    """
    t = stats.t.isf(np.asarray(p) / 2, folds - 1)
    result = replication.cv_t(
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
    t = float(special.nctdtrinc(folds - 1, 1 - target, critical))
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
    result = replication.cv_t(t, folds, alpha=alpha, confidence_level=confidence_level)
    tail = (1 - confidence_level) / 2
    p_target, t_target = threshold(target, folds, alpha)
    at_target = replication.cv_t(t_target, folds, alpha=alpha, confidence_level=confidence_level)
    return _rows({
        "ex04.t": stats.t.isf(alpha / 2, folds - 1), "ex04.P": result.point, "ex04.P_lo": result.low, "ex04.P_hi": result.high,
        "ex04.q_lo": stats.nct.ppf(tail, folds - 1, t), "ex04.q_hi": stats.nct.ppf(1 - tail, folds - 1, t),
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
        "s3.P3": replication.cv_t(t_mean, folds).point,
    })


# ------------------------------------------------------------------ what the paper lacks


def coverage(
    effects: Sequence[float] = tuple(np.linspace(0, 8, 81)), folds: int = 10, alpha: float = 0.05,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Coverage of the printed and of the inverted interval, for all results and for significant ones.

    An interval covers when the true replication probability lies in it.  Both intervals map limits of
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
        probability), `coverage` and `coverage_significant` (given T at or above the critical value).
    """
    effect, df = np.asarray(effects, dtype=float), folds - 1
    tail = (1 - confidence_level) / 2
    critical = stats.t.isf(alpha / 2, df)
    bounds = {
        # noncentralities whose quantiles equal the true one: T between them has it inside its limits
        "as_printed": [special.nctdtrinc(df, q, effect) for q in (1 - tail, tail)],
        "inverted": [stats.nct.ppf(q, df, effect) for q in (tail, 1 - tail)],
    }
    frames = []
    for interval, (low, high) in bounds.items():
        cdf = lambda t: stats.nct.cdf(t, df, effect)
        power = stats.nct.sf(critical, df, effect)
        beyond = np.maximum(cdf(np.maximum(high, critical)) - cdf(np.maximum(low, critical)), 0)
        frames.append(pd.DataFrame({
            "effect": effect, "interval": interval, "P": power,
            "coverage": cdf(high) - cdf(low), "coverage_significant": beyond / power,
        }))
    return pd.concat(frames, ignore_index=True)


def selection_bias(
    effects: Sequence[float] = tuple(np.linspace(0, 6, 61)), folds: int = 10, alpha: float = 0.05,
    nodes: int = 201,
) -> pd.DataFrame:
    """What the estimates say, given a significant first result, against the truth.

    Parameters
    ----------
    effects : sequence of float
        True noncentralities.
    folds : int
    alpha : float
    nodes : int
        Nodes of the Gauss-Legendre rule, over the conditional probabilities of T.

    Returns
    -------
    DataFrame
        Columns `effect`, `P` (truth), and for the plain estimate and the one given selection the
        mean and the median over significant results in the direction of A: `plain_mean`,
        `plain_median`, `selected_mean`, `selected_median`.
    """
    df = folds - 1
    critical = stats.t.isf(alpha / 2, df)
    points, weights = np.polynomial.legendre.leggauss(nodes)
    share = (points + 1) / 2
    rows = []
    for effect in effects:
        power = stats.nct.sf(critical, df, effect)
        t = np.maximum(stats.nct.isf(share * power, df, effect), critical)
        plain = replication.cv_t(t, folds, alpha=alpha).point
        given = replication.cv_t(t, folds, alpha=alpha, selected=True).point
        # the estimates rise with T: their median is the estimate at the median of T
        middle = np.maximum(stats.nct.isf(0.5 * power, df, effect), critical)
        rows.append({
            "effect": effect, "P": power,
            "plain_mean": plain @ weights / 2, "selected_mean": given @ weights / 2,
            "plain_median": replication.cv_t(middle, folds, alpha=alpha).point,
            "selected_median": replication.cv_t(middle, folds, alpha=alpha, selected=True).point,
        })
    return pd.DataFrame(rows)


def binomial_selection_bias(theta: float = 0.6, n: int = 44, alpha: float = 0.05) -> pd.DataFrame:
    """The same bias for wins and losses, exact.

    Parameters
    ----------
    theta : float
        True success probability.
    n : int
        Number of data sets.
    alpha : float

    Returns
    -------
    DataFrame
        One row: `P` (truth) and `estimate` (mean of the binomial estimate given a significant result
        in the direction of A).
    """
    wins = np.arange(replication.smallest_significant(n, alpha=alpha), n + 1)
    weight = stats.binom.pmf(wins, n, theta)
    estimate = replication.binomial(wins, n, alpha=alpha).point
    return pd.DataFrame({"P": [weight.sum()], "estimate": [weight @ estimate / weight.sum()]})


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


def table_2(starts: Sequence[int] = (70, 100, 140, 190, 200, 240, 260, 360, 460, 560),
            datasets: int = 44) -> pd.DataFrame:
    """Table 2: cases of each data set of study #2, start size + 10 i.

    Parameters
    ----------
    starts : sequence of int
        A start size for each group: the free part of the table, read off its first row.
    datasets : int

    Returns
    -------
    DataFrame
        Ledger rows of the 440 cells, and of the second size of group 3 in Figure 7a.
    """
    cells = {
        f"tab02.dataset{i:02d}.group{g:02d}": start + 10 * i
        for i in range(1, datasets + 1) for g, start in enumerate(starts, 1)
    }
    return _rows(cells | {"fig07.size_g3_2": int(sizes_study_1().at[2, 3])})

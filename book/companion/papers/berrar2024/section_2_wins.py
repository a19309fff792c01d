"""Sections 2.1.1 and 2.1.2 of Berrar (2024): wins and losses, Lemmas 1 and 2, Figures 1 and 2."""

from collections.abc import Sequence
from fractions import Fraction
from math import comb

import numpy as np
import pandas as pd
from scipy import special, stats

from companion.papers import published
from companion.papers.berrar2024 import law_of_t
from companion.papers.berrar2024.rows import are_close, rows
from companion.papers.ledger import Span
from replib import intervals, replication_probability
from replib.significance import mcnemar


def two_sided_binomial_p(wins: int | np.ndarray, n: int) -> np.ndarray | float:
    """Two-sided p-value of the binomial test of equal chances, for wins of the better classifier.

    Twice the upper tail, which is McNemar's exact test of `wins` against n - `wins`.

    >>> round(two_sided_binomial_p(29, 44), 4)
    0.0488
    """
    wins = np.asarray(wins)
    return mcnemar(wins, n - wins, method="exact").pvalue


def binomial_tail(s: int, n: int, theta: Fraction) -> Fraction:
    """P(X >= s) for a binomial count, exact.

    >>> binomial_tail(2, 3, Fraction(1, 2))
    Fraction(1, 2)
    """
    return sum(
        (comb(n, i) * theta**i * (1 - theta) ** (n - i) for i in range(s, n + 1)),
        Fraction(0),
    )


def figure_1(wins: int = 29, n: int = 44, alpha: float = 0.05) -> pd.DataFrame:
    """The two binomial distributions of Figure 1.

    Columns `count`, `null` and `alternative` (probabilities for success rates 1/2 and
    wins/n), `significant` ("" or the side, "A" or "B").
    """
    count = np.arange(n + 1)
    s = replication_probability.smallest_significant(n, alpha=alpha)
    return pd.DataFrame(
        {
            "count": count,
            "null": stats.binom.pmf(count, n, 0.5),
            "alternative": stats.binom.pmf(count, n, wins / n),
            "significant": np.select([count >= s, count <= n - s], ["A", "B"], ""),
        }
    )


def figure_2(
    n: int = 44, alpha: float = 0.05, confidence_level: float = 0.95
) -> pd.DataFrame:
    """Replication probabilities for every significant number of wins (Figure 2).

    Columns `wins`, `p`, and `point`, `low`, `high` of the two models with the suffixes
    ``_binomial`` and ``_bayesian``; no rows if no number of wins is significant.
    """
    wins = np.arange(
        replication_probability.smallest_significant(n, alpha=alpha), n + 1
    )
    frame = pd.DataFrame({"wins": wins, "p": two_sided_binomial_p(wins, n)})
    for model in (replication_probability.binomial, replication_probability.bayesian):
        result = model(wins, n, alpha=alpha, confidence_level=confidence_level)
        for limit in ("point", "low", "high"):
            frame[f"{limit}_{model.__name__}"] = getattr(result, limit)
    return frame


def figure_2_anchors() -> dict[str, int]:
    """Wins at which the text's statements about Figure 2 change, for 44 data sets at 5%."""
    frame = figure_2()
    includes_half = frame[
        (frame["low_binomial"] <= 0.5) & (frame["high_binomial"] >= 0.5)
    ]
    above_half = frame[frame["low_binomial"] > 0.5]
    return {
        "significant": int(frame["wins"].iloc[0]),
        "last including one half": int(includes_half["wins"].iloc[-1]),
        "first above one half": int(above_half["wins"].iloc[0]),
    }


def example_1(
    wins: int = 29, n: int = 44, alpha: float = 0.05, confidence_level: float = 0.95
) -> pd.DataFrame:
    """Example 1 and Figure 1: the binomial model."""
    theta, p = wins / n, two_sided_binomial_p(wins, n)
    s = replication_probability.smallest_significant(n, alpha=alpha)
    options = {"alpha": alpha, "confidence_level": confidence_level}
    result = replication_probability.binomial(wins, n, **options)
    low, high = intervals.clopper_pearson(wins, n, confidence_level=confidence_level)
    return rows(
        {
            "ex01.p": p,
            "ex01.theta": theta,
            "ex01.effect": abs(theta - 0.5),
            "ex01.P_b": result.point,
            "ex01.p_again": p,
            "ex01.P_about": 100 * result.point,
            "ex01.cp_lo": low,
            "ex01.cp_hi": high,
            "ex01.P_lo": result.low,
            "ex01.P_hi": result.high,
            "fig01.P_b": result.point,
            "fig01.sig_lo": n - s,
            "fig01.sig_hi": s,
        },
    )


def example_2(
    wins: int = 29, n: int = 44, alpha: float = 0.05, confidence_level: float = 0.95
) -> pd.DataFrame:
    """Example 2: the Bayesian model; parameters as in :func:`example_1`."""
    options = {"alpha": alpha, "confidence_level": confidence_level}
    result = replication_probability.bayesian(wins, n, **options)
    low, high = intervals.highest_density_interval(
        1 + wins, 1 + n - wins, confidence_level=confidence_level
    )
    return rows(
        {
            "ex02.theta_m": (1 + wins) / (2 + n),
            "ex02.P_B": result.point,
            "ex02.hdi_lo": low,
            "ex02.hdi_hi": high,
            "ex02.P_lo": result.low,
            "ex02.P_hi": result.high,
        }
    )


def text_about_figure_2() -> pd.DataFrame:
    """Ledger rows of the numbers that the text reads off Figure 2 (44 data sets, 5% level)."""
    frame = figure_2().set_index("wins")
    at = figure_2_anchors()
    wide, above = at["last including one half"], at["first above one half"]
    p32 = frame["p"].sub(published.value("berrar2024.fig02.p32")).abs().idxmin()
    lower = (frame["point_bayesian"] < frame["point_binomial"]).all()
    width = lambda model: frame[f"high_{model}"] - frame[f"low_{model}"]
    narrower = width("bayesian") < width("binomial")
    return rows(
        {
            "fig02.n_p": len(frame),
            "fig02.p29": frame["p"].iloc[0],
            "fig02.p_wide": frame.at[wide, "p"],
            "fig02.p32": frame.at[p32, "p"],
            "fig02.P32_lo": frame.at[p32, "low_binomial"],
            "fig02.p35": frame.at[above, "p"],
            "fig02.w35": above,
            "cl.01": bool(lower and narrower.all()),
        },
    )


def binomial_items(n: int = 44) -> pd.DataFrame:
    """Check Lemma 1, Equations 5 to 7, and the sum of Example 1."""
    x = np.arange(n + 1)
    model = replication_probability.binomial(x, n)
    observed = [Fraction(int(wins), n) for wins in x]
    coverage = _coverage_of_binomial(n)
    by_formula = _limits_by_f_quantiles(n)
    by_library = intervals.clopper_pearson(x[1:-1], n)
    narrow = replication_probability.binomial(x, n, confidence_level=0.8)
    is_nested = (model.low <= narrow.low) & (narrow.high <= model.high)
    has_point = (model.low <= model.point) & (model.point <= model.high)
    one_sided = stats.binom.sf(28, 44, 0.5)
    two_sided = two_sided_binomial_p(29, 44)
    return rows(
        {
            "eq05": are_close(_exact_tails(n, observed), model.point),
            "eq06": bool(coverage.min() >= 0.95),
            "eq07": are_close(by_formula, by_library),
            "lem01": bool(is_nested.all() and has_point.all()),
            "ex01": bool(np.isclose(one_sided, two_sided)),
        },
        corrected={"ex01": bool(np.isclose(2 * one_sided, two_sided))},
        numbers={
            "eq05": {"outcomes": n + 1},
            "eq06": {"least": 100 * coverage.min()},
        },
    )


def bayesian_items(n: int = 44) -> pd.DataFrame:
    """Check Lemma 2, and Equations 8 and 9."""
    x = np.arange(n + 1)
    model = replication_probability.bayesian(x, n)
    posterior_mean = [Fraction(1 + int(wins), 2 + n) for wins in x]
    low, high = intervals.highest_density_interval(1 + x, 1 + n - x)
    posterior = stats.beta(1 + x, 1 + n - x)
    mass = posterior.cdf(high) - posterior.cdf(low)
    s = replication_probability.smallest_significant(n)
    limits = stats.binom.sf(s - 1, n, [low, high])
    # other intervals of the same mass
    below = np.linspace(0, 0.05, 51)[:, None]
    widths = posterior.ppf(below + 0.95) - posterior.ppf(below)
    is_shortest = widths.min(axis=0) >= high - low - 1e-9
    return rows(
        {
            "eq08": are_close(_exact_tails(n, posterior_mean), model.point),
            "eq09": are_close(mass, np.full(n + 1, 0.95))
            and are_close([model.low, model.high], limits),
            "lem02": bool(is_shortest.all()),
        },
        numbers={"eq08": {"outcomes": n + 1}},
    )


def _exact_tails(n: int, thetas: Sequence[Fraction]) -> list[Fraction]:
    """Probabilities of a significant number of wins, by the success rate."""
    s = replication_probability.smallest_significant(n)
    return [binomial_tail(s, n, theta) for theta in thetas]


def _coverage_of_binomial(n: int) -> np.ndarray:
    """Probability that the limits of P cover it, by the success rate from one half on.

    P rises with the success rate, so limits of P cover P exactly when limits of the
    rate cover the rate.
    """
    x = np.arange(n + 1)
    model = replication_probability.binomial(x, n)
    theta = np.linspace(0.5, 1, 101)[:, None]
    s = replication_probability.smallest_significant(n)
    p = stats.binom.sf(s - 1, n, theta)
    is_covered = (model.low <= p) & (p <= model.high)
    return (stats.binom.pmf(x, n, theta) * is_covered).sum(axis=1)


def _limits_by_f_quantiles(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Equation 7, for 1 to n - 1 wins."""
    r = np.arange(1, n)
    low = r / (r + (n - r + 1) * stats.f.isf(0.025, 2 * (n - r + 1), 2 * r))
    up = (r + 1) * stats.f.isf(0.025, 2 * (r + 1), 2 * (n - r))
    return low, up / (n - r + up)


def not_significant(
    wins: int = 24, n: int = 44, alpha: float = 0.05, confidence_level: float = 0.95
) -> pd.DataFrame:
    """A first result that is not significant (end of Section 2.1.2).

    Parameters as in :func:`example_1`.
    """
    options = {"alpha": alpha, "confidence_level": confidence_level}
    binomial = replication_probability.binomial(wins, n, **options)
    bayesian = replication_probability.bayesian(wins, n, **options)
    _, high = intervals.clopper_pearson(wins, n, confidence_level=confidence_level)
    return rows(
        {
            "txt24.p": two_sided_binomial_p(wins, n),
            "txt24.theta": wins / n,
            "txt24.P_b": binomial.point,
            "txt24.cp_hi": high,
            "txt24.P_hi": binomial.high,
            "txt24.PB_hi": bayesian.high,
            "txt24.range_lo": 100 * bayesian.high,
            "txt24.range_hi": 100 * binomial.high,
        },
    )


# ------------------------------------------------------------------ not in the paper


def power_over_theta(wins: int = 29, n: int = 44, alpha: float = 0.05) -> pd.DataFrame:
    """Why the interval is wide: replication probability against success probability.

    Columns `theta`, `P` (replication probability at theta) and `posterior` (density of
    theta under a uniform prior, as a share of its highest value, which is also the
    likelihood).
    """
    theta = np.linspace(0, 1, 401)
    s = replication_probability.smallest_significant(n, alpha=alpha)
    log_likelihood = special.xlogy(wins, theta) + special.xlog1py(n - wins, -theta)
    return pd.DataFrame(
        {
            "theta": theta,
            "P": stats.binom.sf(s - 1, n, theta) if s <= n else 0 * theta,
            "posterior": np.exp(log_likelihood - log_likelihood.max()),
        }
    )


def over_all_wins(n: int = 44, alpha: float = 0.05) -> pd.DataFrame:
    """Estimate and nested intervals of the binomial model for wins on half the data sets or more.

    Columns `wins`, `p`, `level`, `point`, `low`, `high`.
    """
    wins = np.arange((n + 1) // 2, n + 1)
    frames = []
    for level in (0.5, 0.8, 0.95):
        result = replication_probability.binomial(
            wins, n, alpha=alpha, confidence_level=level
        )
        frames.append(
            pd.DataFrame(
                {
                    "wins": wins,
                    "p": two_sided_binomial_p(wins, n),
                    "level": level,
                    "point": result.point,
                    "low": result.low,
                    "high": result.high,
                }
            )
        )
    return pd.concat(frames, ignore_index=True)


def averaged_over_posterior(wins: int, n: int, *, alpha: float = 0.05) -> float:
    """Replication probability with the success probability averaged out rather than plugged in.

    The wins of the replication then follow a beta-binomial distribution.

    >>> round(averaged_over_posterior(29, 44), 3)
    0.531
    """
    s = replication_probability.smallest_significant(n, alpha=alpha)
    return float(stats.betabinom.sf(s - 1, n, 1 + wins, 1 + n - wins))


def binomial_selection_bias(
    thetas: Sequence[float] = (0.6,), n: int = 44, alpha: float = 0.05
) -> pd.DataFrame:
    """Selection bias of the estimates from wins and losses, exact.

    Columns `theta`, `P` (truth), `binomial` and `bayesian` (means of the two estimates
    given a significant result in the direction of A).
    """
    theta = np.asarray(thetas, dtype=float)
    wins = np.arange(
        replication_probability.smallest_significant(n, alpha=alpha), n + 1
    )
    weight = stats.binom.pmf(wins, n, theta[:, None])
    P = weight.sum(axis=1)
    frame = pd.DataFrame({"theta": theta, "P": P, "rate": weight @ wins / (n * P)})
    for model in (replication_probability.binomial, replication_probability.bayesian):
        frame[model.__name__] = weight @ model(wins, n, alpha=alpha).point / frame["P"]
    return frame


# ------------------------------------------------------------------ errata e35, e36, e39


def power_of_44_data_sets() -> pd.DataFrame:
    """berrar2024.e36: three printed numbers, with and without intermediate rounding.

    Columns `quantity`, `printed`, `from the rounded rate`, `from the exact rate` (NaN
    where no rate is involved).
    """
    critical = replication_probability.smallest_significant(44)
    upper_tail = lambda rate: stats.binom.sf(critical - 1, 44, rate)
    printed = published.facts()["printed"]
    return pd.DataFrame(
        [
            (
                "P_b, 29 of 44",
                printed["berrar2024.ex01.P_b"],
                upper_tail(0.66),
                upper_tail(29 / 44),
            ),
            (
                "P_b, 24 of 44",
                printed["berrar2024.txt24.P_b"],
                upper_tail(0.5455),
                upper_tail(24 / 44),
            ),
            (
                "p-value, 29 of 44",
                printed["berrar2024.ex01.p_again"],
                np.nan,
                2 * stats.binom.sf(28, 44, 0.5),
            ),
        ],
        columns=["quantity", "printed", "from the rounded rate", "from the exact rate"],
    )


def two_tailed_p_value(wins: int = 29, n: int = 44) -> pd.DataFrame:
    """berrar2024.e35: the printed sum and twice it, in exact arithmetic.

    Columns `formula`, `value` (an exact fraction as a decimal), `printed`.
    """
    tail = Fraction(sum(comb(n, i) for i in range(wins, n + 1)), 2**n)
    return pd.DataFrame(
        {
            "formula": ["the printed sum", "twice the sum"],
            "value": [float(tail), float(2 * tail)],
            "printed": published.value("berrar2024.ex01.p"),
        }
    )


def estimate_after_significance(
    rates: Sequence[float] = (0.5, 0.6, 0.7, 0.8), n: int = 44
) -> pd.DataFrame:
    """berrar2024.e39: mean observed rate and estimate among significant experiments.

    Sums over all numbers of wins in the binomial model.

    Columns `rate` (true), `mean rate` (observed, over the significant experiments),
    `truth` (replication probability), `mean estimate` (of it, over the significant
    experiments).
    """
    bias = binomial_selection_bias(rates, n)
    return bias[["theta", "rate", "P", "binomial"]].set_axis(
        ["rate", "mean rate", "truth", "mean estimate"], axis=1
    )


def observed_is_the_best() -> pd.DataFrame:
    """cl.16: whether the mean estimate of significant experiments is right (erratum e39).

    Corrected for the selection, the estimate of one cross-validation has the truth as
    its median.
    """
    bias = estimate_after_significance()
    excess = bias["mean estimate"] - bias["truth"]
    selected = law_of_t.selection_bias(effects=(2.0, 3.0))
    return rows(
        {"cl.16": bool(excess.abs().max() < 0.005)},
        corrected={
            "cl.16": are_close(selected["selected_median"], selected["P"], rtol=0.001)
        },
        numbers={"cl.16": {"excess": excess.iloc[0]}},
    )


def half_of_the_size(alpha: float, most: int = 60) -> pd.DataFrame:
    """cl.10: under the null hypothesis, half the significant outcomes favour the same classifier.

    Counts outcomes, out of 2^n, of the exact two-sided sign test on n = 5 to `most`
    data sets.
    """
    are_halves, sizes = True, []
    for n in range(5, most + 1):
        significant = np.flatnonzero(
            two_sided_binomial_p(np.arange(n + 1), n) < alpha
        ).tolist()
        right = sum(comb(n, wins) for wins in significant if 2 * wins > n)
        both = sum(comb(n, wins) for wins in significant)
        are_halves &= 2 * right == both
        sizes.append(both / 2**n)
    return rows({"cl.10": are_halves}, numbers={"cl.10": {"sizes": Span(sizes)}})


def ledger_rows(
    *, wins: int = 29, n: int = 44, alpha: float = 0.05, confidence_level: float = 0.95
) -> pd.DataFrame:
    """Ledger rows of Sections 2.1.1 and 2.1.2; the parameters are those of Examples 1 and 2."""
    return pd.concat(
        [
            example_1(wins, n, alpha, confidence_level),
            example_2(wins, n, alpha, confidence_level),
            binomial_items(),
            bayesian_items(),
            half_of_the_size(alpha),
            observed_is_the_best(),
            text_about_figure_2(),
            not_significant(alpha=alpha, confidence_level=confidence_level),
        ],
        ignore_index=True,
    )

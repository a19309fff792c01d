"""Sections 2.1.3 and 2.2 of Berrar (2024): Z of the signed-rank test, T of a cross-validation."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import pandas as pd
from scipy import integrate, special, stats

from companion.papers import correlated_differences, published
from companion.papers.berrar2024 import law_of_t, printed
from companion.papers.berrar2024.rows import are_close, rows
from companion.papers.ledger import Span
from replib import replication_probability
from replib.significance import corrected_resampled_t, signed_rank


def figure_3(
    z: float = 1.96, sd: float = 1.0, confidence_level: float = 0.95
) -> pd.DataFrame:
    """Densities of the statistic in Figure 3.

    Columns `x`, `null`, `alternative`, `worst`, `best`.
    """
    x = np.linspace(min(-3.5, z - 5 * sd), z + 5 * sd, 601)
    half = special.ndtri((1 + confidence_level) / 2) * sd
    density = lambda mean, sd: stats.norm.pdf(x, mean, sd)
    return pd.DataFrame(
        {
            "x": x,
            "null": density(0, 1),
            "alternative": density(z, sd),
            "worst": density(z - half, sd),
            "best": density(z + half, sd),
        }
    )


def example_3(
    z: float = 1.96,
    sd: float = 1.0,
    alpha: float = 0.05,
    confidence_level: float = 0.95,
) -> pd.DataFrame:
    """Example 3 and Figure 3: the Wilcoxon model."""
    result = replication_probability.wilcoxon(
        z, sd, alpha=alpha, confidence_level=confidence_level
    )
    half = special.ndtri((1 + confidence_level) / 2) * sd
    return rows(
        {
            "prop01.z": special.ndtri(1 - alpha / 2),
            "ex03.p": 2 * special.ndtr(-abs(z)),
            "ex03.P": result.point,
            "ex03.ci_lo": z - half,
            "ex03.ci_hi": z + half,
            "ex03.P_lo": result.low,
            "ex03.P_hi": result.high,
            "fig03.mu1": z,
            "fig03.red": special.ndtr(-z),
            "fig03.blue": result.point,
            "fig03.worst": z - half,
            "fig03.best": z + half,
        }
    )


def figure_4(
    folds: int = 10,
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    p: Sequence[float] = tuple(np.geomspace(1e-5, 0.05, 121)),
) -> pd.DataFrame:
    """Replication probability against the p-value of one cross-validation (Figure 4).

    Columns `p`, `t`, `point`, `low`, `high`.
    """
    t = stats.t.isf(np.asarray(p) / 2, folds - 1)
    result = printed.cv_t(t, folds, alpha=alpha, confidence_level=confidence_level)
    return pd.DataFrame(
        {
            "p": np.asarray(p),
            "t": t,
            "point": result.point,
            "low": result.low,
            "high": result.high,
        }
    )


def example_4(
    t: float = 2.262,
    folds: int = 10,
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    target: float = 0.95,
) -> pd.DataFrame:
    """Example 4 and the caption of Figure 4: the cross-validation model."""
    levels = {"alpha": alpha, "confidence_level": confidence_level}
    result = printed.cv_t(t, folds, **levels)
    tail = (1 - confidence_level) / 2
    t_printed = stats.t.isf(published.value("berrar2024.fig04.p") / 2, folds - 1)
    at_printed = printed.cv_t(t_printed, folds, **levels)
    return rows(
        {
            "ex04.t": stats.t.isf(alpha / 2, folds - 1),
            "ex04.P": result.point,
            "ex04.P_lo": result.low,
            "ex04.P_hi": result.high,
            "ex04.q_lo": stats.nct.ppf(tail, folds - 1, t),
            "ex04.q_hi": stats.nct.ppf(1 - tail, folds - 1, t),
            "fig04.p": law_of_t.threshold(target, folds, alpha)[0],
            "fig04.P": at_printed.point,
            "fig04.P_lo": at_printed.low,
            "fig04.P_hi": at_printed.high,
        }
    )


def printed_signed_rank_z(differences: Sequence[int]) -> float:
    """Compute Equation 10 term by term: zeros dropped, always minus ½, variance corrected for ties.

    >>> round(printed_signed_rank_z([17, 3, 1, 9, -4, -2, -3, 3, 0]), 4)
    0.774
    """
    d = np.array([x for x in differences if x != 0])
    n = len(d)
    ranks = stats.rankdata(abs(d))
    _, ties = np.unique(abs(d), return_counts=True)
    variance = n * (n + 1) * (2 * n + 1) / 24 - (ties**3 - ties).sum() / 48
    return float((ranks[d > 0].sum() - n * (n + 1) / 4 - 0.5) / np.sqrt(variance))


def printed_corrected_t(
    differences: Sequence[Fraction], test_train_ratio: Fraction
) -> float:
    """Compute Equation 15 in exact fractions up to the square root.

    >>> percent = [Fraction(x, 100) for x in (2, 5, -1, 4, 3)]
    >>> round(printed_corrected_t(percent, Fraction(1, 4)), 3)
    1.684
    """
    k = len(differences)
    mean = sum(differences) / k
    variance = sum((d - mean) ** 2 for d in differences) / (k - 1)
    return float(mean) / float((Fraction(1, k) + test_train_ratio) * variance) ** 0.5


def _samples() -> np.ndarray:
    """Fifty samples of 20 differences in whole percent, with zeros and ties."""
    rng = np.random.default_rng(np.random.SeedSequence(2024))
    return rng.integers(-6, 9, size=(50, 20))


def wilcoxon_items() -> pd.DataFrame:
    """Check Proposition 1, and Equations 10 to 12."""
    samples = _samples()
    by_library = printed.signed_rank_z(samples)
    by_terms = [printed_signed_rank_z(sample) for sample in samples]
    turned = [printed_signed_rank_z(-sample) for sample in samples]
    towards_zero = signed_rank(samples, correction="towards_zero").zstatistic
    turned_towards_zero = signed_rank(-samples, correction="towards_zero").zstatistic

    z = np.array([-0.5, 1.0, 1.96, 2.437, 4.0])
    sd = np.array([1.0, 0.5, 1.0, 0.779, 1.3])
    critical = special.ndtri(0.975)
    model = replication_probability.wilcoxon(z, sd)
    low = _normal_tails(z - critical * sd, sd)
    high = _normal_tails(z + critical * sd, sd)
    at_critical = replication_probability.wilcoxon(critical, sd)
    limits = [at_critical.low, at_critical.high]
    return rows(
        {
            "eq10": are_close(by_terms, by_library) and are_close(turned, -by_library),
            "eq11": are_close(_normal_tails(z, sd), model.point, rtol=1e-8),
            "eq12": are_close([low, high], [model.low, model.high], rtol=1e-8),
            "prop01": are_close(at_critical.point, np.full(5, 0.5))
            and are_close(limits, [np.full(5, 0.025), np.full(5, 0.975)]),
        },
        corrected={"eq10": are_close(towards_zero, -turned_towards_zero)},
    )


def _normal_tails(means: np.ndarray, deviations: np.ndarray) -> list[float]:
    """Probabilities of normal variables beyond the critical Z, by numerical integration."""
    critical = special.ndtri(0.975)
    tails = []
    for mean, sd in zip(means, deviations):
        end = max(mean, critical) + 12 * sd
        tail, _ = integrate.quad(
            stats.norm.pdf, critical, end, args=(mean, sd), epsabs=1e-12
        )
        tails.append(tail)
    return tails


def cv_t_items(folds: int = 10) -> pd.DataFrame:
    """Check Proposition 2, and Equations 13 to 15."""
    t = np.array([0.5, 1.5, 2.262, 3.0, 4.0])
    critical = stats.t.isf(0.025, folds - 1)
    model = replication_probability.cv_t(t, folds, scale=1)
    beyond = [
        integrate.quad(
            stats.nct.pdf, critical, np.inf, args=(folds - 1, x), epsabs=1e-12
        )[0]
        for x in t
    ]
    by_interval = law_of_t.coverage(folds=folds).set_index("interval")["coverage"]
    covered, inverted = by_interval["as_printed"], by_interval["inverted"]

    samples = _samples()
    exact = [[Fraction(int(x), 100) for x in sample] for sample in samples]
    by_terms = [printed_corrected_t(sample, Fraction(1, 19)) for sample in exact]
    by_library = corrected_resampled_t(samples / 100, test_train_ratio=1 / 19).statistic
    mean = law_of_t.noncentral_t_mean(2.262, folds)
    return rows(
        {
            "eq13": are_close(beyond, model.point, rtol=1e-7),
            "eq14": bool((covered >= 0.95).all()),
            "eq15": are_close(by_terms, by_library),
            "prop02": bool(np.isclose(mean, 2.262)),
        },
        corrected={
            "eq14": are_close(inverted, np.full(len(inverted), 0.95), rtol=1e-9),
            "prop02": bool(np.isclose(mean, stats.nct.mean(folds - 1, 2.262))),
        },
        numbers={
            "eq14": {"covered": Span(100 * covered)},
            "prop02": {"ratio": mean / 2.262},
        },
    )


def widths(p: Sequence[float], folds: int = 10) -> pd.DataFrame:
    """Width of the 95% interval by the p-value of the first result, a column for each model.

    Columns `cross-validation`, and of the Wilcoxon model `s* = 1` and `printed s*`.
    """
    model, z = replication_probability.wilcoxon, special.ndtri(1 - np.asarray(p) / 2)
    limits = {
        "cross-validation": figure_4(folds, p=p),
        "s* = 1": model(z, 1.0),
        "printed s*": model(z, published.value("berrar2024.g3.s")),
    }
    return pd.DataFrame({name: one.high - one.low for name, one in limits.items()})


def statements_about_intervals_and_t(folds: int = 10) -> pd.DataFrame:
    """cl.11, cl.12 and cl.17: intervals are wide, and T is a noncentral t."""
    wide, above = (widths(np.geomspace(least, 0.05, 101)) for least in (0.003, 5e-4))
    holds = (
        (wide.min() > 0.5)
        & (above.min() > 0.1)
        & (widths(np.array([1e-9])).iloc[0] < 0.1)
    )
    alone, at_one_in_k = (
        correlated_differences.scale_of_t(0.0, folds),
        correlated_differences.scale_of_t(1 / folds, folds),
    )
    return rows(
        {
            "cl.11": bool(holds["cross-validation"]),
            "cl.12": bool(holds.iloc[1:].all()),
            "cl.17": bool(np.isclose(alone, 1)),
        },
        corrected={"cl.17": bool(np.isclose(at_one_in_k, 1))},
        numbers={"cl.17": {"scale": alone}},
    )


# ------------------------------------------------------------------ errata e37, e51, e52


def mean_under_the_alternative() -> pd.DataFrame:
    """berrar2024.e37: replication probability with T as noncentrality, and with T as mean.

    Columns `T is`, `noncentrality`, `mean`, `replication probability`.
    """
    t = published.value("berrar2024.ex04.t")
    mean_of_one = stats.nct.mean(
        9, 1.0
    )  # the mean is proportional to the noncentrality
    noncentrality = np.array([t, t / mean_of_one])
    return pd.DataFrame(
        {
            "T is": ["the noncentrality", "the mean"],
            "noncentrality": noncentrality,
            "mean": mean_of_one * noncentrality,
            "replication probability": replication_probability.cv_t(
                noncentrality, 10, scale=1
            ).point,
        }
    )


def interval_at_other_levels(
    confidence_levels: Sequence[float] = (0.5, 0.8, 0.95, 0.99),
) -> pd.DataFrame:
    """berrar2024.e51: Equation 14 with the critical value at level c (printed) and at alpha.

    Columns `1 - c`, `printed low`, `printed high`, `right low`, `right high`, `point`,
    for the t of Example 4.
    """
    frame = pd.DataFrame({"1 - c": confidence_levels})
    for place, level in enumerate(confidence_levels):
        for which, alpha in (("printed", 1 - level), ("right", 0.05)):
            limits = printed.cv_t(
                published.value("berrar2024.ex04.t"),
                10,
                alpha=alpha,
                confidence_level=level,
            )
            for end in ("low", "high"):
                frame.loc[place, f"{which} {end}"] = getattr(limits, end)
    return frame.assign(point=limits.point)


def swapped_classifiers(
    differences: Sequence[float] = (1, 2, 3, 4, 5, 6, 7, -8),
) -> pd.DataFrame:
    """berrar2024.e52: Z of Equation 10 when A and B are exchanged.

    Columns `difference`, `W+`, `printed Z`, `right Z` (the correction moves towards 0).
    """
    x = np.asarray(differences, dtype=float)
    return pd.DataFrame(
        [
            {
                "difference": name,
                "W+": int(signed_rank(sample).statistic),
                "printed Z": float(printed.signed_rank_z(sample)),
                "right Z": signed_rank(sample, correction="towards_zero").zstatistic,
            }
            for name, sample in (("A minus B", x), ("B minus A", -x))
        ]
    )


def ledger_rows(
    *,
    z: float = 1.96,
    sd: float = 1.0,
    t: float = 2.262,
    folds: int = 10,
    alpha: float = 0.05,
    confidence_level: float = 0.95,
    target: float = 0.95,
) -> pd.DataFrame:
    """Ledger rows of Sections 2.1.3 and 2.2; the parameters are those of Examples 3 and 4."""
    return pd.concat(
        [
            wilcoxon_items(),
            cv_t_items(),
            statements_about_intervals_and_t(),
            example_3(z, sd, alpha, confidence_level),
            example_4(t, folds, alpha, confidence_level, target),
        ],
        ignore_index=True,
    )

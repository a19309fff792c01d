"""Results in sentences that a person could paste into a paper."""

import re
from typing import Any

#: A hyphen that stands for the sign of a number, not between two numbers or letters.
_SIGN = re.compile(r"(?<![\w.)])-(?=\.?\d)")


def sentence(comparison: Any) -> str:
    """Say what was found, by which test, and whether a rerun is predicted to find it again."""
    c = comparison
    a, b = (f"{name} ({number(x.mean())})" for name, x in zip(c.names, c.scores))
    by_much = f"a significantly {better(c)} {mean_of(c.metric)}"
    what = {
        0: f"The {mean_of(c.metric)} of {a} and {b} did not differ significantly",
        1: f"{a} had {by_much} than {b}",
        -1: f"{b} had {by_much} than {a}",
    }[c.decision]
    sign = -1 if c.decision < 0 else 1  # in the direction of the sentence
    low, high = sorted(sign * limit for limit in c.confidence_interval())
    return (
        f"{what} (difference {number(sign * c.estimate)}, {level(c.alpha)} confidence interval "
        f"{number(low)} to {number(high)}; corrected resampled t test on {c.design}, "
        f"t({c.recommended.df}) = {number(sign * c.statistic, 2)}, {p_value(c.pvalue)}). "
        f"{SPEAKS_OF} {rerun(c, 'the same decision')}"
    )


#: What the corrected resampled t test is about.
SPEAKS_OF = "The test is about training on new data of this size."


def level(alpha: float) -> str:
    """Return the confidence level that belongs to a significance level.

    >>> level(0.05), level(0.001)
    ('95%', '99.9%')
    """
    return f"{100 * (1 - alpha):g}%"


def mean_of(metric: str) -> str:
    """Return what the mean of a score is called.

    >>> mean_of("accuracy"), mean_of("mean absolute error")
    ('mean accuracy', 'mean absolute error')
    """
    return metric if metric.startswith("mean ") else f"mean {metric}"


def better(comparison: Any) -> str:
    """Return the comparative of the better score: higher, or lower for errors."""
    return "higher" if comparison.greater_is_better else "lower"


def rerun(comparison: Any, what: str) -> str:
    """Say how likely a rerun on the same data is to reach `what`, or why that is unknown."""
    again = comparison.agreement
    if again is not None:
        return (
            f"On the same data, a rerun with another seed is predicted to reach {what} with "
            f"probability {again.point:.2f} (95% interval {again.low:.2f} to {again.high:.2f})."
        )
    if comparison.design.runs < 2:
        return "A single run shows no spread between seeds, so a rerun cannot be predicted."
    return "The runs show no spread between seeds, so a rerun cannot be predicted."


def of_pairs(comparative: str, found: list[tuple[str, str, float]], of: int) -> str:
    """Say which pairs differ: better, worse and p-value of each.

    >>> of_pairs("better", [("svm", "tree", 0.004), ("svm", "bayes", 0.0001)], 3)
    'Significantly better: svm than tree (p = 0.004) and bayes (p < 0.001); not the other pair'
    """
    if not found:
        return f"None of the {of} pairs differed significantly" if of > 1 else (
            "The two did not differ significantly")
    than: dict[str, list[str]] = {}
    for a, b, p in found:
        than.setdefault(a, []).append(f"{b} ({p_value(p)})")
    each = "; ".join(f"{a} than {listed(others)}" for a, others in than.items())
    rest = of - len(found)
    tail = f"; not the {rest} other pairs" if rest > 1 else "; not the other pair" * rest
    return f"Significantly {comparative}: {each}{tail}"


def adjusted(method: str, pairs: int) -> str:
    """Say how p-values were adjusted.

    >>> adjusted("holm", 10)
    'Holm-adjusted for 10 pairs'
    """
    how = {
        "holm": "Holm-adjusted", "bonferroni": "Bonferroni-adjusted", "none": "not adjusted",
        "benjamini_hochberg": "adjusted to the false discovery rate (Benjamini and Hochberg)",
    }[method]
    return f"{how} for {pairs} pairs" if pairs > 1 else "one pair"


def listed(names: list[str]) -> str:
    """Join names with commas and an "and".

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(names[:-1])] * (len(names) > 1) + names[-1:])


def with_limits(point: float, low: float, high: float, decimals: int = 3) -> str:
    """Write a number and its interval.

    >>> with_limits(0.5, -0.25, 1)
    '0.500 (−0.250 to 1.000)'
    """
    at, least, most = (number(x, decimals) for x in (point, low, high))
    return f"{at} ({least} to {most})"


def of_interval(value: Any) -> str:
    """Write a probability and its interval."""
    return with_limits(value.point, value.low, value.high, 2)


def share(x: float) -> str:
    """Write a probability, or a dash if it is unknown."""
    return "–" if x != x else f"{x:.2f}"


def shares(frame: Any, name: str) -> list[str]:
    """Write the probabilities of a table with their limits, which are in separate columns."""
    columns = (frame[f"{name}{end}"].map(share) for end in ("", "_low", "_high"))
    return [f"{point} ({low} to {high})" for point, low, high in zip(*columns)]


def number(x: float, decimals: int = 3) -> str:
    """Write three decimals, or four digits of a larger number; minus sign, no negative zero.

    >>> number(-0.0061), number(-0.0001), number(-12.345)
    ('−0.006', '0.000', '−12.35')
    """
    text = f"{x:.{decimals}f}" if abs(x) < 10 else f"{x:.4g}"
    return with_minus(text) if float(text) else text.lstrip("-")


def with_minus(text: str) -> str:
    """Return a text whose negative numbers have a minus sign instead of a hyphen.

    >>> with_minus("-0.5 to 0.1, 10-fold")
    '−0.5 to 0.1, 10-fold'
    """
    return _SIGN.sub("\N{MINUS SIGN}", text)


def p_value(p: float) -> str:
    """Write p < 0.001 for smaller values, otherwise two significant digits."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"


def runs(value: float) -> str:
    return "more than 100 000" if value == float("inf") else f"{value:.0f}"

"""Results in sentences that a person could paste into a paper."""

import re

#: A hyphen that stands for the sign of a number, not between two numbers or letters.
_SIGN = re.compile(r"(?<![\w.)])-(?=\.?\d)")


def sentence(comparison) -> str:
    """What was found, by which test, and whether a rerun is predicted to find it too."""
    c = comparison
    a, b = (f"{name} ({number(x.mean())})" for name, x in zip(c.names, c.scores))
    what = {
        0: f"The mean {c.metric} of {a} and {b} did not differ significantly",
        1: f"{a} had a significantly better mean {c.metric} than {b}",
        -1: f"{b} had a significantly better mean {c.metric} than {a}",
    }[c.decision]
    sign = -1 if c.decision < 0 else 1  # in the direction of the sentence
    low, high = sorted(sign * limit for limit in c.confidence_interval())
    return (
        f"{what} (difference {number(sign * c.estimate)}, 95 % confidence interval {number(low)} "
        f"to {number(high)}; corrected resampled t test on {c.design}, t({c.recommended.df}) = "
        f"{number(sign * c.statistic, 2)}, {p_value(c.pvalue)}). {_rerun(c)}"
    )


def _rerun(c) -> str:
    if c.agreement is None:
        return "One run shows no spread from seed to seed, so that a rerun cannot be predicted."
    return (
        "A rerun with another seed is predicted to reach the same decision with probability "
        f"{c.agreement.point:.2f} (95 % interval {c.agreement.low:.2f} to {c.agreement.high:.2f})."
    )


def number(x: float, decimals: int = 3) -> str:
    """Three decimals, or four digits of what is larger; with a minus sign, and no negative zero.

    >>> number(-0.0061), number(-0.0001), number(-12.345)
    ('−0.006', '0.000', '−12.35')
    """
    text = f"{x:.{decimals}f}" if abs(x) < 10 else f"{x:.4g}"
    return with_minus(text) if float(text) else text.lstrip("-")


def with_minus(text: str) -> str:
    """A text whose negative numbers have a minus sign in the place of a hyphen.

    >>> with_minus("-0.5 to 0.1, 10-fold")
    '−0.5 to 0.1, 10-fold'
    """
    return _SIGN.sub("\N{MINUS SIGN}", text)


def p_value(p: float) -> str:
    """As in a paper: p < 0.001 where it is, else two significant digits."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.2g}"


def runs(value: float) -> str:
    return "more than 100 000" if value == float("inf") else f"{value:.0f}"

"""Results in sentences that a person could paste into a paper."""

import math
import re
from functools import partial
from typing import Any

import numpy as np

from replib._validation import joined
from replib.designs import CV, Datasets, Items, RandomSplits
from replib.scores import Predictions

#: A hyphen that stands for the sign of a number, not between two numbers or letters.
_SIGN = re.compile(r"(?<![\w.)])-(?=\.?\d)")

#: A probability whose interval is wider than this says nothing.
_WIDEST = 0.7


def lines(result: Any) -> list[str]:
    """Return two or three sentences: what was found, of what it speaks, would it be found again."""
    pairs = result.pairs
    found = (
        _one_pair(result, pairs.iloc[0]) if len(pairs) == 1 else _several(result, pairs)
    )
    if result.equivalence is not None:
        found += f" {_equivalence(result, pairs)}"
    again = _again(result, pairs)
    return [found, result.tests.about, *([again] if again else [])]


def _one_pair(result: Any, pair: Any) -> str:
    sign = -1 if pair.decision < 0 else 1  # in the direction of the sentence
    # over data sets, what differs are not the means, which need not have one unit
    of_sets = isinstance(result.data.design, Datasets)
    what = str(result.metric) if of_sets else _what(result)
    low, high = sorted((sign * pair.low, sign * pair.high))
    written = partial(number, width=high - low)
    a, b = (
        name if of_sets else f"{name} ({written(result.means[name])})"
        for name in (pair.a, pair.b)
    )
    more = result.metric.better
    said = {
        0: f"The {what} of {a} and {b} did not differ significantly",
        1: f"{a} had a significantly {more} {what} than {b}",
        -1: f"{b} had a significantly {more} {what} than {a}",
    }[pair.decision]
    disagree = bool(pair.low > 0 or pair.high < 0) != bool(
        pair.decision
    )  # no inverse of the test
    borderline = "; borderline, as test and interval disagree" * disagree
    tests, counts = result.tests, ""
    if "wins" in pair:
        counts = f"{pair.a} ahead on {pair.wins}, {pair.b} on {pair.losses}; "
    name = "z" if np.isinf(pair.df) else f"t({pair.df:.4g})"
    found = (
        "" if np.isnan(pair.df) else f"{name} = {number(sign * pair.statistic, 2)}, "
    )
    chosen = (
        f", adjusted for the choice among {len(result.means)} models"
        if (result.selection == "baseline")
        else ""
    )
    return (
        f"{said} ({tests.estimand} {written(sign * pair.difference)}, {level(1 - result.level)} "
        f"confidence interval {written(low)} to {written(high)}; {counts}{tests.name} on "
        f"{tests.on}, "
        f"{found}{p_value(pair.adjusted_p)}{chosen}{borderline})."
    )


def _several(result: Any, pairs: Any) -> str:
    means, more = result.means, result.metric.better
    found = [
        (row.a, row.b, row.adjusted_p)
        if row.decision > 0
        else (row.b, row.a, row.adjusted_p)
        for row in pairs.itertuples()
        if row.decision
    ]
    name, p = result.tests.overall or ("", 0.0)
    overall = f"; {name}: {p_value(p)}" if name else ""
    how = adjusted(result.correction, len(pairs))
    return (
        f"{means.index[0]} had the {more[:-2]}est {_what(result)} of {len(means)} models "
        f"({number(means.iloc[0])}{overall}). {of_pairs(more, found, len(pairs))} "
        f"({result.tests.name}s on {result.tests.on}, {how}, level {result.alpha:g})."
    )


def _what(result: Any) -> str:
    """Return what the means are called."""
    metric = str(result.metric)
    single = isinstance(result.data, Predictions) or (
        isinstance(result.data.design, Items)
        and max(map(len, result.data.blocks.values())) == 1
    )
    return metric if single or metric.startswith("mean ") else f"mean {metric}"


def _equivalence(result: Any, pairs: Any) -> str:
    margin = f"{result.equivalence:g}"
    if len(pairs) > 1:
        found = [f"{row.a} and {row.b}" for row in pairs.itertuples() if row.equivalent]
        return (
            f"Equivalent within {margin}: {joined(found)}."
            if found
            else (f"Equivalence within {margin} was not shown for any pair.")
        )
    pair = pairs.iloc[0]
    p = p_value(pair.p_equivalent)
    if pair.equivalent:
        return f"They are equivalent within {margin} ({p})."
    text = f"Equivalence within {margin} was not shown ({p})."
    a, b = (pair.a, pair.b) if pair.not_worse else (pair.b, pair.a)
    return (
        text
        if not (pair.not_worse or pair.b_not_worse)
        else (f"{a} is not worse than {b} by more than {margin}; e{text[1:]}")
    )


def _again(result: Any, pairs: Any) -> str:
    """Say how likely a rerun, or else a replication, is to agree; nothing if that says nothing."""
    design = result.data.design
    splits = isinstance(design, CV | RandomSplits)
    said = (
        f"On the same {'items' if isinstance(design, Items) else 'data'}, a rerun with "
        f"{'other splits' if splits else 'new seeds'} is predicted"
    )
    if splits and result.choice and result.selection in ("best", "baseline"):
        again = result.choice[0]
        said += " to have the same best model"
    elif result.reruns is not None:
        again = result.reruns[len(pairs) > 1]
        said += " to reach the same decision" + f" about all {len(pairs)} pairs" * (
            len(pairs) > 1
        )
    elif splits and design.shape[0] < 2:
        return "A single run shows no spread between seeds, so a rerun cannot be predicted."
    elif isinstance(design, Datasets) and len(pairs) == 1:
        again = (
            pairs.iloc[0].filter(like="replication").set_axis(["point", "low", "high"])
        )
        said = "On as many other data sets, the difference is predicted to be significant again"
    else:
        return ""
    point, low, high = (
        float(np.ravel(x)[0]) for x in (again.point, again.low, again.high)
    )
    return (
        ""
        if not high - low <= _WIDEST
        else (
            f"{said} with probability {point:.2f} (95% interval {low:.2f} to {high:.2f})."
        )
    )


def of_pairs(comparative: str, found: list[tuple[str, str, float]], of: int) -> str:
    """Say which pairs differ: better, worse and p-value of each.

    >>> of_pairs("better", [("svm", "tree", 0.004), ("svm", "bayes", 0.0001)], 3)
    'Significantly better: svm than tree (p = 0.004) and bayes (p < 0.001); not the other pair'
    """
    if not found:
        return f"None of the {of} pairs differed significantly"
    than: dict[str, list[str]] = {}
    for a, b, p in found:
        than.setdefault(a, []).append(f"{b} ({p_value(p)})")
    each = "; ".join(f"{a} than {joined(others)}" for a, others in than.items())
    rest = of - len(found)
    tail = (
        f"; not the {rest} other pairs" if rest > 1 else "; not the other pair" * rest
    )
    return f"Significantly {comparative}: {each}{tail}"


def adjusted(method: str, pairs: int) -> str:
    """Say how p-values were adjusted.

    >>> adjusted("holm", 10)
    'Holm-adjusted for 10 pairs'
    """
    how = {
        "holm": "Holm-adjusted",
        "bonferroni": "Bonferroni-adjusted",
        "none": "not adjusted",
    }
    return f"{how[method]} for {pairs} pairs"


def level(alpha: float) -> str:
    """Return the confidence level that belongs to a significance level.

    >>> level(0.05), level(1e-6)
    ('95%', '99.9999%')
    """
    return f"{100 * (1 - alpha):.{max(4, 1 - math.floor(math.log10(alpha)))}g}%"


def number(x: float, decimals: int = 3, *, width: float = math.inf) -> str:
    """Write three decimals, or four digits of a larger number; minus sign, no negative zero.

    There are more if they are needed to show two digits of the width of an interval.

    >>> number(0.12345), number(-0.0061), number(-0.0001), number(-12.345), number(-1e6)
    ('0.123', '−0.006', '0.000', '−12.35', '−1e+06')
    >>> number(0.12345, width=4e-3), number(12.345678, width=4e-3), number(3e-9, width=2e-9)
    ('0.1235', '12.3457', '3e-09')
    """
    if np.isinf(x):
        return "∞" if x > 0 else "−∞"
    needed = 1 - math.floor(math.log10(width)) if 0 < width < math.inf else -math.inf
    if abs(x) < 10 and needed < 8:
        text = f"{x:.{max(decimals, needed)}f}"
    else:
        digits = math.floor(math.log10(abs(x) or 1)) + 1 + needed
        text = f"{x:.{max(4 if abs(x) >= 10 else 1, digits)}g}"
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


def cliques(alike: Any) -> list[list[int]]:
    """Find the maximal sets of at least two in which no pair differs (Bron and Kerbosch).

    >>> cliques(np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]], dtype=bool))
    [[0, 1], [1, 2]]
    """
    found = []
    near = [set(np.flatnonzero(row)) - {place} for place, row in enumerate(alike)]

    def extend(chosen: list[int], candidates: set[int], done: set[int]) -> None:
        if not candidates | done and len(chosen) > 1:
            found.append(sorted(map(int, chosen)))
        for one in sorted(candidates):
            extend([*chosen, one], candidates & near[one], done & near[one])
            candidates, done = candidates - {one}, done | {one}

    extend([], set(range(len(alike))), set())
    return sorted(found)

r"""Plans: how many runs, splits, seeds, items or data sets does a difference need?

The spread of the differences comes from a number or from a pilot experiment.  The power
of a t test follows from the noncentral t distribution, that of McNemar's exact test is
summed, and the signed-rank test is simulated for up to 20 data sets, and taken for a t
test on :math:`3n/\pi` of more, which is its efficiency for normal differences.
"""

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
from scipy import special

from replib import significance, variance
from replib._pair_tests import Question, pair_tests
from replib._validation import check_level, positive_number, real_number, whole_number
from replib.designs import CV, Datasets, Design, Items, RandomSplits, Seeds, find_design
from replib.scores import Scores
from replib.significance import mcnemar_power

#: Most units of a plan.
MOST = 10**7


@dataclass(frozen=True)
class Plan:
    """Size of an experiment, and what it can find.

    Attributes
    ----------
    what : str
        What is counted, such as "runs of 10-fold cross-validation".
    n : float
        How many of them; infinite if no number is enough.
    difference : float
        True difference.
    power : float
        Probability that it is significant, or that equivalence is shown.
    floor : float
        Smallest difference that any number finds with this power; 0 if there is none.
    alpha : float
        Level of each comparison.
    equivalence : float or None
        Margin.
    runs : float or None
        Runs of each model that would do on the items of the pilot.
    pilot : tuple of three floats, or None
        Difference of the pilot and the limits of its 95% interval.
    """

    what: str
    n: float
    difference: float
    power: float
    floor: float
    alpha: float
    equivalence: float | None = None
    runs: float | None = None
    pilot: tuple[float, float, float] | None = None

    def sentence(self) -> str:
        """Return the plan in words that can go into a proposal."""
        goal = f"a true difference of {self.difference:.3g} is significant"
        if math.isinf(self.difference):
            goal = "no true difference is significant"
        elif self.equivalence is not None:
            goal = (
                f"equivalence within {self.equivalence:.3g} is shown, if the true difference "
                f"is {self.difference:.3g},"
            )
        count = "no number of" if math.isinf(self.n) else f"{self.n:,}"
        text = (
            f"With {count} {self.what} {goal} with probability {self.power:.2f} at the level "
            f"{self.alpha:.3g}."
        )
        if self.floor:
            text += (
                f" No number of them does so for a difference below {self.floor:.3g}."
            )
        if self.runs is not None and math.isfinite(self.runs):
            text += f" {self.runs:.0f} runs of each model on the items of the pilot do so, too."
        if self.pilot is not None:
            text += (
                " The pilot has a difference of {:.3g}, 95% interval {:.3g} to {:.3g}: a plan "
                "for that difference may miss the true one."
            ).format(*self.pilot)
        return text

    __str__ = sentence


@dataclass(frozen=True)
class _Test:
    """The test of a design.

    `error` gives the standard error of the difference and its degrees of freedom for a
    number of units, `critical` equally probable critical values of t for a number and a
    lower tail.
    """

    what: str
    error: Callable[[int], tuple[float, float]]
    critical: Callable[[int, float], Any] | None = None
    discordant: float | None = None
    size: int | None = None  # of the design or pilot
    pilot: tuple[float, float, float] | None = None
    with_runs: Callable[[int], Any] | None = None  # the test for another number of runs

    def power(
        self, n: int, difference: float, alpha: float, margin: float | None
    ) -> float:
        """Return the probability that a difference is significant, or shown to be small."""
        if self.discordant is not None:
            return _of_counts(n, difference, self.discordant, alpha, margin)
        error, df = self.error(n)
        if self.what == "data sets" and n <= 20:
            return _of_data_sets(
                n, difference, error * math.sqrt(3 * n / math.pi), alpha, margin
            )
        tail, shift = (alpha / 2, 0.0) if margin is None else (alpha, margin)
        t = (
            special.stdtrit(df, tail)
            if self.critical is None
            else self.critical(n, tail)
        )
        less, greater = (  # the function has no value where it is below 1e-16
            float(np.nan_to_num(special.nctdtr(df, z / error, t)).mean())
            for z in (difference - shift, -difference - shift)
        )
        return less + greater if margin is None else max(less + greater - 1, 0.0)


def _of_data_sets(
    n: int, difference: float, sd: float, alpha: float, margin: float | None
) -> float:
    """Simulate the signed-rank test of normal differences, to half a point."""
    x = np.random.default_rng(0).normal(difference, sd, size=(10_000, n))
    if margin is None:
        return float(np.mean(significance.signed_rank(x).pvalue < alpha))
    above = significance.signed_rank(x + margin, alternative="greater").pvalue < alpha
    below = significance.signed_rank(x - margin, alternative="less").pvalue < alpha
    return float(np.mean(above & below))


def _of_counts(
    n: int, difference: float, discordant: float, alpha: float, margin: float | None
) -> float:
    """Return the power of McNemar's exact test, or simulate Tango's two tests to half a point."""
    win = (discordant + difference) / 2
    lose = max(discordant - win, 0.0)
    if margin is None:
        return float(mcnemar_power(n, win, lose, alpha=alpha, method="exact"))
    shares = win, lose, max(1 - win - lose, 0)
    wins, losses, _ = np.random.default_rng(0).multinomial(n, shares, size=10_000).T
    above = significance.tango(wins, losses, n, shift=-margin).greater < alpha
    return float(
        np.mean(
            above & (significance.tango(wins, losses, n, shift=margin).less < alpha)
        )
    )


def _of_design(design: Design, spread: Any) -> _Test:
    """Return the test of a design for a standard deviation or a share of discordant items."""
    if isinstance(design, Items):
        share = real_number("spread", spread, 1e-9, 1)
        if design.cluster:
            raise ValueError(
                "spread must be a pilot, since items in clusters have two spreads"
            )
        return _Test(
            "items", lambda n: (math.sqrt(share / n), n - 1.0), discordant=share
        )
    sd = min(positive_number("spread", spread), 1e100)  # its square must be finite
    if isinstance(design, Seeds):
        return _of_seeds(*[sd**2] * (1 if design.paired else 2))
    if isinstance(design, Datasets):
        return _Test("data sets", lambda n: (sd * math.sqrt(math.pi / 3 / n), n - 1.0))
    (runs, folds), ratio = design.shape, design.ratio
    what = str(design).split(" ", 1)[1]
    return _Test(
        what if runs > 1 else what.replace("run", "runs", 1),
        lambda n: (sd * math.sqrt(1 / (n * folds) + ratio), n * folds - 1.0),
        size=runs,
    )


def _of_seeds(*variances: float) -> _Test:
    """Return Welch's test for two variances, the paired test for one."""
    error = lambda n: (math.sqrt(sum(variances) / n), len(variances) * (n - 1.0))
    if len(variances) == 1:
        return _Test("paired seeds", error)

    @cache
    def critical(n: int, tail: float) -> Any:
        """Return values of t for quantiles of the first model's share in the chi-squares."""
        share = special.betaincinv((n - 1) / 2, (n - 1) / 2, (np.arange(64) + 0.5) / 64)
        a, b = variances[0] * share, variances[1] * (1 - share)
        df = (n - 1) * (a + b) ** 2 / (a**2 + b**2)
        return special.stdtrit(df, tail) * np.sqrt(2 * (a + b) / sum(variances))

    return _Test("seeds of each model", error, critical)


def _of_items(parts: variance.VarianceComponents, runs: int, models: int) -> _Test:
    """Return the test of the variance model; with several runs its critical values are drawn."""
    error: Callable[[int], float] = lambda n: float(parts.standard_error(runs, n))
    units: Callable[[int], float] = lambda n: n * parts.units / parts.items
    clusters = ", in clusters as in the pilot," * (parts.units < parts.items)
    if runs == 1:
        return _Test(f"items{clusters}", lambda n: (error(n), units(n) - 1))

    @cache
    def critical(n: int, tail: float) -> Any:
        if units(n) < 2:
            return -math.inf
        rng, fewer = np.random.default_rng(0), parts.items / n
        drawn: Callable[..., Any] = lambda mean, df, *shape: (
            mean / df * rng.chisquare(df, size=(*shape, 4000))
        )
        seed = max(parts.seed, 0) * parts.runs / runs
        answer = max(parts.interaction, 0) * parts.runs / runs * fewer
        item = (max(parts.item, 0) + max(parts.cluster, 0)) * fewer
        drawn_variance, df = variance.variance_of_difference(
            variance.MeanSquares(
                np.zeros(4000),
                drawn(item + answer, units(n) - 1),
                drawn((seed + answer) / models, runs - 1, models),
                drawn(answer / models, (runs - 1) * (units(n) - 1), models),
                (runs,) * models,
                n,
                int(units(n)),
                units(n),
                np.ones(4000),
            )
        )
        return special.stdtrit(df, tail) * np.sqrt(drawn_variance) / error(n)

    what = f"items{clusters} in {runs} runs of each model"
    return _Test(
        what,
        lambda n: (error(n), 1e9),
        critical,
        with_runs=lambda runs: _of_items(parts, runs, models),
    )


def _of_pair(design: Design, pilot: Scores, a: str, b: str) -> _Test:
    """Return the test of a design for the spread that two models of a pilot have."""
    x, y, own = pilot.blocks[a], pilot.blocks[b], pilot.design
    if isinstance(own, Items):
        clusters = None if own.predicted == "by_fold" else pilot.clusters
        if own.runs == "samples":
            x, y = x.mean(0, keepdims=True), y.mean(0, keepdims=True)
        if clusters is None and len(x) == len(y) == 1 and np.isin((x, y), (0, 1)).all():
            test = _of_design(Items(), (x != y).mean())
        else:
            parts = variance.variance_components(
                x, y, groups=clusters, paired_runs=own.paired
            )
            test = _of_items(parts, round(parts.runs), 1 if own.paired else 2)
    elif isinstance(own, Seeds) and not own.paired:
        test = _of_seeds(x.var(ddof=1), y.var(ddof=1))
    else:
        test = _of_design(design, float((x - y).std(ddof=1)))
    low, high = np.sort(
        pilot.metric.sign * np.ravel(pair_tests(Question(pilot, [(a, b)])).limits(0.95))
    )
    return replace(
        test,
        size=test.size or min(x.shape[-1], y.shape[-1]),
        pilot=(float(x.mean() - y.mean()), float(low), float(high)),
    )


def plan(
    design: Any,
    spread: Any,
    *,
    difference: float | None = None,
    n: int | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    equivalence: float | None = None,
    pairs: int = 1,
) -> Plan:
    """Plan the size of an experiment, or find out what an experiment of a given size can find.

    Parameters
    ----------
    design : design, text or splitter
        As for :func:`replib.designs.find_design`.  Its own number of runs or splits
        counts if neither `difference` nor `n` is given.
    spread : float or Scores
        Numbers are, by design: `sd`, the standard deviation of the differences between
        two models (of splits, paired seeds, data sets) or of one model's scores (seeds
        that are not paired); or `discordant`, the share of items that only one of two
        models gets right.  A `pilot` is an experiment of the same design, of which the
        pair of models with the largest spread counts.
    difference : float, optional
        True difference, without sign.  By default, the smallest one that is found; 0
        for equivalence.
    n : int, optional
        Number of runs, splits, seeds of each model, items or data sets.  By default,
        the smallest one with enough power; if the difference is not given either, that
        of the design or pilot.
    power : float, default 0.8
        Not used if `difference` and `n` are given: then it is computed.
    alpha : float, default 0.05
        Two-sided level; for equivalence, that of each of the two one-sided tests.
    equivalence : float, optional
        Margin: plan to show that the models differ by less.
    pairs : int, default 1
        Number of pairs of models that are compared; `alpha` is divided by it.

    Returns
    -------
    Plan

    Raises
    ------
    ValueError
        If an argument lies outside its range, the pilot is of another design, or
        nothing says how large the difference or the experiment is.

    Examples
    --------
    >>> plan("10x10", 0.03, difference=0.03).n
    8
    >>> print(plan("items", 0.2, difference=0.05).sentence())
    With 658 items a true difference of 0.05 is significant with probability 0.80 at the level 0.05.
    """
    design = find_design(design, seeded=False)
    check_level("power", power, at_most=0.9999)
    check_level("alpha", alpha, at_most=0.5)
    alpha = alpha / whole_number("pairs", pairs, at_least=1)
    if isinstance(spread, Scores):
        of = [
            (type(one), getattr(one, "ratio", None)) for one in (spread.design, design)
        ]
        if of[0] != of[1]:
            raise ValueError(
                f"spread is a pilot of {spread.design}, which is not {design}"
            )
        test = max(
            (_of_pair(design, spread, a, b) for a, b in combinations(spread.models, 2)),
            key=lambda test: test.error(MOST)[0],
        )
    else:
        test = _of_design(design, spread)
    most, least = test.discordant or math.inf, 1 if isinstance(design, CV) else 2
    if equivalence is not None:
        margin = real_number(
            "equivalence", equivalence, 1e-100, 1 if test.discordant else 1e100
        )
        most = min(most, np.nextafter(margin, 0))
        difference = real_number(
            "difference", 0.0 if difference is None else difference, 0, most
        )
    elif difference is not None:
        difference = real_number(
            "difference", positive_number("difference", difference), 0, most
        )
    if n is not None:
        n = whole_number("n", n, at_least=least, at_most=MOST)
    elif difference is None and test.size is None:
        raise ValueError(
            "difference or n must be given: nothing says how large the experiment is"
        )
    if not test.error(MOST)[0] > 0:
        raise ValueError(
            "spread must be above 0, and the models of the pilot differ by a constant"
        )

    def enough(n: int, difference: float) -> bool:
        return test.power(n, difference, alpha, equivalence) >= power

    def smallest(n: int) -> float:
        step = 1e-5 * (test.discordant or test.error(n)[0])
        steps = 10**5 if test.discordant else 10**7
        return step * _smallest_number(lambda steps: enough(n, steps * step), 0, steps)

    count: float = n or test.size or least
    runs, limited = (
        None,
        isinstance(design, CV | RandomSplits) or test.with_runs is not None,
    )
    if difference is None:
        difference, attained = smallest(int(count)), power
    else:
        if n is None:
            high = least
            while high < MOST and not enough(high, difference):
                high *= 2
            count = _smallest_number(lambda n: enough(n, difference), least, high)
        attained = (
            power
            if math.isinf(count)
            else (test.power(int(count), difference, alpha, equivalence))
        )
        if n is None and (with_runs := test.with_runs) is not None:
            runs = _smallest_number(
                lambda r: (
                    with_runs(r).power(test.size, difference, alpha, equivalence)
                    >= power
                ),
                2,
                1000,
            )
    floor = smallest(MOST) if limited and equivalence is None else 0.0
    return Plan(
        test.what,
        count,
        difference,
        attained,
        floor,
        alpha,
        equivalence,
        runs,
        test.pilot,
    )


def _smallest_number(enough: Callable[[int], bool], low: int, high: int) -> float:
    """Return the smallest whole number from `low` to `high` that is enough; infinite if none is."""
    if not enough(high):
        return math.inf
    return low + bisect_left(range(low, high), True, key=enough)

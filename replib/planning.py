"""Plans: how many runs, splits, seeds, items or data sets does a difference need?

The spread of the differences comes from a number or from a pilot experiment; the power
is that of each design's test.
"""

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from replib import variance
from replib._bars import counted_steps
from replib._levels import check_alpha_and_power
from replib._pair_tests import Question, pair_tests
from replib._pair_tests.items import answers_among
from replib._power import (
    MOST_UNITS,
    DatasetsTest,
    DesignTest,
    ItemsInRunsTest,
    ItemsTest,
    Margin,
    McNemarTest,
    PairedSeedsTest,
    SplitsTest,
    SuiteTest,
    WelchTest,
)
from replib._squares import squares_of_pairs
from replib._validation import (
    Array,
    positive_number,
    real_number,
    refusal,
    whole_number,
)
from replib.designs import CV, Datasets, Design, Items, RandomSplits, Seeds, find_design
from replib.scores import Scores

#: Most runs of each model that are looked for.
_MOST_RUNS = 1000
#: The power of an exact test is a saw: it falls a little at sizes that do not lower the
#: largest p-value that is significant.  Sizes down to so many below may be enough already:
#: 77 if all items are discordant, and a difference of 0.03 takes 8,836.
_MOST_TEETH = 100
#: A difference in percentage points is hardly smaller, a standard deviation of fractions
#: hardly larger, and a difference that somebody looks for hardly so many times smaller, or
#: larger, than the standard deviation.
_FEWEST_POINTS = 0.2
_LARGEST_FRACTION = 0.2
_SMALL_FRACTION = 0.05
_FAR = 20
#: A larger standard deviation has a square that a float does not represent.
_LARGEST_SD = 1e100


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
    equivalence, not_worse : float or None
        Margin.
    runs : float or None
        Runs of each model that would do on the items of the pilot.
    pilot : tuple of three floats, or None
        Difference of the pilot and the limits of its 95% interval.
    notes : tuple of str
        What looks wrong in the plan, each in a sentence.
    """

    what: str
    n: float
    difference: float
    power: float
    floor: float
    alpha: float
    equivalence: float | None = None
    not_worse: float | None = None
    runs: float | None = None
    pilot: tuple[float, float, float] | None = None
    notes: tuple[str, ...] = ()

    def sentence(self) -> str:
        """Return the plan in words that can go into a proposal."""
        summary = (
            f"With {self._size()} {self._goal()} with probability "
            f"{self.power:.2f} at the level {self.alpha:.3g}."
        )
        sentences = [summary]
        if self.floor:
            sentences.append(
                f"No number of them does so for a difference below {self.floor:.3g}."
            )
        if self.runs is not None and math.isfinite(self.runs):
            sentences.append(
                f"{self.runs:.0f} runs of each model on the items of the pilot do so, "
                "too."
            )
        if self.pilot is not None:
            difference, low, high = self.pilot
            sentences.append(
                f"The pilot has a difference of {difference:.3g}, 95% interval "
                f"{low:.3g} to {high:.3g}: a plan for that difference may miss the true "
                "one."
            )
        return " ".join([*sentences, *self.notes])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as text and numbers, ready for `json.dumps`; infinite ones are None."""
        values = {"sentence": self.sentence()} | asdict(self) | {"notes": [*self.notes]}
        return {
            name: None if isinstance(value, float) and math.isinf(value) else value
            for name, value in values.items()
        }

    def _size(self) -> str:
        """Say how many units there are, such as "658 items"."""
        if self.n == 1:
            unit = re.sub(r"s(?= |$)", "", self.what, count=1)  # run of ...
            return f"1 {unit}"
        if math.isfinite(self.n):
            return f"{self.n:,} {self.what}"
        if self.difference < self.floor:
            return f"no number of {self.what}"
        # more may do
        return f"no number of {self.what} up to {MOST_UNITS:,}"

    def _goal(self) -> str:
        """Say what is found with the plan's probability."""
        if math.isinf(self.difference):
            return "no true difference is significant"
        if self.not_worse is not None:
            return (
                f"a model is shown not to be worse by {self.not_worse:.3g} or more, if "
                f"its true advantage is {self.difference:.3g},"
            )
        if self.equivalence is None:
            return f"a true difference of {self.difference:.3g} is significant"
        return (
            f"equivalence within {self.equivalence:.3g} is shown, if the true "
            f"difference is {self.difference:.3g},"
        )

    __str__ = sentence


@dataclass(frozen=True)
class _Start:
    """What a plan starts from.

    Attributes
    ----------
    test : DesignTest
    size : int or None
        Units of the design or pilot.
    pilot : tuple of three floats, or None
        Difference of the pilot and the limits of its 95% interval.
    """

    test: DesignTest
    size: int | None = None
    pilot: tuple[float, float, float] | None = None


def _test_of_spread(design: Design, spread: Any) -> DesignTest:
    """Return the test of a design for a standard deviation or a share of discordant items."""
    if isinstance(design, Items):
        share = real_number("spread", spread, 0, 1)
        if design.cluster:
            raise ValueError(
                "spread must be a pilot, since items in clusters have two spreads"
            )
        if design.suite:
            raise ValueError(
                "spread must be a pilot, since each task has a spread of its own"
            )
        return McNemarTest(share)
    sd = min(positive_number("spread", spread), _LARGEST_SD)
    if isinstance(design, Seeds):
        return PairedSeedsTest(sd**2) if design.paired else WelchTest(sd**2, sd**2)
    if isinstance(design, Datasets):
        return DatasetsTest(sd)
    runs, folds = design.shape
    # "10 runs of ..." without its number, which the plan says
    units = str(design).split(" ", 1)[1]
    if runs == 1:
        units = units.replace("run", "runs", 1)
    return SplitsTest(units, sd, folds, design.ratio)


def _test_of_pair(design: Design, pilot: Scores, a: str, b: str) -> DesignTest:
    """Return the test of a design for the spread that two models of a pilot have."""
    x = pilot.blocks[a]
    y = pilot.blocks[b]
    if isinstance(pilot.design, Items):
        return _test_of_items(pilot, a, b)
    if isinstance(design, Seeds) and not design.paired:
        return WelchTest(float(x.var(ddof=1)), float(y.var(ddof=1)))
    return _test_of_spread(design, float((x - y).std(ddof=1)))


def _test_of_items(pilot: Scores, a: str, b: str) -> DesignTest:
    """Return the test of items that two models of a pilot have scores of."""
    x = pilot.blocks[a]
    y = pilot.blocks[b]
    design: Any = pilot.design
    # folds are no clusters: they share their training rows
    clusters = None if design.predicted == "by_fold" else pilot.clusters
    if design.runs == "samples":
        # samples of one trained model are answers to be averaged
        x = x.mean(axis=0, keepdims=True)
        y = y.mean(axis=0, keepdims=True)
    is_single = len(x) == len(y) == 1
    unit = _unit_of_right(pilot, x, y)
    if pilot.strata is not None and not (unit and design.mean == "items"):
        return _test_of_suite(pilot, {a: x, b: y})
    if clusters is None and is_single and unit is not None:
        share = real_number("spread", (x != y).mean(), 0, 1)
        return McNemarTest(share, unit)
    parts = variance.variance_components(
        x, y, groups=clusters, paired_runs=design.paired
    )
    runs = round(parts.runs)
    if runs == 1:
        return ItemsTest(parts)
    return ItemsInRunsTest(parts, runs, models=1 if design.paired else 2)


def _test_of_suite(pilot: Scores, blocks: dict[str, Array]) -> SuiteTest:
    """Return the test of items of several tasks that two models of a pilot have scores of."""
    if max(len(block) for block in blocks.values()) > 1:
        raise ValueError(
            "a pilot with items of several tasks must have one training of each model: "
            "plans do not separate the seeds of a suite"
        )
    a, b = blocks
    strata = pilot.strata
    assert strata is not None  # for mypy: see _test_of_items
    (squares,) = squares_of_pairs(
        blocks, [(a, b)], groups=pilot.clusters, strata=strata
    )
    return SuiteTest(
        variance=float(squares.item[0]),
        df_of_pilot=float(squares.df_item[0]),
        items=squares.items,
        tasks=len(strata.tasks),
    )


def _unit_of_right(pilot: Scores, *scores: Array) -> float | None:
    """Return the score of an item that is right, of items that are right or wrong, else None."""
    metric = pilot.metric
    answers = answers_among([metric.sign * block for block in scores], metric)
    return None if answers is None else answers.right - answers.wrong


def _has_spread_of(pilot: Design, design: Design) -> bool:
    """Return whether an experiment shows the spread that another one will have."""
    if isinstance(pilot, Seeds) and isinstance(design, Seeds):
        # seeds that were not paired show no spread of differences
        return pilot.paired or not design.paired
    if isinstance(design, CV | RandomSplits):
        return isinstance(pilot, type(design)) and pilot.ratio == design.ratio
    return isinstance(pilot, type(design))


def _start(design: Design, spread: Any) -> _Start:
    """Return the test of a design, and what is known of the experiment that it comes from."""
    size = design.shape[0] if isinstance(design, CV | RandomSplits) else None
    if isinstance(spread, Scores):
        return _start_of_pilot(design, spread, size)
    return _Start(_test_of_spread(design, spread), size)


def _start_of_pilot(design: Design, pilot: Scores, size: int | None) -> _Start:
    """Return the test of the pair in a pilot that needs most units, and what the pilot found."""
    if not _has_spread_of(pilot.design, design):
        raise ValueError(f"spread is a pilot of {pilot.design}, which is not {design}")
    tests = {
        (a, b): _test_of_pair(design, pilot, a, b)
        for a, b in combinations(pilot.models, 2)
    }
    a, b = max(tests, key=lambda pair: tests[pair].standard_error(MOST_UNITS))
    x = pilot.blocks[a]
    y = pilot.blocks[b]
    limits = pair_tests(Question(pilot, [(a, b)])).limits(0.95)
    low, high = np.sort(pilot.metric.sign * np.ravel(limits)).tolist()
    return _Start(
        test=tests[a, b],
        size=size or min(x.shape[-1], y.shape[-1]),
        pilot=(_mean_difference(pilot, x, y), low, high),
    )


def _mean_difference(pilot: Scores, x: Array, y: Array) -> float:
    """Return the difference of the mean scores of two models."""
    if pilot.strata is None:
        return float(x.mean() - y.mean())
    return float(pilot.strata.mean(x.mean(axis=0) - y.mean(axis=0)))


class _Answer(NamedTuple):
    """The size of an experiment, the difference that it finds, and its power.

    Attributes
    ----------
    size, difference : float
        Infinite if none is enough.
    power : float
    runs : float or None
        Runs of each model that would do on the items of the pilot.
    """

    size: float
    difference: float
    power: float
    runs: float | None = None


@dataclass(frozen=True)
class _Goal:
    """What an experiment must reach: power at a level, for a difference or for equivalence."""

    power: float
    alpha: float
    margin: Margin | None

    def power_of(self, test: DesignTest, n: int, difference: float) -> float:
        """Return the power of an experiment."""
        return test.power(n, difference, self.alpha, self.margin)

    def is_reached(self, test: DesignTest, n: int, difference: float) -> bool:
        """Return whether an experiment has enough power."""
        return self.power_of(test, n, difference) >= self.power

    def smallest_difference(self, test: DesignTest, n: int) -> float:
        """Return the smallest difference that an experiment finds; infinite if it finds none."""
        step, n_steps = test.steps(n)
        return step * _smallest_number(
            lambda steps: self.is_reached(test, n, steps * step), 0, n_steps
        )

    def smallest_size(self, test: DesignTest, difference: float, least: int) -> float:
        """Return the smallest number of units that find a difference; infinite if none does."""
        enough = least
        while enough < MOST_UNITS and not self.is_reached(test, enough, difference):
            enough = min(2 * enough, MOST_UNITS)
        size = _smallest_number(
            lambda n: self.is_reached(test, n, difference), least, enough
        )
        if math.isinf(size) or self.margin is not None:
            return size
        below = range(max(least, int(size) - _MOST_TEETH), int(size))
        smaller = (n for n in below if self.is_reached(test, n, difference))
        return next(smaller, size)

    def smallest_runs(self, test: ItemsInRunsTest, n: int, difference: float) -> float:
        """Return the smallest number of runs on the same items that find a difference."""

        def is_enough(runs: int) -> bool:
            repeated = ItemsInRunsTest(test.parts, runs, test.models)
            return self.is_reached(repeated, n, difference)

        return _smallest_number(is_enough, 2, _MOST_RUNS)

    def answer(
        self, start: _Start, difference: float | None, n: int | None, least: int
    ) -> _Answer:
        """Return the size of an experiment, the difference that it finds, and its power.

        What is not given is sought: a size from `least` on.
        """
        test = start.test
        if difference is None:
            size = n or start.size or least
            return _Answer(size, self.smallest_difference(test, size), self.power)
        if n is not None:
            return _Answer(n, difference, self.power_of(test, n, difference))
        smallest = self.smallest_size(test, difference, least)
        power = self.power
        if math.isfinite(smallest):
            power = self.power_of(test, int(smallest), difference)
        runs = None
        if isinstance(test, ItemsInRunsTest) and start.size is not None:
            runs = self.smallest_runs(test, start.size, difference)
        return _Answer(smallest, difference, power, runs)


def _smallest_number(is_enough: Callable[[int], bool], low: int, high: int) -> float:
    """Return the smallest whole number from `low` to `high` that is enough; infinite if none is."""
    # halving the range takes as many steps as its length has binary digits
    n_steps = (high - low).bit_length() + 1
    with counted_steps(n_steps, "step") as count_step:

        def is_enough_in_a_step(number: int) -> bool:
            count_step()
            return is_enough(number)

        if not is_enough_in_a_step(high):
            return math.inf
        return low + bisect_left(range(low, high), True, key=is_enough_in_a_step)


def plan(  # noqa: PLR0913  (each is a question that plans are asked)
    design: Any,
    spread: Any,
    *,
    difference: float | None = None,
    n: int | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    equivalence: float | None = None,
    not_worse: float | None = None,
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
        for equivalence.  With `not_worse`, the true advantage of the model that must
        not be worse, by default 0; it may be negative.
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
    not_worse : float, optional
        Margin: plan to show that a model is not worse by as much or more.
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
    >>> plan("items", 0.1, not_worse=0.01).n > plan("items", 0.1, not_worse=0.02).n
    True
    """
    design = find_design(design, seeded=False)
    check_alpha_and_power(alpha, power)
    alpha = alpha / whole_number("pairs", pairs, at_least=1)
    start = _start(design, spread)
    test = start.test
    if not test.standard_error(MOST_UNITS) > 0:
        of_pilot = ", and the models of the pilot differ by a constant"
        raise ValueError(f"spread must be above 0{of_pilot if start.pilot else ''}")
    margin = _checked_margin(test, equivalence, not_worse)
    difference = _checked_difference(test, difference, margin)
    notes = (
        *_notes_on_units(test, difference, margin),
        *_notes_on_discordance(spread, test, difference),
    )
    # a single run of cross-validation has several folds
    least = 1 if isinstance(design, CV) else 2
    if n is not None:
        n = whole_number("n", n, at_least=least, at_most=MOST_UNITS)
    elif difference is None and start.size is None:
        raise refusal(
            "difference or n must be given",
            "nothing says how large the experiment is",
            "say --difference or --n",
        )

    goal = _Goal(power, alpha, margin)
    answer = goal.answer(start, difference, n, least)
    floor = 0.0
    if test.has_floor and margin is None:
        floor = goal.smallest_difference(test, MOST_UNITS)
    return Plan(
        what=test.units,
        n=answer.size,
        difference=answer.difference,
        power=answer.power,
        floor=floor,
        alpha=alpha,
        equivalence=margin.size if margin and margin.both_sides else None,
        not_worse=margin.size if margin and not margin.both_sides else None,
        runs=answer.runs,
        pilot=start.pilot,
        notes=notes,
    )


def _notes_on_units(
    test: DesignTest, difference: float | None, margin: Margin | None
) -> Iterator[str]:
    """Note a difference in percentage points beside a spread of fractions, or the reverse."""
    sd = _standard_deviation(test)
    sizes = {
        "difference": abs(difference or 0.0),
        "margin": margin.size if margin else 0.0,
    }
    for name, size in sizes.items():
        if sd is not None and size > 0 and _are_mixed(size, sd):
            yield (
                f"The {name} is {size:.3g}, and the standard deviation {sd:.3g}: are "
                "fractions and percentage points mixed?"
            )
            return


def _notes_on_discordance(
    spread: Any, test: DesignTest, difference: float | None
) -> Iterator[str]:
    """Note a share of discordant items that is larger than that of independent answers.

    It is (1 + d²) / 2 at most for models that differ by d.
    """
    if isinstance(spread, Scores) or not isinstance(test, McNemarTest):
        return
    if test.discordant > (1 + (difference or 0.0) ** 2) / 2:
        yield (
            f"If only one of two models is right on {test.discordant:.3g} of the items, "
            f"they have less in common than by chance: is {test.discordant:.3g} an accuracy?"
        )


def _are_mixed(size: float, sd: float) -> bool:
    """Return whether of two numbers one may be in percentage points, and the other not."""
    is_in_points = size >= _FEWEST_POINTS and sd < _LARGEST_FRACTION
    is_fraction = size < _SMALL_FRACTION and sd >= _FEWEST_POINTS
    return (is_in_points and size > _FAR * sd) or (is_fraction and sd > _FAR * size)


def _standard_deviation(test: DesignTest) -> float | None:
    """Return the standard deviation of a plan that has one."""
    if isinstance(test, SplitsTest | DatasetsTest):
        return test.sd
    if isinstance(test, PairedSeedsTest):
        return math.sqrt(test.variance)
    if isinstance(test, WelchTest):
        return math.sqrt(max(test.first_variance, test.second_variance))
    return None


def _checked_margin(
    test: DesignTest, equivalence: float | None, not_worse: float | None
) -> Margin | None:
    """Return the margin of a plan, if there is one."""
    if equivalence is not None and not_worse is not None:
        raise ValueError("equivalence and not_worse are two plans: say one of them")
    largest = test.unit if isinstance(test, McNemarTest) else 1e100
    for name, size in (("equivalence", equivalence), ("not_worse", not_worse)):
        if size is not None:
            size = real_number(name, size, 1e-100, largest)
            return Margin(size, both_sides=name == "equivalence")
    return None


def _checked_difference(
    test: DesignTest, difference: float | None, margin: Margin | None
) -> float | None:
    """Return the true difference within its range; without one, 0 if there is a margin."""
    most = test.largest_difference
    if margin is not None:
        difference = 0.0 if difference is None else difference
        # the models must differ by less than the margin
        inside = float(np.nextafter(margin.size, 0))
        if margin.both_sides:
            return real_number("difference", difference, 0, min(most, inside))
        return real_number("difference", difference, -min(most, inside), most)
    if difference is None:
        return None
    difference = positive_number("difference", difference)
    if isinstance(test, McNemarTest) and difference > most:
        raise ValueError(
            f"difference must be one number from 0 to {most:g}, not {difference:g}: models "
            f"differ by no more than the share of items that only one of them has right, "
            f"which is {test.discordant:g}"
        )
    return real_number("difference", difference, 0, most)

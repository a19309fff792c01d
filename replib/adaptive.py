r"""How many runs are enough: repeated cross-validation that stops once its decision is stable.

Bouckaert (2005, Section 5) suggests starting with a cheap experiment, and taking more samples
depending on its outcome.  Here the experiment is a repeated cross-validation that may apply its
test after each run, and stops by a rule (:func:`stop`): the last m decisions were the same; or the
runs so far predict, with a given probability, the decision after `max_runs` runs, which is
*stochastic curtailment* (Lan, Simon and Halperin 1982).

To first order, the margin of a t test, its distance inside its rejection region, is an
average of independent contributions, one per run (:func:`replib.rerun.margins`).  The
contributions of the first r of R runs predict the margin after all of them, with a
Student distribution: :func:`confidence_of_forecast`.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from replib import _validation as validation
from replib import schemes
from replib._validation import Array
from replib.rerun import TESTS, margins
from replib.significance.means import corrected_t
from replib.significance.samples import finite_scores

#: Two rules that stop early, and two for comparison.
RULES = ("fixed", "agreeing", "curtailed", "first_rejection")
# More than anybody makes; the runs of a course are looked at one after the other.
_MOST_RUNS = 10**6


@dataclass(frozen=True, eq=False)
class Course:
    """Decisions and forecasts of an experiment after each of its runs.

    Attributes
    ----------
    decision : ndarray of int8, shape (..., runs)
        +1 where A is significantly better, -1 where B is, 0 where H0 is accepted.
    pvalue : ndarray, shape (..., runs)
    forecast : ndarray of int8, shape (..., runs)
        The most probable decision after `max_runs` runs.
    confidence : ndarray, shape (..., runs)
        Estimated probability of the forecast; 0 after one run, which shows no spread,
        and 1 after `max_runs` runs.
    margin, deviation : ndarray, shape (..., runs)
        Predicted final distance inside the rejection region, in the unit of the
        differences, and the standard deviation of a run's contribution to it; infinite
        after one run.
    max_runs : int
    """

    decision: NDArray[np.int8]
    pvalue: Array
    forecast: NDArray[np.int8]
    confidence: Array
    margin: Array
    deviation: Array
    max_runs: int


class Stop(NamedTuple):
    """The runs and the decision at which a rule stops.

    Attributes
    ----------
    runs : ndarray of int
        Number of runs after which the rule stops.
    decision : ndarray of int8
        Its decision, as in :class:`Course`.
    """

    runs: NDArray[np.int64]
    decision: NDArray[np.int8]


def course(
    differences: ArrayLike,
    *,
    test: str,
    max_runs: int | None = None,
    alpha: float = 0.05,
) -> Course:
    r"""Return decision, p-value and forecast of an experiment after each of its runs.

    Parameters
    ----------
    differences : array_like, shape (..., runs, folds)
        Accuracy of A minus accuracy of B in repeated cross-validation.
    test : str
        One of `replib.rerun.TESTS`.
    max_runs : int, optional
        Total number of runs that the experiment may have; by default the given ones.
    alpha : float, default 0.05
        Significance level.

    Returns
    -------
    Course

    Raises
    ------
    ValueError
        If the test is unknown, there are fewer than two folds or no run, more runs than
        `max_runs`, or alpha is not between 0 and 1.

    Examples
    --------
    Three runs of a 10-fold cross-validation: would fifty reach another decision?

    >>> rng = np.random.default_rng(3)
    >>> block = rng.normal(0.05, 0.04, size=(3, 10))
    >>> seen = course(block, test="corrected", max_runs=50)
    >>> seen.decision.tolist(), seen.forecast.tolist(), seen.confidence.round(2).tolist()
    ([0, 1, 1], [0, 1, 1], [0.0, 0.75, 0.89])
    """
    validation.check_choice("test", test, TESTS)
    block = finite_scores("differences", differences, runs=1, folds=2)
    n_runs = block.shape[-2]
    max_runs = validation.whole_number(
        "max_runs",
        n_runs if max_runs is None else max_runs,
        at_least=n_runs,
        at_most=_MOST_RUNS,
    )
    if test == "sorted_runs":
        block = np.sort(block, axis=-1)  # once for all numbers of runs
    looks = [
        _look_at(block[..., :r, :], test=test, alpha=alpha, max_runs=max_runs)
        for r in range(1, n_runs + 1)
    ]
    pvalue = np.stack([look.pvalue for look in looks], axis=-1)
    sign = np.stack([look.sign for look in looks], axis=-1)
    margin = np.stack([look.margin for look in looks], axis=-1)
    deviation = np.stack([look.deviation for look in looks], axis=-1)

    decision = np.where(pvalue < alpha, sign, 0).astype(np.int8)
    forecast = np.where(margin > 0, sign, 0).astype(np.int8)
    if n_runs == max_runs:
        forecast[..., -1] = decision[..., -1]  # equal apart from rounding
    runs = np.arange(1, n_runs + 1)
    return Course(
        decision=decision,
        pvalue=pvalue,
        forecast=forecast,
        confidence=confidence_of_forecast(margin, deviation, runs, max_runs),
        margin=margin,
        deviation=deviation,
        max_runs=max_runs,
    )


class _Look(NamedTuple):
    """What an experimenter sees after some of the runs: arrays of shape (...).

    Attributes
    ----------
    pvalue : ndarray
    sign : ndarray
        Of the estimate: which classifier is ahead.
    margin, deviation : ndarray
        Of the classifier that is ahead.
    """

    pvalue: Array
    sign: NDArray[np.int8]
    margin: Array
    deviation: Array


def _look_at(block: Array, *, test: str, alpha: float, max_runs: int) -> _Look:
    """Apply the test to the runs so far, and find the margin that all runs would have."""
    n_runs, n_folds = block.shape[-2:]
    ratio = 1 / (n_folds - 1)
    if test == "sorted_runs":  # the block is sorted: these are the means by position
        result = corrected_t(schemes.sample(block, scheme="average_over_runs"))
    else:
        differences = block.reshape(*block.shape[:-2], n_runs * n_folds)
        result = corrected_t(differences, ratio=ratio if test == "corrected" else 0.0)
    distances = margins(
        block, test_train_ratio=ratio, test=test, alpha=alpha, runs=max_runs
    )
    sign = np.asarray(result.direction)
    return _Look(
        pvalue=np.asarray(result.pvalue),
        sign=sign,
        margin=np.where(sign < 0, distances.margin[1], distances.margin[0]),
        deviation=np.where(sign < 0, distances.deviation[1], distances.deviation[0]),
    )


def confidence_of_forecast(
    margin: ArrayLike, deviation: ArrayLike, runs: ArrayLike, max_runs: int
) -> Array:
    r"""Return the probability that the margin after all runs has its present sign.

    If the contributions of runs are normal, with flat priors for their mean and log
    variance, the mean of R of them given the first r has a Student distribution with r
    - 1 degrees of freedom about the mean of the r, with scale
    :math:`s\sqrt{(R - r)/(R r)}`.

    Parameters
    ----------
    margin, deviation : array_like
        Mean of the contributions so far, and their standard deviation.
    runs : array_like of int
        Runs so far, r, 1 to `max_runs`.
    max_runs : int
        R.

    Returns
    -------
    ndarray
        1/2 to 1; 0 after one run; 1 after all runs, or if all runs so far are equal.

    Raises
    ------
    ValueError
        If an argument lies outside its range.

    Examples
    --------
    >>> confidence_of_forecast(0.02, 0.03, [1, 2, 5, 10, 50], 50).round(3).tolist()
    [0.0, 0.744, 0.904, 0.979, 1.0]
    """
    max_runs = validation.whole_number(
        "max_runs", max_runs, at_least=1, at_most=_MOST_RUNS
    )
    g, s, r = validation.broadcast(
        ("margin", "deviation", "runs"),
        np.abs(validation.finite_array("margin", margin)),
        validation.array_within("deviation", deviation, 0, np.inf),
        validation.whole_numbers("runs", runs, at_least=1, at_most=max_runs),
    )
    # after one run the deviation is infinite, or without meaning
    s = np.where(r > 1, s, 1.0)
    scale = s * np.sqrt((max_runs - r) / (max_runs * r))
    is_certain = scale == 0
    t = np.where(is_certain, np.inf, g / np.where(is_certain, 1.0, scale))
    probability = special.stdtr(np.maximum(r - 1, 1), t)
    after_one_run = 1.0 * (r == max_runs)
    return np.where(r > 1, probability, after_one_run)


def stop(course: Course, level: float, *, rule: str, min_runs: int = 3) -> Stop:
    r"""Apply a rule to an experiment: after how many runs does it stop, and with which decision?

    ==================  ===========================================================  ==============
    rule                stops                                                        decides
    ==================  ===========================================================  ==============
    "fixed"             after `level` runs                                           by the test
    "agreeing"          when the last `level` decisions were the same                by the test
    "curtailed"         when the `level` is at most the confidence of the forecast   as is forecast
    "first_rejection"   at the first significant result, or that of number `level`   by the test
    ==================  ===========================================================  ==============

    A rule that has not stopped before stops after all runs.  An experimenter must not
    use the last one.  A rule that decides by the test can reject only if the last one
    does, so its Type I error is no larger.  If the confidence were the true conditional
    probability, the curtailed decision would differ from that of all runs with
    probability at most 1 - `level`, for any test.

    Parameters
    ----------
    course : Course
        With all its `max_runs` runs.
    level : float
        Number of runs; of decisions in a row; probability, 1/2 to 1; number of
        significant results.
    rule : str
        One of `RULES`.
    min_runs : int, default 3
        "agreeing" and "curtailed" may not stop before this number of runs: on a small
        data set two runs are sometimes equal by chance, and would make any forecast
        certain.

    Returns
    -------
    Stop

    Raises
    ------
    ValueError
        If the course is not complete, the rule is unknown, or a number lies outside its
        range.

    Examples
    --------
    >>> rng = np.random.default_rng(3)
    >>> seen = course(rng.normal(0.05, 0.04, size=(50, 10)), test="corrected")
    >>> end = stop(seen, 0.95, rule="curtailed")
    >>> end.runs.item(), end.decision.item()
    (5, 1)
    """
    validation.check_instance("course", course, Course)
    validation.check_choice("rule", rule, RULES)
    decision = course.decision
    runs = decision.shape[-1]
    if runs < course.max_runs:
        raise ValueError(
            f"course must have all its {course.max_runs} runs, not {runs} of them; after these, "
            "see the last confidence"
        )
    if rule in ("agreeing", "curtailed"):
        least = validation.whole_number("min_runs", min_runs, at_least=1, at_most=runs)
    else:
        least = 1
    if rule == "curtailed":
        decision = course.forecast
    run = np.arange(1, runs + 1)
    may_stop = _condition(course, level, rule) & (run >= least)
    last = (may_stop | (run == runs)).argmax(axis=-1)
    decision_at_stop = np.take_along_axis(decision, last[..., np.newaxis], axis=-1)
    return Stop(last + 1, decision_at_stop[..., 0])


def _condition(course: Course, level: float, rule: str) -> NDArray[np.bool_]:
    """Return after which runs the condition of a rule holds, shape (..., runs)."""
    decision = course.decision
    n_runs = decision.shape[-1]
    run = np.arange(1, n_runs + 1)
    if rule == "fixed":
        n = validation.whole_number("level", level, at_least=1, at_most=n_runs)
        return np.broadcast_to(run >= n, decision.shape)
    if rule == "curtailed":
        least = validation.real_number("level", level, 0.5, 1)
        return np.asarray(course.confidence >= least)
    n = validation.whole_number("level", level, at_least=1)
    if rule == "first_rejection":
        return np.asarray(np.cumsum(decision != 0, axis=-1) >= n)
    is_change = np.diff(decision, axis=-1, prepend=decision[..., :1]) != 0
    since = np.maximum.accumulate(np.where(is_change, run, 1), axis=-1)
    return np.asarray(run - since + 1 >= n)

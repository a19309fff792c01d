r"""How many runs are enough: repeated cross-validation that stops once its decision is stable.

Bouckaert (2005, Section 5) suggests starting with a cheap experiment, and taking more samples
depending on its outcome.  Here the experiment is a repeated cross-validation that may apply its
test after each run, and stops by one of two rules:

* :func:`agreeing`: the last m decisions were the same;
* :func:`curtailed`: the runs so far predict, with a given probability, the decision after
  `max_runs` runs.  This is *stochastic curtailment* (Lan, Simon and Halperin 1982).

:func:`fixed` and :func:`first_rejection` are there for comparison.

To first order, the margin of a t test, its distance inside its rejection region, is an average of
independent contributions, one per run (:mod:`replib.margins`).  The contributions of the first r of
R runs predict the margin after all of them, with a Student distribution:
:func:`confidence_of_forecast`.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from replib import schemes, validation
from replib.margins import TESTS, margins
from replib.significance import corrected_resampled_t, paired_t
from replib.validation import Array

_MANY = 10**6  # runs


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
        Estimated probability of the forecast; 0 after one run, which shows no spread, and 1 after
        `max_runs` runs.
    margin, deviation : ndarray, shape (..., runs)
        Predicted final distance inside the rejection region, in the unit of the differences, and
        the standard deviation of a run's contribution to it; infinite after one run.
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
    differences: ArrayLike, *, test: str, max_runs: int | None = None, alpha: float = 0.05
) -> Course:
    r"""Return decision, p-value and forecast of an experiment after each of its runs.

    Parameters
    ----------
    differences : array_like, shape (..., runs, folds)
        Accuracy of A minus accuracy of B in repeated cross-validation.
    test : str
        One of :data:`replib.margins.TESTS`.
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
        If the test is unknown, there are fewer than two folds or no run, more runs than `max_runs`,
        or alpha is not between 0 and 1.

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
    block = validation.real_array("differences", differences, axes=("runs", "folds"))
    runs, folds = block.shape[-2:]
    if runs < 1 or folds < 2:
        raise ValueError("differences must have shape (..., runs, folds) with at least one run and "
                         f"two folds, not {block.shape}")
    max_runs = validation.whole_number(
        "max_runs", runs if max_runs is None else max_runs, at_least=runs, at_most=_MANY)
    if test == "sorted_runs":
        block = np.sort(block, axis=-1)  # once for all numbers of runs
    ratio, looks = 1 / (folds - 1), []
    for so_far in (block[..., :r, :] for r in range(1, runs + 1)):
        seen = margins(so_far, test_train_ratio=ratio, test=test, alpha=alpha, runs=max_runs)
        match test:
            case "sorted_runs":  # the means by position of a sorted block
                result = paired_t(schemes.sample(so_far, scheme="average_over_runs"))
            case "corrected":
                result = corrected_resampled_t(so_far, test_train_ratio=ratio, axis=(-2, -1))
            case _:
                result = paired_t(so_far, axis=(-2, -1))
        sign = np.asarray(result.direction)
        looks.append((result.pvalue, sign, *(  # on the side of the classifier that is ahead
            np.where(sign < 0, b, a) for a, b in (seen.margin, seen.deviation))))
    pvalue, sign, margin, deviation = (np.stack(parts, axis=-1) for parts in zip(*looks))
    decision = np.where(pvalue < alpha, sign, 0).astype(np.int8)
    forecast = np.where(margin > 0, sign, 0).astype(np.int8)
    if runs == max_runs:
        forecast[..., -1] = decision[..., -1]  # equal apart from rounding
    confidence = confidence_of_forecast(margin, deviation, np.arange(1, runs + 1), max_runs)
    return Course(decision, pvalue, forecast, confidence, margin, deviation, max_runs)


def confidence_of_forecast(
    margin: ArrayLike, deviation: ArrayLike, runs: ArrayLike, max_runs: int
) -> Array:
    r"""Return the probability that the margin after all runs has its present sign.

    If the contributions of runs are normal, with flat priors for their mean and log variance, the
    mean of R of them given the first r has a Student distribution with r - 1 degrees of freedom
    about the mean of the r, with scale :math:`s\sqrt{(R - r)/(R r)}`.

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
    max_runs = validation.whole_number("max_runs", max_runs, at_least=1, at_most=_MANY)
    g, s, r = validation.broadcast(
        ("margin", "deviation", "runs"), np.abs(validation.finite_array("margin", margin)),
        validation.array_within("deviation", deviation, 0, np.inf),
        validation.whole_numbers("runs", runs, at_least=1, at_most=max_runs),
    )
    # after one run the deviation is infinite, or without meaning
    scale = np.where(r > 1, s, 1.0) * np.sqrt((max_runs - r) / (max_runs * r))
    is_certain = scale == 0
    t = np.where(is_certain, np.inf, g / np.where(is_certain, 1.0, scale))
    return np.where(r > 1, special.stdtr(np.maximum(r - 1, 1), t), 1.0 * (r == max_runs))


def fixed(course: Course, runs: int) -> Stop:
    """Stop after a number of runs that is fixed in advance.

    Parameters
    ----------
    course : Course
    runs : int
        From 1 to the runs of the course.

    Returns
    -------
    Stop

    Raises
    ------
    ValueError
        If the course has fewer runs.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> stop = fixed(course(rng.normal(0.027, 0.04, size=(12, 10)), test="corrected"), 3)
    >>> stop.runs.item(), stop.decision.item()
    (3, 0)
    """
    validation.check_instance("course", course, Course)
    runs = validation.whole_number("runs", runs, at_least=1, at_most=course.decision.shape[-1])
    decision = course.decision[..., runs - 1]
    return Stop(np.full(decision.shape, runs), decision)


def agreeing(course: Course, repeats: int, *, min_runs: int = 1) -> Stop:
    """Stop when the last decisions were the same, or else after all runs.

    Parameters
    ----------
    course : Course
        With all its `max_runs` runs.
    repeats : int
        Number of consecutive decisions that must agree, at least 1.
    min_runs : int, default 1
        The rule may not stop before this number of runs.

    Returns
    -------
    Stop

    Raises
    ------
    ValueError
        If the course is not complete, or `repeats` or `min_runs` is below 1.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> seen = course(rng.normal(0.027, 0.04, size=(12, 10)), test="corrected")
    >>> seen.decision.tolist(), agreeing(seen, 5).runs.item()
    ([0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1], 8)
    """
    validation.check_instance("course", course, Course)
    repeats = validation.whole_number("repeats", repeats, at_least=1)
    decision = course.decision
    runs = np.arange(1, decision.shape[-1] + 1)
    changes = np.ones(decision.shape, dtype=bool)
    changes[..., 1:] = decision[..., 1:] != decision[..., :-1]
    since = np.maximum.accumulate(np.where(changes, runs, 0), axis=-1)
    return _stop(course, runs - since + 1 >= repeats, decision, min_runs)


def curtailed(course: Course, confidence: float, *, min_runs: int = 3) -> Stop:
    r"""Stop when the decision after all runs can be predicted, with the predicted decision.

    If `confidence` were the true conditional probability, the decision would differ from that of
    all runs with probability at most 1 - `confidence`, for any test.

    Parameters
    ----------
    course : Course
        With all its `max_runs` runs.
    confidence : float
        Probability of the forecast, 1/2 to 1, at which to stop.
    min_runs : int, default 3
        The rule may not stop before this number of runs: on a small data set two runs are
        sometimes equal by chance, and would make any forecast certain.

    Returns
    -------
    Stop

    Raises
    ------
    ValueError
        If the course is not complete, `confidence` is not between 1/2 and 1, or `min_runs` is
        below 1.

    Examples
    --------
    >>> rng = np.random.default_rng(3)
    >>> seen = course(rng.normal(0.05, 0.04, size=(50, 10)), test="corrected")
    >>> stop = curtailed(seen, 0.95)
    >>> stop.runs.item(), stop.decision.item()
    (5, 1)
    """
    validation.check_instance("course", course, Course)
    confidence = validation.real_number("confidence", confidence, 0.5, 1)
    return _stop(course, course.confidence >= confidence, course.forecast, min_runs)


def first_rejection(course: Course) -> Stop:
    """Stop at the first significant result, which an experimenter must not do.

    A rule that decides by the test at the run where it stops can reject only if this rule does, so
    its Type I error is no larger.

    Parameters
    ----------
    course : Course
        With all its `max_runs` runs.

    Returns
    -------
    Stop

    Raises
    ------
    ValueError
        If the course is not complete.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> seen = course(rng.normal(0.027, 0.04, size=(12, 10)), test="corrected")
    >>> first_rejection(seen).runs.item()
    4
    """
    validation.check_instance("course", course, Course)
    return _stop(course, course.decision != 0, course.decision, 1)


def _stop(
    course: Course, may: NDArray[np.bool_], decision: NDArray[np.int8], min_runs: int
) -> Stop:
    """Return the first run from `min_runs` at which the rule may stop, or else the last."""
    runs = decision.shape[-1]
    if runs < course.max_runs:
        raise ValueError(
            f"course must have all its {course.max_runs} runs, not {runs} of them; after these, "
            "see the last confidence"
        )
    min_runs = validation.whole_number("min_runs", min_runs, at_least=1, at_most=runs)
    may = may.copy()
    may[..., : min_runs - 1] = False
    may[..., -1] = True
    last = may.argmax(axis=-1)
    return Stop(last + 1, np.take_along_axis(decision, last[..., np.newaxis], axis=-1)[..., 0])

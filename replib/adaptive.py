r"""How many runs are enough: repeated cross-validation that stops once its decision is stable.

Bouckaert (2005, Section 5) suggests starting with a cheap experiment, and taking more samples
depending on its outcome.  Here the experiment is a repeated cross-validation that may apply its
test after each run, and stops by a rule (:func:`stop`): the last m decisions were the same; or the
runs so far predict, with a given probability, the decision after `max_runs` runs, which is
*stochastic curtailment* (Lan, Simon and Halperin 1982).

To first order, the margin of a t test, its distance inside its rejection region, is an average of
independent contributions, one per run (:func:`replib.rerun.margins`).  The contributions of the first r of
R runs predict the margin after all of them, with a Student distribution:
:func:`confidence_of_forecast`.
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
from replib.significance import corrected_resampled_t, paired_t
from replib.significance.samples import finite_scores

#: Two rules that stop early, and two for comparison.
RULES = ("fixed", "agreeing", "curtailed", "first_rejection")
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
        One of :data:`replib.rerun.TESTS`.
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
    runs, folds = block.shape[-2:]
    max_runs = validation.whole_number(
        "max_runs", runs if max_runs is None else max_runs, at_least=runs, at_most=_MANY
    )
    if test == "sorted_runs":
        block = np.sort(block, axis=-1)  # once for all numbers of runs
    ratio, looks = 1 / (folds - 1), []
    for so_far in (block[..., :r, :] for r in range(1, runs + 1)):
        seen = margins(
            so_far, test_train_ratio=ratio, test=test, alpha=alpha, runs=max_runs
        )
        match test:
            case "sorted_runs":  # the means by position of a sorted block
                result = paired_t(schemes.sample(so_far, scheme="average_over_runs"))
            case "corrected":
                result = corrected_resampled_t(
                    so_far, test_train_ratio=ratio, axis=(-2, -1)
                )
            case _:
                result = paired_t(so_far, axis=(-2, -1))
        sign = np.asarray(result.direction)
        looks.append(
            (
                result.pvalue,
                sign,
                *(  # on the side of the classifier that is ahead
                    np.where(sign < 0, b, a) for a, b in (seen.margin, seen.deviation)
                ),
            )
        )
    pvalue, sign, margin, deviation = (
        np.stack(parts, axis=-1) for parts in zip(*looks)
    )
    decision = np.where(pvalue < alpha, sign, 0).astype(np.int8)
    forecast = np.where(margin > 0, sign, 0).astype(np.int8)
    if runs == max_runs:
        forecast[..., -1] = decision[..., -1]  # equal apart from rounding
    confidence = confidence_of_forecast(
        margin, deviation, np.arange(1, runs + 1), max_runs
    )
    return Course(decision, pvalue, forecast, confidence, margin, deviation, max_runs)


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
    max_runs = validation.whole_number("max_runs", max_runs, at_least=1, at_most=_MANY)
    g, s, r = validation.broadcast(
        ("margin", "deviation", "runs"),
        np.abs(validation.finite_array("margin", margin)),
        validation.array_within("deviation", deviation, 0, np.inf),
        validation.whole_numbers("runs", runs, at_least=1, at_most=max_runs),
    )
    # after one run the deviation is infinite, or without meaning
    scale = np.where(r > 1, s, 1.0) * np.sqrt((max_runs - r) / (max_runs * r))
    is_certain = scale == 0
    t = np.where(is_certain, np.inf, g / np.where(is_certain, 1.0, scale))
    return np.where(
        r > 1, special.stdtr(np.maximum(r - 1, 1), t), 1.0 * (r == max_runs)
    )


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
    >>> found = stop(seen, 0.95, rule="curtailed")
    >>> found.runs.item(), found.decision.item()
    (5, 1)
    """
    validation.check_instance("course", course, Course)
    validation.check_choice("rule", rule, RULES)
    decision, runs = course.decision, course.decision.shape[-1]
    if runs < course.max_runs:
        raise ValueError(
            f"course must have all its {course.max_runs} runs, not {runs} of them; after these, "
            "see the last confidence"
        )
    least = (
        1
        if rule in ("fixed", "first_rejection")
        else validation.whole_number("min_runs", min_runs, at_least=1, at_most=runs)
    )
    run = np.arange(1, runs + 1)
    if rule == "fixed":
        may = run >= validation.whole_number("level", level, at_least=1, at_most=runs)
    elif rule == "agreeing":
        changes = np.diff(decision, axis=-1, prepend=decision[..., :1]) != 0
        since = np.maximum.accumulate(np.where(changes, run, 1), axis=-1)
        may = run - since + 1 >= validation.whole_number("level", level, at_least=1)
    elif rule == "curtailed":
        may = course.confidence >= validation.real_number("level", level, 0.5, 1)
        decision = course.forecast
    else:
        significant = np.cumsum(decision != 0, axis=-1)
        may = significant >= validation.whole_number("level", level, at_least=1)
    may = np.broadcast_to(may, decision.shape) & (run >= least) | (run == runs)
    last = may.argmax(axis=-1)
    return Stop(
        last + 1, np.take_along_axis(decision, last[..., np.newaxis], axis=-1)[..., 0]
    )

"""Methods: a test with the splits that it needs, its cost, and what is known about it.

A *method* is a kind of splits, a scheme of `replib.schemes` and a significance test;
`METHODS` has them by name.  :func:`decide` and :func:`pvalues` apply a method to blocks
of score differences. Measurements of a method are in its :attr:`Method.evidence`, which
is None if there are none.  To add a test, write a function in `replib.significance` and
an entry in `LATER`, and measure it: its evidence is then a row of
``data/evidence.csv``.
"""

import csv
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import resources
from typing import Any, NamedTuple, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import special

from replib import schemes, significance
from replib._validation import (
    Array,
    array_within,
    as_number,
    broadcast,
    check_choice,
    check_flag,
    check_instance,
    check_level,
    listed,
    real_array,
    shown,
    whole_number,
    whole_numbers,
)
from replib.designs import CV, RandomSplits
from replib.rerun.one_pair import predict_or_none
from replib.significance.samples import finite_scores

#: Kinds of random splits, with their percentage of test instances.
TEST_PERCENT = {"random_10": 10, "random_33": 33}

#: Setting in which the evidence was measured: runs and folds of cross-validation, and
#: the level.
MEASURED_RUNS = 10
MEASURED_FOLDS = 10
MEASURED_LEVEL = 0.05

#: Networks over which each number of the evidence is a mean.
MEASURED_NETWORKS = 10

# A test holds its level if its Type I error is surely below this multiple of it.
# Bradley (1978) calls a test robust by his liberal criterion up to 1.5 times the level.
_HOLDS_UP_TO = 1.5
# "Surely" is by the limits of an interval with this confidence level.
_CONFIDENCE = 0.95

#: What stands where a design was not run.
NOT_EXAMINED = "not examined"

# Answers to the question whether a test holds its level.
HELD = "held"
NOT_HELD = "not held"
NOT_SETTLED = "not settled"

# Measured random splits have this many test instances per training instance: 10%.
_MEASURED_RATIO = 1 / 9


def level_held(
    type_1_error: ArrayLike,
    *,
    standard_error: ArrayLike,
    populations: ArrayLike,
    alpha: float = MEASURED_LEVEL,
) -> Any:
    """Say whether a test holds its level for a pair of learners: the one definition of this.

    A test holds the level 5% if the upper 95% limit of its Type I error, a mean over
    populations, is below 7.5%, one and a half times the level; it does not if the lower
    limit is above; otherwise that is not settled.

    Parameters
    ----------
    type_1_error : float or array_like
        Mean over populations, as a fraction.
    standard_error : float or array_like
        Of this mean, between populations; infinite if it is not known.
    populations : int or array_like of int
        Number of populations; the limits are those of Student's t distribution, and
        one population settles nothing.
    alpha : float, default 0.05
        The nominal level.

    Returns
    -------
    str or ndarray of str
        "held", "not held" or "not settled".

    Raises
    ------
    ValueError
        If a rate is not between 0 and 1, a standard error is negative, or a number of
        populations is not at least 1.

    Examples
    --------
    >>> level_held(0.06, standard_error=0.004, populations=10)
    'held'
    >>> level_held([0.06, 0.10], standard_error=0.01, populations=10).tolist()
    ['not settled', 'not held']
    """
    check_level("alpha", alpha)
    rate, error, number = broadcast(
        ("type_1_error", "standard_error", "populations"),
        array_within("type_1_error", type_1_error, 0, 1),
        array_within("standard_error", standard_error, 0, np.inf),
        whole_numbers("populations", populations, at_least=1),
    )
    quantile = special.stdtrit(np.maximum(number - 1, 1), (1 + _CONFIDENCE) / 2)
    half_width = np.where(number > 1, quantile * error, np.inf)
    largest_held = _HOLDS_UP_TO * alpha
    is_held = rate + half_width < largest_held
    is_not_held = rate - half_width > largest_held
    answers = np.select([is_held, is_not_held], [HELD, NOT_HELD], NOT_SETTLED)
    return as_number(answers)


class Evidence(NamedTuple):
    """Results of simulations of a method, as fractions.

    Each number is a mean over simulated networks, and has the standard deviation
    between networks next to it.

    Attributes
    ----------
    type_1_error, type_1_error_deviation : float
        Share of experiments that reject although both classifiers are equally accurate,
        at the level 0.05.
    power, power_deviation : float
        Share that rejects where one classifier is better, averaged over three kinds of
        networks.
    replicability, replicability_deviation : float
        Normalised replicability 2r - 1, the lowest over the kinds of networks.
    type_1_error_least, type_1_error_most : float
        The least and the largest Type I error of a single network, over all pairs of
        equally good learners and all sizes that were run; NaN where only the pair of
        2004 was run.
    run : str
        The stored run from which these are computed.
    """

    type_1_error: float
    type_1_error_deviation: float
    power: float
    power_deviation: float
    replicability: float
    replicability_deviation: float
    type_1_error_least: float
    type_1_error_most: float
    run: str

    @property
    def level(self) -> str:
        """Whether the level is held for the learners of 2004, by :func:`level_held`."""
        return level_held(
            self.type_1_error,
            standard_error=self.type_1_error_deviation / math.sqrt(MEASURED_NETWORKS),
            populations=MEASURED_NETWORKS,
        )


class Design(NamedTuple):
    """A way to make scores, with its test, and what is known about it, as fractions.

    Attributes
    ----------
    name, label : str
        Its key in `DESIGNS`, and its name in tables.
    trainings : int
        How often each model is trained.
    about : {"training again", "these models"}
        What its answer is about.
    type_1, type_1_error : float
        Type I error at the level 5% on `networks` networks with equally good learners,
        and its standard error.
    networks, pairs : int
        Networks, and pairs of learners on them.
    pairs_held, pairs_not_held : int
        Of these pairs: for how many the level is held, and for how many it is not.
    power, power_error : float
        On thirty networks where learners differ, at the level 5%.
    rerun, rerun_error : float
        Share of pairs of reruns, with other splits, that agree on the same networks.
    power_equal, rerun_equal : float
        The same at equal size: with intervals widened or narrowed until 5% of true
        zeros are outside.  Their errors (``_error``) include that of the widening.
    power_best_rank, power_worst_rank : float
        Between these lies the rank of its power at equal size, among the designs that
        are about the same: as far as numbers are separated by their errors between
        networks.  NaN for designs without a rank of their own.
    rerun_best_rank, rerun_worst_rank : float
        The same of the agreement of its reruns.
    map_populations : int
        Populations of the map of the correlation on which the design was run.
    map_type_1, map_low, map_high : float
        Type I error on these: the mean, and limits between which 90% of comparisons
        lie, of SHARP with the errors of counting on few data sets.
    map_held, map_not_held : float
        Shares of the pairs of learners on the map for which the level is held, and for
        which it is not.
    """

    name: str
    label: str
    trainings: int
    about: str
    type_1: float
    type_1_error: float
    networks: int
    pairs: int
    pairs_held: int
    pairs_not_held: int
    power: float
    power_error: float
    rerun: float
    rerun_error: float
    power_equal: float
    power_equal_error: float
    rerun_equal: float
    rerun_equal_error: float
    power_best_rank: float
    power_worst_rank: float
    rerun_best_rank: float
    rerun_worst_rank: float
    map_populations: int
    map_type_1: float
    map_low: float
    map_high: float
    map_held: float
    map_not_held: float

    @classmethod
    def from_row(cls, row: dict[str, str]) -> Self:
        """Return the design that a row of the file describes."""
        texts = row | {"name": row["design"]}
        values = {
            field: kind(texts[field]) for field, kind in cls.__annotations__.items()
        }
        return cls(**values)

    @property
    def is_on_map(self) -> bool:
        """Whether the design was examined on the map of the correlation."""
        return not math.isnan(self.map_type_1)

    def describe(self) -> str:
        """Return the label, with what it is about if that is the models that were fitted."""
        return self.label if self.about == "training again" else f"{self.label}*"

    def words(self) -> str:
        """Say how often the design errs, and on what that was measured.

        Examples
        --------
        >>> DESIGNS["sorted_runs_t"].words().startswith("Type I error")
        True
        """
        if self.is_on_map:
            low, high = 100 * self.map_low, 100 * self.map_high
            return (
                f"Type I error {100 * self.map_type_1:.1f}% on average over "
                f"{self.map_populations} populations of the book's map, {low:.0f} to "
                f"{high:.0f}% for 90% of comparisons; level held for "
                f"{100 * self.map_held:.0f}% of pairs of learners, not held for "
                f"{100 * self.map_not_held:.0f}%"
            )
        return (
            f"Type I error {100 * self.type_1:.1f}% on average over {self.networks} "
            f"networks; level held for {self.pairs_held} of {self.pairs} pairs of "
            "learners"
        )


@dataclass(frozen=True)
class Method:
    """How an experiment splits a data set, and how it reaches its decision.

    Attributes
    ----------
    name : str
        Key in `METHODS`.
    label : str
        Name in tables, without the splits.
    splits : {"cross_validation", "five_by_two_cv", "random_10", "random_33"}
        Runs of stratified folds, any number of them; five runs of two stratified folds;
        random splits with 10% or with 33% test instances.
    scheme : str
        One of `replib.schemes.SCHEMES`.  Random splits are runs of a single fold.
    test : callable
        Takes the sample of the scheme along the last axis, or for `five_by_two_cv` the
        block, and returns a `TestResult`.
    corrected : bool
        Whether the test takes `test_train_ratio`.
    runs : int, optional
        Number of runs or random splits that are needed, taken from the first; by
        default all.
    """

    name: str
    label: str
    splits: str
    scheme: str
    test: Callable[..., significance.TestResult]
    corrected: bool = False
    runs: int | None = None

    @property
    def evidence(self) -> Evidence | None:
        """Measurements of this method; None if it has not been examined."""
        return EVIDENCE.get(self.name)

    @property
    def folds(self) -> int:
        """Folds of each run of cross-validation in its measurements."""
        return 2 if self.splits == "five_by_two_cv" else MEASURED_FOLDS

    def trainings(self) -> int:
        """Return how often each classifier is trained, in ten runs of ten folds unless said.

        Examples
        --------
        >>> METHODS["five_by_two_cv"].trainings(), METHODS["k_fold.paired_t"].trainings()
        (10, 10)
        """
        runs = self.runs or MEASURED_RUNS
        return runs if self.scheme == "resampling" else runs * self.folds

    def describe(self) -> str:
        """Return the label with the splits.

        Examples
        --------
        >>> METHODS["corrected_repeated_cv"].describe(), METHODS["random_33.paired_t"].describe()
        ('corrected t, 10 × 10 folds', 't, 10 random splits into thirds')
        """
        return f"{self.label}, {self.runs or MEASURED_RUNS} {_WORDS_OF_SPLITS[self.splits]}"


# What a description says after the number of runs.
_WORDS_OF_SPLITS = {
    "cross_validation": "× 10 folds",
    "five_by_two_cv": "× 2 folds",
    "random_10": "random splits",
    "random_33": "random splits into thirds",
}

# What a label says after the name of the test.
_WORDS_OF_SCHEMES = {
    "resampling": "on first folds",
    "k_fold": "",
    "use_all_data": "",
    "average_over_folds": "on means of runs",
    "average_over_runs": "on means by fold",
    "average_over_sorted_runs": "on sorted runs",
}


def _scheme_method(
    scheme: str, name: str, label: str, test: Callable[..., significance.TestResult]
) -> Method:
    """Return the method that applies a test to the sample of a scheme of cross-validation."""
    return Method(
        name=f"{scheme}.{name}",
        label=f"{label} {_WORDS_OF_SCHEMES[scheme]}".strip(),
        splits="cross_validation",
        scheme=scheme,
        test=test,
        runs=1 if scheme == "k_fold" else None,
    )


def _resampling_method(
    splits: str,
    name: str,
    label: str,
    test: Callable[..., significance.TestResult],
    *,
    corrected: bool = False,
    runs: int = 10,
) -> Method:
    """Return the method that applies a test to the differences of random splits."""
    return Method(name, label, splits, "resampling", test, corrected, runs)


def _methods_of_2004() -> list[Method]:
    """Return the methods of the papers of 2004, without their slips."""
    signed_rank = partial(significance.signed_rank, method="normal")
    paired_t = significance.paired_t
    sign_test = significance.sign_test
    corrected_t = significance.corrected_resampled_t
    methods = []
    for scheme in schemes.SCHEMES:
        methods += [
            _scheme_method(scheme, "signed_rank", "signed rank", signed_rank),
            _scheme_method(scheme, "paired_t", "t", paired_t),
            _scheme_method(scheme, "exact_sign_test", "sign test", sign_test),
        ]
    methods.append(
        Method(
            name="corrected_repeated_cv",
            label="corrected t",
            splits="cross_validation",
            scheme="use_all_data",
            test=corrected_t,
            corrected=True,
        )
    )
    for n_splits in (10, 100):
        methods.append(
            _resampling_method(
                "random_10",
                f"corrected_resampled_{n_splits}",
                "corrected t",
                corrected_t,
                corrected=True,
                runs=n_splits,
            )
        )
    methods.append(
        Method(
            name="five_by_two_cv",
            label="Dietterich's t",
            splits="five_by_two_cv",
            scheme="use_all_data",
            test=significance.five_by_two_cv_t,
            runs=5,
        )
    )
    for splits in TEST_PERCENT:
        methods += [
            _resampling_method(
                splits, f"{splits}.signed_rank", "signed rank", signed_rank
            ),
            _resampling_method(splits, f"{splits}.paired_t", "t", paired_t),
        ]
    return methods


#: Methods from later papers; `in_use` applies them to the cross-validations that they
#: fit.
LATER: dict[str, Method] = {
    method.name: method
    for method in [
        Method(
            name="five_by_two_cv_f",
            label="Alpaydin's F",
            splits="five_by_two_cv",
            scheme="use_all_data",
            test=significance.five_by_two_cv_f,
            runs=5,
        ),
    ]
}

#: All methods by name.  ``"<scheme>.<test>"`` is a scheme and a test of Bouckaert (2004)
#: on repeated cross-validation; ``"k_fold.paired_t"`` is the t test on one
#: cross-validation.
METHODS: dict[str, Method] = {
    method.name: method for method in _methods_of_2004()
} | LATER


def find(method: str | Method) -> Method:
    """Return the method with this name.

    Parameters
    ----------
    method : str or Method
        A name in `METHODS`; a method of your own is returned as it is.

    Returns
    -------
    Method

    Raises
    ------
    ValueError
        If there is no such method.

    Examples
    --------
    >>> find("five_by_two_cv").label
    "Dietterich's t"
    """
    if isinstance(method, Method):
        return method
    check_choice("method", method, METHODS)
    return METHODS[method]


def decide(
    differences: ArrayLike, *, method: str | Method, alpha: float
) -> NDArray[np.int8]:
    """Decide by a method which classifier is significantly better, if any.

    Parameters
    ----------
    differences : array_like, shape (..., runs, folds)
        Scores of A minus scores of B on the splits of the method; for random splits the
        shape is (..., splits, 1).  Runs beyond those that the method needs are ignored.
    method : str or Method
        A name in `METHODS`, or a method of your own.
    alpha : float
        Significance level, between 0 and 1.

    Returns
    -------
    ndarray of int8, shape (...)
        +1 where A is significantly better, -1 where B is, 0 where neither is.

    Raises
    ------
    ValueError
        If there is no such method, alpha is not between 0 and 1, or the block is too
        small.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> block = rng.normal(0.02, 0.04, size=(2, 10, 10))  # two experiments
    >>> decide(block, method="use_all_data.paired_t", alpha=0.05).tolist()
    [1, 1]
    >>> decide(block, method="corrected_repeated_cv", alpha=0.05).tolist()
    [0, 0]
    """
    check_level("alpha", alpha)
    result = _result_of_needed_runs(differences, find(method))
    is_significant = np.asarray(result.pvalue) < alpha
    return np.where(is_significant, result.direction, 0).astype(np.int8)


def pvalues(differences: ArrayLike, *, method: str | Method) -> Array:
    """Return the p-values on which the decisions of :func:`decide` are based.

    Parameters
    ----------
    differences, method
        As for :func:`decide`.

    Returns
    -------
    ndarray, shape (...)

    Raises
    ------
    ValueError
        If there is no such method.

    Examples
    --------
    >>> pvalues([[0.1, 0.2, 0.1, 0.3, -0.1]], method="k_fold.exact_sign_test").item()
    0.375
    """
    return np.asarray(_result_of_needed_runs(differences, find(method)).pvalue)


def _result_of_needed_runs(
    differences: ArrayLike, method: Method
) -> significance.TestResult:
    """Apply a method to the runs that it needs."""
    percent = TEST_PERCENT.get(method.splits)
    least_folds = 1 if percent else 2
    block = finite_scores("differences", differences, runs=1, folds=least_folds)
    block = block[..., : method.runs, :]
    if percent:
        return _result(method, block, percent / (100 - percent))
    return _result(method, block, 1 / (block.shape[-1] - 1))


def _result(
    method: Method, block: Array, test_train_ratio: float
) -> significance.TestResult:
    """Apply the test of a method to a block, (..., runs, folds)."""
    if method.splits == "five_by_two_cv":
        sample = block
    else:
        sample = schemes.sample(block, scheme=method.scheme)
    if method.corrected:
        return method.test(sample, test_train_ratio=test_train_ratio)
    return method.test(sample)


def _stored_lines(name: str) -> list[str]:
    """Return the lines of a table."""
    text = resources.files("replib").joinpath("data", name).read_text("utf-8")
    return text.splitlines()


def _stored_rows(name: str) -> list[list[str]]:
    """Return the rows of a table without its head."""
    _, *rows = csv.reader(_stored_lines(name))
    return rows


def _stored_dicts(name: str) -> list[dict[str, str]]:
    """Return the rows of a table by column."""
    return list(csv.DictReader(_stored_lines(name)))


#: All designs that were compared, by name.
DESIGNS = {
    design.name: design for design in map(Design.from_row, _stored_dicts("designs.csv"))
}

# Names of the designs in each cell of the decision table, by fear and trainings.
_CHOSEN: dict[tuple[str, int], list[str]] = {}
for _cell in _stored_dicts("decisions.csv"):
    _key = _cell["fear"], int(_cell["trainings"])
    _CHOSEN.setdefault(_key, []).append(_cell["design"])


#: All measurements by method; ``"bench.<method>"`` are methods outside
#: `METHODS`, such as ``"bench.clt_all_pairs"``, the central limit theorem.
EVIDENCE = {
    name: Evidence._make([*map(float, numbers), run])
    for name, *numbers, run in _stored_rows("evidence.csv")
}

#: What the corrected test's ratio should be for ten folds, by number of runs: the range
#: for 90% of the pairs of learners on the book's map of the correlation.
ODDS = {
    int(runs): (float(low), float(high)) for runs, low, high in _stored_rows("odds.csv")
}


def in_use(
    differences: ArrayLike, *, design: CV | RandomSplits, alpha: float
) -> pd.DataFrame:
    """Apply the tests in use to the differences of two models, with what is known about each.

    Parameters
    ----------
    differences : array_like, shape (runs, folds)
    design : CV or RandomSplits
    alpha : float

    Returns
    -------
    DataFrame
        Indexed by test: `statistic`, `p`, `decision`; `rerun`, the predicted
        probability that a rerun with another seed decides the same, for the t tests on
        all differences; `evidence`, the Type I error that was measured for these splits
        and this level, and on which populations, or "not examined": what
        :func:`design_table` has, in words; for the corrected test on 1 or 10 runs of
        ten folds, also its p-values with the odds of correlation that pairs of learners
        have (`ODDS`).  As in the papers, the signed-rank test has its normal
        approximation.

    Raises
    ------
    ValueError
        If the shape is not that of the design, or `alpha` is not between 0 and 1.

    Examples
    --------
    >>> block = np.random.default_rng(1).normal(0.02, 0.04, size=(10, 10))
    >>> in_use(block, design=CV(10, 10), alpha=0.05)["p"].round(3).iloc[:2].to_dict()
    {'corrected t on all differences': 0.155, 't on sorted runs': 0.137}
    """
    check_level("alpha", alpha)
    check_instance("design", design, CV, RandomSplits)
    block = real_array("differences", differences)
    if block.shape != design.shape:
        raise ValueError(
            f"differences must have the shape {design.shape}, not {block.shape}"
        )
    rows = [_row_in_use(test, block, design, alpha) for test in _tests_in_use(design)]
    return pd.DataFrame(rows).set_index("test")


class _TestInUse(NamedTuple):
    """A method in the table of those in use.

    Attributes
    ----------
    label : str
    method : Method
    rerun : str or None
        Which of `replib.rerun.TESTS` it is; None if its reruns are not predicted.
    """

    label: str
    method: Method
    rerun: str | None = None


def _tests_in_use(design: CV | RandomSplits) -> list[_TestInUse]:
    """Return the methods that fit a design."""
    if isinstance(design, RandomSplits):
        return [
            _TestInUse(
                "corrected resampled t", METHODS["corrected_resampled_100"], "corrected"
            ),
            _TestInUse(
                "paired t on all splits", METHODS["resampling.paired_t"], "plain"
            ),
        ]
    corrected = _TestInUse(
        "corrected t on all differences", METHODS["corrected_repeated_cv"], "corrected"
    )
    first_run = _TestInUse("paired t on the first run", METHODS["k_fold.paired_t"])
    later = [
        _TestInUse(method.label, method)
        for method in LATER.values()
        if _fits(method, design)
    ]
    if design.runs == 1:
        return [corrected, first_run, *later]
    sorted_runs = "average_over_sorted_runs"
    return [
        corrected,
        _TestInUse(
            "t on sorted runs", METHODS[f"{sorted_runs}.paired_t"], "sorted_runs"
        ),
        _TestInUse("signed rank on sorted runs", METHODS[f"{sorted_runs}.signed_rank"]),
        first_run,
        _TestInUse("paired t on means by fold", METHODS["average_over_runs.paired_t"]),
        _TestInUse(
            "paired t on all differences", METHODS["use_all_data.paired_t"], "plain"
        ),
        *later,
    ]


def _fits(method: Method, design: CV) -> bool:
    """Return whether a method is for cross-validations of this shape."""
    if method.splits == "five_by_two_cv":
        return design.shape == (5, 2)
    return method.splits == "cross_validation" and method.runs in (None, design.runs)


def _row_in_use(
    test: _TestInUse, block: Array, design: CV | RandomSplits, alpha: float
) -> dict[str, object]:
    """Return the row of a method in the table of those in use."""
    method = test.method
    result = _result(method, block, design.ratio)
    rerun = None
    if test.rerun is not None:
        rerun = predict_or_none(
            block, test_train_ratio=design.ratio, test=test.rerun, alpha=alpha
        )
    evidence = _words_of_evidence(method, design, alpha)
    return {
        "test": test.label,
        "statistic": result.statistic,
        "p": result.pvalue,
        "decision": result.direction if result.pvalue < alpha else 0,
        "rerun": np.nan if rerun is None else rerun.point,
        "evidence": evidence + _words_of_odds(method, block, design),
    }


def _words_of_odds(method: Method, block: Array, design: CV | RandomSplits) -> str:
    """Say what p would be with the odds of most pairs on the map, if they are known."""
    is_on_map = (
        isinstance(design, CV)
        and not design.groups
        and design.folds == MEASURED_FOLDS
        and design.runs in ODDS
    )
    if not method.corrected or not is_on_map:
        return ""
    low, high = ODDS[design.shape[0]]
    least, most = (_result(method, block, odds).pvalue for odds in (low, high))
    odds = f"with odds from {low:.2g} to {high:.2g}, as most pairs have"
    return f"; {odds}, p = {least:.2g} to {most:.2g}"


def _words_of_evidence(method: Method, design: CV | RandomSplits, alpha: float) -> str:
    """Say what stored evidence shows about a method for these splits and this level."""
    known = _design_of(method, design)
    if known is not None and not design.groups and alpha == MEASURED_LEVEL:
        return known.words()
    evidence = method.evidence
    if evidence is None or not _is_measured(method, design, alpha):
        return NOT_EXAMINED
    return (
        f"Type I error {100 * evidence.type_1_error:.1f}% on average over "
        f"{MEASURED_NETWORKS} networks, for the learners of 2004"
    )


# Designs that are methods of this module, by their number of runs if that matters.
_DESIGNS_OF = {
    ("corrected_repeated_cv", 1): "corrected_t_folds",
    ("corrected_repeated_cv", 2): "corrected_t_2",
    ("corrected_repeated_cv", 10): "corrected_t_all",
    ("corrected_repeated_cv", 30): "corrected_t_30",
    ("use_all_data.paired_t", 10): "paired_t_all",
    ("average_over_sorted_runs.paired_t", 10): "sorted_runs_t",
    ("k_fold.paired_t", 1): "paired_t_folds",
    ("five_by_two_cv", 5): "five_by_two_t",
    ("five_by_two_cv_f", 5): "five_by_two_f",
}


def _design_of(method: Method, design: CV | RandomSplits) -> Design | None:
    """Return the design of the decision table that these splits with this test are."""
    if not isinstance(design, CV) or design.folds != method.folds:
        return None
    runs = method.runs or design.runs
    return DESIGNS.get(_DESIGNS_OF.get((method.name, runs), ""))


def _is_measured(method: Method, design: CV | RandomSplits, alpha: float) -> bool:
    """Return whether the evidence of a method was measured on these splits, at this level."""
    shapes = {"five_by_two_cv": (5, 2), "random_10": (100, 1)}
    shape = shapes.get(method.splits, (MEASURED_RUNS, MEASURED_FOLDS))
    if design.groups or design.shape != shape or alpha != MEASURED_LEVEL:
        return False
    return isinstance(design, CV) or bool(np.isclose(design.ratio, _MEASURED_RATIO))


# ------------------------------------------------------------------ designs


def recommended(fear: str, trainings: int) -> list[Design]:
    """Return the designs in a cell of :func:`decision_table`; several are not separated.

    Parameters
    ----------
    fear : {"a false alarm", "missing a difference", "disagreement between reruns"}
    trainings : {1, 10, 20, 100, 300}
        How often you can train each model.

    Returns
    -------
    list of Design
        Empty if no design that was examined qualifies.

    Raises
    ------
    ValueError
        If the table has no such column or row.

    Examples
    --------
    >>> [design.trainings for design in recommended("a false alarm", 1)]
    [1]
    """
    check_choice("fear", fear, dict.fromkeys(fear for fear, _ in _CHOSEN))
    budgets = sorted({budget for _, budget in _CHOSEN})
    if whole_number("trainings", trainings, at_least=1) not in budgets:
        raise ValueError(
            f"trainings must be one of {listed(budgets)}, the rows of the decision "
            f"table, not {shown(trainings)}"
        )
    return [DESIGNS[name] for name in _CHOSEN.get((fear, trainings), [])]


def decision_table() -> pd.DataFrame:
    """Return which design to use, by what you can pay and what you fear.

    Designs that are not separated stand together.  A star marks those whose answer is
    about the models that were fitted, not about training again.

    Returns
    -------
    DataFrame
        Indexed by the number of trainings of each model; a column per fear.

    Examples
    --------
    >>> decision_table().index.tolist()
    [1, 10, 20, 100, 300]
    """
    cells: dict[str, dict[int, str]] = {}
    for fear, trainings in _CHOSEN:
        labels = [design.describe() for design in recommended(fear, trainings)]
        cells.setdefault(fear, {})[trainings] = " or ".join(labels)
    table = pd.DataFrame(cells).rename_axis("trainings")
    return table.fillna(NOT_EXAMINED)


def design_table(*, every: bool = False) -> pd.DataFrame:
    """Return what is known about the designs of the decision table, as text.

    Parameters
    ----------
    every : bool, default False
        Whether to list all designs that were compared.

    Returns
    -------
    DataFrame
        Indexed by design, the cheapest first; percentages, with standard errors between
        networks in brackets.

    Raises
    ------
    ValueError
        If `every` is not True or False.

    Examples
    --------
    >>> design_table().shape[0] < design_table(every=True).shape[0]
    True
    """
    check_flag("every", every)
    in_table = {name for names in _CHOSEN.values() for name in names}
    designs = [
        design for design in DESIGNS.values() if every or design.name in in_table
    ]
    designs.sort(key=lambda design: (design.trainings, design.label))
    rows = [_row_of_design(design) for design in designs]
    return pd.DataFrame(rows).set_index("design")


def _row_of_design(design: Design) -> dict[str, object]:
    """Return what is known about a design, by the columns of the table."""
    on_map = NOT_EXAMINED
    held_on_map = NOT_EXAMINED
    not_held_on_map = NOT_EXAMINED
    if design.is_on_map:
        low, high = 100 * design.map_low, 100 * design.map_high
        on_map = f"{100 * design.map_type_1:.1f} ({low:.0f} to {high:.0f})"
        held_on_map = f"{100 * design.map_held:.0f}"
        not_held_on_map = f"{100 * design.map_not_held:.0f}"
    return {
        "design": design.label,
        "trainings": design.trainings,
        "about": design.about,
        "Type I error, networks": _percent(design.type_1, design.type_1_error),
        "pairs held, networks": f"{design.pairs_held} of {design.pairs}",
        "populations, map": design.map_populations or NOT_EXAMINED,
        "Type I error, map (90%)": on_map,
        "pairs held, map": held_on_map,
        "not held, map": not_held_on_map,
        "power": _percent(design.power, design.power_error),
        "at equal size": _percent(design.power_equal, design.power_equal_error),
        "rank": _ranks(design.power_best_rank, design.power_worst_rank),
        "reruns agree": _percent(design.rerun, design.rerun_error),
        "agree at equal size": _percent(design.rerun_equal, design.rerun_equal_error),
        "rank by agreement": _ranks(design.rerun_best_rank, design.rerun_worst_rank),
    }


def _ranks(best: float, worst: float) -> str:
    """Write between which ranks a design lies."""
    if math.isnan(best):
        return "–"
    return f"{best:.0f}" if best == worst else f"{best:.0f}–{worst:.0f}"


def _percent(value: float, error: float) -> str:
    """Write a fraction and its standard error in percent."""
    if math.isnan(value):
        return NOT_EXAMINED
    return f"{100 * value:.1f} ({100 * error:.1f})"

"""Every public function of the statistics, called with wrong values for each of its arguments.

It answers with a valid result, or with a sentence that names the argument; and is documented.
"""

import dataclasses
import inspect
import re
import signal
import warnings
from functools import partial

import numpy as np
import pandas as pd
import pytest

from replib import (
    adaptive,
    intervals,
    margins,
    multiple_comparisons,
    replicability,
    replication_probability,
    schemes,
    significance,
    theory,
)
from replib.experiments import designs as experiment_designs
from replib.sources import task_1
from replib.theory import designs, order_statistics

ROOMS = (
    adaptive, designs, experiment_designs, intervals, margins, multiple_comparisons,
    order_statistics, replicability, replication_probability, schemes, significance, task_1, theory,
)
RNG = np.random.default_rng(1)
BLOCK = RNG.normal(0.02, 0.04, size=(4, 5))
COURSE = adaptive.course(BLOCK, test="corrected")
DESIGN = designs.McNemar()
COIN = theory.RejectionDistribution(np.array([0.05, 0.95]), np.array([0.5, 0.5]))

#: One valid call of each function: what it cannot do without.
CALLS = {
    "adaptive.agreeing": {"course": COURSE, "repeats": 2},
    "adaptive.confidence_of_forecast": {
        "margin": 0.02, "deviation": 0.03, "runs": [2, 5], "max_runs": 50,
    },
    "adaptive.course": {"differences": BLOCK, "test": "corrected"},
    "adaptive.curtailed": {"course": COURSE, "confidence": 0.95},
    "adaptive.first_rejection": {"course": COURSE},
    "adaptive.fixed": {"course": COURSE, "runs": 2},
    "theory.order_statistics.normal_order_statistics": {"size": 5},
    "theory.designs.power": {"design": DESIGN, "shift": 1.0},
    "theory.designs.replicability": {"design": DESIGN, "shift": 1.0},
    "theory.order_statistics.sorted_squares": {"runs": 3, "folds": 4},
    "theory.designs.worst_case": {"design": DESIGN},
    "experiments.designs.decide": {
        "differences": BLOCK, "design": "corrected_repeated_cv", "alpha": 0.05,
    },
    "experiments.designs.find": {"design": "corrected_repeated_cv"},
    "experiments.designs.pvalues": {"differences": BLOCK, "design": "corrected_repeated_cv"},
    "intervals.clopper_pearson": {"successes": [3, 4], "n": 10},
    "intervals.highest_density_interval": {"a": 30, "b": 16},
    "margins.margins": {"differences": BLOCK, "test_train_ratio": 0.25},
    "multiple_comparisons.adjusted_pvalues": {"pvalues": [0.1, 0.01, 0.5], "method": "holm"},
    "replicability.agreement_over_pairs": {"kernel": np.eye(4)},
    "replicability.consistency": {"accepted": [0, 3, 10], "n": 10},
    "replicability.normalized": {"r": 0.8},
    "replicability.r1": {"outcomes": [True, False, True, True]},
    "replicability.r1_variance": {"r": 0.8, "n": 10},
    "replicability.r2": {"outcomes": [1, 0, -1, 1]},
    "replicability.r2_from_counts": {"accepted": 3, "n": 10},
    "replicability.r2_variance": {"r": 0.8, "n": 10},
    "replicability.replicability_interval": {"accepted": 3, "n": 10},
    "replicability.rk": {"outcomes": [1, 0, 1], "weights": [0.2, 0.3, 0.5]},
    "replicability.rk_variance": {"r": 0.8, "weights": [0.2, 0.3, 0.5]},
    "replicability.three_outcome_r2": {"a_better": 3, "b_better": 3, "no_difference": 4},
    "replication_probability.bayesian": {"wins": 29, "n": 44},
    "replication_probability.binomial": {"wins": 29, "n": 44},
    "replication_probability.cv_t": {"t": 2.5, "folds": 10},
    "replication_probability.smallest_significant": {"n": 44},
    "replication_probability.wilcoxon": {"z": 2.5, "sd": 1.0},
    "schemes.decide": {"differences": BLOCK, "scheme": "use_all_data", "test": "paired_t"},
    "schemes.sample": {"differences": BLOCK, "scheme": "use_all_data"},
    "significance.corrected_resampled_t": {"differences": BLOCK, "test_train_ratio": 0.25},
    "significance.five_by_two_cv_t": {"differences": np.arange(10.0).reshape(5, 2) ** 2},
    "significance.mcnemar": {"n10": 25, "n01": [12, 13]},
    "significance.paired_t": {"differences": BLOCK},
    "significance.rank_sum_probabilities": {"ranks": [1, 2, 3]},
    "significance.sign_test": {"differences": BLOCK},
    "significance.signed_rank": {"differences": BLOCK},
    "significance.without_rounding_noise": {"values": [0.1, 1e-17], "scale": 1.0},
    "sources.task_1.accuracy_difference": {"step": 6},
    "sources.task_1.combinations": {"q": 0.3},
    "sources.task_1.counts": {"rng": RNG, "size": 100},
    "sources.task_1.folds": {"rng": RNG, "counts": [3, 4, 5], "runs": 2, "folds": 3},
    "sources.task_1.instances": {"rng": RNG, "size": 100},
    "sources.task_1.random_test_sets": {
        "rng": RNG, "counts": [3, 4, 5], "test_size": 6, "experiments": 2,
    },
    "sources.task_1.rates": {"step": 20},
    "theory.agreement": {"p": 0.25},
    "theory.correlation_of_folds": {
        "variance_of_means": 0.19, "mean_variance": 0.9, "folds": 10,
    },
    "theory.critical_count": {"discordant": [5, 50]},
    "theory.equicorrelated_type1_error": {"rho": 0.1, "n": 10},
    "theory.limit_covariance": {"test_fraction": 0.1, "shift": 1.0},
    "theory.limit_power": {"shift": 1.0},
    "theory.limit_replicability": {"test_fraction": 0.1, "shift": 1.0},
    "theory.mcnemar_power": {"test_size": 20, "p_plus": 0.3, "p_minus": 0.2},
    "theory.mcnemar_replicability": {"n": 60, "test_size": 20, "p_plus": 0.3, "p_minus": 0.2},
    "theory.rejection_distribution": {"n": 60, "test_size": 20, "p_plus": 0.3, "p_minus": 0.2},
    "theory.rejection_probability": {"plus": 20, "minus": 10, "n": 60, "test_size": 20},
    "theory.scale_of_t": {"correlation": 0.1, "folds": 10},
    "theory.scheme_variances": {"runs": 3, "folds": 4},
    "theory.type1_error_of_scaled_t": {"ratio": 2.0, "n": 10},
    "theory.type1_excess": {"test_fraction": 0.1},
    "theory.worst_case_as_printed": {"test_fraction": 0.1},
    "theory.worst_case_replicability": {"test_fraction": 0.1},
}

#: These leave NaN what it is.
ELEMENTWISE = ("replicability.normalized", "significance.without_rounding_noise")

#: One object of each public class that has methods, and a valid call of each.
METHODS = {
    "theory.designs.CrossValidation.rejection": (designs.CrossValidation(), {"mean": 1.0}),
    "theory.designs.McNemar.rejection": (DESIGN, {"mean": 1.0}),
    "theory.designs.MeanOverRuns.rejection": (designs.MeanOverRuns(), {"mean": 1.0}),
    "theory.designs.Resampling.rejection": (designs.Resampling(), {"mean": 1.0}),
    "theory.designs.SortedCrossValidation.rejection": (
        designs.SortedCrossValidation(), {"mean": 1.0},
    ),
    "significance.TTestResult.confidence_interval": (significance.paired_t([1, 2, 4]), {}),
    "theory.RejectionDistribution.expectation": (COIN, {"values": [1.0, 2.0]}),
}

WRONG = (
    None, "text", "", b"1", True, 0, -1, 2.5, 1e300, np.nan, np.inf, -np.inf, 2**40, 10**30, 1j,
    [], [[]], [0.05, 0.01], [np.nan, 1.0], [1, np.inf], ["a", "b"], [[1, 2], [3]], [None, 1],
    np.zeros((2, 0)), np.array("2020-01-01", dtype="datetime64[D]"), {"a": 1}, {1, 2}, object(),
    len, (0, 0), (5, 7), np.array([[[0.3]]]),
)


def public(kind):
    """Public functions, or methods of public classes, of all rooms by their names."""
    found = {}
    for room in ROOMS:
        for name in getattr(room, "__all__", None) or vars(room):
            thing = getattr(room, name)
            own = hasattr(room, "__all__") or getattr(thing, "__module__", "") == room.__name__
            if not own or name.startswith("_"):
                continue
            if kind == "function" and inspect.isfunction(inspect.unwrap(thing)):
                found[f"{room.__name__[len('replib.'):]}.{name}"] = thing
            elif kind == "method" and inspect.isclass(thing):
                for method, function in inspect.getmembers(thing, inspect.isfunction):
                    if not method.startswith("_"):
                        found[f"{room.__name__[len('replib.'):]}.{name}.{method}"] = function
    return found


def test_every_public_function_is_tried():
    assert sorted(CALLS) == sorted(public("function"))
    assert sorted(METHODS) == sorted(public("method"))


@pytest.mark.parametrize("kind", ["function", "method"])
def test_every_public_function_documents_its_arguments_and_refusals(kind):
    for name, function in public(kind).items():
        text = inspect.getdoc(function)
        for section in ("Parameters", "Returns", "Raises", "Examples"):
            if section != "Parameters" or inspect.signature(function).parameters.keys() - {"self"}:
                assert f"{section}\n---" in text, name
        for argument in inspect.signature(function).parameters.keys() - {"self"}:
            assert re.search(rf"\b{argument}\b", text), (name, argument)


@pytest.mark.parametrize("kind", ["function", "method"])
def test_options_are_given_by_name(kind):
    """After its first argument a function takes data by position, but no option and no choice."""
    wrong = [
        f"{name}({one.name})"
        for name, function in public(kind).items()
        for one in [*inspect.signature(function).parameters.values()][1 + (kind == "method"):]
        if one.kind is one.POSITIONAL_OR_KEYWORD
        and (one.default is not one.empty or one.annotation in (str, "str"))
    ]
    assert not wrong


TRIED = {name: (function, CALLS.get(name, {})) for name, function in public("function").items()}
TRIED |= {
    name: (getattr(one, name.rsplit(".")[-1]), call) for name, (one, call) in METHODS.items()
}


def has_nan(result):
    if dataclasses.is_dataclass(result):
        return any(has_nan(getattr(result, field.name)) for field in dataclasses.fields(result))
    if isinstance(result, pd.DataFrame):
        return result.isna().any(axis=None)
    if isinstance(result, (tuple, list)):
        return any(map(has_nan, result))
    return np.asarray(result).dtype.kind == "f" and bool(np.isnan(result).any())


def too_long(*_):
    raise TimeoutError("still at work after five seconds of a processor")


@pytest.fixture
def five_seconds():
    before = signal.signal(signal.SIGVTALRM, too_long)
    yield partial(signal.setitimer, signal.ITIMER_VIRTUAL, 5)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


def arguments():
    for name, (function, _) in TRIED.items():
        for argument in inspect.signature(function).parameters:
            yield name, argument


@pytest.mark.parametrize("name, argument", list(arguments()))
def test_a_wrong_value_is_named_or_valid(name, argument, five_seconds):
    (function, call), unclear = TRIED[name], []
    assert not has_nan(function(**call))
    for wrong in WRONG:
        five_seconds()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                warnings.filterwarnings("ignore", ".*no variance", RuntimeWarning)
                result = function(**call | {argument: wrong})
        except (ValueError, TypeError) as refusal:
            if not re.search(rf"\b{argument}\b", str(refusal)):
                unclear.append(f"{wrong!r}: {type(refusal).__name__}: {refusal}")
        except Exception as error:
            unclear.append(f"{wrong!r}: {type(error).__name__}: {error}")
        else:
            if has_nan(result) and not (name in ELEMENTWISE and has_nan(wrong)):
                unclear.append(f"{wrong!r}: NaN in {result}")
    assert not unclear, f"{name}({argument}=...)\n" + "\n".join(unclear)

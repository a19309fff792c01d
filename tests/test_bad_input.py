"""Every public function of the statistics, called with wrong values for each of its arguments.

It answers with a valid result, or with a sentence that names the argument; and is
documented.
"""

import dataclasses
import importlib
import inspect
import os
import re
import signal
import traceback
import warnings
from functools import cache, partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from replib import (
    CV,
    adaptive,
    comparison,
    estimation,
    intervals,
    methods,
    planning,
    replicability,
    replication_probability,
    rerun,
    scores,
    significance,
    variance,
)

REPLIB = Path(comparison.__file__).parents[1]
REFERENCE = Path(__file__).parents[1] / "book" / "reference"
#: What the reference documents of the library is public.  The laboratory trusts its
#: callers: the chapters have checked their parameters.
ROOMS = [
    importlib.import_module(name)
    for page in sorted(REFERENCE.glob("*.md"))
    for name in re.findall(r"automodule:: (replib\S*)", page.read_text())
]
RNG = np.random.default_rng(1)
BLOCK = RNG.normal(0.02, 0.04, size=(4, 5))
A, B = 0.8 + RNG.normal(0, 0.02, size=(2, 4, 5))
SEARCH = {"params": [{"k": 1}, {"k": 2}], "mean_test_score": [0.8, 0.8]} | {
    f"split{i}_test_score": [A.flat[i], B.flat[i]] for i in range(20)
}
NUMBERS, CLASSES = RNG.random((20, 2)), np.arange(20) % 2
PAIR, HOW = {"a": A, "b": B}, {"design": "4x5", "metric": "accuracy"}
COMPARED = comparison.compare(PAIR, **HOW)
ANSWERS = comparison.compare(
    {"a": [1, 0, 1], "b": [0, 0, 1]}, design="items", metric="accuracy"
)
SQUARES = variance.mean_squares(A, B)
PILOT = variance.variance_components(A, B)


@cache
def calls():
    """One valid call of each function: what it cannot do without, usual or its own."""
    course = adaptive.course(BLOCK, test="corrected")
    usual = {
        "a": A,
        "accepted": 3,
        "b": B,
        "counts": [3, 4, 5],
        "course": course,
        "difference": 0.04,
        "differences": BLOCK,
        "folds": 3,
        "instances": 20,
        "items": 50,
        "n": 10,
        "p_minus": 0.2,
        "p_plus": 0.3,
        "path": "scores.csv",
        "r": 0.8,
        "runs": 2,
        "scheme": "use_all_data",
        "squares": SQUARES,
        "test_size": 20,
        "test_train_ratio": 0.25,
        "wins": 29,
    }
    own = {
        "adaptive.confidence_of_forecast": {
            "margin": 0.02,
            "deviation": 0.03,
            "runs": [2, 5],
            "max_runs": 50,
        },
        "adaptive.course": {"test": "corrected"},
        "adaptive.stop": {"level": 2, "rule": "agreeing"},
        "comparison.compare": {"data": PAIR, **HOW},
        "estimation.estimate": {"data": PAIR, **HOW},
        "designs.design_of_splits": {"splits": [([2, 3], [0, 1]), ([0, 1], [2, 3])]},
        "designs.find_design": {"design": "10x10"},
        "readers.as_data": {"data": PAIR, **HOW},
        "readers.from_arrays": {"arrays": PAIR, **HOW},
        "readers.from_cross_validate": {
            "results": {name: {"test_score": x.ravel()} for name, x in PAIR.items()},
            **HOW,
        },
        "readers.from_predictions": {
            "y": CLASSES,
            "predictions": {"a": CLASSES, "b": 1 - CLASSES},
            "metric": "accuracy",
        },
        "readers.from_search": {"search": SEARCH, **HOW},
        "readers.from_wide": {
            "frame": pd.DataFrame({name: x.ravel() for name, x in PAIR.items()}),
            **HOW,
        },
        "rerun.predict_choice": {"run_means": A},
        "rerun.predict_decisions": {"differences": [BLOCK, -BLOCK]},
        "scores.find_metric": {"metric": "accuracy"},
        "training.train": {
            "estimators": {
                "nb": GaussianNB(),
                "tree": DecisionTreeClassifier(random_state=0),
            },
            "X": NUMBERS,
            "y": CLASSES,
            "design": "2x2",
        },
        "methods.in_use": {"differences": BLOCK, "design": CV(4, 5), "alpha": 0.05},
        "methods.level_held": {
            "type_1_error": [0.05, 0.1],
            "standard_error": 0.01,
            "populations": 10,
        },
        "methods.recommended": {"fear": "a false alarm", "trainings": 100},
        "methods.decide": {"method": "corrected_repeated_cv", "alpha": 0.05},
        "methods.find": {"method": "corrected_repeated_cv"},
        "methods.pvalues": {"method": "corrected_repeated_cv"},
        "intervals.clopper_pearson": {"successes": [3, 4]},
        "intervals.highest_density_interval": {"a": 30, "b": 16},
        "multiple_comparisons.adjusted_pvalues": {
            "pvalues": [0.1, 0.01, 0.5],
            "method": "holm",
        },
        "planning.plan": {"design": "5x10", "spread": 0.03},
        "replicability.agreement": {"p": 0.25},
        "replicability.r1": {"outcomes": [True, False, True, True]},
        "replicability.r2": {"outcomes": [1, 0, -1, 1]},
        "replication_probability.bayesian": {"n": 44},
        "replication_probability.binomial": {"n": 44},
        "replication_probability.cv_t": {"t": 2.5, "folds": 10},
        "replication_probability.signed_rank": {
            "differences": [[0.2, 0.1, 0.3, 0.4, 0.6, 0.5]]
        },
        "replication_probability.smallest_significant": {"n": 44},
        "replication_probability.wilcoxon": {"z": 2.5, "sd": 1.0},
        "significance.corrected_resampled_t": {"test_train_ratio": 0.25},
        "significance.five_by_two_cv_f": {
            "differences": np.arange(10.0).reshape(5, 2) ** 2
        },
        "significance.five_by_two_cv_t": {
            "differences": np.arange(10.0).reshape(5, 2) ** 2
        },
        "significance.hodges_lehmann": {"differences": BLOCK[0]},
        "significance.mcnemar": {"n10": 25, "n01": [12, 13]},
        "significance.mcnemar_critical_count": {"discordant": [5, 50]},
        "significance.sharp": {"differences": np.arange(10.0).reshape(5, 2) ** 2},
        "significance.tango": {"wins": 25, "losses": 12, "n": 90, "shift": 0.1},
    }
    return {
        name: {
            argument: usual[argument]
            for argument, one in inspect.signature(function).parameters.items()
            if one.default is one.empty and argument in usual
        }
        | own.get(name, {})
        for name, function in public("function").items()
        if name not in UNCHECKED
    }


#: This leaves NaN what it is.
ELEMENTWISE = ("replicability.normalized",)

#: Shared with simulations: what it is given has been checked.
UNCHECKED = ("readers.read",)

#: Their tables leave empty what cannot be known.
WITH_NAN = ("comparison.compare", "methods.in_use", "methods.recommended")

#: Their sentences speak of "the scores of a" and "the column": their own tests have
#: them.
SPEAKING = ("comparison.", "designs.", "estimation.", "planning.", "readers.")
SPEAKING += ("scores.", "training.")


@cache
def methods_of_objects():
    """One object of each public class that has methods, and a valid call of each."""
    return {
        "methods.Design.describe": (methods.DESIGNS["corrected_t_all"], {}),
        "methods.Design.words": (methods.DESIGNS["corrected_t_all"], {}),
        "methods.Method.describe": (methods.METHODS["five_by_two_cv"], {}),
        "methods.Method.trainings": (methods.METHODS["five_by_two_cv"], {}),
        **{
            f"significance.{kind}Result.{name}": (result, call)
            for kind, result in (
                ("HodgesLehmann", significance.hodges_lehmann([1, 2, 4])),
                ("MeanTest", significance.paired_t([1, 2, 4])),
            )
            for name, call in (("confidence_interval", {}), ("tails", {"shift": 0.1}))
        },
        "significance.SharpResult.confidence_interval": (
            significance.sharp([[1, 2], [4, 2], [3, 5]]),
            {},
        ),
        **{
            f"results.Result.{name}": (COMPARED, call)
            for name, call in {
                "advantage": {"model": "a"},
                "methods": {},
                "plot": {},
                "ranks": {},
                "report": {"path": "page.html"},
                "runs_needed": {},
                "sentence": {},
                "tied": {},
                "to_dict": {},
                "to_frame": {},
                "to_latex": {},
                "to_markdown": {},
            }.items()
        },
        "estimation.Estimates.sentence": (estimation.estimate(PAIR, **HOW), {}),
        "estimation.Estimates.to_frame": (estimation.estimate(PAIR, **HOW), {}),
        "results.Result.flips": (ANSWERS, {"a": "a", "b": "b"}),
        "scores.Metric.allows": (scores.Metric("accuracy"), {"values": [0.5, 2.0]}),
        "planning.Plan.sentence": (planning.plan("5x10", 0.03, difference=0.04), {}),
        "planning.Plan.to_dict": (planning.plan("5x10", 0.03, difference=0.04), {}),
        "variance.VarianceComponents.standard_error": (
            PILOT,
            {"runs": 5, "items": [100, 200]},
        ),
    }


WRONG = (
    None,
    "text",
    "",
    b"1",
    True,
    0,
    -1,
    2.5,
    1e300,
    np.nan,
    np.inf,
    -np.inf,
    2**40,
    10**30,
    1j,
    [],
    [[]],
    [0.05, 0.01],
    [np.nan, 1.0],
    [1, np.inf],
    ["a", "b"],
    [[1, 2], [3]],
    [None, 1],
    np.zeros((2, 0)),
    np.array("2020-01-01", dtype="datetime64[D]"),
    {"a": 1},
    {1, 2},
    object(),
    len,
    (0, 0),
    (5, 7),
    np.array([[[0.3]]]),
    pd.DataFrame({"a": [1, 2], "b": ["x", "y"]}),
    pd.Series(["x", "y"]),
    np.random.SeedSequence(1, spawn_key=(2, 3)),
    ["a\n\x1b[2J\u202e"],
)


@cache
def public(kind):
    """Public functions, or methods of public classes, of all rooms by their names."""
    found = {}
    for room in ROOMS:
        for name in getattr(room, "__all__", None) or vars(room):
            thing = getattr(room, name)
            own = (
                hasattr(room, "__all__")
                or getattr(thing, "__module__", "") == room.__name__
            )
            if not own or name.startswith("_"):
                continue
            full = f"{room.__name__.removeprefix('replib.')}.{name}"
            if kind == "function" and inspect.isfunction(inspect.unwrap(thing)):
                found[full] = thing
            elif kind == "method" and inspect.isclass(thing):
                for method, function in inspect.getmembers(thing, inspect.isfunction):
                    if not method.startswith("_"):
                        found[f"{full}.{method}"] = function
    return found


def test_every_public_function_is_tried():
    for name, call in calls().items():
        inspect.signature(public("function")[name]).bind(**call)
    assert sorted(methods_of_objects()) == sorted(public("method"))


@pytest.mark.parametrize("kind", ["function", "method"])
def test_every_public_function_documents_its_arguments_and_refusals(kind):
    for name, function in public(kind).items():
        if name in UNCHECKED:
            continue
        text = inspect.getdoc(function) or ""
        if "Functions raise `ValueError`" in (
            inspect.getmodule(inspect.unwrap(function)).__doc__
        ):
            text += "\nRaises\n------"
        signature = inspect.signature(function)
        given = signature.parameters.keys() - {"self"}
        for section in ("Parameters", "Returns", "Raises") if given else ():
            returns_nothing = (
                section == "Returns" and signature.return_annotation is None
            )
            assert f"{section}\n---" in text or returns_nothing, name
        assert "Examples\n---" in text or kind == "method", name
        for argument in given:
            assert re.search(rf"\b{argument}\b", text), (name, argument)


@pytest.mark.parametrize("kind", ["function", "method"])
def test_options_are_given_by_name(kind):
    """After its first argument a function takes data by position, but no option and no choice."""
    wrong = [
        f"{name}({one.name})"
        for name, function in public(kind).items()
        for one in [*inspect.signature(function).parameters.values()][
            1 + (kind == "method") :
        ]
        if one.kind is one.POSITIONAL_OR_KEYWORD
        and (one.default is not one.empty or one.annotation in (str, "str"))
        and (name, one.name)
        not in {
            ("training.train", "y"),  # as scikit-learn has it
            ("results.Result.flips", "b"),  # a pair
        }
    ]
    assert not wrong


def tried(name):
    """A function, or a method of an object, and a valid call of it."""
    if name in calls():
        return public("function")[name], calls()[name]
    thing, call = methods_of_objects()[name]
    return getattr(thing, name.rsplit(".")[-1]), call


def has_nan(result):
    if dataclasses.is_dataclass(result):
        return any(
            has_nan(getattr(result, field.name)) for field in dataclasses.fields(result)
        )
    if isinstance(result, pd.DataFrame):
        return result.isna().any(axis=None)
    if isinstance(result, (tuple, list)):
        return any(map(has_nan, result))
    return np.asarray(result).dtype.kind == "f" and bool(np.isnan(result).any())


def is_ours(error):
    """Whether a line of the library, or of scikit-learn's checks, raised an error."""
    raised_in = traceback.extract_tb(error.__traceback__)[-1].filename
    return (
        raised_in.startswith(f"{REPLIB}{os.sep}")
        or f"{os.sep}sklearn{os.sep}" in raised_in
    )


def too_long(*_):
    raise TimeoutError("still at work after five seconds of a processor")


@pytest.fixture
def five_seconds():
    before = signal.signal(signal.SIGVTALRM, too_long)
    yield partial(signal.setitimer, signal.ITIMER_VIRTUAL, 5)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    """A folder with the file that calls name."""
    monkeypatch.chdir(tmp_path)
    Path("scores.csv").write_text("tree,bayes\n0.8,0.7\n0.9,0.6\n")


def arguments():
    for kind in ("function", "method"):
        for name, function in public(kind).items():
            for argument in inspect.signature(function).parameters:
                if argument != "self" and name not in UNCHECKED:
                    yield name, argument


@pytest.mark.slow
@pytest.mark.parametrize("name, argument", list(arguments()))
def test_a_wrong_value_is_named_or_valid(name, argument, five_seconds):
    (function, call), unclear = tried(name), []
    assert name in WITH_NAN or not has_nan(function(**call))
    for wrong in WRONG:
        five_seconds()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                result = function(**call | {argument: wrong})
        except OSError as refusal:
            if argument != "path" or not refusal.filename:
                unclear.append(f"{wrong!r}: {type(refusal).__name__}: {refusal}")
        except (ValueError, TypeError) as refusal:
            if not str(refusal).isprintable() or not (
                re.search(rf"\b{argument}\b", str(refusal))
                or (name.startswith(SPEAKING) and is_ours(refusal))
            ):
                unclear.append(f"{wrong!r}: {type(refusal).__name__}: {refusal}")
        except Exception as error:
            unclear.append(f"{wrong!r}: {type(error).__name__}: {error}")
        else:
            if (
                name not in WITH_NAN
                and has_nan(result)
                and not (name in ELEMENTWISE and has_nan(wrong))
            ):
                unclear.append(f"{wrong!r}: NaN in {result}")
    assert not unclear, f"{name}({argument}=...)\n" + "\n".join(unclear)


#: What no argument shows alone: sizes, relations, and options that exclude each other.
REFUSED = [
    (lambda: replicability.r1([True] * 3), "even in number"),
    (lambda: replicability.r2([True]), "at least 2"),
    (lambda: replicability.r2([0.0, np.nan, 1.0]), "labels of one type"),
    (lambda: replicability.r2_from_counts(11, 10), "between 0 and n"),
    (lambda: replication_probability.binomial(5, 4), "wins"),
    (
        lambda: replication_probability.cv_t([3.0, 2.0], 10, selected=True),
        "significant",
    ),
    (lambda: replication_probability.cv_t(2.0, 10, scale=[1.0, 0.0]), "scale"),
    (lambda: intervals.highest_density_interval(1, 1), "beta"),
    (lambda: adaptive.course(BLOCK[:, :1], test="plain"), "folds >= 2"),
    (lambda: rerun.predict(BLOCK[:1], test_train_ratio=0.1), "runs >= 2"),
    (lambda: adaptive.course(BLOCK, test="plain", max_runs=2), "max_runs must be"),
    *(
        (
            lambda given=given, runs=runs: adaptive.stop(
                adaptive.course(BLOCK, test="plain", max_runs=runs), **given
            ),
            message,
        )
        for given, runs, message in (
            ({"level": 5, "rule": "fixed"}, 4, "level must be .* from 1 to 4, not 5"),
            (
                {"level": 0.4, "rule": "curtailed"},
                4,
                "level must be .* from 0.5 to 1, not 0.4",
            ),
            ({"level": 1, "rule": "first_rejection"}, 5, "all its 5 runs"),
        )
    ),
    (lambda: significance.five_by_two_cv_t(np.ones((2, 5))), "5 runs x 2 folds"),
    (
        lambda: significance.corrected_resampled_t([1, 2], test_train_ratio=0),
        "test_train_ratio",
    ),
    (
        lambda: methods.pvalues(np.ones((5, 3)), method="five_by_two_cv"),
        "5 runs x 2 folds, not 5 x 3",
    ),
    (lambda: variance.mean_squares(A, B[:, :4]), "must both have shape"),
    (lambda: variance.mean_squares(A, B[:3], paired_runs=True), "equally many"),
    (lambda: variance.mean_squares(A, B, groups=[0] * 5), "two clusters"),
    (lambda: variance.mean_squares(A, B, groups=[0, 1]), "each of the 5 items"),
    (
        lambda: significance.mcnemar_power(10, [0.2, 0.7], 0.4),
        "sum to at most 1, not to 1.1",
    ),
    (lambda: significance.mcnemar_power(10_000_001, 0.2, 0.2), "test_size"),
    (
        lambda: significance.mcnemar_power(10, 0.2, 1.5),
        "p_minus must be numbers from 0 to 1",
    ),
    (lambda: significance.mcnemar_critical_count(-1), "whole numbers"),
    (lambda: replicability.agreement([0.5, -0.1]), "p must be numbers from 0 to 1"),
    (lambda: significance.corrected_resampled_t(BLOCK), "test_train_ratio or odds"),
    (
        lambda: significance.corrected_resampled_t(BLOCK, odds=(0.1, 0.2)),
        "axis must be",
    ),
    (
        lambda: significance.corrected_resampled_t(BLOCK, odds=0.1, axis=(0, 1)),
        "two numbers",
    ),
    *(
        (lambda test=test: test([0.1]), "at least two")
        for test in (
            significance.paired_t,
            significance.sign_test,
            significance.signed_rank,
        )
    ),
]


@pytest.mark.parametrize("call, words", REFUSED)
def test_arguments_that_do_not_go_together_are_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()

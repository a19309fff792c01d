"""Every public function of the statistics, called with wrong values for each of its arguments.

It answers with a valid result, or with a sentence that names the argument; and is documented.
"""

import contextlib
import dataclasses
import importlib
import inspect
import os
import re
import signal
import traceback
import warnings
from functools import partial, wraps
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from companion.lab import datasets, learners
from companion.lab.experiments import engine, on_datasets
from companion.lab.experiments.results import save_results
from companion.lab.learners import packed
from companion.lab.sources import random_network
from replib import adaptive, comparison, intervals, margins, significance, theory, variance
from replib import designs as designs_of_tests
from replib.theory import designs

REPLIB = Path(comparison.__file__).parents[1]
REFERENCE = Path(__file__).parents[1] / "book" / "reference"
#: What the reference documents is public.
ROOMS = [
    importlib.import_module(name) for page in sorted(REFERENCE.glob("*.md"))
    for name in re.findall(r"automodule:: (\S+)", page.read_text())
]
RNG = np.random.default_rng(1)
BLOCK = RNG.normal(0.02, 0.04, size=(4, 5))
COURSE = adaptive.course(BLOCK, test="corrected")
DESIGN = designs.McNemar()
COIN = theory.RejectionDistribution(np.array([0.05, 0.95]), np.array([0.5, 0.5]))
A, B = 0.8 + RNG.normal(0, 0.02, size=(2, 4, 5))
SEARCH = {"params": [{"k": 1}, {"k": 2}], "mean_test_score": [0.8, 0.8]} | {
    f"split{i}_test_score": [A.flat[i], B.flat[i]] for i in range(20)
}
NUMBERS, CLASSES = RNG.random((20, 2)), np.arange(20) % 2
ROWS = learners.Table.from_frame(NUMBERS, CLASSES)
BITS = packed.pack([[0, 0, 0, 1, 1, 1]], [0, 0, 0, 1, 1, 1], [2], 2)
SQUARES = variance.mean_squares(A, B)
PILOT = variance.variance_components(A, B)
COINS = engine.Experiment("numpy.random:Generator.binomial", 1, {"n": 10, "p": 0.5})
DRAWN = engine.Replications(COINS, np.array([6, 5]), {})
ARFF = "@relation three\n@attribute legs real\n@attribute kind {cat, dog}\n@data\n" + "\n".join(
    f"{legs},{kind}" for legs in range(6) for kind in ("cat", "dog")
)
SOURCE = random_network(seed=1, attributes=3)
ON_SOURCE = {"rng": RNG, "instances": 20, "experiments": 2, "folds": 3}

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
    "comparison.agreement.noncentralities": {
        "seen": margins.margins(BLOCK, test_train_ratio=0.25), "runs": 4,
    },
    "comparison.agreement.noncentrality_limit": {"t": [0.5, 2.0], "df": 9, "probability": 0.9},
    "comparison.agreement.of_choice": {"run_means": A},
    "comparison.agreement.of_corrected": {"differences": [BLOCK, -BLOCK], "test_train_ratio": 0.25},
    "comparison.agreement.of_rerun": {"differences": BLOCK, "test_train_ratio": 0.25},
    "comparison.agreement.predict": {"differences": BLOCK, "test_train_ratio": 0.25},
    "comparison.agreement.runs_needed": {"differences": BLOCK, "test_train_ratio": 0.25},
    "comparison.compare_benchmark": {"frame": pd.DataFrame(A[:, :3], columns=list("abc"))},
    "comparison.compare_classifiers": {
        "a": GaussianNB(), "b": DecisionTreeClassifier(random_state=0), "X": NUMBERS,
        "y": CLASSES, "cv": "2x2", "progress": False,
    },
    "comparison.compare_counts": {"wins": 5, "losses": 3, "draws": 2},
    "comparison.compare_item_scores": {"a": NUMBERS.T, "b": NUMBERS.T ** 2},
    "comparison.compare_predictions": {
        "y_true": [0, 1, 1, 0], "pred_a": [0, 1, 0, 0], "pred_b": [1, 1, 1, 0],
    },
    "comparison.compare_scores": {"a": A, "b": B, "runs": 4, "folds": 5},
    "comparison.compare_search": {"search": SEARCH, "cv": "4x5", "baseline": 0},
    "comparison.report.bibtex": {"keys": ["berrar2024"]},
    "comparison.run_benchmark": {
        "estimators": {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)},
        "datasets": {name: (NUMBERS + name, CLASSES) for name in range(2)}, "cv": 2,
        "progress": False,
    },
    "comparison.scores_file.lines_of": {"path": "scores.csv"},
    "comparison.scores_file.read": {"path": "scores.csv"},
    "datasets.load": {"name": "iris"},
    "datasets.names": {},
    "datasets.read_arff": {"path": "three.arff"},
    "datasets.table": {},
    "experiments.engine.replicate": {"experiment": COINS, "replications": 3},
    "experiments.on_datasets.cross_validation": {
        "rng": RNG, "dataset": "iris", "runs": 1, "folds": 2,
    },
    "experiments.on_datasets.resampling": {
        "rng": RNG, "dataset": "iris", "runs": 2, "test_percent": 50, "stratified": True,
    },
    "experiments.on_sources.correct_counts": ON_SOURCE | {"source": SOURCE, "runs": 2},
    "experiments.on_sources.decisions": ON_SOURCE | {
        "source": {"seed": 1}, "designs": ["corrected_repeated_cv"], "runs": 2,
    },
    "experiments.on_sources.decisions_over_grid": ON_SOURCE | {
        "sources": [SOURCE], "designs": ["corrected_repeated_cv"], "runs": [2],
    },
    "experiments.on_sources.differences": {"counts": [[[3, 2], [1, 2]]], "instances": 7},
    "experiments.results.load_results": {"path": "coins"},
    "experiments.results.save_results": {"path": "coins", "results": {"fair": DRAWN}},
    "experiments.results.spot_check": {"results": {"fair": DRAWN}, "k": 1},
    "experiments.splits.fold_sizes": {"n": 11, "folds": 3},
    "experiments.splits.size_of_test_set": {"n": 11, "test_fraction": 0.1},
    "experiments.splits.stratified_folds": {"labels": CLASSES, "folds": 3, "rng": RNG},
    "experiments.splits.test_set": {
        "labels": CLASSES, "size": 5, "rng": RNG, "stratified": True,
    },
    "learners.correct_counts": {"table": ROWS, "test_folds": CLASSES},
    "learners.correct_counts_of_splits": {"table": ROWS, "test": CLASSES > 0},
    "learners.packed.grow": {"table": BITS, "train": [True] * 6},
    "learners.packed.pack": {
        "columns": [[0, 1, 2, 1]], "labels": [0, 0, 1, 1], "cardinality": [3], "n_classes": 2,
    },
    "learners.packed.predict_naive_bayes": {"table": BITS, "train": [True] * 6, "other": BITS},
    "learners.packed.predict_tree": {"nodes": packed.grow(BITS, [True] * 6), "table": BITS},
    "learners.packed.workspace": {"table": BITS},
    "learners.predictions": {"table": ROWS, "test_folds": CLASSES},
    "sources.random_network": {"seed": 1},
    "theory.order_statistics.normal_order_statistics": {"size": 5},
    "theory.designs.power": {"design": DESIGN, "shift": 1.0},
    "theory.designs.replicability": {"design": DESIGN, "shift": 1.0},
    "theory.order_statistics.sorted_squares": {"runs": 3, "folds": 4},
    "theory.designs.worst_case": {"design": DESIGN},
    "designs.decide": {
        "differences": BLOCK, "design": "corrected_repeated_cv", "alpha": 0.05,
    },
    "experiments.engine.source_digest": {"experiment": COINS},
    "designs.find": {"design": "corrected_repeated_cv"},
    "designs.pvalues": {"differences": BLOCK, "design": "corrected_repeated_cv"},
    "intervals.clopper_pearson": {"successes": [3, 4], "n": 10},
    "intervals.highest_density_interval": {"a": 30, "b": 16},
    "intervals.nested_cv": {
        "losses": np.arange(54.0).reshape(2, 3, 9), "folds": [[0, 0, 0, 1, 1, 1, 2, 2, 2]] * 2,
    },
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
    "replication_probability.signed_rank": {"differences": [[0.2, 0.1, 0.3, 0.4, 0.6, 0.5]]},
    "replication_probability.smallest_significant": {"n": 44},
    "replication_probability.wilcoxon": {"z": 2.5, "sd": 1.0},
    "schemes.decide": {"differences": BLOCK, "scheme": "use_all_data", "test": "paired_t"},
    "schemes.sample": {"differences": BLOCK, "scheme": "use_all_data"},
    "significance.conservative_z": {
        "differences": BLOCK, "halves": np.arange(30.0).reshape(3, 2, 5) ** 2,
    },
    "significance.corrected_resampled_t": {"differences": BLOCK, "test_train_ratio": 0.25},
    "significance.cv_clt": {"differences": BLOCK},
    "significance.five_by_two_cv_f": {"differences": np.arange(10.0).reshape(5, 2) ** 2},
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
    "variance.best_plan": {
        "components": PILOT, "budget": 500, "cost_run": 20, "cost_item": 1, "cost_answer": 0.1,
    },
    "variance.difference_test": {"squares": SQUARES},
    "variance.items_needed": {"components": PILOT, "difference": 0.04, "runs": 5},
    "variance.mean_squares": {"a": A, "b": B},
    "variance.recurrence": {"squares": SQUARES},
    "variance.seeds_needed": {"components": PILOT, "difference": 0.04, "items": 50},
    "variance.smallest_detectable": {"components": PILOT, "runs": 5, "items": 50},
    "variance.variance_components": {"a": A, "b": B},
    "variance.variance_of_difference": {"squares": SQUARES},
}

#: These leave NaN what it is.
ELEMENTWISE = ("replicability.normalized", "significance.without_rounding_noise")

#: Trees of nominal data, whose thresholds are NaN, and the memory for them.
WITH_NAN = ("learners.packed.grow", "learners.packed.workspace")

#: Compiled for compiled code, or shared with simulations: what they are given has been checked.
UNCHECKED = ("experiments.splits.random_test_sets", "sources.sample_into",
             "variance.squares_of_totals")

#: Their sentences speak of "the scores of A" and "the file": tests/comparison has them one by one.
SPEAKING_CLASSES = ("comparison.",)  # and scikit-learn's own checks try the learners
SPEAKING = ("comparison.compare_", "comparison.run_", "comparison.scores_file.")

#: One object of each public class that has methods, and a valid call of each.
METHODS = {
    "designs.Design.describe": (designs_of_tests.DESIGNS["five_by_two_cv"], {}),
    "designs.Design.trainings": (designs_of_tests.DESIGNS["five_by_two_cv"], {}),
    "designs.Evidence.holds_level": (designs_of_tests.DESIGNS["five_by_two_cv"].evidence, {}),
    "theory.designs.CrossValidation.rejection": (designs.CrossValidation(), {"mean": 1.0}),
    "theory.designs.McNemar.rejection": (DESIGN, {"mean": 1.0}),
    "theory.designs.MeanOverRuns.rejection": (designs.MeanOverRuns(), {"mean": 1.0}),
    "theory.designs.Resampling.rejection": (designs.Resampling(), {"mean": 1.0}),
    "theory.designs.SortedCrossValidation.rejection": (
        designs.SortedCrossValidation(), {"mean": 1.0},
    ),
    "intervals.NestedCVResult.confidence_interval": (
        intervals.nested_cv(**CALLS["intervals.nested_cv"]), {},
    ),
    "significance.TTestResult.confidence_interval": (significance.paired_t([1, 2, 4]), {}),
    "significance.ZTestResult.confidence_interval": (significance.cv_clt([1, 2, 4]), {}),
    "experiments.engine.Experiment.replication": (COINS, {"index": 3}),
    "sources.BayesianNetwork.arrows": (SOURCE, {}),
    "sources.BayesianNetwork.expected_accuracy": (SOURCE, {"predicted": [0] * 8}),
    "sources.BayesianNetwork.frame": (SOURCE, {"labels": [0], "columns": [[1], [1], [0]]}),
    "sources.BayesianNetwork.grid": (SOURCE, {}),
    "sources.BayesianNetwork.joint": (SOURCE, {}),
    "sources.BayesianNetwork.sample": (SOURCE, {"n": 5, "rng": RNG}),
    "sources.BayesianNetwork.strengths": (SOURCE, {}),
    "sources.BayesianNetwork.to_dict": (SOURCE, {}),
    "sources.BayesianNetwork.with_class_probabilities": (SOURCE, {"probabilities": [0.2, 0.8]}),
    "theory.RejectionDistribution.expectation": (COIN, {"values": [1.0, 2.0]}),
    "variance.VarianceComponents.standard_error": (PILOT, {"runs": 5, "items": [100, 200]}),
    "variance.VarianceComponents.to_frame": (PILOT, {}),
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
            full = f"{room.__name__.removeprefix('replib.').removeprefix('companion.lab.')}.{name}"
            if kind == "function" and inspect.isfunction(inspect.unwrap(thing)):
                found[full] = thing
            elif kind == "method" and inspect.isclass(thing) and not full.startswith(
                ("learners.", "datasets.", *SPEAKING_CLASSES)
            ):
                for method, function in inspect.getmembers(thing, inspect.isfunction):
                    if not method.startswith("_"):
                        found[f"{full}.{method}"] = function
    return found


def test_every_public_function_is_tried():
    assert sorted(CALLS) == sorted(public("function").keys() - set(UNCHECKED))
    assert sorted(METHODS) == sorted(public("method"))


@pytest.mark.parametrize("kind", ["function", "method"])
def test_every_public_function_documents_its_arguments_and_refusals(kind):
    for name, function in public(kind).items():
        if name.startswith(SPEAKING) or name in UNCHECKED:
            continue
        text = inspect.getdoc(function) or ""
        signature = inspect.signature(function)
        given = signature.parameters.keys() - {"self"}
        for section in ("Parameters", "Returns", "Raises") if given else ():
            returns_nothing = section == "Returns" and signature.return_annotation is None
            assert f"{section}\n---" in text or returns_nothing, name
        assert "Examples\n---" in text or kind == "method", name
        for argument in given:
            assert re.search(rf"\b{argument}\b", text), (name, argument)


#: Data that one form of the call has by position, and the other leaves out.
LEFT_OUT = ("compare_scores.b", "compare_classifiers.b", "compare_classifiers.X",
            "compare_classifiers.y")


@pytest.mark.parametrize("kind", ["function", "method"])
def test_options_are_given_by_name(kind):
    """After its first argument a function takes data by position, but no option and no choice."""
    wrong = [
        f"{name}({one.name})"
        for name, function in public(kind).items()
        for one in [*inspect.signature(function).parameters.values()][1 + (kind == "method"):]
        if one.kind is one.POSITIONAL_OR_KEYWORD
        and (one.default is not one.empty or one.annotation in (str, "str"))
        and f"{name.split('.')[-1]}.{one.name}" not in LEFT_OUT
    ]
    assert not wrong


TRIED = {name: (public("function")[name], call) for name, call in CALLS.items()}
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


def is_ours(error):
    """Whether a line of the library, or of scikit-learn's checks, raised an error."""
    raised_in = traceback.extract_tb(error.__traceback__)[-1].filename
    return raised_in.startswith(f"{REPLIB}{os.sep}") or f"{os.sep}sklearn{os.sep}" in raised_in


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
    """A folder with the files that calls name, and a data set that is called three."""
    load = datasets.load
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(engine.CACHE_VARIABLE, "cache")
    monkeypatch.delenv(datasets.FOLDER_VARIABLE, raising=False)
    Path("scores.csv").write_text("tree,bayes\n0.8,0.7\n0.9,0.6\n")
    Path("three.arff").write_text(ARFF)
    save_results("coins", {"fair": DRAWN})
    three = datasets.read_arff("three.arff")
    monkeypatch.setattr(datasets, "load", wraps(load)(
        lambda name: three if name == "iris" else load(name)
    ))
    yield
    on_datasets._table.cache_clear()  # of the small one


def arguments():
    for name, (function, _) in TRIED.items():
        for argument in inspect.signature(function).parameters:
            yield name, argument


@pytest.mark.slow
@pytest.mark.parametrize("name, argument", list(arguments()))
def test_a_wrong_value_is_named_or_valid(name, argument, five_seconds):
    (function, call), unclear = TRIED[name], []
    with contextlib.suppress(datasets.DataUnavailable):
        assert not has_nan(function(**call)) or name in WITH_NAN
    for wrong in WRONG:
        five_seconds()
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                warnings.filterwarnings("ignore", ".*no variance", RuntimeWarning)
                result = function(**call | {argument: wrong})
        except OSError as refusal:
            if argument != "path" or not refusal.filename:
                unclear.append(f"{wrong!r}: {type(refusal).__name__}: {refusal}")
        except (ValueError, TypeError) as refusal:
            if not (re.search(rf"\b{argument}\b", str(refusal)) or (
                name.startswith(SPEAKING) and is_ours(refusal)
            )):
                unclear.append(f"{wrong!r}: {type(refusal).__name__}: {refusal}")
        except Exception as error:
            unclear.append(f"{wrong!r}: {type(error).__name__}: {error}")
        else:
            if has_nan(result) and name not in WITH_NAN and not (
                name in ELEMENTWISE and has_nan(wrong)
            ):
                unclear.append(f"{wrong!r}: NaN in {result}")
    assert not unclear, f"{name}({argument}=...)\n" + "\n".join(unclear)

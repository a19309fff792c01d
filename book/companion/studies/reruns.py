"""Would a rerun decide the same?  Predictions from one block, compared with 200 reruns.

:mod:`replib.rerun` predicts from the scores of one experiment the probability that
another seed leads to the same decision.  Here the experiment is repeated 200 times on each data
set: on the UCI sets (the stored cross-validations of chapter `uci_tests`), on data sets drawn from
the 40 networks, and on seven data sets that come with scikit-learn.
"""

from collections.abc import Mapping
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pandas as pd

from companion.lab.experiments import on_sources, runner
from companion.papers import networks, uci
from replib import rerun

#: The calibration of what a result prints, written with the stored runs.
FILE = Path(__file__).parents[2] / "results" / "printed_reruns.csv"
#: The runs from which it is computed, in the order of the arguments of :func:`blocks`.
RUNS = ("uci_cross_validation", "reruns_sources", "reruns_scikit_learn")
#: Limits of the predictions that :func:`printed` puts together.
PREDICTIONS = (0.0, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1.0)
#: Until 2026 the library printed a prediction only if its interval was narrower.
WIDEST_PRINTED = 0.7
#: Data sets on which a smaller share of reruns agree count as divided.
DIVIDED = 0.75

SEED = 2012
EXPERIMENTS = 200
SETTING = {"runs": 10, "folds": 10}
INSTANCES = 300

#: Learners on the data sets of scikit-learn, in the order of the last axis of their
#: counts.
LEARNERS = ("naive Bayes", "tree", "5 neighbours")
SCIKIT_LEARN = (
    "breast_cancer",
    "diabetes",
    "digits",
    "hastie",
    "iris",
    "moons",
    "wine",
)


@cache
def scikit_learn_data(name: str) -> tuple[np.ndarray, np.ndarray]:
    """Load or draw a data set of scikit-learn, as X and y.

    "diabetes" asks whether the disease is worse than in the median patient, and
    "digits" are the first 500; "hastie" and "moons" are drawn, with 300 instances each.
    "iris" is in whole millimetres: many of its distances are equal, and with fractions
    they would be equal only on some processors.
    """
    from sklearn import datasets

    if name == "hastie":
        return datasets.make_hastie_10_2(INSTANCES, random_state=0)
    if name == "moons":
        return datasets.make_moons(INSTANCES, noise=0.3, random_state=0)
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    if name == "diabetes":
        y = (y > np.median(y)).astype(int)
    if name == "iris":
        X = np.rint(10 * X)
    if name == "digits":
        return X[:500], y[:500]
    return X, y


def scikit_learn_counts(
    rng: np.random.Generator, *, dataset: str, runs: int, folds: int
) -> np.ndarray:
    """Count correct predictions in one repeated stratified cross-validation: (runs, folds, 3)."""
    from sklearn import config_context
    from sklearn.model_selection import RepeatedStratifiedKFold
    from sklearn.naive_bayes import GaussianNB
    from sklearn.neighbors import KNeighborsClassifier
    from sklearn.tree import DecisionTreeClassifier

    def seed() -> int:
        return int(rng.integers(2**31))

    X, y = scikit_learn_data(dataset)
    splits = RepeatedStratifiedKFold(
        n_splits=folds, n_repeats=runs, random_state=seed()
    )
    counts = []
    with config_context(assume_finite=True, skip_parameter_validation=True):
        for train, test in splits.split(X, y):
            learners = (
                GaussianNB(),
                DecisionTreeClassifier(max_depth=3, random_state=seed()),
                KNeighborsClassifier(algorithm="brute"),
            )
            for learner in learners:
                predicted = learner.fit(X[train], y[train]).predict(X[test])
                counts.append(np.count_nonzero(predicted == y[test]))
    return np.array(counts).reshape(runs, folds, len(LEARNERS))


def plan_scikit_learn() -> dict[str, tuple[runner.Experiment, int]]:
    """The stored experiments on data sets of scikit-learn; a replication is one experiment."""
    experiments = {}
    for i, name in enumerate(SCIKIT_LEARN):
        experiment = runner.Experiment(
            scikit_learn_counts,
            seed=SEED,
            stream=(0, i),
            parameters={"dataset": name, **SETTING},
        )
        experiments[name] = experiment, EXPERIMENTS
    return experiments


def plan_sources() -> dict[str, tuple[runner.Experiment, int]]:
    """The stored experiments on networks; a replication is a data set with all its experiments."""
    experiments = {}
    for i, name in enumerate(networks.names()):
        experiment = runner.Experiment(
            "companion.papers.networks.experiments:correct_counts",
            seed=SEED,
            stream=(1, i),
            parameters={
                "source": name,
                "instances": INSTANCES,
                "experiments": EXPERIMENTS,
                **SETTING,
            },
        )
        experiments[name] = experiment, 1
    return experiments


# ------------------------------------------------------------------ blocks


def blocks(
    uci_results: Mapping[str, runner.Replications],
    source_results: Mapping[str, runner.Replications],
    scikit_learn_results: Mapping[str, runner.Replications],
) -> dict[tuple[str, str, str], np.ndarray]:
    """Differences of all experiments, shape (200, 10, 10), by collection, data set and pair."""
    by_key = {}
    for pair in uci.PAIRS:
        differences = uci.differences(uci_results, "uci_cross_validation", pair)
        for name, block in differences.items():
            by_key["UCI", name, pair] = block
    for name, result in source_results.items():
        for i, counts in enumerate(result.counts):
            block = on_sources.differences(counts, INSTANCES)
            by_key["sources", f"{name}#{i}", "nb_c45"] = block
    for name, result in scikit_learn_results.items():
        counts = result.counts.astype(int)
        sizes = _test_sizes(name, counts.shape[-2])
        correct = dict(zip(LEARNERS, np.moveaxis(counts, -1, 0)))
        for a, b in combinations(LEARNERS, 2):
            block = (correct[a] - correct[b]) / sizes
            by_key["scikit-learn", name, f"{a}, {b}"] = block
    return by_key


def _test_sizes(name: str, folds: int) -> np.ndarray:
    """Test instances in each of scikit-learn's stratified folds, the same for any seed."""
    from sklearn.model_selection import StratifiedKFold

    X, y = scikit_learn_data(name)
    return np.array([len(test) for _, test in StratifiedKFold(folds).split(X, y)])


# ------------------------------------------------------------------ predicted and observed


def calibration(
    blocks: Mapping[tuple[str, str, str], np.ndarray], *, alpha: float = 0.05
) -> pd.DataFrame:
    """Compare each experiment's prediction for its rerun with how many others agree with it.

    Returns a row per experiment: `collection`, `dataset`, `pair`, `decision`,
    `predicted`, `low`, `high`, and `observed`, the share of the other experiments with
    the same decision.
    """
    frames = []
    for (collection, dataset, pair), differences in blocks.items():
        ratio = 1 / (differences.shape[-1] - 1)
        forecast = rerun.predict(differences, test_train_ratio=ratio, alpha=alpha)
        decision = forecast.decision
        n_same = (decision[:, np.newaxis] == decision).sum(axis=1) - 1
        columns = {
            "decision": decision,
            "predicted": forecast.point,
            "low": forecast.low,
            "high": forecast.high,
            "observed": n_same / (len(differences) - 1),
            "collection": collection,
            "dataset": dataset,
            "pair": pair,
        }
        frames.append(pd.DataFrame(columns))
    return pd.concat(frames, ignore_index=True)


def cells(calibration: pd.DataFrame) -> pd.DataFrame:
    """Means over the experiments on each data set with each pair of learners.

    Columns as in :func:`calibration`, with `error`, the mean distance of the prediction
    of one experiment from the observed share.
    """
    error = (calibration["predicted"] - calibration["observed"]).abs()
    keys = ["collection", "dataset", "pair"]
    by_cell = calibration.assign(error=error).groupby(keys, sort=False)
    return by_cell[["predicted", "observed", "error"]].mean().reset_index()


def most_divided(calibration: pd.DataFrame, collection: str) -> dict[str, object]:
    """Find the data set of a collection and the pair of learners on which reruns agree least.

    Returns `dataset` and `pair` as words, the number of `experiments`, how many `found`
    a significant difference, and how many did `not`.
    """
    members = calibration[calibration["collection"] == collection]
    worst = cells(members).set_index(["dataset", "pair"])["observed"].idxmin()
    decisions = members.set_index(["dataset", "pair"])["decision"].xs(worst)
    n_significant = int((decisions != 0).sum())
    dataset, pair = worst
    return {
        "dataset": dataset,
        "pair": pair.replace(", ", " and "),
        "experiments": len(decisions),
        "found": n_significant,
        "not": len(decisions) - n_significant,
    }


def errors(calibration: pd.DataFrame) -> dict[str, float]:
    """Errors of the predictions over all cells.

    `error` and `rms`, the mean absolute and root mean square error of one prediction;
    `rms_of_certainty`, that of always predicting that reruns agree; `bias`, predicted
    minus observed; `covered`, the share of intervals that cover the observed share.
    """
    # 199 reruns cannot resolve a probability beyond half a rerun
    half = 0.5 / (EXPERIMENTS - 1)
    low = calibration["low"] - half
    high = calibration["high"] + half
    return {
        "error": cells(calibration)["error"].mean(),
        "rms": _rms(calibration, calibration["predicted"]),
        "rms_of_certainty": _rms(calibration, 1.0),
        "bias": (calibration["predicted"] - calibration["observed"]).mean(),
        "covered": calibration["observed"].between(low, high).mean(),
    }


def _rms(calibration: pd.DataFrame, predicted: pd.Series | float) -> float:
    """Root mean square of a prediction's error; every cell has equal weight."""
    squares = (calibration["observed"] - predicted) ** 2
    keys = [calibration[key] for key in ("collection", "dataset", "pair")]
    return float(np.sqrt(squares.groupby(keys).mean().mean()))


# ------------------------------------------------------------------ what is printed


def printed(calibration: pd.DataFrame) -> pd.DataFrame:
    """How often reruns agree with experiments that print a certain prediction.

    Indexed by the predictions that are put together, such as "0.6 to 0.7":
    `experiments`; `predicted` and `observed`, the mean prediction and the share of
    reruns that agree; `error`, the standard error of their difference, for which a data
    set with a pair of learners is one unit.
    """
    limits = [f"{a:g} to {b:g}" for a, b in pairwise(PREDICTIONS)]
    groups = pd.cut(
        calibration["predicted"], PREDICTIONS, labels=limits, include_lowest=True
    )
    rows = {
        name: _summary(members)
        for name, members in calibration.groupby(groups, observed=True)
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("prediction")


def selected_by_width(calibration: pd.DataFrame) -> pd.DataFrame:
    """What is printed where reruns are divided, by the rule of today and by that of width.

    Indexed by rule, "always" or "if narrow": the columns of :func:`printed`, and
    `share`, that of the experiments that print a prediction.
    """
    keys = [calibration[key] for key in ("collection", "dataset", "pair")]
    agreement = calibration.groupby(keys)["observed"].transform("mean")
    divided = calibration[agreement < DIVIDED]
    narrow = divided[divided["high"] - divided["low"] < WIDEST_PRINTED]
    rows = {
        rule: {"share": len(members) / len(divided)} | _summary(members)
        for rule, members in (("always", divided), ("if narrow", narrow))
    }
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("rule")


def _summary(members: pd.DataFrame) -> dict[str, float]:
    """Means over experiments, and the error of their difference by data sets and pairs."""
    keys = [members[key] for key in ("collection", "dataset", "pair")]
    distance = members["predicted"] - members["observed"]
    totals = (distance - distance.mean()).groupby(keys).sum()
    n_units = len(totals)
    inflation = n_units / max(n_units - 1, 1)  # CR1
    return {
        "experiments": len(members),
        "predicted": members["predicted"].mean(),
        "observed": members["observed"].mean(),
        "error": np.sqrt(inflation * (totals**2).sum()) / len(members),
    }


def write_printed(calibration: pd.DataFrame) -> None:
    """Write both tables to `FILE`."""
    tables = {
        "prediction": printed(calibration),
        "rule": selected_by_width(calibration),
    }
    rows = [table.rename_axis("value").reset_index() for table in tables.values()]
    frame = pd.concat(rows, keys=tables, names=["by", None]).reset_index("by")
    frame = frame.astype({"experiments": int}).round(4)
    frame.to_csv(FILE, index=False, lineterminator="\n")


def read_printed(by: str) -> pd.DataFrame:
    """Read the table by "prediction" or by "rule" from `FILE`."""
    frame = pd.read_csv(FILE)
    rows = frame[frame["by"] == by].drop(columns="by").set_index("value")
    return rows.rename_axis(by).dropna(axis="columns")

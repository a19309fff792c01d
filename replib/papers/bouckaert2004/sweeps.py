"""What moves replicability: one thing at a time is varied, all others stay as in the papers.

Bouckaert (2004, Section 4) varies the significance level, the number of runs, the class probability,
the class cardinality and the pair of learners, and reports what came out in three sentences.  Here
are these sweeps in numbers, and the one that the paper asks for in its last paragraph, the size of
the data set.

An experiment compares two learners on one data set by sorted runs (or, beside them, the corrected t
test) and is repeated ten times.  Two numbers describe a setting: how often it rejects, the Type I
error on source 1 and power on the others; and the normalised replicability 2r - 1.  Both are means
over data sets.  ``book/results/sweep_*`` has the decisions of all experiments.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product

import numpy as np
import pandas as pd

from replib import replicability
from replib.checks import check_choice
from replib.experiments import engine
from replib.experiments.designs import pvalues
from replib.experiments.on_sources import differences
from replib.papers import networks, published
from replib.papers.networks.margins import exact_accuracies
from replib.papers.topics import many_comparisons
from replib.schemes import sample

SEED = 2004

#: Repetitions of an experiment on one data set.
EXPERIMENTS = 10

#: Tests of an experiment: the three of the paper on sorted runs, the sign test without the error of
#: its printed rule, and the corrected t test of repeated cross-validation.
DESIGNS = {
    "signed_rank": "average_over_sorted_runs.signed_rank",
    "sign_test": "average_over_sorted_runs.sign_test",
    "paired_t": "average_over_sorted_runs.paired_t",
    "exact_sign_test": "average_over_sorted_runs.exact_sign_test",
    "corrected_t": "corrected_repeated_cv",
}

#: Those that the paper's claims are about.
TESTS_OF_THE_PAPER = ("signed_rank", "sign_test", "paired_t")

#: The sources of the papers by number, in percent the margins of C4.5 over naive Bayes.
SOURCES = ("1", "2", "3", "4")

_BASE = {
    "instances": 300, "experiments": EXPERIMENTS, "designs": list(DESIGNS.values()), "runs": [10],
    "alphas": [0.05], "folds": 10, "learners": ["naive_bayes", "c45"],
}

#: Random networks of each class cardinality; those of the other sweeps are the committed ones.
_RANDOM_NETWORKS = 20


# ------------------------------------------------------------------ the sweeps


@dataclass(frozen=True)
class Sweep:
    """One thing that varies, and how much of it is stored.

    Attributes
    ----------
    values : tuple of float
        What it is set to.
    parameters : callable
        Takes a source and a sequence of values and returns the parameters of
        :func:`replib.experiments.on_sources.decisions_over_grid` that are not the usual ones.
    data_sets : callable
        Takes a source and a value; how many data sets of each network are stored.
    sources : tuple of str
    is_axis : bool
        Whether one experiment has all values, on the same splits; else each value has its own.
    """

    values: tuple[float, ...]
    parameters: Callable[[str, Sequence[float]], dict]
    data_sets: Callable[[str, float], int]
    sources: tuple[str, ...] = SOURCES
    is_axis: bool = False


def _networks(source: str, class_probability: float | None = None) -> list[str | dict]:
    """The ten committed networks of a source, with another probability of the first class."""
    names = networks.names(int(source))
    if class_probability is None:
        return names
    p = [class_probability, round(1 - class_probability, 10)]
    return [{"network": name, "class_probabilities": p} for name in names]


def _random_networks(source: str, classes: int) -> list[dict]:
    """Random networks of any number of equally likely classes, of the committed ones' kind."""
    return [
        {
            "seed": SEED, "stream": [classes, number],
            "class_probabilities": [1 / classes] * classes,
            "arrows": None if source == "1" else [0, 45],
        }
        for number in range(_RANDOM_NETWORKS)
    ]


def _networks_of_size(source: str, instances: float) -> int:
    """How many of the ten networks have data sets of a size: large ones take seconds each.

    Where one learner is better, large data sets leave no doubt; so most of them are of source 1.
    """
    if instances <= 10_000:
        return 10
    return 3 if source == "1" else 1


#: The sweeps by what varies.
SWEEPS = {
    "alpha": Sweep(
        (0.01, 0.025, 0.05, 0.1),
        lambda source, values: {"sources": _networks(source), "alphas": list(values)},
        lambda source, value: 100 if source == "1" else 30,
        is_axis=True,
    ),
    "runs": Sweep(
        tuple(range(10, 101, 10)),
        lambda source, values: {
            "sources": _networks(source), "runs": [int(value) for value in values]
        },
        lambda source, value: 30 if source == "1" else 12,
        is_axis=True,
    ),
    "class_probability": Sweep(
        (0.5, 0.4, 0.3, 0.2, 0.1),
        lambda source, values: {"sources": _networks(source, *values)},
        lambda source, value: 80 if source == "1" else 25,
    ),
    "class_cardinality": Sweep(
        (2, 3, 4),
        lambda source, values: {"sources": _random_networks(source, *map(int, values))},
        lambda source, value: 40 if source == "1" else 15,
        sources=("1", "random"),
    ),
    "instances": Sweep(
        (100, 300, 1000, 3000, 10_000, 30_000, 100_000),
        lambda source, values: {
            "sources": _networks(source)[: _networks_of_size(source, *values)],
            "instances": int(*values),
        },
        lambda source, value: {
            100: 20, 300: 20, 1000: 12, 3000: 5, 10_000: 4 if source == "1" else 1,
            30_000: 4 if source == "1" else 2,
        }.get(value, 2),
    ),
}


#: What is stored: the sweeps, and the pairs of learners.
STORED = (*SWEEPS, "pairs")


def experiment(sweep: str, source: str, values: Sequence[float], **parameters) -> engine.Experiment:
    """The experiment of a sweep on the networks of one source.

    All values of a sweep have the same random numbers, so that their data sets are as alike as the
    values allow.

    Parameters
    ----------
    sweep : str
        A name in `SWEEPS`.
    source : str
        One of its sources.
    values : sequence of float
        One value, or all that one experiment is to have where the sweep is an axis of it.
    **parameters
        Others of :func:`replib.experiments.on_sources.decisions_over_grid`, in place of the usual ones.

    Returns
    -------
    Experiment

    Raises
    ------
    ValueError
        If there is no such sweep or source.
    """
    check_choice("sweep", sweep, tuple(SWEEPS))
    check_choice("source", source, SWEEPS[sweep].sources)
    place = list(SWEEPS).index(sweep), SWEEPS[sweep].sources.index(source)
    return engine.Experiment(
        "replib.papers.networks.experiments:decisions_over_grid", seed=SEED, stream=place,
        parameters=_BASE | SWEEPS[sweep].parameters(source, values) | parameters,
    )


def _settings(sweep: str) -> list[tuple[str, str, Sequence[float]]]:
    """Name, source and values of each experiment of a sweep that is stored."""
    it = SWEEPS[sweep]
    if it.is_axis:
        return [(f"source{source}", source, it.values) for source in it.sources]
    return [
        (f"source{source}.{value:g}", source, (value,))
        for source, value in product(it.sources, it.values)
    ]


#: What a value of a sweep may be: in words, and whether a value is.
_ALLOWED = {
    "alpha": ("between 0 and 1", lambda value: 0 < value < 1),
    "runs": ("whole numbers from 2 to 1000", lambda value: value in range(2, 1001)),
    "class_probability": ("between 0 and 1", lambda value: 0 < value < 1),
    "class_cardinality": ("whole numbers from 2 to 10", lambda value: value in range(2, 11)),
    "instances": ("whole numbers from 20 to 100000", lambda value: value in range(20, 100_001)),
}


def check_live(sweep: str, values: Sequence[float], source: str) -> None:
    """Refuse what :func:`live` cannot run, before anything runs.

    Parameters
    ----------
    sweep, values, source
        As for :func:`live`.

    Raises
    ------
    ValueError
        If there is no such sweep or source, no value, or one that the sweep does not allow.

    Examples
    --------
    >>> check_live("runs", [5, 10], "2")
    >>> check_live("alpha", [5], "2")
    Traceback (most recent call last):
    ...
    ValueError: values of the sweep alpha must be between 0 and 1, not [5]
    """
    check_choice("sweep", sweep, tuple(SWEEPS))
    check_choice(f"the source of the sweep {sweep}", source, SWEEPS[sweep].sources)
    words, is_allowed = _ALLOWED[sweep]
    if not values or not all(map(is_allowed, values)):
        raise ValueError(f"values of the sweep {sweep} must be {words}, not {list(values)}")


def live(
    sweep: str, values: Sequence[float], *, source: str = "2", data_sets: int = 5, **parameters
) -> dict[str, engine.Replications]:
    """A sweep with values of the reader's.

    Parameters
    ----------
    sweep : str
        A name in `SWEEPS`.
    values : sequence of float
        What it is set to.
    source : str
        One of its sources.
    data_sets : int
        Of each network.
    **parameters
        As for :func:`experiment`.

    Returns
    -------
    dict of str to Replications
        By setting, as they are stored.

    Raises
    ------
    ValueError
        As :func:`check_live` does.
    """
    check_live(sweep, values, source)
    groups = [tuple(values)] if SWEEPS[sweep].is_axis else [(value,) for value in values]
    return {
        f"source{source}.{group[0]:g}": engine.replicate(
            experiment(sweep, source, group, **parameters), data_sets
        )
        for group in groups
    }


# ------------------------------------------------------------------ what came out


def scores(sweep: str, results: Mapping[str, engine.Replications]) -> pd.DataFrame:
    """How often each experiment rejects on each data set, and how replicable it is.

    Parameters
    ----------
    sweep : str
        A name in `SWEEPS`.
    results : mapping of str to Replications
        By setting, stored or of :func:`live`.

    Returns
    -------
    DataFrame
        One row a data set, value and test: `source`, `value`, `test`, `network`, `data_set`,
        `rejected` (percent of its experiments) and `replicability` (normalised, percent).
    """
    frames = []
    for name, one in results.items():
        parameters = one.experiment.parameters
        source = name.removeprefix("source").split(".")[0]
        if SWEEPS[sweep].is_axis:
            values = parameters["alphas" if sweep == "alpha" else sweep]
        else:
            values = [float(name.split(".", 1)[1])]
        accepted = one.counts[..., 1].astype(int)  # (data sets, networks, runs, alphas, tests)
        accepted = accepted.reshape(*accepted.shape[:2], len(values), len(DESIGNS))
        index = pd.MultiIndex.from_product(
            [range(accepted.shape[0]), range(accepted.shape[1]), values, list(DESIGNS)],
            names=["data_set", "network", "value", "test"],
        )
        n = parameters["experiments"]
        r = replicability.normalized(replicability.r2_from_counts(accepted.ravel(), n))
        frames.append(pd.DataFrame(
            {"rejected": 100 * (1 - accepted.ravel() / n), "replicability": 100 * r}, index=index
        ).reset_index().assign(source=source))
    return pd.concat(frames, ignore_index=True)


MEASURES = ("rejected", "replicability")


def summary(scored: pd.DataFrame) -> pd.DataFrame:
    """Means over data sets, given the networks.

    Parameters
    ----------
    scored : DataFrame
        Of :func:`scores`.

    Returns
    -------
    DataFrame
        One row a source, value and test, with the number of `data_sets` and for each of `MEASURES`
        the mean, its Monte-Carlo standard error ``<measure>_error``, and ``<measure>_low``,
        ``<measure>_high``: the least and the largest mean of a network.
    """
    keys = ["source", "value", "test"]
    by_network = scored.groupby([*keys, "network"], sort=False)[list(MEASURES)]
    mean, variance, size = by_network.mean(), by_network.var(), by_network.size()
    over = lambda frame: frame.groupby(keys, sort=False)
    out = over(mean).mean()
    # a network with one data set shows no variance of its own; then all data sets together do
    error = np.sqrt(over(variance.div(size, axis=0)).mean().div(over(size).size(), axis=0))
    together = scored.groupby(keys, sort=False)[list(MEASURES)]
    pooled = together.std().div(np.sqrt(together.size()), axis=0)
    return out.join(error.fillna(pooled).add_suffix("_error")).join(
        over(mean).min().add_suffix("_low")
    ).join(over(mean).max().add_suffix("_high")).assign(
        data_sets=together.size()
    ).reset_index()


def steps(scored: pd.DataFrame) -> pd.DataFrame:
    """Change of replicability from each value of a sweep to the next, on the same data sets.

    Parameters
    ----------
    scored : DataFrame
        Of :func:`scores`, of a sweep whose values have the same data sets or at least the same
        random numbers.

    Returns
    -------
    DataFrame
        One row a source, test and step: `source`, `test`, `start`, `end`, `change` (percentage
        points of 2r - 1) and its `standard_error`.  The last row of each test is the step from the
        first value to the last.
    """
    rows = []
    for (source, test), part in scored.groupby(["source", "test"], sort=False):
        wide = part.pivot(index=["network", "data_set"], columns="value", values="replicability")
        values = list(part["value"].unique())
        for start, end in [*zip(values[:-1], values[1:]), (values[0], values[-1])]:
            change = wide[end] - wide[start]
            rows.append(
                (source, test, start, end, change.mean(), change.std() / np.sqrt(len(change)))
            )
    return pd.DataFrame(
        rows, columns=["source", "test", "start", "end", "change", "standard_error"]
    )


def type_1_errors(summarised: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Type I error of every setting, and how far it is above the level.

    Parameters
    ----------
    summarised : mapping of str to DataFrame
        :func:`summary` by sweep; of the sweep ``"pairs"`` too.

    Returns
    -------
    DataFrame
        One row a setting and test: `sweep`, `value`, `test`, `level` and `type_1` (percent), its
        `standard_error` and the `excess` over the level (percentage points).
    """
    frames = []
    for sweep, frame in summarised.items():
        null = frame[frame["source"] == "1"]
        level = 100 * null["value"].astype(float) if sweep == "alpha" else 100 * _BASE["alphas"][0]
        frames.append(pd.DataFrame({
            "sweep": sweep, "value": null["value"], "test": null["test"], "level": level,
            "type_1": null["rejected"], "standard_error": null["rejected_error"],
            "excess": null["rejected"] - level,
        }))
    return pd.concat(frames, ignore_index=True)


def null_hypothesis(
    probabilities: Sequence[float] = SWEEPS["class_probability"].values, *,
    training_sets: int = 100, instances: int = 270, seed: int = SEED,
) -> pd.DataFrame:
    """Whether the null hypothesis holds on source 1, whose attributes say nothing of the class.

    A classifier that gives the class probabilities p and 1 - p to shares q and 1 - q of the
    instances is right with probability p q + (1 - p)(1 - q).  Only at p = 1/2 does this not depend
    on q: elsewhere the learner that strays from the majority class less often is better.

    Parameters
    ----------
    probabilities : sequence of float
        Of the first class.
    training_sets : int
        For each of the ten networks.
    instances : int
        Of each training set; nine tenths of 300 are what a fold trains on.
    seed : int

    Returns
    -------
    DataFrame
        Indexed by `class_probability`: expected accuracy of naive Bayes minus that of C4.5,
        `difference`, and its `standard_error`, percentage points, exact for each training set by
        enumeration; and how often `naive_bayes`, `c45` and `both` always predict the majority class
        (percent of the training sets; of equal classes either one).
    """
    rows = {}
    for p in probabilities:
        accuracies = np.concatenate([
            exact_accuracies(
                networks.source(spec),
                np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,))),
                training_sets=training_sets, instances=instances,
            ) for number, spec in enumerate(_networks("1", p))
        ])
        difference = 100 * (accuracies[:, 0] - accuracies[:, 1])
        majority = np.isclose(accuracies, max(p, 1 - p), rtol=0, atol=1e-12)
        rows[p] = {
            "difference": difference.mean(),
            "standard_error": difference.std(ddof=1) / np.sqrt(len(difference)),
            "naive_bayes": 100 * majority[:, 0].mean(), "c45": 100 * majority[:, 1].mean(),
            "both": 100 * majority.all(axis=1).mean(),
        }
    return pd.DataFrame(rows).T.rename_axis("class_probability")


# ------------------------------------------------------------------ pairs of learners

#: The learners of the paper, in the order of the last axis of the stored counts.
SIX = ("naive_bayes", "c45", "nearest_neighbour", "tan", "decision_stump", "linear_svm")

_SHORT = dict(zip(SIX, ("NB", "C4.5", "NN", "TAN", "stump", "SVM")))

#: Names of the pairs of the six, in the order of `many_comparisons.pairs`.
PAIRS = {
    f"{_SHORT[SIX[a]]} – {_SHORT[SIX[b]]}": (a, b) for a, b in many_comparisons.pairs(len(SIX))
}

#: Of source 1 twice as many experiments on more data sets, for a Type I error that is known better.
_PAIRS_DATA_SETS = {"1": (30, 2), "2": (3, 10), "3": (3, 10), "4": (3, 10)}


def pairs_experiment(network: str, experiments: int, **parameters) -> engine.Experiment:
    """The experiment in which all learners meet on data sets of a committed network.

    Parameters
    ----------
    network : str
        Of `replib.papers.networks.names`.
    experiments : int
        On each data set.
    **parameters
        Others of :func:`replib.experiments.on_sources.correct_counts`, in place of the usual ones.

    Returns
    -------
    Experiment
    """
    return engine.Experiment(
        "replib.papers.networks.experiments:correct_counts", seed=SEED,
        stream=(len(SWEEPS), networks.names().index(network)),
        parameters={
            "source": network, "instances": _BASE["instances"], "experiments": experiments,
            "runs": _BASE["runs"][0], "folds": _BASE["folds"], "learners": list(SIX),
        } | parameters,
    )


def plan(sweep: str) -> dict[str, tuple[engine.Experiment, int]]:
    """The experiments of one of `STORED`, and on how many data sets of each network they are made."""
    if sweep != "pairs":
        return {
            name: (experiment(sweep, source, values), SWEEPS[sweep].data_sets(source, values[0]))
            for name, source, values in _settings(sweep)
        }
    planned = {}
    for network in networks.names():
        data_sets, experiments = _PAIRS_DATA_SETS[_source_of(network)]
        planned[network] = pairs_experiment(network, experiments), data_sets
    return planned


def _source_of(network: str) -> str:
    return network.removeprefix("source").split(".")[0]


def pairs_scores(results: Mapping[str, engine.Replications]) -> pd.DataFrame:
    """As :func:`scores`, the value of a row being a pair of learners.

    Parameters
    ----------
    results : mapping of str to Replications
        By network.

    Returns
    -------
    DataFrame
    """
    frames = []
    for network, one in results.items():
        for (pair, places), (test, design) in product(PAIRS.items(), DESIGNS.items()):
            block = differences(one.counts, one.experiment.parameters["instances"], pair=places)
            accepted = (pvalues(block, design=design) >= _BASE["alphas"][0]).sum(axis=1)
            n = block.shape[1]
            frames.append(pd.DataFrame({
                "source": _source_of(network), "value": pair, "test": test, "network": network,
                "data_set": range(len(accepted)), "rejected": 100 * (1 - accepted / n),
                "replicability": 100 * replicability.normalized(
                    replicability.r2_from_counts(accepted, n)
                ),
            }))
    return pd.concat(frames, ignore_index=True)


def claimed_and_true_errors(results: Mapping[str, engine.Replications]) -> pd.DataFrame:
    """Standard error that the t test on sorted runs claims on source 1, beside the true one.

    Both learners are equally good there, so a mean difference is all error.

    Parameters
    ----------
    results : mapping of str to Replications
        By network.

    Returns
    -------
    DataFrame
        Indexed by pair, percentage points: `true`, the root mean square of the mean differences of
        experiments; `claimed`, that of their standard errors; and the `ratio` of the two.
    """
    null = [one for name, one in results.items() if _source_of(name) == "1"]
    rows = {}
    for pair, places in PAIRS.items():
        block = np.concatenate([
            differences(one.counts, one.experiment.parameters["instances"], pair=places)
            for one in null
        ])
        values = 100 * sample(block, "average_over_sorted_runs")
        true = np.sqrt((values.mean(axis=-1) ** 2).mean())
        claimed = np.sqrt((values.var(axis=-1, ddof=1) / values.shape[-1]).mean())
        rows[pair] = {"true": true, "claimed": claimed, "ratio": true / claimed}
    return pd.DataFrame(rows).T.rename_axis("pair")


def outcomes_by_number_of_learners(
    results: Mapping[str, engine.Replications], *, test: str = "paired_t", alpha: float = 0.05,
) -> pd.DataFrame:
    """Replicability of what an experiment with two to six learners reports.

    Parameters
    ----------
    results : mapping of str to Replications
        By network.
    test : str
        A name in `DESIGNS`.
    alpha : float
        As for :func:`replib.papers.topics.many_comparisons.outcomes`.

    Returns
    -------
    DataFrame
        One row a source, number of learners and outcome: `source`, `learners`, `outcome`,
        `replicability` (r, percent, the mean over all choices of so many of the six and over data
        sets) and its `standard_error`, over data sets.
    """
    of_data_sets = {}
    for network, one in results.items():
        instances = one.experiment.parameters["instances"]
        correct = one.counts.sum(axis=(-3, -2), dtype=int)  # (data sets, experiments, learners)
        margin = np.stack([correct[..., a] - correct[..., b] for a, b in PAIRS.values()], axis=-1)
        pvalue = np.stack([
            pvalues(differences(one.counts, instances, pair=places), design=DESIGNS[test])
            for places in PAIRS.values()
        ], axis=-1)
        for size in range(2, len(SIX) + 1):
            chosen = list(combinations(range(len(SIX)), size))
            r = dict.fromkeys(many_comparisons.OUTCOMES, 0.0)
            for some in chosen:
                places = [list(PAIRS.values()).index(pair) for pair in combinations(some, 2)]
                found = many_comparisons.outcomes(margin[..., places], pvalue[..., places], alpha)
                for outcome, codes in found.items():
                    r[outcome] = r[outcome] + replicability.r2(codes) / len(chosen)
            for outcome, values in r.items():
                key = _source_of(network), size, outcome
                of_data_sets.setdefault(key, []).extend(100 * np.atleast_1d(values))
    return pd.DataFrame([
        (*key, np.mean(values), np.std(values, ddof=1) / np.sqrt(len(values)))
        for key, values in of_data_sets.items()
    ], columns=["source", "learners", "outcome", "replicability", "standard_error"])


# ------------------------------------------------------------------ all sweeps together


def correlation(rejected: np.ndarray, replicability: np.ndarray) -> np.ndarray:
    r"""Correlation of the decisions of two repetitions on the same data set.

    Let p be the chance that an experiment rejects on a data set drawn at random, with mean
    :math:`\pi` and variance :math:`\sigma^2` over data sets.  The correlation is
    :math:`\rho = \sigma^2 / (\pi(1-\pi))`, and mean normalised replicability is

    .. math:: \overline{2r-1} = E(1-2p)^2 = 1 - 4\,\pi(1-\pi)(1-\rho).

    Parameters
    ----------
    rejected : array_like
        :math:`\pi`, percent.
    replicability : array_like
        Mean normalised replicability, percent.

    Returns
    -------
    ndarray
        From 0 (what rejects is the split) to 1 (the data set alone decides); 1 where nothing or
        everything is rejected.  An estimate can lie slightly below 0.

    Examples
    --------
    >>> correlation([50, 20], [100, 36]).round(9).tolist()
    [1.0, 0.0]
    """
    share = np.asarray(rejected) / 100
    disagreement = (1 - np.asarray(replicability) / 100) / 4  # E p(1 - p)
    variance = np.asarray(share * (1 - share))
    ratio = np.divide(
        disagreement, variance, out=np.zeros_like(variance), where=variance > 0
    )
    return 1 - ratio


def channels(scored: Mapping[str, pd.DataFrame], test: str = "paired_t") -> pd.DataFrame:
    r"""By how much each sweep moves replicability, and through what.

    With :math:`v = \pi(1-\pi)` replicability is :math:`1 - 4v(1-\rho)` (:func:`correlation`), so
    that its change between two settings is the sum of two parts,
    :math:`-4\,\Delta v\,\overline{1-\rho} + 4\,\bar v\,\Delta\rho`, bars for the mean of the two.

    Parameters
    ----------
    scored : mapping of str to DataFrame
        :func:`scores` by sweep.
    test : str
        A name in `DESIGNS`.

    Returns
    -------
    DataFrame
        One row a sweep and source: `sweep`, `source`, `first` and `last` value; `start` and `end`,
        the replicability there; `change` and its `standard_error`; and its parts `by_rejections`
        and `by_correlation`.  Percentage points of 2r - 1.
    """
    rows = []
    for sweep, frame in scored.items():
        of_test = frame[frame["test"] == test]
        means = summary(of_test)
        for source, part in means.groupby("source", sort=False):
            first, last = part.iloc[0], part.iloc[-1]
            share = part["rejected"].iloc[[0, -1]].to_numpy() / 100
            v = share * (1 - share)
            rho = correlation(*part[["rejected", "replicability"]].iloc[[0, -1]].to_numpy().T)
            rows.append({
                "sweep": sweep, "source": source, "first": first["value"], "last": last["value"],
                "start": first["replicability"], "end": last["replicability"],
                "change": last["replicability"] - first["replicability"],
                "standard_error": _error_of_change(of_test[of_test["source"] == source]),
                "by_rejections": -400 * (v[1] - v[0]) * (1 - rho.mean()),
                "by_correlation": 400 * v.mean() * (rho[1] - rho[0]),
            })
    return pd.DataFrame(rows)


def _error_of_change(scored: pd.DataFrame) -> float:
    """Of the change from first to last value: paired where the same data sets are behind both."""
    values = scored["value"].unique()[[0, -1]]
    ends = [
        scored[scored["value"] == value].set_index(["network", "data_set"])["replicability"]
        for value in values
    ]
    if ends[0].index.equals(ends[1].index):
        return float((ends[1] - ends[0]).std() / np.sqrt(len(ends[0])))
    return float(np.sqrt(sum(end.var() / len(end) for end in ends)))


# ------------------------------------------------------------------ ledger


def claims(scored: Mapping[str, pd.DataFrame], *, max_z: float = 3.0) -> pd.DataFrame:
    """The three sentences of the paper on its sweeps, for its three tests.

    Replicability rises along a sweep if, for each test, its mean over the sources does so from the
    first value to the last by more than noise, and if on no source it falls by more than noise, as a
    whole or in any step (:func:`directions`).  The Type I
    error keeps its bound if no setting exceeds the level by more than one point and noise.

    Parameters
    ----------
    scored : mapping of str to DataFrame
        :func:`scores` of all sweeps, and under ``"pairs"`` :func:`pairs_scores`.
    max_z : float
        Standard errors that noise explains.

    Returns
    -------
    DataFrame
        Ledger rows: two claims on directions, the bound as claim and as value (the largest excess,
        percentage points), and the item.
    """
    why = "the paper's networks are unpublished"
    rows = []
    for claim, sweep in (("cl.06", "class_probability"), ("cl.07", "runs")):
        found = directions(scored[sweep], max_z=max_z)
        single, joint = (found[(found["source"] == "all") == is_joint] for is_joint in (False, True))
        counts = single["direction"].value_counts().reindex(["rises", "falls"], fill_value=0)
        rows.append({
            "id": f"bouckaert2004.{claim}", "in_kind": why,
            "rebuilt": bool((joint["direction"] == "rises").all() and not counts["falls"]),
            "note": f"of {len(single)} combinations of source and test it rises in "
                    f"{counts['rises']} and falls in {counts['falls']}, beyond noise",
        })
    bound = published.value("bouckaert2004.txt.type1_excess")
    errors = type_1_errors({sweep: summary(frame) for sweep, frame in scored.items()})
    errors = errors[errors["test"].isin(TESTS_OF_THE_PAPER)]
    beyond = errors[errors["excess"] > bound + max_z * errors["standard_error"]]
    worst = errors.loc[errors["excess"].idxmax()]
    note = (
        f"{len(beyond)} of {len(errors)} settings exceed it by more than noise; the largest excess: "
        f"{worst['sweep']} {worst['value']}, {worst['test']}"
    )
    holds = beyond.empty
    rows += [
        {"id": "bouckaert2004.cl.08", "rebuilt": holds, "in_kind": why, "note": note},
        {"id": "bouckaert2004.txt.type1_excess", "rebuilt": worst["excess"],
         "standard_error": worst["standard_error"], "holds": holds, "in_kind": why, "note": note},
        {"id": "bouckaert2004.txt_sweeps", "rebuilt": all(row["rebuilt"] for row in rows) and holds,
         "in_kind": why, "note": "as its parts"},
    ]
    return pd.DataFrame(rows)


def directions(scored: pd.DataFrame, *, max_z: float = 3.0) -> pd.DataFrame:
    """Whether replicability rises along a sweep.

    Parameters
    ----------
    scored : DataFrame
        Of :func:`scores`.
    max_z : float
        Standard errors that noise explains.

    Returns
    -------
    DataFrame
        One row a test of the paper and source, and one for the mean over the sources ("all"):
        `source`, `test`; `change` from the first value to the last and its `standard_error`
        (percentage points of 2r - 1); and the `direction`: "falls" if the change or any single step
        is below zero beyond noise, else "rises" if the change is above zero beyond noise, else
        "unclear".
    """
    by_step = steps(scored[scored["test"].isin(TESTS_OF_THE_PAPER)])
    over = by_step.groupby(["test", "start", "end"], sort=False)
    mean = pd.DataFrame({
        "change": over["change"].mean(),
        "standard_error": over["standard_error"].agg(
            lambda errors: np.sqrt((errors**2).sum()) / len(errors)
        ),
    }).reset_index().assign(source="all")
    rows = []
    for (source, test), part in pd.concat([by_step, mean]).groupby(
        ["source", "test"], sort=False
    ):
        whole = part.iloc[-1]
        z = part["change"] / part["standard_error"].where(part["standard_error"] > 0, np.inf)
        direction = "falls" if (z < -max_z).any() else "unclear"
        if direction == "unclear" and z.iloc[-1] > max_z:
            direction = "rises"
        rows.append((source, test, whole["change"], whole["standard_error"], direction))
    return pd.DataFrame(rows, columns=["source", "test", "change", "standard_error", "direction"])

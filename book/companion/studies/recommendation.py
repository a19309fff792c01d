"""Which design to use: one table, computed from stored runs, for every page of the book.

A *design* is how the scores are made, with its test.  What it is judged by comes from
the networks with 300 instances, where all designs were run on the same kinds of data,
and from the map of the correlation, where the corrected t test was, and SHARP on three
of the populations.
"""

import itertools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pandas as pd

from companion.lab.experiments import runner
from companion.studies.correlation_map import distribution, equal_size
from companion.studies.since_2024 import experiments as since_2024
from companion.studies.since_2024 import levels_on_the_map
from companion.studies.since_the_papers import measures
from companion.studies.since_the_papers.experiments import COUNTED
from companion.studies.since_the_papers.methods import METHODS as ON_THE_BENCH
from replib import methods

Results = Mapping[str, runner.Replications]

#: The stored runs from which the table is computed.
RUNS = (
    "since_the_papers",
    "since_the_papers_costly",
    "equal_size",
    "since_2024",
    "sharp_on_the_map",
)

#: The files that the library reads.
FOLDER = Path(methods.__file__).parent / "data"

#: Size of the data sets on the networks.
INSTANCES = 300
#: Pairs of learners on each network; the first of the bench.
PAIRS = 3

#: Share of the pairs of learners on the map for which a safe design holds its level:
#: the share for which :func:`distribution.calibrated` chooses its odds.
HOLDING = 0.95
#: Populations that a pair of learners needs for a verdict about it.
LEAST_POPULATIONS = 10

#: What you can pay: how often each learner is trained.
TRAININGS = (1, 10, 20, 100, 300)

#: Methods of the bench that say something about the models that were fitted.
ABOUT_MODELS = (
    "clt_all_pairs",
    "clt_within_fold",
    "z_instance_means",
    "mcnemar_pooled",
    "mcnemar_held_out",
    "z_held_out",
)

#: Designs that are compared: methods of the bench, and new ones.  The Bayesian test is
#: about differences above a region of equivalence, so it has no null hypothesis here.
BENCH = tuple(name for name in ON_THE_BENCH if name != "bayesian_t_rope")
NEW = ("corrected_t_2", "corrected_t_30", "sharp_10", "sharp_30", "clt_conservative")

#: Methods of the bench that were run again next to the new ones, on the same data sets,
#: so that they are compared without the noise between data sets.
RUN_AGAIN = {
    "corrected_t_folds": "corrected_t_1",
    "corrected_t_all": "corrected_t_10",
    "sorted_runs_t": "sorted_10",
}

#: Designs with the corrected t test, by their number of runs.
CORRECTED = {
    "corrected_t_folds": 1,
    "corrected_t_2": 2,
    "corrected_t_all": 10,
    "corrected_t_30": 30,
}
#: The same with the odds of the map.
CALIBRATED = {f"{name}.odds": runs for name, runs in CORRECTED.items()}
#: Designs with SHARP, by their number of repetitions.
SHARP = {
    "sharp_10": since_2024.FEW_REPETITIONS,
    "sharp_30": since_2024.REPETITIONS,
}


@dataclass(frozen=True)
class OnNetworks:
    """Decisions of a design on the networks, as fractions.

    Attributes
    ----------
    type_1 : ndarray, shape (2, 10, PAIRS)
        Experiments that reject, on coin tosses and on twins.
    nominal : ndarray, shape (30, 2)
        Power at the level 5%, and share of pairs of reruns that agree, for each network
        of sources 2 to 4.
    equal : ndarray, shape (21, 30, 2), optional
        The same at equal size: with the threshold of all networks with equal learners,
        then with one of them left out.
    """

    type_1: np.ndarray
    nominal: np.ndarray
    equal: np.ndarray | None = None


# ------------------------------------------------------------------ on the networks


def of_widths(null: np.ndarray, unequal: np.ndarray, factor: float = 1.0) -> OnNetworks:
    """Measure a design from widths of its intervals, (networks, pairs, data sets, seeds).

    `factor` widens them.
    """
    critical = 1000 / factor
    rejected = (np.abs(null) < critical).mean(axis=(-2, -1))
    thresholds = [
        equal_size.threshold(part, "on average")
        for part in (null, *_without_each(null))
    ]
    return OnNetworks(
        type_1=rejected.reshape(2, -1, PAIRS),
        # a width of exactly the critical value is no rejection
        nominal=_power_and_rerun(unequal, np.nextafter(critical, 0)),
        equal=np.stack([_power_and_rerun(unequal, at) for at in thresholds]),
    )


def _without_each(null: np.ndarray) -> Iterable[np.ndarray]:
    return (np.delete(null, i, axis=0) for i in range(len(null)))


def _power_and_rerun(widths: np.ndarray, at: float) -> np.ndarray:
    measured = equal_size.measured(widths, at)
    return measured[..., [0, 1]].mean(axis=1)


def of_counts(results: Results, method: str) -> OnNetworks:
    """Measure a design from the decisions that the bench counted, two on each data set."""
    place = [name for name in ON_THE_BENCH if _run_of(name) == _run_of(method)].index(
        method
    )
    null, unequal = [], []
    for result in results.values():
        parameters = result.experiment.parameters
        source = parameters["source"]
        if parameters["instances"] != INSTANCES or source.startswith("task_1"):
            continue
        counts = result.counts.reshape(-1, *result.counts.shape[2:])
        rejected = 2 - counts[:, :PAIRS, place, COUNTED.index("undecided")]
        of_source = null if since_2024.is_null(source) else unequal
        of_source.append(rejected)
    type_1 = np.stack([rejected.mean(axis=0) / 2 for rejected in null])
    nominal = [[rejected.mean() / 2, np.mean(rejected != 1)] for rejected in unequal]
    return OnNetworks(type_1=type_1.reshape(2, -1, PAIRS), nominal=np.array(nominal))


def _run_of(method: str) -> str:
    return (
        "since_the_papers_costly" if method in measures.COSTLY else "since_the_papers"
    )


def _new_widths(results: Results, method: str) -> tuple[np.ndarray, np.ndarray]:
    """Widths where learners are equal and where not, (networks, pairs, data sets, seeds)."""
    place = list(since_2024.METHODS).index(method)
    null, unequal = [], []
    for result in results.values():
        of_all = np.abs(result.counts.reshape(-1, *result.counts.shape[2:]))
        is_null = since_2024.is_null(result.experiment.parameters["source"])
        networks = null if is_null else unequal
        networks.append(of_all[:, :, place].swapaxes(0, 1))
    return np.stack(null), np.stack(unequal)


def on_networks(load: Callable[[str], Results]) -> dict[str, OnNetworks]:
    """Measure all designs; `load` reads a stored run."""
    equal = load("equal_size")
    new = load("since_2024")
    measured = {}
    for name in BENCH:
        of_design = of_counts(load(_run_of(name)), name)
        if name in RUN_AGAIN:
            again = of_widths(*_new_widths(new, RUN_AGAIN[name]))
            of_design = replace(again, type_1=of_design.type_1)
        elif name in equal_size.COMPARED:
            at_equal_size = of_widths(*equal_size._widths_of(equal, name)).equal
            of_design = replace(of_design, equal=at_equal_size)
        measured[name] = of_design
    for name in NEW:
        measured[name] = of_widths(*_new_widths(new, name))
    for name, runs in CALIBRATED.items():
        plain = name.removesuffix(".odds")
        widths = _new_widths(new, RUN_AGAIN.get(plain, plain))
        measured[name] = of_widths(*widths, widened_by_odds(runs))
    return measured


def odds_of_map(runs: int) -> float:
    """Return the calibrated odds for so many runs of ten folds."""
    within, between = distribution.calibrated(distribution.read())
    return distribution.for_runs(within, between, runs)


def widened_by_odds(runs: int) -> float:
    """Return how much wider the interval of the corrected t test is with calibrated odds."""
    n = 10 * runs
    return float(np.sqrt((1 / n + odds_of_map(runs)) / (1 / n + distribution.ASSUMED)))


# ------------------------------------------------------------------ on the map


def on_the_map(pairs: pd.DataFrame, runs: int, odds: float) -> dict[str, float]:
    """Return what the map says of the corrected t test with these odds.

    `mean`, and `low` and `high`, between which 90% of comparisons lie: a comparison is
    a pair of learners on one population at one size.  `held` and `not_held` are shares
    of pairs of learners, each at one size, with a mean over populations.
    """
    levels = pairs.assign(level=distribution.level(pairs, runs, odds))
    of_pairs = _of_pairs(levels, LEAST_POPULATIONS)
    return _over_the_map(levels["level"], of_pairs) | {
        "map_populations": pairs["population"].nunique()
    }


def sharp_on_the_map(results: Results, repetitions: int) -> dict[str, float]:
    """Return the same of SHARP, counted on three populations; `results` is the stored run.

    Each level was counted on few data sets, so the range of levels includes the errors
    of counting. A pair needs all populations for a verdict, and its error is at least
    that of counting: with few data sets, equal counts may agree by luck.
    """
    levels = levels_on_the_map.levels(results, repetitions).assign(n=INSTANCES)
    populations = levels["population"].nunique()
    of_pairs = _of_pairs(levels, populations)
    datasets = levels.groupby(["a", "b", "n"])["datasets"].sum()[of_pairs.index]
    # the rule of succession: no count is as good as a rate of zero
    rate = (of_pairs["mean"] * datasets + 1) / (datasets + 2)
    counting = np.sqrt(rate * (1 - rate) / datasets)
    of_pairs["sem"] = np.maximum(of_pairs["sem"], counting)
    found = _over_the_map(levels["level"], of_pairs)
    return found | {"map_populations": populations}


def _of_pairs(levels: pd.DataFrame, least_populations: int) -> pd.DataFrame:
    """Return the mean level of pairs on enough populations, its standard error and number."""
    of_pairs = levels.groupby(["a", "b", "n"])["level"].agg(["mean", "sem", "count"])
    return of_pairs[of_pairs["count"] >= least_populations].copy()


def _over_the_map(levels: pd.Series, of_pairs: pd.DataFrame) -> dict[str, float]:
    """Return mean and range of levels, and for how many pairs of learners they are held."""
    verdicts = methods.level_held(
        of_pairs["mean"],
        standard_error=of_pairs["sem"],
        populations=of_pairs["count"],
    )
    low, high = levels.quantile([0.05, 0.95])
    return {
        "map_type_1": levels.mean(),
        "map_low": low,
        "map_high": high,
        "map_held": np.mean(verdicts == methods.HELD),
        "map_not_held": np.mean(verdicts == methods.NOT_HELD),
    }


# ------------------------------------------------------------------ designs


def designs(load: Callable[[str], Results]) -> pd.DataFrame:
    """Return what is known about each design: a row of `replib.methods.DESIGNS`."""
    pairs = distribution.read()
    measured = on_networks(load)
    ranked = ranks(measured)
    rows = {}
    for name, of_design in measured.items():
        row = {**_described(name), **_numbers(of_design, _about(name))}
        row |= {"map_populations": 0} | ranked.get(name, {})
        runs = {**CORRECTED, **CALIBRATED}.get(name)
        if runs is not None:
            odds = odds_of_map(runs) if name in CALIBRATED else distribution.ASSUMED
            row |= on_the_map(pairs, runs, odds)
        elif name in SHARP:
            row |= sharp_on_the_map(load("sharp_on_the_map"), SHARP[name])
        rows[name] = row
    table = pd.DataFrame(rows).T.rename_axis("design")
    return table[list(methods.Design._fields[1:])]


def ranks(measured: Mapping[str, OnNetworks]) -> dict[str, dict[str, int]]:
    """Rank designs at equal size, as far as their numbers are separated.

    The best place of a design is behind those that are clearly better, and the worst one
    before those that are clearly worse, by :func:`is_separated`.  Designs that speak of
    training again are ranked with one another, and so are those about fitted models.
    Other odds leave the order of experiments, so designs with them have no rank of their
    own.

    Returns
    -------
    dict
        Of each ranked design the fields of `replib.methods.Design` with ranks.
    """
    found: dict[str, dict[str, int]] = {}
    ranked = [
        name
        for name, of_design in measured.items()
        if of_design.equal is not None and name not in CALIBRATED
    ]
    for name in ranked:
        rivals = [other for other in ranked if _about(other) == _about(name)]
        found[name] = {}
        for place, measure in enumerate(("power", "rerun")):
            values = {it: measured[it].equal[..., place] for it in rivals}
            own = values[name]
            better = sum(is_separated(other, own) for other in values.values())
            worse = sum(is_separated(own, other) for other in values.values())
            found[name][f"{measure}_best_rank"] = 1 + better
            found[name][f"{measure}_worst_rank"] = len(rivals) - worse
    return found


def _described(name: str) -> dict[str, object]:
    plain = name.removesuffix(".odds")
    method = (since_2024.METHODS if plain in NEW else ON_THE_BENCH)[plain]
    label = method.title
    if name in CALIBRATED:
        label = label.replace("corrected t", "corrected t with the map's odds")
    return {
        "label": label,
        "trainings": method.trainings,
        "about": _about(name),
    }


def _about(name: str) -> str:
    is_new = name in since_2024.METHODS and since_2024.METHODS[name].about_models
    return "these models" if is_new or name in ABOUT_MODELS else "training again"


def _numbers(measured: OnNetworks, about: str) -> dict[str, object]:
    # on twins the fitted models do differ, so only coin tosses are a null hypothesis
    # about them
    kinds = measured.type_1[:1] if about == "these models" else measured.type_1
    of_pairs = kinds.mean(axis=1).ravel()
    errors = _standard_error(kinds, axis=1).ravel()
    verdicts = methods.level_held(
        of_pairs, standard_error=errors, populations=kinds.shape[1]
    )
    of_networks = kinds.mean(axis=-1).ravel()
    row: dict[str, object] = {
        "type_1": of_networks.mean(),
        "type_1_error": _standard_error(of_networks),
        "networks": len(of_networks),
        "pairs": len(of_pairs),
        "pairs_held": np.sum(verdicts == methods.HELD),
        "pairs_not_held": np.sum(verdicts == methods.NOT_HELD),
    }
    for place, name in enumerate(("power", "rerun")):
        of_networks = measured.nominal[:, place]
        row[name] = of_networks.mean()
        row[f"{name}_error"] = _standard_error(of_networks)
        if measured.equal is not None:
            row[f"{name}_equal"] = measured.equal[0, :, place].mean()
            row[f"{name}_equal_error"] = _error_at_equal_size(
                measured.equal[..., place]
            )
    return row


def _standard_error(values: np.ndarray, axis: int = 0) -> np.ndarray:
    return values.std(axis=axis, ddof=1) / np.sqrt(values.shape[axis])


def _error_at_equal_size(values: np.ndarray) -> float:
    """Return the standard error between networks, with that of the threshold by the jackknife."""
    at_threshold, left_out = values[0], values[1:]
    of_threshold = (len(left_out) - 1) * left_out.mean(axis=1).var()
    return float(np.sqrt(_standard_error(at_threshold) ** 2 + of_threshold))


# ------------------------------------------------------------------ decisions


def is_safe(design: pd.Series) -> bool:
    """Return whether a design holds its level for all pairs on networks, and most on the map.

    On few populations most verdicts are not settled; there it must not fail for more
    pairs than it may on the whole map.
    """
    # a comparison with a number that is not there is False
    if design["map_populations"] >= LEAST_POPULATIONS:
        fails_on_map = design["map_held"] < HOLDING
    else:
        fails_on_map = design["map_not_held"] > 1 - HOLDING
    return bool(design["pairs_held"] == design["pairs"] and not fails_on_map)


def decisions(table: pd.DataFrame, measured: Mapping[str, OnNetworks]) -> pd.DataFrame:
    """Choose designs by what you fear and what you can pay.

    A false alarm
        of the designs that are safe, the one with the most power at the level 5%;
    missing a difference
        the one with the most power at equal size;
    disagreement between reruns
        the one whose reruns agree most at equal size.

    Designs of the same cost that are not separated stand together, and a more expensive
    one takes their place only if it is clearly better: see :func:`best_by_cost`.
    Designs that speak of the models that were fitted answer another question, so they
    compete only where a single training can be paid.
    """
    is_safe_design = [is_safe(design) for _, design in table.iterrows()]
    # other odds widen the interval and leave the order of experiments, so at equal size
    # these are the same designs
    orders = [
        name
        for name in table.index
        if measured[name].equal is not None and name not in CALIBRATED
    ]
    rules = {
        "a false alarm": {
            name: measured[name].nominal[np.newaxis, :, 0]
            for name in table.index[is_safe_design]
        },
        "missing a difference": {name: measured[name].equal[..., 0] for name in orders},
        "disagreement between reruns": {
            name: measured[name].equal[..., 1] for name in orders
        },
    }
    rows = []
    for (fear, values), pay in itertools.product(rules.items(), TRAININGS):
        about = "these models" if pay == 1 else "training again"
        affordable = {
            name: value
            for name, value in values.items()
            if table.at[name, "trainings"] <= pay and table.at[name, "about"] == about
        }
        chosen = best_by_cost(affordable, table["trainings"])
        rows += [(fear, pay, name) for name in chosen]
    return pd.DataFrame(rows, columns=["fear", "trainings", "design"])


def best_by_cost(values: Mapping[str, np.ndarray], trainings: pd.Series) -> list[str]:
    """Return the designs that stand when costs rise from the least.

    Of each cost, the best stands with those that are not separated from it.  They take
    the place of cheaper ones only if the best is separated from every one of these.
    """
    standing: list[str] = []
    for cost in sorted({trainings[name] for name in values}):
        of_cost = [name for name in values if trainings[name] == cost]
        best = max(of_cost, key=lambda name: values[name][0].mean())
        if all(is_separated(values[best], values[name]) for name in standing):
            standing = [
                name for name in of_cost if not is_separated(values[best], values[name])
            ]
    return sorted(standing)


def is_separated(better: np.ndarray, worse: np.ndarray) -> bool:
    """Return whether a gain is above the margin, and above three standard errors.

    Values have the shape (thresholds, networks); errors are those of differences on the
    same networks.
    """
    gain = better - worse
    error = _standard_error(gain[0])
    if len(gain) > 1:
        error = _error_at_equal_size(gain)
    return bool(gain[0].mean() > max(measures.MARGIN / 100, 3 * error))


# ------------------------------------------------------------------ words

#: Designs that sentences name.
NAMED = {
    "one": "corrected_t_folds",
    "ten": "corrected_t_all",
    "thirty": "corrected_t_30",
    "odds": "corrected_t_all.odds",
    "sorted": "sorted_runs_t",
    "few_halves": "sharp_10",
    "halves": "sharp_30",
    "clt": "clt_all_pairs",
    "conservative": "clt_conservative",
    "z": "z_instance_means",
    "nested": "nested_cv",
    "held_out": "mcnemar_held_out",
}


def numbers(*names: str) -> dict[str, float]:
    """Return the numbers of designs that `NAMED` lists for sentences, in percent.

    All pages take them from here: ``ten_power`` is the field `power` of the design that
    is called ``ten``.

    >>> found = numbers("ten", "odds")
    >>> found["ten_map_held"] < found["odds_map_held"]
    True
    """
    found = {}
    for short in names:
        for field, value in methods.DESIGNS[NAMED[short]]._asdict().items():
            if isinstance(value, float) and not field.endswith("_rank"):
                found[f"{short}_{field}"] = 100 * value
    return found


# ------------------------------------------------------------------ files


def write(load: Callable[[str], Results]) -> None:
    """Write the two tables that the library reads; `load` reads a stored run."""
    table = designs(load)
    chosen = decisions(table, on_networks(load))
    rounded = table.map(lambda x: round(x, 4) if isinstance(x, float) else x)
    options = {"lineterminator": "\n", "na_rep": "nan"}
    rounded.to_csv(FOLDER / "designs.csv", **options)
    chosen.to_csv(FOLDER / "decisions.csv", index=False, **options)

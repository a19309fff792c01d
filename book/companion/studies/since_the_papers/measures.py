"""Results of the bench: Type I error, power, coverage, replicability and cost of each method."""

import itertools
from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from companion.lab.experiments import runner
from companion.studies.since_the_papers.experiments import COUNTED, pairs_of
from companion.studies.since_the_papers.methods import COSTLY, METHODS
from replib import methods as methods_of_library
from replib import replicability

Results = Mapping[str, runner.Replications]

#: The pair of the papers of 2004, with the most numbers.
PAIR = "naive_bayes-c45"

_SOURCES = ("source1", "source2", "source3", "source4")

#: Place of the experiments without a significant difference among the counts.
UNDECIDED = COUNTED.index("undecided")

#: Where two learners are equally good: kinds of sources, and pairs.
EQUAL = {
    ("source1", "naive_bayes-c45"): "naive Bayes and C4.5, coin tosses",
    ("source1", "c45-nearest_neighbour"): "C4.5 and neighbour, coin tosses",
    (
        "source1",
        "naive_bayes-nearest_neighbour",
    ): "naive Bayes and neighbour, coin tosses",
    ("twins", "c45-c45"): "C4.5 on twins",
    ("twins", "naive_bayes-naive_bayes"): "naive Bayes on twins",
    ("task_1.0", "constant-attribute"): "no training at all",
}


def measures(*results: Results) -> pd.DataFrame:
    """Measure every method on every kind of source, in percent.

    `results` are the stored ``since_the_papers`` and ``since_the_papers_costly``.
    Indexed by `kind` ("source1" to "source4", "twins", and Task I by its step), `n`,
    `pair` and `method`:

    ``rejected``
        experiments with a significant difference: Type I error where the learners are
        equally good, else power;
    ``replicability``
        normalised replicability, 2r - 1, of two experiments on the same data set with
        other splits, accept or reject;
    ``new_data``
        normalised replicability of experiments on two data sets from the same source;
    ``covers_learners``, ``covers_models``
        intervals that cover the expected difference after training on n instances, and
        the mean difference of the fitted models; NaN for methods without an interval,
        or with more than one run;
    ``datasets``
        the number of data sets;

    the first five with their standard errors (``_error``): over networks, of which
    there are ten in a kind, or over data sets where there is one source only.
    """
    frame = _cells(*results)
    keys = ["kind", "n", "pair", "method"]
    measured = {
        key: _measured(list(group["counts"]), key[-1])
        for key, group in frame.groupby(keys, sort=False)
    }
    return pd.DataFrame(measured).T.rename_axis(keys).sort_index()


def _cells(*results: Results) -> pd.DataFrame:
    """Return a row per source, size, pair and method, with its counts on each data set."""
    rows = []
    for result in itertools.chain(*(run.values() for run in results)):
        parameters = result.experiment.parameters
        source = parameters["source"]
        kind = source if source.startswith("task_1") else source.split(".")[0]
        counts = _by_data_set(result)
        for p, pair in enumerate(pairs_of(source)):
            for m, method in enumerate(_methods(parameters["costly"])):
                n = parameters["instances"]
                rows.append((kind, n, pair, method, source, counts[:, p, m]))
    return pd.DataFrame(
        rows, columns=["kind", "n", "pair", "method", "source", "counts"]
    )


def _by_data_set(result: runner.Replications) -> np.ndarray:
    """Return the counts of all data sets, shape (data sets, pairs, methods, 5)."""
    return result.counts.reshape(-1, *result.counts.shape[2:])


def by_network(*results: Results) -> pd.DataFrame:
    """Return the Type I error in percent of each method, network, size and pair of equal learners.

    Indexed by `kind`, `pair`, `n` and `source`, a column per method; NaN where it was
    not run.
    """
    frame = _cells(*results)
    frame = frame[[key in EQUAL for key in zip(frame["kind"], frame["pair"])]]
    undecided = [counts[:, UNDECIDED].sum() for counts in frame["counts"]]
    experiments = [_experiments(counts).sum() for counts in frame["counts"]]
    rejected = 100 * (1 - np.divide(undecided, experiments))
    return frame.assign(rejected=rejected).pivot(
        index=["kind", "pair", "n", "source"], columns="method", values="rejected"
    )


def _experiments(counts: np.ndarray) -> np.ndarray:
    """Return the number of experiments on each data set: one of three decisions each."""
    return counts[..., :3].sum(axis=-1)


def _methods(costly: bool) -> list[str]:
    return [name for name in METHODS if (name in COSTLY) == costly]


def _measured(of_sources: list[np.ndarray], method: str) -> dict[str, float]:
    """Compute measures over data sets of several sources with equally many data sets."""
    counts = np.concatenate(of_sources).astype(int)
    experiments = _experiments(counts)
    _, accepted, _, of_models, of_learners = counts.T
    has_interval = of_learners.any()
    has_models = has_interval and METHODS[method].of_one_run
    r2 = replicability.r2_from_counts(accepted, experiments)
    values = {
        "rejected": 1 - accepted / experiments,
        "replicability": replicability.normalized(r2),
        "covers_learners": np.where(has_interval, of_learners / experiments, np.nan),
        "covers_models": np.where(has_models, of_models, np.nan),
    }
    row = {}
    for name, value in values.items():
        parts = value
        if len(of_sources) > 1:
            parts = value.reshape(len(of_sources), -1).mean(axis=1)
        row[name] = 100 * value.mean()
        row[f"{name}_error"] = 100 * parts.std(ddof=1) / np.sqrt(len(parts))
    agreement, mean_balance = _on_two_data_sets(of_sources)
    row["new_data"] = 100 * agreement
    # by the delta method: the derivative of the square of the mean balance, which falls
    # by two points where the rejections rise by one
    row["new_data_error"] = np.abs(4 * mean_balance).mean() * row["rejected_error"]
    row["datasets"] = len(counts)
    return row


def _on_two_data_sets(of_sources: list[np.ndarray]) -> tuple[float, np.ndarray]:
    """Return the normalised replicability on two data sets, and the mean balance of each source.

    The *balance* of a data set is the share of its experiments that accept, minus the
    share that reject.  The product of two data sets' balances, averaged over all pairs
    of different ones, is the normalised replicability.
    """
    means, products = [], []
    for counts in of_sources:
        balance = 2 * counts[:, UNDECIDED] / _experiments(counts) - 1
        k = len(balance)
        means.append(balance.mean())
        products.append((balance.sum() ** 2 - (balance**2).sum()) / (k * (k - 1)))
    return np.mean(products), np.array(means)


def type_1(measured: pd.DataFrame, method: str) -> pd.DataFrame:
    """Return the measures of a method where the learners are equally good.

    Indexed by `kind`, `pair` and `n`; `measured` is from :func:`measures`.
    """
    of_method = measured.xs(method, level="method")
    rows = of_method.reorder_levels(["kind", "pair", "n"]).sort_index()
    return rows[[key[:2] in EQUAL for key in rows.index]]


def table(measured: pd.DataFrame, n: int = 300, pair: str = PAIR) -> pd.DataFrame:
    """Tabulate one size and one pair, `measured` by :func:`measures`.

    Indexed by method: `title`, `trainings`; `type_1` (source 1) and `power` (mean over
    sources 2 to 4), `replicability` and `new_data` (the least of the four sources),
    each with its standard error; `type_1_twins`, for the second learner of the pair
    against itself on twins; and the least `covers_learners` and `covers_models` of
    sources 2 to 4.  NaN means not run.
    """
    sources = list(_SOURCES)
    second = pair.split("-")[1]
    rows = {}
    for name, method in METHODS.items():
        keys = [(kind, n, pair, name) for kind in sources]
        cells = measured.reindex(keys).droplevel([1, 2, 3])
        powers = cells.loc[sources[1:]]
        power_variance = (powers["rejected_error"] ** 2).mean(skipna=False) / len(
            powers
        )
        twins = measured.reindex([("twins", n, f"{second}-{second}", name)]).iloc[0]
        rows[name] = {
            "title": method.title,
            "trainings": method.trainings,
            "power": powers["rejected"].mean(skipna=False),
            "power_error": np.sqrt(power_variance),
            "covers_learners": powers["covers_learners"].min(skipna=False),
            "covers_models": powers["covers_models"].min(skipna=False),
            **_with_error("type_1", cells.loc["source1"], "rejected"),
            **_with_error("type_1_twins", twins, "rejected"),
            **_least(cells, "replicability"),
            **_least(cells, "new_data"),
        }
    return pd.DataFrame(rows).T.infer_objects().rename_axis("method")


def _with_error(name: str, cell: pd.Series, measure: str) -> dict[str, float]:
    return {name: cell[measure], f"{name}_error": cell[f"{measure}_error"]}


def _least(cells: pd.DataFrame, measure: str) -> dict[str, float]:
    """Return the least of a measure with its error; NaN if a cell was not run."""
    place = cells[measure].fillna(-np.inf).idxmin()
    return _with_error(measure, cells.loc[place], measure)


def shown(drawn: pd.DataFrame) -> pd.DataFrame:
    """Write the result of :func:`table` as text, in percent with standard errors in brackets."""
    with_error = {
        "Type I error": "type_1",
        "Type I error, twins": "type_1_twins",
        "power": "power",
        "replicability, least": "replicability",
        "on new data, least": "new_data",
    }
    plain = {
        "covers the learners": "covers_learners",
        "covers the models": "covers_models",
    }
    columns = {"method": drawn["title"]}
    for title, name in with_error.items():
        pairs = zip(drawn[name], drawn[f"{name}_error"])
        columns[title] = [
            "–" if np.isnan(value) else f"{value:.1f} ({error:.1f})"
            for value, error in pairs
        ]
    for title, name in plain.items():
        columns[title] = [
            "–" if np.isnan(value) else f"{value:.0f}" for value in drawn[name]
        ]
    columns["trainings"] = drawn["trainings"]
    return pd.DataFrame(columns).set_index("method")


#: Methods that 2004 recommended or used, the preferred one first; a method that ties
#: with an earlier one is not needed.
OF_2004 = {
    "corrected t, ten runs of ten folds": "corrected_t_all",
    "t on sorted runs": "sorted_runs_t",
    "t on one 10-fold cross-validation": "paired_t_folds",
    "signed-rank test on its folds": "signed_rank_folds",
    "sign test on its folds": "sign_folds",
    "5 × 2 cv with Dietterich's t": "five_by_two_t",
    "McNemar on one test set": "mcnemar_held_out",
}

#: Measures by which methods are compared, with the sign of the better direction.
_BETTER = {"type_1": -1, "type_1_twins": -1, "power": 1, "replicability": 1}

#: Percentage points by which a method may be worse and still be called as good.
MARGIN = 2.0


def recommendations(measured: pd.DataFrame, n: int = 300) -> pd.DataFrame:
    """Judge the recommendations of 2004 by the bench; ``measured`` is from :func:`measures`.

    Indexed like `OF_2004`: `method`; `type_1` on coin tosses for the pair of 2004, the
    largest over all sizes; `largest`, the largest over all equal learners; `power` and
    `replicability` at size `n`; and the `verdict`:

    "outdated"
        on coin tosses, at some size, the level is not held, by
        `replib.methods.level_held`;
    "dominated by ..."
        a method with no more trainings is better in one of Type I error (coin tosses,
        twins), power and replicability, by more than `MARGIN` and three standard errors
        over networks, and worse in none: not by more than `MARGIN`, nor by more than
        three standard errors;
    "equal to ..."
        an earlier recommendation with no more trainings does not differ in any of them
        by more than either;
    "stands"
        none of these.
    """
    drawn = table(measured, n)
    rows = {}
    for label, method in OF_2004.items():
        null = type_1(measured, method)
        coins = null.loc["source1", PAIR]
        rows[label] = {
            "method": method,
            "type_1": coins["rejected"].max(),
            "largest": null["rejected"].max(),
            "power": drawn.at[method, "power"],
            "replicability": drawn.at[method, "replicability"],
        }
        earlier = [row["method"] for row in rows.values()][:-1]
        levels = methods_of_library.level_held(
            coins["rejected"] / 100,
            standard_error=coins["rejected_error"] / 100,
            populations=methods_of_library.MEASURED_NETWORKS,
        )
        if methods_of_library.NOT_HELD in levels:
            verdict = "outdated"
        elif rival := _rival(drawn, method, drawn.index, beats=True):
            verdict = f"dominated by {rival}"
        elif rival := _rival(drawn, method, earlier, beats=False):
            verdict = f"equal to {rival}"
        else:
            verdict = "stands"
        rows[label]["verdict"] = verdict
    return pd.DataFrame(rows).T.rename_axis("recommendation")


def _rival(
    drawn: pd.DataFrame, method: str, rivals: Iterable[str], *, beats: bool
) -> str | None:
    """Title of the rival that most clearly beats a method, or ties with it, at no greater cost."""
    judged = drawn.loc[method]
    names = list(_BETTER)
    signs = np.array(list(_BETTER.values()))
    errors_of_names = [f"{name}_error" for name in names]
    clearness = {}
    for rival in (drawn.loc[name] for name in rivals if name != method):
        gains = signs * (rival[names] - judged[names]).to_numpy(float)
        errors = np.hypot(
            rival[errors_of_names].to_numpy(float),
            judged[errors_of_names].to_numpy(float),
        )
        clear = np.maximum(3 * errors, MARGIN)
        as_good = np.minimum(3 * errors, MARGIN)
        fits = (gains > clear).any() if beats else (gains <= as_good).all()
        is_worse = (gains < -as_good).any()
        if fits and not is_worse and rival["trainings"] <= judged["trainings"]:
            clearness[str(rival["title"])] = (gains / errors).sum()
    return max(clearness, key=clearness.__getitem__) if clearness else None


def evidence(results: Results, run: str, n: int = 300) -> pd.DataFrame:
    """Summarise a stored run's results about its methods, in the form of `replib.methods.Evidence`.

    For the pair of 2004 and the 40 networks, indexed by ``"bench.<method>"``; standard
    deviations are between the ten networks of a source.
    """
    rejected, agreed = {}, {}
    for result in results.values():
        parameters = result.experiment.parameters
        source, _, network = parameters["source"].partition(".")
        if parameters["instances"] != n or source not in _SOURCES:
            continue
        p = list(pairs_of(parameters["source"])).index(PAIR)
        counts = _by_data_set(result)[:, p].astype(int)
        accepted = counts[..., UNDECIDED]
        experiments = _experiments(counts)
        r2 = replicability.r2_from_counts(accepted, experiments)
        key = int(network), source
        rejected[key] = (1 - accepted / experiments).mean(axis=0)
        agreed[key] = replicability.normalized(r2).mean(axis=0)
    methods = [f"bench.{name}" for name in _methods(bool(parameters["costly"]))]
    rejected_by_network = pd.DataFrame(rejected, index=methods).T
    agreed_by_network = pd.DataFrame(agreed, index=methods).T
    rows = {}
    for method in methods:
        rejections = rejected_by_network[method].unstack()
        agreements = agreed_by_network[method].unstack()
        least = agreements.mean().idxmin()
        rows[method] = {
            **_with_deviation("type_1_error", rejections[_SOURCES[0]]),
            **_with_deviation("power", rejections[list(_SOURCES[1:])].mean(axis=1)),
            **_with_deviation("replicability", agreements[least]),
        }
    return pd.DataFrame(rows).T.rename_axis("design").round(4).assign(run=run)


def _with_deviation(name: str, values: pd.Series) -> dict[str, float]:
    return {name: values.mean(), f"{name}_deviation": values.std(ddof=1)}


def by_size(measured: pd.DataFrame) -> list[dict[str, object]]:
    """Collect the numbers of each method for the interactive figure.

    Dicts with `method`, `title`, `trainings`, and lists by size: `power`,
    `replicability` and, by null hypothesis as in `EQUAL`, `type_1`, rounded; None where
    nothing has been run.
    """
    sizes = sorted(measured.index.unique("n"))
    tables = [table(measured, n) for n in sizes]
    rejected = measured["rejected"]
    numbers = []
    for name, method in METHODS.items():
        errors = []
        for kind, pair in EQUAL:
            of_sizes = [rejected.get((kind, n, pair, name), np.nan) for n in sizes]
            errors.append(_rounded(of_sizes))
        numbers.append(
            {
                "method": name,
                "title": method.title,
                "trainings": method.trainings,
                "power": _rounded([drawn.at[name, "power"] for drawn in tables]),
                "replicability": _rounded(
                    [drawn.at[name, "replicability"] for drawn in tables]
                ),
                "type_1": errors,
            }
        )
    return numbers


def _rounded(values: Iterable[float]) -> list[float | None]:
    return [None if np.isnan(x) else round(float(x), 1) for x in values]

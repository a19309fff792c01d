"""Results of the bench: Type I error, power, coverage, replicability and cost of each method."""

from collections.abc import Iterable, Mapping

import numpy as np
import pandas as pd

from companion.lab.experiments import runner
from companion.studies.since_the_papers.experiments import COUNTED, pairs_of
from companion.studies.since_the_papers.methods import ALPHA, COSTLY, METHODS
from replib import replicability

Results = Mapping[str, runner.Replications]

#: The pair of the papers of 2004, with the most numbers.
PAIR = "naive_bayes-c45"

_SOURCES = ("source1", "source2", "source3", "source4")

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
    rows = []
    for found in results:
        for one in found.values():
            parameters = one.experiment.parameters
            source, n = parameters["source"], parameters["instances"]
            kind = source if source.startswith("task_1") else source.split(".")[0]
            counts = one.counts.reshape(-1, *one.counts.shape[2:])
            for p, pair in enumerate(pairs_of(source)):
                for m, method in enumerate(_methods(parameters["costly"])):
                    rows.append((kind, n, pair, method, source, counts[:, p, m]))
    return pd.DataFrame(
        rows, columns=["kind", "n", "pair", "method", "source", "counts"]
    )


def by_network(*results: Results) -> pd.DataFrame:
    """Return the Type I error in percent of each method, network, size and pair of equal learners.

    Indexed by `kind`, `pair`, `n` and `source`, a column per method; NaN where it was
    not run.
    """
    frame = _cells(*results)
    frame = frame[[key in EQUAL for key in zip(frame["kind"], frame["pair"])]]
    rejected = [
        100 * (1 - x[:, COUNTED.index("undecided")].sum() / x[:, :3].sum())
        for x in frame["counts"]
    ]
    return frame.assign(rejected=rejected).pivot(
        index=["kind", "pair", "n", "source"], columns="method", values="rejected"
    )


def _methods(costly: bool) -> list[str]:
    return [name for name in METHODS if (name in COSTLY) == costly]


def _measured(of_sources: list[np.ndarray], method: str) -> dict[str, float]:
    """Compute measures over data sets of several sources with equally many data sets."""
    counts = np.concatenate(of_sources).astype(int)
    experiments = counts[..., :3].sum(axis=-1)
    _, accepted, _, of_models, of_learners = counts.T
    values = {
        "rejected": 1 - accepted / experiments,
        "replicability": replicability.normalized(
            replicability.r2_from_counts(accepted, experiments)
        ),
        "covers_learners": np.where(
            of_learners.any(), of_learners / experiments, np.nan
        ),
        "covers_models": np.where(
            of_learners.any() and METHODS[method].of_one_run, of_models, np.nan
        ),
    }
    row = {}
    for name, value in values.items():
        row[name] = 100 * value.mean()
        parts = (
            value.reshape(len(of_sources), -1).mean(axis=1)
            if len(of_sources) > 1
            else value
        )
        row[f"{name}_error"] = 100 * parts.std(ddof=1) / np.sqrt(len(parts))
    means, products = [], []
    for one in of_sources:
        balance = 2 * one[:, COUNTED.index("undecided")] / one[:, :3].sum(axis=-1) - 1
        k = len(balance)
        means.append(balance.mean())
        products.append(
            (balance.sum() ** 2 - (balance**2).sum()) / (k * (k - 1))
        )  # over pairs
    row["new_data"] = 100 * np.mean(products)
    slope = np.abs(
        4 * np.array(means)
    ).mean()  # derivative of the square, for the delta method
    row["new_data_error"] = slope * row["rejected_error"]
    row["datasets"] = len(counts)
    return row


def type_1(measured: pd.DataFrame, method: str) -> pd.DataFrame:
    """Return the measures of a method where the learners are equally good.

    Indexed by `kind`, `pair` and `n`; `measured` is from :func:`measures`.
    """
    rows = (
        measured.xs(method, level="method")
        .reorder_levels(["kind", "pair", "n"])
        .sort_index()
    )
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
    for method, it in METHODS.items():
        cells = measured.reindex(
            [(kind, n, pair, method) for kind in sources]
        ).droplevel([1, 2, 3])
        powers = cells.loc[sources[1:]]
        twins = measured.reindex([("twins", n, f"{second}-{second}", method)]).iloc[0]
        least, least_new = (
            cells.loc[cells[what].fillna(-np.inf).idxmin()]
            for what in ("replicability", "new_data")
        )
        rows[method] = {
            "title": it.title,
            "trainings": it.trainings,
            "power": powers["rejected"].mean(skipna=False),
            "power_error": np.sqrt(
                (powers["rejected_error"] ** 2).mean(skipna=False) / 3
            ),
            "covers_learners": powers["covers_learners"].min(skipna=False),
            "covers_models": powers["covers_models"].min(skipna=False),
        } | {
            f"{name}{error}": row[f"{what}{error}"]
            for name, row, what in (
                ("type_1", cells.loc["source1"], "rejected"),
                ("type_1_twins", twins, "rejected"),
                ("replicability", least, "replicability"),
                ("new_data", least_new, "new_data"),
            )
            for error in ("", "_error")
        }
    return pd.DataFrame(rows).T.infer_objects().rename_axis("method")


def shown(drawn: pd.DataFrame) -> pd.DataFrame:
    """Write the result of :func:`table` as text, in percent with standard errors in brackets."""
    with_error = lambda name: [
        "–" if np.isnan(value) else f"{value:.1f} ({error:.1f})"
        for value, error in zip(drawn[name], drawn[f"{name}_error"])
    ]
    plain = lambda name: [
        "–" if np.isnan(value) else f"{value:.0f}" for value in drawn[name]
    ]
    return pd.DataFrame(
        {
            "method": drawn["title"],
            "Type I error": with_error("type_1"),
            "Type I error, twins": with_error("type_1_twins"),
            "power": with_error("power"),
            "replicability, least": with_error("replicability"),
            "on new data, least": with_error("new_data"),
            "covers the learners": plain("covers_learners"),
            "covers the models": plain("covers_models"),
            "trainings": drawn["trainings"],
        }
    ).set_index("method")


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
        the Type I error on coin tosses is above 1.5 times the level by three standard
        errors;
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
        if (coins["rejected"] - 3 * coins["rejected_error"]).max() > 150 * ALPHA:
            verdict = "outdated"
        elif rival := _rival(drawn, method, drawn.index, beats=True):
            verdict = f"dominated by {rival}"
        elif rival := _rival(drawn, method, earlier, beats=False):
            verdict = f"equal to {rival}"
        else:
            verdict = "stands"
        rows[label]["verdict"] = verdict
    return pd.DataFrame(rows).T.rename_axis("recommendation")


def more_powerful(drawn: pd.DataFrame, method: str = "corrected_t_all") -> list[str]:
    """Return the methods that err as rarely on coin tosses and have more power, by the margins.

    `drawn` is from :func:`table`.
    """
    own = drawn.loc[method]
    gain = drawn["power"] - own["power"]
    clear = np.maximum(3 * np.hypot(drawn["power_error"], own["power_error"]), MARGIN)
    as_rarely = drawn["type_1"] <= own["type_1"] + MARGIN
    return list(drawn.index[(gain > clear) & as_rarely])


def _rival(
    drawn: pd.DataFrame, method: str, rivals: Iterable[str], *, beats: bool
) -> str | None:
    """Title of the rival that most clearly beats a method, or ties with it, at no greater cost."""
    own, fitting = drawn.loc[method], {}
    for rival in (drawn.loc[name] for name in rivals if name != method):
        gains = np.array(
            [sign * (rival[name] - own[name]) for name, sign in _BETTER.items()]
        )
        errors = [
            np.hypot(rival[f"{name}_error"], own[f"{name}_error"]) for name in _BETTER
        ]
        clear = np.maximum(3 * np.array(errors), MARGIN)
        as_good = np.minimum(3 * np.array(errors), MARGIN)
        fits = (gains > clear).any() if beats else (gains <= as_good).all()
        if (
            rival["trainings"] <= own["trainings"]
            and (gains >= -as_good).all()
            and fits
        ):
            fitting[str(rival["title"])] = (gains / errors).sum()
    return max(fitting, key=fitting.__getitem__) if fitting else None


def evidence(results: Results, run: str, n: int = 300) -> pd.DataFrame:
    """Summarise a stored run's results about its methods, in the form of `replib.methods.Evidence`.

    For the pair of 2004 and the 40 networks, indexed by ``"bench.<method>"``; standard
    deviations are between the ten networks of a source.
    """
    rejected, agreed = {}, {}
    for one in results.values():
        parameters = one.experiment.parameters
        source, *of_network = parameters["source"].split(".")
        if parameters["instances"] != n or source not in _SOURCES:
            continue
        place = list(pairs_of(parameters["source"])).index(PAIR)
        counts = one.counts.reshape(-1, *one.counts.shape[2:])[:, place].astype(int)
        accepted = counts[..., COUNTED.index("undecided")]
        experiments = counts[..., :3].sum(axis=-1)
        agreement = replicability.normalized(
            replicability.r2_from_counts(accepted, experiments)
        )
        key = int(of_network[0]), source
        rejected[key] = (1 - accepted / experiments).mean(axis=0)
        agreed[key] = agreement.mean(axis=0)
    methods = [f"bench.{name}" for name in _methods(bool(parameters["costly"]))]
    rejected, agreed = (
        pd.DataFrame(values, index=methods).T for values in (rejected, agreed)
    )
    rows = {}
    for method in methods:
        of_tests, of_pairs = rejected[method].unstack(), agreed[method].unstack()
        least = of_pairs[of_pairs.mean().idxmin()]
        power = of_tests[list(_SOURCES[1:])].mean(axis=1)
        rows[method] = {
            f"{name}{suffix}": summary
            for name, values in (
                ("type_1_error", of_tests[_SOURCES[0]]),
                ("power", power),
                ("replicability", least),
            )
            for suffix, summary in (
                ("", values.mean()),
                ("_deviation", values.std(ddof=1)),
            )
        }
    return pd.DataFrame(rows).T.rename_axis("design").round(4).assign(run=run)


def by_size(measured: pd.DataFrame) -> list[dict[str, object]]:
    """Collect the numbers of each method for the interactive figure.

    Dicts with `method`, `title`, `trainings`, and lists by size: `power`,
    `replicability` and, by null hypothesis as in `EQUAL`, `type_1`, rounded; None where
    nothing has been run.
    """
    sizes = sorted(measured.index.unique("n"))
    tables = [table(measured, n) for n in sizes]
    plain = lambda values: [
        None if np.isnan(one) else round(float(one), 1) for one in values
    ]
    return [
        {
            "method": method,
            "title": it.title,
            "trainings": it.trainings,
            "power": plain(drawn.at[method, "power"] for drawn in tables),
            "replicability": plain(
                drawn.at[method, "replicability"] for drawn in tables
            ),
            "type_1": [
                plain(
                    measured["rejected"].get((kind, n, pair, method), np.nan)
                    for n in sizes
                )
                for kind, pair in EQUAL
            ],
        }
        for method, it in METHODS.items()
    ]

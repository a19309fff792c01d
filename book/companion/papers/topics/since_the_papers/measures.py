"""What the bench says: Type I error, power, coverage, replicability and cost of each method."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from companion.lab.experiments import engine
from companion.papers.topics.since_the_papers.experiments import COUNTED, pairs_of
from companion.papers.topics.since_the_papers.methods import ALPHA, COSTLY, METHODS
from replib import replicability

Results = Mapping[str, engine.Replications]

#: Pair of the papers of 2004, for which there are most numbers.
PAIR = "naive_bayes-c45"

#: Where two learners are equally good: kinds of sources, and pairs.
EQUAL = {
    ("source1", "naive_bayes-c45"): "naive Bayes and C4.5, coin tosses",
    ("source1", "c45-nearest_neighbour"): "C4.5 and neighbour, coin tosses",
    ("source1", "naive_bayes-nearest_neighbour"): "naive Bayes and neighbour, coin tosses",
    ("twins", "c45-c45"): "C4.5 on twins",
    ("twins", "naive_bayes-naive_bayes"): "naive Bayes on twins",
    ("task_1.0", "constant-attribute"): "no training at all",
}


def measures(*results: Results) -> pd.DataFrame:
    """Measure every method on every kind of source, in percent.

    `results` are the stored ``since_the_papers`` and ``since_the_papers_costly``.  Indexed by
    `kind` ("source1" to "source4", "twins", and Task I by its step), `n`, `pair` and `method`:

    ``rejected``
        experiments with a significant difference: Type I error where the learners are equally
        good, else power;
    ``replicability``
        normalised, 2r - 1: of two experiments on the same data set with other splits, accept or
        reject;
    ``new_data``
        normalised replicability of experiments on two data sets from the same source;
    ``covers_learners``, ``covers_models``
        intervals that hold the expected difference after training on n instances, and the mean
        difference of the models that were fitted; NaN of methods without an interval, or of more
        than one run;
    ``datasets``
        how many data sets there are;

    the first five with their standard errors (``_error``), from the variance between data sets.
    """
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
    frame = pd.DataFrame(rows, columns=["kind", "n", "pair", "method", "source", "counts"])
    keys = ["kind", "n", "pair", "method"]
    measured = {
        key: _measured(list(group["counts"]), key[-1])
        for key, group in frame.groupby(keys, sort=False)
    }
    return pd.DataFrame(measured).T.rename_axis(keys).sort_index()


def _methods(costly: bool) -> list[str]:
    return [name for name in METHODS if (name in COSTLY) == costly]


def _measured(of_sources: list[np.ndarray], method: str) -> dict[str, float]:
    """Measures over data sets of several sources, of which each has as many."""
    counts = np.concatenate(of_sources).astype(int)
    experiments = counts[..., :3].sum(axis=-1)
    accepted = counts[:, COUNTED.index("undecided")]
    values = {
        "rejected": 1 - accepted / experiments,
        "replicability": replicability.normalized(
            replicability.r2_from_counts(accepted, experiments)
        ),
        "covers_learners": counts[:, COUNTED.index("covers_learners")] / experiments,
        "covers_models": counts[:, COUNTED.index("covers_models")].astype(float),
    }
    if not counts[:, COUNTED.index("covers_learners")].any():
        values["covers_learners"] = np.full(len(counts), np.nan)
    if not METHODS[method].of_one_run or np.isnan(values["covers_learners"]).any():
        values["covers_models"] = np.full(len(counts), np.nan)
    row = {}
    for name, value in values.items():
        row[name] = 100 * value.mean()
        row[f"{name}_error"] = 100 * value.std(ddof=1) / np.sqrt(len(value))
    of_source = np.array([
        1 - (one[:, COUNTED.index("undecided")] / one[:, :3].sum(axis=-1)).mean()
        for one in of_sources
    ])
    row["new_data"] = 100 * ((1 - 2 * of_source) ** 2).mean()
    slope = np.abs(4 * (1 - 2 * of_source)).mean()  # of the square, by the delta method
    row["new_data_error"] = slope * row["rejected_error"]
    row["datasets"] = len(counts)
    return row


def type_1(measured: pd.DataFrame, method: str) -> pd.DataFrame:
    """Return the measures of a method where the learners are equally good.

    Indexed by `kind`, `pair` and `n`; `measured` of :func:`measures`.
    """
    rows = measured.xs(method, level="method").reorder_levels(["kind", "pair", "n"]).sort_index()
    return rows[[key[:2] in EQUAL for key in rows.index]]


def table(measured: pd.DataFrame, n: int = 300, pair: str = PAIR) -> pd.DataFrame:
    """Draw up the table of one size and one pair, as `measured` by :func:`measures`.

    Indexed by method: `title`, `trainings`; `type_1` (source 1) and `power` (mean over sources 2
    to 4), `replicability` (the least of the four sources), each with its error; `type_1_twins`,
    of the second learner of the pair against itself on twins; and of sources 2 to 4 the least
    `covers_learners` and `covers_models`.  NaN stands for what has not been run.
    """
    sources = [f"source{k}" for k in (1, 2, 3, 4)]
    second = pair.split("-")[1]
    rows = {}
    for method, it in METHODS.items():
        cells = measured.reindex([(kind, n, pair, method) for kind in sources]).droplevel([1, 2, 3])
        powers = cells.loc[sources[1:]]
        twins = measured.reindex([("twins", n, f"{second}-{second}", method)]).iloc[0]
        least = cells.loc[cells["replicability"].fillna(-np.inf).idxmin()]
        rows[method] = {
            "title": it.title,
            "type_1": cells.at["source1", "rejected"],
            "type_1_error": cells.at["source1", "rejected_error"],
            "type_1_twins": twins["rejected"],
            "type_1_twins_error": twins["rejected_error"],
            "power": powers["rejected"].mean(skipna=False),
            "power_error": np.sqrt((powers["rejected_error"] ** 2).sum()) / len(powers),
            "replicability": least["replicability"],
            "replicability_error": least["replicability_error"],
            "covers_learners": powers["covers_learners"].min(skipna=False),
            "covers_models": powers["covers_models"].min(skipna=False),
            "trainings": it.trainings,
        }
    return pd.DataFrame(rows).T.infer_objects().rename_axis("method")


def shown(drawn: pd.DataFrame) -> pd.DataFrame:
    """Write a table of :func:`table` as text, in percent with standard errors in brackets."""
    with_error = lambda name: [
        "–" if np.isnan(value) else f"{value:.1f} ({error:.1f})"
        for value, error in zip(drawn[name], drawn[f"{name}_error"])
    ]
    plain = lambda name: ["–" if np.isnan(value) else f"{value:.0f}" for value in drawn[name]]
    return pd.DataFrame({
        "method": drawn["title"],
        "Type I error": with_error("type_1"),
        "Type I error, twins": with_error("type_1_twins"),
        "power": with_error("power"),
        "replicability, least": with_error("replicability"),
        "covers the learners": plain("covers_learners"),
        "covers the models": plain("covers_models"),
        "trainings": drawn["trainings"],
    }).set_index("method")


def verdicts(measured: pd.DataFrame) -> pd.Series:
    """Say of each method whether it holds its level, wherever learners are equally good.

    "holds its level" if no Type I error is above the level by more than 1.5 points and three
    standard errors; "too liberal" if one is above twice the level by more than three standard
    errors; else "slightly liberal".
    """
    words = {}
    for method in METHODS:
        rows = type_1(measured, method)
        certain = (rows["rejected"] - 3 * rows["rejected_error"]).max()
        words[method] = (
            "too liberal" if certain > 200 * ALPHA else
            "slightly liberal" if certain > 100 * ALPHA + 1.5 else "holds its level"
        )
    return pd.Series(words)

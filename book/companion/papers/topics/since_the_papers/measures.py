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

#: Kinds of sources on which two learners are equally good.
NULL = ("source1", "twins", "task_1.0")


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


def table(measured: pd.DataFrame, n: int = 300, pair: str = PAIR) -> pd.DataFrame:
    """Draw up the table of one size and one pair, as `measured` by :func:`measures`.

    Indexed by method: `title`, `trainings`; `type_1` (source 1) and `power` (mean over sources 2
    to 4), `replicability` (the least of the four sources), each with its error; `type_1_twins`,
    of the second learner of the pair against itself on twins; and of sources 2 to 4 the least
    `covers_learners` and `covers_models`.
    """
    at = measured.xs(n, level="n")
    of_pair = at.xs(pair, level="pair")
    sources = [f"source{k}" for k in (1, 2, 3, 4)]
    second = pair.split("-")[1]
    of_twins = at.xs(f"{second}-{second}", level="pair").loc["twins"]
    rows = {}
    for method, it in METHODS.items():
        cells = of_pair.xs(method, level="method").loc[sources]
        powers = cells.loc[sources[1:]]
        least = cells["replicability"].idxmin()
        rows[method] = {
            "title": it.title,
            "type_1": cells.loc["source1", "rejected"],
            "type_1_error": cells.loc["source1", "rejected_error"],
            "type_1_twins": of_twins.loc[method, "rejected"],
            "type_1_twins_error": of_twins.loc[method, "rejected_error"],
            "power": powers["rejected"].mean(),
            "power_error": np.sqrt((powers["rejected_error"] ** 2).sum()) / len(powers),
            "replicability": cells.loc[least, "replicability"],
            "replicability_error": cells.loc[least, "replicability_error"],
            "covers_learners": powers["covers_learners"].min(),
            "covers_models": powers["covers_models"].min(),
            "trainings": it.trainings,
        }
    return pd.DataFrame(rows).T.infer_objects().rename_axis("method")


def shown(drawn: pd.DataFrame) -> pd.DataFrame:
    """Write a table of :func:`table` as text, in percent with standard errors in brackets."""
    with_error = lambda name: [
        f"{value:.1f} ({error:.1f})"
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


def verdicts(measured: pd.DataFrame, pair: str = PAIR) -> pd.Series:
    """Say of each method whether it holds its level: at every size, on source 1 and on twins.

    "holds" if no Type I error is above the level by more than 1.5 points and three standard errors
    of noise; "too liberal" if one is above twice the level for certain; else "slightly liberal".
    """
    second = pair.split("-")[1]
    rows = pd.concat([
        measured.loc["source1"].xs(pair, level="pair"),
        measured.loc["twins"].xs(f"{second}-{second}", level="pair"),
    ])
    level = 100 * ALPHA
    by_method = rows.assign(
        above=rows["rejected"] - 3 * rows["rejected_error"] > level + 1.5,
        far=rows["rejected"] - 3 * rows["rejected_error"] > 2 * level,
    ).groupby(level="method")[["above", "far"]].any()
    words = np.where(by_method["far"], "too liberal", np.where(
        by_method["above"], "slightly liberal", "holds its level"))
    return pd.Series(words, index=by_method.index).loc[list(METHODS)]

"""The part common to the two synthetic tables of 2004: sources, decisions, ten networks for one.

Naive Bayes (A) and C4.5 (B) are compared on data sets from four kinds of sources, on
which C4.5 is better by known margins.  The papers used one network of each kind and did
not publish it, so there are ten of each kind here (:mod:`companion.papers.networks`),
and a printed value is compared with the values from networks with its margin.  The
decisions of every design on each of their data sets are stored; for a setting other
than the papers' they are simulated.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from companion.lab.experiments import runner
from companion.lab.experiments.results import results_for
from companion.papers import ledger, methods_of_2004, published
from companion.papers.networks import committed
from replib import replicability

SOURCES = (1, 2, 3, 4)
NETWORKS = 10
DATASETS = 1000
SEED = 2004

#: The setting of the papers, and of the stored decisions.
SETTING = {"instances": 300, "experiments": 10, "alpha": 0.05, "runs": 10, "folds": 10}

#: The same size for any number of data sets, so that a larger run reuses finished
#: chunks.
CHUNK = 10

#: Why what the papers print about their networks can be compared in kind only.
UNPUBLISHED = "the paper's networks are unpublished"

SOURCE_COLUMNS = tuple(f"source{source}" for source in SOURCES)

#: Headings of the tables' columns.
HEADS = {
    "source1": "source 1",
    "source2": "source 2",
    "source3": "source 3",
    "source4": "source 4",
    "min_norm_repl": "min. repl.",
    "min": "min.",
}

Results = Mapping[str, runner.Replications]


@dataclass(frozen=True)
class Table:
    """One of the two printed tables.

    Attributes
    ----------
    item : str
        Its published id.
    rows : mapping of str to str
        The rows in order: part of the id of a cell, and the design.
    measure, least, minimum : str
        The measure in the columns of the sources, the measure whose minimum is in the
        last column (both from :func:`measures`), and how the ids of the last column
        end.
    """

    item: str
    rows: Mapping[str, str]
    measure: str
    least: str
    minimum: str


# ------------------------------------------------------------------ the experiments


def experiment(
    source: int,
    network: int,
    designs: Sequence[str] = tuple(methods_of_2004.METHODS),
    *,
    seed: int = SEED,
    **setting,
) -> runner.Experiment:
    """Decisions of designs on data sets of network 0 to 9 of a source; `setting` as in `SETTING`.

    >>> experiment(2, 7, ["five_by_two_cv"]).parameters["source"]
    'source2.7'
    """
    parameters = {
        "source": committed.name_of(source, network),
        "designs": list(designs),
        **SETTING,
        **setting,
    }
    return runner.Experiment(
        "companion.papers.networks.experiments:decisions",
        seed=seed,
        parameters=parameters,
        stream=(source, network),
    )


def plan(
    datasets: int = DATASETS, **setting
) -> dict[str, tuple[runner.Experiment, int]]:
    """Every design on all 40 networks, and the number of data sets of each, by network."""
    return {
        committed.name_of(source, network): (
            experiment(source, network, **setting),
            datasets,
        )
        for network in range(NETWORKS)
        for source in SOURCES
    }


def is_of_the_papers(**setting) -> bool:
    """Return whether a setting agrees with `SETTING`, so that the printed tables apply to it."""
    return setting.items() <= SETTING.items()


def results_at(stored: Results, datasets: int, **setting) -> Results:
    """Decisions by network: the stored ones if they have this setting, else simulated ones.

    The simulation draws `datasets` data sets of each network; `setting` is as in
    `SETTING`.
    """
    if is_of_the_papers(**setting):
        return stored
    return results_for(plan(datasets, **setting), {}, chunk_size=CHUNK)[0]


# ------------------------------------------------------------------ their measures


def measures(counts: np.ndarray, designs: Sequence[str]) -> pd.DataFrame:
    """Measures of designs on one network, in percent, with standard errors from its data sets.

    `counts` are from :func:`companion.lab.experiments.on_sources.decisions`, shape
    (datasets, len(designs), 3), with at least two experiments on each data set.
    Indexed by design:

    ``rejected``
        experiments that find a significant difference: Type I error on source 1, else
        power;
    ``c45_better``
        experiments that find C4.5 significantly better;
    ``replicability_normalized``
        mean over data sets of 2 R2 - 1, accept or reject;
    ``consistent``
        data sets on which all experiments have the same outcome;

    each with its standard error (``_error``), from the variance between data sets, and
    ``rejected_error_of_splits``, the standard error of `rejected` on the *same* data
    sets (and that of the replicability, by Theorem 3.1 of the paper).

    >>> counts = np.array([[[0, 10, 0]], [[5, 5, 0]]])
    >>> measures(counts, ["five_by_two_cv"]).round(1).loc["five_by_two_cv"].to_dict()
    ... # doctest: +NORMALIZE_WHITESPACE
    {'rejected': 25.0, 'rejected_error': 25.0, 'c45_better': 25.0, 'c45_better_error': 25.0,
     'replicability_normalized': 44.4, 'replicability_normalized_error': 55.6,
     'consistent': 50.0, 'consistent_error': 50.0, 'rejected_error_of_splits': 8.3,
     'replicability_normalized_error_of_splits': 7.5}
    """
    counts = counts.astype(int)
    n = counts.sum(axis=-1)
    accepted = counts[..., 1]
    r2 = np.asarray(replicability.r2_from_counts(accepted, n))
    of_datasets = {
        "rejected": 1 - accepted / n,
        "c45_better": counts[..., 0] / n,
        "replicability_normalized": replicability.normalized(r2),
        "consistent": (counts.max(axis=-1) == n).astype(float),
    }
    columns = {}
    for name, values in of_datasets.items():
        columns[name] = values.mean(axis=0)
        columns[f"{name}_error"] = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    # 1 - r = 2 p (1 - p): half the disagreement of two experiments is the variance of
    # one
    variance = (1 - r2) / 2
    columns["rejected_error_of_splits"] = np.sqrt(
        (variance / n).mean(axis=0) / len(counts)
    )
    of_r2 = replicability.r2_variance(np.clip(r2, 0.5, 1), int(n.flat[0]))
    columns["replicability_normalized_error_of_splits"] = 2 * np.sqrt(
        of_r2.mean(axis=0) / len(counts)
    )
    return 100 * pd.DataFrame(columns, index=pd.Index(designs, name="design"))


def measures_by_network(results: Results) -> pd.DataFrame:
    """:func:`measures` of all networks, indexed by (`network`, `source`, `design`)."""
    frames = {}
    for name, result in results.items():
        source, network = committed.source_and_place(name)
        frames[network, source] = measures(
            result.counts, result.experiment.parameters["designs"]
        )
    return pd.concat(frames, names=["network", "source"]).sort_index()


# ------------------------------------------------------------------ the tables


def tables_by_network(table: Table, measured: pd.DataFrame) -> pd.DataFrame:
    """Ten versions of a table, each from the four networks with the same number.

    `measured` is from :func:`measures_by_network`.  Columns `network`, `design`,
    `column` (the sources and the minimum), `value` and `error` (for a minimum, that of
    the source that has it), in percent.
    """
    names = {"value": table.measure, "error": f"{table.measure}_error"}
    frame = measured[list(names.values())].set_axis(list(names), axis=1).reset_index()
    frame["column"] = "source" + frame.pop("source").astype(str)
    by_design = measured[table.least].groupby(["network", "design"], sort=False)
    least = measured.loc[by_design.idxmin(), [table.least, f"{table.least}_error"]]
    least = (
        least.set_axis(["value", "error"], axis=1).reset_index().drop(columns="source")
    )
    both = pd.concat([frame, least.assign(column=table.minimum)], ignore_index=True)
    return both[["network", "design", "column", "value", "error"]]


def printed(table: Table) -> pd.DataFrame:
    """Printed cells: `id`, `design`, `column`, `printed`, `half_width`; percent."""
    cells = published.cells(table.item).set_index("cell_id")
    found = [
        (f"{table.item}.{row}.{column}", design, column)
        for row, design in table.rows.items()
        for column in (*SOURCE_COLUMNS, table.minimum)
    ]
    frame = pd.DataFrame(found, columns=["id", "design", "column"])
    frame["printed"] = cells.loc[frame["id"], "value"].to_numpy()
    frame["half_width"] = cells.loc[frame["id"], "ci95_half_width"].to_numpy()
    return frame


def spread(table: Table, by_network: pd.DataFrame) -> pd.DataFrame:
    r"""Each printed cell and its values on ten networks, as ledger rows.

    The paper's network is one more of its kind, and the paper's number comes from as
    many data sets as ours, so it should scatter like our ten numbers, whose standard
    deviation s includes both. `by_network` is from :func:`tables_by_network`.

    Columns `id`, `design`, `column`, `printed`, `half_width`, `rebuilt` (mean of the networks),
    `replicas`, `low`, `high` (their range), `published_error` (s), `replica_error` (Monte Carlo
    standard error of one of them), `standard_error` (of the mean), `inside` (whether the printed
    value is in the ledger's prediction interval), `z` (distance in joint standard errors
    :math:`s\sqrt{1 + 1/10}`, after half a printed digit) and `in_kind`; percent.
    """
    by_cell = by_network.groupby(["design", "column"])
    ours = (
        by_cell["value"]
        .agg(["mean", "min", "max", "std", list])
        .set_axis(["rebuilt", "low", "high", "published_error", "replicas"], axis=1)
        .assign(
            replica_error=by_cell["error"].agg(lambda error: np.sqrt((error**2).mean()))
        )
    )
    frame = printed(table).merge(ours.reset_index(), on=["design", "column"])
    networks = by_network["network"].nunique()
    frame["standard_error"] = frame["published_error"] / np.sqrt(networks)
    frame["inside"] = [
        low <= row.printed <= high
        for row in frame.itertuples()
        for low, high in [
            ledger.prediction_interval(row.replicas, row.replica_error, 0.05)
        ]
    ]
    excess = frame["printed"] - frame["rebuilt"]
    joint = np.hypot(frame["standard_error"], frame["published_error"])
    beyond = excess.abs().sub(0.05).clip(lower=0)
    frame["z"] = (beyond / joint.where(joint > 0)).fillna(0) * np.sign(excess)
    frame["in_kind"] = UNPUBLISHED
    return frame


def held(
    claims: Mapping[str, Callable[[pd.DataFrame], bool]],
    table: Table,
    by_network: pd.DataFrame,
) -> pd.DataFrame:
    """Claims checked for the mean of the networks' tables and for each table, as ledger rows.

    A claim takes a table, designs by columns.  `networks` is the number of tables in
    which it holds.
    """
    mean = by_network.groupby(["design", "column"])["value"].mean().unstack()
    tables = [
        one.pivot(index="design", columns="column", values="value")
        for _, one in by_network.groupby("network")
    ]
    rows = []
    for name, holds in claims.items():
        networks = sum(bool(holds(one)) for one in tables)
        rows.append(
            {
                "id": f"{table.item.split('.')[0]}.{name}",
                "rebuilt": bool(holds(mean)),
                "networks": networks,
                "numbers": {"networks": networks, "tables": len(tables)},
                "in_kind": UNPUBLISHED,
            }
        )
    return pd.DataFrame(rows)


# ------------------------------------------------------------------ tables as text


def side_by_side(cells: pd.DataFrame) -> pd.DataFrame:
    """A printed table as text, with the networks' range in brackets; `cells` of :func:`spread`."""
    ranges = zip(cells["printed"], cells["low"], cells["high"])
    text = [
        f"{one:.1f} ({low:.1f}\u2060–\u2060{high:.1f})" for one, low, high in ranges
    ]
    return _laid_out(cells, text, cells["design"].unique())


def _laid_out(
    cells: pd.DataFrame, text: list[str], rows: Iterable[str]
) -> pd.DataFrame:
    """The texts of cells, arranged as a table with the printed headings."""
    table = cells.assign(text=text).pivot(
        index="design", columns="column", values="text"
    )
    table = table.loc[list(rows), list(cells["column"].unique())]
    return table.rename(columns=HEADS).rename_axis(index=None, columns=None)

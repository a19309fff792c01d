r"""The synthetic tables of 2004: Table 1 of bouckaert2004 and Table 5 of bouckaert_frank2004.

Naive Bayes (A) and C4.5 (B) are compared on data sets from four kinds of sources, on which C4.5 is
better by known margins.  The papers used one network of each kind and did not publish it, so there
are ten of each kind here (:mod:`replib.sources`), and a printed value is held against what networks
of its margin give.

``book/results/synthetic_decisions`` holds, for each of the forty networks, what every design
decided in ten experiments on each of 1000 data sets.  ``python -m replib results synthetic_decisions`` makes it
anew.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

import numpy as np
import pandas as pd
from joblib import parallel_config
from scipy import special

from replib import replicability, schemes, theory
from replib.experiments import engine
from replib.experiments import on_sources as simulation
from replib.experiments.designs import DESIGNS, decide, pvalues
from replib.experiments.results import ResultsDiffer
from replib.papers import ledger, published

SOURCES = (1, 2, 3, 4)
NETWORKS = 10
DATASETS = 1000
SEED = 2004

#: What the papers used.
SETTING = {"instances": 300, "experiments": 10, "alpha": 0.05, "runs": 10, "folds": 10}

# Of one size whatever the number of data sets, so that more of them start from what is finished.
_CHUNK = 10

#: Rows of Table 1 of bouckaert2004, in its order: part of the id of a cell, and the design.
TABLE_1 = {
    "ranksum.resampling": "resampling.signed_rank",
    "ranksum.k_fold_cv": "k_fold.signed_rank",
    "ranksum.use_all_data": "use_all_data.signed_rank",
    "ranksum.average_over_folds": "average_over_folds.signed_rank",
    "ranksum.average_over_runs": "average_over_runs.signed_rank",
    "ranksum.average_sorted_runs": "average_over_sorted_runs.signed_rank",
    "sign.average_sorted_runs": "average_over_sorted_runs.sign_test",
    "t.average_sorted_runs": "average_over_sorted_runs.paired_t",
}

#: Rows of Table 5 of bouckaert_frank2004, in its order.
TABLE_5 = {
    "5x2_cv": "five_by_two_cv",
    "10_x_resampling": "corrected_resampled_10",
    "100_x_resampling": "corrected_resampled_100",
    "10_fold_cv": "k_fold.paired_t",
    "corrected_10x10_fold_cv": "corrected_repeated_cv",
}

#: All that can be read in the place of Table 1: its schemes with its tests, and what came after.
ALL_ROWS = (
    *(
        f"{scheme}.{test}" for scheme in schemes.SCHEMES
        for test in ("signed_rank", "sign_test", "paired_t")
    ),
    "corrected_repeated_cv", "corrected_resampled_10", "five_by_two_cv",
)

_SOURCE_COLUMNS = tuple(f"source{source}" for source in SOURCES)
_NORMAL_95 = 1.959964  # quantile of the normal distribution

#: What the columns of the tables are called where they are shown.
HEADS = {"source1": "source 1", "source2": "source 2", "source3": "source 3",
         "source4": "source 4", "min_norm_repl": "min. repl.", "min": "min."}


# ------------------------------------------------------------------ the experiments


def experiment(
    source: int, network: int, designs: Sequence[str], *, seed: int = SEED, **setting
) -> engine.Experiment:
    """Decisions of designs on data sets of one network.

    Parameters
    ----------
    source : int
        1 to 4.
    network : int
        0 to 9.
    designs : sequence of str
        Names in `replib.experiments.designs.DESIGNS`.
    seed : int
    **setting
        What differs from `SETTING`.

    Returns
    -------
    Experiment

    Examples
    --------
    >>> experiment(2, 7, ["five_by_two_cv"]).parameters["source"]
    'source2.7'
    """
    parameters = {
        "source": f"source{source}.{network}", "designs": list(designs), **SETTING, **setting,
    }
    return engine.Experiment(
        "replib.papers.networks.experiments:decisions", seed=seed, parameters=parameters, stream=(source, network)
    )


def run(
    designs: Sequence[str], network: int = 0, datasets: int = DATASETS, **setting
) -> dict[int, np.ndarray]:
    """Decisions of designs on data sets of one network of each source, on all cores.

    Parameters
    ----------
    designs : sequence of str
        Names in `replib.experiments.designs.DESIGNS`.
    network : int
        0 to 9.
    datasets : int
        Data sets from each network.
    **setting
        As for :func:`experiment`.

    Returns
    -------
    dict of int to ndarray, shape (datasets, len(designs), 3)
        By source, as :func:`replib.experiments.on_sources.decisions` counts them.
    """
    with parallel_config(n_jobs=-1):
        return {
            source: engine.replicate(
                experiment(source, network, designs, **setting), datasets, chunk_size=_CHUNK
            ).counts
            for source in SOURCES
        }


def blocks(
    network: int = 0, datasets: int = DATASETS, *, instances: int = 300, runs: int = 10,
    folds: int = 10, seed: int = SEED,
) -> dict[int, np.ndarray]:
    """Accuracy differences of one repeated cross-validation on each data set of four networks.

    Parameters
    ----------
    network, datasets
        As for :func:`run`; the data sets are the same.
    instances, runs, folds : int
    seed : int

    Returns
    -------
    dict of int to ndarray, shape (datasets, runs, folds)
        By source: accuracy of naive Bayes minus accuracy of C4.5, a fraction.
    """
    size = {"instances": instances, "experiments": 1, "runs": runs, "folds": folds}
    found = {}
    with parallel_config(n_jobs=-1):
        for source in SOURCES:
            one = engine.Experiment(
                "replib.papers.networks.experiments:correct_counts", seed=seed, stream=(source, network),
                parameters={"source": f"source{source}.{network}", **size},
            )
            counts = engine.replicate(one, datasets, chunk_size=_CHUNK).counts
            found[source] = simulation.differences(counts[:, 0], instances)
    return found


def plan() -> dict[str, tuple[engine.Experiment, int]]:
    """What is stored: every design on all forty networks, and on how many data sets of each."""
    planned = {}
    for network in range(NETWORKS):
        for source in SOURCES:
            one = experiment(source, network, list(DESIGNS))
            planned[one.parameters["source"]] = one, DATASETS
    return planned


def _stored() -> dict[str, engine.Replications]:
    from replib.papers import stored  # which lists the experiments of this module

    return stored.load("synthetic_decisions")


def agreement(
    counts: Mapping[int, np.ndarray], designs: Sequence[str], network: int, **setting
) -> str:
    """Whether decisions made now are those that are stored, in a sentence.

    Parameters
    ----------
    counts : mapping of int to ndarray
        As :func:`run` returns them for `designs`, `network` and `setting`.
    designs : sequence of str
    network : int
    **setting

    Returns
    -------
    str

    Raises
    ------
    ResultsDiffer
        If the setting is that of the stored decisions, and one of them differs.
    """
    if SETTING | setting != SETTING:
        return "This is not the papers' setting: there are no stored decisions to compare with."
    same = 0
    for source, now in counts.items():
        result = _stored()[f"source{source}.{network}"]
        rows = [result.experiment.parameters["designs"].index(design) for design in designs]
        before = result.counts[: len(now), rows]
        if not np.array_equal(before, now[: len(before)]):
            raise ResultsDiffer(
                f"the decisions stored for source{source}.{network} are not those made now; the "
                "code, its packages or the network have changed"
            )
        same += before[..., 0].size
    return f"{same} counts of ten decisions were made again: all are those that are stored."


def type_1_by_attributes(
    designs: Sequence[str], attributes: Sequence[int], datasets: int = 250, *, networks: int = 2,
    seed: int = SEED, **setting,
) -> pd.DataFrame:
    """Type I error where the number of independent attributes differs.

    "Ten binary variables" may count the class, which leaves nine attributes.

    Parameters
    ----------
    designs : sequence of str
        Names in `replib.experiments.designs.DESIGNS`.
    attributes : sequence of int
        Numbers of attributes.
    datasets : int
        Data sets from each network.
    networks : int
        Random networks for each number of attributes.
    seed : int
        Of the networks and of the data sets.
    **setting
        As for :func:`experiment`.

    Returns
    -------
    DataFrame
        Columns `design`, `attributes`, `type_1` and `standard_error`, in percent.
    """
    parts = []
    for number in attributes:
        counts = []
        for network in range(networks):
            made = {"seed": seed, "stream": [number, network], "attributes": number}
            one = engine.Experiment(
                "replib.papers.networks.experiments:decisions", seed=seed, stream=(number, network),
                parameters={"source": made, "designs": list(designs), **SETTING, **setting},
            )
            with parallel_config(n_jobs=-1):
                counts.append(engine.replicate(one, datasets, chunk_size=_CHUNK).counts)
        found = measures(np.concatenate(counts), designs)[["rejected", "rejected_error"]]
        found.columns = ["type_1", "standard_error"]
        parts.append(found.reset_index().assign(attributes=number))
    return pd.concat(parts, ignore_index=True)


# ------------------------------------------------------------------ what they say


def measures(counts: np.ndarray, designs: Sequence[str]) -> pd.DataFrame:
    """What designs do on one network, over its data sets.

    Parameters
    ----------
    counts : ndarray of int, shape (datasets, len(designs), 3)
        As :func:`replib.experiments.on_sources.decisions` returns them for each data set, with at least two
        experiments.
    designs : sequence of str

    Returns
    -------
    DataFrame
        Indexed by design, in percent:

        ``rejected``
            experiments that see a difference: the Type I error on source 1, else the power;
        ``c45_better``
            experiments that see C4.5 ahead;
        ``replicability``
            mean over data sets of the normalised :math:`2\\hat R_2 - 1`, accept or reject;
        ``consistent``
            data sets on which all experiments have the same outcome;

        each with its standard error (``_error``), from the variance between data sets, and
        ``rejected_error_of_splits``, the standard error of `rejected` on the *same* data sets.

    Examples
    --------
    >>> counts = np.array([[[0, 10, 0]], [[5, 5, 0]]])
    >>> measures(counts, ["five_by_two_cv"]).round(1).loc["five_by_two_cv"].to_dict()
    ... # doctest: +NORMALIZE_WHITESPACE
    {'rejected': 25.0, 'rejected_error': 25.0, 'c45_better': 25.0, 'c45_better_error': 25.0,
     'replicability': 44.4, 'replicability_error': 55.6, 'consistent': 50.0,
     'consistent_error': 50.0, 'rejected_error_of_splits': 8.3}
    """
    counts = counts.astype(int)
    n = counts.sum(axis=-1)
    accepted = counts[..., 1]
    r2 = np.asarray(replicability.r2_from_counts(accepted, n))
    of_datasets = {
        "rejected": 1 - accepted / n,
        "c45_better": counts[..., 0] / n,
        "replicability": replicability.normalized(r2),
        "consistent": (counts.max(axis=-1) == n).astype(float),
    }
    columns = {}
    for name, values in of_datasets.items():
        columns[name] = values.mean(axis=0)
        columns[f"{name}_error"] = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    # 1 - r = 2 p (1 - p): what two experiments on a data set disagree on is their variance
    variance = (1 - r2) / 2
    columns["rejected_error_of_splits"] = np.sqrt((variance / n).mean(axis=0) / len(counts))
    return 100 * pd.DataFrame(columns, index=pd.Index(designs, name="design"))


def measures_by_source(
    counts: Mapping[int, np.ndarray], designs: Sequence[str]
) -> pd.DataFrame:
    """:func:`measures` of the networks of all sources, indexed by (`source`, `design`)."""
    frames = {source: measures(values, designs) for source, values in counts.items()}
    return pd.concat(frames, names=["source"])


@lru_cache
def measures_by_network() -> pd.DataFrame:
    """:func:`measures` of all forty networks, indexed by (`network`, `source`, `design`)."""
    frames = {}
    for name, result in _stored().items():
        source, network = name.removeprefix("source").split(".")
        frames[int(network), int(source)] = measures(
            result.counts, result.experiment.parameters["designs"]
        )
    return pd.concat(frames, names=["network", "source"]).sort_index()


# ------------------------------------------------------------------ the tables


def table_1(measured: pd.DataFrame) -> pd.DataFrame:
    """Table 1 of bouckaert2004 for one network of each source, with all rows that were measured.

    Parameters
    ----------
    measured : DataFrame
        As :func:`measures_by_source` returns it.

    Returns
    -------
    DataFrame
        Columns `design`, `column` ("source1": Type I error; "source2" to "source4": power;
        "min_norm_repl": the least mean normalised replicability of the four), `value` and `error`
        (standard error), in percent.  The error of a minimum is that of the source that has it.
    """
    return _columns(measured, "rejected", "replicability", "min_norm_repl")


def table_5(measured: pd.DataFrame) -> pd.DataFrame:
    """Table 5 of bouckaert_frank2004 for one network of each source.

    Parameters
    ----------
    measured : DataFrame
        As :func:`measures_by_source` returns it.

    Returns
    -------
    DataFrame
        As :func:`table_1`, of the share of data sets on which all experiments agree; the last
        column is "min".
    """
    measured = measured[measured.index.get_level_values("design").isin(TABLE_5.values())]
    return _columns(measured, "consistent", "consistent", "min")


def _columns(
    measured: pd.DataFrame, measure: str, measure_of_minimum: str, minimum: str
) -> pd.DataFrame:
    names = {"value": measure, "error": f"{measure}_error"}
    frame = measured[list(names.values())].set_axis(list(names), axis=1).reset_index()
    frame["column"] = "source" + frame.pop("source").astype(str)
    by_design = measured[measure_of_minimum].groupby("design", sort=False)
    least = measured.loc[by_design.idxmin()].reset_index("design")
    last = pd.DataFrame({
        "design": least["design"], "column": minimum, "value": least[measure_of_minimum],
        "error": least[f"{measure_of_minimum}_error"],
    })
    return pd.concat([frame, last], ignore_index=True)[["design", "column", "value", "error"]]


def wide(table: pd.DataFrame, rows: Sequence[str]) -> pd.DataFrame:
    """A table as it would be printed: values with the half-widths of their 95 % intervals.

    Parameters
    ----------
    table : DataFrame
        Of :func:`table_1` or :func:`table_5`.
    rows : sequence of str
        Designs, in their order.

    Returns
    -------
    DataFrame of str
        One row a design, one column a column.
    """
    half_width = _NORMAL_95 * table["error"]
    text = [_with_error(value, half) for value, half in zip(table["value"], half_width)]
    return _laid_out(table.assign(text=text), rows)


def _with_error(value: float, error: float) -> str:
    return f"{value:.1f}\u00a0±\u00a0{error:.1f}"  # does not break


def _laid_out(cells: pd.DataFrame, rows: Sequence[str]) -> pd.DataFrame:
    """The texts of cells as a table under the heads of the printed one."""
    table = cells.pivot(index="design", columns="column", values="text")
    table = table.loc[list(rows), list(cells["column"].unique())]
    return table.rename(columns=HEADS).rename_axis(index=None, columns=None)


def tables_by_network(number: int) -> pd.DataFrame:
    """A table of every ten-fold of networks: those of one number belong to one table.

    Parameters
    ----------
    number : {1, 5}
        Table 1 of bouckaert2004 or Table 5 of bouckaert_frank2004.

    Returns
    -------
    DataFrame
        As :func:`table_1` or :func:`table_5`, with a column `network`.
    """
    make = {1: table_1, 5: table_5}[number]
    frames = {
        network: make(measured.droplevel("network"))
        for network, measured in measures_by_network().groupby("network")
    }
    return pd.concat(frames, names=["network"]).reset_index("network")


def printed(number: int) -> pd.DataFrame:
    """Printed cells of a table: `id`, `design`, `column`, `printed`, `half_width`; percent.

    Examples
    --------
    >>> printed(5).query("column == 'min'").set_index("design")["printed"].tolist()
    [16.9, 26.0, 66.8, 33.2, 76.7]
    """
    item, rows = {
        1: ("bouckaert2004.tab01", TABLE_1), 5: ("bouckaert_frank2004.tab05", TABLE_5),
    }[number]
    cells = published.cells(item).set_index("cell_id")
    found = [
        (f"{item}.{row}.{column}", design, column)
        for row, design in rows.items()
        for column in (*_SOURCE_COLUMNS, "min_norm_repl" if number == 1 else "min")
    ]
    frame = pd.DataFrame(found, columns=["id", "design", "column"])
    frame["printed"] = cells.loc[frame["id"], "value"].to_numpy()
    frame["half_width"] = cells.loc[frame["id"], "ci95_half_width"].to_numpy()
    return frame


def spread(number: int) -> pd.DataFrame:
    """Each printed cell beside what ten networks give, for the ledger.

    The paper's network is one more of its kind, and the paper's number came from as many data sets
    as ours: it should scatter like the ten numbers, whose deviation s has both in it.  So the
    published value counts as inside if it is within three joint errors
    :math:`s \\sqrt{1 + 1/10}` of their mean (after half a printed digit).

    Parameters
    ----------
    number : {1, 5}
        As for :func:`tables_by_network`.

    Returns
    -------
    DataFrame
        Columns `id`, `design`, `column`, `printed`, `half_width`, `rebuilt` (mean of the networks),
        `low`, `high` (their range), `standard_error` (of the mean), `published_error` (s), `inside`
        (whether print is in the range), `z` (distance in joint errors) and `in_kind`; percent.
    """
    by_cell = tables_by_network(number).groupby(["design", "column"])["value"]
    ours = by_cell.agg(["mean", "min", "max", "std"]).set_axis(
        ["rebuilt", "low", "high", "published_error"], axis=1
    )
    frame = printed(number).merge(ours.reset_index(), on=["design", "column"])
    frame["standard_error"] = frame["published_error"] / np.sqrt(NETWORKS)
    rounding = 0.05
    frame["inside"] = frame["printed"].between(frame["low"] - rounding, frame["high"] + rounding)
    beyond = (frame["printed"] - frame["rebuilt"]).abs().sub(rounding).clip(lower=0)
    joint = np.hypot(frame["standard_error"], frame["published_error"])
    frame["z"] = (beyond / joint.where(joint > 0)).fillna(0) * np.sign(
        frame["printed"] - frame["rebuilt"]
    )
    frame["in_kind"] = [
        f"ten networks with the paper's margins give {low:.1f} to {high:.1f}"
        for low, high in zip(frame["low"], frame["high"])
    ]
    return frame


_BOUNDS = {
    # value: the measure that it bounds, over which designs, and whether from below
    "bouckaert2004.txt.type1_over": ("source1", (
        "use_all_data.signed_rank", "average_over_folds.signed_rank",
        "average_over_runs.signed_rank",
    ), True),
    "bouckaert2004.txt.repl_below": (
        "min_norm_repl", ("resampling.signed_rank", "k_fold.signed_rank"), False,
    ),
    "bouckaert2004.txt.repl_sorted_over": (
        "min_norm_repl", ("average_over_sorted_runs.signed_rank",), True,
    ),
}
_REPEATED = {
    "bouckaert2004.txt.repl_sign": "average_over_sorted_runs.sign_test",
    "bouckaert2004.txt.repl_t": "average_over_sorted_runs.paired_t",
    "bouckaert2004.txt.repl_ranksum": "average_over_sorted_runs.signed_rank",
}


def statements_on_table_1(cells: pd.DataFrame) -> pd.DataFrame:
    """The numbers that the text takes from Table 1, for the ledger.

    A bound holds unless the mean of the ten networks is beyond it by more than three standard
    errors, in one of the rows that it speaks of.

    Parameters
    ----------
    cells : DataFrame
        ``spread(1)``.

    Returns
    -------
    DataFrame
        Columns `id`, `rebuilt`, `standard_error`, `published_error`, `holds`, `in_kind`.
    """
    by_cell = cells.set_index(["column", "design"])
    rows = []
    for value, (column, designs, from_below) in _BOUNDS.items():
        means = by_cell.loc[column].loc[list(designs), "rebuilt"]
        closest = means.idxmin() if from_below else means.idxmax()
        cell = by_cell.loc[(column, closest)]
        distance = (cell["rebuilt"] - published.value(value)) * (1 if from_below else -1)
        holds = distance > -ledger.MAX_Z * cell["standard_error"]
        rows.append({"id": value, "holds": bool(holds), **_judged(cell)})
    for value, design in _REPEATED.items():
        rows.append({"id": value, **_judged(by_cell.loc[("min_norm_repl", design)])})
    return pd.DataFrame(rows)


def _judged(cell: pd.Series) -> dict:
    return cell[["rebuilt", "standard_error", "published_error", "in_kind"]].to_dict()


#: Type I errors that the paper calls acceptable exceed the level by at most so many points.
ACCEPTABLE_EXCESS = 1.0


def claims_on_table_1(alpha: float = 0.05) -> pd.DataFrame:
    """Claims 02 to 05 of bouckaert2004, held against the mean of the networks and against each.

    * cl.02: with the rank test, the Type I error of sorted runs exceeds the level by at most one
      point, what the paper itself calls not exceeding it; that of all others by more.
    * cl.03: with the rank test, resampling and one cross-validation exceed the level.
    * cl.04: on each of the sources 2 to 4, sorted runs have less power than at least three of the
      other five schemes.
    * cl.05: over the least replicability, sign test < rank test < t test, the first step larger.

    Parameters
    ----------
    alpha : float
        Significance level of the stored decisions.

    Returns
    -------
    DataFrame
        Columns `id`, `rebuilt` (whether it holds for the means), `networks` (in how many of the
        ten tables it holds), `note`, `in_kind`.
    """
    level = 100 * alpha
    sorted_runs = "average_over_sorted_runs.signed_rank"
    others = [f"{scheme}.signed_rank" for scheme in schemes.SCHEMES[:-1]]

    def only_sorted_runs(table: pd.DataFrame) -> bool:
        excess = table["source1"] - level - ACCEPTABLE_EXCESS
        return excess[sorted_runs] <= 0 and (excess[others] > 0).all()

    def elevated(table: pd.DataFrame) -> bool:
        two = table.loc[["resampling.signed_rank", "k_fold.signed_rank"], "source1"]
        return (two > level).all()

    def less_power(table: pd.DataFrame) -> bool:
        powers = table[list(_SOURCE_COLUMNS[1:])]
        return ((powers.loc[others] > powers.loc[sorted_runs]).sum() >= 3).all()

    def order_of_tests(table: pd.DataFrame) -> bool:
        sign, rank, t = (
            table.at[f"average_over_sorted_runs.{test}", "min_norm_repl"]
            for test in ("sign_test", "signed_rank", "paired_t")
        )
        return 0 < t - rank < rank - sign

    claims = {"cl.02": only_sorted_runs, "cl.03": elevated, "cl.04": less_power,
              "cl.05": order_of_tests}
    return _held(claims, "bouckaert2004", 1)


def claims_on_table_5() -> pd.DataFrame:
    """Claims 05 and 06 of bouckaert_frank2004, held against the mean of the networks and each.

    * cl.05: in every column the three cheap tests are less consistent than 100 times resampling,
      and this less than the corrected repeated cross-validation test.
    * cl.06: every test but 5x2cv is more consistent on sources 1 and 4 than on 2 and 3; 5x2cv is
      least consistent on source 4.

    Returns
    -------
    DataFrame
        As :func:`claims_on_table_1`.
    """
    cheap = [TABLE_5[row] for row in ("5x2_cv", "10_x_resampling", "10_fold_cv")]

    def order(table: pd.DataFrame) -> bool:
        hundred, repeated = table.loc["corrected_resampled_100"], table.loc["corrected_repeated_cv"]
        return (table.loc[cheap].max() < hundred).all() and (hundred < repeated).all()

    def middle(table: pd.DataFrame) -> bool:
        others = table.drop(index="five_by_two_cv")
        easy, hard = others[["source1", "source4"]], others[["source2", "source3"]]
        least = table.loc["five_by_two_cv", list(_SOURCE_COLUMNS)].idxmin()
        return (easy.min(axis=1) > hard.max(axis=1)).all() and least == "source4"

    return _held({"cl.05": order, "cl.06": middle}, "bouckaert_frank2004", 5)


def _held(
    claims: Mapping[str, Callable[[pd.DataFrame], bool]], paper: str, number: int
) -> pd.DataFrame:
    by_network = tables_by_network(number)
    mean = by_network.groupby(["design", "column"])["value"].mean().unstack()
    tables = [
        table.pivot(index="design", columns="column", values="value")
        for _, table in by_network.groupby("network")
    ]
    rows = []
    for name, holds in claims.items():
        networks = sum(bool(holds(table)) for table in tables)
        rows.append({
            "id": f"{paper}.{name}", "rebuilt": bool(holds(mean)), "networks": networks,
            "note": f"holds in {networks} of {len(tables)} tables, each of four other networks",
            "in_kind": "the paper's networks are unpublished",
        })
    return pd.DataFrame(rows)


# ------------------------------------------------------------------ what is behind Table 1


def side_by_side(number: int) -> pd.DataFrame:
    """A printed table with the range of our ten networks in brackets.

    Parameters
    ----------
    number : {1, 5}
        As for :func:`tables_by_network`.

    Returns
    -------
    DataFrame of str
        One row a design, one column a column.
    """
    cells = spread(number)
    ranges = zip(cells["printed"], cells["low"], cells["high"])
    text = [f"{one:.1f} ({low:.1f}\u2060–\u2060{high:.1f})" for one, low, high in ranges]
    return _laid_out(cells.assign(text=text), cells["design"].unique())


def over_networks(designs: Sequence[str]) -> pd.DataFrame:
    """Rows of Table 1 as means over ten networks, with the deviation between networks.

    Parameters
    ----------
    designs : sequence of str

    Returns
    -------
    DataFrame of str
        One row a design, one column a column; mean ± standard deviation, in percent.
    """
    by_cell = tables_by_network(1).groupby(["design", "column"], sort=False)["value"]
    cells = by_cell.agg(["mean", "std"]).reset_index()
    text = [_with_error(mean, std) for mean, std in zip(cells["mean"], cells["std"])]
    return _laid_out(cells.assign(text=text), designs)


def trade_off(designs: Sequence[str] = ALL_ROWS) -> pd.DataFrame:
    """Type I error, power and replicability of designs, over the ten networks of each source.

    Parameters
    ----------
    designs : sequence of str

    Returns
    -------
    DataFrame
        Indexed by design, in percent: `type_1`, `power` (mean of the sources 2 to 4) and
        `replicability` (the least of the four sources, normalised), means over the ten tables, and
        for each the deviation between tables (``type_1_deviation``, ...).
    """
    wide = tables_by_network(1).pivot(
        index=["network", "design"], columns="column", values="value"
    )
    found = pd.DataFrame({
        "type_1": wide["source1"], "power": wide[list(_SOURCE_COLUMNS[1:])].mean(axis=1),
        "replicability": wide["min_norm_repl"],
    })
    by_design = found.groupby("design")
    means = by_design.mean().join(by_design.std(ddof=1).add_suffix("_deviation"))
    return means.loc[list(designs)]


def printed_half_widths() -> pd.DataFrame:
    """What the brackets of Table 1 may be: 95 % half-widths on other or on the same data sets.

    Returns
    -------
    DataFrame
        Indexed by (`design`, `column`), Type I error and power only, in percentage points:
        `printed`; `other_datasets`, for a rerun on new data sets; `same_datasets`, for a rerun with
        new splits of the same data sets; the latter two are means over the ten networks.
    """
    errors = measures_by_network()[["rejected_error", "rejected_error_of_splits"]]
    ours = (_NORMAL_95 * errors.groupby(["design", "source"]).mean()).reset_index()
    ours["column"] = "source" + ours.pop("source").astype(str)
    ours = ours.set_index(["design", "column"])
    ours.columns = ["other_datasets", "same_datasets"]
    cells = printed(1).set_index(["design", "column"])[["half_width"]]
    return cells.rename(columns={"half_width": "printed"}).join(ours, how="inner")


def type_1_from_variances(block: np.ndarray, alpha: float = 0.05) -> pd.DataFrame:
    r"""Type I error of the paired t test in each scheme, from two variances.

    A t test of n differences takes the variance of their mean to be :math:`s^2/n`.  If it really
    is `ratio` times that, t is about :math:`\sqrt{\text{ratio}}` times a Student t, and its Type I
    error follows (:func:`replib.theory.equicorrelated_type1_error`).

    Parameters
    ----------
    block : ndarray, shape (datasets, runs, folds)
        Accuracy differences of learners that are equally good, as of source 1 of :func:`blocks`.
    alpha : float
        Significance level.

    Returns
    -------
    DataFrame
        Indexed by scheme: `n`; `mean`, the mean difference in percentage points, and `ahead`, its
        distance from 0 in standard errors; `true` and `claimed`, the mean square of the mean
        difference and the mean of :math:`s^2/n`, in squared percentage points; `ratio`; and in
        percent `predicted`, `observed` and the standard error of `observed`.
    """
    rows = {}
    for scheme in schemes.SCHEMES:
        sample = 100 * schemes.sample(block, scheme)
        n, means = sample.shape[-1], sample.mean(axis=-1)
        true, claimed = (means**2).mean(), (sample.var(axis=-1, ddof=1) / n).mean()
        excess = true / claimed - 1
        size = 100 * theory.equicorrelated_type1_error(excess / (excess + n), n, alpha=alpha)
        rejected = decide(block, design=f"{scheme}.paired_t", alpha=alpha) != 0
        share = rejected.mean()
        rows[scheme] = {
            "n": n, "mean": means.mean(),
            "ahead": means.mean() / (means.std(ddof=1) / np.sqrt(len(means))),
            "true": true, "claimed": claimed, "ratio": true / claimed,
            "predicted": float(size), "observed": 100 * share,
            "standard_error": 100 * np.sqrt(share * (1 - share) / len(rejected)),
        }
    return pd.DataFrame(rows).T


#: Readings of the sign test: the design, and what it asks of ten signs.
SIGN_TESTS = {
    "average_over_sorted_runs.sign_test": "printed rule: 8 for naive Bayes, 9 for C4.5",
    "average_over_sorted_runs.lenient_sign_test": "8 for either",
    "average_over_sorted_runs.exact_sign_test": "exact test: 9 for either",
}


def readings_of_the_sign_test() -> pd.DataFrame:
    """How far the printed row of the sign test in Table 1 is from ours, under three readings.

    The printed rule treats A and B differently (erratum bouckaert2004.e07): of ten signs it needs
    eight for A, but nine for B.

    Returns
    -------
    DataFrame
        Columns `design` (of `SIGN_TESTS`), `column`, `printed`, `mean` and `deviation` (over the
        ten networks; percent) and `z` (distance of print in joint errors, as :func:`spread` has
        it).
    """
    ours = tables_by_network(1).set_index(["design", "column"])["value"]
    cells = printed(1).query("design == 'average_over_sorted_runs.sign_test'")
    rows = []
    for design in SIGN_TESTS:
        for cell in cells.itertuples():
            ten = ours.loc[(design, cell.column)]
            mean, deviation = ten.mean(), ten.std(ddof=1)
            z = (cell.printed - mean) / (deviation * np.sqrt(1 + 1 / len(ten)))
            rows.append((design, cell.column, cell.printed, mean, deviation, z))
    return pd.DataFrame(
        rows, columns=["design", "column", "printed", "mean", "deviation", "z"]
    )


def spread_of_runs(differences: Mapping[int, np.ndarray]) -> pd.DataFrame:
    """How much single folds and means of runs scatter within an experiment.

    Parameters
    ----------
    differences : mapping of int to ndarray
        As :func:`blocks` returns them.

    Returns
    -------
    DataFrame
        Indexed by source, root mean squares over the data sets in percentage points: `folds`, the
        standard deviation of the differences of one run; `runs`, that of the means of the runs.
    """
    rows = {
        source: {
            "folds": np.sqrt(block[:, 0].var(axis=-1, ddof=1).mean()),
            "runs": np.sqrt(block.mean(axis=-1).var(axis=-1, ddof=1).mean()),
        }
        for source, block in differences.items()
    }
    return 100 * pd.DataFrame(rows).T.rename_axis("source")


def operating_curves(differences: Mapping[int, np.ndarray], designs: Sequence[str]) -> pd.DataFrame:
    """Power over Type I error, as the significance level runs from 0 to 1.

    Neither depends on the scale of p-values: designs are compared as if each had been calibrated.

    Parameters
    ----------
    differences : mapping of int to ndarray
        As :func:`blocks` returns them.
    designs : sequence of str
        Of repeated cross-validation.

    Returns
    -------
    DataFrame
        Columns `design`, `source` (2 to 4), `type_1` and `power`, in percent, from (0, 0) to
        (100, 100).
    """
    parts = []
    for design in designs:
        p = _pvalues(differences, design)
        for source in SOURCES[1:]:
            type_1, power = _curve(p[1], p[source])
            parts.append(pd.DataFrame({
                "design": design, "source": source, "type_1": 100 * type_1, "power": 100 * power,
            }))
    return pd.concat(parts, ignore_index=True)


def operating_points(
    differences: Mapping[int, np.ndarray], designs: Sequence[str], alpha: float = 0.05
) -> pd.DataFrame:
    """Where a significance level puts designs on their :func:`operating_curves`.

    Returns
    -------
    DataFrame
        Columns `design`, `source`, `type_1` and `power`, in percent.
    """
    rows = []
    for design in designs:
        p = _pvalues(differences, design)
        rows += [
            (design, source, 100 * (p[1] < alpha).mean(), 100 * (p[source] < alpha).mean())
            for source in SOURCES[1:]
        ]
    return pd.DataFrame(rows, columns=["design", "source", "type_1", "power"])


def power_at_equal_type_1(
    differences: Mapping[int, np.ndarray], designs: Sequence[str], level: float = 0.05, *,
    resamples: int = 200, seed: int = SEED,
) -> pd.DataFrame:
    """Power of designs if each had the significance level that gives it the same Type I error.

    Parameters
    ----------
    differences, designs
        As for :func:`operating_curves`.
    level : float
        The Type I error.
    resamples : int
        Bootstrap samples of the data sets, for the standard errors.
    seed : int

    Returns
    -------
    DataFrame
        Columns `design`, `column` ("source2" to "source4"), `value` (the power), `error` (its
        standard error) and `nominal` (the significance level that is needed), in percent.
    """
    rng = np.random.default_rng(np.random.SeedSequence(seed))

    def power(null: np.ndarray, values: np.ndarray) -> float:
        return 100 * np.interp(level, *_curve(null, values))

    rows = []
    for design in designs:
        p = _pvalues(differences, design)
        for source in SOURCES[1:]:
            drawn = [
                power(rng.choice(p[1], len(p[1])), rng.choice(p[source], len(p[source])))
                for _ in range(resamples)
            ]
            rows.append((
                design, f"source{source}", power(p[1], p[source]), np.std(drawn, ddof=1),
                100 * np.quantile(p[1], level),
            ))
    return pd.DataFrame(rows, columns=["design", "column", "value", "error", "nominal"])


def _pvalues(differences: Mapping[int, np.ndarray], design: str) -> dict[int, np.ndarray]:
    return {
        source: pvalues(block, design=design) for source, block in differences.items()
    }


def _curve(null: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Shares of p-values up to each threshold that occurs, from 0 to 1."""
    thresholds = np.unique(np.concatenate([null, values]))
    shares = [
        np.concatenate([[0.0], np.searchsorted(np.sort(p), thresholds, side="right") / len(p)])
        for p in (null, values)
    ]
    return shares[0], shares[1]


# ------------------------------------------------------------------ what is behind Table 5


def consistency_by_experiments(counts: np.ndarray, designs: Sequence[str]) -> pd.DataFrame:
    """Share of consistent data sets, had there been fewer experiments on each.

    The probability that m experiments drawn from all agree, averaged over data sets; with m = 2 it
    is the replicability, over three outcomes.

    Parameters
    ----------
    counts : ndarray of int, shape (datasets, len(designs), 3)
        As for :func:`measures`.
    designs : sequence of str

    Returns
    -------
    DataFrame
        Columns `design`, `experiments` (2 to all), `consistent` and `standard_error`, in percent.

    Examples
    --------
    >>> counts = np.array([[[0, 4, 0]], [[1, 3, 0]]])
    >>> consistency_by_experiments(counts, ["k_fold.paired_t"])["consistent"].tolist()
    [75.0, 62.5, 50.0]
    """
    counts = counts.astype(int)
    n = int(counts[0, 0].sum())
    parts = []
    for m in range(2, n + 1):
        agree = special.binom(counts, m).sum(axis=-1) / special.binom(n, m)
        parts.append(pd.DataFrame({
            "design": list(designs), "experiments": m, "consistent": 100 * agree.mean(axis=0),
            "standard_error": 100 * agree.std(axis=0, ddof=1) / np.sqrt(len(agree)),
        }))
    return pd.concat(parts, ignore_index=True)


def consistency_bounds(replicability: np.ndarray, experiments: int = 10) -> pd.DataFrame:
    r"""Least and largest expected consistency for a mean replicability.

    If p is the probability that an experiment on a data set accepts, :math:`u = 2r - 1 = (2p-1)^2`
    and the probability that n experiments agree is :math:`p^n + (1-p)^n = 2^{1-n} \sum_{k}
    \binom{n}{2k} u^k`, convex in u.  So over any mixture of data sets its mean lies between its
    value at the mean of u and the chord.

    Parameters
    ----------
    replicability : ndarray
        Mean replicability r over the data sets, 1/2 to 1.
    experiments : int
        n.

    Returns
    -------
    DataFrame
        Columns `replicability`, `low` and `high`, as fractions.

    Examples
    --------
    >>> consistency_bounds(np.array([0.5, 1.0]), 3)["high"].tolist()
    [0.25, 1.0]
    """
    r = np.asarray(replicability, dtype=float)
    p = (1 + np.sqrt(2 * r - 1)) / 2
    least = 2.0 ** (1 - experiments)
    return pd.DataFrame({
        "replicability": r, "low": p**experiments + (1 - p) ** experiments,
        "high": least + (1 - least) * (2 * r - 1),
    })


def consistency_beside_replicability() -> pd.DataFrame:
    """Both measures of the five tests of Table 5 on all forty networks.

    Returns
    -------
    DataFrame
        Columns `network`, `source`, `design`, `consistent` (percent of data sets) and
        `replicability` (mean raw r in percent).
    """
    frame = measures_by_network().reset_index()
    frame = frame[frame["design"].isin(TABLE_5.values())].reset_index(drop=True)
    frame["replicability"] = (100 + frame["replicability"]) / 2
    return frame[["network", "source", "design", "consistent", "replicability"]]

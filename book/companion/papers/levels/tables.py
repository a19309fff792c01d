"""The two synthetic tables of 2004 at a level that the other one of them points to.

No verdict rests on a level that was estimated from the same table: :func:`estimates`
says what each table points to, and :func:`predicted_rows` judges it by the other one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from companion.lab.experiments import runner
from companion.papers import ledger, synthetic
from companion.papers.bouckaert2004 import table_1
from companion.papers.bouckaert_frank2004 import table_5
from companion.papers.levels import committed
from companion.papers.levels.curves import (
    N_COEFFICIENTS,
    Curves,
    Estimate,
    Law,
    Least,
    estimate,
    of_replicas,
    predict,
)
from companion.papers.networks import committed as by_margin

#: The tables, and for each the one whose numbers say at which level it is judged.
JUDGED_BY = {
    table_1.TABLE.item: table_5.TABLE,
    table_5.TABLE.item: table_1.TABLE,
}

#: Table 1 with the lenient side of the sign test in its row (e54).
LENIENT = replace(
    table_1.TABLE,
    rows={**table_1.TABLE.rows, "sign.average_sorted_runs": table_1.LENIENT_SIGN_TEST},
)

#: Sources with a margin; on the first one every learner is right half of the time.
SOURCES = synthetic.SOURCES[1:]

#: Rows that say nothing about the level, because their rule is in doubt (e54, e61).
IN_DOUBT = ("average_over_sorted_runs.sign_test", "five_by_two_cv")

#: The stored runs that the functions take.
NEEDS = ("decisions_at_levels", "synthetic_decisions")

Results = Mapping[str, runner.Replications]


def measured(results: Mapping[str, Results]) -> pd.DataFrame:
    """Return `synthetic.measures` of all networks, indexed by (`network`, `source`, `design`).

    `results` are those of `NEEDS`, by name; `network` is the place of the network among
    those of its source.
    """
    frames = {}
    for name, one in results["decisions_at_levels"].items():
        source, place = committed.source_and_place(name)
        designs = one.experiment.parameters["designs"]
        frames[place, source] = synthetic.measures(one.counts, designs)
    return pd.concat(frames, names=["network", "source"]).sort_index()


def curves(
    of_networks: pd.DataFrame, source: int, measure: str, designs: Sequence[str]
) -> Curves:
    """Return how a measure of some designs follows the level on a source.

    `of_networks` is from :func:`measured`.
    """
    values = of_networks.xs(source, level="source")[measure].unstack("design")
    known = committed.table()
    names = [committed.name_of(source, place) for place in values.index]
    levels = known.loc[names, "naive_bayes"].to_numpy(dtype=float)
    return Curves(levels, values[list(designs)].to_numpy())


def estimates(of_networks: pd.DataFrame, table: synthetic.Table) -> dict[int, Estimate]:
    """Return what a table says about the level of each source with a margin.

    All its rows take part but those `IN_DOUBT`.
    """
    printed = synthetic.printed(table)
    printed = printed[~printed["design"].isin(IN_DOUBT)]
    return {
        source: estimate(
            curves(of_networks, source, table.measure, column["design"]),
            column["printed"].to_numpy(),
        )
        for source in SOURCES
        for column in [printed[printed["column"] == f"source{source}"]]
    }


def laws(
    of_networks: pd.DataFrame,
    of_margins: pd.DataFrame,
    table: synthetic.Table,
    levels: Mapping[int, Estimate],
) -> dict[tuple[str, str], Law]:
    """Return the law of each cell of a table, by design and column.

    `of_margins` is from `synthetic.measures_by_network`, for source 1, which has no
    level.
    """
    designs = list(table.rows.values())
    found: dict[tuple[str, str], Law] = {}
    of_least: dict[str, list[Law]] = {design: [] for design in designs}
    for source, level in levels.items():
        both = {
            measure: curves(of_networks, source, measure, designs)
            for measure in (table.measure, table.least)
        }
        for cell, design in enumerate(designs):
            found[design, f"source{source}"] = predict(both[table.measure], cell, level)
            of_least[design].append(predict(both[table.least], cell, level))
    no_level = of_margins.xs(1, level="source")
    for design in designs:
        ten = no_level.xs(design, level="design")
        found[design, "source1"] = of_replicas(ten[table.measure].to_numpy())
        of_least[design].append(of_replicas(ten[table.least].to_numpy()))
        found[design, table.minimum] = Least(tuple(of_least[design]))
    return found


def predicted_rows(
    of_networks: pd.DataFrame, of_margins: pd.DataFrame, table: synthetic.Table
) -> pd.DataFrame:
    """Compare each printed cell with its law at the level of the other table, as ledger rows.

    Columns `id`, `design`, `column`, `printed`, `rebuilt` (the mean of the law),
    `standard_error` (a quarter of its central 95%), `interval` (which leaves out
    `ledger.LEVEL`), `inside` (whether the printed number is in it), `in_kind` and
    `note`.
    """
    other = JUDGED_BY[table.item]
    levels = estimates(of_networks, other)
    by_cell = laws(of_networks, of_margins, table, levels)
    frame = synthetic.printed(table)
    found = [by_cell[cell] for cell in zip(frame["design"], frame["column"])]
    tail = ledger.LEVEL / 2
    intervals = [(law.quantile(tail), law.quantile(1 - tail)) for law in found]
    central = [law.quantile(0.975) - law.quantile(0.025) for law in found]
    low, high = np.array(intervals).T
    printed = frame["printed"]
    return frame.assign(
        rebuilt=[law.mean for law in found],
        standard_error=np.array(central) / 4,
        interval=intervals,
        inside=(low - _HALF_A_DIGIT <= printed) & (printed <= high + _HALF_A_DIGIT),
        in_kind=synthetic.UNPUBLISHED,
        note=[_at_which_level(column, other, levels) for column in frame["column"]],
    )


def power_by_level(
    of_networks: pd.DataFrame, of_margins: pd.DataFrame, design: str
) -> pd.DataFrame:
    """Return `source`, `level` and `power` (percent) of all networks with a margin.

    `at_level` says whether a network was searched for at the level in question, or has
    the printed margin alone.
    """
    rows = []
    for is_at_level, (measured_on, name_of, known) in {
        True: (of_networks, committed.name_of, committed.table()),
        False: (of_margins, by_margin.name_of, by_margin.table()),
    }.items():
        power = measured_on.xs(design, level="design")["rejected"]
        for (place, source), value in power.items():
            if source in SOURCES:
                level = known.at[name_of(source, place), "naive_bayes"]
                rows.append((source, is_at_level, float(level), float(value)))
    return pd.DataFrame(rows, columns=["source", "at_level", "level", "power"])


#: Half a digit of a printed percentage.
_HALF_A_DIGIT = 0.05


def _at_which_level(
    column: str, other: synthetic.Table, levels: Mapping[int, Estimate]
) -> str:
    """Return where the networks come from with which a cell is compared."""
    if column == "source1":
        return "networks of the source, which has no level"
    name = other.item.rpartition(".tab")[2].lstrip("0")
    if column.startswith("source"):
        level = levels[int(column.removeprefix("source"))]
        return (
            f"networks of the printed margin at the level that Table {name} of the other "
            f"paper points to, {level.level:.1f} ± {level.deviation:.1f}"
        )
    return f"networks at the levels that Table {name} of the other paper points to"


def ledger_rows(*, results: Mapping[str, Results]) -> pd.DataFrame:
    """Ledger rows of the cells of both tables, each at the level of the other table.

    `results` are those of `NEEDS`, by name.
    """
    of_networks = measured(results)
    of_margins = synthetic.measures_by_network(results["synthetic_decisions"])
    cells = predicted_rows(of_networks, of_margins, table_1.TABLE)
    lenient = predicted_rows(of_networks, of_margins, LENIENT)
    both_ways = cells.assign(other=lenient["rebuilt"], other_holds=lenient["inside"])
    return pd.concat(
        [
            both_ways,
            table_1.repeated_in_the_text(both_ways),
            predicted_rows(of_networks, of_margins, table_5.TABLE),
        ],
        ignore_index=True,
    )


# ------------------------------------------------------------------ what goes with the level


def explained_by(of_networks: pd.DataFrame, design: str) -> pd.DataFrame:
    """Return how far the powers of networks are from curves of what is known about them.

    Standard deviations in percentage points, indexed by source: `margin` (of the
    powers), `level`, `disagreement` (the share of instances on which exactly one of the
    two learners is right), each as a quadratic, and `both`; `noise` is what the
    data sets contribute.
    """
    known = committed.table()
    rows = {}
    for source in SOURCES:
        of_source = of_networks.xs(source, level="source").xs(design, level="design")
        names = [committed.name_of(source, place) for place in of_source.index]
        power = of_source["rejected"].to_numpy()
        level, share = (
            known.loc[names, name].to_numpy(dtype=float)
            for name in ("naive_bayes", "disagreement")
        )
        quadratic = lambda x: np.vander((x - x.mean()) / np.ptp(x), N_COEFFICIENTS)
        designs = {
            "margin": np.ones((len(power), 1)),
            "level": quadratic(level),
            "disagreement": quadratic(share),
            "both": np.hstack([quadratic(level), quadratic(share)[:, :-1]]),
        }
        rows[source] = {
            name: _residual_deviation(columns, power)
            for name, columns in designs.items()
        }
        rows[source]["noise"] = float(
            np.sqrt((of_source["rejected_error"] ** 2).mean())
        )
    return pd.DataFrame.from_dict(rows, orient="index").rename_axis("source")


def _residual_deviation(columns: np.ndarray, values: np.ndarray) -> float:
    fitted = columns @ np.linalg.lstsq(columns, values, rcond=None)[0]
    df = len(values) - columns.shape[1]
    return float(np.sqrt(((values - fitted) ** 2).sum() / df))

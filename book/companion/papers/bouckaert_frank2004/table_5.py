"""Table 5 of Bouckaert and Frank (2004): consistency of five tests on four sources."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from scipy import special

from companion.papers import published, synthetic
from companion.papers.bouckaert_frank2004.table_1 import rows
from companion.papers.networks import committed

#: The stored run that :func:`ledger_rows` takes.
NEEDS = ("synthetic_decisions",)

TABLE = synthetic.Table(
    "bouckaert_frank2004.tab05",
    {
        "5x2_cv": "five_by_two_cv",
        "10_x_resampling": "corrected_resampled_10",
        "100_x_resampling": "corrected_resampled_100",
        "10_fold_cv": "k_fold.paired_t",
        "corrected_10x10_fold_cv": "corrected_repeated_cv",
    },
    measure="consistent",
    least="consistent",
    minimum="min",
)
DESIGNS = tuple(TABLE.rows.values())

#: How often these tests, and the text's plain t tests on re-used data, reject.
REJECTIONS = replace(
    TABLE,
    rows={
        **TABLE.rows,
        "10x10_fold_cv": "use_all_data.paired_t",
        "resampling": "random_10.paired_t",
    },
    measure="rejected",
    least="rejected",
)

#: "Very high" means a Type I error of more than this many times the level.
VERY_HIGH = 5


def by_network(measured: pd.DataFrame, table: synthetic.Table = TABLE) -> pd.DataFrame:
    """`synthetic.tables_by_network` for the tests of a table, the printed one or `REJECTIONS`.

    `measured` is from `synthetic.measures_by_network`.
    """
    designs = measured.index.get_level_values("design")
    return synthetic.tables_by_network(
        table, measured[designs.isin(table.rows.values())]
    )


def consistency_by_experiments(
    counts: np.ndarray, designs: Sequence[str]
) -> pd.DataFrame:
    """Share of consistent data sets if there had been fewer experiments on each.

    This is the probability that m experiments drawn from all of them agree, averaged
    over data sets; with m = 2 it is the replicability, over three outcomes.  `counts`
    are as for `synthetic.measures`.  Columns `design`, `experiments` (2 to all),
    `consistent` and `standard_error`, in percent.

    >>> counts = np.array([[[0, 4, 0]], [[1, 3, 0]]])
    >>> consistency_by_experiments(counts, ["k_fold.paired_t"])["consistent"].tolist()
    [75.0, 62.5, 50.0]
    """
    counts = counts.astype(int)
    n = int(counts[0, 0].sum())
    m = np.arange(2, n + 1)[:, None, None]
    agree = 100 * special.binom(counts, m[..., None]).sum(axis=-1) / special.binom(n, m)
    return pd.DataFrame(
        {
            "design": [*designs] * len(m),
            "experiments": np.repeat(m, len(designs)),
            "consistent": agree.mean(axis=1).ravel(),
            "standard_error": (
                agree.std(axis=1, ddof=1) / np.sqrt(len(counts))
            ).ravel(),
        }
    )


def consistency_curves(results: synthetic.Results, network: int) -> pd.DataFrame:
    """:func:`consistency_by_experiments` of the five tests on one network of each `source`."""
    parts = []
    for source in synthetic.SOURCES:
        of_network = results[committed.name_of(source, network)]
        stored = of_network.experiment.parameters["designs"]
        places = [stored.index(design) for design in DESIGNS]
        curves = consistency_by_experiments(of_network.counts[:, places], DESIGNS)
        parts.append(curves.assign(source=source))
    return pd.concat(parts, ignore_index=True)


def consistency_bounds(
    replicability_raw: Sequence[float], experiments: int = 10
) -> pd.DataFrame:
    r"""Least and largest expected consistency for a mean replicability (raw), as fractions.

    If p is the probability that an experiment on a data set accepts,
    :math:`u = 2r - 1 = (2p-1)^2` and the probability that n experiments agree is
    :math:`p^n + (1-p)^n = 2^{1-n} \sum_{k} \binom{n}{2k} u^k`, which is convex in u.
    So its mean over any mixture of data sets lies between its value at the mean of u
    (`low`) and the chord (`high`).

    >>> consistency_bounds([0.5, 1.0], 3)["high"].tolist()
    [0.25, 1.0]
    """
    r = np.asarray(replicability_raw, dtype=float)
    p = (1 + np.sqrt(2 * r - 1)) / 2
    least = 2.0 ** (1 - experiments)
    return pd.DataFrame(
        {
            "replicability_raw": r,
            "low": p**experiments + (1 - p) ** experiments,
            "high": least + (1 - least) * (2 * r - 1),
        }
    )


def is_harder_in_the_middle(table: pd.DataFrame) -> pd.Series:
    """Return whether each test is more consistent on sources 1 and 4 than on 2 and 3, by design."""
    easy, hard = table[["source1", "source4"]], table[["source2", "source3"]]
    return easy.min(axis=1) > hard.max(axis=1)


# ------------------------------------------------------------------ ledger


def rows_of_print() -> pd.DataFrame:
    """Ledger rows of the text that follow from the printed row of margins."""
    margins = published.cells(TABLE.item)
    margins = margins[margins["cell_id"].str.contains("delta_accuracy")]["value"]
    return rows({"txt.delta_lo": margins.min(), "txt.delta_hi": margins.max()})


def ledger_rows(
    *, results: Mapping[str, synthetic.Results], datasets: int = 30, **setting
) -> pd.DataFrame:
    """Ledger rows of the table, without its row of margins, and of the text about it.

    `results` are those of `NEEDS`, by name; with a setting other than
    `synthetic.SETTING`, `datasets` data sets of each network are simulated instead.  At
    the paper's setting the cells are judged at the level of their source
    (`companion.papers.levels.tables`).
    """
    found = synthetic.results_at(results["synthetic_decisions"], datasets, **setting)
    measured = synthetic.measures_by_network(found)
    tables = by_network(measured)
    level = setting.get("alpha", synthetic.SETTING["alpha"])
    is_judged_elsewhere = synthetic.is_of_the_papers(**setting)
    return pd.concat(
        [
            *([] if is_judged_elsewhere else [synthetic.spread(TABLE, tables)]),
            rows_of_print(),
            claims(tables),
            claims_on_errors(by_network(measured, REJECTIONS), alpha=level),
        ],
        ignore_index=True,
    )


def claims(tables: pd.DataFrame) -> pd.DataFrame:
    """Claims 05, 06 and 17, checked for the mean of the networks and for each, as ledger rows.

    * cl.05: in every column the three cheap tests are less consistent than 100 times resampling,
      which is less consistent than the corrected repeated cross-validation test; in the
      minimum the first step is the longer one.
    * cl.06: every test but 5x2cv is more consistent on sources 1 and 4 than on 2 and 3; 5x2cv is
      least consistent on source 4.
    * cl.17: of the five tests, 5x2cv has the lowest minimum.
    """
    cheap = [TABLE.rows[row] for row in ("5x2_cv", "10_x_resampling", "10_fold_cv")]

    def order(table: pd.DataFrame) -> bool:
        hundred, repeated = (
            table.loc["corrected_resampled_100"],
            table.loc["corrected_repeated_cv"],
        )
        first, second = hundred - table.loc[cheap].max(), repeated - hundred
        return bool(
            (first > 0).all() and (second > 0).all() and first["min"] > second["min"]
        )

    def middle(table: pd.DataFrame) -> bool:
        others = table.drop(index="five_by_two_cv")
        least = table.loc["five_by_two_cv", list(synthetic.SOURCE_COLUMNS)].idxmin()
        return is_harder_in_the_middle(others).all() and least == "source4"

    return synthetic.held(
        {
            "cl.05": order,
            "cl.06": middle,
            "cl.17": lambda table: (
                table.loc[list(DESIGNS), "min"].idxmin() == "five_by_two_cv"
            ),
        },
        TABLE,
        tables,
    )


def claims_on_errors(tables: pd.DataFrame, *, alpha: float = 0.05) -> pd.DataFrame:
    """Claims 11 to 13, 15, 16 and 18, checked as in :func:`claims`, as ledger rows.

    `tables` are those of :func:`by_network` for `REJECTIONS`.

    * cl.11: the plain t test on one cross-validation rejects more often than the level on source 1.
    * cl.12: there, the plain t test on ten cross-validations rejects more than five times as often
      as the level.
    * cl.13: 5x2cv rejects no more often than the level on source 1, and less often than each of
      the other four tests of the table on sources 2 to 4.
    * cl.15, cl.16, cl.18: as in `how_to_test` of the published claims.
    """
    level = 100 * alpha
    plain = ["random_10.paired_t", "k_fold.paired_t", "use_all_data.paired_t"]
    corrected = ["corrected_resampled_10", "corrected_resampled_100"]

    def conservative(table: pd.DataFrame) -> bool:
        powers = table.loc[list(DESIGNS), list(synthetic.SOURCE_COLUMNS[1:])]
        others = powers.drop(index="five_by_two_cv")
        return (
            table.at["five_by_two_cv", "source1"] <= level
            and (powers.loc["five_by_two_cv"] < others.min()).all()
        )

    return synthetic.held(
        {
            "cl.11": lambda table: table.at["k_fold.paired_t", "source1"] > level,
            "cl.12": lambda table: (
                table.at["use_all_data.paired_t", "source1"] > VERY_HIGH * level
            ),
            "cl.13": conservative,
            "cl.15": lambda table: (table.loc[plain, "source1"] > level).all(),
            "cl.16": lambda table: (
                table.at[plain[0], "source1"]
                > max(2 * level, table.at[plain[1], "source1"])
                and table.at[plain[1], "source1"] > level
            ),
            "cl.18": lambda table: (
                ((table.loc[corrected, "source1"] - level).abs() <= 1).all()
                and (table.loc[corrected] > table.loc["five_by_two_cv"])[
                    list(synthetic.SOURCE_COLUMNS[1:])
                ].all(axis=None)
            ),
        },
        REJECTIONS,
        tables,
    )

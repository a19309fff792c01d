"""Tables 2 to 4 of Bouckaert and Frank (2004): more runs, repeated cross-validation, other levels.

Numbers that follow from the printed tables, and the tables rebuilt from stored
experiments.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise, product

import numpy as np
import pandas as pd

from companion.lab import datasets
from companion.papers import published, uci
from companion.papers.bouckaert_frank2004 import section_3
from companion.papers.bouckaert_frank2004.table_1 import MEASURES, rows
from companion.papers.ledger import LEVEL, MAX_Z, Listed

#: The stored runs that :func:`ledger_rows` takes.
NEEDS = (
    "uci_cross_validation",
    "uci_cross_validation_first_neighbour",
    "uci_cross_validation_weka_order",
    "uci_resampling",
    "uci_resampling_first_neighbour",
    "uci_stratified_resampling",
)

#: Numbers of runs in the columns of Tables 2 and 3, and significance levels in those of
#: Table 4.
TABLE_2_RUNS = (10, 20, 50, 100)
TABLE_3_RUNS = (1, 2, 5, 10)
TABLE_4_LEVELS = (0.01, 0.025, 0.05, 0.1)

Results = Mapping[str, uci.Results]

# ------------------------------------------------------------------ recounted from print


def printed_table(number: int) -> pd.DataFrame:
    """Table 2, 3 or 4 as printed, by (pair, measure); one column per number of runs or level.

    >>> printed_table(3).loc[("nb_c45", "consistent")].tolist()
    [16.0, 20.0, 21.0, 24.0]
    """
    cells = published.cells(f"bouckaert_frank2004.tab{number:02d}")
    key = cells["cell_id"].str.split(".", expand=True)
    cells = cells.assign(pair=key[2], measure=key[3], level=key[4])
    wide = cells.pivot(index=["pair", "measure"], columns="level", values="value")
    return wide[cells["level"].unique()]


def decreases(table: pd.DataFrame) -> pd.DataFrame:
    """e33: where a row decreases: `pair`, `measure`, `from`, `to` (columns), `before`, `after`."""
    return pd.DataFrame(
        [
            (*place, left, right, row[left], row[right])
            for place, row in table.iterrows()
            for left, right in pairwise(table.columns)
            if row[right] < row[left]
        ],
        columns=["pair", "measure", "from", "to", "before", "after"],
    )


def cross_validation_against_resampling() -> pd.DataFrame:
    """e34: the last columns of Tables 2 and 3 side by side, and which is `better`."""
    table = pd.DataFrame(
        {
            "resampling": printed_table(2)["runs100"],
            "cross-validation": printed_table(3)["runs10"],
        }
    ).reset_index()
    ahead = np.sign(table["cross-validation"] - table["resampling"])
    return table.assign(
        better=ahead.map({1: "cross-validation", 0: "equal", -1: "resampling"})
    )


def rows_of_print() -> pd.DataFrame:
    """Ledger rows of the text that follow from the printed tables."""
    at_100 = printed_table(2)["runs100"].unstack("measure")
    before, after = printed_table(2).loc[
        ("c45_nn", "almost_consistent"), ["runs10", "runs20"]
    ]
    almost = 100 * at_100["almost_consistent"].min() / len(datasets.names())
    r = at_100["replicability_R"].min()
    at_levels = _of_r(printed_table(4)).to_numpy().min()
    return rows(
        {
            "txt.dec_by_one": before - after,
            "txt.almost_100runs": almost,
            "txt.R_100runs": r,
            "txt.R_alpha_gt": at_levels,
        },
        holds={
            "txt.almost_100runs": bool(almost >= 80),
            "txt.R_100runs": bool(round(r, 1) >= 0.9),
            "txt.R_alpha_gt": bool(at_levels > 0.9),
        },
    )


def _of_r(table: pd.DataFrame) -> pd.DataFrame:
    return table.xs("replicability_R", level="measure")


# ------------------------------------------------------------------ the tables rebuilt


def columns(number: int, alpha: float = 0.05) -> dict[str, dict]:
    """The columns of Table 2, 3 or 4: ends of ids, and arguments of `section_3.acceptances`."""
    if number == 4:
        return {
            f"alpha{100 * level:g}".replace(".", "p"): {
                "test": "cross_validation",
                "runs": 10,
                "alpha": level,
            }
            for level in TABLE_4_LEVELS
        }
    test, all_runs = {
        2: ("resampling", TABLE_2_RUNS),
        3: ("cross_validation", TABLE_3_RUNS),
    }[number]
    return {f"runs{n}": {"test": test, "runs": n, "alpha": alpha} for n in all_runs}


def table(number: int, results: Results, *, alpha: float = 0.05) -> pd.DataFrame:
    """Table 2, 3 or 4 from our experiments, as ledger rows; Table 4 has levels of its own.

    A cell agrees if a table of ten is as far out with a probability (`chance`) above
    the ledger's level.  Further columns: `pair`, `measure`, `column` (as in
    :func:`printed_table`), `printed`, and the arguments of `section_3.acceptances`:
    `test`, `runs`, `alpha`.
    """
    frames = []
    for pair, (column, options) in product(uci.PAIRS, columns(number, alpha).items()):
        accepted = section_3.acceptances(results, pair=pair, **options)
        ours = uci.judged_summaries(accepted).rename_axis("measure").reset_index()
        printed = printed_table(number).loc[pair, column]
        ours["chance"] = ours["measure"].map(uci.chance_of_summaries(accepted, printed))
        frames.append(ours.assign(pair=pair, column=column, **options))
    frame = pd.concat(frames, ignore_index=True)
    frame["holds"] = (frame["chance"] > LEVEL).astype(object)
    frame["id"] = (
        f"bouckaert_frank2004.tab{number:02d}."
        + frame["pair"]
        + "."
        + frame["measure"]
        + "."
        + frame["column"]
    )
    return frame.assign(printed=frame["id"].map(published.value))


def _judged(results: Results, test: str, pair: str, **options) -> pd.DataFrame:
    """The measures of one pair by one test; `options` as for `section_3.acceptances`."""
    return uci.judged_summaries(section_3.acceptances(results, test, pair, **options))


def plain_t(results: Results, *, alpha: float = 0.05) -> pd.DataFrame:
    """Consistent data sets of the uncorrected t test on one and ten 10-fold runs, as ledger rows.

    Further columns are those of :func:`table`.
    """
    measured = []
    for (key, runs), pair in product({"cv10": 1, "cv10x10": 10}.items(), uci.PAIRS):
        options = {"test": "plain_cross_validation", "runs": runs, "alpha": alpha}
        measured.append(
            {
                "id": f"bouckaert_frank2004.txt.{key}_consistent_{pair}",
                "pair": pair,
                "measure": "consistent",
                "column": f"{runs} × 10-fold",
                **options,
                **_judged(results, pair=pair, **options).loc["consistent"],
            }
        )
    frame = pd.DataFrame(measured)
    return frame.assign(printed=frame["id"].map(published.value))


def stratification(results: Results, *, alpha: float = 0.05) -> pd.DataFrame:
    """Replicability R of Table 2 without and with stratified test sets.

    `pair`, `runs`, `plain` and `stratified` (mean R of our tables), `difference`, its
    `standard_error`, and `deviation`, the standard deviation of the difference between
    one table of each.
    """
    compared = []
    for pair, runs in product(uci.PAIRS, TABLE_2_RUNS):
        plain, stratified = (
            _judged(results, test, pair, runs=runs, alpha=alpha).loc["replicability_R"]
            for test in ("resampling", "stratified_resampling")
        )
        compared.append(
            {
                "pair": pair,
                "runs": runs,
                "plain": plain["rebuilt"],
                "stratified": stratified["rebuilt"],
                "difference": stratified["rebuilt"] - plain["rebuilt"],
                "standard_error": np.hypot(
                    plain["standard_error"], stratified["standard_error"]
                ),
                "deviation": np.hypot(
                    plain["published_error"], stratified["published_error"]
                ),
            }
        )
    return pd.DataFrame(compared)


def replicability_by_effort(
    results: Results, efforts: Sequence[int] = TABLE_2_RUNS
) -> pd.DataFrame:
    """Replicability R of resampling and repeated cross-validation at equal effort.

    `pair`, `test`, `effort` (how often a learner is trained and tested: multiples of 10
    up to 100), `rebuilt`, `standard_error`, `published_error` (of one table) and
    `printed` (NaN where the paper has no value).
    """
    printed = {
        "resampling": _of_r(printed_table(2)).set_axis(TABLE_2_RUNS, axis=1),
        "cross_validation": _of_r(printed_table(3)).set_axis(TABLE_2_RUNS, axis=1),
    }
    return pd.DataFrame(
        [
            {
                "pair": pair,
                "test": test,
                "effort": effort,
                **_judged(
                    results,
                    test,
                    pair,
                    runs=effort if test == "resampling" else effort // 10,
                ).loc["replicability_R"],
                "printed": printed[test].loc[pair].get(effort, np.nan),
            }
            for pair, test, effort in product(uci.PAIRS, printed, efforts)
        ]
    )


def replicability_by_level(
    results: Results, levels: Sequence[float] = TABLE_4_LEVELS
) -> pd.DataFrame:
    """Replicability R of the corrected 10 x 10-fold test by significance level.

    `pair`, `level` (percent), `rebuilt`, `standard_error`, `published_error` (of one
    table) and `printed` (NaN where the paper has no value).
    """
    printed = _of_r(printed_table(4)).set_axis(TABLE_4_LEVELS, axis=1)
    return pd.DataFrame(
        [
            {
                "pair": pair,
                "level": 100 * level,
                **_judged(results, "cross_validation", pair, alpha=level).loc[
                    "replicability_R"
                ],
                "printed": printed.loc[pair].get(level, np.nan),
            }
            for pair in uci.PAIRS
            for level in levels
        ]
    )


def side_by_side(judged: pd.DataFrame) -> pd.DataFrame:
    """A printed table with ours in brackets: mean, and standard deviation of one table.

    `judged` is from :func:`table` or the like; the texts are indexed by (pair,
    measure), as in the paper.
    """
    digits = judged["measure"].map({"replicability_R": 3}).fillna(0).astype(int)
    text = [
        f"{printed:.{d}f} ({mean:.{max(d, 1)}f}±{deviation:.{max(d, 1)}f})"
        for printed, mean, deviation, d in zip(
            judged["printed"], judged["rebuilt"], judged["published_error"], digits
        )
    ]
    wide = (
        judged.assign(text=text)
        .pivot(index=["pair", "measure"], columns="column", values="text")
        .reindex(columns=judged["column"].unique())
        .rename_axis(columns=None)
    )
    measures = [measure for measure in MEASURES if measure in set(judged["measure"])]
    order = [(pair, measure) for pair in uci.PAIRS for measure in measures]
    short = {"almost_consistent": "almost", "replicability_R": "R"}
    return wide.loc[order].rename(index=short, level="measure")


# ------------------------------------------------------------------ ledger


def ledger_rows(*, results: Results, alpha: float = 0.05) -> pd.DataFrame:
    """Ledger rows of the tables and their text; `results` are those of `NEEDS`, by name."""
    of_first = _rebuilt(uci.as_judged(results), alpha)
    of_vote = _rebuilt(results, alpha)
    cells = pd.concat(
        [uci.judged(first, vote) for first, vote in zip(of_first, of_vote)],
        ignore_index=True,
    )
    # what is judged by a hair says so
    far = (cells["chance"] <= 2 * LEVEL) & cells["other"].isna()
    cells.loc[far, "note"] = cells.loc[far, "chance"].map(
        "one table of ten is as far out with probability {:.4f}".format
    )
    strata = stratification(results, alpha=alpha)
    return pd.concat(
        [cells, rows_of_print(), claims(*of_first, strata)], ignore_index=True
    )


def _rebuilt(results: Results, alpha: float) -> list[pd.DataFrame]:
    """Tables 2, 3 and 4 from our experiments, and the results of :func:`plain_t`."""
    tables = [table(number, results, alpha=alpha) for number in (2, 3, 4)]
    return [*tables, plain_t(results, alpha=alpha)]


def claims(
    table_2: pd.DataFrame,
    table_3: pd.DataFrame,
    table_4: pd.DataFrame,
    plain: pd.DataFrame,
    strata: pd.DataFrame,
) -> pd.DataFrame:
    """Claims 01 to 04, 08, 14 and 19, checked for the means over our tables, as ledger rows.

    * cl.04: R is above 0.9, and no measure changes as much between levels as with runs (Table 3).
    * cl.08: on no pair of learners is one cross-validation less consistent than ten resamplings by
      more than `MAX_Z` standard errors of the difference; on each it is so than a
      hundred.  The two experiments share no random numbers, so their tables are not
      paired.
    * cl.14: as printed; e34 says where it is not.
    * cl.19: on each pair the replicability of 10 x 10-fold cross-validation is above that of a
      hundred resamplings by as much.
    """
    return pd.concat(
        [
            _only_one_fall(table_2),
            _cross_validation_is_better(table_2, table_3),
            _strata_do_not_matter(strata),
            _levels_do_not_matter(table_3, table_4),
            _one_run_is_like_ten_resamplings(plain, table_2),
            _is_better_throughout(),
            _is_more_replicable(table_2, table_3),
        ],
        ignore_index=True,
    )


def _row(claim: str, holds: bool, **columns: object) -> pd.DataFrame:
    """Return the ledger row of a claim; `columns` are `corrected` and `numbers`."""
    known = {name: {claim: value} for name, value in columns.items()}
    return rows({claim: bool(holds)}, holds={claim: bool(holds)}, **known)


def _only_one_fall(table_2: pd.DataFrame) -> pd.DataFrame:
    in_print = len(decreases(printed_table(2)))
    rebuilt = len(decreases(_means(table_2)))
    return _row(
        "cl.01", in_print == 1, corrected=in_print == 2, numbers={"rebuilt": rebuilt}
    )


def _cross_validation_is_better(
    table_2: pd.DataFrame, table_3: pd.DataFrame
) -> pd.DataFrame:
    rebuilt = _exceptions(_means(table_3), _means(table_2))
    in_print = _exceptions(printed_table(3), printed_table(2))
    numbers = {"rebuilt": rebuilt, "in_print": in_print}
    return _row("cl.02", rebuilt <= in_print, numbers=numbers)


def _exceptions(cross_validation: pd.DataFrame, resampling: pd.DataFrame) -> int:
    """Count the cells in which cross-validation is less replicable than resampling."""
    return int((cross_validation.to_numpy() < resampling.to_numpy()).sum())


def _strata_do_not_matter(strata: pd.DataFrame) -> pd.DataFrame:
    change = strata["difference"].abs()
    holds = (change <= strata["deviation"]).all()
    return _row("cl.03", holds, numbers={"change": change.max()})


def _levels_do_not_matter(table_3: pd.DataFrame, table_4: pd.DataFrame) -> pd.DataFrame:
    levels = _means(table_4)
    least_r = _of_r(levels).to_numpy().min()
    with_level = np.ptp(levels, axis=1).groupby("measure").max()
    with_runs = np.ptp(_means(table_3), axis=1).groupby("measure").min()
    share = (with_level / with_runs).max()
    numbers = {"least": least_r, "share": share}
    return _row("cl.04", least_r > 0.9 and share < 1, numbers=numbers)


def _one_run_is_like_ten_resamplings(
    plain: pd.DataFrame, table_2: pd.DataFrame
) -> pd.DataFrame:
    one_run = plain[plain["runs"] == 1].set_index("pair")
    ten, z_ten = _ahead(one_run, _cells(table_2, "consistent", "runs10"))
    hundred, z_hundred = _ahead(one_run, _cells(table_2, "consistent", "runs100"))
    holds = (z_ten >= -MAX_Z).all() and (z_hundred < -MAX_Z).all()
    numbers = {"ten": ten, "z": z_ten, "hundred": hundred}
    listed = {name: Listed(values, "/") for name, values in numbers.items()}
    return _row("cl.08", holds, numbers=listed)


def _is_better_throughout() -> pd.DataFrame:
    best = cross_validation_against_resampling()
    worse = best.loc[best["better"] == "resampling", ["pair", "measure"]]
    exceptions = worse.to_numpy().tolist()
    in_erratum = [["c45_nn", "consistent"], ["c45_nn", "replicability_R"]]
    return _row("cl.14", not exceptions, corrected=exceptions == in_erratum)


def _is_more_replicable(table_2: pd.DataFrame, table_3: pd.DataFrame) -> pd.DataFrame:
    repeated = _cells(table_3, "replicability_R", "runs10")
    _, z = _ahead(repeated, _cells(table_2, "replicability_R", "runs100"))
    return _row("cl.19", (z > MAX_Z).all(), numbers={"z": Listed(z, "/")})


def _cells(judged: pd.DataFrame, measure: str, column: str) -> pd.DataFrame:
    """Return the cells of a measure in a column of a rebuilt table, by pair of learners."""
    is_chosen = (judged["measure"] == measure) & (judged["column"] == column)
    return judged[is_chosen].set_index("pair")


def _ahead(first: pd.DataFrame, second: pd.DataFrame) -> tuple[pd.Series, pd.Series]:
    """How far the rebuilt means of the first are ahead, and in standard errors, by pair."""
    ahead = first["rebuilt"] - second["rebuilt"]
    return ahead, ahead / np.hypot(first["standard_error"], second["standard_error"])


def _means(judged: pd.DataFrame) -> pd.DataFrame:
    """The means over our tables in the form of :func:`printed_table`."""
    wide = judged.pivot(index=["pair", "measure"], columns="column", values="rebuilt")
    return wide.reindex(columns=judged["column"].unique()).loc[printed_table(2).index]

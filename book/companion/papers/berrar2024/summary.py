"""Section 4 of Berrar (2024): Table 1, the threshold of 0.003, and the law of T in the studies.

The paper estimates from a group's mean statistic; `single_experiments`, from each
experiment.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
from scipy import special

from companion.lab.experiments.runner import Replications
from companion.papers import correlated_differences, published
from companion.papers.berrar2024 import (
    in_cross_validation,
    law_of_t,
    over_data_sets,
    single_experiments,
    study_1,
    study_2,
    study_3,
    study_4,
)
from companion.papers.berrar2024.rows import rows, with_errors
from companion.papers.ledger import Span

#: The stored runs that :func:`ledger_rows` takes.
NEEDS = (*study_1.NEEDS, *study_2.NEEDS, *study_3.NEEDS, *study_4.NEEDS)

#: The group of each study that Table 1 shows.
SHOWN = {1: 7, 2: 7, 3: 7, 4: 24}
FOLDS = in_cross_validation.FOLDS

Results = Mapping[str, Mapping[str, Replications]]

_OVER_DATA_SETS = {1: study_1, 2: study_2}
_IN_CROSS_VALIDATION = {3: study_3, 4: study_4}
#: Their functions for groups: expectations over the draws of the oracle where there is
#: one.
_OUTCOMES = {3: study_3.expected, 4: study_4.outcomes}


_REPORTED = ["p", "P", "P_low", "P_high", "F", "s"]
#: Columns of Table 1 that do not follow from others, and how the ids of their cells
#: end.
_COLUMNS = {"p": "p_value", "P": "P_estimated", "F": "F_empirical"}


def _of_wilcoxon(column: str) -> str:
    return column.replace("_wilcoxon", "")


def with_ten_trees(results: Results) -> Results:
    """Put the forest of ten trees, which fits the printed numbers, in place of the default one."""
    default, ten = study_4.NEEDS
    return {**results, default: results[ten]}


def experiments_of(results: Results, *, alpha: float = 0.05) -> dict[int, pd.DataFrame]:
    """All experiments, by study: `group`, `statistic`, `p` and `is_significant` (A better)."""
    frames = {}
    for number, study in _OVER_DATA_SETS.items():
        of_groups = over_data_sets.of_groups(results[study.NEEDS[0]])
        seen = over_data_sets.outcomes(of_groups, alpha=alpha)
        names = {"z": "statistic", "p_wilcoxon": "p", "is_wilcoxon": "is_significant"}
        frames[number] = seen[["group", *names]].rename(columns=names)
    for number, study in _IN_CROSS_VALIDATION.items():
        seen = study.outcomes(results[study.NEEDS[0]], alpha=alpha)
        frames[number] = seen[["group", "p", "is_significant"]].assign(
            statistic=seen["t"]
        )
    return frames


def groups_of(
    results: Results, *, alpha: float = 0.05, confidence_level: float = 0.95
) -> dict[int, pd.DataFrame]:
    """What the paper reports about each group, by study: `p`, `P`, `P_low`, `P_high`, `F`, `s`.

    `s` is the standard deviation of Z (studies #1 and #2) or the scale of T (#3 and
    #4).
    """
    options = {"alpha": alpha, "confidence_level": confidence_level}
    frames = {}
    for number, study in _OVER_DATA_SETS.items():
        groups = over_data_sets.rebuilt(
            study.STUDY, results[study.NEEDS[0]], **options
        ).groups
        frames[number] = groups.rename(columns=_of_wilcoxon)[_REPORTED]
    for number, study in _IN_CROSS_VALIDATION.items():
        seen = _OUTCOMES[number](results[study.NEEDS[0]], alpha=alpha)
        groups = in_cross_validation.by_group(seen, **options)
        frames[number] = groups.rename(columns={"scale": "s"})[_REPORTED]
    return frames


def table_1(
    groups: Mapping[int, pd.DataFrame], shown: Mapping[int, int] = SHOWN
) -> pd.DataFrame:
    """Table 1: the shown group of each study and their average: `p`, `P`, `F`, `P - F`."""
    columns = ["p", "P", "F"]
    cells = {
        f"study_{number}": [groups[number].at[group, column] for column in columns]
        for number, group in shown.items()
    }
    frame = pd.DataFrame.from_dict(cells, "index", float, columns)
    frame.loc["study_average"] = frame.mean()
    return frame.assign(**{"P - F": frame["P"] - frame["F"]})


def nearest(groups: Mapping[int, pd.DataFrame], target: float = 0.95) -> dict[int, int]:
    """The group of each study whose share of significant experiments is nearest to a target."""
    return {n: int((frame["F"] - target).abs().idxmin()) for n, frame in groups.items()}


def deviance(groups: Mapping[int, pd.DataFrame]) -> pd.DataFrame:
    """Absolute distance between P and F in each study: `mean`, `min`, `max` over all groups."""
    return pd.DataFrame(
        {
            number: (frame["P"] - frame["F"]).abs().agg(["mean", "min", "max"])
            for number, frame in groups.items()
        }
    ).T.rename_axis("study")


def coverage_in_studies(
    results: Results, *, alpha: float = 0.05, confidence_level: float = 0.95
) -> pd.DataFrame:
    """Share of experiments in studies #3 and #4 whose interval covers their group's F, by reading.

    Indexed by study, columns `law_of_t.INTERVALS`.  Groups in which all or no
    experiments are significant are left out: there any interval that reaches far enough
    covers F.
    """
    options = {"alpha": alpha, "confidence_level": confidence_level}
    groups, seen = groups_of(results, **options), experiments_of(results, alpha=alpha)
    frame = pd.DataFrame(index=pd.Index(_IN_CROSS_VALIDATION, name="study"))
    for number, reading in product(frame.index, law_of_t.INTERVALS):
        is_between = (
            seen[number]["group"].map(groups[number]["F"]).between(0.001, 0.999)
        )
        one = single_experiments.estimates(
            number, seen[number][is_between], groups[number], reading=reading, **options
        )
        covers = one["F"].between(one["low"], one["high"])
        frame.loc[number, reading] = covers.groupby(one["group"]).mean().mean()
    return frame


def measured_law(results: Results, draws: int = 200, seed: int = 2024) -> pd.DataFrame:
    """What studies #3 and #4 show about the law of T, over all their groups.

    Indexed by study: `correlation` of fold differences (mean over groups), its standard
    `error` (from resampled experiments), `scale`, and the `least` and `greatest`
    correlation of a group.
    """
    rng, frame = np.random.default_rng(np.random.SeedSequence(seed)), {}
    for number, study in _IN_CROSS_VALIDATION.items():
        of_groups = [
            (one["mean"].to_numpy(), one["variance"].to_numpy())
            for _, one in study.outcomes(results[study.NEEDS[0]]).groupby("group")
        ]
        correlations = lambda rows: np.array(
            [
                law_of_t.correlation_of_folds(
                    mean[i].var(ddof=1), variance[i].mean(), FOLDS
                )
                for mean, variance in of_groups
                for i in [rows(len(mean))]
            ]
        )
        rho = correlations(lambda n: slice(None))
        again = [
            correlations(lambda n: rng.integers(n, size=n)).mean() for _ in range(draws)
        ]
        frame[number] = {
            "correlation": rho.mean(),
            "error": np.std(again),
            "scale": correlated_differences.scale_of_t(rho.mean(), FOLDS),
            "least": rho.min(),
            "greatest": rho.max(),
        }
    return pd.DataFrame(frame).T.rename_axis("study")


# ------------------------------------------------------------------ ledger


def numbers(groups: Mapping[int, pd.DataFrame]) -> dict[str, float]:
    """The numbers printed in Section 4, Table 1 and the abstract, by id.

    With the default forest no group of study #4 has a share near 0.95: what is said
    about p-values at that share follows from studies #1 to #3.
    """
    table = table_1(groups)
    p = table["p"].loc[:"study_3"]
    return {
        f"tab01.{row}.{name}": table.at[row, column]
        for row in table.index[:-1]
        for column, name in _COLUMNS.items()
    } | {
        "abs.threshold": p.mean(),
        "txt.own_threshold": p.mean(),
        "disc.p_lo": p.min(),
        "disc.p_hi": p.max(),
    }


def of_print() -> dict[str, float]:
    """The cells of Table 1 that follow from other cells of it: P - F and the averages, by id."""
    cells = published.cells("berrar2024.tab01").set_index("cell_id")["value"]
    table = table_1(
        {
            number: pd.DataFrame(
                {
                    x: cells[f"berrar2024.tab01.study_{number}.{name}"]
                    for x, name in _COLUMNS.items()
                },
                index=[group],
            )
            for number, group in SHOWN.items()
        }
    )
    average, gaps = table.loc["study_average"], table["P - F"]
    return {f"tab01.{row}.P_minus_F": gap for row, gap in gaps.items()} | {
        f"tab01.study_average.{name}": average[column]
        for column, name in _COLUMNS.items()
    }


def redrawn(
    results: Results, *, size: int | None, draws: int = 200, alpha: float, seed: int
) -> Iterator[dict[int, pd.DataFrame]]:
    """Groups of samples of experiments, with replacement, which give standard errors."""
    of_studies = {}
    for number, study in _OVER_DATA_SETS.items():
        seen = over_data_sets.rebuilt(study.STUDY, results[study.NEEDS[0]], alpha=alpha)
        of_studies[number] = [
            frame.rename(columns=_of_wilcoxon)
            for frame in over_data_sets.redrawn(
                seen.experiments,
                seen.bootstrapped,
                study.STUDY.datasets,
                size=size,
                draws=draws,
                alpha=alpha,
                seed=seed + number,
            )
        ]
    for number, study in _IN_CROSS_VALIDATION.items():
        of_run = _OUTCOMES[number] if size is None else study.outcomes
        seen = of_run(results[study.NEEDS[0]], alpha=alpha)
        of_studies[number] = in_cross_validation.redrawn(
            seen, size=size, draws=draws, alpha=alpha, seed=seed + number
        )
    return (dict(zip(of_studies, frames)) for frames in zip(*of_studies.values()))


def ledger_rows(
    *, results: Results, alpha: float = 0.05, seed: int = 2024
) -> pd.DataFrame:
    """Ledger rows of Section 4; `results` are stored results by their names in `NEEDS`."""
    groups = groups_of(results, alpha=alpha)
    fails = (
        single_experiments.barely_significant(
            experiments_of(results, alpha=alpha), groups
        )
        .stack()
        .dropna()
    )
    small = numbers(groups_of(with_ten_trees(results), alpha=alpha))
    rebuilt, errors = with_errors(
        numbers, groups, partial(redrawn, results, alpha=alpha, seed=seed)
    )
    found = rows(
        rebuilt
        | of_print()
        | {"disc.five_sigma": special.ndtr(-5), "cl.09": bool((fails > 0.5).all())},
        published_error=errors,
        numbers={
            **{
                key: study_4.with_few_trees(value)
                for key, value in small.items()
                if "study_4" in key
            },
            "cl.09": {"fails": Span(100 * fails)},
        },
    )
    return pd.concat(
        [found, single_experiments.p_rep_is_an_average()], ignore_index=True
    )


# ------------------------------------------------------------------ erratum e40


def studies_in_table_1() -> pd.DataFrame:
    """berrar2024.e40: the studies that Table 1 itself calls cross-validation.

    Columns `study`, `row of Table 1`, `design`.
    """
    rows = published.cells("berrar2024.tab01")["row"].drop_duplicates()
    rows = rows[~rows.str.contains("average")]
    return pd.DataFrame(
        {
            "study": rows.str.extract(r"(#\d)")[0].to_numpy(),
            "row of Table 1": rows.str.replace(
                r"study #\d ", "", regex=True
            ).to_numpy(),
            "design": np.where(
                rows.str.contains("CV"), "cross-validation", "many data sets"
            ),
        }
    )

"""Study #2 of Berrar (2024): ten groups on 44 data sets each; Figures 11 and 12, Table 2."""

from collections.abc import Mapping
from functools import partial

import pandas as pd

from companion.lab.experiments.runner import Replications
from companion.papers.berrar2024 import over_data_sets
from companion.papers.berrar2024.over_data_sets import Study
from companion.papers.berrar2024.rows import SEED, rows

#: The stored run that :func:`ledger_rows` takes.
NEEDS = ("berrar2024_study_2",)

#: The start sizes determine Table 2: each is the first row less 10.
STUDY = Study(2, (70, 100, 140, 190, 200, 240, 260, 360, 460, 560), 44)
#: Groups that Figure 11 shows, and the one that Figure 12 highlights.
SHOWN, HIGHLIGHTED = (2, 3, 4, 7, 8, 9), 7
#: Numbers of bootstrapped experiments, by group; in any other group it is the first
#: one.
BOOTSTRAPPED = {HIGHLIGHTED: 6}

#: :func:`over_data_sets.plan` of the study, with several bootstraps in the group in print.
plan = partial(over_data_sets.plan, STUDY, bootstrapped=BOOTSTRAPPED)


def new_numbers_of_wins(groups: pd.DataFrame) -> list[int]:
    """Groups whose rounded mean of wins is significant and is not that of an earlier group."""
    significant = groups[groups["p_binomial"] < 0.05]
    return significant.index[~significant["wins"].duplicated()].tolist()


def figure_11(groups: pd.DataFrame) -> pd.DataFrame:
    """The groups that Figure 11 shows, of `over_data_sets.by_group`."""
    return groups.loc[[group for group in SHOWN if group in groups.index]]


def numbers(groups: pd.DataFrame) -> dict[str, float]:
    """The numbers that the paper prints for the study, by id, from `over_data_sets.by_group`."""
    seven, gap = groups.loc[HIGHLIGHTED], over_data_sets.deviance(groups)
    return {
        "fig12.p": seven["p_wilcoxon"],
        "fig12.F": seven["F_wilcoxon"],
        "fig12.P": seven["P_wilcoxon"],
        "fig12.mad": gap["mean"],
        "fig12.mad_min": gap["min"],
        "fig12.mad_max": gap["max"],
    }


def table_2() -> pd.DataFrame:
    """Ledger rows of the 440 cells of Table 2, all computed from its first row."""
    return rows(
        {
            f"tab02.dataset{i:02d}.group{g:02d}": int(cases)
            for g, column in over_data_sets.sizes(STUDY).items()
            for i, cases in column.items()
        }
    )


def ledger_rows(
    *,
    results: Mapping[str, Mapping[str, Replications]],
    alpha: float = 0.05,
    ties: str = "dropped",
    seed: int = SEED,
) -> pd.DataFrame:
    """Ledger rows of study #2; errors come from samples as large as ours and as the paper's."""
    seen = over_data_sets.rebuilt(STUDY, results[NEEDS[0]], alpha=alpha, ties=ties)
    rebuilt, errors = over_data_sets.with_errors(
        numbers, STUDY, seen, alpha=alpha, seed=seed
    )
    shown = figure_11(seen.groups)
    falls = shown["p_binomial"].diff().dropna() < 0
    is_below = shown["P_bayesian"] < shown["P_binomial"]
    gap = seen.groups["P_wilcoxon"] - seen.groups["F_wilcoxon"]
    claims = {
        "fig11": bool(falls.all() and is_below.all()),
        "fig12": bool((gap.abs() < 0.1).all()) and over_data_sets.z_rises(seen.groups),
    }
    return pd.concat(
        [table_2(), rows(rebuilt | claims, published_error=errors)], ignore_index=True
    )

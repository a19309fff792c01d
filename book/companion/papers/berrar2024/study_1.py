"""Study #1 of Berrar (2024): 21 groups of experiments on 20 data sets; Figures 5 to 10."""

from collections.abc import Mapping
from functools import partial

import numpy as np
import pandas as pd

from companion.lab.experiments.runner import Replications
from companion.papers import published
from companion.papers.berrar2024 import algorithms, over_data_sets
from companion.papers.berrar2024.over_data_sets import Study
from companion.papers.berrar2024.rows import PAPER, REPLICATIONS, SEED, rows
from companion.papers.berrar2024.section_2_wins import two_sided_binomial_p
from companion.papers.ledger import MAX_Z
from replib.replication_probability import bayesian, binomial, wilcoxon

#: The stored run that :func:`ledger_rows` takes.
NEEDS = ("berrar2024_study_1",)

STUDY = Study(1, tuple(range(290, 1291, 50)), 20)
#: Groups in Figure 9, with the wins out of 20 that each represents.
SHOWN = {3: 15, 6: 16, 10: 17, 16: 18}
#: The groups that Figure 7 shows and Figure 10 highlights.
GROUP, HIGHLIGHTED = 3, 7
#: Numbers of bootstrapped experiments, by group; in any other group it is the first
#: one.
BOOTSTRAPPED = {GROUP: 6, HIGHLIGHTED: 6}

#: Facts that follow from success rates, and therefore depend on how ties count.
RATES = ("g3.theta", "disc.theta", "g3.n_sig", "g3.F_b")


#: :func:`over_data_sets.plan` of the study, with several bootstraps in the groups in print.
plan = partial(over_data_sets.plan, STUDY, bootstrapped=BOOTSTRAPPED)


def figure_7b(results: Mapping[str, Replications], wins: int = 14) -> pd.DataFrame:
    """The first experiment of group 3 with that many wins and no ties, like the one in Figure 7b.

    Columns `dataset`, `naive Bayes`, `SVM` (accuracies).
    """
    one = over_data_sets.of_groups(results)[GROUP]
    outcome = over_data_sets.outcomes({GROUP: one})
    index = outcome.index[(outcome["wins"] == wins) & (outcome["ties"] == 0)][0]
    cases = over_data_sets.sizes(STUDY)[GROUP]
    correct = pd.DataFrame(
        one.counts[index], cases.index, columns=["naive Bayes", "SVM"]
    )
    return correct.div(cases, axis=0).rename_axis("dataset").reset_index()


def figure_8(
    group: int = GROUP, datasets: tuple[int, ...] = (1, 2, 20)
) -> pd.DataFrame:
    """The data sets of one experiment: `dataset`, `cases`, `positive`, `features`, `mean`, `sd`."""
    sources = algorithms.sources(STUDY.starts[group - 1], STUDY.datasets)
    return pd.DataFrame(
        [
            {
                "dataset": i,
                "cases": source.cases,
                "positive": source.cases // 2,
                "features": source.features,
                "mean": source.mean,
                "sd": source.sd,
            }
            for i, source in enumerate(sources, start=1)
            if i in datasets
        ]
    )


def figure_9(groups: pd.DataFrame, shown: Mapping[int, int] = SHOWN) -> pd.DataFrame:
    """The groups that Figure 9 shows, of `over_data_sets.by_group`."""
    return groups.loc[[group for group in shown if group in groups.index]]


def readings_of_ties(
    results: Mapping[str, Replications], *, alpha: float = 0.05
) -> pd.DataFrame:
    """Group 3 under the three readings of a tie, and as printed.

    Indexed by reading: `theta` and `significant` (share) with their standard errors,
    `18 wins` (share).
    """
    one = {GROUP: over_data_sets.of_groups(results)[GROUP]}
    frame = {}
    for ties in over_data_sets.TIES:
        seen = over_data_sets.outcomes(one, ties=ties, alpha=alpha)
        frame[ties] = {
            "theta": seen["theta"].mean(),
            "theta_error": seen["theta"].sem(),
            "significant": seen["is_binomial"].mean(),
            "significant_error": seen["is_binomial"].sem(),
            "18 wins": (seen["wins"] == 18).mean(),
        }
    frame["printed"] = {
        "theta": published.value("berrar2024.g3.theta"),
        "significant": published.value("berrar2024.g3.n_sig") / REPLICATIONS,
        "18 wins": published.value("berrar2024.disc.n18") / REPLICATIONS,
    }
    return pd.DataFrame(frame).T


def sizes_and_distributions() -> dict[str, float]:
    """The numbers about data sets in Figures 7a and 8, by id, from the sources that are drawn."""
    found = {
        f"fig07.size_g{group}_{i}": algorithms.sources(start, STUDY.datasets)[
            i - 1
        ].cases
        for group, start in zip(STUDY.groups[:GROUP], STUDY.starts)
        for i in (1, 2, 20)
    }
    for one in figure_8().to_dict("records"):
        found |= {
            f"fig08.{name}_{one['dataset']}": value for name, value in one.items()
        }
    printed = published.facts().index
    return {key: value for key, value in found.items() if f"{PAPER}.{key}" in printed}


def numbers(groups: pd.DataFrame) -> dict[str, float]:
    """The numbers that the paper prints for the study, by id, from `over_data_sets.by_group`."""
    three, seven = groups.loc[GROUP], groups.loc[HIGHLIGHTED]
    with_s, without_s = (
        over_data_sets.deviance(groups, of) for of in ("P_wilcoxon", "P_null")
    )
    of_1000 = lambda share: (
        1 + share * (REPLICATIONS - 1)
    )  # Equation 16 the other way round
    return {
        "g3.theta": three["theta"],
        "disc.theta": three["theta"],
        "g3.wins": three["wins"],
        "g3.n_sig": of_1000(three["F_binomial"]),
        "g3.F_b": three["F_binomial"],
        "g3.n_sig_w": of_1000(three["F_wilcoxon"]),
        "g3.F_w": three["F_wilcoxon"],
        "g3.Zw": three["z"],
        "fig10.p": seven["p_wilcoxon"],
        "fig10.F": seven["F_wilcoxon"],
        "fig10.P": seven["P_wilcoxon"],
        "fig10.mad": with_s["mean"],
        "fig10.mad_min": with_s["min"],
        "fig10.mad_max": with_s["max"],
        "fig10.mad1": without_s["mean"],
        "fig10.mad1_min": without_s["min"],
        "fig10.mad1_max": without_s["max"],
        "s1.half": 100 * three["F_binomial"],
        "s1.p95": groups.at[(groups["F_wilcoxon"] - 0.95).abs().idxmin(), "p_wilcoxon"],
    } | {
        f"fig09.wins_{wins}": groups.at[group, "wins"]
        for group, wins in SHOWN.items()
        if group in groups.index
    }


def numbers_from_print(*, alpha: float = 0.05) -> dict[str, float]:
    """The numbers, by id, that follow from printed ones: wins out of 20, Z and s* of group 3."""
    p_of_14, p_of_15, p_of_18 = two_sided_binomial_p(
        np.array([14, 15, 18]), STUDY.datasets
    )
    z = published.value("berrar2024.g3.Zw")
    s_star = published.value("berrar2024.g3.s")
    return {
        "fig07.theta": 14 / 20,
        "fig07.p_b": p_of_14,
        "g3.p": p_of_15,
        "disc.p18": p_of_18,
        "disc.theta18": 18 / 20,
        "g3.theta_m": (1 + 15) / (2 + 20),
        "g3.P_b": binomial(15, STUDY.datasets, alpha=alpha).point,
        "g3.P_B": bayesian(15, STUDY.datasets, alpha=alpha).point,
        "g3.P_w": wilcoxon(z, s_star, alpha=alpha).point,
    }


def claims(seen: over_data_sets.Rebuilt) -> dict[str, bool]:
    """Whether the figures look as in print, and what is claimed of them holds, by id."""
    better = over_data_sets.agrees_better_for_small_p(seen.groups)
    between = _shares_lie_between_models(figure_9(seen.groups))
    three = seen.experiments[seen.experiments["group"] == GROUP]
    gain = three["is_wilcoxon"].astype(int) - three["is_binomial"]
    return {
        "fig05": over_data_sets.z_rises(seen.groups),
        "fig09": between,
        "fig10": better,
        "cl.02": between,
        "cl.03": better,
        "cl.08": bool(gain.mean() > MAX_Z * gain.sem()),
    }


def _shares_lie_between_models(shown: pd.DataFrame) -> bool:
    """Return whether shares lie between the two models, and clearly apart from each."""
    share = shown["F_binomial"]
    above, below = shown["P_binomial"], shown["P_bayesian"]
    gap = min((above - share).sum(), (share - below).sum())
    error = np.sqrt((share * (1 - share)).sum() / REPLICATIONS)
    return bool(gap > MAX_Z * error and share.between(below, above).all())


def ledger_rows(
    *,
    results: Mapping[str, Mapping[str, Replications]],
    alpha: float = 0.05,
    ties: str = "dropped",
    seed: int = SEED,
) -> pd.DataFrame:
    """Ledger rows of study #1; errors come from samples as large as ours and as the paper's."""
    stored = results[NEEDS[0]]
    seen = over_data_sets.rebuilt(STUDY, stored, alpha=alpha, ties=ties)
    rebuilt, errors = over_data_sets.with_errors(
        numbers, STUDY, seen, alpha=alpha, seed=seed
    )
    three = seen.experiments[seen.experiments["group"] == GROUP]
    lucky = three["wins"] == 18
    rebuilt["disc.n18"] = (REPLICATIONS * lucky.mean(), REPLICATIONS * lucky.sem())
    errors["disc.n18"] = np.sqrt(REPLICATIONS) * lucky.std()
    s = seen.bootstrapped.loc[seen.bootstrapped["group"] == GROUP, "s"]
    rebuilt["g3.s"] = (s.mean(), s.sem())
    errors["g3.s"] = s.std()

    # the same with a tie as half a win: another reading for facts that follow from
    # success rates
    with_halves = over_data_sets.rebuilt(STUDY, stored, alpha=alpha, ties="half")
    other = {
        key: value
        for key, value in numbers(with_halves.groups).items()
        if key.startswith("fig09") or key in RATES
    }
    other_error = {key: float(np.hypot(rebuilt[key][1], errors[key])) for key in other}
    in_20 = np.rint(STUDY.datasets * three["theta"]) == 18
    error_of_both = np.hypot(REPLICATIONS / np.sqrt(len(in_20)), np.sqrt(REPLICATIONS))
    other["disc.n18"] = REPLICATIONS * in_20.mean()
    other_error["disc.n18"] = float(in_20.std() * error_of_both)

    printed, right, text = start_sizes_of_algorithm_2()["groups"]
    return rows(
        rebuilt
        | sizes_and_distributions()
        | numbers_from_print(alpha=alpha)
        | claims(seen)
        | {"alg02": bool(printed == right == text)},
        published_error=errors,
        other=other,
        other_error=other_error,
        holds={"s1.half": bool(40 <= rebuilt["s1.half"][0] <= 60)},
        corrected={"alg02": bool(right == text)},
    )


# ------------------------------------------------------------------ errata e41, e42


def start_sizes_of_algorithm_2() -> pd.DataFrame:
    """berrar2024.e41: the printed set of start sizes and the one that the text describes.

    The i-th of a group's 20 data sets has (start size) + 10 i cases.

    Columns `start sizes`, `groups`, and the cases of two data sets:
    `group 1, last data set`, `group 3, second data set`.
    """
    constants = published.design_constants().set_index("const_id")["value"]
    text = [
        constants["berrar2024.c.s1_groups"],
        constants["berrar2024.c.s1_size_g1_20"],
        published.value("berrar2024.fig07.size_g3_2"),
    ]
    return pd.DataFrame(
        [
            *(
                (
                    f"{name}: {first} to 1290",
                    len(range(first, 1291, 50)),
                    first + 200,
                    first + 120,
                )
                for name, first in (("printed", 190), ("right", 290))
            ),
            ("text of Section 3.1.1", *map(int, text)),
        ],
        columns=[
            "start sizes",
            "groups",
            "group 1, last data set",
            "group 3, second data set",
        ],
    )


def lines_of_algorithm_2() -> pd.DataFrame:
    """berrar2024.e42: the lines of Algorithm 2 that Section 3.1.1 cites, read and not computed.

    Columns `step`, `cited line`, `does` (what the cited line does), `right line`.
    """
    return pd.DataFrame(
        [
            ("repeat 1000 times", "5", "sets a counter to 0", "7"),
            ("number of cases", "10", "empties the positive cases", "12"),
            ("mean of the positives", "12", "sets the number of cases", "14"),
            ("deviation of the positives", "13", "sets the number of features", "15"),
            ("draw the positives", "16", "opens the loop over positives", "18"),
            ("draw the negatives", "22", "opens the loop over negatives", "24"),
            ("train and test", "28", "trains", "28 and 29"),
        ],
        columns=["step", "cited line", "does", "right line"],
    )

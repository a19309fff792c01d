"""Study #4 of Berrar (2024): a support vector machine against a random forest; Figure 14."""

import re
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy import stats

from companion.lab.experiments.runner import Experiment, Replications
from companion.papers import ledger, published
from companion.papers.berrar2024 import algorithms, in_cross_validation
from companion.papers.berrar2024.algorithms import SVM, Learner, forest
from companion.papers.berrar2024.in_cross_validation import CASES, FOLDS, MEAN
from companion.papers.berrar2024.rows import REPLICATIONS, SEED, rows
from replib import replication_probability

#: The stored runs that :func:`ledger_rows` takes: the forest that the paper names, R's
#: default, and one of ten trees.
NEEDS = ("berrar2024_study_4_default_forest", "berrar2024_study_4")

FEATURES = tuple(range(4, 31))
#: The groups that the paper's text and Figure 14 single out.
FIRST_SHOWN, HIGHLIGHTED = 11, 24
#: Trees in a forest: the printed numbers are near those with 10; R's default is 500.
TREES, DEFAULT_TREES = 10, 500
#: Experiments with the default forest, each of which takes 20 times as long: in the two
#: groups that the text singles out, and in any other.
DEFAULT_REPLICATIONS = 100, 50


def plan(
    features: Sequence[int] = FEATURES,
    *,
    trees: int = TREES,
    learners: Sequence[Learner] | None = None,
    folds: int = FOLDS,
    replications: int = REPLICATIONS,
    seed: int = SEED,
) -> dict[str, tuple[Experiment, int]]:
    """The experiments by number of features.

    Forests of any size are given the same data and folds.
    """
    learners = learners or [SVM, forest(trees)]
    return {
        f"features_{d:02d}": (
            Experiment(
                algorithms.algorithm_4,
                seed,
                {
                    "cases": CASES,
                    "features": d,
                    "mean": MEAN,
                    "folds": folds,
                    "learners": learners,
                },
                (4, d),
            ),
            replications,
        )
        for d in features
    }


def plan_default_forest() -> dict[str, tuple[Experiment, int]]:
    """The study with R's default forest, and with fewer experiments."""
    (many, few), shown = DEFAULT_REPLICATIONS, (FIRST_SHOWN, HIGHLIGHTED)
    of_all = plan(trees=DEFAULT_TREES, replications=few)
    return of_all | plan(shown, trees=DEFAULT_TREES, replications=many)


def by_trees(*stored: Mapping[str, Replications], alpha: float = 0.05) -> pd.DataFrame:
    """The groups that the text singles out, by size of the forest, and the printed values.

    Columns `features`, `trees` (missing for printed values, or without a forest),
    `experiments`, `t` (mean), `error`, `F`.
    """
    shown = {FIRST_SHOWN: "berrar2024.s4.F11", HIGHLIGHTED: "berrar2024.fig14.F24"}
    rows_of_runs = [
        {"features": d, "t": published_t(d), "F": published.value(F)}
        for d, F in shown.items()
    ]
    for results in stored:
        trees = (
            next(iter(results.values()))
            .experiment.parameters["learners"][1][1]
            .get("n_trees")
        )
        for d, one in outcomes(results, alpha=alpha).groupby("group"):
            if d in shown:
                rows_of_runs.append(
                    {
                        "features": d,
                        "trees": trees,
                        "experiments": len(one),
                        "t": one["t"].mean(),
                        "error": one["t"].sem(),
                        "F": one["is_significant"].mean(),
                    }
                )
    columns = ["features", "trees", "experiments", "t", "error", "F"]
    frame = pd.DataFrame(rows_of_runs, columns=columns).astype({"trees": float})
    return frame.sort_values(["features", "trees"], ignore_index=True)


def published_t(features: int) -> float:
    """The mean T of a group that the text singles out, printed or from the printed p-value."""
    if features == FIRST_SHOWN:
        return published.value("berrar2024.s4.T11")
    return float(stats.t.isf(published.value("berrar2024.fig14.p24") / 2, FOLDS - 1))


def differences(results: Mapping[str, Replications]) -> dict[int, np.ndarray]:
    """Correct predictions of the SVM minus the forest's: (experiments, folds), by features."""
    return {
        one.experiment.parameters["features"]: one.counts[..., 0].astype(int)
        - one.counts[..., 1].astype(int)
        for one in results.values()
    }


def outcomes(
    results: Mapping[str, Replications], *, alpha: float = 0.05
) -> pd.DataFrame:
    """`in_cross_validation.outcomes` of each experiment; a group is a number of features."""
    return in_cross_validation.outcomes(differences(results), alpha=alpha)


def numbers(groups: pd.DataFrame) -> dict[str, float]:
    """The numbers that the paper prints for it, by id, from `in_cross_validation.by_group`."""
    first, later = groups.loc[FIRST_SHOWN], groups.loc[HIGHLIGHTED]
    return {
        "s4.T11": first["t"],
        "s4.p11": first["p"],
        "s4.F11": first["F"],
        "s4.n_sig11": REPLICATIONS * first["share"],
        "fig14.p24": later["p"],
        "fig14.F24": later["F"],
        "fig14.P24": later["P"],
    }


def with_few_trees(value: float) -> dict[str, float]:
    """Return the numbers for the words on the reading that was inferred from print."""
    return {"default_trees": DEFAULT_TREES, "with_few": value, "few_trees": TREES}


def ledger_rows(
    *,
    results: Mapping[str, Mapping[str, Replications]],
    alpha: float = 0.05,
    seed: int = SEED,
) -> pd.DataFrame:
    """Ledger rows of study #4 as printed, with the default forest.

    Errors are those of `in_cross_validation.with_errors`; notes give the numbers with
    ten trees.
    """
    as_printed, inferred = (results[name] for name in NEEDS)
    groups, rebuilt, published_error = in_cross_validation.with_errors(
        outcomes(as_printed, alpha=alpha), numbers, alpha=alpha, folds=FOLDS, seed=seed
    )
    small = in_cross_validation.by_group(outcomes(inferred, alpha=alpha), alpha=alpha)
    critical, t = stats.t.isf(alpha / 2, FOLDS - 1), groups["t"]
    order = stats.spearmanr(t.index, t).statistic
    P, (F, error) = groups.at[FIRST_SHOWN, "P"], rebuilt["s4.F11"]
    over = bool(ledger.MAX_Z * error < P - F)
    return rows(
        rebuilt
        | {
            "s4.P11": last_digit_of_study_4()["exact critical value"].iloc[1],
            "s4.d_last": groups_of_study_4()
            .set_index("place")
            .at["Algorithm 4", "up to"],
            "cl.07": over,
            "cl.06": bool(order > 0.9 and (t.loc[: FIRST_SHOWN - 1] < critical).all()),
            "fig14": bool(order > 0.9 and over and len(t.loc[FIRST_SHOWN:]) == 20),
        },
        published_error=published_error,
        numbers={
            **{key: with_few_trees(value) for key, value in numbers(small).items()},
            "cl.07": {"P": P, "F": F, "error": error, "default_trees": DEFAULT_TREES},
            "cl.06": {"order": order, "default_trees": DEFAULT_TREES},
            "fig14": {"order": order, "default_trees": DEFAULT_TREES},
        },
    )


# ------------------------------------------------------------------ errata e43, e44


def groups_of_study_4() -> pd.DataFrame:
    """berrar2024.e43: the greatest number of features in study #4, in four places of the paper.

    Columns `place`, `up to`.
    """
    quotes = published.design_constants().set_index("const_id")["quote"]
    table_1 = published.cells("berrar2024.tab01").set_index("cell_id")["row"]
    places = {
        "text of Section 3.2.2": quotes["berrar2024.c.s4_d_text"],
        "Algorithm 4": quotes["berrar2024.c.s4_d"],
        "Figure 14": quotes["berrar2024.c.s4_shown"],
        "Table 1 (its one group)": table_1["berrar2024.tab01.study_4.p_value"],
    }
    last = lambda text: int(re.findall(r"\d+", text.split("}")[0])[-1])
    return pd.DataFrame(
        [(place, last(text)) for place, text in places.items()],
        columns=["place", "up to"],
    )


def last_digit_of_study_4(folds: int = FOLDS) -> pd.DataFrame:
    """berrar2024.e44: P_t at the mean t of d = 11, and at the least and greatest t that print so.

    Columns `t`, `exact critical value`, `critical value 2.262`, and `printed`.
    """
    t, printed = (
        published.value("berrar2024.s4.T11"),
        published.value("berrar2024.s4.P11"),
    )
    t, rounded = (
        np.array([t - 0.00005, t, t + 0.00005]),
        published.value("berrar2024.ex04.t"),
    )
    return pd.DataFrame(
        {
            "t": t,
            "exact critical value": replication_probability.cv_t(
                t, folds, scale=1
            ).point,
            f"critical value {rounded}": stats.nct.sf(rounded, folds - 1, t),
            "printed": printed,
        }
    )

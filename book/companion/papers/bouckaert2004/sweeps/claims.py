"""Verdicts on the sentences of Bouckaert (2004, Sections 4 and 5) about the sweeps."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from companion.lab.experiments.long_run import Results
from companion.papers import published
from companion.papers.bouckaert2004.sweeps.experiments import (
    STORED,
    SWEEPS,
    TESTS_OF_THE_PAPER,
)
from companion.papers.bouckaert2004.sweeps.pairs import pairs_scores
from companion.papers.bouckaert2004.sweeps.scores import (
    null_hypothesis,
    scores,
    steps,
    summary,
    type_1_errors,
)
from companion.papers.ledger import MAX_Z

#: The sweeps of the paper, and the claim that each keeps the bound on the Type I error.
BOUNDED = {
    "alpha": "cl.17",
    "runs": "cl.18",
    "class_probability": "cl.19",
    "class_cardinality": "cl.20",
    "pairs": "cl.21",
}


#: The stored runs that the claims are judged by.
NEEDS = tuple(f"sweep_{name}" for name in STORED)


def scores_of_sweeps(results: Mapping[str, Results]) -> dict[str, pd.DataFrame]:
    """Return the scores of each sweep by its name; `results` are by stored run (`NEEDS`)."""
    by_sweep = {name: scores(name, results[f"sweep_{name}"]) for name in SWEEPS}
    return by_sweep | {"pairs": pairs_scores(results["sweep_pairs"])}


def ledger_rows(*, results: Mapping[str, Results]) -> pd.DataFrame:
    """Return the ledger rows of the sentences from the stored runs of `NEEDS`."""
    return claims(scores_of_sweeps(results))


def claims(scored: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The paper's sentences about its sweeps, for its three tests, as ledger rows.

    Replicability rises along a sweep (cl.06, cl.07) if, for each test, its mean over
    the sources rises by more than noise from the first value to the last, and if it
    falls by more than noise on no source, over the whole sweep or in any step
    (:func:`directions`).  The class probability has an impact (cl.24) if replicability
    rises or falls by more than noise on any source.

    The Type I error keeps its bound in a sweep (`BOUNDED`) if no setting exceeds the
    level by more than one percentage point and noise; cl.08 is about all of them.
    Learners tend to the majority class (cl.23) if on source 1 both predict nothing else
    the more often, the larger it is.
    """
    held = {}
    for claim, sweep in (("cl.06", "class_probability"), ("cl.07", "runs")):
        found = directions(scored[sweep])
        single, joint = found[found["source"] != "all"], found[found["source"] == "all"]
        counts = (
            single["direction"].value_counts().reindex(["rises", "falls"], fill_value=0)
        )
        rises = networks_on_which_it_rises(scored[sweep])
        held[claim] = (
            (joint["direction"] == "rises").all() and not counts["falls"],
            (
                f"of {len(single)} combinations of source and test it rises in {counts['rises']} and "
                f"falls in {counts['falls']}, beyond noise; with every test it rises on {rises.sum()} "
                f"of {len(rises)} networks"
            ),
        )
        if sweep == "class_probability":
            held["cl.24"] = counts.sum() > 0, held[claim][1]
    bound = published.value("bouckaert2004.txt.type1_excess")
    errors = type_1_errors(
        {sweep: summary(frame) for sweep, frame in scored.items() if sweep in BOUNDED}
    )
    errors = errors[errors["test"].isin(TESTS_OF_THE_PAPER)]
    beyond = errors["excess"] > bound + MAX_Z * errors["standard_error"]
    parts = {BOUNDED[sweep]: part for sweep, part in errors.groupby("sweep")} | {
        "cl.08": errors
    }
    for claim, part in parts.items():
        worst = part.loc[part["excess"].idxmax()]
        held[claim] = (
            not beyond[part.index].any(),
            (
                f"{beyond[part.index].sum()} of {len(part)} settings exceed it by more than noise; the "
                f"largest excess: {worst['excess']:.1f} ± {worst['standard_error']:.1f} "
                f"({worst['sweep']} {worst['value']}, {worst['test']})"
            ),
        )
    majority = null_hypothesis([0.4, 0.3, 0.2, 0.1], training_sets=20)[
        ["naive_bayes", "c45"]
    ]
    held["cl.23"] = (
        (majority.diff().dropna() > 0).all(axis=None),
        (
            "training sets (naive Bayes and C4.5): {} and {}%; with a class of 10%, {} and {}%".format(
                *majority.iloc[[0, -1]].to_numpy().round().astype(int).ravel()
            )
        ),
    )
    held["txt_sweeps"] = all(holds for holds, _ in held.values()), None
    frame = pd.DataFrame(
        [
            {"id": claim, "rebuilt": bool(holds), "note": note}
            for claim, (holds, note) in held.items()
        ]
        + [
            {
                "id": "txt.type1_excess",
                "rebuilt": worst["excess"],
                "note": held["cl.08"][1],
                "standard_error": worst["standard_error"],
                "holds": bool(held["cl.08"][0]),
            }
        ]
    )
    return frame.assign(
        id="bouckaert2004." + frame["id"],
        in_kind="the paper's networks are unpublished",
    )


def networks_on_which_it_rises(scored: pd.DataFrame) -> pd.Series:
    """Whether replicability rises from the first to the last value with each test of the paper.

    Means over data sets, with no allowance for noise, by `source` and `network`.
    """
    first, last = scored["value"].unique()[[0, -1]]
    keys = ["source", "network", "test", "value"]
    of_tests = scored[scored["test"].isin(TESTS_OF_THE_PAPER)].groupby(keys)
    wide = of_tests["replicability"].mean().unstack("value")
    return (wide[last] > wide[first]).groupby(["source", "network"]).all()


def directions(scored: pd.DataFrame) -> pd.DataFrame:
    """Whether replicability rises along a sweep.

    A row per source and test of the paper, and one per test for the mean over the
    sources ("all"): `source`, `test`; `change` from the first value to the last and its
    `standard_error` (percentage points of 2r - 1); and the `direction`: "falls" if the
    change or any single step is negative beyond noise, else "rises" if the change is
    positive beyond noise, else "unclear".
    """
    by_step = steps(scored[scored["test"].isin(TESTS_OF_THE_PAPER)])
    over = by_step.groupby(["test", "start", "end"], sort=False)
    mean = (
        pd.DataFrame(
            {
                "change": over["change"].mean(),
                "standard_error": over["standard_error"].agg(
                    lambda errors: np.sqrt((errors**2).sum()) / len(errors)
                ),
            }
        )
        .reset_index()
        .assign(source="all")
    )
    rows = []
    for (source, test), part in pd.concat([by_step, mean]).groupby(
        ["source", "test"], sort=False
    ):
        whole = part.iloc[-1]
        z = part["change"] / part["standard_error"].where(
            part["standard_error"] > 0, np.inf
        )
        direction = "falls" if (z < -MAX_Z).any() else "unclear"
        if direction == "unclear" and z.iloc[-1] > MAX_Z:
            direction = "rises"
        rows.append((source, test, whole["change"], whole["standard_error"], direction))
    return pd.DataFrame(
        rows, columns=["source", "test", "change", "standard_error", "direction"]
    )

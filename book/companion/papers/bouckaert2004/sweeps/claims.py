"""Verdicts on the three sentences of Bouckaert (2004, Section 4) about the sweeps."""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np
import pandas as pd

from companion.papers import published, stored
from companion.papers.bouckaert2004.sweeps.experiments import SWEEPS, TESTS_OF_THE_PAPER
from companion.papers.bouckaert2004.sweeps.pairs import pairs_scores
from companion.papers.bouckaert2004.sweeps.scores import scores, steps, summary, type_1_errors
from companion.papers.ledger import MAX_Z


@lru_cache(maxsize=4)
def stored_scores(data_sets: int | None = None) -> dict[str, pd.DataFrame]:
    """Scores of each stored sweep, from at most `data_sets` data sets of each network."""
    found = {
        name: scores(name, stored.load(f"sweep_{name}", size=data_sets)) for name in SWEEPS
    }
    return found | {"pairs": pairs_scores(stored.load("sweep_pairs", size=data_sets))}


def ledger_rows(*, data_sets: int | None = None) -> pd.DataFrame:
    """Ledger rows of the sentences, from at most `data_sets` stored data sets of each network."""
    return claims(stored_scores(data_sets))


def claims(scored: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The paper's three sentences about its sweeps, for its three tests.

    Replicability rises along a sweep if, for each test, its mean over the sources rises by more
    than noise from the first value to the last, and if it falls by more than noise on no source,
    over the whole sweep or in any step (:func:`directions`).  The Type I error keeps its bound if
    no setting exceeds the level by more than one percentage point and noise.

    Ledger rows: two claims about directions, the bound as a claim and as a value (the largest
    excess, in percentage points), and the item.
    """
    why = "the paper's networks are unpublished"
    rows = []
    for claim, sweep in (("cl.06", "class_probability"), ("cl.07", "runs")):
        found = directions(scored[sweep])
        single, joint = found[found["source"] != "all"], found[found["source"] == "all"]
        counts = single["direction"].value_counts().reindex(["rises", "falls"], fill_value=0)
        rows.append({
            "id": f"bouckaert2004.{claim}", "in_kind": why,
            "rebuilt": bool((joint["direction"] == "rises").all() and not counts["falls"]),
            "note": f"of {len(single)} combinations of source and test it rises in "
                    f"{counts['rises']} and falls in {counts['falls']}, beyond noise",
        })
    bound = published.value("bouckaert2004.txt.type1_excess")
    errors = type_1_errors({sweep: summary(frame) for sweep, frame in scored.items()})
    errors = errors[errors["test"].isin(TESTS_OF_THE_PAPER)]
    beyond = errors[errors["excess"] > bound + MAX_Z * errors["standard_error"]]
    worst = errors.loc[errors["excess"].idxmax()]
    note = (
        f"{len(beyond)} of {len(errors)} settings exceed it by more than noise; "
        f"the largest excess: {worst['sweep']} {worst['value']}, {worst['test']}"
    )
    holds = beyond.empty
    rows += [
        {"id": "bouckaert2004.cl.08", "rebuilt": holds, "in_kind": why, "note": note},
        {"id": "bouckaert2004.txt.type1_excess", "rebuilt": worst["excess"],
         "standard_error": worst["standard_error"], "holds": holds, "in_kind": why, "note": note},
        {"id": "bouckaert2004.txt_sweeps", "rebuilt": all(row["rebuilt"] for row in rows) and holds,
         "in_kind": why},
    ]
    return pd.DataFrame(rows)


def directions(scored: pd.DataFrame) -> pd.DataFrame:
    """Whether replicability rises along a sweep.

    A row per source and test of the paper, and one per test for the mean over the sources ("all"):
    `source`, `test`; `change` from the first value to the last and its `standard_error` (percentage
    points of 2r - 1); and the `direction`: "falls" if the change or any single step is negative
    beyond noise, else "rises" if the change is positive beyond noise, else "unclear".
    """
    by_step = steps(scored[scored["test"].isin(TESTS_OF_THE_PAPER)])
    over = by_step.groupby(["test", "start", "end"], sort=False)
    mean = pd.DataFrame({
        "change": over["change"].mean(),
        "standard_error": over["standard_error"].agg(
            lambda errors: np.sqrt((errors**2).sum()) / len(errors)
        ),
    }).reset_index().assign(source="all")
    rows = []
    for (source, test), part in pd.concat([by_step, mean]).groupby(
        ["source", "test"], sort=False
    ):
        whole = part.iloc[-1]
        z = part["change"] / part["standard_error"].where(part["standard_error"] > 0, np.inf)
        direction = "falls" if (z < -MAX_Z).any() else "unclear"
        if direction == "unclear" and z.iloc[-1] > MAX_Z:
            direction = "rises"
        rows.append((source, test, whole["change"], whole["standard_error"], direction))
    return pd.DataFrame(rows, columns=["source", "test", "change", "standard_error", "direction"])

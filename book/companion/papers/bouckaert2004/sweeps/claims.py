"""Verdicts on the sentences of Bouckaert (2004, Sections 4 and 5) about the sweeps."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from companion.lab.experiments.long_run import Results
from companion.papers import published, synthetic
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


#: The stored runs of the sweeps on networks that have the printed margins alone.
NEEDS = tuple(f"sweep_{name}" for name in STORED)


def scores_of_sweeps(results: Mapping[str, Results]) -> dict[str, pd.DataFrame]:
    """Return the scores of each sweep by its name; `results` are by stored run (`NEEDS`)."""
    by_sweep = {name: scores(name, results[f"sweep_{name}"]) for name in SWEEPS}
    return by_sweep | {"pairs": pairs_scores(results["sweep_pairs"])}


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
    errors = _errors_of_the_paper(scored)
    judged = [
        _rises(scored["class_probability"], "cl.06"),
        _has_an_impact(scored["class_probability"]),
        _rises(scored["runs"], "cl.07"),
        *(
            _keeps_its_bound(of_sweep, BOUNDED[sweep])
            for sweep, of_sweep in errors.groupby("sweep")
        ),
        _keeps_its_bound(errors, "cl.08"),
        _tends_to_the_majority(),
    ]
    all_hold = {"id": "txt_sweeps", "rebuilt": all(row["rebuilt"] for row in judged)}
    frame = pd.DataFrame([*judged, all_hold, _largest_excess(errors)])
    return frame.assign(
        id="bouckaert2004." + frame["id"], in_kind=synthetic.UNPUBLISHED
    )


def _rises(scored: pd.DataFrame, claim: str) -> dict[str, object]:
    """Return the row of a claim that replicability rises along a sweep."""
    found = directions(scored)
    of_mean = found.loc[found["source"] == "all", "direction"]
    counts = _counts_of_directions(found)
    return {
        "id": claim,
        "rebuilt": bool((of_mean == "rises").all() and not counts["falls"]),
        "numbers": _numbers_of_directions(scored, counts),
    }


def _has_an_impact(scored: pd.DataFrame) -> dict[str, object]:
    """Return the row of the claim that the class probability has an impact."""
    counts = _counts_of_directions(directions(scored))
    return {
        "id": "cl.24",
        "rebuilt": bool(counts["rises"] + counts["falls"] > 0),
        "numbers": _numbers_of_directions(scored, counts),
    }


def _counts_of_directions(found: pd.DataFrame) -> dict[str, int]:
    """Count the combinations of source and test by direction (:func:`directions`)."""
    of_sources = found.loc[found["source"] != "all", "direction"]
    in_all = {"combinations": len(of_sources)}
    return in_all | {d: int((of_sources == d).sum()) for d in ("rises", "falls")}


def _numbers_of_directions(
    scored: pd.DataFrame, counts: Mapping[str, int]
) -> dict[str, int]:
    rises = networks_on_which_it_rises(scored)
    return {**counts, "networks_rise": rises.sum(), "networks": len(rises)}


def _errors_of_the_paper(scored: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """Type I errors of the paper's tests in the sweeps that keep a bound, and which exceed it."""
    bounded = {name: summary(scored[name]) for name in scored if name in BOUNDED}
    errors = type_1_errors(bounded)
    errors = errors[errors["test"].isin(TESTS_OF_THE_PAPER)]
    bound = published.value("bouckaert2004.txt.type1_excess")
    is_beyond = errors["excess"] > bound + MAX_Z * errors["standard_error"]
    return errors.assign(is_beyond=is_beyond)


def _keeps_its_bound(errors: pd.DataFrame, claim: str) -> dict[str, object]:
    """Return the row of a claim that the Type I error keeps its bound in these settings."""
    return {
        "id": claim,
        "rebuilt": not errors["is_beyond"].any(),
        "numbers": _numbers_of_errors(errors),
    }


def _largest_excess(errors: pd.DataFrame) -> dict[str, object]:
    """Return the row of the bound itself, judged by the largest excess of all sweeps."""
    worst = errors.loc[errors["excess"].idxmax()]
    return {
        "id": "txt.type1_excess",
        "rebuilt": worst["excess"],
        "standard_error": worst["standard_error"],
        "holds": not errors["is_beyond"].any(),
        "numbers": _numbers_of_errors(errors),
    }


def _numbers_of_errors(errors: pd.DataFrame) -> dict[str, object]:
    worst = errors.loc[errors["excess"].idxmax()]
    return {
        "beyond": errors["is_beyond"].sum(),
        "settings": len(errors),
        **worst[["excess", "standard_error", "sweep", "value", "test"]],
    }


def _tends_to_the_majority() -> dict[str, object]:
    """Return the row of the claim that learners tend to predict the majority class."""
    shares = null_hypothesis([0.4, 0.3, 0.2, 0.1], training_sets=20)
    shares = shares[["naive_bayes", "c45"]]
    whole = shares.round().astype(int)
    return {
        "id": "cl.23",
        "rebuilt": bool((shares.diff().dropna() > 0).all(axis=None)),
        "numbers": {
            "naive_bayes": whole["naive_bayes"].iloc[0],
            "c45": whole["c45"].iloc[0],
            "naive_bayes_rare": whole["naive_bayes"].iloc[-1],
            "c45_rare": whole["c45"].iloc[-1],
        },
    }


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
    of_tests = by_step.groupby(["test", "start", "end"], sort=False)
    mean = of_tests["change"].mean().to_frame()
    mean["standard_error"] = of_tests["standard_error"].agg(_error_of_the_mean)
    mean = mean.reset_index().assign(source="all")
    rows = []
    for (source, test), part in pd.concat([by_step, mean]).groupby(
        ["source", "test"], sort=False
    ):
        whole = part.iloc[-1]
        error = part["standard_error"].where(part["standard_error"] > 0, np.inf)
        z = part["change"] / error
        direction = "falls" if (z < -MAX_Z).any() else "unclear"
        if direction == "unclear" and z.iloc[-1] > MAX_Z:
            direction = "rises"
        rows.append((source, test, whole["change"], whole["standard_error"], direction))
    return pd.DataFrame(
        rows, columns=["source", "test", "change", "standard_error", "direction"]
    )


def _error_of_the_mean(errors: pd.Series) -> float:
    """Return the standard error of the mean of independent numbers with these errors."""
    return np.sqrt((errors**2).sum()) / len(errors)

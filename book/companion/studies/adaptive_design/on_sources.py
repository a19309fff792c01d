"""Type I error, power, cost and replicability of adaptive designs on the four sources."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from companion.lab.experiments import runner
from companion.studies.adaptive_design.rules import DESIGN
from replib import adaptive, replicability


def on_sources(results: Mapping[str, runner.Replications]) -> pd.DataFrame:
    """Cost, rejections and replicability of all designs on each source.

    Columns `source` (1 to 4), `test`, `rule`, `level`, `runs`; `rejects` with
    `rejects_error`, percent (Type I error on source 1, power on the others);
    `replicability` (normalised) with `standard_error`; `disagree` with
    `disagree_error`, percent of pairs; `as_all`, percent. Errors are over the data sets
    drawn.
    """
    rows = []
    for source, designs, counts in _by_source(results):
        runs, decision = counts[..., 0], counts[..., 1]
        experiments = counts.shape[3]
        for t, test in enumerate(adaptive.TESTS):
            of_all = decision[:, t, _longest(designs)]
            for d, (rule, level) in enumerate(designs):
                rejects = decision[:, t, d] != 0
                r = replicability.r2_from_counts((~rejects).sum(axis=-1), experiments)
                share, share_error = _mean_and_error(rejects.mean(axis=-1))
                agree, agree_error = _mean_and_error(r)
                rows.append(
                    (
                        source,
                        test,
                        rule,
                        level,
                        runs[:, t, d].mean(),
                        100 * share,
                        100 * share_error,
                        replicability.normalized(agree),
                        2 * agree_error,
                        100 * (1 - agree),
                        100 * agree_error,
                        100 * (decision[:, t, d] == of_all).mean(),
                    )
                )
    return pd.DataFrame(
        rows,
        columns=[
            "source",
            "test",
            *DESIGN,
            "runs",
            "rejects",
            "rejects_error",
            "replicability",
            "standard_error",
            "disagree",
            "disagree_error",
            "as_all",
        ],
    )


def change_by_rule(
    results: Mapping[str, runner.Replications], test: str, rule: str, level: float
) -> pd.DataFrame:
    """Changes that a rule makes compared with all runs, on the same data sets and runs.

    Indexed by `source`; `runs` (mean); rejections of the rule, `rejects`, and of all
    runs, `all_runs`; `change`, their difference, with `change_error`; and `differ`, how
    many decisions are not the same; percent and percentage points.
    """
    t = adaptive.TESTS.index(test)
    rows = {}
    for source, designs, counts in _by_source(results):
        d, longest = designs.index((rule, level)), _longest(designs)
        ours, theirs = counts[:, t, d, :, 1], counts[:, t, longest, :, 1]
        change, error = _mean_and_error(
            (ours != 0).mean(axis=-1) - (theirs != 0).mean(axis=-1)
        )
        rows[source] = {
            "runs": counts[:, t, d, :, 0].mean(),
            "rejects": 100 * (ours != 0).mean(),
            "all_runs": 100 * (theirs != 0).mean(),
            "change": 100 * change,
            "change_error": 100 * error,
            "differ": 100 * (ours != theirs).mean(),
        }
    return pd.DataFrame(rows).T.rename_axis("source")


def fixed_alike(frame: pd.DataFrame, rule: str, level: float) -> pd.DataFrame:
    """The number of runs of a fixed design that disagrees as rarely as another design, by source.

    Indexed by `source`; `runs` of the design, `disagree` (percent), and `fixed_alike`,
    the runs of a fixed design, interpolated on logarithmic scales; NaN if even the
    longest disagrees more often, or if the design never disagrees.
    """
    rows = {}
    for source, designs in frame.groupby("source"):
        one = designs[(designs["rule"] == rule) & (designs["level"] == level)].iloc[0]
        fixed = designs[designs["rule"] == "fixed"].sort_values("level", kind="stable")
        disagree = np.minimum.accumulate(fixed["disagree"])
        alike = np.nan
        if one["disagree"] > 0 and one["disagree"] >= disagree.iloc[-1]:
            alike = np.exp(
                np.interp(
                    -np.log(one["disagree"]),
                    -np.log(disagree.clip(lower=1e-9)),
                    np.log(fixed["level"]),
                )
            )
        rows[source] = {
            "runs": one["runs"],
            "disagree": one["disagree"],
            "fixed_alike": alike,
        }
    return pd.DataFrame(rows).T.rename_axis("source")


#: The stored run that :func:`ledger_rows` takes.
NEEDS = ("adaptive_design",)


def ledger_rows(
    *, results: Mapping[str, Mapping[str, runner.Replications]]
) -> pd.DataFrame:
    """Ledger row of the adaptive scheme that Bouckaert (2005, Section 5) calls promising."""
    every = on_sources(results["adaptive_design"]).query("test == 'sorted_runs'")
    alike = fixed_alike(every, "curtailed", 0.95)
    runs = [f"{row.runs:.1f} and {row.fixed_alike:.0f}" for row in alike.itertuples()]
    return pd.DataFrame(
        [
            {
                "id": "bouckaert2005.cl.19",
                "rebuilt": bool((alike["runs"] < alike["fixed_alike"]).all()),
                "numbers": {"runs": ", ".join(runs)},
            }
        ]
    )


def ever_rejected(
    results: Mapping[str, runner.Replications], source: int = 1
) -> pd.DataFrame:
    """Type I error of testing after each run and stopping at the first significant result.

    Columns `test`, `runs` (at most), `rejects` (percent) with `standard_error`.
    """
    frames = []
    for found, designs, counts in _by_source(results):
        if found != source:
            continue
        first = counts[:, :, designs.index(("first_rejection", 1))]
        # the longest fixed design has the maximum number of runs
        runs = np.arange(1, designs[_longest(designs)][1] + 1)
        for t, test in enumerate(adaptive.TESTS):
            when, decision = first[:, t, :, 0, None], first[:, t, :, 1, None]
            share, error = _mean_and_error(
                ((when <= runs) & (decision != 0)).mean(axis=1)
            )
            frames.append(
                pd.DataFrame(
                    {
                        "test": test,
                        "runs": runs,
                        "rejects": 100 * share,
                        "standard_error": 100 * error,
                    }
                )
            )
    return pd.concat(frames, ignore_index=True)


def _by_source(
    results: Mapping[str, runner.Replications],
) -> Iterator[tuple[int, list[tuple[str, float]], np.ndarray]]:
    """Each source, its designs, and the counts of all its networks, concatenated."""
    for source in sorted({result.experiment.stream[0] for result in results.values()}):
        parts = [r for r in results.values() if r.experiment.stream[0] == source]
        counts = np.concatenate([part.counts for part in parts]).astype(int)
        designs = [
            tuple(design) for design in parts[0].experiment.parameters["designs"]
        ]
        yield source, designs, counts


def _longest(designs: Sequence[tuple[str, float]]) -> int:
    """Place of the design with all runs."""
    return designs.index(
        ("fixed", max(level for rule, level in designs if rule == "fixed"))
    )


def _mean_and_error(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Mean over data sets, the first axis, and its standard error."""
    return values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(len(values))

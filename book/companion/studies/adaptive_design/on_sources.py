"""Type I error, power, cost and replicability of adaptive designs on the four sources."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from companion.lab.experiments import runner
from replib import adaptive, replicability


def on_sources(results: Mapping[str, runner.Replications]) -> pd.DataFrame:
    """Return cost, rejections and replicability of all designs on each source.

    Columns `source` (1 to 4), `test`, `rule`, `level`, `runs`; `rejects` with
    `rejects_error`, percent (Type I error on source 1, power on the others);
    `replicability` (normalised) with `standard_error`; `disagree` with
    `disagree_error`, percent of pairs; `as_all`, percent. Errors are over the data sets
    drawn.
    """
    rows = []
    for source, designs, counts in _by_source(results):
        runs = counts[..., 0]
        decision = counts[..., 1]
        experiments = counts.shape[3]
        for t, test in enumerate(adaptive.TESTS):
            decision_of_all_runs = decision[:, t, _longest(designs)]
            for d, (rule, level) in enumerate(designs):
                rejects = decision[:, t, d] != 0
                r = replicability.r2_from_counts((~rejects).sum(axis=-1), experiments)
                share, share_error = _mean_and_error(rejects.mean(axis=-1))
                agree, agree_error = _mean_and_error(r)
                is_as_all = decision[:, t, d] == decision_of_all_runs
                row = {
                    "source": source,
                    "test": test,
                    "rule": rule,
                    "level": level,
                    "runs": runs[:, t, d].mean(),
                    "rejects": 100 * share,
                    "rejects_error": 100 * share_error,
                    "replicability": replicability.normalized(agree),
                    "standard_error": 2 * agree_error,
                    "disagree": 100 * (1 - agree),
                    "disagree_error": 100 * agree_error,
                    "as_all": 100 * is_as_all.mean(),
                }
                rows.append(row)
    return pd.DataFrame(rows)


def change_by_rule(
    results: Mapping[str, runner.Replications], test: str, rule: str, level: float
) -> pd.DataFrame:
    """Return the changes that a rule makes compared with all runs, on the same data sets and runs.

    Indexed by `source`; `runs` (mean); rejections of the rule, `rejects`, and of all
    runs, `all_runs`; `change`, their difference, with `change_error`; and `differ`, how
    many decisions are not the same; percent and percentage points.
    """
    t = adaptive.TESTS.index(test)
    rows = {}
    for source, designs, counts in _by_source(results):
        d = designs.index((rule, level))
        by_rule = counts[:, t, d, :, 1]
        by_all_runs = counts[:, t, _longest(designs), :, 1]
        rejects = by_rule != 0
        all_reject = by_all_runs != 0
        changes = rejects.mean(axis=-1) - all_reject.mean(axis=-1)
        change, error = _mean_and_error(changes)
        rows[source] = {
            "runs": counts[:, t, d, :, 0].mean(),
            "rejects": 100 * rejects.mean(),
            "all_runs": 100 * all_reject.mean(),
            "change": 100 * change,
            "change_error": 100 * error,
            "differ": 100 * (by_rule != by_all_runs).mean(),
        }
    return pd.DataFrame(rows).T.rename_axis("source")


def fixed_alike(frame: pd.DataFrame, rule: str, level: float) -> pd.DataFrame:
    """Return the runs of a fixed design that disagrees as rarely as another design, by source.

    Indexed by `source`; `runs` of the design, `disagree` (percent), and `fixed_alike`,
    the runs of a fixed design, interpolated on logarithmic scales; NaN if even the
    longest disagrees more often, or if the design never disagrees.
    """
    rows = {}
    for source, designs in frame.groupby("source"):
        is_design = (designs["rule"] == rule) & (designs["level"] == level)
        design = designs[is_design].iloc[0]
        fixed = designs[designs["rule"] == "fixed"].sort_values("level", kind="stable")
        rows[source] = {
            "runs": design["runs"],
            "disagree": design["disagree"],
            "fixed_alike": _runs_alike(design["disagree"], fixed),
        }
    return pd.DataFrame(rows).T.rename_axis("source")


def _runs_alike(disagree: float, fixed: pd.DataFrame) -> float:
    """Return the runs of a fixed design that disagrees as rarely, or NaN."""
    fixed_disagree = np.minimum.accumulate(fixed["disagree"])
    if disagree <= 0 or disagree < fixed_disagree.iloc[-1]:
        return np.nan
    # disagreement falls with the runs, and np.interp wants numbers that rise
    rising = -np.log(fixed_disagree.clip(lower=1e-9))
    return np.exp(np.interp(-np.log(disagree), rising, np.log(fixed["level"])))


def in_words(fixed: float) -> str:
    """Return the runs of a fixed design as text, or that no fixed design is as good."""
    return "none" if np.isnan(fixed) else f"{fixed:.0f}"


#: The stored run that :func:`ledger_rows` takes.
NEEDS = ("adaptive_design",)


def ledger_rows(
    *, results: Mapping[str, Mapping[str, runner.Replications]]
) -> pd.DataFrame:
    """Return the ledger row of the adaptive scheme of Bouckaert (2005, Section 5)."""
    all_designs = on_sources(results["adaptive_design"])
    sorted_runs = all_designs.query("test == 'sorted_runs'")
    alike = fixed_alike(sorted_runs, "curtailed", 0.95)
    runs = [
        f"{row.runs:.1f} and {in_words(row.fixed_alike)}" for row in alike.itertuples()
    ]
    row = {
        "id": "bouckaert2005.cl.19",
        "rebuilt": bool((alike["runs"] < alike["fixed_alike"]).all()),
        "numbers": {"runs": ", ".join(runs)},
    }
    return pd.DataFrame([row])


def ever_rejected(
    results: Mapping[str, runner.Replications], source: int = 1
) -> pd.DataFrame:
    """Return the Type I error of stopping at the first significant result of tests after each run.

    Columns `test`, `runs` (at most), `rejects` (percent) with `standard_error`.
    """
    frames = []
    for source_of_counts, designs, counts in _by_source(results):
        if source_of_counts != source:
            continue
        first = counts[:, :, designs.index(("first_rejection", 1))]
        # the longest fixed design has the maximum number of runs
        runs = np.arange(1, designs[_longest(designs)][1] + 1)
        for t, test in enumerate(adaptive.TESTS):
            stopped_at = first[:, t, :, 0, None]
            has_rejected = first[:, t, :, 1, None] != 0
            rejects = (stopped_at <= runs) & has_rejected
            share, error = _mean_and_error(rejects.mean(axis=1))
            columns = {
                "test": test,
                "runs": runs,
                "rejects": 100 * share,
                "standard_error": 100 * error,
            }
            frames.append(pd.DataFrame(columns))
    return pd.concat(frames, ignore_index=True)


def _by_source(
    results: Mapping[str, runner.Replications],
) -> Iterator[tuple[int, list[tuple[str, float]], np.ndarray]]:
    """Yield each source, its designs, and the counts of all its networks, concatenated."""
    networks: dict[int, list[runner.Replications]] = {}
    for result in results.values():
        networks.setdefault(result.experiment.stream[0], []).append(result)
    for source, members in sorted(networks.items()):
        counts = np.concatenate([member.counts for member in members]).astype(int)
        designs = members[0].experiment.parameters["designs"]
        yield source, [tuple(design) for design in designs], counts


def _longest(designs: Sequence[tuple[str, float]]) -> int:
    """Return the place of the design with all runs."""
    most = max(level for rule, level in designs if rule == "fixed")
    return designs.index(("fixed", most))


def _mean_and_error(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean over data sets, the first axis, and its standard error."""
    return values.mean(axis=0), values.std(axis=0, ddof=1) / np.sqrt(len(values))

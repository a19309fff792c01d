"""Pictures of adaptive designs: courses of p-values, and the cost of replicability."""

import numpy as np
import pandas as pd

from .drawing import band, log_ticks, marks, picture, rule, series
from .style import AMBER, BLUE, GREEN, GREY, INK, PURPLE, RED

RULES = {
    "fixed": ("fixed number of runs", GREY, "-", "o"),
    "agreeing": ("decisions in a row agree", RED, "--", "s"),
    "curtailed": ("stochastic curtailment", BLUE, "-", "D"),
}
_TESTS = {
    "plain": ("plain $t$", RED, "--"),
    "corrected": ("corrected $t$", BLUE, "-"),
    "sorted_runs": ("sorted runs", GREEN, "-."),
}
_LOWEST = 1e-4  # smaller p-values are drawn here
_RUNS = (1, 2, 5, 10, 20, 50, 100, 200)  # numbers of runs that have a tick
_COST = "mean cost (runs of cross-validation)"


@picture(
    height=3.8, legend=2, xlabel="runs of cross-validation", ylabel="p-value so far"
)
def paths(ax, frame: pd.DataFrame, alpha: float) -> None:
    """Draw the p-values of a few experiments against their runs, with the stops of a rule.

    Parameters
    ----------
    frame : DataFrame
        `companion.studies.adaptive_design.on_datasets.paths`.
    alpha : float
        Significance level.
    """
    colors = (BLUE, RED, GREEN, PURPLE, AMBER, GREY) * 9
    for color, (_, path) in zip(colors, frame.groupby("experiment")):
        runs, p = path["runs"], path["pvalue"].clip(lower=_LOWEST)
        stop = int(np.flatnonzero(path["stops"])[0])
        series(ax, runs[: stop + 1], p[: stop + 1], None, color, lw=1.8)
        series(ax, runs[stop:], p[stop:], None, color, lw=0.9, alpha=0.45)
        marks(
            ax,
            runs.iloc[stop],
            p.iloc[stop],
            None,
            color,
            "v" if path["decision"].iloc[0] != 0 else "^",
            ms=9,
            zorder=3,
        )
    rule(ax, y=alpha, color=INK, ls="--")
    ticks = {
        t for t in (1e-4, 1e-3, 0.01, 0.05, 0.2, 1) if t >= 0.8 * frame["pvalue"].min()
    }
    # the level has a tick, and no other tick touches it
    apart = {t for t in ticks if abs(np.log(t / alpha)) > 0.3}
    log_ticks(ax.yaxis, sorted(apart | {alpha}))
    marks(ax, [], [], "stops: reject", INK, "v", ms=6)
    marks(ax, [], [], "stops: accept", INK, "^", ms=6)
    ax.set_xlim(0.5, frame["runs"].max() + 0.5)


@picture(
    height=4.0, legend=2, xlabel=_COST, ylabel="pairs of experiments that disagree (%)"
)
def costs(
    ax,
    compared: pd.DataFrame,
    density: float,
    predicted: pd.DataFrame,
    rule: str,
    level: float,
) -> None:
    """Draw disagreement of two experiments against mean cost, for fixed and adaptive designs.

    Parameters
    ----------
    compared : DataFrame
        `companion.studies.adaptive_design.on_datasets.compare`.
    density : float
        `companion.studies.adaptive_design.border.density_at_border`, for the line
        of the fixed designs.
    predicted : DataFrame
        `companion.studies.adaptive_design.border.prices` with this density, for
        the line of the curtailed ones.
    rule : str
    level : float
        The design that is marked with a ring.
    """
    _costs(ax, compared)
    r = np.geomspace(1, compared["runs"].max(), 50)
    series(ax, r, 200 * density / np.sqrt(np.pi * r), "predicted", GREY, ":", lw=1)
    series(ax, predicted["runs"], predicted["disagree"], None, BLUE, ":", lw=1)
    ring = compared[(compared["rule"] == rule) & (compared["level"] == level)]
    marks(ax, ring["runs"], ring["disagree"], None, INK, ms=15, mfc="none")


def _costs(ax, compared: pd.DataFrame) -> None:
    for name, look in RULES.items():
        rows = compared[compared["rule"] == name].sort_values("runs", kind="stable")
        series(
            ax, rows["runs"], rows["disagree"], *look, error=2 * rows["disagree_error"]
        )
    log_ticks(ax.xaxis, [t for t in _RUNS if t <= 1.1 * compared["runs"].max()])
    seen = compared["disagree"][compared["disagree"] > 0]
    if len(seen):  # few data sets may show no disagreement at all
        low, high = 0.5 * seen.min(), 2 * seen.max()
        ticks = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
        ax.set_ylim(low, high)
        log_ticks(ax.yaxis, [t for t in ticks if low <= t <= high])


@picture(
    legend=3,
    xlabel="looks, one after each run",
    ylabel="Type I error (%)",
)
def ever_rejected(ax, frame: pd.DataFrame, alpha: float) -> None:
    """Draw the Type I error of stopping at the first significant result against allowed runs.

    Parameters
    ----------
    frame : DataFrame
        `companion.studies.adaptive_design.on_sources.ever_rejected`.
    alpha : float
        Significance level.
    """
    for test, look in _TESTS.items():
        rows = frame[frame["test"] == test]
        color, error = look[1], 2 * rows["standard_error"]
        band(ax, rows["runs"], rows["rejects"], color, error=error)
        series(ax, rows["runs"], rows["rejects"], *look)
    rule(ax, y=100 * alpha, color=INK)
    log_ticks(ax.xaxis, [t for t in _RUNS if t <= frame["runs"].max()])
    # with few data sets the errors reach beyond what a share can be
    ax.set_ylim(0, min(100, ax.get_ylim()[1]))

"""Pictures of adaptive designs: courses of p-values, and the cost of replicability."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from . import style
from .style import AMBER, BLUE, GREEN, GREY, INK, PURPLE, RED, in_house_style

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
_PATHS = (BLUE, RED, GREEN, PURPLE, AMBER, GREY)
_LOWEST = 1e-4  # smaller p-values are drawn here
_RUNS = (1, 2, 5, 10, 20, 50, 100, 200)  # numbers of runs that have a tick


@in_house_style
def paths(frame: pd.DataFrame, alpha: float) -> Figure:
    """Draw the p-values of a few experiments against their runs, with the stops of a rule.

    Parameters
    ----------
    frame : DataFrame
        `companion.papers.topics.adaptive_design.on_datasets.paths`.
    alpha : float
        Significance level.
    """
    fig, ax = style.figure(height=3.8)
    for color, (_, one) in zip(_PATHS * 9, frame.groupby("experiment")):
        p = one["pvalue"].clip(lower=_LOWEST)
        stop = int(np.flatnonzero(one["stops"])[0])
        ax.plot(one["runs"][: stop + 1], p[: stop + 1], color=color, ls="-", lw=1.8)
        ax.plot(one["runs"][stop:], p[stop:], color=color, ls="-", lw=0.9, alpha=0.45)
        rejects = one["decision"].iloc[0] != 0
        ax.plot(one["runs"].iloc[stop], p.iloc[stop], "v" if rejects else "^", color=color, ms=9,
                ls="none", zorder=3)
    ax.axhline(alpha, color=INK, lw=1, ls="--")
    ticks = [t for t in (1e-4, 1e-3, 0.01, 0.05, 0.2, 1) if t >= 0.8 * frame["pvalue"].min()]
    style.log_ticks(ax.yaxis, sorted({*ticks, alpha}))
    ax.set(xlabel="runs of cross-validation", ylabel="p-value so far",
           xlim=(0.5, frame["runs"].max() + 0.5))
    handles = [ax.plot([], [], mark, color=INK, ls="none", label=text)[0]
               for mark, text in (("v", "stops: reject"), ("^", "stops: accept"))]
    fig.legend(handles=handles, loc="outside upper center", ncols=2)
    return fig


@in_house_style
def costs(
    compared: pd.DataFrame, density: float, predicted: pd.DataFrame, rule: str, level: float
) -> Figure:
    """Draw disagreement of two experiments against mean cost, for fixed and adaptive designs.

    Parameters
    ----------
    compared : DataFrame
        `companion.papers.topics.adaptive_design.on_datasets.compare`.
    density : float
        `companion.papers.topics.adaptive_design.border.density_at_border`, for the line of the
        fixed designs.
    predicted : DataFrame
        `companion.papers.topics.adaptive_design.border.prices` with this density, for the line of
        the curtailed ones.
    rule : str
    level : float
        The design that is marked with a ring.
    """
    fig, ax = style.figure(height=4.3)
    _costs(ax, compared)
    r = np.geomspace(1, compared["runs"].max(), 50)
    ax.plot(r, 200 * density / np.sqrt(np.pi * r), color=GREY, lw=1, ls=":")
    ax.plot(predicted["runs"], predicted["disagree"], color=BLUE, lw=1, ls=":")
    ring = compared[(compared["rule"] == rule) & (compared["level"] == level)]
    ax.plot(ring["runs"], ring["disagree"], "o", color=INK, mfc="none", ms=15, ls="none")
    ax.set(ylabel="pairs of experiments that disagree (%)")
    ax.set_xlabel("mean cost (runs of cross-validation)")
    handles, labels = ax.get_legend_handles_labels()
    handles.append(ax.plot([], [], color=GREY, ls=":", lw=1.2)[0])
    fig.legend(handles, [*labels, "predicted"], loc="outside upper center", ncols=2)
    return fig


def _costs(ax, compared: pd.DataFrame) -> None:
    for rule, (label, color, line, marker) in RULES.items():
        rows = compared[compared["rule"] == rule].sort_values("runs", kind="stable")
        ax.errorbar(
            rows["runs"], rows["disagree"], 2 * rows["disagree_error"], color=color, ls=line,
            marker=marker, ms=5, lw=1.6, elinewidth=1, capsize=2, label=label,
        )
    style.log_ticks(ax.xaxis, [t for t in _RUNS if t <= 1.1 * compared["runs"].max()])
    seen = compared["disagree"][compared["disagree"] > 0]
    if len(seen):  # few data sets may show no disagreement at all
        ax.set_ylim(0.5 * seen.min(), 2 * seen.max())
        style.log_ticks(ax.yaxis, [t for t in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
                                if 0.5 * seen.min() <= t <= 2 * seen.max()])


@in_house_style
def cost_by_distance(cells: pd.DataFrame, model: pd.DataFrame) -> Figure:
    """Draw the cost and disagreement of a design against a data set's distance from the border.

    Parameters
    ----------
    cells : DataFrame
        `companion.papers.topics.adaptive_design.on_datasets.by_cell` with the further columns
        `pair` and `distance`.
    model : DataFrame
        `companion.papers.topics.adaptive_design.border.border` of the same design.
    """
    fig, (above, below) = style.figure(2, height=5.4, sharex=True)
    reach = 3.5  # points beyond this are drawn at the edge
    x = cells["distance"].clip(-reach, reach)
    marks = {"color": BLUE, "ms": 5, "alpha": 0.6, "ls": "none", "mew": 0}
    above.plot(x, cells["runs"], "o", **marks, label="data set and pair of learners")
    above.plot(model["distance"], model["runs"], color=INK, lw=1.4, ls="-", label="border model")
    below.plot(x, 100 * (1 - cells["replicability"]), "o", **marks)
    below.plot(model["distance"], 100 * model["disagree"], color=INK, lw=1.4, ls="-")
    for ax in (above, below):
        ax.axvline(0, color=GREY, lw=0.8, ls=":")
    above.set(ylabel="mean runs", ylim=(0, None))
    below.set(ylabel="pairs that disagree (%)", xlim=(-1.03 * reach, 1.03 * reach),
              xlabel="distance from the border (standard deviations of a run)")
    fig.legend(loc="outside upper center", ncols=2)
    for x, text, align in ((0.02, "← accepts", "left"), (0.98, "rejects →", "right")):
        above.text(x, 0.92, text, transform=above.transAxes, ha=align, color=GREY)
    return fig


@in_house_style
def ever_rejected(frame: pd.DataFrame, alpha: float) -> Figure:
    """Draw the Type I error of stopping at the first significant result against allowed runs.

    Parameters
    ----------
    frame : DataFrame
        `companion.papers.topics.adaptive_design.on_sources.ever_rejected`.
    alpha : float
        Significance level.
    """
    fig, ax = style.figure(height=3.6)
    for test, (label, color, line) in _TESTS.items():
        rows = frame[frame["test"] == test]
        ax.plot(rows["runs"], rows["rejects"], color=color, ls=line, label=label)
        ax.fill_between(
            rows["runs"], rows["rejects"] - 2 * rows["standard_error"],
            rows["rejects"] + 2 * rows["standard_error"], color=color, alpha=0.2, lw=0,
        )
    ax.axhline(100 * alpha, color=INK, lw=1, ls=":")
    style.log_ticks(ax.xaxis, [t for t in _RUNS if t <= frame["runs"].max()])
    ax.set(xlabel="looks, one after each run", ylabel="Type I error (%)", ylim=(0, None))
    fig.legend(loc="outside upper center", ncols=3)
    return fig


@in_house_style
def on_sources(frame: pd.DataFrame) -> Figure:
    """Draw disagreement against cost, one panel per source.

    Parameters
    ----------
    frame : DataFrame
        Rows of one test of `companion.papers.topics.adaptive_design.on_sources.on_sources`.
    """
    sources = frame["source"].unique()
    fig, axes = style.figure(len(sources), height=2.2 * len(sources) + 0.8, sharex=True,
                             squeeze=False)
    shown = frame[frame["rule"].isin(list(RULES))]
    for ax, source in zip(axes[:, 0], sources):
        _costs(ax, shown[shown["source"] == source])
        ax.set_title(f"source {source}")
    fig.supylabel("pairs of experiments that disagree (%)", fontsize=11)
    axes[-1, 0].set_xlabel("mean cost (runs of cross-validation)")
    style.legend_outside(fig, axes[0, 0], ncols=2)
    return fig

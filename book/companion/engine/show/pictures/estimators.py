"""Pictures of the estimators: their variances, their intervals, and replicability by data set."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from . import style
from .style import BLUE, GREY, INK, RED, SERIES, in_house_style


@in_house_style
def variance_surfaces(variances: pd.DataFrame) -> Figure:
    """Draw Figure 2 of bouckaert2004 as in the paper: two surfaces above r and n.

    Parameters
    ----------
    variances : DataFrame
        `companion.papers.bouckaert2004.section_3.figure_2`.
    """
    fig, ax = style.figure(height=4.0, subplot_kw={"projection": "3d"})
    for column, color in (("r1", RED), ("r2", BLUE)):
        height = variances.pivot(index="n", columns="r", values=column)
        r, n = np.meshgrid(height.columns, height.index)
        ax.plot_wireframe(r, n, height, color=color, lw=0.8, ls="-", rstride=1, cstride=5)
    ax.set(xlabel="replicability $r$", ylabel="repetitions $n$")
    ax.text2D(0.98, 0.84, "variance", transform=ax.transAxes, ha="right")
    ax.view_init(elev=24, azim=-40)
    ax.set_box_aspect(None, zoom=1.12)
    for axis in (ax.xaxis, ax.yaxis, ax.zaxis):
        axis.pane.set_facecolor("none")
        axis.pane.set_edgecolor(GREY)
        axis._axinfo["grid"].update(color=GREY, linewidth=0.3)
    at = variances.query("n == n.min() and r == 0.5").iloc[0]
    ax.text(at["r"], at["n"], at["r1"], r"$\hat R_1$ ", color=RED, ha="right")
    ax.text(at["r"], at["n"], at["r2"], r"$\hat R_2$ ", color=BLUE, ha="right")
    return fig


@in_house_style
def relative_efficiency(variances: pd.DataFrame) -> Figure:
    """Draw R2's variance as a share of R1's against r, one line per number of repetitions.

    Parameters
    ----------
    variances : DataFrame
        `companion.papers.bouckaert2004.section_3.figure_2`.
    """
    fig, ax = style.figure(height=3.6)
    below_one = variances[variances["r"] < 1]
    shown = [n for n in (4, 6, 10, 28) if n in set(below_one["n"])]
    for (color, line), n in zip(SERIES, shown):
        rows = below_one[below_one["n"] == n]
        ratio = 100 * rows["r2"] / rows["r1"]
        ax.plot(rows["r"], ratio, color=color, ls=line)
        style.note(ax, f"$n={n}$", (0.5, ratio.iloc[0]), (-5, 0), ha="right", va="center",
                   color=color)
    ax.set(xlabel="replicability $r$", xlim=(0.41, 1), ylim=(0, 103),
           ylabel=r"$\mathrm{Var}\,\hat R_2$ in % of $\mathrm{Var}\,\hat R_1$")
    ax.axhline(100, color=GREY, lw=0.8, ls=":")
    ax.set_xticks(np.arange(0.5, 1.01, 0.1))
    return fig


@in_house_style
def interval_coverage(coverage: pd.DataFrame, confidence_level: float) -> Figure:
    """Draw the exact coverage of the two intervals against r.

    Parameters
    ----------
    coverage : DataFrame
        `companion.papers.bouckaert2004.section_3.interval_coverage`.
    confidence_level : float
        The nominal level, drawn as a line.
    """
    fig, ax = style.figure(height=3.4)
    ax.plot(coverage["r"], 100 * coverage["mapped"], color=BLUE, ls="-",
            label="Clopper–Pearson, mapped")
    ax.plot(coverage["r"], 100 * coverage["wald"], color=RED, ls="--",
            label="estimate ± normal quantile × error")
    ax.axhline(100 * confidence_level, color=GREY, lw=0.8, ls=":")
    ax.annotate("nominal", (1, 100 * confidence_level), color=GREY, ha="right", va="top",
                fontsize=9)
    ax.set(xlabel="replicability $r$", ylabel="coverage (%)", ylim=(0, 103))
    ax.legend(loc="lower center")
    return fig


@in_house_style
def replicability_by_dataset(frame: pd.DataFrame, n: int) -> Figure:
    """Draw the estimate and interval of r for each data set, sorted, and the average.

    Parameters
    ----------
    frame : DataFrame
        Columns `dataset`, `r2`, `low`, `high`.
    n : int
        Number of repetitions on each data set.
    """
    frame = frame.sort_values(["r2", "dataset"], ascending=[True, False]).reset_index(drop=True)
    fig, ax = style.figure(height=0.21 * len(frame) + 0.9)
    ax.hlines(frame.index, frame["low"], frame["high"], color=BLUE, lw=1.4)
    ax.plot(frame["r2"], frame.index, "o", color=INK, ms=4, ls="none")
    mean = frame["r2"].mean()
    ax.axvline(mean, color=RED, lw=1, ls="--")
    ax.annotate(f" $R$ = {mean:.3f}", (mean, len(frame) - 0.4), color=RED, ha="left", va="bottom",
                fontsize=10)
    ax.set_yticks(frame.index, frame["dataset"], fontsize=9)
    ax.axvspan(ax.get_xlim()[0], 0.5, color=GREY, alpha=0.12, lw=0)
    ax.set(xlabel=f"replicability $r$ from {n} repetitions", xlim=(0.42, 1.01),
           ylim=(-0.7, len(frame) + 0.3))
    return fig

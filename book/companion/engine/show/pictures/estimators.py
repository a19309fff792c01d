"""Pictures of the estimators: their variances, their intervals, and replicability by data set."""

import numpy as np
import pandas as pd

from .drawing import marks, note, picture, rule, series
from .style import BLUE, GREY, INK, RED, SERIES, SMALL

#: Numbers of repetitions in the pictures of variances.
_SHOWN = (4, 6, 10, 28)


@picture(
    xlabel="replicability $r$",
    xlim=(0.36, 1),
    ylim=(0, None),
    xticks=np.arange(0.5, 1.01, 0.1),
    ylabel="variance of the estimate",
)
def variances_of_estimators(ax, variances: pd.DataFrame) -> None:
    """Draw Figure 2 of bouckaert2004 flat: both variances against r, a pair of lines per n.

    Parameters
    ----------
    variances : DataFrame
        `companion.papers.bouckaert2004.section_3.figure_2`.
    """
    for n in _SHOWN:
        rows = variances[variances["n"] == n]
        series(ax, rows["r"], rows["r1"], None, RED, "--")
        series(ax, rows["r"], rows["r2"], None, BLUE)
        between = rows[["r1", "r2"]].iloc[0].mean()
        ax.text(0.49, between, f"$n$ = {n}", ha="right", va="center")
    first = variances[variances["n"] == _SHOWN[0]].set_index("r")
    for column, label, color, va in (
        ("r1", r"$\hat R_1$", RED, "bottom"),
        ("r2", r"$\hat R_2$", BLUE, "top"),
    ):
        at = first.iloc[len(first) // 2]
        ax.text(at.name, at[column], label, color=color, va=va, size=12)


@picture(
    xlabel="replicability $r$",
    xlim=(0.41, 1),
    ylim=(0, 103),
    xticks=np.arange(0.5, 1.01, 0.1),
    ylabel=r"$\mathrm{Var}\,\hat R_2$ in % of $\mathrm{Var}\,\hat R_1$",
)
def relative_efficiency(ax, variances: pd.DataFrame) -> None:
    """Draw R2's variance as a share of R1's against r, one line per number of repetitions.

    Parameters
    ----------
    variances : DataFrame
        `companion.papers.bouckaert2004.section_3.figure_2`.
    """
    below_one = variances[variances["r"] < 1]
    shown = [n for n in _SHOWN if n in set(below_one["n"])]
    for look, n in zip(SERIES, shown):
        rows = below_one[below_one["n"] == n]
        ratio = 100 * rows["r2"] / rows["r1"]
        series(ax, rows["r"], ratio, None, *look)
        note(
            ax,
            f"$n={n}$",
            (0.5, ratio.iloc[0]),
            (-5, 0),
            ha="right",
            va="center",
            color=look[0],
        )
    rule(ax, y=100)


@picture(height=3.4, xlabel="replicability $r$", ylabel="coverage (%)", ylim=(0, 103))
def interval_coverage(ax, coverage: pd.DataFrame, confidence_level: float) -> None:
    """Draw the exact coverage of the two intervals against r.

    Parameters
    ----------
    coverage : DataFrame
        `companion.papers.bouckaert2004.section_3.interval_coverage`.
    confidence_level : float
        The nominal level, drawn as a line.
    """
    nominal, r = 100 * confidence_level, coverage["r"]
    series(ax, r, 100 * coverage["mapped"], "Clopper–Pearson, mapped", BLUE)
    series(
        ax, r, 100 * coverage["wald"], "estimate ± normal quantile × error", RED, "--"
    )
    rule(ax, y=nominal)
    note(ax, "nominal", (1, nominal), color=GREY, ha="right", va="top")
    ax.legend(loc="lower center")


@picture(xlim=(0.42, 1.01))
def replicability_by_dataset(ax, frame: pd.DataFrame, n: int) -> None:
    """Draw the estimate and interval of r for each data set, sorted, and the average.

    Parameters
    ----------
    frame : DataFrame
        Columns `dataset`, `r2`, `low`, `high`.
    n : int
        Number of repetitions on each data set.
    """
    frame = frame.sort_values(["r2", "dataset"], ascending=[True, False]).reset_index(
        drop=True
    )
    ax.figure.set_figheight(0.21 * len(frame) + 0.9)
    ax.hlines(frame.index, frame["low"], frame["high"], color=BLUE, lw=1.4)
    marks(ax, frame["r2"], frame.index, None, INK, ms=4)
    mean = frame["r2"].mean()
    rule(ax, x=mean, color=RED, ls="--")
    note(
        ax,
        f" $R$ = {mean:.3f}",
        (mean, len(frame) - 0.4),
        color=RED,
        ha="left",
        va="bottom",
    )
    ax.set_yticks(frame.index, frame["dataset"], fontsize=SMALL)
    ax.axvspan(ax.get_xlim()[0], 0.5, color=GREY, alpha=0.12, lw=0)
    ax.set(
        xlabel=f"replicability $r$ from {n} repetitions", ylim=(-0.7, len(frame) + 0.3)
    )

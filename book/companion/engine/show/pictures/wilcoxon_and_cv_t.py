"""Pictures of the Wilcoxon and cross-validation models: Figures 3 and 4 of berrar2024, coverage."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from .drawing import legend_outside, marks, note, picture, rule, series
from .style import AMBER, BLUE, GREEN, GREY, INK, PAPER, PURPLE, RED, SMALL

_P_AXIS = {
    "xscale": "log",
    "xlabel": "two-sided p-value (log scale)",
    "ylabel": "replication probability",
    "ylim": (0, 1.03),
}


@picture(2, height=5.2, sharex=True, sharey=True, xlabel="$Z$", ylabel="density")
def bells(axes, frame: pd.DataFrame, critical: float) -> None:
    """Draw Figure 3 of the paper: (a) null and alternative, (b) alternative, worst and best.

    Parameters
    ----------
    frame : DataFrame
        `section_2_statistics.figure_3`.
    critical : float
        Critical value of the test.
    """
    top, bottom = axes
    x = frame["x"]
    for side in (x <= -critical, x >= critical):
        top.fill_between(x, frame["null"], where=side, color=RED, alpha=0.85, lw=0)
    top.fill_between(
        x, frame["alternative"], where=x >= critical, color=BLUE, alpha=0.3, lw=0
    )
    for ax, column, color, line, label in (
        (top, "null", INK, "-", "$H_0$"),
        (top, "alternative", BLUE, "-", "$H_1$"),
        (bottom, "alternative", BLUE, "-", "$H_1$"),
        (bottom, "worst", AMBER, "--", "worst"),
        (bottom, "best", GREEN, "-.", "best"),
    ):
        series(ax, x, frame[column], None, color, line)
        peak = frame[column].idxmax()
        note(
            ax,
            label,
            (x[peak], frame[column][peak]),
            (0, 4),
            color=color,
            ha="center",
            va="bottom",
            bbox={"fc": PAPER, "ec": "none", "pad": 0.5},
        )
    for ax, letter in zip(axes, "ab"):
        rule(ax, x=critical)
        ax.set_title(f"({letter})")
    top.set_ylim(0, 1.18 * frame.drop(columns="x").to_numpy().max())
    note(
        top,
        "critical value",
        (critical, 1.02),
        xycoords=("data", "axes fraction"),
        color=GREY,
        ha="center",
        va="bottom",
        fontsize=SMALL,
    )


@picture(height=3.8, **_P_AXIS)
def over_p_values(ax, frame: pd.DataFrame, mark: tuple[float, float]) -> None:
    """Draw Figure 4 of the paper: estimate and limits against the p-value of a cross-validation.

    Parameters
    ----------
    frame : DataFrame
        `section_2_statistics.figure_4`.
    mark : pair of float
        p-value and replication probability of the marked point.
    """
    series(ax, frame["p"], frame["point"], None, INK)
    for limit in ("low", "high"):
        series(ax, frame["p"], frame[limit], None, GREEN)
    p, probability = mark
    lowest, highest = frame["p"].min(), frame["p"].max()
    ax.plot([p, p, lowest], [0, probability, probability], color=GREY, lw=0.9, ls=":")
    marks(ax, p, probability, None, RED, ms=6)
    note(
        ax,
        f"({p:.3g}, {probability:g})",
        mark,
        (-7, -6),
        color=RED,
        ha="right",
        va="top",
    )
    at, last = frame.iloc[len(frame) // 2], frame.iloc[-1]
    note(
        ax,
        "lower limit",
        (at["p"], at["low"]),
        (-8, -4),
        color=GREEN,
        ha="right",
        va="top",
    )
    note(ax, r"$\hat P_t$", (last["p"], last["point"]), (4, 0), va="center")
    ax.set_xlim(lowest, highest)


_INTERVALS = {
    "as_printed": ("as printed", RED, "--"),
    "inverted": (r"inverted, $\lambda=1$", BLUE, "-"),
    "scaled": (r"inverted, right $\lambda$", GREEN, "-."),
}


@picture(0)
def coverage(fig, laws: Mapping[str, pd.DataFrame], confidence_level: float) -> None:
    """Draw coverage of the intervals against the true effect, by law (`law_of_t.coverage`)."""
    fig.set_figheight(5.4)
    axes = fig.subplots(2, len(laws), sharex="col", sharey="row")
    for (law, frame), column in zip(laws.items(), axes.T):
        for ax, values in zip(column, ("coverage", "coverage_significant")):
            rule(ax, y=100 * confidence_level)
            for interval, look in _INTERVALS.items():
                rows = frame[frame["interval"] == interval]
                series(ax, rows["effect"], 100 * rows[values], *look)
        column[0].set_title(law)
        column[1].set(xlabel=r"true effect $\mu$")
    axes[0, 0].set(ylabel="all results (%)")
    axes[1, 0].set(ylabel="significant ones (%)", ylim=(0, 101))
    legend_outside(fig, axes[0, 0], ncols=3)


@picture(height=3.8, xscale="log", xlabel="p-value needed (log scale)")
def thresholds(ax, frame: pd.DataFrame, claimed: float) -> None:
    """Draw the p-values that five readings require, against the number of folds.

    Parameters
    ----------
    frame : DataFrame
        `law_of_t.thresholds`.
    claimed : float
        The threshold that the paper recommends.
    """
    places = np.arange(len(frame))
    for column, *look in (
        ("point", r"$\hat P_t$ as printed", INK, "o"),
        ("independent", r"$\hat P_t$, independent folds", AMBER, "^"),
        ("selected", "given selection", PURPLE, "D"),
        ("low_as_printed", "lower limit, printed", GREEN, "s"),
        ("low_inverted", "lower limit, inverted", BLUE, "v"),
    ):
        marks(ax, frame[column], places, *look, ms=6)
    rule(ax, x=claimed, color=RED, ls="--")
    note(ax, f"{claimed:g}", (claimed, -0.6), (3, 0), color=RED, va="center")
    ax.set_yticks(places, [f"{k} folds" for k in frame.index])
    ax.set_ylim(len(frame) - 0.5, -0.9)
    ax.legend(loc="lower center", bbox_to_anchor=(0.42, 1.0), ncols=2)

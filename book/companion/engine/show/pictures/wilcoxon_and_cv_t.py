"""Pictures of the Wilcoxon and cross-validation models: Figures 3 and 4 of berrar2024, coverage."""

from collections.abc import Mapping

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from . import style
from .style import AMBER, BLUE, GREEN, GREY, INK, PAPER, PURPLE, RED, in_house_style


@in_house_style
def bells(frame: pd.DataFrame, critical: float) -> Figure:
    """Draw Figure 3 of the paper: (a) null and alternative, (b) alternative, worst and best.

    Parameters
    ----------
    frame : DataFrame
        `section_2_statistics.figure_3`.
    critical : float
        Critical value of the test.
    """
    fig, (top, bottom) = style.figure(2, height=5.2, sharex=True, sharey=True)
    x = frame["x"]
    for side in (x <= -critical, x >= critical):
        top.fill_between(x, frame["null"], where=side, color=RED, alpha=0.85, lw=0)
    top.fill_between(x, frame["alternative"], where=x >= critical, color=BLUE, alpha=0.3, lw=0)
    _bell(top, frame, "null", INK, "-", "$H_0$")
    _bell(top, frame, "alternative", BLUE, "-", "$H_1$")
    _bell(bottom, frame, "alternative", BLUE, "-", "$H_1$")
    _bell(bottom, frame, "worst", AMBER, "--", "worst")
    _bell(bottom, frame, "best", GREEN, "-.", "best")
    for ax, letter in ((top, "(a)"), (bottom, "(b)")):
        ax.axvline(critical, color=GREY, lw=0.8, ls=":")
        ax.set_title(letter)
        ax.set(ylabel="density")
        ax.set_ylim(0, 1.18 * frame.drop(columns="x").to_numpy().max())
    top.annotate("critical value", (critical, 1.02), xycoords=("data", "axes fraction"), color=GREY,
                 ha="center", va="bottom", fontsize=9, annotation_clip=False)
    bottom.set(xlabel="$Z$")
    return fig


def _bell(ax: Axes, frame: pd.DataFrame, column: str, color: str, line, label: str) -> None:
    ax.plot(frame["x"], frame[column], color=color, ls=line)
    peak = frame[column].idxmax()
    style.note(ax, label, (frame["x"][peak], frame[column][peak]), (0, 4), color=color, ha="center",
               va="bottom", bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 0.5})


@in_house_style
def over_p_values(frame: pd.DataFrame, mark: tuple[float, float]) -> Figure:
    """Draw Figure 4 of the paper: estimate and limits against the p-value of a cross-validation.

    Parameters
    ----------
    frame : DataFrame
        `section_2_statistics.figure_4`.
    mark : pair of float
        p-value and replication probability of the marked point.
    """
    fig, ax = style.figure(height=3.8)
    ax.plot(frame["p"], frame["point"], color=INK, ls="-")
    for limit in ("low", "high"):
        ax.plot(frame["p"], frame[limit], color=GREEN, ls="-", lw=1.4)
    p, probability = mark
    ax.plot([p, p, frame["p"].min()], [0, probability, probability], color=GREY, lw=0.9, ls=":")
    ax.plot(p, probability, "o", color=RED, ms=6, ls="none")
    style.note(ax, f"({p:.3g}, {probability:g})", (p, probability), (-7, -6), color=RED, ha="right",
               va="top", fontsize=10)
    _p_axis(ax, frame)
    at = frame.iloc[len(frame) // 2]
    style.note(ax, "lower limit", (at["p"], at["low"]), (-8, -4), color=GREEN, ha="right", va="top",
               fontsize=10)
    last = frame.iloc[-1]
    style.note(ax, r"$\hat P_t$", (last["p"], last["point"]), (4, 0), va="center",
               annotation_clip=False)
    return fig


def _p_axis(ax: Axes, frame: pd.DataFrame) -> None:
    ax.set_xscale("log")
    ax.set(xlabel="two-sided p-value (log scale)", ylabel="replication probability", ylim=(0, 1.03),
           xlim=(frame["p"].min(), frame["p"].max()))


@in_house_style
def two_readings(inverted: pd.DataFrame, selected: pd.DataFrame) -> Figure:
    """Draw Figure 4 with an interval that covers, and the estimate that allows for selection.

    Parameters
    ----------
    inverted, selected : DataFrame
        `section_2_statistics.figure_4` with ``interval="inverted"`` and ``selected=True``.
    """
    fig, axes = style.figure(2, height=6.0, sharex=True)
    for ax, frame, color, title in (
        (axes[0], inverted, BLUE, "taking the result as it comes"),
        (axes[1], selected, PURPLE, "given that it was significant"),
    ):
        ax.fill_between(frame["p"], frame["low"], frame["high"], color=color, alpha=0.2, lw=0)
        ax.plot(frame["p"], frame["point"], color=color, ls="-")
        _p_axis(ax, frame)
        ax.set_title(title)
    axes[1].plot(inverted["p"], inverted["point"], color=BLUE, ls="--", lw=1.2)
    last = inverted.iloc[-1]
    style.note(axes[1], "as it\ncomes", (last["p"], last["point"]), (4, 0), color=BLUE, va="center",
               fontsize=9, annotation_clip=False)
    axes[0].set_xlabel("")
    return fig


@in_house_style
def scale_of_t(frame: pd.DataFrame, folds: int, alpha: float) -> Figure:
    """Draw the factor of T and its test's size against correlation of folds (`law_of_t.sizes`)."""
    fig, (top, bottom) = style.figure(2, height=4.6, sharex=True)
    top.plot(frame["correlation"], frame["scale"], color=BLUE, ls="-")
    bottom.plot(frame["correlation"], 100 * frame["size"], color=BLUE, ls="-")
    for ax, at in ((top, 1.0), (bottom, 100 * alpha)):
        ax.plot([0, 1 / folds, 1 / folds], [at, at, ax.get_ylim()[0]], color=GREY, lw=0.9, ls=":")
        ax.plot(1 / folds, at, "o", color=RED, ms=6, ls="none")
    top.set(ylabel=r"$\lambda$")
    bottom.set(ylabel="size (%)", xlabel=r"correlation of fold differences $\rho$",
               xlim=(0, frame["correlation"].max()))
    return fig


_INTERVALS = (
    ("as_printed", RED, "--", "as printed"), ("inverted", BLUE, "-", r"inverted, $\lambda=1$"),
    ("scaled", GREEN, "-.", r"inverted, right $\lambda$"),
)


@in_house_style
def coverage(laws: Mapping[str, pd.DataFrame], confidence_level: float) -> Figure:
    """Draw coverage of the intervals against the true effect, by law (`law_of_t.coverage`)."""
    fig, axes = style.figure(2, len(laws), height=5.4, sharex="col", sharey="row")
    for (law, frame), column in zip(laws.items(), axes.T):
        for ax, values in zip(column, ("coverage", "coverage_significant")):
            ax.axhline(100 * confidence_level, color=GREY, lw=0.8, ls=":")
            for interval, color, line, label in _INTERVALS:
                rows = frame[frame["interval"] == interval]
                ax.plot(rows["effect"], 100 * rows[values], color=color, ls=line, label=label)
        column[0].set_title(law)
        column[1].set(xlabel=r"true effect $\mu$")
    axes[0, 0].set(ylabel="all results (%)")
    axes[1, 0].set(ylabel="significant ones (%)", ylim=(0, 101))
    style.legend_outside(fig, axes[0, 0], ncols=3, fontsize=9)
    return fig


@in_house_style
def bias(laws: Mapping[str, pd.DataFrame]) -> Figure:
    """Draw the errors of interval middles and estimates against the truth (`law_of_t.bias`)."""
    fig, axes = style.figure(2, len(laws), height=5.4, sharex=True, sharey="row")
    for (law, frame), column in zip(laws.items(), axes.T):
        of_interval = dict(list(frame.groupby("interval")))
        for ax, which in zip(column, ("", "_significant")):
            ax.axhline(0, color=GREY, lw=0.8, ls=":")
            for interval, color, line, label in _INTERVALS:
                rows = of_interval[interval]
                ax.plot(rows["P"], 100 * rows[f"middle{which}"], color=color, ls=line, label=label)
            for interval, color, label in (
                ("as_printed", AMBER, r"estimate, $\lambda=1$"),
                ("scaled", PURPLE, r"estimate, right $\lambda$"),
            ):
                rows = of_interval[interval]
                ax.plot(rows["P"], 100 * rows[f"point{which}"], color=color, ls=":", lw=2,
                        label=label)
        column[0].set_title(law)
        column[1].set(xlabel="true replication probability", xlim=(0, 1))
        column[1].xaxis.set_major_formatter(PercentFormatter(xmax=1))
    axes[0, 0].set(ylabel="all results (points)")
    axes[1, 0].set(ylabel="significant ones (points)")
    style.legend_outside(fig, axes[0, 0], ncols=3, fontsize=9)
    return fig


@in_house_style
def selection_bias(frame: pd.DataFrame) -> Figure:
    """Draw plain and selected estimates after a significant result against the truth.

    Parameters
    ----------
    frame : DataFrame
        `law_of_t.selection_bias`.
    """
    fig, ax = style.figure(height=4.2)
    ax.plot([0, 1], [0, 1], color=GREY, lw=1, ls=":", label="truth")
    for kind, color, words in (("plain", RED, "plain"), ("selected", BLUE, "given selection")):
        ax.plot(frame["P"], frame[f"{kind}_median"], color=color, ls="-", label=f"{words}, median")
        ax.plot(frame["P"], frame[f"{kind}_mean"], color=color, ls="--", lw=1.3,
                label=f"{words}, mean")
    ax.set(xlabel="true replication probability", ylabel="estimate,\ngiven a significant result",
           xlim=(0, 1), ylim=(0, 1.01))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(PercentFormatter(xmax=1))
    ax.legend(loc="lower right", fontsize=9)
    return fig


@in_house_style
def thresholds(frame: pd.DataFrame, claimed: float) -> Figure:
    """Draw the p-values that five readings require, against the number of folds.

    Parameters
    ----------
    frame : DataFrame
        `law_of_t.thresholds`.
    claimed : float
        The threshold that the paper recommends.
    """
    fig, ax = style.figure(height=3.8)
    places = np.arange(len(frame))
    for column, color, marker, label in (
        ("point", INK, "o", r"$\hat P_t$ as printed"),
        ("independent", AMBER, "^", r"$\hat P_t$, independent folds"),
        ("selected", PURPLE, "D", "given selection"),
        ("low_as_printed", GREEN, "s", "lower limit, printed"),
        ("low_inverted", BLUE, "v", "lower limit, inverted"),
    ):
        ax.plot(frame[column], places, marker, color=color, ms=6, ls="none", label=label)
    ax.axvline(claimed, color=RED, lw=1, ls="--")
    style.note(ax, f"{claimed:g}", (claimed, -0.6), (3, 0), color=RED, va="center", fontsize=10)
    ax.set_xscale("log")
    ax.set_yticks(places, [f"{k} folds" for k in frame.index])
    ax.set(xlabel="p-value needed (log scale)", ylim=(len(frame) - 0.5, -0.9))
    ax.legend(loc="lower center", bbox_to_anchor=(0.42, 1.0), ncols=2, fontsize=9)
    return fig

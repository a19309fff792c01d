"""Pictures of the binomial and Bayesian models: Figures 1 and 2 of berrar2024, what they hide."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from . import style
from .style import BLUE, GREEN, GREY, INK, PAPER, RED, in_house_style


@in_house_style
def two_distributions(frame: pd.DataFrame) -> Figure:
    """Draw Figure 1 of the paper: wins under both hypotheses, significant ones in colour.

    Parameters
    ----------
    frame : DataFrame
        `section_2_wins.figure_1`.
    """
    fig, ax = style.figure(height=3.6)
    null = np.where(frame["significant"] == "", PAPER, RED)
    alternative = np.where(frame["significant"] == "A", GREEN, GREY)
    ax.bar(frame["count"], frame["null"], width=0.92, color=null, edgecolor=INK, lw=0.7)
    ax.bar(frame["count"], frame["alternative"], width=0.5, color=alternative, edgecolor=INK,
           lw=0.5)
    top = max(frame["null"].max(), frame["alternative"].max())
    n = len(frame) - 1
    for column, align, color in (("null", "right", INK), ("alternative", "left", GREEN)):
        peak = frame.loc[frame[column].idxmax()]
        subscript = "0" if column == "null" else "1"
        style.note(ax, f"under $H_{subscript}$", (peak["count"], peak[column]), (0, 6), ha=align,
                   color=color)
    ticks = [0, n]
    ticks += frame.loc[frame["significant"] == "B", "count"].tail(1).tolist()
    ticks += frame.loc[frame["significant"] == "A", "count"].head(1).tolist()
    ax.set_xticks(sorted(set(ticks)))
    ax.set(xlabel=f"wins of A on {n} data sets", ylabel="probability", ylim=(0, 1.15 * top),
           xlim=(-1, n + 1))
    return fig


@in_house_style
def power_over_theta(
    curve: pd.DataFrame, points: pd.DataFrame, limits: tuple[float, float]
) -> Figure:
    """Draw replication probability against success probability, above its posterior density.

    Parameters
    ----------
    curve : DataFrame
        `companion.papers.berrar2024.power_over_theta`.
    points : DataFrame
        Indexed by the names "low", "point" and "high", columns `theta` and `P`.
    limits : pair of float
        Range of theta that is drawn.
    """
    fig, (ax, below) = style.figure(
        2, height=4.6, sharex=True, gridspec_kw={"height_ratios": [2.4, 1]}
    )
    ax.plot(curve["theta"], curve["P"], color=BLUE, ls="-")
    for name, row in points.iterrows():
        line = "-" if name == "point" else "--"
        for panel, top in ((ax, row["P"]), (below, 1.1)):
            panel.vlines(row["theta"], 0, top, color=RED, lw=1, ls=line)
        ax.hlines(row["P"], limits[0], row["theta"], color=RED, lw=1, ls=line)
        style.note(ax, f"{row['P']:.3f}", (limits[0], row["P"]), (3, 2), color=RED, fontsize=10,
                   va="bottom")
    below.fill_between(curve["theta"], curve["posterior"], color=GREY, alpha=0.35, lw=0)
    below.plot(curve["theta"], curve["posterior"], color=GREY, ls="-", lw=1)
    ax.set(ylabel="replication\nprobability", ylim=(0, 1.1), xlim=limits)
    below.set(xlabel=r"success probability $\theta$", ylabel="posterior\ndensity", ylim=(0, 1.1),
              yticks=[])
    return fig


@in_house_style
def over_p_values(frame: pd.DataFrame, confidence_level: float) -> Figure:
    """Draw Figure 2 of the paper: both models for all significant p-values.

    Parameters
    ----------
    frame : DataFrame
        `section_2_wins.figure_2`.
    confidence_level : float
        Level of the vertical lines.
    """
    fig, ax = style.figure(height=3.6)
    for model, color, side, label in (
        ("binomial", INK, 1, "binomial"), ("bayesian", BLUE, -1, "Bayesian"),
    ):
        p = frame["p"] * 10 ** (0.09 * side)
        ax.vlines(p, frame[f"low_{model}"], frame[f"high_{model}"], color=color, lw=1.2)
        ax.plot(p, frame[f"point_{model}"], "s", color=color, ms=4.5, ls="none", label=label)
    ax.axhline(0.5, color=GREY, lw=0.8, ls=":")
    ax.set_xscale("log")
    ax.set(xlabel="two-sided p-value (log scale)", ylim=(0, 1.02),
           ylabel=f"replication probability\nwith {100 * confidence_level:g}% interval")
    ax.legend(loc="lower left")
    return fig


@in_house_style
def over_all_wins(frame: pd.DataFrame, first_significant: int) -> Figure:
    """Draw the estimate and nested intervals against the number of wins, significant or not.

    Parameters
    ----------
    frame : DataFrame
        `companion.papers.berrar2024.over_all_wins`.
    first_significant : int
        Smallest significant number of wins.
    """
    fig, ax = style.figure(height=3.8)
    wins = frame["wins"].unique()
    for level, rows in sorted(frame.groupby("level"), reverse=True):
        ax.vlines(rows["wins"], rows["low"], rows["high"], color=BLUE, alpha=0.35,
                  lw=2 + 5 * (1 - level))
    at_last = dict(list(frame.groupby("level")))
    rows = next(iter(at_last.values()))
    ax.plot(rows["wins"], rows["point"], "o", color=INK, ms=3.5, ls="none")
    if first_significant <= wins.max():
        ax.axvline(first_significant - 0.5, color=RED, lw=1, ls="--")
        ax.annotate("significant →", (first_significant - 0.5, 1.03), color=RED, fontsize=10,
                    annotation_clip=False, va="bottom", ha="left")
    ax.set(xlabel="wins of A in the first experiment", ylabel="replication probability",
           ylim=(0, 1.02))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    levels = ", ".join(f"{100 * level:g}" for level in at_last)
    ax.annotate(f"bars: {levels}% intervals", (0.99, 0.03), xycoords="axes fraction", color=BLUE,
                ha="right", fontsize=10)
    return fig


@in_house_style
def selection_bias(frame: pd.DataFrame) -> Figure:
    """Draw the mean estimate after a significant result against the true replication probability.

    Parameters
    ----------
    frame : DataFrame
        `companion.papers.berrar2024.binomial_selection_bias`.
    """
    fig, ax = style.figure(height=3.8)
    ax.plot([0, 1], [0, 1], color=GREY, lw=1, ls=":")
    style.note(ax, "truth", (0.42, 0.42), (4, -4), color=GREY, va="top")
    for model, color, line, label, va in (
        ("binomial", INK, "-", "binomial", "bottom"), ("bayesian", BLUE, "--", "Bayesian", "top"),
    ):
        ax.plot(frame["P"], frame[model], color=color, ls=line)
        at = frame.iloc[(frame["P"] - 0.35).abs().argmin()]
        style.note(ax, label, (at["P"], at[model]), (0, 5 if va == "bottom" else -8), color=color,
                   va=va, ha="center")
    ax.set(xlabel="true replication probability",
           ylabel="mean estimate,\ngiven a significant result",
           xlim=(0, 1), ylim=(0, 1.01))
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(PercentFormatter(xmax=1))
    return fig

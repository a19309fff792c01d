"""Pictures of the binomial and Bayesian models: Figures 1 and 2 of berrar2024, what they hide."""

import numpy as np
import pandas as pd
from matplotlib.ticker import MaxNLocator, PercentFormatter

from .drawing import marks, note, picture, rule, series
from .style import BLUE, GREEN, GREY, INK, PAPER, RED


@picture(ylabel="probability")
def two_distributions(ax, frame: pd.DataFrame) -> None:
    """Draw Figure 1 of the paper: wins under both hypotheses, significant ones in colour.

    Parameters
    ----------
    frame : DataFrame
        `section_2_wins.figure_1`.
    """
    wins, winner, n = frame["count"], frame["significant"], len(frame) - 1
    ax.bar(
        wins,
        frame["null"],
        width=0.92,
        color=np.where(winner == "", PAPER, RED),
        edgecolor=INK,
        lw=0.7,
    )
    ax.bar(
        wins,
        frame["alternative"],
        width=0.5,
        color=np.where(winner == "A", GREEN, GREY),
        edgecolor=INK,
        lw=0.5,
    )
    for i, (column, align, color) in enumerate(
        (("null", "right", INK), ("alternative", "left", GREEN))
    ):
        peak = frame[column].idxmax()
        note(
            ax,
            f"under $H_{i}$",
            (wins[peak], frame[column][peak]),
            (0, 6),
            ha=align,
            color=color,
        )
    ax.set_xticks(
        sorted({0, n, *wins[winner == "B"].tail(1), *wins[winner == "A"].head(1)})
    )
    ax.set(
        xlabel=f"wins of A on {n} data sets",
        xlim=(-1, n + 1),
        ylim=(0, 1.15 * frame[["null", "alternative"]].to_numpy().max()),
    )


@picture(
    2,
    height=4.2,
    sharex=True,
    ratios=(2.4, 1),
    xlabel=r"success probability $\theta$",
    ylabel=("replication\nprobability", "posterior\ndensity"),
    ylim=(0, 1.1),
)
def power_over_theta(
    axes, curve: pd.DataFrame, points: pd.DataFrame, limits: tuple[float, float]
) -> None:
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
    above, below = axes
    series(above, curve["theta"], curve["P"], None, BLUE)
    for name, row in points.iterrows():
        look = {"color": RED, "lw": 1, "ls": "-" if name == "point" else "--"}
        above.vlines(row["theta"], 0, row["P"], **look)
        below.vlines(row["theta"], 0, 1.1, **look)
        above.hlines(row["P"], limits[0], row["theta"], **look)
        note(
            above,
            f"{row['P']:.3f}",
            (limits[0], row["P"]),
            (3, 2),
            color=RED,
            va="bottom",
        )
    below.fill_between(curve["theta"], curve["posterior"], color=GREY, alpha=0.35, lw=0)
    series(below, curve["theta"], curve["posterior"], None, GREY, lw=1)
    above.set(xlim=limits)
    below.set(yticks=[])


@picture(xscale="log", xlabel="two-sided p-value (log scale)", ylim=(0, 1.02))
def over_p_values(ax, frame: pd.DataFrame, confidence_level: float) -> None:
    """Draw Figure 2 of the paper: both models for all significant p-values.

    Parameters
    ----------
    frame : DataFrame
        `section_2_wins.figure_2`.
    confidence_level : float
        Level of the vertical lines.
    """
    for model, color, side in (("binomial", INK, 1), ("bayesian", BLUE, -1)):
        p = frame["p"] * 10 ** (0.09 * side)
        ax.vlines(p, frame[f"low_{model}"], frame[f"high_{model}"], color=color, lw=1.2)
        label = model.replace("bayes", "Bayes")
        marks(ax, p, frame[f"point_{model}"], label, color, "s", ms=4.5)
    rule(ax, y=0.5)
    ax.set_ylabel(f"replication probability\nwith {100 * confidence_level:g}% interval")
    ax.legend(loc="lower left")


@picture(
    height=3.8,
    xlabel="wins of A in the first experiment",
    ylabel="replication probability",
    ylim=(0, 1.02),
)
def over_all_wins(ax, frame: pd.DataFrame, first_significant: int) -> None:
    """Draw the estimate and nested intervals against the number of wins, significant or not.

    Parameters
    ----------
    frame : DataFrame
        `companion.papers.berrar2024.over_all_wins`.
    first_significant : int
        Smallest significant number of wins.
    """
    by_level = dict(list(frame.groupby("level")))
    for level, rows in reversed(by_level.items()):
        ax.vlines(
            rows["wins"],
            rows["low"],
            rows["high"],
            color=BLUE,
            alpha=0.35,
            lw=2 + 5 * (1 - level),
        )
    marks(ax, rows["wins"], rows["point"], None, INK, ms=3.5)
    if first_significant <= frame["wins"].max():
        border = first_significant - 0.5
        rule(ax, x=border, color=RED, ls="--")
        note(ax, "significant →", (border, 1.03), color=RED, va="bottom", ha="left")
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    levels = ", ".join(f"{100 * level:g}" for level in by_level)
    note(
        ax,
        f"bars: {levels}% intervals",
        (0.99, 0.03),
        xycoords="axes fraction",
        color=BLUE,
        ha="right",
    )


@picture(
    height=3.8,
    xlabel="true replication probability",
    xlim=(0, 1),
    ylim=(0, 1.01),
    ylabel="mean estimate,\ngiven a significant result",
)
def selection_bias(ax, frame: pd.DataFrame) -> None:
    """Draw the mean estimate after a significant result against the true replication probability.

    Parameters
    ----------
    frame : DataFrame
        `companion.papers.berrar2024.binomial_selection_bias`.
    """
    ax.plot([0, 1], [0, 1], color=GREY, lw=1, ls=":")
    note(ax, "truth", (0.42, 0.42), (4, -4), color=GREY, va="top")
    at = frame.iloc[(frame["P"] - 0.35).abs().argmin()]
    for model, label, color, line, va, shift in (
        ("binomial", "binomial", INK, "-", "bottom", 5),
        ("bayesian", "Bayesian", BLUE, "--", "top", -8),
    ):
        series(ax, frame["P"], frame[model], None, color, line)
        note(
            ax, label, (at["P"], at[model]), (0, shift), color=color, va=va, ha="center"
        )
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(PercentFormatter(xmax=1))

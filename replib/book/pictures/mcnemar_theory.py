"""Pictures of McNemar's test: profiles over the difference, the spread of p(D), the arcsine law."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from replib.book.pictures import style
from replib.book.pictures.style import (
    AMBER,
    BLUE,
    GREEN,
    GREY,
    INK,
    RED,
    SERIES,
    in_house_style,
)


@in_house_style
def profiles(profile: pd.DataFrame) -> Figure:
    """Figure 1 of bouckaert2005: power and replicability over the difference, a panel a split.

    Parameters
    ----------
    profile : DataFrame
        `replib.papers.bouckaert2005.figure_1`.
    """
    fractions = sorted(profile["test_fraction"].unique())
    fig, axes = style.figure(
        len(fractions), 1, height=2.5 * len(fractions) + 0.5, sharex=True, squeeze=False
    )
    for ax, fraction in zip(axes[:, 0], fractions):
        panel = profile[profile["test_fraction"] == fraction]
        for (color, line), (size, curve) in zip(SERIES, panel.groupby("size")):
            ax.plot(curve["difference"], curve["power"], color=color, ls=line, lw=1.2)
            ax.plot(curve["difference"], curve["replicability"], color=color, ls=line, lw=2.2,
                    label=f"{size:,}")
        ax.axhline(50, color=GREY, lw=0.7, ls=":")
        ax.set(ylabel="%", ylim=(-3, 103), xlim=(0, 25))
        ax.set_title(f"{100 * fraction:.0f}% of the data for testing")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    fig.legend(handles, [f"{label} instances" for label in labels], loc="outside upper center",
               ncols=3)
    axes[-1, 0].set_xlabel("difference in accuracy of B and A (percentage points)")
    return fig


@in_house_style
def replicability_over_power(profile: pd.DataFrame, limits: pd.DataFrame) -> Figure:
    """Normalised replicability against power: the curves of all sizes fall together.

    Parameters
    ----------
    profile : DataFrame
        `replib.papers.bouckaert2005.figure_1`.
    limits : DataFrame
        `replib.papers.bouckaert2005.limit_profile`.
    """
    fig, ax = style.figure(height=4)
    marks = dict(zip(sorted(profile["size"].unique()), "osDv^<>"))
    colors = dict(zip(sorted(profile["test_fraction"].unique()), (BLUE, RED, GREEN, AMBER)))
    for fraction, color in colors.items():
        line = limits[limits["test_fraction"] == fraction]
        ax.plot(line["power"], line["replicability"], color=color, ls="-", lw=1.4)
        middle = line.iloc[(line["power"] - 50).abs().argmin()]
        ax.annotate(f"$t$ = {fraction:.2g}", (middle["power"], middle["replicability"]),
                    color=color,
                    xytext=(0, -6), textcoords="offset points", ha="center", va="top")
        for size, mark in marks.items():
            dots = profile[(profile["size"] == size) & (profile["test_fraction"] == fraction)]
            ax.plot(dots["power"], dots["replicability"], mark, ms=4, mfc="none", color=color,
                    ls="none")
    for size, mark in marks.items():
        ax.plot([], [], mark, ms=4, mfc="none", color=INK, ls="none", label=f"{size:,} instances")
    ax.plot([], [], color=INK, ls="-", lw=1.4, label="limit")
    ax.legend(loc="upper center", fontsize=9)
    ax.set(xlabel="power (%)", ylabel="normalised replicability (%)", xlim=(-2, 102),
           ylim=(-8, 103))
    return fig


@in_house_style
def type1_trend(trend: pd.DataFrame, printed: pd.Series) -> Figure:
    """Type I replicability over data set size: printed, exact, and without the correction.

    Parameters
    ----------
    trend : DataFrame
        `replib.papers.bouckaert2005.type1_trend`.
    printed : Series
        The paper's values by size; sizes it does not print are missing.
    """
    fig, ax = style.figure(height=3.5)
    n = trend["size"]
    ax.plot(n, trend["exact"], color=BLUE, ls="-")
    ax.plot(n, trend["exact_uncorrected"], color=GREEN, ls="-.")
    ax.errorbar(n * 1.06, trend["simulated"], 1.96 * trend["standard_error"], fmt="s", ms=4,
                mfc="none",
                color=GREY, ls="none", lw=1, capsize=2)
    shown = trend[trend["size"].isin(printed.index)]
    ax.errorbar(shown["size"] / 1.06, printed.loc[shown["size"]], 1.96 * shown["published_error"],
                fmt="o", ms=4, color=RED, ls="none", lw=1, capsize=2)
    last = trend.iloc[0]
    ax.annotate("corrected test, exact", (n.iloc[0], last["exact"]), xytext=(52, 14),
                textcoords="offset points", color=BLUE)
    ax.annotate("uncorrected test, exact", (n.iloc[0], last["exact_uncorrected"]), xytext=(0, -26),
                textcoords="offset points", color=GREEN)
    ax.plot([], [], "o", color=RED, ls="none", label="printed")
    ax.plot([], [], "s", mfc="none", color=GREY, ls="none", label="our simulation")
    ax.legend(loc="upper right")
    ax.set(xscale="log", xlabel="instances in the data set",
           ylabel="normalised replicability\nunder the null hypothesis (%)")
    ax.margins(y=0.12)
    return fig


@in_house_style
def spread_of_rejection(densities: pd.DataFrame) -> Figure:
    """Distribution function of p(D) over data sets where the power is one half.

    Parameters
    ----------
    densities : DataFrame
        `replib.papers.bouckaert2005.spread_of_rejection`.
    """
    fig, ax = style.figure(height=3.5)
    for (color, line), (fraction, curve) in zip(SERIES, densities.groupby("test_fraction")):
        ax.plot(curve["p"], 100 * curve["cdf"], color=color, ls=line)
        at = curve.iloc[(curve["p"] - 0.74).abs().argmin()]  # they cross in the middle
        ax.annotate(f"$t$ = {fraction:.2g}", (at["p"], 100 * at["cdf"]), xytext=(6, -3),
                    textcoords="offset points", va="top", color=color)
    ax.set(xlabel="$p(D)$: chance that an experiment on the data set rejects", xlim=(0, 1),
           ylabel="data sets (%)", ylim=(0, 100))
    return fig


@in_house_style
def worst_case(laws: pd.DataFrame, exact: pd.DataFrame) -> Figure:
    """Worst-case replicability over the test fraction: the arcsine law and the printed formula.

    Parameters
    ----------
    laws : DataFrame
        `replib.papers.bouckaert2005.errata_of_worst_case` on a fine grid.
    exact : DataFrame
        `replib.papers.bouckaert2005.lowest_replicability`.
    """
    fig, ax = style.figure(height=3.5)
    t = 100 * laws["test_fraction"]
    ax.plot(t, 100 * (2 * laws["correct"] - 1), color=BLUE, ls="-")
    ax.plot(t, 100 * (2 * laws["printed"] - 1), color=RED, ls="--")
    smallest = exact["size"].min()
    dots = exact[exact["size"] == smallest]
    ax.plot(100 * dots["test_fraction"], dots["replicability"], "o", mfc="none", color=INK,
            ls="none")
    at = np.abs(t - 80).argmin()
    ax.annotate(r"$2\arcsin(t)/\pi$", (t[at], 100 * (2 * laws["correct"][at] - 1)), color=BLUE,
                xytext=(-6, 4), textcoords="offset points", ha="right")
    ax.annotate("appendix of the paper", (t[at], 100 * (2 * laws["printed"][at] - 1)), color=RED,
                xytext=(0, -12), textcoords="offset points", ha="center", va="top")
    for row in dots.itertuples():
        ax.annotate(f"exact, {smallest:,} instances" if row.Index == dots.index[0] else "",
                    (100 * row.test_fraction, row.replicability), xytext=(8, -10),
                    textcoords="offset points", color=INK, fontsize=10)
    ax.set(xlabel="share of the data used for testing, $t$ (%)", xlim=(0, 100), ylim=(0, 102),
           ylabel="worst-case normalised\nreplicability (%)")
    return fig

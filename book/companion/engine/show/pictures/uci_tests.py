"""Pictures of the tests on the UCI data sets: printed counts among those that were possible."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from . import names, style
from .style import BLUE, GREEN, GREY, INK, PURPLE, RED, in_house_style

_TESTS = {
    "resampling": ("resampling", RED, "--", "s", -1),
    "cross_validation": ("10-fold, repeated", BLUE, "-", "o", 1),
}


@in_house_style
def draws_by_dataset(frame: pd.DataFrame) -> Figure:
    """Draw the printed draws of one pair and those of ten of our experiments.

    Parameters
    ----------
    frame : DataFrame
        Rows of one pair of `companion.papers.bouckaert_frank2004.table_1.draws`.
    """
    frame = frame.sort_values(["rebuilt", "dataset"], kind="stable").reset_index(drop=True)
    fig, ax = style.figure(height=0.21 * len(frame) + 1.0)
    reach = 2 * frame["published_error"]
    low, high = (frame["rebuilt"] - reach).clip(0, 10), (frame["rebuilt"] + reach).clip(0, 10)
    ax.hlines(frame.index, low, high, color=BLUE, lw=5, alpha=0.35)
    ax.plot(frame["rebuilt"], frame.index, "|", color=BLUE, ms=9, mew=2, ls="none")
    ax.plot(frame["printed"], frame.index, "o", color=INK, ms=4.5, ls="none")
    ax.set_yticks(frame.index, frame["dataset"], fontsize=9)
    ax.set_xticks(range(0, 11, 2))
    ax.set(xlabel="tests of ten that see no difference", xlim=(-0.3, 10.3),
           ylim=(-0.7, len(frame) - 0.3))
    for x, text, color in ((0.02, "● printed", INK), (0.28, "▎rebuilt, ± 2 sd", BLUE)):
        ax.text(x, 1.01, text, transform=ax.transAxes, color=color, fontsize=10, va="bottom")
    return fig


@in_house_style
def replicability_by_effort(frame: pd.DataFrame) -> Figure:
    """Draw R against the number of train-and-test rounds of two tests, one panel per pair.

    Parameters
    ----------
    frame : DataFrame
        `companion.papers.bouckaert_frank2004.tables_2_to_4.replicability_by_effort`.
    """
    fig, axes = style.figure(len(names.PAIRS), height=7.2, sharex=True, sharey=True)
    for ax, (pair, name) in zip(axes, names.PAIRS.items()):
        for test, (label, color, line, marker, side) in _TESTS.items():
            rows = frame[(frame["pair"] == pair) & (frame["test"] == test)].sort_values("effort")
            # side by side, so that the two bars of an effort do not overlap
            x = rows["effort"] * (1 + 0.015 * side)
            ax.errorbar(x, rows["rebuilt"], rows["published_error"], color=color, ls=line,
                        lw=1.6, elinewidth=1.2, capsize=2)
            ax.plot(x, rows["printed"], marker, color=color, mfc="none", mew=1.5, ms=7, ls="none",
                    label=label)
        ax.set_title(name)
        style.log_ticks(ax.xaxis, sorted(frame["effort"].unique()))
        ax.set_ylabel("replicability $R$")
    axes[0].legend(loc="lower right", title="printed")
    axes[-1].set_xlabel("train-and-test rounds of one experiment")
    return fig


@in_house_style
def replicability_by_level(frame: pd.DataFrame) -> Figure:
    """Draw R of the corrected 10 x 10-fold test against the significance level, panel by pair.

    Parameters
    ----------
    frame : DataFrame
        `companion.papers.bouckaert_frank2004.tables_2_to_4.replicability_by_level`.
    """
    fig, axes = style.figure(len(names.PAIRS), height=5.6, sharex=True, sharey=True)
    for ax, (pair, name) in zip(axes, names.PAIRS.items()):
        rows = frame[frame["pair"] == pair].sort_values("level")
        ax.errorbar(rows["level"], rows["rebuilt"], rows["published_error"], color=BLUE, ls="-",
                    lw=1.6, elinewidth=1.2, capsize=2)
        ax.plot(rows["level"], rows["printed"], "o", color=INK, mfc="none", mew=1.5, ms=7,
                ls="none")
        ax.axhline(0.9, color=GREY, lw=0.8, ls=":")
        ax.set_title(name)
        ax.set_ylabel("$R$")
    style.log_ticks(axes[-1].xaxis, sorted(frame["level"].unique()))
    axes[-1].set_xlabel("significance level (%)")
    return fig


@in_house_style
def distances(panels: dict[str, pd.Series], max_z: float) -> Figure:
    """Draw distances of the published counts from the rebuilt ones, one row per table.

    Parameters
    ----------
    panels : dict of str to Series
        By label, `companion.papers.uci.distance`.
    max_z : float
        The limit of noise, drawn on both sides.
    """
    fig, ax = style.figure(height=0.62 * len(panels) + 1.1)
    colors = (BLUE, RED, GREEN, PURPLE, INK)
    for row, (color, z) in enumerate(zip(colors, map(np.sort, panels.values()))):
        # neighbours have different heights, in a fixed pattern, so that no dot hides another
        height = -row + 0.09 * ((np.arange(len(z)) * 2) % 7 - 3)
        ax.plot(z, height, "o", color=color, ms=3.5, alpha=0.75, ls="none")
    ax.axvspan(-max_z, max_z, color=GREY, alpha=0.12, lw=0)
    ax.axvline(0, color=GREY, lw=0.8, ls=":")
    ax.set_yticks([-row for row in range(len(panels))], list(panels))
    reach = max(max_z + 0.5, 1.05 * max(z.abs().max() for z in panels.values()))
    ax.set(xlabel="printed minus rebuilt, in standard errors", xlim=(-reach, reach),
           ylim=(0.5 - len(panels), 0.5))
    return fig

"""Pictures of the tests on the UCI data sets: printed counts among those that were possible."""

import numpy as np
import pandas as pd

from . import names
from .drawing import bars, log_ticks, marks, picture, rule, series
from .style import BLUE, GREEN, GREY, INK, PURPLE, RED

_TESTS = {
    "resampling": ("resampling", RED, "--", "s", -1),
    "cross_validation": ("10-fold, repeated", BLUE, "-", "o", 1),
}


@picture(xticks=range(0, 11, 2), xlabel="tests of ten that see no difference", xlim=(-0.3, 10.3))
def draws_by_dataset(ax, frame: pd.DataFrame) -> None:
    """Draw the printed draws of one pair and those of ten of our experiments.

    Parameters
    ----------
    frame : DataFrame
        Rows of one pair of `companion.papers.bouckaert_frank2004.table_1.draws`.
    """
    frame = frame.sort_values(["rebuilt", "dataset"], kind="stable").reset_index(drop=True)
    ax.figure.set_figheight(0.21 * len(frame) + 1.0)
    rows, rebuilt, reach = frame.index, frame["rebuilt"], 2 * frame["published_error"]
    bars(ax, rows, (rebuilt - reach).clip(0, 10), (rebuilt + reach).clip(0, 10), BLUE)
    marks(ax, rebuilt, rows, None, BLUE, "|", ms=9, mew=2)
    marks(ax, frame["printed"], rows, None, INK, ms=4.5)
    ax.set_yticks(rows, frame["dataset"], fontsize=9)
    ax.set_ylim(-0.7, len(frame) - 0.3)
    for x, text, color in ((0.02, "● printed", INK), (0.28, "▎rebuilt, ± 2 sd", BLUE)):
        ax.text(x, 1.01, text, transform=ax.transAxes, color=color, fontsize=10, va="bottom")


@picture(3, height=7.2, sharex=True, sharey=True, ylabel="replicability $R$",
         xlabel="train-and-test rounds of one experiment")
def replicability_by_effort(axes, frame: pd.DataFrame) -> None:
    """Draw R against the number of train-and-test rounds of two tests, one panel per pair.

    Parameters
    ----------
    frame : DataFrame
        `companion.papers.bouckaert_frank2004.tables_2_to_4.replicability_by_effort`.
    """
    for ax, (pair, name) in zip(axes, names.PAIRS.items()):
        for test, (label, color, line, marker, side) in _TESTS.items():
            rows = frame[(frame["pair"] == pair) & (frame["test"] == test)].sort_values("effort")
            # side by side, so that the two bars of an effort do not overlap
            x = rows["effort"] * (1 + 0.015 * side)
            series(ax, x, rows["rebuilt"], None, color, line, error=rows["published_error"])
            marks(ax, x, rows["printed"], label, color, marker, mfc="none", mew=1.5, ms=7)
        ax.set_title(name)
        log_ticks(ax.xaxis, sorted(frame["effort"].unique()))
    axes[0].legend(loc="lower right", title="printed")


@picture(3, height=5.6, sharex=True, sharey=True, ylabel="$R$", xlabel="significance level (%)")
def replicability_by_level(axes, frame: pd.DataFrame) -> None:
    """Draw R of the corrected 10 x 10-fold test against the significance level, panel by pair.

    Parameters
    ----------
    frame : DataFrame
        `companion.papers.bouckaert_frank2004.tables_2_to_4.replicability_by_level`.
    """
    for ax, (pair, name) in zip(axes, names.PAIRS.items()):
        rows = frame[frame["pair"] == pair].sort_values("level")
        series(ax, rows["level"], rows["rebuilt"], None, BLUE, error=rows["published_error"])
        marks(ax, rows["level"], rows["printed"], None, INK, mfc="none", mew=1.5, ms=7)
        rule(ax, y=0.9)
        ax.set_title(name)
    log_ticks(axes[-1].xaxis, sorted(frame["level"].unique()))


@picture(xlabel="printed minus rebuilt, in standard errors")
def distances(ax, by_table: dict[str, pd.Series], max_z: float) -> None:
    """Draw distances of the published counts from the rebuilt ones, one row per table.

    Parameters
    ----------
    by_table : dict of str to Series
        By label, `companion.papers.uci.distance`.
    max_z : float
        The limit of noise, drawn on both sides.
    """
    ax.figure.set_figheight(0.62 * len(by_table) + 1.1)
    colors = (BLUE, RED, GREEN, PURPLE, INK)
    for row, (color, z) in enumerate(zip(colors, map(np.sort, by_table.values()))):
        # neighbours have different heights, in a fixed pattern, so that no dot hides another
        height = -row + 0.09 * ((np.arange(len(z)) * 2) % 7 - 3)
        marks(ax, z, height, None, color, ms=3.5, alpha=0.75)
    ax.axvspan(-max_z, max_z, color=GREY, alpha=0.12, lw=0)
    rule(ax, x=0)
    ax.set_yticks([-row for row in range(len(by_table))], list(by_table))
    reach = max(max_z + 0.5, 1.05 * max(z.abs().max() for z in by_table.values()))
    ax.set(xlim=(-reach, reach), ylim=(0.5 - len(by_table), 0.5))

"""Pictures of tests on the UCI data sets: printed counts among those that were possible."""

import numpy as np
import pandas as pd

from . import names
from .drawing import bars, log_ticks, marks, picture, rule, series
from .style import AMBER, BLUE, GREEN, GREY, INK, RED, SMALL, WIDE

_SPLITS = {
    "resampling": ("resampling", RED, "--", "s", -1),
    "cross_validation": ("10-fold, repeated", BLUE, "-", "o", 1),
}
_TESTS = ("sign", "ranksum", "t")
_PAIRS = {
    pair: (name, color, marker)
    for (pair, name), color, marker in zip(
        names.SHORT_PAIRS.items(), (BLUE, RED, GREEN), "os^"
    )
}

_BLOCK = 10  # the printed table leaves a gap before data sets 10 and 20


@picture(
    xticks=range(0, 11, 2),
    xlabel="tests of ten that are not significant",
    xlim=(-0.3, 10.3),
)
def draws_by_dataset(ax, frame: pd.DataFrame) -> None:
    """Draw the printed draws of one pair and those of ten of our experiments.

    Parameters
    ----------
    frame : DataFrame
        Rows of one pair of `companion.papers.bouckaert_frank2004.table_1.draws`.
    """
    frame = frame.sort_values(["rebuilt", "dataset"], kind="stable").reset_index(
        drop=True
    )
    ax.figure.set_figheight(0.21 * len(frame) + 1.0)
    rows, rebuilt, reach = frame.index, frame["rebuilt"], 2 * frame["published_error"]
    bars(ax, rows, (rebuilt - reach).clip(0, 10), (rebuilt + reach).clip(0, 10), BLUE)
    marks(ax, rebuilt, rows, None, BLUE, "|", ms=9, mew=2)
    marks(ax, frame["printed"], rows, None, INK, ms=4.5)
    ax.set_yticks(rows, frame["dataset"], fontsize=SMALL)
    ax.set_ylim(-0.7, len(frame) - 0.3)
    for x, text, color in ((0.02, "● printed", INK), (0.28, "▎rebuilt, ± 2 sd", BLUE)):
        ax.text(
            x,
            1.01,
            text,
            transform=ax.transAxes,
            color=color,
            fontsize=SMALL,
            va="bottom",
        )


@picture(
    3,
    height=7.2,
    sharex=True,
    sharey=True,
    ylabel="replicability $R$",
    xlabel="train-and-test rounds of one experiment",
)
def replicability_by_effort(axes, frame: pd.DataFrame) -> None:
    """Draw R against the number of train-and-test rounds of two tests, one panel per pair.

    Parameters
    ----------
    frame : DataFrame
        `companion.papers.bouckaert_frank2004.tables_2_to_4.replicability_by_effort`.
    """
    for ax, (pair, name) in zip(axes, names.PAIRS.items()):
        for test, (label, color, line, marker, side) in _SPLITS.items():
            rows = frame[(frame["pair"] == pair) & (frame["test"] == test)].sort_values(
                "effort"
            )
            # side by side, so that the two bars of an effort do not overlap
            x = rows["effort"] * (1 + 0.015 * side)
            series(
                ax, x, rows["rebuilt"], None, color, line, error=rows["published_error"]
            )
            marks(
                ax, x, rows["printed"], label, color, marker, mfc="none", mew=1.5, ms=7
            )
        ax.set_title(name)
        log_ticks(ax.xaxis, sorted(frame["effort"].unique()))
    axes[0].legend(loc="lower right", title="printed")


@picture(
    3,
    height=5.6,
    sharex=True,
    sharey=True,
    ylabel="$R$",
    xlabel="significance level (%)",
)
def replicability_by_level(axes, frame: pd.DataFrame) -> None:
    """Draw R of the corrected 10 x 10-fold test against the significance level, panel by pair.

    Parameters
    ----------
    frame : DataFrame
        `companion.papers.bouckaert_frank2004.tables_2_to_4.replicability_by_level`.
    """
    for ax, (pair, name) in zip(axes, names.PAIRS.items()):
        rows = frame[frame["pair"] == pair].sort_values("level")
        series(
            ax,
            rows["level"],
            rows["rebuilt"],
            None,
            BLUE,
            error=rows["published_error"],
        )
        marks(ax, rows["level"], rows["printed"], None, INK, mfc="none", mew=1.5, ms=7)
        rule(ax, y=0.9)
        ax.set_title(name)
    log_ticks(axes[-1].xaxis, sorted(frame["level"].unique()))


@picture(height=5.6)
def printed_table(
    ax, cells: pd.DataFrame, draws: pd.DataFrame, means: pd.DataFrame
) -> None:
    """Draw Table 2 as the paper prints it, each row above the same row of a rebuilt table.

    Parameters
    ----------
    cells : DataFrame
        `companion.papers.bouckaert2004.table_2.cells`: the printed counts.
    draws : DataFrame
        `companion.papers.bouckaert2004.table_2.counts` of one table.
    means : DataFrame
        `companion.papers.bouckaert2004.table_2.means_by_table` of the same table, with
        the further column `printed`.
    """
    ax.figure.set_figwidth(WIDE)
    mean = means.set_index(["test", "pair"])
    y = 0.0
    for d in (1, 10, 20):
        ax.text(_place(d), 1.0, f"{d}", ha="center", fontsize=9, color=GREY)
    ax.text(31.9, 1.0, "mean", ha="right", fontsize=9, color=GREY)
    for test in _TESTS:
        ax.text(-8, y, names.TESTS[test], fontsize=9, weight="bold", va="center")
        _mean(ax, y, mean.loc[(test, "all")])
        y -= 2.0
        for pair, pair_name in names.SHORT_PAIRS.items():
            ax.text(-8, y, pair_name, fontsize=9, va="center")
            of_row = "test == @test and pair == @pair"
            _row(ax, y + 0.35, cells.query(of_row)["printed"], INK)
            _row(ax, y - 0.35, draws.query(of_row)["draws"], BLUE)
            _mean(ax, y, mean.loc[(test, pair)])
            y -= 1.9
        y -= 0.4
    ax.text(_place(1) - 0.4, y, "upper lines: printed", fontsize=9, va="center")
    ax.text(
        _place(14), y, "lower lines, blue: rebuilt", fontsize=9, va="center", color=BLUE
    )
    ax.set(xlim=(-8, 32), ylim=(y - 0.6, 1.8))
    ax.set_axis_off()


def _place(d: int) -> float:
    """Return the horizontal position of data set d, with a gap between the blocks."""
    return d + 0.5 * (d // _BLOCK)


def _row(ax, y: float, counts: pd.Series, color: str) -> None:
    for d, count in enumerate(counts, start=1):
        is_dot = np.isnan(count) or count in (0, _BLOCK)
        ax.text(
            _place(d),
            y,
            "·" if is_dot else f"{count:.0f}",
            ha="center",
            va="center",
            fontsize=9,
            color=color,
        )


def _mean(ax, y: float, row: pd.Series) -> None:
    ax.text(32, y + 0.35, f"{row['printed']:.1f}", ha="right", va="center", fontsize=9)
    ax.text(
        32,
        y - 0.35,
        f"{row['replicability_normalized']:.1f}",
        ha="right",
        va="center",
        fontsize=9,
        color=BLUE,
    )


@picture(height=4.0, legend=3, xlabel="mean normalised replicability (%)")
def scatter_of_tables(ax, means: pd.DataFrame, summary: pd.DataFrame) -> None:
    """Draw the summary column of every rebuilt table, and the published one.

    Parameters
    ----------
    means : DataFrame
        `companion.papers.bouckaert2004.table_2.means_by_table`.
    summary : DataFrame
        `companion.papers.bouckaert2004.table_2.summary`.
    """
    labels, y = [], 0.0
    for test in _TESTS:
        for pair in ("all", *names.SHORT_PAIRS):
            row = summary.loc[(test, pair)]
            of_row = means.query("test == @test and pair == @pair")
            values = of_row["replicability_normalized"]
            # stacked in a fixed pattern, so that equal tables are visible as several
            heights = y + 0.22 * (np.arange(len(values)) % 5 - 2) / 2
            two = 2 * row["expected_deviation"]
            marks(ax, row["printed"], y, "printed", RED, "D", ms=6)
            marks(ax, values, heights, "a rebuilt table", BLUE, ".", ms=4)
            bars(
                ax,
                y,
                row["mean"] - two,
                row["mean"] + two,
                BLUE,
                label="mean ± 2 deviations",
            )
            name = (
                f"{names.TESTS[test]}, all"
                if pair == "all"
                else names.SHORT_PAIRS[pair]
            )
            labels.append((y, name))
            y += 1
        y += 0.5
    ax.set_yticks(*zip(*labels), fontsize=SMALL)
    for label in ax.get_yticklabels()[:: 1 + len(names.SHORT_PAIRS)]:
        label.set_weight("bold")
    ax.invert_yaxis()


@picture(2, height=6.2, ratios=(2, 3))
def sorting_as_correction(
    axes, frame: pd.DataFrame, shares: np.ndarray, ratios: np.ndarray, equal: float
) -> None:
    """Draw the ratio of the two thresholds, and the resulting decisions.

    Parameters
    ----------
    frame : DataFrame
        `companion.studies.sorting_as_correction.decisions`.
    shares, ratios : ndarray
        The curve: within-rank share and `sorting_as_correction.ratio_of_thresholds`.
    equal : float
        The share at which the ratio is one.
    """
    above, below = axes
    series(above, 100 * shares, ratios, None, GREY, lw=1.2)
    rule(above, y=1, x=100 * equal if equal > 0 else None, color=AMBER, ls="--")
    for pair, look in _PAIRS.items():
        rows = frame[frame["pair"] == pair]
        marks(above, 100 * rows["share"], rows["ratio"], *look, alpha=0.75)
        marks(below, rows["corrected"], rows["sorted_runs"], *look, alpha=0.75)
    above.set(
        xlabel="sum of squares between runs, within ranks (%)",
        ylabel="threshold, sorted\nover corrected",
    )
    below.axline((0, 0), slope=1, color=GREY, lw=0.8, ls=":")
    below.set(
        xlabel="corrected t accepts (% of experiments)",
        ylabel="t on sorted runs accepts (%)",
        aspect="equal",
        xlim=(-4, 104),
        ylim=(-4, 104),
    )
    below.legend(loc="lower right")

"""Pictures of Table 2 of bouckaert2004: as printed, as a heat map, and its scatter."""

import numpy as np
import pandas as pd
from matplotlib.patches import Rectangle

from . import names
from .drawing import bars, marks, picture, rule, series
from .style import AMBER, BLUE, GREEN, GREY, INK, PAPER, RED

_TESTS = ("sign", "ranksum", "t")
_PAIRS = {
    pair: (name, color, marker)
    for (pair, name), color, marker in zip(names.SHORT_PAIRS.items(), (BLUE, RED, GREEN), "os^")
}

_BLOCK = 10  # the printed table leaves a gap before data sets 10 and 20


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
        `companion.papers.bouckaert2004.table_2.means_by_table` of the same table, with the further
        column `printed`.
    """
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
    ax.text(_place(14), y, "lower lines, blue: rebuilt", fontsize=9, va="center", color=BLUE)
    ax.set(xlim=(-8, 32), ylim=(y - 0.6, 1.8))
    ax.set_axis_off()


def _place(d: int) -> float:
    """Return the horizontal position of data set d, with a gap between the blocks."""
    return d + 0.5 * (d // _BLOCK)


def _row(ax, y: float, counts: pd.Series, color: str) -> None:
    for d, count in enumerate(counts, start=1):
        is_dot = np.isnan(count) or count in (0, _BLOCK)
        ax.text(_place(d), y, "·" if is_dot else f"{count:.0f}", ha="center", va="center",
                fontsize=9, color=color)


def _mean(ax, y: float, row: pd.Series) -> None:
    ax.text(32, y + 0.35, f"{row['printed']:.1f}", ha="right", va="center", fontsize=9)
    ax.text(32, y - 0.35, f"{row['replicability_normalized']:.1f}", ha="right",
            va="center", fontsize=9, color=BLUE)


@picture()
def heat_map(ax, cells: pd.DataFrame) -> None:
    """Draw the acceptance counts of one test, with the interval of r in each cell.

    Parameters
    ----------
    cells : DataFrame
        Rows of one test of `companion.papers.bouckaert2004.table_2.cells`.
    """
    datasets = cells["dataset"].unique()
    ax.figure.set_figheight(0.235 * len(datasets) + 0.9)
    for column, pair in enumerate(names.SHORT_PAIRS):
        on_scale = lambda r: column + 0.47 + (np.asarray(r) - 0.5) * 2 * 0.46
        for y, row in enumerate(cells[cells["pair"] == pair].itertuples()):
            share = row.accepted / row.experiments
            ax.add_patch(Rectangle((column, y - 0.47), 0.96, 0.94, color=BLUE, lw=0,
                                   alpha=0.6 * share))
            printed = "·" if np.isnan(row.printed) else f"{row.printed:.0f}"
            ax.text(column + 0.28, y, f"{10 * share:.1f}", ha="right", va="center", fontsize=9)
            box = {"fc": PAPER, "ec": RED, "boxstyle": "square,pad=0.15", "lw": 1}
            look = {"color": INK} if row.agrees else {"color": RED, "weight": "bold", "bbox": box}
            ax.text(column + 0.38, y, printed, ha="center", va="center", fontsize=9, **look)
            ax.hlines(y, on_scale(row.low), on_scale(row.high), color=INK, lw=2.2)
        for r, label in ((0.5, "½"), (0.75, "$r$"), (1.0, "1")):
            ax.text(on_scale(r), len(datasets) - 0.3, label, ha="center", va="top", fontsize=9,
                    color=GREY)
        ax.text(column + 0.48, -0.75, names.SHORT_PAIRS[pair], ha="center", va="bottom",
                fontsize=10)
    ax.set_yticks(range(len(datasets)), datasets, fontsize=9)
    ax.tick_params(left=False, bottom=False, labelbottom=False)
    ax.spines[:].set_visible(False)
    ax.set(xlim=(-0.02, 3), ylim=(len(datasets) + 0.4, -1.6))


@picture(height=4.6, legend=3, xlabel="mean normalised replicability (%)")
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
            bars(ax, y, row["mean"] - two, row["mean"] + two, BLUE, label="mean ± 2 deviations")
            name = f"{names.TESTS[test]}, all" if pair == "all" else names.SHORT_PAIRS[pair]
            labels.append((y, name))
            y += 1
        y += 0.5
    ax.set_yticks(*zip(*labels), fontsize=9)
    for label in ax.get_yticklabels()[::1 + len(names.SHORT_PAIRS)]:
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
        `companion.papers.topics.sorting_as_correction.decisions`.
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
    above.set(xlabel="sum of squares between runs, within ranks (%)",
              ylabel="threshold, sorted\nover corrected")
    below.axline((0, 0), slope=1, color=GREY, lw=0.8, ls=":")
    below.set(xlabel="corrected t accepts (% of experiments)",
              ylabel="t on sorted runs accepts (%)", aspect="equal", xlim=(-4, 104), ylim=(-4, 104))
    below.legend(loc="lower right")

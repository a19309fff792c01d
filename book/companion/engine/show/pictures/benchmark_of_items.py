"""Pictures of the chapter on a benchmark of items: Type I errors, few items, the top two."""

import numpy as np
import pandas as pd
from matplotlib.colors import BoundaryNorm, ListedColormap

from .drawing import log_ticks, panels, picture, rule, series
from .style import BLUE, GREY, INK, RED, SERIES, STEPS

_EDGES = (0, 2.5, 4, 6, 7, 10)  # of the steps in colour; the middle is the desired range
_KINDS = {0: "real-valued scores", 1: "right and wrong answers"}


@picture(0)
def type_1_grid(fig, found: pd.DataFrame, question: str) -> None:
    """Draw the Type I error in each setting of a question as a coloured square.

    Parameters
    ----------
    found : DataFrame
        `companion.papers.topics.benchmark_of_items.type_1_grid`.
    question : {"both", "items", "seeds"}
    """
    rows = found[found["question"] == question]
    grids = {
        kind: of_kind.pivot(index=["items", "clusters", "icc"], columns=["runs", "share"],
                            values="error")
        for kind, of_kind in rows.groupby("binary")
    }
    lengths = [len(grid) for grid in grids.values()]
    axes = panels(fig, len(grids), height_ratios=lengths,
                  height=1.9 + sum(max(0.17 * length, 0.7) + 0.5 for length in lengths))
    for ax, (kind, grid) in zip(axes, grids.items()):
        image = ax.pcolormesh(
            100 * grid.to_numpy(), cmap=ListedColormap(STEPS),
            norm=BoundaryNorm(_EDGES, len(STEPS)), edgecolors=INK, linewidth=0.15,
        )
        runs, keys = grid.columns.get_level_values("runs"), grid.index.droplevel("icc")
        middle_of = lambda values, value: np.flatnonzero(values == value).mean() + 0.5
        ax.set_xticks([middle_of(runs, run) for run in runs.unique()], runs.unique())
        labels = [f"{items:,} in {clusters}" if clusters else f"{items:,}"
                  for items, clusters in keys.unique()]
        ax.set_yticks([middle_of(keys, key) for key in keys.unique()], labels, fontsize=9)
        ax.tick_params(length=0)
        ax.invert_yaxis()
        ax.set(title=_KINDS[kind], ylabel="items, and clusters")
    ax.set_xlabel("runs; in each, three shares of run effects")
    bar = fig.colorbar(image, ax=axes, orientation="horizontal", location="top", aspect=40,
                       shrink=0.9, fraction=0.03, label="Type I error (%) at a nominal 5%")
    bar.outline.set_visible(False)


@picture(2, height=6.2, sharex=True, xlabel="items", ylabel=("coverage (%)", "Type I error (%)"))
def small_numbers(axes, coverage: pd.DataFrame, errors: pd.DataFrame) -> None:
    """Draw the coverage of intervals, and the Type I error of paired tests, by number of items.

    Parameters
    ----------
    coverage, errors : DataFrame
        Indexed by number of items, with one column per interval, or per test.
    """
    for ax, table, level, limits, place in (
        (axes[0], coverage, 95, (78, 100.5), "lower right"),
        (axes[1], errors, 5, (0, 9), "upper right"),
    ):
        rule(ax, y=level, color=INK)
        for (name, values), look in zip(table.items(), SERIES):
            series(ax, table.index, 100 * values, name, *look)
        ax.set_ylim(limits)
        ax.legend(loc=place, ncols=1)


@picture(height=4.0, legend=1, xlabel="items, logarithmic", ylabel="same order in a rerun (%)",
         ylim=(45, 101))
def first_two(ax, found: pd.DataFrame) -> None:
    """Draw how often the top two of a leaderboard keep their order, against the items.

    Parameters
    ----------
    found : DataFrame
        Indexed by number of items, with the columns "same items", "new items" and "predicted",
        each with its standard error in a column that ends with " error".
    """
    rule(ax, y=50, color=INK)
    for column, *look in (
        ("same items", "counted, new answers to the same items", BLUE, "-", "o"),
        ("new items", "counted, new items", RED, "--", "s"),
        ("predicted", "predicted for new items, as if chosen beforehand", GREY, "-.", "^"),
    ):
        series(ax, found.index, 100 * found[column], *look, error=200 * found[f"{column} error"])
    log_ticks(ax.xaxis, found.index, ",")

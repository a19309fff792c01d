"""Pictures of the chapter on a benchmark of items: Type I errors, few items, the top two."""

import numpy as np
import pandas as pd
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure

from companion.engine.show.pictures import style
from companion.engine.show.pictures.style import BLUE, GREY, INK, RED, in_house_style

_EDGES = (0, 2.5, 4, 6, 7, 10)
#: From too cautious to too bold; the middle is the desired range.
_STEPS = ("#08519c", "#6baed6", "#e8e4d8", "#e0955c", "#a03000")
_KINDS = {0: "real-valued scores", 1: "right and wrong answers"}


@in_house_style
def type_1_grid(found: pd.DataFrame, question: str) -> Figure:
    """Draw the Type I error in each setting of a question as a coloured square.

    Parameters
    ----------
    found : DataFrame
        `companion.papers.topics.benchmark_of_items.type_1_grid`.
    question : {"both", "items", "seeds"}
    """
    rows = found[found["question"] == question]
    kinds = sorted(rows["binary"].unique())
    wide = [
        rows[rows["binary"] == kind].pivot(
            index=["items", "clusters", "icc"], columns=["runs", "share"], values="error"
        ) for kind in kinds
    ]
    height = 1.9 + sum(max(0.17 * len(one), 0.7) + 0.5 for one in wide)
    fig, axes = style.figure(
        len(kinds), 1, height=height, gridspec_kw={"height_ratios": [len(one) for one in wide]}
    )
    cmap = ListedColormap(_STEPS)
    for ax, kind, one in zip(np.atleast_1d(axes), kinds, wide):
        image = ax.pcolormesh(
            100 * one.to_numpy(), cmap=cmap, norm=BoundaryNorm(_EDGES, len(_STEPS)),
            edgecolors=INK, linewidth=0.15,
        )
        runs = one.columns.get_level_values("runs")
        starts = [runs.get_loc(run).start if not isinstance(runs.get_loc(run), int)
                  else runs.get_loc(run) for run in runs.unique()]
        ends = [*starts[1:], len(runs)]
        ax.set_xticks([(a + b) / 2 for a, b in zip(starts, ends)], runs.unique())
        labels, places = [], []
        keys = one.index.droplevel("icc")
        for items, clusters in keys.unique():
            where = np.flatnonzero(keys == (items, clusters))
            places.append(where.mean() + 0.5)
            labels.append(f"{items:,} in {clusters}" if clusters else f"{items:,}")
        ax.set_yticks(places, labels, fontsize=9)
        ax.tick_params(length=0)
        ax.invert_yaxis()
        ax.set_title(_KINDS[kind])
        ax.set_ylabel("items, and clusters")
    np.atleast_1d(axes)[-1].set_xlabel("runs; in each, three shares of run effects")
    bar = fig.colorbar(image, ax=axes, orientation="horizontal", location="top", aspect=40,
                       shrink=0.9, fraction=0.03)
    bar.set_label("Type I error (%) at a nominal 5%")
    bar.outline.set_visible(False)
    return fig


@in_house_style
def small_numbers(coverage: pd.DataFrame, errors: pd.DataFrame) -> Figure:
    """Draw the coverage of intervals, and the Type I error of paired tests, by number of items.

    Parameters
    ----------
    coverage, errors : DataFrame
        Indexed by number of items, with one column per interval, or per test.
    """
    fig, axes = style.figure(2, 1, height=6.2, sharex=True)
    for ax, table, level, label in (
        (axes[0], coverage, 95, "coverage (%)"), (axes[1], errors, 5, "Type I error (%)"),
    ):
        ax.axhline(level, color=INK, lw=1, ls=":")
        for (name, values), (color, line) in zip(table.items(), style.SERIES):
            ax.plot(table.index, 100 * values, color=color, ls=line, label=name)
        ax.set_ylabel(label)
        ax.legend(loc="lower right" if level == 95 else "upper right", ncols=1)
    axes[0].set_ylim(78, 100.5)
    axes[1].set_ylim(0, 9)
    axes[1].set_xlabel("items")
    return fig


@in_house_style
def first_two(found: pd.DataFrame) -> Figure:
    """Draw how often the top two of a leaderboard keep their order, against the items.

    Parameters
    ----------
    found : DataFrame
        Indexed by number of items, with the columns "same items", "new items" and "predicted",
        each with its standard error in a column that ends with " error".
    """
    fig, ax = style.figure(height=4.0)
    ax.axhline(50, color=INK, lw=1, ls=":")
    for name, color, line, marker in (
        ("same items", BLUE, "-", "o"), ("new items", RED, "--", "s"),
        ("predicted", GREY, "-.", "^"),
    ):
        label = {"same items": "counted, new answers to the same items",
                 "new items": "counted, new items",
                 "predicted": "predicted for new items, as if chosen beforehand"}[name]
        ax.errorbar(found.index, 100 * found[name], 200 * found[f"{name} error"], color=color,
                    ls=line, marker=marker, ms=6, label=label)
    style.log_ticks(ax.xaxis, found.index, ",")
    ax.set(xlabel="items, logarithmic", ylabel="same order in a rerun (%)", ylim=(45, 101))
    fig.legend(loc="outside upper center", ncols=1)
    return fig

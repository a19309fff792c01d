"""Pictures of Table 5 of bouckaert_frank2004: consistency, and its relation to replicability."""

import pandas as pd

from . import names
from .drawing import legend_outside, marks, panels, picture, rule, series
from .style import BLUE, GREEN, GREY, INK, PURPLE, RED

_DESIGNS = {
    design: (names.design(design), *look) for design, look in (
        ("five_by_two_cv", (PURPLE, ":", "s")), ("corrected_resampled_10", (RED, "--", "v")),
        ("corrected_resampled_100", (GREEN, "-.", "^")),
        ("k_fold.paired_t", (INK, (0, (5, 1, 1, 1)), "D")),
        ("corrected_repeated_cv", (BLUE, "-", "o")),
    )
}


@picture(0, xlabel="experiments on each data set", ylabel="consistent (%)", ylim=(0, 103))
def consistency_by_experiments(fig, curves: pd.DataFrame) -> None:
    """Draw the share of consistent data sets against the number of experiments, by source.

    Parameters
    ----------
    curves : DataFrame
        `companion.papers.bouckaert_frank2004.table_5.consistency_curves`.
    """
    by_source = curves.groupby("source")
    axes = panels(fig, len(by_source), height=2.2 * len(by_source) + 1, sharex=True, sharey=True)
    for ax, (source, of_source) in zip(axes, by_source):
        for design, look in _DESIGNS.items():
            rows = of_source[of_source["design"] == design]
            series(ax, rows["experiments"], rows["consistent"], *look,
                   error=1.96 * rows["standard_error"])
            two = rows.loc[rows["experiments"] == 2, "consistent"].iloc[0]
            rule(ax, y=two, color=look[1], lw=0.7, ls="-", alpha=0.7)
        ax.set_title(f"source {source}")
    legend_outside(fig, axes[0], ncols=2)


@picture(height=4.6, xlabel="mean replicability $r$ (%)", ylim=(0, 101),
         ylabel="consistent in ten experiments (%)")
def beside_replicability(ax, points: pd.DataFrame, bounds: pd.DataFrame) -> None:
    """Draw consistency against replicability, one mark per test and network, and the bounds.

    Parameters
    ----------
    points : DataFrame
        `companion.papers.bouckaert_frank2004.table_5.consistency_beside_replicability`.
    bounds : DataFrame
        `companion.papers.bouckaert_frank2004.table_5.consistency_bounds`.
    """
    x, low, high = (100 * bounds[column] for column in ("replicability_raw", "low", "high"))
    ax.fill_between(x, low, high, color=GREY, alpha=0.18, lw=0)
    for edge in (low, high):
        series(ax, x, edge, None, GREY, lw=0.9)
    for design, (label, color, _, marker) in _DESIGNS.items():
        rows = points[points["design"] == design]
        marks(ax, rows["replicability_raw"], rows["consistent"], label, color, marker, mfc="none",
              mew=1.2)
    ax.set_xlim(points["replicability_raw"].min() - 1, 100.5)
    ax.legend(loc="upper left")

"""Pictures of Table 5 of bouckaert_frank2004: consistency, and its relation to replicability."""

import pandas as pd
from matplotlib.figure import Figure

from . import names, style
from .style import BLUE, GREEN, GREY, INK, PURPLE, RED, in_house_style

_DESIGNS = (
    "five_by_two_cv", "corrected_resampled_10", "corrected_resampled_100", "k_fold.paired_t",
    "corrected_repeated_cv",
)
_COLORS = dict(zip(_DESIGNS, (PURPLE, RED, GREEN, INK, BLUE)))
_LINES = dict(zip(_DESIGNS, (":", "--", "-.", (0, (5, 1, 1, 1)), "-")))
_MARKERS = dict(zip(_DESIGNS, "sv^Do"))


@in_house_style
def consistency_by_experiments(curves: pd.DataFrame) -> Figure:
    """Draw the share of consistent data sets against the number of experiments, by source.

    Parameters
    ----------
    curves : DataFrame
        `companion.papers.bouckaert_frank2004.table_5.consistency_curves`.
    """
    sources = sorted(curves["source"].unique())
    height = 2.2 * len(sources) + 1.0
    fig, axes = style.figure(len(sources), height=height, sharex=True, sharey=True)
    for ax, source in zip(axes, sources):
        for design in _DESIGNS:
            rows = curves[(curves["source"] == source) & (curves["design"] == design)]
            color = _COLORS[design]
            ax.errorbar(rows["experiments"], rows["consistent"], 1.96 * rows["standard_error"],
                        color=color, ls=_LINES[design], marker=_MARKERS[design], ms=4.5, lw=1.4,
                        elinewidth=0.8, label=names.design(design))
            two = rows.loc[rows["experiments"] == 2, "consistent"].iloc[0]
            ax.axhline(two, color=color, lw=0.7, alpha=0.7)
        ax.set(title=f"source {source}", ylabel="consistent (%)", ylim=(0, 103))
    axes[-1].set_xlabel("experiments on each data set")
    style.legend_outside(fig, axes[0], where="lower center", ncols=2, fontsize=9)
    return fig


@in_house_style
def beside_replicability(points: pd.DataFrame, bounds: pd.DataFrame) -> Figure:
    """Draw consistency against replicability, one mark per test and network, and the bounds.

    Parameters
    ----------
    points : DataFrame
        `companion.papers.bouckaert_frank2004.table_5.consistency_beside_replicability`.
    bounds : DataFrame
        `companion.papers.bouckaert_frank2004.table_5.consistency_bounds`.
    """
    fig, ax = style.figure(height=4.6)
    ax.fill_between(100 * bounds["replicability_raw"], 100 * bounds["low"], 100 * bounds["high"],
                    color=GREY, alpha=0.18, lw=0)
    for edge in ("low", "high"):
        ax.plot(100 * bounds["replicability_raw"], 100 * bounds[edge], color=GREY, lw=0.9, ls="-")
    for design in _DESIGNS:
        rows = points[points["design"] == design]
        ax.plot(rows["replicability_raw"], rows["consistent"], _MARKERS[design],
                color=_COLORS[design],
                mfc="none", mew=1.2, ms=5, ls="none", label=names.design(design))
    ax.set(xlabel="mean replicability $r$ (%)", ylabel="consistent in ten experiments (%)",
           xlim=(points["replicability_raw"].min() - 1, 100.5), ylim=(0, 101))
    ax.legend(loc="upper left", fontsize=9)
    return fig

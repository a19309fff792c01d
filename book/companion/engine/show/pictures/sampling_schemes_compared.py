"""Pictures of the synthetic sources: margins, cells of tables, trade-off, consistency."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from . import names
from .drawing import (
    band,
    legend_outside,
    log_ticks,
    marks,
    note,
    panels,
    picture,
    rule,
    series,
)
from .style import AMBER, BLUE, GREEN, GREY, INK, PAPER, PURPLE, RED, SMALL

_COLORS = dict(zip(names.SCHEMES, (PURPLE, AMBER, GREY, RED, GREEN, BLUE)))
_MARKERS = {"signed_rank": "o", "sign_test": "s", "paired_t": "^"}
_OTHER_MARKERS = dict(zip(names.DESIGNS, ("*", "P", "X", "D")))
_FIVE_TESTS = {
    design: (names.design(design), *look)
    for design, look in (
        ("five_by_two_cv", (PURPLE, ":", "s")),
        ("corrected_resampled_10", (RED, "--", "v")),
        ("corrected_resampled_100", (GREEN, "-.", "^")),
        ("k_fold.paired_t", (INK, (0, (5, 1, 1, 1)), "D")),
        ("corrected_repeated_cv", (BLUE, "-", "o")),
    )
}


#: Shift of a name in points, and the side on which it ends.
Place = tuple[tuple[float, float], str]


@picture(
    2,
    height=8.2,
    sharex=True,
    legend=2,
    xlabel="Type I error (%)",
    ylabel=("power, mean of sources 2 to 4 (%)", "least normalised replicability (%)"),
)
def trade_off(
    axes, points: pd.DataFrame, level: float, named: Mapping[str, Place]
) -> None:
    """Draw power and replicability against the Type I error, one mark per design.

    A design without any error, which has no place on a logarithmic axis, is drawn at the
    left edge: at half the least error of the others.

    Parameters
    ----------
    points : DataFrame
        `companion.papers.bouckaert2004.table_1.trade_off`.
    level : float
        The nominal level in percent, drawn as a line.
    named : Mapping
        The designs to name; for each the shift of its name in points, and on which side
        of its mark the name ends.
    """
    errs = points["type_1"] > 0
    least = points.loc[errs, "type_1"].min() if errs.any() else level
    points = points.assign(type_1=points["type_1"].clip(lower=least / 2))
    for ax, column in zip(axes, ("power", "replicability_normalized")):
        for design, row in points.iterrows():
            scheme, _, test = design.partition(".")
            color = _COLORS.get(scheme, INK)
            marks(
                ax,
                row["type_1"],
                row[column],
                None,
                color,
                _MARKERS[test] if test else _OTHER_MARKERS[design],
                ms=6.5,
                xerr=row["type_1_deviation"],
                yerr=row[f"{column}_deviation"],
                mfc=color if test else "none",
            )
        rule(ax, x=level)
        for design, (shift, side) in named.items():
            place = points.loc[design, ["type_1", column]]
            note(ax, names.design(design), place, shift, ha=side)
    for scheme, color in _COLORS.items():
        marks(axes[0], [], [], names.SCHEMES[scheme], color)
    for test, marker in _MARKERS.items():
        marks(axes[0], [], [], names.TESTS[test], GREY, marker)
    for design, marker in _OTHER_MARKERS.items():
        if design in points.index:
            marks(axes[0], [], [], names.DESIGNS[design], INK, marker, mfc="none")
    log_ticks(axes[1].xaxis, [1, 2, 5, 10, 20, 50])


@picture(0, xlabel="instances of the training set (log scale)")
def margin_curves(
    fig, curves: pd.DataFrame, printed: Mapping[int, float], *, instances: int
) -> None:
    """Draw margins against the size of the training set: a line per network, a panel per source.

    Parameters
    ----------
    curves : DataFrame
        `companion.papers.four_sources.margin_curves`.
    printed : mapping of int to float
        The papers' margins, in percent.
    instances : int
        Size of the training sets on which they were measured.
    """
    by_source = curves.groupby("source")
    axes = panels(fig, len(by_source), height=1.75 * len(by_source) + 0.6, sharex=True)
    for ax, (source, of_source) in zip(axes, by_source):
        for _, curve in of_source.groupby("network"):
            size, margin = curve["instances"], curve["margin"]
            error = 2 * curve["standard_error"]
            if len(curve) == 1:  # neither a line nor a band would be seen
                marks(ax, size, margin, None, BLUE, ms=4, yerr=error)
            else:
                band(ax, size, margin, BLUE, error=error)
                series(ax, size, margin, None, BLUE, lw=1)
        rule(ax, y=0, color=INK, ls="-")
        rule(ax, x=instances)
        marks(
            ax, instances, printed[source], None, GREEN, "D", ms=6, mec=PAPER, zorder=3
        )
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter("{x:,.0f}")
        ax.set_title(f"source {source}", fontsize=SMALL)
    fig.supylabel("C4.5 minus naive Bayes (% accuracy)")


@picture(
    3, height=8.4, legend=2, xlabel="accuracy of naive Bayes (%)", ylabel="power (%)"
)
def power_by_level(axes, networks: pd.DataFrame, printed: Mapping[int, float]) -> None:
    """Draw power against level, one dot per network and one panel per source.

    Parameters
    ----------
    networks : DataFrame
        `companion.papers.levels.tables.power_by_level`.
    printed : mapping of int to float
        The printed power, in percent, by source; drawn as wide as half a printed digit
        and two standard errors of a thousand data sets.
    """
    looks = {True: ("margin and level", BLUE, "o"), False: ("margin alone", RED, "s")}
    for ax, (source, of_source) in zip(axes, networks.groupby("source")):
        power = printed[source]
        reach = 0.05 + 2 * np.sqrt(power * (100 - power) / 1000)
        ax.axhspan(power - reach, power + reach, color=GREEN, alpha=0.25, lw=0)
        for is_at_level, (label, color, marker) in looks.items():
            dots = of_source[of_source["at_level"] == is_at_level]
            marks(ax, dots["level"], dots["power"], label, color, marker, ms=4)
        ax.set_title(f"source {source}", fontsize=SMALL)
    marks(axes[0], [], [], "printed power", GREEN, "s", alpha=0.4)


@picture(
    0, xlabel="experiments on each data set", ylabel="consistent (%)", ylim=(0, 103)
)
def consistency_by_experiments(fig, curves: pd.DataFrame) -> None:
    """Draw the share of consistent data sets against the number of experiments, by source.

    Parameters
    ----------
    curves : DataFrame
        `companion.papers.bouckaert_frank2004.table_5.consistency_curves`.
    """
    by_source = curves.groupby("source")
    axes = panels(
        fig, len(by_source), height=2.2 * len(by_source) + 1, sharex=True, sharey=True
    )
    for ax, (source, of_source) in zip(axes, by_source):
        for design, look in _FIVE_TESTS.items():
            rows = of_source[of_source["design"] == design]
            series(
                ax,
                rows["experiments"],
                rows["consistent"],
                *look,
                error=1.96 * rows["standard_error"],
            )
            two = rows.loc[rows["experiments"] == 2, "consistent"].iloc[0]
            rule(ax, y=two, color=look[1], lw=0.7, ls="-", alpha=0.7)
        ax.set_title(f"source {source}")
    legend_outside(fig, axes[0], ncols=2)

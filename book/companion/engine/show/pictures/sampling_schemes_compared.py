"""Pictures of Table 1 of bouckaert2004: its cells and those of networks; the designs' trade-off."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from . import names
from .drawing import bars, legend_outside, log_ticks, marks, panels, picture, rule, series
from .style import AMBER, BLUE, GREEN, GREY, INK, PURPLE, RED

_COLORS = dict(zip(names.SCHEMES, (PURPLE, AMBER, GREY, RED, GREEN, BLUE)))
_LINES = dict(zip(names.SCHEMES, (":", (0, (5, 1, 1, 1)), "-", (0, (1, 1)), "-.", "--")))
_MARKERS = {"signed_rank": "o", "sign_test": "s", "paired_t": "^"}
_OTHER_MARKERS = dict(zip(names.DESIGNS, ("*", "P", "X", "D")))


@picture(0)
def spread(
    fig, cells: pd.DataFrame, by_network: pd.DataFrame, titles: Mapping[str, str], max_z: float
) -> None:
    """Draw printed cells among those of ten networks, one panel per column of the table.

    Parameters
    ----------
    cells : DataFrame
        `companion.papers.synthetic.spread`.
    by_network : DataFrame
        `companion.papers.synthetic.tables_by_network`.
    titles : mapping
        Titles of the panels, by column.
    max_z : float
        Number of joint errors that the bars reach on either side.
    """
    designs = list(cells["design"].unique())
    rows = {design: -row for row, design in enumerate(designs)}
    axes = panels(fig, len(titles), height=len(titles) * (0.21 * len(designs) + 0.55) + 0.4)
    for ax, (column, title) in zip(axes, titles.items()):
        of_column = cells[cells["column"] == column]
        y, middle = of_column["design"].map(rows), of_column["rebuilt"]
        reach = max_z * np.hypot(of_column["standard_error"], of_column["published_error"])
        bars(ax, y, (middle - reach).clip(0, 100), (middle + reach).clip(0, 100), BLUE)
        dots = by_network[(by_network["column"] == column) & by_network["design"].isin(designs)]
        marks(ax, dots["value"], dots["design"].map(rows), None, BLUE, ms=3, alpha=0.8)
        marks(ax, of_column["printed"], y, None, INK, "D", mfc="none", mew=1.6, ms=6.5)
        ax.set_yticks(list(rows.values()), [names.design(d) for d in designs], fontsize=9)
        ax.set(title=title, ylim=(0.6 - len(designs), 0.6))
        ax.grid(axis="x", color=GREY, lw=0.4, alpha=0.5)
    axes[-1].set_xlabel("percent;  ◇ printed   • rebuilt, ten networks", fontsize=10)


@picture(2, height=8.2, sharex=True, legend=2, xlabel="Type I error (%)",
         ylabel=("power, mean of sources 2 to 4 (%)", "least normalised replicability (%)"))
def trade_off(axes, points: pd.DataFrame, level: float) -> None:
    """Draw power and replicability against the Type I error, one mark per design.

    Parameters
    ----------
    points : DataFrame
        `companion.papers.bouckaert2004.table_1.trade_off`.
    level : float
        The nominal level in percent, drawn as a line.
    """
    for ax, column in zip(axes, ("power", "replicability_normalized")):
        for design, row in points.iterrows():
            scheme, _, test = design.partition(".")
            color = _COLORS.get(scheme, INK)
            marks(ax, row["type_1"], row[column], None, color,
                  _MARKERS[test] if test else _OTHER_MARKERS[design], ms=6.5,
                  xerr=row["type_1_deviation"], yerr=row[f"{column}_deviation"],
                  mfc=color if test else "none")
        rule(ax, x=level)
    for scheme, color in _COLORS.items():
        marks(axes[0], [], [], names.SCHEMES[scheme], color)
    for test, marker in _MARKERS.items():
        marks(axes[0], [], [], names.TESTS[test], GREY, marker)
    for design, marker in _OTHER_MARKERS.items():
        if design in points.index:
            marks(axes[0], [], [], names.DESIGNS[design], INK, marker, mfc="none")
    log_ticks(axes[1].xaxis, [1, 2, 5, 10, 20, 50])


@picture(0, xlabel="true Type I error (%)", ylabel="power (%)", ylim=(0, 102), xlim=(0.4, 100))
def operating_curves(
    fig, curves: pd.DataFrame, points: pd.DataFrame, designs: Sequence[str], level: float
) -> None:
    """Draw power against the true Type I error as the level varies, one panel per source.

    Parameters
    ----------
    curves : DataFrame
        `companion.papers.topics.operating_curves.operating_curves`.
    points : DataFrame
        `companion.papers.topics.operating_curves.operating_points`: the positions of the designs at
        the nominal level.
    designs : sequence of str
        Designs to draw, with one test and different schemes.
    level : float
        The desired Type I error in percent, drawn as a line.
    """
    sources = sorted(curves["source"].unique())
    axes = panels(fig, len(sources), height=2.7 * len(sources) + 1.0, sharex=True)
    for ax, source in zip(axes, sources):
        for design in designs:
            scheme = design.split(".")[0]
            rows, at = (frame[(frame["source"] == source) & (frame["design"] == design)]
                        for frame in (curves, points))
            series(ax, rows["type_1"], rows["power"], names.SCHEMES[scheme], _COLORS[scheme],
                   _LINES[scheme], drawstyle="steps-post")
            marks(ax, at["type_1"], at["power"], None, _COLORS[scheme], ms=6.5, zorder=5)
        rule(ax, x=level)
        ax.set_title(f"source {source}")
    log_ticks(axes[-1].xaxis, [0.5, 1, 2, 5, 10, 20, 50, 100])
    legend_outside(fig, axes[0], ncols=2)

"""Pictures of Table 1 of bouckaert2004: its cells and those of networks; the designs' trade-off."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from . import names, style
from .style import AMBER, BLUE, GREEN, GREY, INK, PURPLE, RED, in_house_style

_COLORS = dict(zip(names.SCHEMES, (PURPLE, AMBER, GREY, RED, GREEN, BLUE)))
_LINES = dict(zip(names.SCHEMES, (":", (0, (5, 1, 1, 1)), "-", (0, (1, 1)), "-.", "--")))
_MARKERS = {"signed_rank": "o", "sign_test": "s", "paired_t": "^"}
_OTHER_MARKERS = dict(zip(names.DESIGNS, ("*", "P", "X", "D")))


@in_house_style
def spread(
    cells: pd.DataFrame, by_network: pd.DataFrame, titles: Mapping[str, str], max_z: float
) -> Figure:
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
    height = len(titles) * (0.21 * len(designs) + 0.55) + 0.4
    fig, axes = style.figure(len(titles), height=height)
    for ax, (column, title) in zip(axes, titles.items()):
        of_column = cells[cells["column"] == column]
        y = of_column["design"].map(rows)
        reach = max_z * np.hypot(of_column["standard_error"], of_column["published_error"])
        low = (of_column["rebuilt"] - reach).clip(0, 100)
        high = (of_column["rebuilt"] + reach).clip(0, 100)
        ax.hlines(y, low, high, color=BLUE, lw=6, alpha=0.25)
        dots = by_network[(by_network["column"] == column) & by_network["design"].isin(designs)]
        ax.plot(dots["value"], dots["design"].map(rows), "o", color=BLUE, ms=3, alpha=0.8)
        ax.plot(of_column["printed"], y, "D", color=INK, mfc="none", mew=1.6, ms=6.5, ls="none")
        ax.set_yticks(list(rows.values()), [names.design(d) for d in designs], fontsize=9)
        ax.set(title=title, ylim=(0.6 - len(designs), 0.6))
        ax.grid(axis="x", color=GREY, lw=0.4, alpha=0.5)
    axes[-1].set_xlabel("percent;  ◇ printed   • rebuilt, ten networks", fontsize=10)
    return fig


@in_house_style
def trade_off(points: pd.DataFrame, level: float) -> Figure:
    """Draw power and replicability against the Type I error, one mark per design.

    Parameters
    ----------
    points : DataFrame
        `companion.papers.bouckaert2004.table_1.trade_off`.
    level : float
        The nominal level in percent, drawn as a line.
    """
    fig, axes = style.figure(2, height=8.2, sharex=True)
    for ax, column, label in (
        (axes[0], "power", "power, mean of sources 2 to 4 (%)"),
        (axes[1], "replicability_normalized", "least normalised replicability (%)"),
    ):
        for design, row in points.iterrows():
            scheme, _, test = design.partition(".")
            color = _COLORS.get(scheme, INK)
            marker = _MARKERS[test] if test else _OTHER_MARKERS[design]
            ax.errorbar(
                row["type_1"], row[column], xerr=row["type_1_deviation"],
                yerr=row[f"{column}_deviation"], fmt=marker, color=color, ms=6.5, elinewidth=0.7,
                mfc=color if test else "none",
            )
        ax.axvline(level, color=GREY, lw=0.9, ls=":")
        ax.set_ylabel(label)
    axes[1].set_xlabel("Type I error (%)")
    style.log_ticks(axes[1].xaxis, [1, 2, 5, 10, 20, 50])
    mark = lambda marker, color, text, fill="full": Line2D(
        [], [], marker=marker, color=color, ls="none", label=text, fillstyle=fill, ms=6.5
    )
    handles = [mark("o", color, names.SCHEMES[scheme]) for scheme, color in _COLORS.items()]
    handles += [mark(marker, GREY, names.TESTS[test]) for test, marker in _MARKERS.items()]
    handles += [
        mark(_OTHER_MARKERS[design], INK, names.DESIGNS[design], "none")
        for design in names.DESIGNS if design in points.index
    ]
    fig.legend(handles=handles, loc="outside lower center", ncols=2, fontsize=9, columnspacing=1.2)
    return fig


@in_house_style
def operating_curves(
    curves: pd.DataFrame, points: pd.DataFrame, designs: Sequence[str], level: float
) -> Figure:
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
    fig, axes = style.figure(len(sources), height=2.7 * len(sources) + 1.0, sharex=True)
    for ax, source in zip(axes, sources):
        for design in designs:
            scheme = design.split(".")[0]
            rows = curves[(curves["source"] == source) & (curves["design"] == design)]
            ax.plot(rows["type_1"], rows["power"], color=_COLORS[scheme], ls=_LINES[scheme], lw=1.5,
                    drawstyle="steps-post", label=names.SCHEMES[scheme])
            at = points[(points["source"] == source) & (points["design"] == design)].iloc[0]
            ax.plot(at["type_1"], at["power"], "o", color=_COLORS[scheme], ms=6.5, zorder=5)
        ax.axvline(level, color=GREY, lw=0.9, ls=":")
        ax.set(title=f"source {source}", ylabel="power (%)", ylim=(0, 102), xlim=(0.4, 100))
    style.log_ticks(axes[-1].xaxis, [0.5, 1, 2, 5, 10, 20, 50, 100])
    axes[-1].set_xlabel("true Type I error (%)")
    style.legend_outside(fig, axes[0], where="lower center", ncols=2, fontsize=9)
    return fig


@in_house_style
def half_widths(frame: pd.DataFrame) -> Figure:
    """Draw printed half-widths against those of two kinds of reruns.

    Parameters
    ----------
    frame : DataFrame
        `companion.papers.bouckaert2004.table_1.half_widths`.
    """
    fig, ax = style.figure(height=3.6)
    looks = {
        "other_datasets": (RED, "s", "other data sets"),
        "same_datasets": (BLUE, "o", "same data sets, other splits"),
    }
    for kind, (color, marker, label) in looks.items():
        ax.plot(frame[kind], frame["printed"], marker, color=color, ms=5, ls="none", alpha=0.8,
                label=label)
    top = 1.05 * frame.to_numpy().max()
    ax.plot([0, top], [0, top], color=GREY, lw=0.9, ls=":")
    ax.set(xlabel="95% half-width of a rerun (percentage points)", ylabel="printed half-width",
           xlim=(0, top), ylim=(-0.03, 1.0))
    ax.legend(loc="upper right")
    return fig

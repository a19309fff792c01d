"""Pictures of profiles: power and replicability against difference, power, and size."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from . import style
from .style import AMBER, BLUE, GREEN, GREY, INK, RED, SERIES, in_house_style


@in_house_style
def profiles(
    simulated: pd.DataFrame, curves: pd.DataFrame, *, panel: str, titles: list[str], most: float,
    limits: pd.DataFrame | None = None,
) -> Figure:
    """Draw one graph of the paper per panel: bands of the simulation, curves of the theory.

    `simulated` (`simulation.profile`) and `curves` (exact, or the limit) have the columns `size`,
    `difference`, `power`, `replicability`, and `panel`, in whose order the titles are; `most` is
    the end of the x-axis; `limits` adds thin dotted curves.
    """
    fig, axes = style.figure(
        len(titles), 1, height=2.45 * len(titles) + 0.6, sharex=True, squeeze=False
    )
    for i, (ax, title) in enumerate(zip(axes[:, 0], titles)):
        of_panel = lambda frame: frame[frame[panel] == sorted(frame[panel].unique())[i]]
        _graph(ax, of_panel(simulated), of_panel(curves))
        if limits is not None:
            for _, curve in of_panel(limits).groupby("size"):
                for column in ("power", "replicability"):
                    ax.plot(curve["difference"], curve[column], color=INK, ls=":", lw=0.9)
        ax.axhline(50, color=GREY, lw=0.7, ls=(0, (1, 3)))
        ax.set(ylim=(-3, 103), xlim=(0, most))
        ax.set_title(title)
    style.legend_outside(fig, axes[0, 0], ncols=3, title="instances")
    fig.supylabel("power (thin lines), replicability (thick lines), in %", fontsize=11)
    axes[-1, 0].set_xlabel("difference in accuracy of B and A (percentage points)")
    return fig


def _graph(ax: Axes, simulated: pd.DataFrame, curves: pd.DataFrame) -> None:
    for (color, line), (size, curve) in zip(SERIES, curves.groupby("size")):
        ax.plot(curve["difference"], curve["power"], color=color, ls=line, lw=1.1)
        ax.plot(curve["difference"], curve["replicability"], color=color, ls=line, lw=2.0,
                label=f"{size:,}")
        band = simulated[simulated["size"] == size]
        for column in ("power", "replicability"):
            error = 1.96 * band[f"{column}_error"]
            ax.fill_between(band["difference"], band[column] - error, band[column] + error,
                            color=color, alpha=0.25, lw=0)


@in_house_style
def replicability_over_power(profile: pd.DataFrame, limits: pd.DataFrame) -> Figure:
    """Draw replicability against power, all sizes (`figure_1.figure_1`, `limit_profile`)."""
    fig, ax = style.figure(height=4)
    marks = dict(zip(sorted(profile["size"].unique()), "osDv^<>"))
    colors = dict(zip(sorted(profile["test_fraction"].unique()), (BLUE, RED, GREEN, AMBER)))
    for fraction, color in colors.items():
        line = limits[limits["test_fraction"] == fraction]
        ax.plot(line["power"], line["replicability"], color=color, ls="-", lw=1.4)
        middle = line.iloc[(line["power"] - 50).abs().argmin()]
        style.note(ax, rf"$\tau$ = {fraction:.2g}", (middle["power"], middle["replicability"]),
                   (0, -6), color=color, ha="center", va="top")
        for size, mark in marks.items():
            dots = profile[(profile["size"] == size) & (profile["test_fraction"] == fraction)]
            ax.plot(dots["power"], dots["replicability"], mark, ms=4, mfc="none", color=color,
                    ls="none")
    for size, mark in marks.items():
        ax.plot([], [], mark, ms=4, mfc="none", color=INK, ls="none", label=f"{size:,} instances")
    ax.plot([], [], color=INK, ls="-", lw=1.4, label="limit")
    ax.legend(loc="upper center", fontsize=9)
    ax.set(xlabel="power (%)", ylabel="normalised replicability (%)", xlim=(-2, 102),
           ylim=(-8, 103))
    return fig


@in_house_style
def type1_trend(trend: pd.DataFrame, printed: pd.Series) -> Figure:
    """Draw Type I replicability against size, with the paper's values (`section_4.type1_trend`)."""
    fig, ax = style.figure(height=3.5)
    n = trend["size"]
    ax.plot(n, trend["exact"], color=BLUE, ls="-")
    ax.plot(n, trend["exact_uncorrected"], color=GREEN, ls="-.")
    ax.errorbar(n * 1.06, trend["simulated"], 1.96 * trend["standard_error"], fmt="s", ms=4,
                mfc="none", color=GREY, ls="none", lw=1, capsize=2)
    shown = trend[trend["size"].isin(printed.index)]
    ax.errorbar(shown["size"] / 1.06, printed.loc[shown["size"]], 1.96 * shown["published_error"],
                fmt="o", ms=4, color=RED, ls="none", lw=1, capsize=2)
    first = trend.iloc[0]
    style.note(ax, "with the correction, exact", (n.iloc[0], first["exact"]), (52, 14), color=BLUE)
    style.note(ax, "without it, exact", (n.iloc[0], first["exact_uncorrected"]), (0, -26),
               color=GREEN)
    ax.plot([], [], "o", color=RED, ls="none", label="printed")
    ax.plot([], [], "s", mfc="none", color=GREY, ls="none", label="simulated here")
    fig.legend(loc="outside upper center", ncols=2)
    ax.set(xscale="log", xlabel="instances in the data set",
           ylabel="normalised replicability\nunder the null hypothesis (%)")
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.margins(y=0.12)
    return fig

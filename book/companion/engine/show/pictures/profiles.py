"""Pictures of profiles: against difference, power, and size; and what the designs cost."""

import pandas as pd

from .drawing import (
    legend_outside,
    log_ticks,
    marks,
    note,
    panels,
    picture,
    rule,
    series,
)
from .style import BLUE, GREEN, GREY, INK, RED, SERIES


@picture(
    0, xlabel="difference in accuracy of B and A (percentage points)", ylim=(-3, 103)
)
def profiles(
    fig,
    simulated: pd.DataFrame,
    curves: pd.DataFrame,
    *,
    panel: str,
    titles: list[str],
    most: float,
    limits: pd.DataFrame | None = None,
) -> None:
    """Draw one graph of the paper per panel: bands of the simulation, curves of the theory.

    `simulated` (`simulation.profile`) and `curves` (exact, or the limit) have the
    columns `size`, `difference`, `power`, `replicability`, and `panel`, in whose order
    the titles are; `most` is the end of the x-axis; `limits` adds thin dotted curves.
    """
    axes = panels(fig, len(titles), height=2.45 * len(titles) + 0.6, sharex=True)
    for i, (ax, title) in enumerate(zip(axes, titles)):
        of_panel = lambda frame: frame[frame[panel] == sorted(frame[panel].unique())[i]]
        of_size = of_panel(simulated).groupby("size")
        for look, (size, curve) in zip(SERIES, of_panel(curves).groupby("size")):
            band = of_size.get_group(size)
            for column, label, width in (
                ("power", None, 1.1),
                ("replicability", f"{size:,}", 2),
            ):
                series(ax, curve["difference"], curve[column], label, *look, lw=width)
                error = 1.96 * band[f"{column}_error"]
                ax.fill_between(
                    band["difference"],
                    band[column] - error,
                    band[column] + error,
                    color=look[0],
                    alpha=0.25,
                    lw=0,
                )
        if limits is not None:
            for _, curve in of_panel(limits).groupby("size"):
                for column in ("power", "replicability"):
                    series(
                        ax, curve["difference"], curve[column], None, INK, ":", lw=0.9
                    )
        rule(ax, y=50, ls=(0, (1, 3)))
        ax.set(title=title, xlim=(0, most))
    legend_outside(fig, axes[0], ncols=3, title="instances")
    between = (
        "\n" if len(titles) == 1 else " "
    )  # a single panel is too low for one line
    fig.supylabel(f"power (thin lines),{between}replicability (thick lines), in %")


@picture(
    legend=2,
    xlabel="instances in the data set",
    ylabel="normalised replicability\nunder the null hypothesis (%)",
)
def type1_trend(ax, trend: pd.DataFrame, printed: pd.Series) -> None:
    """Draw Type I replicability against size, with the paper's values (`section_4.type1_trend`)."""
    n, first = trend["size"], trend.iloc[0]
    shown = trend[trend["size"].isin(printed.index)]
    series(ax, n, trend["exact"], None, BLUE)
    series(ax, n, trend["exact_uncorrected"], None, GREEN, "-.")
    marks(
        ax,
        shown["size"] / 1.06,
        printed.loc[shown["size"]],
        "printed",
        RED,
        yerr=1.96 * shown["published_error"],
    )
    marks(
        ax,
        n * 1.06,
        trend["simulated"],
        "simulated here",
        GREY,
        "s",
        mfc="none",
        yerr=1.96 * trend["standard_error"],
    )
    note(
        ax,
        "with the correction, exact",
        (first["size"], first["exact"]),
        (52, 14),
        color=BLUE,
    )
    note(
        ax,
        "without it, exact",
        (first["size"], first["exact_uncorrected"]),
        (0, -26),
        color=GREEN,
    )
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.margins(y=0.12)


@picture(
    height=4.0,
    legend=1,
    xlabel="trainings of each learner",
    ylim=(-2, 102),
    ylabel="worst-case normalised\nreplicability (%)",
)
def frontier(ax, designs: pd.DataFrame) -> None:
    """Draw the worst case against the trainings spent, a line per family: `section_5.frontier`."""
    families = designs.groupby("family", sort=False)
    for (color, line), mark, (family, members) in zip(SERIES, "so^vD", families):
        single = members["trainings"].nunique() == 1
        series(
            ax,
            members["trainings"],
            members["worst_case"],
            family,
            color,
            "none" if single else line,
            mark,
        )
        for row in members.iloc[[0, -1] if single else []].itertuples():
            note(
                ax,
                f"{row.size:.0f}%",
                (row.trainings, row.worst_case),
                (6, -4),
                color=color,
            )
    log_ticks(ax.xaxis, [1, 3, 10, 30, 100, 300, 1000], ",")

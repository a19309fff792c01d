"""Pictures of the sweeps: small multiples, their common pattern, and all of them together."""

import numpy as np
import pandas as pd

from .drawing import legend_outside, marks, picture, rule, series
from .style import AMBER, BLUE, GREEN, GREY, INK, PAPER, PURPLE, RED, SMALL

#: What varies, as written on axes and rows.
LABELS = {
    "alpha": "significance level (%)",
    "runs": "runs of 10-fold cross-validation",
    "class_probability": "probability of the rarer class",
    "class_cardinality": "number of classes",
    "instances": "instances in the data set",
    "pairs": "pair of learners",
}

_SOURCES = {
    "1": ("source 1", GREY, (0, (1, 1)), "o"),
    "2": ("source 2", BLUE, "-", "s"),
    "3": ("source 3", RED, "--", "^"),
    "4": ("source 4", GREEN, "-.", "D"),
    "random": ("random networks", PURPLE, "-", "v"),
}
_OUTCOMES = {
    "best": ("the best", BLUE, "-", "o"),
    "significantly_best": ("significantly best, or none", GREEN, "-.", "^"),
    "ranking": ("the whole ranking", AMBER, (0, (5, 1, 1, 1)), "v"),
    "all_pairs": ("all pairs", RED, "--", "s"),
    "all_pairs_holm": ("all pairs, Holm", PURPLE, (0, (1, 1)), "D"),
}

TWO_ERRORS = 2  # standard errors that the bars show
MOST = 103  # of an axis in percent; the bars of two errors may go on above 100


def _places(sweep: str, values):
    """Return the positions of values on their axis."""
    return 100 * values if sweep == "alpha" else values


@picture(
    2, height=5.4, sharex=True, ylabel=("rejections (%)", "replicability 2r − 1 (%)")
)
def sweep(
    axes, summarised: pd.DataFrame, name: str, level: float | None = None
) -> None:
    """Draw rejections and replicability against what varies, one line per source.

    Parameters
    ----------
    summarised : DataFrame
        Rows of one test of `companion.papers.bouckaert2004.sweeps.scores.summary`.
    name : str
        What varies, a name in `LABELS`.
    level : float, optional
        The significance level in percent, drawn if it is the same throughout.
    """
    by_source = list(summarised.groupby("source", sort=False))
    for source, rows in by_source:
        x = _places(name, rows["value"]).to_numpy(float)
        for ax, measure in zip(axes, ("rejected", "replicability")):
            error = TWO_ERRORS * rows[f"{measure}_error"]
            series(ax, x, rows[measure], *_SOURCES[source], error=error)
    if name == "alpha":
        edges = np.array([0, 100 * summarised["value"].max()])
        axes[0].plot(edges, edges, color=INK, lw=0.9, ls=":")
    elif level is not None:
        rule(axes[0], y=level, color=INK)
    axes[0].set(ylim=(-3, MOST))
    axes[1].set_ylim(top=min(MOST, axes[1].get_ylim()[1]))
    axes[1].set(xlabel=LABELS[name])
    if name == "instances":
        axes[1].set_xscale("log")
        axes[1].xaxis.set_major_formatter("{x:,.0f}")
    else:
        values = np.unique(_places(name, summarised["value"]))
        axes[1].set_xticks(values, [f"{value:g}" for value in values])
    if name == "class_probability":
        axes[1].invert_xaxis()
    legend_outside(axes[0].figure, axes[0], ncols=min(len(by_source), 4))


def _head(ax, y: float, text: str) -> None:
    """Write the heading of a group above its rows, on top of the lines through all rows."""
    ax.text(
        0,
        y,
        text,
        fontsize=SMALL,
        weight="bold",
        va="center",
        transform=ax.get_yaxis_transform(),
        bbox={"fc": PAPER, "ec": "none", "pad": 1},
    )


@picture(legend=2, xlabel="change of 2r − 1 (percentage points)")
def channels(ax, frame: pd.DataFrame) -> None:
    """Draw how much each sweep changes replicability, and the two parts of this.

    Parameters
    ----------
    frame : DataFrame
        `companion.papers.bouckaert2004.sweeps.scores.channels`.
    """
    groups = list(frame.groupby("sweep", sort=False))
    ax.figure.set_figheight(0.3 * (len(frame) + 1.5 * len(groups)) + 1.2)
    ticks, y = [], 0.0
    for name, rows in groups:
        first, last = (
            f"{_places(name, rows[end].iloc[0]):,g}" for end in ("first", "last")
        )
        what = LABELS[name].replace(" (%)", "")
        _head(ax, y, f"{what}: {first} to {last}{'%' if '(%)' in LABELS[name] else ''}")
        y += 1
        for row in rows.itertuples():
            bars = {"height": 0.3, "alpha": 0.55, "lw": 0}
            ax.barh(
                y - 0.16,
                row.by_rejections,
                color=BLUE,
                label="by how often it rejects",
                **bars,
            )
            ax.barh(
                y + 0.16,
                row.by_correlation,
                color=RED,
                label="by agreement on the same data",
                **bars,
            )
            marks(
                ax,
                row.change,
                y,
                "change, ± 2 errors",
                INK,
                xerr=TWO_ERRORS * row.standard_error,
            )
            ticks.append((y, _SOURCES[row.source][0]))
            y += 1
        y += 0.5
    rule(ax, x=0, color=INK, ls="-")
    ax.set_yticks(*zip(*ticks), fontsize=SMALL)
    ax.grid(axis="x", color=GREY, alpha=0.25, lw=0.6)
    ax.set(ylim=(y - 0.3, -0.8))


@picture(1, 2, sharey=True, legend=4)
def pairs(axes, summarised: pd.DataFrame) -> None:
    """Draw rejections and replicability of all pairs of learners, one mark per source.

    Parameters
    ----------
    summarised : DataFrame
        Rows of one test of `companion.papers.bouckaert2004.sweeps.scores.summary` of
        the pairs.
    """
    values = list(summarised["value"].unique())
    axes[0].figure.set_figheight(0.3 * len(values) + 1.2)
    for place, (source, rows) in enumerate(summarised.groupby("source", sort=False)):
        label, color, _, marker = _SOURCES[source]
        y = rows["value"].map(values.index) + 0.16 * (place - 1.5)
        for ax, measure in zip(axes, ("rejected", "replicability")):
            marks(
                ax,
                rows[measure],
                y,
                label,
                color,
                marker,
                ms=4,
                xerr=TWO_ERRORS * rows[f"{measure}_error"],
            )
    for ax, title in zip(axes, ("rejections (%)", "2r − 1 (%)")):
        ax.set_xlabel(title)
        ax.grid(color=GREY, alpha=0.2, lw=0.6)
    axes[0].set_yticks(range(len(values)), values, fontsize=SMALL)
    axes[0].set_ylim(len(values) - 0.4, -0.6)
    axes[1].set_xlim(right=MOST)


@picture(
    2,
    2,
    height=5.2,
    sharex=True,
    sharey=True,
    legend=2,
    xlabel="learners",
    ylabel="same outcome (%)",
    xticks=range(2, 7),
    ylim=(0, MOST),
)
def outcomes_by_number_of_learners(axes, frame: pd.DataFrame) -> None:
    """Draw the replicability of reports on several learners, one panel per source.

    Parameters
    ----------
    frame : DataFrame
        `companion.papers.bouckaert2004.sweeps.pairs.outcomes_by_number_of_learners`.
    """
    for ax, (source, of_source) in zip(axes.flat, frame.groupby("source", sort=False)):
        for outcome, look in _OUTCOMES.items():
            rows = of_source[of_source["outcome"] == outcome]
            series(
                ax,
                rows["learners"],
                rows["replicability"],
                *look,
                error=TWO_ERRORS * rows["standard_error"],
            )
        ax.set_title(_SOURCES[source][0])

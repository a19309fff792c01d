"""Pictures of the chapter on seeds and items: agreement of teams, Type I errors, the top two."""

import numpy as np
import pandas as pd
from matplotlib.colors import BoundaryNorm, ListedColormap

from .drawing import marks, panels, picture
from .style import BLUE, GREY, INK, PAPER, SMALL, STEPS

_EDGES = (
    0,
    2.5,
    4,
    6,
    7,
    10,
)  # of the steps in colour; the middle is the desired range
_KINDS = {0: "real-valued scores", 1: "right and wrong answers"}
_QUESTIONS = {
    "both": ("test: new seeds and items", "o"),
    "items": ("test: new items", "s"),
    "seeds": ("test: new seeds", "D"),
}


@picture(
    height=4.6,
    legend=2,
    xlabel="agreement that a team predicts (%), mean",
    xlim=(40, 103),
    ylabel="pairs of teams that agree (%)",
    ylim=(40, 103),
    aspect="equal",
)
def same_decisions(ax, chosen: pd.DataFrame, held_out: pd.DataFrame) -> None:
    """Draw counted against predicted agreement, one mark per pair of networks and question.

    Both tables are `companion.studies.teams_with_seeds.same_decisions`: for the
    runs on which the rule was chosen, and for others.
    """
    ax.plot([40, 100], [40, 100], color=INK, lw=1, ls=":")
    for label, marker in _QUESTIONS.values():
        marks(ax, [], [], label, INK, marker, ms=7)
    for table, label, color, fill in (
        (held_out, "held-out runs", BLUE, BLUE),
        (chosen, "runs that chose the rule", GREY, PAPER),
    ):
        look = {"ms": 8, "mfc": fill, "mew": 1.4}
        marks(ax, [], [], label, color, **look)
        for question, rows in table.groupby("question"):
            marks(
                ax,
                100 * rows["predicted"],
                100 * rows["counted"],
                None,
                color,
                _QUESTIONS[question][1],
                alpha=0.9,
                zorder=2 if table is chosen else 2.1,
                **look,
            )


@picture(0)
def type_1_grid(fig, found: pd.DataFrame, question: str) -> None:
    """Draw the Type I error in each setting of a question as a coloured square.

    Parameters
    ----------
    found : DataFrame
        `companion.studies.benchmark_of_items.type_1_grid`.
    question : {"both", "items", "seeds"}
    """
    rows = found[found["question"] == question]
    grids = {
        kind: of_kind.pivot(
            index=["items", "clusters", "icc"],
            columns=["runs", "share"],
            values="error",
        )
        for kind, of_kind in rows.groupby("binary")
    }
    lengths = [len(grid) for grid in grids.values()]
    axes = panels(
        fig,
        len(grids),
        height_ratios=lengths,
        height=1.9 + sum(max(0.17 * length, 0.7) + 0.5 for length in lengths),
    )
    for ax, (kind, grid) in zip(axes, grids.items()):
        image = ax.pcolormesh(
            100 * grid.to_numpy(),
            cmap=ListedColormap(STEPS),
            norm=BoundaryNorm(_EDGES, len(STEPS)),
            edgecolors=INK,
            linewidth=0.15,
        )
        runs, keys = grid.columns.get_level_values("runs"), grid.index.droplevel("icc")
        middle_of = lambda values, value: np.flatnonzero(values == value).mean() + 0.5
        ax.set_xticks([middle_of(runs, run) for run in runs.unique()], runs.unique())
        labels = [
            f"{items:,} in {clusters}" if clusters else f"{items:,}"
            for items, clusters in keys.unique()
        ]
        ax.set_yticks(
            [middle_of(keys, key) for key in keys.unique()], labels, fontsize=SMALL
        )
        ax.tick_params(length=0)
        ax.invert_yaxis()
        ax.set(title=_KINDS[kind], ylabel="items, and clusters")
    ax.set_xlabel("runs; in each, three shares of run effects")
    bar = fig.colorbar(
        image,
        ax=axes,
        orientation="horizontal",
        location="top",
        aspect=40,
        shrink=0.9,
        fraction=0.03,
        label="Type I error (%) at a nominal 5%",
    )
    bar.outline.set_visible(False)

"""Picture of the chapter on five seeds: predicted and counted agreement of two teams."""

import pandas as pd
from matplotlib.figure import Figure

from companion.engine.show.pictures import style
from companion.engine.show.pictures.style import BLUE, GREY, INK, PAPER, in_house_style

_MARKERS = {"both": "o", "items": "s", "seeds": "D"}
_QUESTIONS = {"both": "new seeds and items", "items": "new items", "seeds": "new seeds"}


@in_house_style
def agreement(chosen: pd.DataFrame, held_out: pd.DataFrame) -> Figure:
    """Draw counted against predicted agreement, one mark per pair of networks and question.

    Both tables are `companion.papers.topics.teams_with_seeds.agreement`: for the runs on which the
    rule was chosen, and for others.
    """
    fig, ax = style.figure(height=4.6)
    ax.plot([40, 100], [40, 100], color=INK, lw=1, ls=":")
    for table, color, filled in ((chosen, GREY, False), (held_out, BLUE, True)):
        for question, rows in table.groupby("question"):
            ax.plot(
                100 * rows["predicted"], 100 * rows["counted"], _MARKERS[question], color=color,
                mfc=color if filled else PAPER, ms=8, mew=1.4, ls="none", alpha=0.9,
            )
    ax.set(xlabel="agreement that a team predicts (%), mean", xlim=(40, 103), ylim=(40, 103),
           ylabel="pairs of teams that agree (%)", aspect="equal")
    handles = [
        ax.plot([], [], marker, color=INK, ls="none", ms=7, label=f"test: {words}")[0]
        for marker, words in zip(_MARKERS.values(), _QUESTIONS.values())
    ] + [
        ax.plot([], [], "o", color=BLUE, ls="none", ms=8, label="held-out runs")[0],
        ax.plot([], [], "o", color=GREY, mfc=PAPER, mew=1.4, ls="none", ms=8,
                label="runs that chose the rule")[0],
    ]
    fig.legend(handles=handles, loc="outside upper center", ncols=2)
    return fig

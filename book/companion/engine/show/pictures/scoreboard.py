"""The picture of the scoreboard: how much of each paper is rebuilt."""

import pandas as pd

from companion.papers import published

from .drawing import picture
from .style import AMBER, BLUE, GREEN, GREY, PAPER, RED

# the hatches distinguish the same as the colours
_LOOKS = {
    "agrees": (GREEN, ""), "agrees in kind": (BLUE, ""), "explained": (BLUE, "///"),
    "erratum": (AMBER, ""), "differs": (RED, "xxx"), "not judged": (GREY, "++"),
    "open": (GREY, "\\\\"),
}


@picture(legend=3, xlabel="share of the published facts (%)", xlim=(0, 100))
def verdicts_by_paper(ax, counts: pd.DataFrame) -> None:
    """Draw the shares of the verdicts, one bar per paper, for all kinds of facts together.

    Parameters
    ----------
    counts : DataFrame
        `companion.papers.ledger.tally`, in the words of `companion.engine.show.display.SHOWN`.
    """
    papers = counts.groupby(level="paper", sort=False).sum()
    shares = 100 * papers.div(papers.sum(axis=1), axis=0)
    left = pd.Series(0.0, index=shares.index)
    rows = range(len(shares))[::-1]
    for verdict, (color, hatch) in _LOOKS.items():
        share = shares[verdict]
        if share.any():
            ax.barh(rows, share, left=left, color=color, hatch=hatch, edgecolor=PAPER, height=0.55,
                    linewidth=0.8, alpha=0.25 if verdict == "open" else 1, label=verdict)
            left += share
    names = ["\n".join([*published.PAPERS[paper].split(", "), f"{n} facts"])
             for paper, n in papers.sum(axis=1).items()]
    ax.set_yticks(rows, names, fontsize=9)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)

"""Bets of the short book: the reader guesses the answer before the picture draws it.

A bet stays in the reader's browser, where ``reader.js`` draws it beside the answer.
Without scripts a page shows its picture at once.
"""

import math

from companion.engine.build import chapters, last_fold
from companion.engine.show.display import html


class bet:
    """A question with a number as its answer, on which the reader bets before the next picture.

    Parameters
    ----------
    chapter : str
        Name of the chapter, under which the bet is kept.
    question : str
        Ends with a question mark.
    answer : float
        From the run that the picture shows.
    low, high : float
        Ends of the scale; the answer lies between them.
    unit : str
        Words after the number, such as ``"of 100 people"``.
    digits : int
        Decimals that are shown.

    Examples
    --------
    >>> bet("another_seed", "How many agree?", answer=53.4, unit="of 100 pairs")
    How many agree? 53 of 100 pairs.
    """

    def __init__(
        self,
        chapter: str,
        question: str,
        *,
        answer: float,
        low: float = 0,
        high: float = 100,
        unit: str = "",
        digits: int = 0,
    ):
        if not (math.isfinite(answer) and low <= answer <= high):
            raise ValueError(
                f"the answer of a bet must lie between {low} and {high}, not at {answer}"
            )
        self.question = question
        self.terms = {
            "chapter": chapter,
            "answer": round(float(answer), digits),
            "low": low,
            "high": high,
            "unit": unit,
            "digits": digits,
        }

    def __repr__(self) -> str:
        number = f"{self.terms['answer']:,.{self.terms['digits']}f}"
        return f"{self.question} {number} {self.terms['unit']}."

    def _repr_html_(self) -> str:
        low, high = self.terms["low"], self.terms["high"]
        return html(
            "bet",
            question=self.question,
            terms=self.terms,
            step=max((high - low) / 100, 10.0 ** -self.terms["digits"]),
        )


class bets:
    """All bets of the short book in a table, with their distances from the answers."""

    def __init__(self) -> None:
        self.chapters = [
            (chapter.name, f"{chapter.source.stem}.html", chapter.title)
            for chapter in chapters.chapters()
            if chapter.number <= last_fold.LAST_SHORT_CHAPTER
        ]

    def __repr__(self) -> str:
        return "The bets that a reader placed (on the page)."

    def _repr_html_(self) -> str:
        return html("bets", chapters=self.chapters)

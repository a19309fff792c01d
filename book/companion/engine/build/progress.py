"""How far the execution of a chapter is, for those who wait for it."""

from collections.abc import Callable
from typing import NamedTuple


class Step(NamedTuple):
    """A cell that runs, and how far its long experiment is, if it has one.

    Attributes
    ----------
    cell, n_cells : int
        The cell, counted from 1, and their number.
    percent : int
        What the bar of an experiment in this cell shows; 0 before it has one.
    """

    cell: int
    n_cells: int
    percent: int = 0


#: Is called with each step of an execution.
Report = Callable[[Step], object]


def tell_nobody(*step: object) -> None:
    """Report to nobody."""

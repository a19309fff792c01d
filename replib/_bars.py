"""Bars that say how far a long call is."""

from collections.abc import Iterable
from typing import TypeVar

Step = TypeVar("Step")

#: Seconds after which a bar appears: a person who waits longer wants to know how long.
PATIENCE = 2.0


def with_bar(
    steps: Iterable[Step], unit: str, *, total: int | None = None
) -> Iterable[Step]:
    """Return steps, with a bar in a terminal as soon as they have taken two seconds.

    Parameters
    ----------
    steps : iterable
        What a loop goes through.
    unit : str
        What a step is about, such as "pair".
    total : int, optional
        Number of the steps, if they have no length.

    Returns
    -------
    iterable
        It shows nothing in a file or a notebook, which would keep the time.
    """
    from tqdm import tqdm  # slow to load, and seldom needed

    return tqdm(
        steps, unit=unit, total=total, delay=PATIENCE, leave=False, disable=None
    )

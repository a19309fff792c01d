"""Bars that say how far a long call is."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

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
    bar: Iterable[Step] = _bar(unit, total=total, iterable=steps)
    return bar


@contextmanager
def counted_steps(total: int, unit: str) -> Iterator[Callable[[], Any]]:
    """Give a function that counts a step of what is no loop, with the same bar.

    Parameters
    ----------
    total : int
        Number of the steps, at most.
    unit : str

    Yields
    ------
    callable
    """
    with _bar(unit, total=total) as bar:
        yield bar.update


def _bar(unit: str, **options: Any) -> Any:
    from tqdm import tqdm  # slow to load, and seldom needed

    return tqdm(unit=unit, delay=PATIENCE, leave=False, disable=None, **options)

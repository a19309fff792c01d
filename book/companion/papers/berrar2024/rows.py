"""Ledger rows, as all modules of this paper write them."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np
import pandas as pd

from companion.papers import ledger

PAPER = "berrar2024"
#: Experiments per group in the paper, and our seed.
REPLICATIONS, SEED = 1000, 2024
rows = partial(ledger.rows, PAPER)


def are_close(a: Sequence, b: Sequence, rtol: float = 1e-10) -> bool:
    """Return whether two sequences of numbers or fractions agree."""
    a, b = (np.array(x, dtype=float) for x in (a, b))
    return bool(np.allclose(a, b, rtol=rtol, atol=1e-14))


def share_but_one(is_significant) -> pd.Series:
    """Equation 16 for each group: one significant experiment is the first, and the others count.

    The share is 0 if no experiment is significant.
    """
    return (is_significant.sum() - 1).clip(lower=0) / (is_significant.size() - 1)


def resampled(
    experiments: pd.DataFrame,
    columns: Sequence[str],
    *,
    size: int | None,
    draws: int,
    rng: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray, list]:
    """Sum columns over `size` experiments of each group (default: all), drawn with replacement.

    Returns the sums, shape (draws, groups, columns), the experiments per group, and the
    groups.
    """
    groups = {
        key: one[list(columns)].to_numpy(float)
        for key, one in experiments.groupby("group")
    }
    sizes = np.array([size or len(x) for x in groups.values()])
    sums = np.array(
        [
            [
                x[rng.integers(len(x), size=n)].sum(axis=0)
                for x, n in zip(groups.values(), sizes)
            ]
            for _ in range(draws)
        ]
    )
    return sums, sizes, list(groups)


def spread(
    draws: Sequence[Mapping[str, float]], key: str, *, is_whole: bool = False
) -> float:
    """Standard deviation of a number over resampled studies; NaN if fewer than two have it.

    A whole number that is the same in n draws may still move once in n: its error is at
    least 1 / sqrt(n).
    """
    values = [draw[key] for draw in draws if key in draw]
    found = float(np.nanstd(values)) if len(values) > 1 else float("nan")
    return max(found, len(values) ** -0.5) if is_whole and len(values) > 1 else found


def with_errors(
    numbers: Callable[..., dict[str, float]],
    groups: object,
    redrawn: Callable[..., Sequence],
) -> tuple[dict[str, tuple[float, float]], dict[str, float]]:
    """`numbers` of groups with standard errors, and the errors of the printed numbers, by id.

    `redrawn` draws groups with as many experiments as here (`size` None) and as in the
    paper.
    """
    found = numbers(groups)
    ours, theirs = (
        {key: spread(draws, key, is_whole="wins" in key) for key in found}
        for size in (None, REPLICATIONS)
        for draws in [[numbers(one) for one in redrawn(size=size)]]
    )
    return {key: (value, ours[key]) for key, value in found.items()}, theirs

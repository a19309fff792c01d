"""Scores per run and item, and clusters: of the right shape and of the right things, or refused."""

from typing import Any

import numpy as np

from replib.checks import real_array


def item_scores(
    a: Any, b: Any, *, groups: Any, paired_runs: bool, names: tuple[str, str]
) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Read the scores of two models as blocks of runs x items.

    Parameters
    ----------
    a, b : array_like, Series or DataFrame, shape (items,) or (runs, items)
    groups : array_like or None
    paired_runs : bool
    names : tuple of two str

    Returns
    -------
    a, b : ndarray, shape (runs, items)
    notes : list of str

    Raises
    ------
    ValueError
        If anything is refused; the message is one sentence.
    """
    a, b = same_items(a, b, names)
    blocks = [_block(x, name) for x, name in zip((a, b), names)]
    n = None if groups is None else len(groups)
    for block, name in zip(blocks, names):
        if n is not None and block.shape[1] != n == block.shape[0]:
            raise ValueError(
                f"the scores of {name} have shape {block.shape}, and groups names {n} items: rows "
                "are runs and columns are items, so transpose the scores"
            )
    (runs_a, items_a), (runs_b, items_b) = (block.shape for block in blocks)
    if items_a != items_b:
        raise ValueError(
            f"{names[0]} has scores of {items_a} items and {names[1]} of {items_b}: both must be "
            "scored on the same items, so leave an item that one model lacks out of both"
        )
    if runs_a == runs_b > items_a and not paired_runs:
        of_rows = [block.mean(axis=1) for block in blocks]
        if min(map(np.ptp, of_rows)) > 0 and np.corrcoef(of_rows)[0, 1] > 4 / np.sqrt(runs_a):
            raise ValueError(
                f"the scores have shape {blocks[0].shape}, and their rows go together in both "
                "models as items do and runs do not: rows are runs, so transpose the scores (or "
                "say paired_runs=True)"
            )
    most = [float(np.abs(block).max()) for block in blocks]
    if min(most) <= 1 < 10 < max(most):
        raise ValueError(
            f"the largest score is {most[0]:g} for {names[0]} and {most[1]:g} for {names[1]}: "
            "both must be on the same scale, such as fractions or percentages"
        )
    return blocks[0], blocks[1], doubts(blocks[0], blocks[1], names)


def doubts(a: np.ndarray, b: np.ndarray, names: tuple[str, str]) -> list[str]:
    """Refuse or note copies: of runs, and of one model."""
    alike = [len(x) > 1 and bool((x == x[0]).all()) for x in (a, b)]
    if all(alike):
        raise ValueError(
            f"your {len(a)} runs are one run repeated: in both models every run has the same "
            "scores, so no seed was changed; give one run, or train again with other seeds"
        )
    notes = [
        f"All {len(x)} runs of {name} are identical: it is taken for a deterministic model."
        for x, name, copies in zip((a, b), names, alike) if copies
    ]
    for x, name, copies in zip((a, b), names, alike):
        if not copies and x.shape[1] > 1 and (twice := len(x) - len({row.tobytes() for row in x})):
            notes.append(
                f"{twice} of the {len(x)} runs of {name} repeat an earlier run exactly: was the "
                "seed changed?"
            )
    if a.shape == b.shape and np.array_equal(a, b):
        notes.append(f"{names[0]} and {names[1]} have the same scores: is one a copy of the other?")
    return notes


def clusters(groups: Any, items: int) -> np.ndarray | None:
    """Read the cluster of each item.

    Raises
    ------
    ValueError
        If the labels are not one per item, or some are missing.
    """
    if groups is None:
        return None
    labels = np.asarray(groups)
    if labels.shape != (items,):
        raise ValueError(
            f"groups has shape {labels.shape}: it must name the cluster of each of the {items} items"
        )
    missing = [x is None or x != x for x in labels.tolist()]
    if any(missing):
        raise ValueError(
            f"{sum(missing)} items have no cluster in groups: give each of them a label of its own"
        )
    return np.unique(labels.astype(str) if labels.dtype == object else labels, return_inverse=True)[1]


def pooled(y_true: Any) -> str | None:
    """Say how often the labels repeat themselves, as those of pooled runs do; None if they do not."""
    y = np.asarray(y_true).reshape(-1)
    for copies in range(2, 21):
        period, rest = divmod(y.size, copies)
        if rest or period < 20:
            continue
        rows = y.reshape(copies, period)
        _, counts = np.unique(rows[0].astype(str), return_counts=True)
        if (rows == rows[0]).all() and counts.size > 1 and _irregular(rows[0]):
            return (
                f"The labels are the same {period}, {copies} times over: if these are {copies} "
                f"runs on {period} items, give arrays of shape ({copies}, {period}), because items "
                "that are counted more than once look like more evidence than they are."
            )
    return None


def _irregular(y: np.ndarray) -> bool:
    """Whether labels are neither sorted nor periodic, as those of a random order."""
    changes = int((y[1:] != y[:-1]).sum())
    periodic = any((y[p:] == y[:-p]).all() for p in range(1, min(len(y) // 2, 12)))
    return changes > len(set(y.tolist())) and not periodic


def same_items(a: Any, b: Any, names: tuple[str, str]) -> tuple[Any, Any]:
    """Bring labelled scores into one order of items."""
    axis = [getattr(x, "columns", getattr(x, "index", None)) for x in (a, b)]
    if any(labels is None or callable(labels) for labels in axis) or axis[0].equals(axis[1]):
        return a, b
    for labels, name in zip(axis, names):
        if not labels.is_unique:
            raise ValueError(f"an item of {name} is there twice: each item counts once")
    if set(axis[0]) != set(axis[1]):
        only = next(iter(set(axis[0]) ^ set(axis[1])))
        raise ValueError(
            f"{names[0]} and {names[1]} are not scored on the same items: only one of them has "
            f"{only!r}"
        )
    return a, (b[axis[0]] if hasattr(b, "columns") else b.loc[axis[0]])


def _block(scores: Any, name: str) -> np.ndarray:
    if np.ma.isMaskedArray(scores) and (hidden := int(np.ma.getmaskarray(scores).sum())):
        raise ValueError(
            f"{hidden} scores of {name} are masked: leave those items out of both models"
        )
    x = real_array(f"the scores of {name}", scores)
    if x.ndim == 1:
        x = x[None]
    if x.ndim != 2 or x.shape[1] < 2 or not len(x):
        raise ValueError(
            f"the scores of {name} have shape {x.shape}: give one per item, or a block of runs x "
            "items, of at least two items"
        )
    bad = np.argwhere(~np.isfinite(x))
    if len(bad):
        raise ValueError(
            f"{len(bad)} of the {x.size} scores of {name} are missing or infinite, the first in run "
            f"{bad[0][0] + 1} on item {bad[0][1] + 1}: leave such an item out of both models, or "
            "score it 0 if it was answered wrongly"
        )
    return x

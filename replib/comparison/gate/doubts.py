"""Scores that can be computed with, but look as if something went wrong earlier."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from scipy import special

from replib.comparison import rules

#: A coincidence is refused, or noted, only if its probability is below this.
_REFUSED, _NOTED = 5e-3, 1e-3


def examine(
    blocks: Sequence[np.ndarray], names: Sequence[str], *, metric: str | None = None,
    greater_is_better: bool = True,
) -> list[str]:
    """Refuse or note copies, mixed scales, errors for scores and exchanged axes.

    Parameters
    ----------
    blocks : sequence of ndarray, shape (runs, folds)
    names : sequence of str
    metric : str, optional
    greater_is_better : bool, default True

    Returns
    -------
    list of str

    Examples
    --------
    >>> block = np.array([[0.9, 0.8, 0.85], [0.7, 0.9, 0.95]])
    >>> examine([block, block], ["a", "b"])
    ['a and b have the same score on every split: was one of them handed in twice?']
    """
    x = np.stack(blocks)
    return [
        *scale(x, names, metric, greater_is_better),
        *direction(x, names, metric, greater_is_better),
        *relations(x.reshape(len(x), -1), names, metric),
        *in_order(x.reshape(len(x), -1), names),
        *_copies(x.round(9), names),
        *([rules.apply("columns")] if any(map(runs_look_like_columns, x)) else []),
    ]


# ------------------------------------------------------------------ copies


def _copies(x: np.ndarray, names: Sequence[str]) -> list[str]:
    _, runs, folds = x.shape
    flat = x.reshape(len(x), -1)
    n = runs * folds
    constant = np.ptp(flat, axis=1) == 0
    if constant.all():
        if len(np.unique(flat)) > 1 and not np.isin(flat[:, 0], (1, 100)).any() and folds == 1:
            _refuse_copies(1, runs, folds)
    else:
        for period in (p for p in range(2, n // 2 + 1) if n % p == 0):
            repeated = (flat[:, period:] == flat[:, :-period]).all()
            if repeated and chance(flat) ** (n - period) < _REFUSED:
                _refuse_copies(period, runs, folds)
        if runs > 1 and folds > 1 and (x == x[..., :1]).all():
            rules.apply("copied-folds")
    notes = [
        rules.apply("constant", name=name, score=float(of[0]))
        for name, of, same in zip(names, flat, constant)
        if same and not _is_trivial(of[0], flat) and n >= 5 and not rules.is_baseline(name)
    ]
    for (a, one), (b, other) in combinations(zip(names, flat), 2):
        if _same(one, other) and not (np.ptp(one) == 0 and _is_trivial(one[0], flat)):
            rounded = "" if np.array_equal(one, other) else ", once rounded"
            notes.append(rules.apply("same-scores", a=a, b=b, unit="split", rounded=rounded))
        else:
            notes += on_a_line(one, other, a, b, "split")
    if runs > 1 and folds > 1:
        varying = [(name, of) for name, of, same in zip(names, x, constant) if not same]
        notes += _copied_runs(x, varying)
    return notes


def on_a_line(one: np.ndarray, other: np.ndarray, a: str, b: str, unit: str) -> list[str]:
    """Note scores that are those of another classifier moved or stretched.

    Examples
    --------
    >>> on_a_line(x := np.arange(12.0), 2 * x, "a", "b", "split")[0][:42]
    'a and b lie on a straight line, split by s'
    """
    by = one - other
    if len(by) > 2 and np.ptp(by) < 1e-8 < min(np.ptp(one), abs(by[0])):
        how = f"differ by {rules.shown(float(abs(by[0])))} on every {unit}"
    elif len(by) > 9 and min(len(np.unique(one)), len(np.unique(other))) > 4 and (
        np.corrcoef(one, other)[0, 1] > 1 - 1e-6 and np.ptp(by) > 1e-3 * np.ptp(one)
    ):
        how = f"lie on a straight line, {unit} by {unit}"
    else:
        return []
    return [rules.apply("same-difference", a=a, b=b, how=how)]


def _is_trivial(score: float, scores: np.ndarray) -> bool:
    """Return whether guessing, or never being wrong, has this score: 0, 1, 1/2, 1/3, ..., 1/20.

    Zeros next to numbers of both signs look like differences and what they were compared with.
    """
    if abs(score) < 1e-9:
        return not scores.min() < -1e-9 < 1e-9 < scores.max()
    inverse = (100 if score > 1.5 else 1) / score
    return 0.5 < inverse < 20.5 and abs(inverse - round(inverse)) < 1e-3


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    """Return whether scores are equal, or those of one are the rounded scores of the other."""
    if np.array_equal(one, other) or len(one) < 5:
        return bool(np.array_equal(one, other))
    near = np.abs(one - other).max()
    return any(near <= 0.5 / unit + 1e-9 and np.abs(x * unit - np.round(x * unit)).max() < 1e-6
               for x in (one, other) for unit in (1e3, 1e4, 1e5) if np.ptp(x) > 0)


def _copied_runs(x: np.ndarray, varying: list[tuple[str, np.ndarray]]) -> Iterable[str]:
    _, runs, folds = x.shape
    match = chance(x.reshape(len(x), -1)) ** folds * comb(runs, 2)
    equal: dict[bytes, list[int]] = {}  # grouped, because there may be 100,000 runs
    for i in range(runs):
        equal.setdefault((x[:, i] + 0.0).tobytes(), []).append(i + 1)  # -0.0 is 0.0
    same = [group[:2] for group in equal.values() if len(group) > 1]
    all_same = len(equal) == 1 and varying and max(runs, folds) > 2
    if same and (match < _NOTED or all_same):
        first, second = min(same)
        yield rules.apply("some-copies", first=first, second=second, order="")
        return
    sets = (sorted(map(tuple, x[:, i].T.tolist())) for i in range(runs))
    first_set = next(sets)
    if runs > 2 and len(set(first_set)) > 4 and all(one == first_set for one in sets):
        yield rules.apply("some-copies", first=1, second=2, order=", in another order")
    for name, of in varying:
        # in stratified folds of different sizes, guessing depends on the number of the fold
        if rules.is_baseline(name) or len(np.unique(of)) <= min(4, folds - 1):
            continue
        if (of == of[0]).all():
            if chance(of.reshape(1, -1)) ** (folds * (runs - 1)) < _REFUSED:
                yield rules.apply("copies-in-one", name=name)
        elif _position_pvalue(of) < 1e-8:
            yield rules.apply("same-folds", name=name)


def _refuse_copies(period: int, runs: int, folds: int) -> None:
    unit, each = ("run", folds) if folds > 1 and period % folds == 0 else ("split", 1)
    given, distinct = runs * folds // each, period // each
    plural = "" if distinct == 1 else "s"
    rules.apply("copies", all=f"{given} {unit}s", distinct=f"{distinct} {unit}{plural}")


def chance(flat: np.ndarray) -> float:
    """Return the probability that two splits have equal scores for all classifiers."""
    _, counts = np.unique(flat, axis=1, return_counts=True)
    return float(((counts / flat.shape[1]) ** 2).sum())


def _position_pvalue(block: np.ndarray) -> float:
    """Return the p-value of the F test that the fold number does not matter."""
    runs, folds = block.shape
    between = runs * ((block.mean(axis=0) - block.mean()) ** 2).sum() / (folds - 1)
    within = ((block - block.mean(axis=0)) ** 2).sum() / (folds * (runs - 1))
    return float(special.fdtrc(folds - 1, folds * (runs - 1), between / within))


def runs_look_like_columns(block: np.ndarray) -> bool:
    """Return whether run means vary far more than the means by fold number.

    Each run tests every instance once, so run means vary *less* than means over as many unrelated
    splits.  A block whose axes are swapped shows the opposite.
    """
    runs, folds = block.shape
    if min(runs, folds) < 3:
        return False
    over_runs = block.mean(axis=1).var(ddof=1) * folds
    over_places = block.mean(axis=0).var(ddof=1) * runs
    return bool(over_runs > special.fdtri(runs - 1, folds - 1, 0.998) * over_places)


# ------------------------------------------------------------------ relations


def relations(
    x: np.ndarray, names: Sequence[Any], metric: str | None, unit: str = "split"
) -> list[str]:
    """Refuse scores computed from others; note errors next to scores, and failed fits.

    Parameters
    ----------
    x : ndarray, shape (k, n)
    names : sequence
    metric : str or None
    unit : str
        What a column of `x` is.

    Returns
    -------
    list of str

    Examples
    --------
    >>> relations(np.array([[3, 1, 4, 2, 5], [1, 3, 0, 2, -1]]) / 4, ["a", "b"], None)[0]
    'The scores of a and b add up to 1 on every split: are they ranks, wins, or a score and its ...
    """
    k, n = x.shape
    varies = np.ptp(x, axis=1) > 1e-9
    if n < 5 or not varies.any():
        return []
    near = 6e-5 * max(1.0, float(np.abs(x).max()))
    _refuse_means(x[varies], near)
    order = np.argsort(np.abs(x.mean(axis=1)), kind="stable")  # differences before their terms
    for i in order[varies[order]].tolist() if k > 2 and n >= 10 else ():
        others = np.delete(x, i, axis=0)
        if len(np.unique(x[i])) < 4 or ((np.abs(others - x[i]) > near).sum(axis=1) < 3).any():
            continue
        found = {"the mean of the others": others.mean(axis=0)}
        alone = (np.abs(others - x[i]) <= near) & (x[i] < x.max())
        if ((alone & (alone.sum(axis=0) == 1)).sum(axis=1) >= 2).sum() >= 2:  # two take turns
            found |= {"the largest of the others": others.max(axis=0),
                      "the smallest of the others": others.min(axis=0)}
        gaps = np.abs(others[:, None] - others - x[i]).max(axis=-1).min()
        for what, of in found.items():
            if np.abs(x[i] - of).max() < near:
                rules.apply("computed", name=names[i], what=what, unit=unit)
        if gaps < 1e-9:
            rules.apply("computed", name=names[i], what="differences of two others", unit=unit)
    return [*_opposite(x, names, varies, unit), *_failed_fits(x, names, metric)]


def _refuse_means(x: np.ndarray, near: float) -> None:
    """Refuse a last row of means, or one that is followed by a row of standard deviations."""
    n = x.shape[1]
    for after in (1, 2):
        rest, row = x[:, :-after], x[:, -after]
        if after == 2 and (np.abs(x[:, -1] - rest.std(axis=1)) > 0.2 * rest.std(axis=1)).any():
            continue
        rounded = np.abs(row - np.round(row, 4 if near < 1e-4 else 2)).max() < 1e-12
        off = np.abs(row - rest.mean(axis=1)).max()
        if off < (near if rounded else 1e-4 * near) and len(x) > 1 and (
            np.abs(rest - row[:, None]) > near
        ).all():
            rules.apply("mean-row", place=n - after + 1)


def _opposite(
    x: np.ndarray, names: Sequence[Any], varies: np.ndarray, unit: str
) -> list[str]:
    n = x.shape[1]
    for i, j in combinations(np.flatnonzero(varies).tolist(), 2):
        total = x[i] + x[j]
        if np.ptp(total) < 1e-8 and (unit == "split" or len(x) == 2):
            return [rules.apply("constant-sum", a=names[i], b=names[j], sum=float(total[0]),
                                unit=unit)]
        low, high = (i, j) if x[i].mean() < x[j].mean() else (j, i)
        if rules.is_baseline(names[low]):
            continue
        top = 100 if x.max() > 1.5 else 1
        below, above = x[low].mean() / top, x[high].mean() / top
        if x.min() < 0 or x.max() > top or not below < 0.5 < above or abs(below + above - 1) > 0.15:
            continue
        r, spreads = np.corrcoef(x[i], x[j])[0, 1], x[low].std() / x[high].std()
        if r < -2.5 / np.sqrt(n) or (r < -0.1 and below < 0.25 and 1 / 3 < spreads < 3):
            return [rules.apply("opposite", low=names[low], high=names[high])]
    return []


def _failed_fits(x: np.ndarray, names: Sequence[Any], metric: str | None) -> list[str]:
    if metric is not None and not any(word in rules.simple(metric) for word in ("acc", "auc")):
        return []
    for of, name in zip(x, names):
        failed = (of <= 0) & (of == np.round(of))
        least = float(of[~failed].min()) if not failed.all() else 0.0
        half = 50 if np.median(of) > 1.5 else 0.5
        if 0 < failed.sum() <= max(1, 0.05 * len(of)) and half < least <= 2 * half:
            return [rules.apply("failed-fit", name=name, score=float(of[failed][0]), least=least)]
    return []


def in_order(x: np.ndarray, names: Sequence[Any], unit: str = "split") -> list[str]:
    """Note that the scores of all classifiers are sorted along the last axis.

    Examples
    --------
    >>> in_order(np.array([[1, 2, 3, 4, 5, 6, 6, 7, 8, 9]] * 2), ["tree", "bayes"])[0][:40]
    'The scores of tree and bayes are in orde'
    """
    steps = np.diff(x, axis=-1)
    rises = (steps >= 0).all(axis=-1) | (steps <= 0).all(axis=-1)
    if x.shape[-1] < 10 or not rises.all() or min(len(np.unique(of)) for of in x) < 5:
        return []
    return [rules.apply("sorted", a=names[0], b=names[1], unit=unit)]


# ------------------------------------------------------------------ scale and direction


def scale(
    x: np.ndarray, names: Sequence[Any], metric: str | None, greater_is_better: bool
) -> list[str]:
    """Refuse or note percentages next to fractions, and scores outside the range of their metric.

    Parameters
    ----------
    x : ndarray
        Its first axis is that of the classifiers.
    names : sequence
    metric : str or None
    greater_is_better : bool

    Returns
    -------
    list of str
    """
    flat = x.reshape(len(x), -1)
    known = rules.metric_range(metric)
    small, large = (flat > 0) & (flat <= 1), flat > 1.5
    between = (flat > 1) & ~large
    if small.any() and large.any() and not between.any() and 0 <= flat.min() <= flat.max() <= 100:
        ratio = np.median(flat[large]) / np.median(flat[small])
        if 33 < ratio < 300 if greater_is_better else 67 < ratio < 150:
            low, high = (np.argwhere(of)[0] for of in (small, large))
            rule = "percent" if greater_is_better else "percent-of-errors"
            return [rules.apply(
                rule, large=float(flat[tuple(high)]), large_name=names[high[0]],
                small=float(flat[tuple(low)]), small_name=names[low[0]],
            )]
    if known is not None and known[0] == "score":
        _, low, high = known
        if high == 1 and low >= -1 and np.median(flat) > 1.5:  # in percent
            low, high = 100 * low, 100 * high
        outside = np.argwhere((flat < low - 1e-9) | (flat > high + 1e-9))
        if len(outside):
            name, score = names[outside[0, 0]], float(flat[tuple(outside[0])])
            rules.apply("out-of-range", name=name, score=score, metric=metric,
                        low="minus infinity" if np.isinf(low) else low, high=high)
    elif known is None and greater_is_better and flat.min() >= 0:
        far = flat > max(1.5, 5 * np.quantile(flat, 0.9))
        if 0 < far.sum() <= 0.05 * flat.size and flat[~far].max() <= 1:
            place = tuple(np.argwhere(far)[0])
            return [rules.apply("outlier", name=names[place[0]], score=float(flat[place]))]
    return []


def direction(
    x: np.ndarray, names: Sequence[Any], metric: str | None, greater_is_better: bool
) -> list[str]:
    """Refuse or note errors that are taken to be scores, and the reverse.

    The parameters are those of :func:`scale`.
    """
    known = rules.metric_range(metric)
    top, middle = float(x.max()), float(np.median(x))
    if greater_is_better and names_an_error(metric) and top > 0:  # else their signs are changed
        rules.apply("error-metric", metric=metric)
    if not greater_is_better and known is not None and known[0] == "score":
        rules.apply("score-metric", metric=metric)
    if not greater_is_better:
        return [rules.apply("negative-errors")] if top < 0 else []
    if known is not None:
        few_percent = known[2] == 1 and middle > 1.5 and top < 10
        return [rules.apply("looks-like-losses", top=top)] if few_percent else []
    named = [name for name in names if _sounds_like_an_error(str(name), names)]
    if named and not 0.5 < middle <= 1:
        return [rules.apply("sounds-like-errors", name=named[0])]
    if metric is not None or x.min() < 0:
        return []
    limit = 0.5 if top <= 1 else 50
    if 0 < top <= limit and 10 * (limit == 50) <= middle <= limit / 2:
        return [rules.apply("looks-like-errors", limit=limit)]
    if top > 100 or (middle < 10 and ((x > 1.5).mean() > 0.05 or middle > 1)):
        return [rules.apply("looks-like-losses", top=top)]
    return []


def names_an_error(metric: str | None) -> bool:
    """Return whether a measure is known as an error or ends like one, as "validation loss" does."""
    known, plain = rules.metric_range(metric), rules.measure(metric).replace("_", " ")
    if known is not None or plain.startswith(("neg", "1")):
        return known is not None and known[0] == "error"
    return plain.endswith(tuple(f" {suffix}" for suffix in rules.table()["suffixes"]))


def _sounds_like_an_error(name: str, names: Sequence[Any]) -> bool:
    """Return whether a name ends like "tree_error", or all begin like "error_tree"."""
    suffixes = tuple(rules.table()["suffixes"])
    plain = rules.simple(name).replace("_", " ").replace("-", " ")
    return plain in suffixes or plain.endswith(tuple(f" {suffix}" for suffix in suffixes)) or all(
        rules.simple(other).replace("_", " ").startswith("error ") for other in names
    )

"""The values of each model in the shape of the design."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib._rows import Rows
from replib._tables.numbering import numbered_apart
from replib._validation import refusal, shown
from replib.designs import CV, Datasets, Design, Items, RandomSplits, Seeds

#: Codes are sparse if the largest exceeds their count by this factor.
_SPARSE = 10


def model_values(
    rows: Rows, column: str, design: Design, prefix: str = ""
) -> dict[str, NDArray[Any]]:
    """Return the values of each model in the shape of the design, matched by their labels.

    Refuse a model that lacks a value, and rows that do not fit the design.

    Parameters
    ----------
    rows : Rows
        What :func:`checked_rows` returned.
    prefix : str
        What a refusal begins with.
    """
    if isinstance(design, Datasets) and design.within is not None:
        rows = _dataset_means(rows, column, design.within)
    cells = _cells(rows, design)
    every_run = _distinct(cells.runs)
    # folds may have other labels in each run: any model may tell which there are
    every_split = _distinct(cells.numbers) if design.unit is None else None
    # unpaired runs of a model are its own: it need not have those of others
    has_own_runs = isinstance(design, Seeds | Items) and not design.paired

    values = rows.frame[column].to_numpy()
    codes, models = rows.column("model")
    blocks = {}
    for code, model in enumerate(models):
        own_rows = np.flatnonzero(codes == code)
        own_cells = cells.numbers[own_rows]
        if has_own_runs:
            own_runs = _distinct(cells.runs[own_rows])
            holes = _holes_of_runs(own_cells, own_runs, cells.width)
        elif every_split is None:
            holes = _holes_of_runs(own_cells, every_run, cells.width)
        else:
            holes = _holes_of_splits(own_cells, every_split)
        if holes is not None:
            _refuse_other_numbers(cells, rows, design)
            problem = (
                f"{prefix}{model} has no {column} for {cells.label(holes.first)}: it "
                f"lacks {holes.n_missing} of {holes.n_expected} {cells.last_key}s"
            )
            raise _refusal_of_holes(problem, cells, rows, design)
        order = np.argsort(own_cells, kind="stable")
        blocks[model] = values[own_rows[order]]

    if isinstance(design, CV | RandomSplits):
        _check_runs(_distinct(cells.numbers) // cells.width, design, prefix)
    return {
        model: in_shape(f"{prefix}{model}", block, design, cells.width)
        for model, block in blocks.items()
    }


def _refusal_of_holes(
    problem: str, cells: "_Cells", rows: Rows, design: Design
) -> ValueError:
    """Return the refusal of a model that lacks values, or has other labels than the rest."""
    if _have_common(cells, rows, design):
        return hole(problem, design)
    return ValueError(f"{problem}, and {_nothing_in_common(cells.last_key, design)}")


def _have_common(cells: "_Cells", rows: Rows, design: Design) -> bool:
    """Return whether all models have some item, data set or run."""
    numbers = cells.numbers % cells.width if design.unit else cells.runs
    codes, models = rows.column("model")
    shared = set(numbers[codes == 0].tolist())
    for code in range(1, len(models)):
        shared &= set(numbers[codes == code].tolist())
    return bool(shared)


def _nothing_in_common(key: str, design: Design) -> str:
    """Say that models share nothing, and what to look at."""
    if isinstance(design, Seeds):
        return "no seed is in all models: say Seeds() if equal numbers mean nothing"
    unit = {"dataset": "data set", "item": "item"}.get(key, "split")
    return (
        f"no {unit} is in all models: are they scored on other {unit}s, which cannot be "
        "compared one by one, or labelled otherwise?"
    )


def _refuse_other_numbers(cells: "_Cells", rows: Rows, design: Design) -> None:
    """Refuse items or data sets that only count, from 0 for one model and from 1 for another."""
    if not design.unit:
        return
    labels = cells.labels[cells.last_key]
    codes, models = rows.column("model")
    lacking = {}
    for code, model in enumerate(models):
        numbers = _distinct(cells.numbers[codes == code] % cells.width)
        missing = np.setdiff1d(np.arange(cells.width), numbers, assume_unique=True)
        if missing.size != 1:
            return
        lacking[model] = labels[missing[0]]
    apart = numbered_apart(lacking, labels)
    if apart is not None:
        raise ValueError(
            f"{apart.from_zero} has the {cells.last_key}s 0 to {apart.last - 1}, and "
            f"{apart.from_one} 1 to {apart.last}: number them alike"
        )


def in_shape(
    model: str, values: NDArray[Any], design: Design, n_items: int
) -> NDArray[Any]:
    """Return the values of a model in the shape of the design; refuse a single seed or item."""
    if isinstance(design, CV | RandomSplits):
        return values.reshape(design.shape)
    if isinstance(design, Datasets):
        _refuse_few(model, values.size, "data set", least=1)
        return values.reshape(-1)
    if isinstance(design, Seeds):
        _refuse_few(model, values.size, "seed")
        return values.reshape(-1)
    _refuse_few(model, n_items, "item")
    _refuse_few(model, values.size, "run", least=1)
    return values.reshape(-1, n_items)


def _refuse_few(model: str, n: int, unit: str, *, least: int = 2) -> None:
    """Refuse a model with no unit, or with a single one if two are needed."""
    if n < least:
        number = "one" if n == 1 else "no"
        needed = "two are" if least == 2 else "one is"
        raise ValueError(f"{model} has {number} {unit}, and at least {needed} needed")


@dataclass(frozen=True)
class _Cells:
    """Where rows of a table belong: cells of a grid of runs by folds, items or data sets.

    Attributes
    ----------
    numbers : ndarray of int, shape (rows,)
        Run times `width`, plus fold, item or data set.
    runs : ndarray of int, shape (rows,)
    labels : dict of Index
        Labels of the runs, and of what they have.
    """

    numbers: NDArray[np.int64]
    runs: NDArray[np.int64]
    labels: dict[str, pd.Index]

    @property
    def last_key(self) -> str:
        """What the last axis of a block counts."""
        return list(self.labels)[-1]

    @property
    def width(self) -> int:
        """Folds, items or data sets of each run; random splits and seeds have none."""
        return 1 if self.last_key == "run" else len(self.labels[self.last_key])

    def label(self, number: int) -> str:
        """Write the labels of a cell, but for those that are the same everywhere."""
        position = dict(zip(self.labels, divmod(number, self.width)))
        return ", ".join(
            f"{key} {shown(labels[position[key]])}"
            for key, labels in self.labels.items()
            if len(labels) > 1
        )


def _cells(rows: Rows, design: Design) -> _Cells:
    """Return the cells of the rows: runs and folds follow their labels, units their first rows."""
    table = rows.frame
    runs = np.zeros(len(table), np.int64)
    labels = {"run": pd.Index([0])}
    if "run" in table:
        runs, labels["run"] = sorted_codes(table["run"])
    last = design.unit or design.keys[-1]
    if last == "run":
        return _Cells(runs, runs, labels)
    if design.unit:
        positions, labels[last] = rows.column(last)
    else:
        positions, labels[last] = sorted_codes(table[last])
    return _Cells(runs * len(labels[last]) + positions, runs, labels)


def sorted_codes(column: pd.Series) -> tuple[NDArray[np.int64], pd.Index]:
    """Return a code for each label, and the labels, sorted if they can be."""
    try:
        codes, labels = pd.factorize(column, sort=True)
    except TypeError:  # dates and numbers, for instance, have no common order
        codes, labels = pd.factorize(column)
    return codes, labels


def _distinct(codes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the codes that occur, sorted; `np.unique` takes far longer to find dense ones."""
    if codes.max(initial=0) > _SPARSE * codes.size:
        return np.unique(codes)
    return np.flatnonzero(np.bincount(codes))


class _Holes(NamedTuple):
    """The cells that a model lacks.

    Attributes
    ----------
    first : int
        The number of the first one.
    n_missing, n_expected : int
    """

    first: int
    n_missing: int
    n_expected: int


def _holes_of_runs(
    own_cells: NDArray[np.int64], runs: NDArray[np.int64], width: int
) -> _Holes | None:
    """Return what a model lacks of whole runs, if anything; none of its cells is there twice.

    The cells of all runs are not listed: a table in which each row has a run and an
    item of its own would have the square of its rows.
    """
    n_expected = runs.size * width
    n_missing = n_expected - own_cells.size
    if not n_missing:
        return None
    run_of_cells = own_cells // width
    n_of_runs = np.bincount(np.searchsorted(runs, run_of_cells), minlength=runs.size)
    run = runs[np.argmax(n_of_runs < width)]
    whole = run * width + np.arange(width)
    missing = np.setdiff1d(whole, own_cells[run_of_cells == run], assume_unique=True)
    return _Holes(int(missing[0]), n_missing, n_expected)


def _holes_of_splits(
    own_cells: NDArray[np.int64], every_split: NDArray[np.int64]
) -> _Holes | None:
    """Return which splits a model lacks, if any; none of its cells is there twice."""
    missing = np.setdiff1d(every_split, own_cells, assume_unique=True)
    if not missing.size:
        return None
    return _Holes(int(missing[0]), missing.size, every_split.size)


def hole(problem: str, design: Design) -> ValueError:
    """Return the refusal of a table that lacks values, with what can be kept of it."""
    is_whole = isinstance(design, CV) and design.runs == 1
    if is_whole or (isinstance(design, Seeds) and not design.paired):
        return ValueError(problem)
    units = {"item": "items", "dataset": "data sets"}.get(
        design.unit or "", "whole runs"
    )
    if isinstance(design, RandomSplits):
        units = "splits"
    common = f"keep the {units} that all models have"
    return refusal(
        problem, f'missing="common" can {common}', f"--missing common can {common}"
    )


def _dataset_means(rows: Rows, column: str, within: CV | RandomSplits | Seeds) -> Rows:
    """Return the mean of each model on each data set, whose rows must fit the design within."""
    codes, datasets = rows.column("dataset")
    places = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes))
    means = []
    for dataset, own_places in zip(datasets, np.split(places, ends[:-1])):
        prefix = f"data set {shown(dataset)}: "
        own_rows = rows.chosen(own_places)
        for model, block in model_values(own_rows, column, within, prefix).items():
            means.append({"model": model, "dataset": dataset, column: block.mean()})
    return Rows(pd.DataFrame(means), {})


def _check_runs(
    runs: NDArray[np.int64], design: CV | RandomSplits, prefix: str
) -> None:
    """Refuse splits that are not as many runs, each of as many folds, as the design has."""
    _, n_folds = np.unique(runs, return_counts=True)
    n_runs, wanted = design.shape
    if len(n_folds) == n_runs and (n_folds == wanted).all():
        return
    raise ValueError(
        f"{prefix}the design is {design}, and the rows of each model are "
        f"{_runs_of_folds(n_folds, 'fold' in design.keys)}"
    )


def _runs_of_folds(n_folds: NDArray[np.int64], has_folds: bool) -> str:
    """Write how many runs of how many folds there are, or how many splits."""
    unit = "run" if has_folds else "split"
    runs = f"{len(n_folds)} {unit}{'' if len(n_folds) == 1 else 's'}"
    if not has_folds:
        return runs
    least, most = n_folds.min(), n_folds.max()
    if least < most:
        return f"{runs} of {least} to {most} folds"
    return f"{runs} of {most} fold{'' if most == 1 else 's'}"

"""The table that everything reads: which model had which score, on what, and how it was made.

A :class:`Scores` or :class:`Predictions` table is made once from a long frame, with a
metric and a design that are declared, and then frozen.  Rows are matched by their
labels and never by position. What does not fit is refused in one sentence.
"""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib._validation import (
    Array,
    check_choice,
    check_instance,
    listed,
    scores_array,
    shown,
)
from replib.designs import CV, Datasets, Design, Items, RandomSplits, Seeds, find_design

_METRICS = (Path(__file__).parent / "data" / "metrics.csv").read_text(encoding="utf-8")
#: Metrics whose direction and range are known, by the names of scikit-learn and of
#: harnesses.
KNOWN: dict[str, tuple[str, float, float]] = {
    name: (better, float(low), float(high))
    for name, better, low, high in csv.reader(_METRICS.splitlines()[1:])
}


@dataclass(frozen=True)
class Metric:
    """What the scores are: a name, which direction is better, and a range.

    Attributes
    ----------
    name : str
    better : {"higher", "lower"}, optional
        Known for the names in `KNOWN`; must be declared for all others.
    low, high : float, optional
        Range of the scores.
    """

    name: str
    better: str | None = None
    low: float = -np.inf
    high: float = np.inf

    def __post_init__(self) -> None:
        check_instance("metric", self.name, str)
        if not self.name.isprintable() or not self.name.strip():
            raise ValueError(
                f"metric must have a name that can be printed, not {shown(self.name)}"
            )
        if self.better is None and self.name not in KNOWN:
            raise ValueError(
                f"metric {shown(self.name)} is not known: say Metric({shown(self.name)}, "
                'better="higher") or better="lower"'
            )
        better, low, high = KNOWN.get(self.name, (self.better, -np.inf, np.inf))
        check_choice("better", self.better or better, ("higher", "lower"))
        if self.better not in (None, better):
            raise ValueError(
                f"metric {shown(self.name)} is better {better}, not {self.better}"
            )
        low = low if self.low == -np.inf else self.low
        high = high if self.high == np.inf else self.high
        _freeze(self, better=better, low=float(low), high=float(high))
        if not self.low < self.high:
            raise ValueError(f"metric {shown(self.name)} needs low < high")

    @property
    def sign(self) -> int:
        """1 if higher is better, else -1."""
        return 1 if self.better == "higher" else -1

    def __str__(self) -> str:
        return self.name.replace("_", " ")


def find_metric(given: Any) -> Metric:
    """Return a metric by its name, or the metric itself.

    Parameters
    ----------
    given : Metric or str

    Returns
    -------
    Metric

    Raises
    ------
    ValueError
        If it is neither, or the name is not known.

    Examples
    --------
    >>> find_metric("log_loss").better
    'lower'
    """
    check_instance("metric", given, Metric, str)
    return given if isinstance(given, Metric) else Metric(given)


def _freeze(table: Any, **fields: Any) -> None:
    """Set fields of a frozen object while it is made."""
    for name, value in fields.items():
        object.__setattr__(table, name, value)


class MatchedArrays(NamedTuple):
    """Arrays by model, with an axis for each key of the design, as `from_arrays` has checked them.

    `clusters` are those of the items, as codes.
    """

    arrays: dict[str, Array]
    clusters: NDArray[np.int64] | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class _Table:
    """Rows with declared columns, metric and design."""

    frame: Any = field(kw_only=False)
    metric: Metric
    design: Design
    columns: Mapping[str, Any] = field(default_factory=dict)
    where: Mapping[str, Any] | None = None
    models: tuple[str, ...] = field(init=False)
    units: list[Any] = field(init=False)
    clusters: NDArray[np.int64] | None = field(init=False)


@dataclass(frozen=True, eq=False, kw_only=True)
class Scores(_Table):
    """Scores of two or more models, each row one score.

    Attributes
    ----------
    frame : DataFrame
        Columns `model` and `score`, and those that the design needs: `run` and `fold`
        (:class:`~replib.designs.CV`), `run` (random splits, seeds), `item` and perhaps
        `run` and a cluster (items), `dataset`.  A column `run` or `fold` may be missing
        if there is one run. Arrays go to :func:`replib.readers.from_arrays`.
    metric : Metric or str
    design : design, text or splitter
        As for :func:`replib.designs.find_design`.
    columns : mapping, optional
        Which column has which of these roles, such as
        ``{"score": "val_acc", "run": "seed"}``; ``"ignored"`` is a list of columns
        without a role.
    where : mapping, optional
        Values of columns, or lists of them, that choose the rows, such as
        ``{"task": "mmlu"}``.
    blocks : dict of ndarray
        Scores by model, matched between models: (runs, folds), (splits, 1), (seeds,),
        (runs, items) or (datasets,).
    models : tuple of str
        Their names, in the order of their first rows.
    units : list
        Labels of the last axis of items or data sets.
    clusters : ndarray of int or None, shape (items,)
        Cluster, or fold, of each item.
    notes : tuple of str
        What a reader has to say about the scores, in sentences.

    Raises
    ------
    ValueError
        If a column is missing or has no role, a score is missing, occurs twice, is no
        number or lies outside the metric's range, or the rows do not fit the design.

    Examples
    --------
    >>> frame = pd.DataFrame({"model": list("aabb"), "run": [0, 1, 1, 0],
    ...                       "score": [.8, .9, .7, .6]})
    >>> Scores(frame, metric="accuracy", design="seeds").blocks["b"].tolist()
    [0.6, 0.7]
    """

    notes: tuple[str, ...] = ()
    blocks: dict[str, Array] = field(init=False)

    def __post_init__(self) -> None:
        metric, design, table = (
            find_metric(self.metric),
            find_design(self.design),
            self.frame,
        )
        if isinstance(table, MatchedArrays):
            blocks, units, clusters = _of_arrays(table, metric, design)
        else:
            table = _chosen(table, self.columns, self.where, design, ["score"])
            table["score"] = _numbers(table["score"], metric)
            units, clusters = _units(table, design)
            blocks = _by_model(table, "score", design, units)
        scores_array(
            "scores", np.concatenate([block.ravel() for block in blocks.values()])
        )
        for block in blocks.values():
            block.flags.writeable = False
        _freeze(
            self,
            frame=table,
            metric=metric,
            design=design,
            blocks=blocks,
            models=tuple(blocks),
            units=units,
            clusters=clusters,
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class Predictions(_Table):
    """Predictions of two or more models for the items of one test set, for metrics of any kind.

    Attributes
    ----------
    frame : DataFrame
        Columns `model`, `item`, `truth`, `prediction`, and perhaps `run` and a cluster.
    metric : Metric or str
        A metric such as "accuracy", "f1_macro", "roc_auc" or "rmse", or a name for
        `function`.
    design : Items or "items"
    function : callable, optional
        Function of the truth and the predictions of all items that returns a number.
    columns, where
        As for :class:`Scores`.
    truth : ndarray, shape (items,)
    predicted : dict of ndarray, shape (runs, items)
    models, units, clusters
        As for :class:`Scores`.

    Raises
    ------
    ValueError
        As for :class:`Scores`; or if the truth of an item differs between rows.

    Examples
    --------
    >>> frame = pd.DataFrame({"model": list("aabb"), "item": [1, 2, 2, 1],
    ...                       "truth": list("xyyx"), "prediction": list("xxyx")})
    >>> Predictions(frame, metric="f1_macro").predicted["b"].tolist()
    [['x', 'y']]
    """

    design: Items = field(default_factory=Items)
    function: Any = None
    truth: NDArray[Any] = field(init=False)
    predicted: dict[str, NDArray[Any]] = field(init=False)

    def __post_init__(self) -> None:
        metric, design = find_metric(self.metric), find_design(self.design)
        check_instance("design of predictions", design, Items)
        if self.function is not None and not callable(self.function):
            raise ValueError(f"function must be callable, not {shown(self.function)}")
        table = _chosen(
            self.frame, self.columns, self.where, design, ["truth", "prediction"]
        )
        units, clusters = _units(table, design)
        truth = of_items(table, column="truth").to_numpy()
        predicted = _by_model(table, "prediction", design, units)
        _freeze(
            self,
            frame=table,
            metric=metric,
            design=design,
            truth=truth,
            predicted=predicted,
            models=tuple(predicted),
            units=units,
            clusters=clusters,
        )


def _of_arrays(
    given: MatchedArrays, metric: Metric, design: Design
) -> tuple[dict[str, Array], list[Any], NDArray[np.int64] | None]:
    """Return blocks, units and clusters of arrays that have an axis for each key of the design."""
    blocks, n = {}, 0
    for name, x in given.arrays.items():
        _check_range(
            x.ravel(),
            metric,
            lambda place: (name, *map(int, np.unravel_index(place, x.shape))),
        )
        if isinstance(design, Datasets) and design.within is not None:
            x = np.array([_in_shape(name, part, design.within, 0).mean() for part in x])
        n = x.shape[-1] if type(design) in UNITS else 0
        blocks[name] = _in_shape(name, np.array(x), design, n)
    return blocks, list(range(n)), given.clusters


def by_role(
    frame: pd.DataFrame,
    usual: Mapping[str, str],
    columns: Mapping[str, Any] | None,
    where: Mapping[str, Any] | None,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the columns that have a role, named after it, and the others, of the chosen rows."""
    if not isinstance(frame, pd.DataFrame) or frame.columns.nlevels > 1:
        raise ValueError(
            "frame must be a DataFrame with one row of names (arrays go to "
            f"from_arrays), not {shown(frame)}"
        )
    if len(twice := frame.columns[frame.columns.duplicated()]):
        raise ValueError(f"column {shown(twice[0])} occurs twice")
    check_instance("columns", columns, Mapping, type(None))
    given = dict(columns or {})
    ignored = given.pop("ignored", [])
    ignored = [ignored] if isinstance(ignored, str) else list(ignored)
    for role in given:
        check_choice("each role in columns", role, [*usual, "ignored"])
    names = {**usual, **given}
    if len(set(names.values())) < len(names):
        raise ValueError("columns gives one column two roles")
    check_instance("where", where, Mapping, type(None))
    for name in [*ignored, *given.values(), *(where or {})]:
        if name not in frame.columns:
            raise ValueError(
                f"there is no column {shown(name)}: the columns are {listed(frame.columns)}"
            )
    for name, value in (where or {}).items():
        wanted = value if isinstance(value, list) else [value]
        texts = [
            one for one in wanted if isinstance(one, str)
        ]  # also of numbers, as in a command
        if not (
            chosen := frame[name].isin(wanted) | frame[name].astype(str).isin(texts)
        ).any():
            there = listed(frame[name].drop_duplicates())
            raise ValueError(
                f"no row has {shown(name)} = {shown(value)}: there are {there}"
            )
        frame = frame[chosen]
    roles = {name: role for role, name in names.items() if name in frame}
    others = frame.drop(columns=[*roles, *ignored, *(where or {})])
    return frame[list(roles)].rename(columns=roles), others


def _chosen(
    frame: pd.DataFrame,
    columns: Mapping[str, Any],
    where: Mapping[str, Any] | None,
    design: Design,
    values: Sequence[str],
) -> pd.DataFrame:
    """Return the rows that `where` chooses, with columns named after their roles."""
    usual = {role: role for role in ("model", *values)} | design.roles
    table, others = by_role(frame, usual, columns, where)
    optional = {*design.keys}.difference(design.needed)
    if missing := [
        role for role in usual if role not in table and role not in optional
    ]:
        raise ValueError(
            f"column {shown(usual[missing[0]])} is missing: the columns are "
            f'{listed(frame.columns)}; say which it is, as in columns={{"{missing[0]}": ...}}'
        )
    if (
        "split" in others
        and others["split"].astype(str).str.casefold().eq("train").any()
    ):
        raise ValueError(
            "column 'split' has training rows: choose rows of test data by where="
        )
    if unknown := [name for name in others if _groups_rows(others[name])]:
        name = unknown[0]
        raise ValueError(
            f"column {shown(name)} has no role in {design}, and the values "
            f"{listed(others[name].unique())}: choose rows by where={{{shown(name)}: ...}}, or say "
            f"columns={{'ignored': {unknown[:20]}}}"
        )
    for key in table:
        _refuse(table[key].isna(), table, f"{key} is missing")
    for key in table.columns.intersection(["model", "dataset", "cluster"]):
        check_labels(key, table[key].unique())
    table["model"] = table["model"].astype(str)
    if len(models := table["model"].unique()) < 2:
        raise ValueError(
            f"there must be at least two models, and there is {listed(models) or 'none'}"
        )
    keys = ["model", *(key for key in design.keys if key in table)]
    if (twice := table.duplicated(keys)).any():
        first = _labels(table.loc[twice, keys])
        raise ValueError(
            f"{twice.sum()} rows occur twice, the first for {first}: is a column "
            "missing that tells them apart, such as a run?"
        )
    return table


def _labels(table: pd.DataFrame) -> str:
    """Write the labels of the first row."""
    return ", ".join(f"{key} {shown(label)}" for key, label in table.iloc[0].items())


def _groups_rows(column: pd.Series) -> bool:
    """Return whether a column may say what a row is.

    A column that is the same everywhere or different everywhere, such as an identifier,
    or that holds many fractions, such as another measurement, does not group rows; a
    setting such as a learning rate has few.
    """
    n = column.nunique(dropna=False)
    fractions = column.dtype.kind == "f" and bool((column.dropna() % 1 != 0).any())
    return 1 < n < len(column) and not (fractions and n > 5)


def check_labels(key: str, labels: Iterable[Any]) -> None:
    """Refuse labels that differ in type, case or blanks alone, and names that cannot be printed."""
    alike: dict[str, Any] = {}
    for label in labels:
        before = alike.setdefault(str(label).strip().casefold(), label)
        if before is not label:
            raise ValueError(
                f"{key} {listed([before, label])} differ only in type, case or blanks: use one"
            )
        if not str(label).strip() or (key == "model" and not str(label).isprintable()):
            raise ValueError(f"{key} {shown(label)} has a name that cannot be printed")


def _refuse(wrong: pd.Series, table: pd.DataFrame, what: str) -> None:
    """Refuse a table with wrong rows, and name the first few."""
    if wrong.any():
        rows = listed(table.index[wrong][:3])
        more = f" and {wrong.sum() - 3} more" if wrong.sum() > 3 else ""
        raise ValueError(f"{what} in row {rows}{more}")


def _number(value: Any) -> float:
    """Return a number, or NaN for anything else."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return np.nan


def _numbers(values: pd.Series, metric: Metric) -> pd.Series:
    """Return scores as floats within the metric's range."""
    if not pd.api.types.is_any_real_numeric_dtype(values):
        values = values.map(_number)
        _refuse(values.isna(), values.to_frame(), "score is not a number")
    numbers = values.astype(float)
    _check_range(numbers.to_numpy(), metric, lambda place: values.index[place])
    return numbers


def _check_range(scores: Array, metric: Metric, row: Callable[[int], Any]) -> None:
    """Refuse scores that are not finite or outside the metric's range, and name the first row."""
    slack = 1e-9 * (
        max(1, -metric.low, metric.high) if metric.high - metric.low < np.inf else 1
    )
    right = (
        (scores >= metric.low - slack)
        & (scores <= metric.high + slack)
        & np.isfinite(scores)
    )
    if right.all():
        return
    value, name = scores[right.argmin()], shown(row(int(right.argmin())))
    if not np.isfinite(value):
        raise ValueError(
            f"score is {'missing' if np.isnan(value) else 'not finite'} in row {name}"
        )
    percent = (
        scores.min() >= 0
        and scores.max() <= 100
        and (metric.low, metric.high) == (0, 1)
    )
    advice = f': for percent say Metric("{metric.name}", high=100)' if percent else ""
    raise ValueError(
        f"score {value:g} in row {name} lies outside the range of {metric}, "
        f"{metric.low:g} to {metric.high:g}{advice}"
    )


#: Labels of the last axis.
UNITS: dict[type, str] = {Items: "item", Datasets: "dataset"}


def _units(
    table: pd.DataFrame, design: Design
) -> tuple[list[Any], NDArray[np.int64] | None]:
    """Return the items or data sets, and the code of the cluster or fold of each item."""
    unit = UNITS.get(type(design))
    units = table[unit].unique().tolist() if unit else []
    return units, pd.factorize(of_items(table, column=design.clustering))[
        0
    ] if design.clustering else None


def of_items(table: pd.DataFrame, *, column: str) -> pd.Series:
    """Return the value of each item in a column; refuse an item that has two."""
    values = table.drop_duplicates(["item", column])
    _refuse(
        values["item"].duplicated(),
        values,
        f"{column} differs from another row of the item",
    )
    return values.set_index("item")[column]


def _by_model(
    table: pd.DataFrame, value: str, design: Design, units: list[Any], where: str = ""
) -> dict[str, NDArray[Any]]:
    """Return the values of each model, matched by their labels; refuse a model that lacks one."""
    if isinstance(design, Datasets) and design.within is not None:
        table = pd.DataFrame(
            [
                {"model": model, "dataset": name, value: block.mean()}
                for name, part in table.groupby("dataset", sort=False)
                for model, block in _by_model(
                    part, value, design.within, [], f"data set {shown(name)}: "
                ).items()
            ]
        )
    table, unit = table.assign(run=table.get("run", 0)), UNITS.get(type(design))
    keys = ["run", unit] if unit else list(design.keys)
    wide = table.pivot(index=keys, columns="model", values=value)
    if unit:
        wide = wide.reindex(
            pd.MultiIndex.from_product([wide.index.levels[0], units], names=keys)
        )
    runs, blocks = wide.index.get_level_values("run"), {}
    for model in table["model"].unique():
        own = wide[model]
        if (
            isinstance(design, Seeds | Items) and not design.paired
        ):  # each model has its own runs
            own = own[runs.isin(runs[own.notna()])]
        lacking = own.index[own.isna()].to_frame()
        if len(lacking):
            several = [key for key in keys if table[key].nunique() > 1]
            raise ValueError(
                f"{where}{model} has no {value} for {_labels(lacking[several])}: it "
                f"lacks {len(lacking)} of {len(own)} {keys[-1]}s"
            )
        blocks[model] = own.astype(table[value].dtype).to_numpy()
    if isinstance(design, CV | RandomSplits):
        n_runs, folds = design.shape
        of_runs = runs.value_counts(sort=False)
        least, most = of_runs.min(), of_runs.max()
        if (len(of_runs), least, most) != (n_runs, folds, folds):
            each = (
                f" of {least} folds"
                if least == most
                else f" of {least} to {most} folds"
            )
            each = each if "fold" in keys else ""
            raise ValueError(
                f"{where}the design is {design}, and the rows of each model are "
                f"{len(of_runs)} runs{each}"
            )
    return {
        model: _in_shape(f"{where}{model}", x, design, len(units))
        for model, x in blocks.items()
    }


def _in_shape(
    model: str, values: NDArray[Any], design: Design, units: int
) -> NDArray[Any]:
    """Return the values of a model in the shape of the design; refuse a single seed or item."""
    block = values.reshape(
        getattr(design, "shape", (-1, units) if isinstance(design, Items) else (-1,))
    )
    if isinstance(design, Seeds | Items) and block.shape[-1] < 2:
        unit = "item" if isinstance(design, Items) else "seed"
        raise ValueError(f"{model} has one {unit}, and at least two are needed")
    return block

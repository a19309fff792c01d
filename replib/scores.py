"""The table that everything reads: which model had which score, on what, and how it was made.

A :class:`Scores` or :class:`Predictions` table is made once from a long frame, with a metric and a
design that are declared, and then frozen.  Rows are matched by their labels and never by position.
What does not fit is refused in one sentence.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from replib.designs import CV, Datasets, Design, Items, RandomSplits, Seeds, find_design
from replib.validation import Array, check_choice, check_instance, listed, scores_array, shown

_SHARES = (
    "accuracy acc acc_norm average_precision balanced_accuracy em exact_match f1 f1_macro f1_micro "
    "f1_weighted jaccard precision precision_macro precision_micro precision_weighted recall "
    "recall_macro recall_micro recall_weighted roc_auc roc_auc_ovo roc_auc_ovr top_k_accuracy"
)
_LOSSES = (
    "brier_score cer cross_entropy log_loss mae max_error mean_absolute_error "
    "mean_absolute_percentage_error mean_gamma_deviance mean_poisson_deviance mean_squared_error "
    "mean_squared_log_error median_absolute_error mse perplexity rmse root_mean_squared_error "
    "root_mean_squared_log_error wer"
)
#: Metrics whose direction and range are known, by the names of scikit-learn and of harnesses.
KNOWN: dict[str, tuple[str, float, float]] = {
    name: known for names, known in (
        (_SHARES, ("higher", 0.0, 1.0)),
        ("cohen_kappa matthews_corrcoef", ("higher", -1.0, 1.0)),
        ("d2_absolute_error_score explained_variance r2", ("higher", -np.inf, 1.0)),
        ("error error_rate hamming_loss zero_one_loss", ("lower", 0.0, 1.0)),
        (f"{_LOSSES} brier_score_loss", ("lower", 0.0, np.inf)),
        (f" {_LOSSES}".replace(" ", " neg_"), ("higher", -np.inf, 0.0)),
        ("loss", ("lower", -np.inf, np.inf)),
    ) for name in names.split()
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
            raise ValueError(f"metric must have a name that can be printed, not {shown(self.name)}")
        if self.better is None and self.name not in KNOWN:
            raise ValueError(
                f"metric {shown(self.name)} is not known: say Metric({shown(self.name)}, "
                'better="higher") or better="lower"'
            )
        better, low, high = KNOWN.get(self.name, (self.better, -np.inf, np.inf))
        check_choice("better", self.better or better, ("higher", "lower"))
        if self.better not in (None, better):
            raise ValueError(f"metric {shown(self.name)} is better {better}, not {self.better}")
        _freeze(self, better=better)
        _freeze(self, low=float(low if self.low == -np.inf else self.low),
                high=float(high if self.high == np.inf else self.high))
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


@dataclass(frozen=True, eq=False)
class MatchedArrays:
    """Arrays by model, with an axis for each key of the design, as `from_arrays` has checked them.

    `clusters` are those of the items, as codes.
    """

    arrays: dict[str, Array]
    clusters: NDArray[np.int64] | None = None


@dataclass(frozen=True, eq=False)
class Scores:
    """Scores of two or more models, each row one score.

    Attributes
    ----------
    frame : DataFrame
        Columns `model` and `score`, and those that the design needs: `run` and `fold`
        (:class:`~replib.designs.CV`), `run` (random splits, seeds), `item` and perhaps `run` and
        a cluster (items), `dataset`.  A column `run` or `fold` may be missing if there is one run.
        Arrays go to :func:`replib.readers.from_arrays`.
    metric : Metric or str
    design : design, text or splitter
        As for :func:`replib.designs.find_design`.
    columns : mapping, optional
        Which column has which of these roles, such as ``{"score": "val_acc", "run": "seed"}``;
        ``"ignored"`` is a list of columns without a role.
    where : mapping, optional
        Values of columns, or lists of them, that choose the rows, such as ``{"task": "mmlu"}``.
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
        If a column is missing or has no role, a score is missing, occurs twice, is no number or
        lies outside the metric's range, or the rows do not fit the design.

    Examples
    --------
    >>> frame = pd.DataFrame({"model": list("aabb"), "run": [0, 1, 1, 0],
    ...                       "score": [.8, .9, .7, .6]})
    >>> Scores(frame, metric="accuracy", design="seeds").blocks["b"].tolist()
    [0.6, 0.7]
    """

    frame: pd.DataFrame | MatchedArrays
    metric: Metric = field(kw_only=True)
    design: Design = field(kw_only=True)
    columns: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    where: Mapping[str, Any] | None = field(default=None, kw_only=True)
    notes: tuple[str, ...] = field(default=(), kw_only=True)
    clusters: NDArray[np.int64] | None = field(default=None, init=False)
    blocks: dict[str, Array] = field(init=False)
    models: tuple[str, ...] = field(init=False)
    units: list[Any] = field(init=False)

    def __post_init__(self) -> None:
        metric, design = find_metric(self.metric), find_design(self.design)
        _freeze(self, metric=metric, design=design)
        if isinstance(self.frame, MatchedArrays):
            _freeze(self, clusters=self.frame.clusters)
            blocks, units = _of_arrays(self.frame.arrays, metric, design)
        else:
            blocks, units = self._of_frame(self.frame, metric, design)
        scores_array("scores", np.concatenate([block.ravel() for block in blocks.values()]))
        for block in blocks.values():
            block.flags.writeable = False
        _freeze(self, blocks=blocks, models=tuple(blocks), units=units)

    def _of_frame(
        self, frame: pd.DataFrame, metric: Metric, design: Design
    ) -> tuple[dict[str, Array], list[Any]]:
        table = _chosen(frame, self.columns, self.where, design, ["score"])
        table["score"] = _numbers(table["score"], metric)
        _freeze(self, frame=table)
        if isinstance(design, Items):
            units, clusters = _units(table, design)
            _freeze(self, clusters=clusters)
            return _by_run(table, design, "score", units), units
        if not isinstance(design, Datasets):
            return _blocks(table, design), []
        if design.within is not None:
            for name, part in table.groupby("dataset", sort=False):
                _blocks(part, design.within, f"data set {shown(name)}: ")
        means = table.groupby(["model", "dataset"], sort=False, as_index=False)["score"].mean()
        wide = _matched(means, ["dataset"])
        return {name: wide[name].to_numpy() for name in wide}, list(wide.index)


@dataclass(frozen=True, eq=False)
class Predictions:
    """Predictions of two or more models for the items of one test set, for metrics of any kind.

    Attributes
    ----------
    frame : DataFrame
        Columns `model`, `item`, `truth`, `prediction`, and perhaps `run` and a cluster.
    metric : Metric or str
        A metric such as "accuracy", "f1_macro", "roc_auc" or "rmse", or a name for `function`.
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

    frame: pd.DataFrame
    metric: Metric = field(kw_only=True)
    design: Items = field(default_factory=Items, kw_only=True)
    function: Any = field(default=None, kw_only=True)
    columns: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    where: Mapping[str, Any] | None = field(default=None, kw_only=True)
    truth: NDArray[Any] = field(init=False)
    predicted: dict[str, NDArray[Any]] = field(init=False)
    models: tuple[str, ...] = field(init=False)
    units: list[Any] = field(init=False)
    clusters: NDArray[np.int64] | None = field(init=False)

    def __post_init__(self) -> None:
        metric, design = find_metric(self.metric), find_design(self.design)
        if not isinstance(design, Items):
            raise ValueError(f'the design of predictions is "items" or Items(...), not {design}')
        if self.function is not None and not callable(self.function):
            raise ValueError(f"function must be callable, not {shown(self.function)}")
        table = _chosen(self.frame, self.columns, self.where, design, ["truth", "prediction"])
        units, clusters = _units(table, design)
        truths = table.drop_duplicates(["item", "truth"])
        _refuse(truths["item"].duplicated(), truths, "truth differs from another row of the item")
        predicted = _by_run(table, design, "prediction", units)
        truth = truths.set_index("item")["truth"].loc[units].to_numpy()
        _freeze(self, frame=table, metric=metric, design=design, truth=truth, predicted=predicted,
                models=tuple(predicted), units=units, clusters=clusters)


def _of_arrays(
    arrays: dict[str, Array], metric: Metric, design: Design
) -> tuple[dict[str, Array], list[Any]]:
    """Return blocks and units of arrays that have an axis for each key of the design."""
    of = getattr(design, "within", design) or design
    for name, x in arrays.items():
        check_range(x.ravel(), metric,
                    lambda place: (name, *np.array(np.unravel_index(place, x.shape)).tolist()))
        if isinstance(of, Seeds | Items) and x.shape[-1] < 2:
            what = f"{name} has one seed" if isinstance(of, Seeds) else "there is one item"
            raise ValueError(f"{what}, and at least two are needed")
    if isinstance(design, Datasets):
        means = {name: x.reshape(len(x), -1).mean(axis=1) for name, x in arrays.items()}
        return means, list(range(len(x)))
    items = x.shape[-1] if isinstance(design, Items) else 0
    shape = (-1, items) if items else getattr(design, "shape", (-1,))
    return {name: np.array(x).reshape(shape) for name, x in arrays.items()}, list(range(items))


def roles_and_ignored(columns: Any) -> tuple[dict[str, Any], list[Any]]:
    """Return names of columns by their roles, and those without one."""
    check_instance("columns", columns, Mapping, type(None))
    given = dict(columns or {})
    ignored = given.pop("ignored", [])
    return given, [ignored] if isinstance(ignored, str) else list(ignored)


def check_columns(frame: pd.DataFrame, names: Iterable[Any]) -> None:
    """Refuse names of columns that a frame does not have."""
    for name in names:
        if name not in frame.columns:
            raise ValueError(
                f"there is no column {shown(name)}: the columns are {listed(frame.columns)}")


def chosen_rows(frame: pd.DataFrame, where: Mapping[str, Any] | None) -> pd.DataFrame:
    """Return the rows in which columns have given values; refuse values that do not occur.

    Examples
    --------
    >>> chosen_rows(pd.DataFrame({"task": [1, 2], "score": [3, 4]}), {"task": 2})
       task  score
    1     2      4
    """
    check_instance("where", where, Mapping, type(None))
    check_columns(frame, where or {})
    for name, value in (where or {}).items():
        if not (chosen := frame[name].isin(value if isinstance(value, list) else [value])).any():
            some = listed(frame[name].drop_duplicates().head(5))
            raise ValueError(f"no row has {shown(name)} = {shown(value)}: there are {some}")
        frame = frame[chosen]
    return frame


def _chosen(
    frame: pd.DataFrame, columns: Mapping[str, Any], where: Mapping[str, Any] | None,
    design: Design, values: Sequence[str],
) -> pd.DataFrame:
    """Return the rows that `where` chooses, with columns named after their roles."""
    if not isinstance(frame, pd.DataFrame):
        raise ValueError("frame must be a DataFrame with a row per score (arrays go to "
                         f"from_arrays), not {shown(frame)}")
    if frame.columns.has_duplicates:
        name = frame.columns[frame.columns.duplicated()][0]
        raise ValueError(f"column {shown(name)} occurs twice")
    given, ignored = roles_and_ignored(columns)
    usual = {role: role for role in ("model", *values)} | design.roles
    names = usual | given
    for role in given:
        check_choice("each role in columns", role, [*usual, "ignored"])
    check_columns(frame, [*ignored, *given.values()])
    frame = chosen_rows(frame, where)
    missing = [role for role, name in names.items() if name not in frame
               and (role not in design.keys or role in design.needed)]
    if missing:
        raise ValueError(
            f"column {shown(names[missing[0]])} is missing: the columns are "
            f'{listed(frame.columns)}; say which it is, as in columns={{"{missing[0]}": ...}}'
        )
    if len(set(names.values())) < len(names):
        raise ValueError("columns gives one column two roles")
    roles_of = {name: role for role, name in names.items() if name in frame}
    known = {*roles_of, *ignored, *(where or {})}
    others = [name for name in frame if name not in known and _groups_rows(frame[name])]
    if others:
        what = f"column {shown(others[0])} has no role in {design}, and its values differ" if (
            len(others) == 1) else f"columns {listed(others)} have no role in {design}"
        raise ValueError(f"{what}: choose rows by where={{{shown(others[0])}: ...}}, or say "
                         f"columns={{'ignored': {others[:20]}}}")
    table = frame[list(roles_of)].rename(columns=roles_of)
    for key in table:
        blank = [] if pd.api.types.is_numeric_dtype(table[key]) or key in values else [
            label for label in table[key].unique() if not str(label).strip()]
        _refuse(table[key].isna() | table[key].isin(blank), table, f"{key} is missing")
    for key in table.columns.intersection(["model", "dataset", "cluster"]):
        check_labels(key, table[key].unique())
    table["model"] = table["model"].astype(str)
    if len(models := table["model"].unique()) < 2:
        raise ValueError(f"there must be at least two models, and column {shown(names['model'])} "
                         f"has {listed(models) or 'none'}")
    keys = ["model", *(key for key in design.keys if key in table)]
    if (twice := table.duplicated(keys)).any():
        row = table.loc[twice, keys].iloc[0]
        what = ", ".join(f"{key} {shown(value)}" for key, value in row.items())
        raise ValueError(
            f"{twice.sum()} rows occur twice, the first for {what}: is a column missing that tells "
            "them apart, such as a run?"
        )
    return table


def _groups_rows(column: pd.Series) -> bool:
    """Return whether a column may say what a row is.

    A column that is the same everywhere or different everywhere, such as an identifier, or that
    holds many fractions, such as another measurement, does not group rows; a setting such as a
    learning rate has few.
    """
    n = column.nunique(dropna=False)
    fractions = column.dtype.kind == "f" and bool((column.dropna() % 1 != 0).any())
    return 1 < n < len(column) and not (fractions and n > 5)


def check_labels(key: str, labels: Iterable[Any]) -> None:
    """Refuse labels that differ in case or blanks alone, and names that cannot be printed."""
    alike: dict[str, Any] = {}
    for label in labels:
        before = alike.setdefault(str(label).strip().casefold(), label)
        if before is not label:
            raise ValueError(f"{key} {listed([before, label])} differ only in case or blanks: use "
                             "one")
        if key == "model" and not str(label).isprintable():
            raise ValueError(f"model {shown(label)} has a name that cannot be printed")


def _refuse(wrong: pd.Series, table: pd.DataFrame, what: str) -> None:
    """Refuse a table with wrong rows, and name the first few."""
    if wrong.any():
        rows = listed(table.index[wrong][:3])
        more = f" and {wrong.sum() - 3} more" if wrong.sum() > 3 else ""
        raise ValueError(f"{what} in row {rows}{more}")


def _numbers(values: pd.Series, metric: Metric) -> pd.Series:
    """Return scores as floats within the metric's range."""
    table = values.to_frame()
    _refuse(values.isna(), table, "score is missing")
    plain = values.map(lambda x: isinstance(x, str) or not np.isscalar(x)) if (
        values.dtype == object) else pd.Series(values.dtype.kind not in "biufIUFB", values.index)
    text = plain & pd.to_numeric(values, errors="coerce").isna() if plain.any() else plain
    _refuse(text if text.any() else plain, table, "score is not a number")
    numbers = values.astype(float)
    check_range(numbers.to_numpy(), metric, lambda place: table.index[place])
    return numbers


def check_range(scores: Array, metric: Metric, row: Callable[[int], Any]) -> None:
    """Refuse scores that are not finite or outside the metric's range, and name the first row."""
    slack = 1e-9 * (max(1, -metric.low, metric.high) if metric.high - metric.low < np.inf else 1)
    right = (scores >= metric.low - slack) & (scores <= metric.high + slack) & np.isfinite(scores)
    if right.all():
        return
    value, name = scores[right.argmin()], shown(row(int(right.argmin())))
    if not np.isfinite(value):
        raise ValueError(f"score is {'missing' if np.isnan(value) else 'not finite'} in row {name}")
    percent = scores.min() >= 0 and scores.max() <= 100 and (metric.low, metric.high) == (0, 1)
    advice = f': for percent say Metric("{metric.name}", high=100)' if percent else ""
    raise ValueError(f"score {value:g} in row {name} lies outside the range of {metric}, "
                     f"{metric.low:g} to {metric.high:g}{advice}")


def _matched(table: pd.DataFrame, keys: list[str], *, gaps: bool = False) -> pd.DataFrame:
    """Return scores with a column per model and a row per key; refuse a model that lacks a row."""
    wide = table.pivot(index=keys, columns="model", values="score")[table["model"].unique()]
    for model in [] if gaps else wide:
        lacking = wide.index[wide[model].isna()]
        if len(lacking):
            first = lacking[0] if isinstance(lacking[0], tuple) else (lacking[0],)
            what = ", ".join(f"{key} {shown(x)}" for key, x in zip(keys, first))
            raise ValueError(
                f"{model} has no score for {what}, which another model has; {len(lacking)} of "
                f"{len(wide)} are missing"
            )
    return wide


def _blocks(table: pd.DataFrame, design: Design, where: str = "") -> dict[str, Array]:
    """Return the block of each model for splits of one data set, or for seeds."""
    keys = [key for key in design.keys if key in table]
    wide = _matched(table, keys, gaps=isinstance(design, Seeds) and not design.paired)
    if isinstance(design, Seeds):
        blocks = {name: wide[name].dropna().to_numpy() for name in wide}
        if few := [name for name, block in blocks.items() if len(block) < 2]:
            raise ValueError(f"{where}{few[0]} has one seed, and at least two are needed")
        return blocks
    if not isinstance(design, CV | RandomSplits):
        raise ValueError(f"{where}splits of one data set have no design {design}")
    runs, folds = design.shape
    run = wide.index.get_level_values("run") if "run" in keys else pd.Index([0] * len(wide))
    of_runs = run.value_counts(sort=False)
    if len(of_runs) != runs or (of_runs != folds).any():
        each = f" of {of_runs.min()} to {of_runs.max()} folds" if of_runs.nunique() > 1 else (
            f" of {of_runs.iloc[0]} folds" if "fold" in keys else "")
        raise ValueError(
            f"{where}the design is {design}, and the rows of each model are {len(of_runs)} runs"
            f"{each}"
        )
    return {name: wide[name].to_numpy().reshape(runs, folds) for name in wide}


def _units(table: pd.DataFrame, design: Items) -> tuple[list[Any], NDArray[np.int64] | None]:
    """Return the items, and the code of the cluster or fold of each."""
    if (by := design.by) is None:
        return table["item"].unique().tolist(), None
    of_items = table.drop_duplicates(["item", by])
    _refuse(of_items["item"].duplicated(), of_items, f"{by} differs from another row of the item")
    return of_items["item"].tolist(), pd.factorize(of_items[by])[0]


def _by_run(
    table: pd.DataFrame, design: Items, value: str, units: list[Any]
) -> dict[str, NDArray[Any]]:
    """Return runs x items of each model; refuse a run that lacks an item."""
    if len(units) < 2:
        raise ValueError("there is one item, and at least two are needed")
    table = table.assign(item=pd.Categorical(table["item"], categories=units).codes,
                         run=table.get("run", 0))
    wide = table.pivot(index="item", columns=["model", "run"], values=value).sort_index(axis=1)
    models, blocks = table["model"].unique(), {}
    for name in models:
        own = wide[name]
        for run in own:
            if (lacks := own[run].isna()).any():
                of = "" if own.shape[1] == 1 else f" in run {shown(run)}"
                raise ValueError(f"{name} lacks {lacks.sum()} of {len(units)} items{of}, the first "
                                 f"{shown(units[lacks.argmax()])}")
        blocks[name] = np.stack([own[run].to_numpy() for run in own])
        odd = own.columns.symmetric_difference(wide[models[0]].columns)
        if design.paired and len(odd):
            raise ValueError(
                f"paired runs: only one of {models[0]} and {name} has run {shown(odd[0])}")
    return blocks

"""The table that everything reads: which model had which score, on what, and how it was made.

A :class:`Scores` or :class:`Predictions` table is made once from a long frame, with a
metric and a design that are declared, and then frozen.  Rows are matched by their
labels and never by position. What does not fit is refused in one sentence.
"""

import csv
import difflib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from replib._missing import Common, check_policy, common_rows
from replib._names.labels.summaries import is_label_of_statistic, is_summary
from replib._names.languages import in_english
from replib._names.metrics.definitions import definition_of_metric, differ
from replib._names.metrics.directions import direction_of_metric
from replib._names.metrics.ideals import ideal_of_metric
from replib._names.metrics.named import is_complement, named_metric, plain_name
from replib._names.metrics.quantities import quantity_of_metric
from replib._names.scores import is_called_after, may_have_scores_of, refuse_column
from replib._names.things.kinds import kind_of_name, says_which_metric
from replib._names.words import plain_words
from replib._rows import Rows
from replib._strata import Strata, strata_of_labels
from replib._tables.checks import checked_rows
from replib._tables.others import notes_on_constant_seeds, notes_on_searches
from replib._tables.roles import mentioned_columns, score_column
from replib._tables.rows import item_values, refuse_rows
from replib._tables.stated import notes_on_stated_design
from replib._tables.values import in_shape, model_values
from replib._validation import (
    Array,
    check_choice,
    check_instance,
    check_size,
    largest,
    listed,
    real_array,
    refusal,
    set_fields,
    shown,
)
from replib.designs import Datasets, Design, Items, find_design

_METRICS = (Path(__file__).parent / "data" / "metrics.csv").read_text(encoding="utf-8")
#: Direction and range of the metrics that are known, by the names of scikit-learn and
#: of harnesses.
KNOWN: dict[str, tuple[str, float, float]] = {
    name: (better, float(low), float(high))
    for name, better, low, high in csv.reader(_METRICS.splitlines()[1:])
}
#: Metrics of predictions that are scores or probabilities of the positive of two classes.
PROBABILITY_METRICS = (
    *("average_precision", "brier", "brier_score", "brier_score_loss"),
    *("log_loss", "roc_auc"),
)
#: Known metrics that are about one of two classes, the positive one.
METRICS_OF_ONE_CLASS = (
    *PROBABILITY_METRICS,
    *("f1", "jaccard", "precision", "recall"),
    *("cross_entropy", "neg_brier_score", "neg_cross_entropy", "neg_log_loss"),
)
#: Metrics of the probabilities of all classes, in the order of the sorted classes.
CLASS_METRICS = ("roc_auc_ovr",)
#: Similarity of a name to one that is known, of which we ask whether it was meant.
_SIMILAR = 0.85
#: How far outside the range of its metric a score may be by rounding, as a share of the
#: largest score.
_ROUNDING = 1e-9


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
    positive : label, optional
        For predictions and a metric of one of two classes, such as F1 or the area under
        the ROC curve: the class that it is about.  Not needed if the classes are 0 and
        1, -1 and 1, or False and True.
    """

    name: str
    better: str | None = None
    low: float = -np.inf
    high: float = np.inf
    positive: Any = None

    def __post_init__(self) -> None:
        _check_name(self.name)
        _check_ideal(self.name)
        check_instance("better", self.better, str, type(None))
        if self.better is None:
            set_fields(self, name=_known_name(self.name))
            if self.name not in KNOWN:
                raise _undeclared_direction(self.name)
        if self.positive is not None:
            _check_of_one_class(self.name, self.positive)
        known, low, high = KNOWN.get(self.name, (None, -np.inf, np.inf))
        better = known if self.better is None else self.better
        check_choice("better", better, ("higher", "lower"))
        _check_direction(self.name, better)
        declared_low = _limit("low", self.low)
        declared_high = _limit("high", self.high)
        if declared_low != -np.inf:
            low = declared_low
        if declared_high != np.inf:
            high = declared_high
        set_fields(self, better=better, low=low, high=high)
        if not self.low < self.high:
            raise ValueError(f"metric {shown(self.name)} needs low < high")

    @property
    def sign(self) -> int:
        """1 if higher is better, else -1."""
        return 1 if self.better == "higher" else -1

    def allows(self, values: ArrayLike) -> NDArray[np.bool_]:
        """Return where values are finite, and within the range but for rounding.

        Parameters
        ----------
        values : array_like

        Returns
        -------
        ndarray of bool

        Raises
        ------
        ValueError
            If they are no array of numbers.

        Examples
        --------
        >>> Metric("accuracy").allows([0.5, 1 + 1e-12, 1.01]).tolist()
        [True, True, False]
        """
        values = real_array("values", values)
        has_range = self.high - self.low < np.inf
        slack = _ROUNDING * (max(1, -self.low, self.high) if has_range else 1)
        is_above = values >= self.low - slack
        is_below = values <= self.high + slack
        return np.asarray(is_above & is_below & np.isfinite(values))

    def __str__(self) -> str:
        name = self.name.replace("_", " ")
        return name if self.positive is None else f"{name} of {self.positive}"


def _check_name(name: Any) -> None:
    """Refuse a name that cannot be printed."""
    check_instance("metric", name, str)
    if not name.isprintable() or not name.strip():
        raise ValueError(
            f"metric must have a name that can be printed, not {shown(name)}"
        )


def _known_name(name: str) -> str:
    """Return the known name of a metric, such as "roc_auc" for "ROC AUC", or the name itself."""
    plain = plain_name(name)
    return plain if plain in KNOWN else name


def _check_ideal(name: str) -> None:
    """Refuse a metric that is best between the ends of its range: it has no direction."""
    ideal = ideal_of_metric(name)
    if ideal is None:
        return
    raise refusal(
        f"metric {shown(name)} is best at {ideal}, so neither higher nor lower is better",
        f'give the distance from it, as Metric("distance from {ideal}", better="lower")',
        f'give the distance from it, as --metric "distance from {ideal}" --better lower',
    )


def _check_of_one_class(name: str, positive: Any) -> None:
    """Refuse a positive class for a metric that is known to be about all classes, or none."""
    if name in KNOWN and name not in METRICS_OF_ONE_CLASS:
        raise refusal(
            f"metric {shown(name)} is about no single class",
            f"leave positive={shown(positive)} out",
            "leave --positive out",
        )


def _undeclared_direction(name: str) -> ValueError:
    """Return the refusal of a metric without a direction, which may be another one misspelt.

    A direction that a name has is said, and not taken: its sign may have been turned.
    """
    english = _known_name(in_english(name))
    near = difflib.get_close_matches(english, KNOWN, n=1, cutoff=_SIMILAR)
    is_misspelt = bool(near) and not differ(english, near[0])
    by_name = direction_of_metric(name)
    if by_name is not None and not is_misspelt:
        return refusal(
            f"metric {shown(name)} needs a direction, and is by its name better {by_name}",
            f'say Metric({shown(name)}, better="{by_name}")',
            f"say --better {by_name}",
        )
    problem = f"metric {shown(name)} is not known"
    if is_misspelt:
        problem = f"{problem} (is it {near[0]}?)"
    elif named_metric(name) is not None:
        problem = f"metric {shown(name)} needs a direction, and has none by its name"
    return refusal(
        problem,
        f'say Metric({shown(name)}, better="higher") or better="lower"',
        "say --better higher or --better lower",
    )


def _check_direction(name: str, better: str | None) -> None:
    """Refuse a direction that the name of a metric contradicts."""
    if name in KNOWN:
        right, *_ = KNOWN[name]
        if better != right:
            raise ValueError(f"metric {shown(name)} is better {right}, not {better}")
        return
    known, *_ = KNOWN.get(_known_name(in_english(name)), (None,))
    by_name = known or direction_of_metric(name)
    if by_name in (None, better):
        return
    problem = f"metric {shown(name)} is by its name better {by_name}, not {better}"
    if is_complement(name):
        raise refusal(problem, f'say better="{by_name}"', f"say --better {by_name}")
    turned = "or, if its sign was turned, call it"
    raise refusal(
        problem,
        f'say better="{by_name}", {turned} {shown(f"neg_{name}")}',
        f"say --better {by_name}, {turned} neg_{name}",
    )


def _check_named_metric(
    frame: Any, where: Mapping[str, Any] | None, metric: Metric
) -> None:
    """Refuse scores of which a column says that they are of another metric."""
    if not isinstance(frame, pd.DataFrame):
        return
    for name in frame:
        if kind_of_name(name) != "metric" or name in (where or {}):
            continue
        metrics = frame[name].unique()
        if len(metrics) != 1 or not isinstance(metrics[0], str):
            continue
        if differ(metrics[0], metric.name):
            raise ValueError(
                f"column {shown(name)} says {shown(metrics[0])}, and the metric is "
                f"{metric}: declare the metric of the scores"
            )


def _notes_on_chosen_metric(
    frame: Any, where: Mapping[str, Any] | None, metric: Metric
) -> Iterator[str]:
    """Note rows of an unknown metric that were chosen, beside rows of the declared one."""
    for name, value in (where or {}).items():
        if not isinstance(value, str) or not says_which_metric(name):
            continue
        is_known = definition_of_metric(value).quantity is not None
        if is_known or may_have_scores_of(value, metric.name):
            continue
        if any(is_called_after(text, metric.name) for text in frame[name].unique()):
            yield (
                f"The rows with {shown(name)} = {shown(value)} are chosen, and the metric "
                f"is {metric}: which is it?"
            )


def _limit(name: str, value: Any) -> float:
    """Return a limit of a metric's range, which may be infinite."""
    if not isinstance(value, Real) or math.isnan(value):
        raise ValueError(f"{name} must be a number, not {shown(value)}")
    return float(value)


def find_metric(metric: Any) -> Metric:
    """Return a metric by its name, or the metric itself.

    Parameters
    ----------
    metric : Metric or str

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
    if metric is None:
        raise refusal(
            "metric must be given",
            'a name such as "accuracy", or Metric(name, better="higher" or "lower")',
            "say --metric, such as accuracy",
        )
    check_instance("metric", metric, Metric, str)
    return metric if isinstance(metric, Metric) else Metric(metric)


class MatchedArrays(NamedTuple):
    """Arrays by model, with an axis for each key of the design, as `from_arrays` has checked them.

    `clusters` are those of the items, as codes.
    """

    arrays: dict[str, Array]
    clusters: NDArray[np.int64] | None = None
    strata: Strata | None = None


class MatchedPredictions(NamedTuple):
    """Numbers of one test set that `from_predictions` has checked.

    Attributes
    ----------
    truth : ndarray, shape (items,)
    predicted : dict of ndarray, shape (runs, items)
    clusters : ndarray of int or None, shape (items,)
        Those of the items, as codes.
    """

    truth: NDArray[Any]
    predicted: dict[str, NDArray[Any]]
    clusters: NDArray[np.int64] | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class _Table:
    """Rows with declared columns, metric and design."""

    frame: Any = field(kw_only=False)
    metric: Metric
    design: Design
    columns: Mapping[str, Any] = field(default_factory=dict)
    where: Mapping[str, Any] | None = None
    missing: str = "refuse"
    notes: tuple[str, ...] = ()
    origin: Mapping[str, str] = field(default_factory=dict)
    models: tuple[str, ...] = field(init=False)
    unit_labels: "Sequence[Any] | pd.Index[Any]" = field(init=False, repr=False)
    clusters: NDArray[np.int64] | None = field(init=False)
    strata: Strata | None = field(init=False)

    @cached_property
    def units(self) -> list[Any]:
        """Labels of the last axis of items or data sets; few ask for those of a million."""
        return list(self.unit_labels)


@dataclass(frozen=True, eq=False, kw_only=True)
class Scores(_Table):
    """Scores of one or more models, each row one score.

    Attributes
    ----------
    frame : DataFrame
        Columns `model` and `score`, or one that is called after the metric, and those
        that the design needs: `run` and `fold` (:class:`~replib.designs.CV`), `run`
        (random splits, seeds), `item` and perhaps `run` and a cluster (items),
        `dataset`.  A column `run` or `fold` may be missing if there is one run. Arrays
        go to :func:`replib.readers.from_arrays`.
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
    missing : {"refuse", "common"}
        What is done about a score that a model lacks: refuse the table, or keep the
        items, data sets, paired seeds, whole runs or random splits that all models
        have, and note how many each lacks.  A crash is a score, not a hole.
    blocks : dict of ndarray
        Scores by model, matched between models: (runs, folds), (splits, 1), (seeds,),
        (runs, items) or (datasets,).
    models : tuple of str
        Their names, in the order of their first rows.
    units : list
        Labels of the last axis of items or data sets.
    clusters : ndarray of int or None, shape (items,)
        Cluster, or fold, of each item.
    strata : Strata or None
        Tasks of the items of a suite, and how they count.
    notes : tuple of str
        What a reader has to say about the scores, in sentences.
    origin : dict of str
        Digests (SHA-256) of the files that were read, by their paths.
    of_search : bool
        Whether the models are candidates of one search, of which several may be equal.

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

    of_search: bool = False
    blocks: dict[str, Array] = field(init=False)

    def __post_init__(self) -> None:
        metric = find_metric(self.metric)
        design = find_design(self.design)
        if isinstance(self.columns, Mapping):
            refuse_column(self.columns.get("score"), metric.name, metric.better)
        if isinstance(self.frame, MatchedArrays):
            matched = _scores_of_arrays(self.frame, metric, design)
        else:
            matched = _scores_of_rows(self, metric, design)
        blocks = matched.blocks
        _check_suite(matched.strata, matched.clusters, metric)
        check_size("scores", np.array([largest(block) for block in blocks.values()]))
        for block in blocks.values():
            block.flags.writeable = False
        set_fields(
            self,
            frame=matched.frame,
            metric=metric,
            design=matched.design,
            blocks=blocks,
            models=tuple(blocks),
            unit_labels=matched.unit_labels,
            clusters=matched.clusters,
            strata=matched.strata,
            notes=(*self.notes, *matched.notes),
        )


class _MatchedScores(NamedTuple):
    """Scores in the shape of their design, with the fields of `Scores` that come with them."""

    frame: Any
    design: Design
    blocks: dict[str, Array]
    unit_labels: "Sequence[Any] | pd.Index[Any]"
    clusters: NDArray[np.int64] | None
    strata: Strata | None
    notes: tuple[str, ...] = ()


def _scores_of_arrays(
    table: MatchedArrays, metric: Metric, design: Design
) -> _MatchedScores:
    """Return the scores of arrays, whose items or data sets are only counted."""
    blocks = _blocks_of_arrays(table.arrays, metric, design)
    first, *_ = blocks.values()
    n_units = first.shape[-1] if design.unit else 0
    return _MatchedScores(
        table, design, blocks, range(n_units), table.clusters, table.strata
    )


def _scores_of_rows(table: Scores, metric: Metric, design: Design) -> _MatchedScores:
    """Return the scores of a frame, matched by the labels of their rows."""
    _check_named_metric(table.frame, table.where, metric)
    columns = _with_scores(table, metric)
    rows, design, notes = _checked_rows(table, columns, ["score"], design)
    if isinstance(table.frame, pd.DataFrame):
        notes = (*notes, *_notes_on_chosen_metric(table.frame, table.where, metric))
    rows.frame["score"] = _scores_in_range(rows.frame, metric, design)
    return _MatchedScores(
        frame=rows.frame,
        design=design,
        blocks=model_values(rows, "score", design),
        unit_labels=_unit_labels(rows, design),
        clusters=_cluster_codes(rows, design),
        strata=_strata(rows, design),
        notes=notes,
    )


@dataclass(frozen=True, eq=False, kw_only=True)
class Predictions(_Table):
    """Predictions of one or more models for the items of one test set, for metrics of any kind.

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
    columns, where, missing
        As for :class:`Scores`.
    truth : ndarray, shape (items,)
    predicted : dict of ndarray, shape (runs, items)
    models, units, clusters, strata
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
        metric = find_metric(self.metric)
        design = find_design(self.design)
        check_instance("design of predictions", design, Items)
        if self.function is not None:
            _check_function(self.function, metric)
        if isinstance(self.frame, MatchedPredictions):
            matched = self.frame
            set_fields(
                self,
                metric=metric,
                design=design,
                truth=matched.truth,
                predicted=matched.predicted,
                models=tuple(matched.predicted),
                unit_labels=range(matched.truth.size),
                clusters=matched.clusters,
                strata=None,
            )
            return
        values = ["truth", "prediction"]
        rows, _, notes = _checked_rows(self, self.columns, values, design)
        predicted = model_values(rows, "prediction", design)
        clusters = _cluster_codes(rows, design)
        strata = _strata(rows, design)
        _check_suite(strata, clusters, metric)
        set_fields(
            self,
            frame=rows.frame,
            metric=metric,
            design=design,
            truth=item_values(rows, column="truth").to_numpy(),
            predicted=predicted,
            models=tuple(predicted),
            unit_labels=_unit_labels(rows, design),
            clusters=clusters,
            strata=strata,
            notes=(*self.notes, *notes),
        )


def _check_function(function: Any, metric: Metric) -> None:
    """Refuse a function that by its name measures something else than the metric."""
    if not callable(function):
        raise ValueError(f"function must be callable, not {shown(function)}")
    name = getattr(function, "__name__", "").removesuffix("_score")
    has_other_direction = direction_of_metric(name) not in (None, metric.better)
    quantities = {quantity_of_metric(name), quantity_of_metric(metric.name)} - {None}
    # `tpr` may well compute the "tpr at 1% fpr"
    is_short = {*plain_words(name).split()} <= {*plain_words(metric.name).split()}
    measures_another = len(quantities) > 1 and not is_short
    if has_other_direction or measures_another:
        raise ValueError(
            f"function is {function.__name__} by its name, and the metric is {metric}: "
            "call the metric after what the function measures"
        )


def _with_scores(table: _Table, metric: Metric) -> Mapping[str, Any]:
    """Return the declared columns, with that of the scores if it is called after the metric."""
    if not isinstance(table.frame, pd.DataFrame):
        return table.columns
    name = score_column(table.frame, metric.name, table.columns, table.where)
    return table.columns if name is None else {**(table.columns or {}), "score": name}


def _checked_rows(
    table: _Table, columns: Mapping[str, Any], values: list[str], design: Any
) -> Common:
    """Return the checked rows of a frame, all or those that all models have."""
    check_policy(table.missing)
    has_codes = isinstance(table.frame, Rows)
    frame = table.frame if has_codes else Rows(table.frame, {})
    gaps = table.missing != "refuse"
    rows = checked_rows(frame, columns, table.where, design, values, gaps=gaps)
    common = common_rows(rows, values[-1], design) if gaps else Common(rows, design)
    notes = _notes_on_columns(frame.frame, columns, table.where, design)
    return common._replace(notes=(*common.notes, *notes))


def _notes_on_columns(
    frame: pd.DataFrame,
    columns: Mapping[str, Any],
    where: Mapping[str, Any] | None,
    design: Any,
) -> Iterator[str]:
    """Note columns without a role that tell of one seed, of a search or of another design."""
    mentioned = mentioned_columns(columns, where)
    yield from notes_on_constant_seeds(frame, mentioned, design)
    roles = {role: name for role, name in (columns or {}).items() if role != "ignored"}
    with_role = mentioned_columns(roles, where)
    yield from notes_on_searches(frame, roles, with_role, design)
    yield from notes_on_stated_design(frame, mentioned, design)


def _blocks_of_arrays(
    arrays: Mapping[str, Array], metric: Metric, design: Design
) -> dict[str, Array]:
    """Return the scores of each model from arrays that have an axis for each key of the design."""
    blocks = {}
    for model, array in arrays.items():
        is_wrong = ~metric.allows(array)
        if is_wrong.any():
            first = np.unravel_index(int(is_wrong.argmax()), array.shape)
            labels = [f"{key} {index}" for key, index in zip(design.keys, first)]
            location = f"for {', '.join(labels)}"
            raise _refused_score(float(array[first]), model, location, arrays, metric)
        if isinstance(design, Datasets) and design.within is not None:
            parts = [in_shape(model, part, design.within, 0) for part in array]
            array = np.array([part.mean() for part in parts])
        # a copy: the caller may change the array afterwards
        blocks[model] = in_shape(model, np.array(array), design, array.shape[-1])
    return blocks


def _unit_labels(rows: Rows, design: Design) -> "Sequence[Any] | pd.Index[Any]":
    """Return the labels of the items or data sets."""
    return rows.column(design.unit).labels if design.unit else []


def _cluster_codes(rows: Rows, design: Design) -> NDArray[np.int64] | None:
    """Return the code of the cluster or fold of each item."""
    if design.clustering is None:
        return None
    codes, _ = pd.factorize(item_values(rows, column=design.clustering))
    return codes


def _strata(rows: Rows, design: Design) -> Strata | None:
    """Return the tasks of the items; None for items of one task without strata."""
    if not isinstance(design, Items) or not design.suite:
        return None
    strata = None
    if design.strata:
        strata = item_values(rows, column="stratum").to_numpy()
    tasks = item_values(rows, column="task").to_numpy()
    return strata_of_labels(tasks, strata, design)


def _check_suite(
    strata: Strata | None, clusters: NDArray[np.int64] | None, metric: Metric
) -> None:
    """Refuse tasks whose scores have no common scale, and clusters across strata."""
    if strata is None:
        return
    if not np.isfinite(metric.high - metric.low):
        raise refusal(
            f"scores of {metric} have no common scale that tasks could be averaged on",
            "choose a task by where=, give shares such as accuracy, or say "
            f'Metric("{metric.name}", low=..., high=...)',
            "choose a task by --where, or shares such as accuracy by --metric",
        )
    if clusters is not None:
        _check_clusters(clusters, strata)


def _check_clusters(clusters: NDArray[np.int64], strata: Strata) -> None:
    """Refuse clusters with items of several strata, and a stratum with a single cluster."""
    pairs = np.unique(np.stack([clusters, strata.stratum]), axis=1)
    strata_of_clusters = np.bincount(pairs[0])
    if strata_of_clusters.max() > 1:
        raise ValueError(
            "a cluster must have items of one task, and "
            f"{np.count_nonzero(strata_of_clusters > 1)} have items of several: give the "
            "clusters of each task names of their own"
        )
    clusters_of_strata = np.bincount(pairs[1])
    if clusters_of_strata.min() < 2:
        smallest = strata.strata[int(clusters_of_strata.argmin())]
        raise refusal(
            f"task {shown(smallest)} has one cluster, and at least two are needed",
            "leave it out by where=",
            "choose the others by --task",
        )


def _scores_in_range(
    table: pd.DataFrame, metric: Metric, design: Design
) -> "pd.Series[float]":
    """Return the scores of a table as floats; refuse one outside the metric's range."""
    values = table["score"]
    if not pd.api.types.is_any_real_numeric_dtype(values):
        values = values.map(_number_or_nan)
        refuse_rows(values.isna(), table, "score", "is not a number")
    numbers = values.astype(float)
    is_wrong = ~metric.allows(numbers.to_numpy())
    if is_wrong.any():
        first = int(is_wrong.argmax())
        _refuse_statistics(table, design)
        by_model = {
            model: scores.to_numpy()
            for model, scores in numbers.groupby(table["model"], sort=False)
        }
        model = table["model"].iloc[first]
        location = f"in row {shown(table.index[first])}"
        raise _refused_score(numbers.iloc[first], model, location, by_model, metric)
    return numbers


def _refuse_statistics(table: pd.DataFrame, design: Design) -> None:
    """Refuse rows that are statistics of others by their labels: "N", "Mean", "Std. Dev."."""
    for key in design.keys:
        if key not in table:
            continue
        labels = [label for label in table[key].unique() if isinstance(label, str)]
        statistics = [label for label in labels if is_label_of_statistic(label)]
        # questions, too, are called "Q1" and "Q3"
        if len(statistics) > 1 and any(map(is_summary, statistics)):
            raise ValueError(
                f"rows {listed(statistics)} are called like statistics: give the scores "
                "that these were computed from, in a row each"
            )


def _number_or_nan(value: Any) -> float:
    """Return a number, or NaN for anything else."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return np.nan


def _digits(score: float, metric: Metric) -> str:
    """Write a score that is not allowed, with more digits if few would bring it into the range."""
    short = f"{score:.6g}"
    return f"{score:.10g}" if metric.allows(float(short)) else short


def _refused_score(
    score: float,
    model: str,
    location: str,
    by_model: Mapping[str, Array],
    metric: Metric,
) -> ValueError:
    """Return the refusal of a score that is not allowed."""
    if not np.isfinite(score):
        problem = "missing" if np.isnan(score) else "not finite"
        return ValueError(f"score of {shown(model)} is {problem} {location}")
    problem = (
        f"score {_digits(score, metric)} of {shown(model)} {location} lies outside the "
        f"range of {metric}, {metric.low:g} to {metric.high:g}"
    )
    is_share = (metric.low, metric.high) == (0, 1)
    if is_share and all(_may_be_percent(scores) for scores in by_model.values()):
        return refusal(
            problem,
            f'for percent say Metric("{metric.name}", high=100)',
            "for percent say --high 100",
        )
    turned = _turned_name(by_model, metric)
    if turned is not None:
        return refusal(
            problem,
            f'if its sign was turned, say metric="{turned}"',
            f"if its sign was turned, say --metric {turned}",
        )
    outliers = [
        name for name, scores in by_model.items() if _is_mostly_outside(scores, metric)
    ]
    if outliers != [model]:
        return ValueError(problem)
    is_turned = metric.allows(-by_model[model]).all()
    reason = "was its sign turned" if is_turned else "is it no model, or in percent"
    return ValueError(
        f"{problem}, and so do most of its scores, but not those of the others: {reason}?"
    )


def _turned_name(by_model: Mapping[str, Array], metric: Metric) -> str | None:
    """Return what a metric is called if its sign was turned, where all scores show it."""
    turned = metric.name.removeprefix("neg_")
    if turned == metric.name:
        turned = f"neg_{metric.name}"
    if turned not in KNOWN:
        return None
    allows = Metric(turned).allows
    return turned if all(allows(scores).all() for scores in by_model.values()) else None


def _may_be_percent(scores: Array) -> bool:
    """Return whether scores of a share may be in percent, because some are above 1."""
    return bool(np.nanmin(scores) >= 0 and 1 < np.nanmax(scores) <= 100)


def _is_mostly_outside(scores: Array, metric: Metric) -> bool:
    """Return whether most scores of a model lie outside the metric's range."""
    return bool(np.mean(~metric.allows(scores)) > 0.5)

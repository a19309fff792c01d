"""Scores over data sets: brought into one row per data set, or refused."""

import re
from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from replib.comparison import rules
from replib.comparison.gate import doubts, tables

if TYPE_CHECKING:
    import pandas as pd

_SOURCE = "the frame"


def benchmark(
    frame: Any, *, greater_is_better: bool = True
) -> tuple["pd.DataFrame", tuple[str, ...]]:
    """Read scores over data sets.

    Parameters
    ----------
    frame : DataFrame
        Wide or long, as in :func:`replib.comparison.compare_benchmark`.
    greater_is_better : bool, default True

    Returns
    -------
    wide : DataFrame
        One row per data set and one column per classifier: means over repetitions.
    notes : tuple of str

    Raises
    ------
    ValueError
        If the input is refused; the message is one sentence.
    """
    import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        raise ValueError(f"frame must be a DataFrame of scores, not a {type(frame).__name__}")
    if frame.columns.nlevels > 1:
        rules.apply("two-level-columns", label=frame.columns[0])
    tables.check_names(list(frame.columns), _SOURCE)
    frame = _with_index_as_columns(frame)
    by_name = {rules.simple(name): name for name in frame.columns}
    found = tables.label_column({name: frame[own].tolist() for name, own in by_name.items()})
    label = None if found is None else by_name[found]
    score = by_name.get(tables.score_column(by_name))
    metric = next((tables.one_metric(frame[name].tolist(), None, _SOURCE)
                   for name in frame.columns if rules.role(name) == "metric"), None)
    if label is not None or (score is not None and rules.simple(score) == "score"):
        metric = metric or (str(score) if rules.metric_range(str(score)) else None)
        wide, notes = _from_long(frame, label, score)
    else:
        wide, notes = _from_wide(frame)
    wide = wide.set_axis([rules.printable(str(name)) for name in wide.columns], axis=1)
    n, k = wide.shape
    if k < 2:
        raise ValueError(
            f"there is only one classifier, {wide.columns[0]!r}: give a column for each" if k else
            "there is no column of scores: give a row per data set and a column per classifier"
        )
    if n < 2:
        raise ValueError("there is only one data set: compare its scores with compare_scores")
    return wide, (*notes, *_doubts(wide, metric, greater_is_better))


def _with_index_as_columns(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Put the data sets in a column if an index of several levels or a plain column names them."""
    classifiers = rules.table()["columns"]["classifier"]
    if rules.role(frame.columns.name) == "dataset" or rules.simple(frame.index.name) in classifiers:
        _refuse_transposed(frame.index, frame.columns)
    if frame.index.nlevels > 1:
        return frame.reset_index()
    if frame.index.name is not None and rules.role(frame.index.name) in ("dataset", "run", "fold"):
        return frame.reset_index()
    if not any(rules.role(name) == "dataset" for name in frame.columns):
        for name in frame.columns:
            texts = frame[name].dtype.kind not in "biufc"
            if texts and rules.role(name) == "row":
                return frame.rename(columns={name: "dataset"})
    return frame


def _dataset_column(frame: "pd.DataFrame") -> Any:
    return next((name for name in frame.columns if rules.role(name) == "dataset"), None)


def _from_long(
    frame: "pd.DataFrame", label: Any, score: Any
) -> tuple["pd.DataFrame", list[str]]:
    dataset = _dataset_column(frame)
    if label is not None and score is None and dataset is None and len(frame.columns) > 2:
        others = frame.drop(columns=label)
        if all(others[name].dtype.kind in "biuf" for name in others):
            _refuse_transposed(frame[label], others.columns)
    for column, missing in ((label, "classifier"), (score, "score"), (dataset, "dataset")):
        if column is None:
            rules.apply("long-without", source=_SOURCE, columns=rules.listed(frame.columns),
                        label=label if label is not None else score, missing=missing)
    tables.check_names(frame[label].drop_duplicates().tolist(), _SOURCE)
    _check_datasets(frame[dataset].drop_duplicates().tolist())
    values = frame.assign(**{str(score): _numeric(frame[[score]])[score]})
    count = values.groupby([dataset, label], sort=False).size()
    notes = _uneven([(f"{b} on {a}", n) for (a, b), n in count.items()])
    unused = [name for name in frame.columns if name not in (dataset, label, score)
              and rules.role(name) in (None, "other")]
    wide = values.pivot_table(score, dataset, label, aggfunc="mean", sort=False)
    return _complete(wide), notes + tables.notes_of_unused(unused)


def _from_wide(frame: "pd.DataFrame") -> tuple["pd.DataFrame", list[str]]:
    if (dataset := _dataset_column(frame)) is not None:
        frame = frame.set_index(dataset)
    described = [name for name in frame.columns if rules.role(name)]
    for name in described:
        cells = frame[name].tolist()
        if tables.is_default(frame.index) and rules.role(name) in ("run", "fold") and (
            1 < len(set(cells)) < len(cells) or tables.counts_rows(cells)
        ):
            rows = rules.listed((f"{name} {cell}" for cell in dict.fromkeys(cells)), 3)
            rules.apply("rows-are-splits", rows=rows)
    repeated = frame.index.has_duplicates
    unused = [name for name in described if rules.role(name) != "metric" and not (
        repeated and rules.role(name) in ("run", "fold"))
        and not (rules.role(name) == "row" and tables.counts_rows(frame[name].tolist()))]
    frame = frame.drop(columns=described)
    _check_datasets(frame.index.drop_duplicates().tolist())
    wide = _numeric(frame)
    notes = tables.notes_of_unused(unused)
    if repeated:
        count = wide.groupby(level=0, sort=False).size()
        notes += _uneven(list(count.items()))
        wide = wide.groupby(level=0, sort=False).mean()
    return _complete(wide), notes


def _check_datasets(labels: list[Any]) -> None:
    tables.check_names(labels, _SOURCE)
    tables.no_summary({"dataset": labels}, _SOURCE)


def _uneven(counts: Sequence[tuple[Any, int]]) -> list[str]:
    least, most = (pick(counts, key=lambda one: one[1]) for pick in (min, max))
    if least[1] == most[1]:
        return []
    return [rules.apply("uneven-repetitions", a=most[0], na=most[1], b=least[0], nb=least[1])]


def _numeric(frame: "pd.DataFrame") -> "pd.DataFrame":
    for column in frame:
        if frame[column].dtype.kind not in "iuf":
            raise ValueError(
                f"column {column!r} holds {frame[column].iloc[0]!r}, no number: name the column of "
                "the data sets 'dataset', or make it the index"
            )
    # a mean over repetitions would silently skip missing scores
    incomplete = frame.columns[frame.isna().any()]
    if len(incomplete):
        row = frame.index[frame[incomplete[0]].isna()].tolist()[0]
        raise ValueError(
            f"column {incomplete[0]!r} has no score in row {row!r}: every classifier needs a score "
            "on every data set"
        )
    return frame.astype(float)


def _complete(wide: "pd.DataFrame") -> "pd.DataFrame":
    gaps = wide.isna()
    if gaps.to_numpy().any():
        dataset, classifier = next(iter(gaps.stack().loc[lambda x: x].index))
        count = int(gaps.to_numpy().sum())
        rules.apply("gap", count=count, scores_word="score is" if count == 1 else "scores are",
                    classifier=classifier, dataset=dataset)
    if not np.isfinite(wide.to_numpy()).all():
        raise ValueError("a score is infinite")
    return wide


def _refuse_transposed(rows: Any, columns: Any) -> None:
    rules.apply("transposed-benchmark", rows=rules.listed(rows, 3),
                columns=rules.listed(columns, 3))


def _names_a_classifier(name: Any) -> bool:
    words = rules.table()["classifier_words"]
    plain = rules.simple(name)
    parts = plain.replace("_", " ").replace("-", " ").split()
    return any(word in parts or (len(word) > 3 and word in plain) for word in words)


def _doubts(wide: "pd.DataFrame", metric: str | None, greater_is_better: bool) -> list[str]:
    n, k = wide.shape
    names, x = list(wide.columns), wide.to_numpy().T
    if all(re.fullmatch(r"(fold|split|seed|run|rep|repeat|repetition|iteration|epoch)s?[ _-]?\d+"
                        r"(_test_\w+)?",
                        rules.simple(name)) for name in wide.index):
        rules.apply("rows-are-splits", rows=rules.listed(wide.index, 3))
    if np.mean([rules.metric_range(name) is not None for name in wide.index]) > 0.5:
        rules.apply("several-metrics", source=_SOURCE, n=n, named=rules.listed(wide.index))
    share = np.mean([_names_a_classifier(name) for name in wide.index])
    if share >= 0.6 and not any(map(_names_a_classifier, names)):
        _refuse_transposed(wide.index, wide.columns)
    for place, name in enumerate(names):
        others = np.delete(x, place, axis=0)
        if rules.simple(name) in ("mean", "average", "avg") and k > 2 and np.allclose(
            x[place], others.mean(axis=0), rtol=1e-2, atol=0
        ):
            rules.apply("summary-column", label=name, source=_SOURCE)
    notes = [*tables.measures_in_names(names), *doubts.scale(x, names, metric, greater_is_better),
             *doubts.relations(x, names, metric, "data set")]
    ranks = np.allclose(x.sum(axis=0), k * (k + 1) / 2) and x.min() >= 1 and x.max() <= k
    if ranks and np.allclose(2 * x, np.round(2 * x)) and k > 2:
        notes += [rules.apply("ranks", k=k)] if greater_is_better else []
    else:
        notes += doubts.direction(x, names, metric, greater_is_better)
    for a, b in combinations(range(k), 2):
        if np.array_equal(x[a], x[b]):
            notes.append(rules.apply(
                "same-scores", a=names[a], b=names[b], unit="data set", rounded="",
            ))
    rounded = np.isclose(100 * x, np.round(100 * x)).any(axis=0) if k > 2 else np.full(n, True)
    for i, j in combinations(np.flatnonzero(~rounded), 2):  # three equal scores of three decimals
        if np.array_equal(x[:, i], x[:, j]):
            notes.append(rules.apply("copied-datasets", a=wide.index[i], b=wide.index[j]))
    if n < 6:
        notes.append(rules.apply("few-datasets", n=n))
    stated = rules.role(wide.index.name) == "dataset"
    if k > n and not stated and not any(map(_names_a_classifier, names)):
        notes.append(rules.apply("swapped-benchmark", k=k, n=n))
    return notes

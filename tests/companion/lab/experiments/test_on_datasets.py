"""The order in which a learner sees the instances of stratified folds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.lab import datasets
from companion.lab.experiments import on_datasets
from companion.lab.experiments.on_datasets import (
    _fold_by_fold,
    cross_validation,
    resampling,
)
from companion.lab.experiments.splits import stratified_folds, test_set
from companion.lab.learners import Table, correct_counts_of_splits


@given(st.lists(st.integers(0, 3), min_size=2, max_size=40), st.integers(0, 2**32 - 1))
def test_grouped_instances_come_fold_by_fold_and_class_by_class(labels, seed):
    rng = np.random.default_rng(seed)
    labels = np.array(labels)
    folds = stratified_folds(labels, 2, rng)
    order = rng.permutation(len(labels))
    grouped = _fold_by_fold(order, folds, labels)
    assert sorted(grouped) == list(range(len(labels)))
    place = {instance: position for position, instance in enumerate(order)}
    appears = {
        label: position for position, label in reversed(list(enumerate(labels[order])))
    }
    keys = [(folds[i], appears[labels[i]], place[i]) for i in grouped]
    assert keys == sorted(keys)


@pytest.mark.parametrize("percent, size", [(10, 15), (33, 50), (99, 148)])
def test_a_test_set_has_the_share_that_is_asked_for(percent, size, shared, monkeypatch):
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, str(shared / "uci"))
    found = resampling(
        np.random.default_rng(1),
        dataset="iris",
        runs=3,
        test_percent=percent,
        stratified=True,
        learners=["c45"],
        shuffled=False,
    )
    iris, rng = datasets.load("iris"), np.random.default_rng(1)
    table = Table.from_frame(iris.X, iris.y)
    test = np.stack(
        [test_set(table.labels, size, rng, stratified=True) for _ in range(3)]
    )
    assert (
        found.tolist()
        == correct_counts_of_splits(table, test, learners=["c45"]).tolist()
    )


def test_counts_are_those_of_the_folds_that_are_dealt(shared, monkeypatch):
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, str(shared / "uci"))
    iris = datasets.load("iris")
    table = Table.from_frame(iris.X, iris.y)
    dealt = stratified_folds(table.labels, 3, np.random.default_rng(4), runs=8)
    test = dealt[:, None] == np.arange(3)[:, None]
    expected = correct_counts_of_splits(table, test, learners=["nearest_neighbour"])
    found = cross_validation(
        np.random.default_rng(4),
        dataset="iris",
        runs=8,
        folds=3,
        learners=["nearest_neighbour"],
    )
    assert found.tolist() == expected.tolist()


@pytest.mark.parametrize("grouped", [False, True])
def test_instances_come_shuffled_or_grouped_by_fold_and_class(
    grouped, shared, monkeypatch
):
    monkeypatch.setenv(datasets.FOLDER_VARIABLE, str(shared / "uci"))
    seen = []

    def correct_counts(table, folds, *, learners):
        seen.append((folds, table.labels))
        return np.zeros((2, 1), dtype=int)

    monkeypatch.setattr(on_datasets, "correct_counts", correct_counts)
    cross_validation(
        np.random.default_rng(4),
        dataset="iris",
        runs=3,
        folds=2,
        learners=["c45"],
        shuffled=True,
        grouped=grouped,
    )
    assert len(seen) == 3
    for folds, labels in seen:
        changes = np.count_nonzero(np.diff(3 * folds + labels))
        assert changes == 5 if grouped else changes > 50

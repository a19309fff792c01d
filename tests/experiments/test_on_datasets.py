"""The order in which a learner sees the instances of stratified folds."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from replib.experiments.on_datasets import _fold_by_fold
from replib.experiments.splits import stratified_folds


@given(st.lists(st.integers(0, 3), min_size=2, max_size=40), st.integers(0, 2**32 - 1))
def test_grouped_instances_come_fold_by_fold_and_class_by_class(labels, seed):
    rng = np.random.default_rng(seed)
    labels = np.array(labels)
    folds = stratified_folds(labels, 2, rng)
    order = rng.permutation(len(labels))
    grouped = _fold_by_fold(order, folds, labels)
    assert sorted(grouped) == list(range(len(labels)))
    place = {instance: position for position, instance in enumerate(order)}
    appears = {label: position for position, label in reversed(list(enumerate(labels[order])))}
    keys = [(folds[i], appears[labels[i]], place[i]) for i in grouped]
    assert keys == sorted(keys)

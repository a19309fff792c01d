"""The gate: what it aligns, and how seldom it doubts scores that are right."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.model_selection import KFold, LeaveOneGroupOut, RepeatedKFold, ShuffleSplit

from replib.comparison import gate
from replib.comparison.design import design_of_splits
from replib.comparison.gate import doubts, tables


def deal(rng, shares, runs, folds, n):
    """Accuracies in shuffled cross-validation of classifiers with these shares of right answers."""
    luck = rng.random(n)
    blocks = np.empty((len(shares), runs, folds))
    for run in range(runs):
        order = rng.permutation(n)
        for one, share in enumerate(shares):
            right = (0.7 * luck + 0.3 * rng.random(n)) < share
            blocks[one, run] = [part.mean() for part in np.array_split(right[order], folds)]
    return blocks


@pytest.mark.slow
@pytest.mark.parametrize("runs, folds, n", [(10, 10, 300), (10, 10, 60), (5, 2, 100), (1, 10, 50)])
def test_right_scores_draw_a_note_less_than_once_in_a_hundred(runs, folds, n):
    """Fails with probability 1e-4 if one in a hundred experiments draws a note."""
    rng = np.random.default_rng(3)
    noted = 0
    for _ in range(400):
        blocks = deal(rng, (0.75, 0.8, 0.9), runs, folds, n)
        noted += bool(doubts.examine(list(blocks), ["a", "b", "c"]))
    assert stats.binomtest(noted, 400, 0.01, alternative="greater").pvalue > 1e-4


def test_labels_bring_any_order_back():
    rng = np.random.default_rng(5)
    index = pd.MultiIndex.from_product([range(10), range(12)], names=["repeat", "fold"])
    a, b = (pd.Series(rng.random(120), index=index) for _ in "ab")
    expected = gate.scores([a.to_numpy(), b.to_numpy()], cv="10x12")
    for seed in range(3):
        mixed = [x.sample(frac=1, random_state=seed + i) for i, x in enumerate((a, b))]
        frame = pd.DataFrame({"a": a, "b": b}).sample(frac=1, random_state=seed)
        for given in (mixed, frame, frame.reset_index(), frame.swaplevel()):
            found = gate.scores(given)
            assert found.design == expected.design and found.notes == ()
            np.testing.assert_array_equal(found.blocks, expected.blocks)


def test_blocks_are_aligned_by_rows_and_columns():
    rng = np.random.default_rng(6)
    rows, columns = [f"run {i}" for i in range(1, 12)], [f"fold {i}" for i in range(1, 11)]
    a, b = (pd.DataFrame(rng.random((11, 10)), index=rows, columns=columns) for _ in "ab")
    mixed = b.sample(frac=1, random_state=0).sample(frac=1, axis=1, random_state=0)
    found = gate.scores([a.sort_index(), mixed], cv="11x10")
    np.testing.assert_array_equal(found.blocks[0], a)
    np.testing.assert_array_equal(found.blocks[1], b)


@pytest.mark.parametrize("names, ordered", [
    (["split_10", "split_9", "split_2"], ["split_2", "split_9", "split_10"]),
    (["10", "9", "2.5"], ["2.5", "9", "10"]), ([3, 1, 2], [1, 2, 3]),
    (["r2f1", "r1f10", "r1f9"], ["r1f9", "r1f10", "r2f1"]),
])
def test_labels_are_sorted_by_number(names, ordered):
    assert sorted(names, key=tables.natural) == ordered


@pytest.mark.parametrize("cv", [
    KFold(5, shuffle=True, random_state=0), RepeatedKFold(n_splits=4, n_repeats=3, random_state=0),
    ShuffleSplit(7, test_size=0.2, random_state=0), LeaveOneGroupOut(),
], ids=str)
def test_the_design_of_a_list_of_splits_is_that_of_the_splitter(cv):
    groups = np.repeat(range(6), 10)
    design, splits = design_of_splits(cv.split(np.zeros((60, 1)), groups=groups))
    runs = getattr(cv, "n_repeats", 7 if "Shuffle" in str(cv) else 1)
    assert (design.runs, design.folds) == (runs, len(splits) // runs)
    train, test = splits[0]
    assert design.test_train_ratio == pytest.approx(len(test) / len(train))

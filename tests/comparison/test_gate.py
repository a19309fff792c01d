"""The gate: what it aligns, and how seldom it doubts scores that are right."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import KFold, LeaveOneGroupOut, RepeatedKFold, ShuffleSplit

from replib.comparison import compare_counts, compare_scores, gate, rules
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


def test_a_copied_run_is_found_among_very_many():
    """Without a list of all 200 million pairs of runs, which would fill the memory."""
    blocks = np.random.default_rng(1).random((2, 20_000, 4))
    blocks[:, [699, 19_999]] = blocks[:, [6, 1_233]]
    notes = doubts.examine(list(blocks), ["a", "b"])
    assert [note[:17] for note in notes] == ["Runs 7 and 700 ha"]


@pytest.mark.slow
@pytest.mark.parametrize("runs, folds", [(10, 10), (2, 5), (5, 2), (3, 10)])
@pytest.mark.parametrize("n", [60, 300])
def test_copies_of_a_run_are_refused_whatever_the_design(runs, folds, n):
    rng = np.random.default_rng(4)
    found = []
    for _ in range(50):
        once = deal(rng, (0.7, 0.8), 1, folds, n)
        copies = [np.tile(x, (runs, 1)) for x in once]
        try:
            doubts.examine(copies, ["a", "b"])
        except ValueError as refusal:
            found.append(str(refusal))
    assert len(found) > 40 and all("1 run repeated" in said for said in found)


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


def test_two_guessers_may_be_alike():
    rng = np.random.default_rng(6)
    frame = pd.DataFrame({"coin": [0.5] * 10, "guess": [0.5] * 10, "tree": rng.random(10)})
    assert compare_scores(frame, cv=10).notes == ()


@pytest.mark.parametrize("count, last", [(1, "A"), (26, "Z"), (27, "26")])
def test_columns_without_names_have_letters_as_long_as_there_are_any(count, last):
    named = list(tables.columns_of(pd.DataFrame(np.zeros((2, count)))))
    assert len(named) == count and named[-1] == last


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


@pytest.mark.parametrize("name, kind", [
    ("accuracy", "score"), ("neg_log_loss", "score"), ("Balanced Accuracy", "score"),
    ("roc_auc_ovr_weighted", "score"), ("f1_macro", "score"), ("RMSE", "error"),
    ("test_mean_squared_error", "error"), ("lift", None), (None, None), ("score", None),
    ("Error (%)", "error"), ("val_f1", "score"), ("1 - AUC", "error"), ("1-error", "score"),
    ("1-NN", None), ("accuracy [%]", "score"), ("WER", "error"), ("l1", None),
])
def test_metrics_are_known_by_many_names(name, kind):
    found = rules.metric_range(name)
    assert (found and found[0]) == kind


@pytest.mark.parametrize("name", [
    "id", "Fold", " run ", "dataset", "METRIC", "seed", "Unnamed: 0", "Unnamed: 3", "split",
    "index",
])
def test_reserved_names_never_become_classifiers(name):
    rng = np.random.default_rng(7)
    a, b, c = rng.random((3, 20))
    frame = pd.DataFrame({name: a, "tree": b, "bayes": c})
    for given in (frame, frame.to_dict("list")):
        try:
            assert gate.scores(given, cv="2x10").names == ("tree", "bayes")
        except ValueError as refusal:  # pooled data sets or measures
            assert "pooled" in str(refusal) or "seeds" in str(refusal)
    with pytest.raises(ValueError, match="describes the rows"):
        gate.scores([pd.Series(a, name=name.strip()), pd.Series(b, name="tree")], cv="2x10")
    wide = pd.DataFrame({name: a, "tree": b, "bayes": c})
    if name.strip().lower() not in ("dataset", "metric"):
        assert list(gate.benchmark(wide)[0].columns) == ["tree", "bayes"]


def test_control_characters_in_names_are_escaped():
    rng = np.random.default_rng(8)
    given = {"\x1b[31mtree": rng.random(10), "ba\nyes": rng.random(10)}
    assert gate.scores(given, cv=10).names == ("\\x1b[31mtree", "ba\\nyes")


def test_labels_of_a_frame_must_differ_unless_columns_name_the_splits():
    """An index that counts anew in each run is common in tables of scores."""
    scores = pd.DataFrame(np.random.default_rng(3).random((10, 2)), columns=["tree", "bayes"])
    twice = scores.set_axis([*range(5), *range(5)])
    with pytest.raises(ValueError, match="the label 0 is in the index of the frame twice"):
        compare_scores(twice, cv="2x5")
    named = twice.assign(run=np.repeat([1, 2], 5), fold=np.tile(range(5), 2))
    assert compare_scores(named).pvalue == compare_scores(scores, cv="2x5").pvalue


@pytest.mark.parametrize("value, shown", [
    ("x" * 120, "x" * 120), ("x" * 121, "x" * 119 + "…"), (0.123456, "0.1235"), (7, "7"),
    ("a\tb", "a\\tb"),
])
def test_a_value_is_shown_in_at_most_120_characters(value, shown):
    assert rules.shown(value) == shown
    assert rules.listed([value] * 7) == ", ".join([shown] * 6) + ", …"
    assert rules.listed([value] * 6) == ", ".join([shown] * 6)
    assert rules.listed([value] * 3, 2) == f"{shown}, {shown}, …"


def test_what_no_test_can_judge_is_refused_before_anything_is_split():
    class TimeSeriesSplit(KFold):
        def split(self, *given):
            raise AssertionError("split")

    x = np.random.default_rng(0).random((20, 2))
    two = [DummyClassifier(), DummyClassifier(strategy="uniform")]
    with pytest.raises(ValueError, match="growing parts"):
        gate.estimators(two, ("a", "b"), x, np.arange(20) % 2, cv=TimeSeriesSplit(5))


def test_zeros_are_guesses_next_to_scores_and_doubtful_next_to_differences():
    scores = np.random.default_rng(3).uniform(0.1, 0.9, 100)
    assert not compare_scores(scores, np.zeros(100), cv="10x10").notes
    differences = scores - scores.mean()
    assert compare_scores(differences, np.zeros(100), cv="10x10").notes == (
        "B has the same score, 0, on every split.",
    )


@pytest.mark.parametrize("names", [{"a", "b"}, frozenset("ab"), "ab", ("a", "A "), ["a"]])
def test_names_must_be_in_an_order_and_differ(names):
    with pytest.raises(ValueError, match="names must be two different names"):
        gate.scores([[0.9, 0.8, 0.7], [0.7, 0.8, 0.8]], cv=3, names=names)
    with pytest.raises(ValueError, match="names must be two different names"):
        compare_counts(5, 3, 2, names=names)


@pytest.mark.parametrize(("column", "said"), [
    (["1,061", "988"], "holds '1,061'"), (["1,061", "0,988"], None), (["1,061", "99"], None),
    (["0,061", "988"], None), (["1,06", "988"], None), (["1,061", "100"], "holds '1,061'"),
])
def test_commas_of_thousands_are_refused_next_to_numbers_without_them(column, said):
    if said is None:
        tables.numbers(column, "tree", "the file")
    else:
        with pytest.raises(ValueError, match=said):
            tables.numbers(column, "tree", "the file")

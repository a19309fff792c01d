"""Holes in tables: refused, or left out together with what belongs to them."""

import numpy as np
import pandas as pd
import pytest

from replib import (
    CV,
    Datasets,
    Items,
    RandomSplits,
    Scores,
    Seeds,
    compare,
    from_arrays,
    from_predictions,
    from_wide,
    read,
)

RNG = np.random.default_rng(12)


def long(design, *sizes):
    """A frame with all cells of two models and its design's keys."""
    cells = pd.MultiIndex.from_product(
        [["a", "b"], *map(range, sizes)], names=["model", *design.keys]
    )
    return pd.DataFrame({"score": RNG.random(len(cells)).round(3)}, cells).reset_index()


def common(frame, design):
    return Scores(frame, metric="accuracy", design=design, missing="common")


CASES = [
    # design, sizes, a hole, and what is left out with it
    (Items(), (1, 6), "item == 2", "item == 2", Items()),
    (Items(), (3, 6), "item == 2 and run == 1", "item == 2", Items()),
    (Items(paired=True), (3, 6), "run == 1", "run == 1", Items(paired=True)),
    (Datasets(), (6,), "dataset == 0", "dataset == 0", Datasets()),
    (
        Datasets(CV(2, 3)),
        (4, 2, 3),
        "dataset == 1 and run == 0 and fold == 2",
        "dataset == 1",
        Datasets(CV(2, 3)),
    ),
    (Seeds(paired=True), (5,), "run == 3", "run == 3", Seeds(paired=True)),
    (CV(4, 3), (4, 3), "run == 2 and fold == 1", "run == 2", CV(3, 3)),
    (RandomSplits(5, 0.1), (5,), "run == 4", "run == 4", RandomSplits(4, 0.1)),
]


@pytest.mark.parametrize("empty", [False, True], ids=["no row", "empty cell"])
@pytest.mark.parametrize(("design", "sizes", "hole", "left_out", "left"), CASES)
def test_what_all_models_have_is_kept(design, sizes, hole, left_out, left, empty):
    whole = long(design, *sizes)
    holes = whole.query(f"model == 'b' and {hole}").index
    frame = whole.drop(index=holes)
    if empty:
        frame = whole.copy()
        frame.loc[holes, "score"] = np.nan
    with pytest.raises(ValueError, match='missing="common" can keep the'):
        Scores(frame, metric="accuracy", design=design)
    table = common(frame, design)
    expected = Scores(whole.query(f"not ({left_out})"), metric="accuracy", design=left)
    assert table.design == left
    for model in "ab":
        assert (table.blocks[model] == expected.blocks[model]).all()
    (note,) = table.notes
    assert "b lacks 1" in note and "a lacks" not in note
    assert note in str(compare(table))


def test_a_whole_table_is_kept_without_a_note():
    design = CV(2, 3)
    frame = long(design, 2, 3)
    assert common(frame, design).notes == ()
    assert common(frame, design).design == design


def test_folds_are_never_left_out():
    frame = long(CV(1, 4), 1, 4).drop(index=2)
    with pytest.raises(ValueError, match="no run is whole in all models"):
        common(frame, CV(1, 4))


def test_seeds_that_are_not_paired_have_nothing_in_common():
    frame = long(Seeds(), 5)
    frame.loc[3, "score"] = np.nan
    with pytest.raises(ValueError, match="missing in row 3$"):
        common(frame, Seeds())


def test_the_readers_keep_what_is_common(tmp_path):
    scores = RNG.random((6, 2)).round(3)  # pandas 2 reads more digits less exactly
    wide = pd.DataFrame(scores, columns=["a", "b"]).assign(dataset=list("uvwxyz"))
    wide.loc[2, "b"] = np.nan
    options = dict(design="datasets", metric="accuracy")
    kept = wide.drop(index=2)
    by_hand = compare({m: kept[m].to_numpy() for m in "ab"}, **options).pairs
    path = tmp_path / "table.csv"
    wide.to_csv(path, index=False)
    tables = [
        from_wide(wide, missing="common", **options),
        read(path, missing="common", **options),
        from_arrays({m: wide[m].to_numpy() for m in "ab"}, missing="common", **options),
        from_arrays(
            {m: wide.set_index("dataset")[m] for m in "ab"}, missing="common", **options
        ),
    ]
    for table in tables:
        pairs = compare(table).pairs
        pd.testing.assert_frame_equal(pairs, by_hand, check_exact=True)
        assert "Of 6 data sets, b lacks 1: the 5" in table.notes[0]


def test_predictions_of_common_items():
    truth = pd.Series([0, 1, 1, 0, 1, 0, 1, 1], index=list("abcdefgh"))
    first, second = 1 - truth, truth.copy()
    table = from_predictions(
        truth, {"x": first.drop("c"), "y": second}, metric="f1", missing="common"
    )
    assert table.units == list("abdefgh")
    assert "x lacks 1" in table.notes[0]


def test_an_unknown_policy_is_refused():
    with pytest.raises(ValueError, match="missing must be"):
        from_arrays(
            {"a": [0.1, 0.2]}, design="seeds", metric="accuracy", missing="drop"
        )


@pytest.mark.parametrize(
    ("first", "second", "are_shifted"),
    [
        (range(20), range(1, 21), True),
        ([f"q{i:03}" for i in range(20)], [f"q{i:03}" for i in range(1, 21)], True),
        (range(1, 21), range(2, 22), False),  # two ends, but no way to count
        (range(20), [*range(1, 10), *range(11, 22)], False),
        (["a0", *range(1, 20)], [*range(1, 20), "b20"], False),
        ([*"abcd"], [*"bcde"], False),
    ],
)
def test_items_that_are_numbered_from_zero_and_from_one(first, second, are_shifted):
    options = {"design": "items", "metric": "rmse"}
    rows = [("new", item, i % 7) for i, item in enumerate(first)]
    rows += [("old", item, i % 5) for i, item in enumerate(second)]
    frame = pd.DataFrame(rows, columns=["model", "item", "score"])
    with pytest.raises(ValueError) as seen:
        Scores(frame, **options)
    assert ("number them alike" in str(seen.value)) == are_shifted
    assert ("common" in str(seen.value)) != are_shifted
    notes = Scores(frame, missing="common", **options).notes
    assert any("numbered from 0" in note for note in notes) == are_shifted


@pytest.mark.parametrize(
    ("design", "unit", "says"),
    [
        ("items", "item", "no item is in all models: are they scored on other items"),
        ("datasets", "dataset", "no data set is in all models"),
        ("6 x 10%", "run", "no split is in all models"),
        (Seeds(paired=True), "run", r"no seed is in all models: say Seeds\(\)"),
    ],
)
def test_what_would_keep_nothing_is_not_advised(design, unit, says):
    rows = [(m, i, RNG.random()) for m, i in zip("aaabbb", range(6))]
    frame = pd.DataFrame(rows, columns=["model", unit, "score"])
    with pytest.raises(ValueError, match=says) as problem:
        Scores(frame, design=design, metric="accuracy")
    assert "missing=" not in str(problem.value)

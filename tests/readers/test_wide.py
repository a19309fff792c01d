"""Tables with a column per model: labels, models and what is neither."""

import numpy as np
import pandas as pd
import pytest
from same_scores import same

from replib.designs import CV, Datasets, Items
from replib.readers import from_arrays, from_wide, read
from replib.scores import Scores

RNG = np.random.default_rng(7)


WIDE = pd.DataFrame({"a": RNG.random(12), "b": RNG.random(12)})


@pytest.mark.parametrize("design", ["3x4", "12 x 10%", "seeds", "items", "datasets"])
def test_a_wide_table_is_its_columns(design):
    data = from_wide(WIDE, design=design, metric="accuracy")
    assert same(
        data, from_arrays(WIDE.to_dict("list"), design=design, metric="accuracy")
    )


def test_columns_of_a_wide_table_are_labels_in_any_order():
    table = WIDE.assign(
        rep=np.repeat([1, 2, 3], 4), fold=[1, 2, 3, 4] * 3, note=range(12)
    )
    how = dict(
        design="3x4", metric="accuracy", columns={"run": "rep", "ignored": "note"}
    )
    assert same(
        from_wide(table, **how), from_wide(table.sample(frac=1, random_state=0), **how)
    )
    many = WIDE.assign(dataset=np.repeat(list("pqr"), 4))
    data = from_wide(many, design=Datasets(CV(2, 2)), metric="accuracy")
    assert data.units == list("pqr")
    assert data.blocks["a"].tolist() == pytest.approx(
        WIDE["a"].to_numpy().reshape(3, 4).mean(1)
    )
    data = from_wide(many, design=Items(cluster="dataset"), metric="accuracy")
    assert data.clusters.tolist() == [0] * 4 + [1] * 4 + [2] * 4
    for wrong, message in (
        (dict(design="3x5"), "3 runs of 4 folds"),
        (dict(columns={"run": "x"}), "no column 'x'"),
        (dict(where={"rep": 9}), "no row has 'rep' = 9"),
        (dict(design="12 x 10%"), "column 'fold' is no model"),
    ):
        with pytest.raises(ValueError, match=message):
            from_wide(table, **(how | wrong))


@pytest.mark.parametrize(
    "name, values, says",
    [
        ("fold", [7, 3, 5, 1, 9], "'fold' is no model, .*design=\"1x10\""),
        ("Epoch", [7, 3, 5, 1, 9], "'Epoch' is no model, .*columns={'ignored': "),
        ("Unnamed: 0", [0, 1, 2, 3, 4], "'Unnamed: 0' counts the rows, and is no"),
        ("number", [1.0, 2.0, 3.0, 4.0, 5.0], "'number' counts the rows, and is no"),
        ("a_std", [0.1, 0.2, 0.1, 0.3, 0.1], "'a_std' is by its name the error of a"),
        ("b sd", [0.1, 0.2, 0.1, 0.3, 0.1], "'b sd' is by its name the error of b"),
    ],
)
def test_columns_that_are_no_models_are_refused(name, values, says):
    losses = {"a": [0.2, 0.3, 0.2, 0.4, 0.1], "b": [0.1, 0.2, 0.4, 0.4, 0.2]}
    wide = pd.DataFrame({name: values} | losses)
    with pytest.raises(ValueError, match=says):
        from_wide(wide, design="seeds", metric="log_loss")


def test_squeeze_and_excitation_have_scores_like_the_others():
    resnet = np.array([0.81, 0.79, 0.83, 0.8, 0.82])
    models = {"resnet": resnet, "resnet_se": resnet + 0.01}
    assert from_wide(pd.DataFrame(models), design="seeds", metric="accuracy")
    errors = pd.DataFrame(models | {"resnet_se": resnet / 50})
    with pytest.raises(ValueError, match="'resnet_se' is by its name the error"):
        from_wide(errors, design="seeds", metric="accuracy")


@pytest.mark.parametrize(
    "name, design",
    [("Seed", "seeds"), ("trial", "seeds"), ("question_id", "items")],
)
def test_a_column_whose_name_says_what_it_is_has_the_labels(name, design):
    labels = [7, 3, 5, 1, 9]
    right = {"a": [1, 0, 1, 1, 0], "b": [1, 1, 0, 1, 0]}
    wide = pd.DataFrame({name: labels} | right)
    long = wide.melt(name, var_name="model", value_name="score")
    for scores in (
        from_wide(wide, design=design, metric="accuracy"),
        Scores(long, design=design, metric="accuracy"),
    ):
        assert scores.models == ("a", "b")
        order = np.argsort(scores.units if design == "items" else labels)
        block = scores.blocks["a"].ravel()
        assert sorted(block) == sorted(right["a"]) and len(order) == len(block)
    # a declared column wins, and of two that fit none is chosen
    other = long.assign(mine=long[name]).drop(columns=name)
    role = "item" if design == "items" else "run"
    declared = dict(design=design, metric="accuracy", columns={role: "mine"})
    assert Scores(other, **declared).models == ("a", "b")
    second = "question" if design == "items" else "repeat"
    twice = long.assign(**{second: long[name]})
    with pytest.raises(ValueError, match=f"column '{role}' is missing"):
        Scores(twice, design=design, metric="accuracy")
    # a label that the design does not need is no label of it
    with pytest.raises(ValueError, match="has no role in data sets"):
        Scores(long.assign(dataset=long[name]), design="datasets", metric="accuracy")


def test_models_with_names_and_numbers_of_their_own_are_read():
    wide = pd.DataFrame({"x_std": [1, 2, 3, 4, 6], "seeded": [2, 1, 3, 4, 5]})
    assert from_wide(wide, design="seeds", metric="rmse").models == ("x_std", "seeded")
    few = pd.DataFrame({"a": [1, 2, 3, 4], "b": [2, 2, 3, 5]})
    assert from_wide(few, design="seeds", metric="rmse").models == ("a", "b")


@pytest.mark.parametrize(
    "label",
    [
        "Fold{fold:02}.Rep{run:02}",
        "fold{fold}_run{run}",
        "r{run}f{fold}",
        "Rep{run}/Fold{fold}",
        "seed={run}, fold={fold}",
        "cv{fold}-rep{run}",
        "Fold{fold}",
        "Repeat {run}",
    ],
)
def test_an_index_says_runs_and_folds(label):
    splits = [(run, fold) for run in range(3) for fold in range(4)]
    labels = [label.format(run=run + 1, fold=fold + 1) for run, fold in splits]
    how = dict(design="3x4", metric="accuracy")
    # all runs of the first fold first
    order = np.arange(12).reshape(3, 4).T.ravel()
    sorted_by_fold = WIDE.set_axis(labels).iloc[order]
    scores = from_wide(sorted_by_fold, **how)
    for model, block in from_wide(WIDE, **how).blocks.items():
        assert np.array_equal(scores.blocks[model], block)


def test_levels_of_an_index_say_runs_and_folds():
    splits = [(f"Fold{fold}", f"Rep{run}") for run in range(3) for fold in range(4)]
    index = pd.MultiIndex.from_tuples(splits)
    how = dict(design="3x4", metric="accuracy")
    scores = from_wide(WIDE.set_axis(index), **how)
    for model, block in from_wide(WIDE, **how).blocks.items():
        assert np.array_equal(scores.blocks[model], block)


@pytest.mark.parametrize("pattern", ["({}, {})", "{}-{}", "{}_{}"])
def test_two_numbers_in_the_order_of_the_rows(pattern):
    how = dict(design="3x4", metric="accuracy")
    runs_first = [pattern.format(run, fold) for run in range(3) for fold in range(4)]
    assert from_wide(WIDE.set_axis(runs_first), **how)
    for others in (
        [pattern.format(run, fold) for fold in range(4) for run in range(3)],
        [pattern.format(fold, run) for run in range(3) for fold in range(4)],
    ):
        with pytest.raises(ValueError, match="give columns 'run' and 'fold'"):
            from_wide(WIDE.set_axis(others), **how)
    dates = [f"{day}-{day + 1}" for day in range(12)]
    assert from_wide(WIDE.set_axis(dates), **how)


@pytest.mark.parametrize("columns", [None, {"run": "Resample"}, {"fold": "Resample"}])
def test_one_column_says_runs_and_folds_as_an_index_does(columns, tmp_path):
    """As caret's has them: all runs of the first fold first."""
    labels = [f"Fold{fold}.Rep{run}" for run in range(3) for fold in range(4)]
    order = np.arange(12).reshape(3, 4).T.ravel()
    table = WIDE.assign(Resample=labels).iloc[order]
    how = dict(design="3x4", metric="accuracy")
    scores = from_wide(table, columns=columns, **how)
    long = table.melt("Resample", var_name="model", value_name="score")
    file = tmp_path / "resamples.csv"
    table.to_csv(file, index=False)
    others = [Scores(long, columns=columns, **how), read(file, columns=columns, **how)]
    for model, block in from_wide(WIDE, **how).blocks.items():
        assert np.array_equal(scores.blocks[model], block)
        for other in others:  # pandas 2 reads the last digit of a file otherwise
            np.testing.assert_allclose(other.blocks[model], block, rtol=1e-14)


@pytest.mark.parametrize("name", ["split", "Resample"])
def test_a_column_that_counts_random_splits(name):
    how = dict(design="12 x 10%", metric="accuracy")
    table = WIDE.assign(**{name: range(1, 13)}).iloc[::-1]
    long = table.melt(name, var_name="model", value_name="score")
    for scores in (from_wide(table, **how), Scores(long, **how)):
        assert same(scores, from_wide(WIDE, **how))


def test_a_column_of_parts_of_the_data_counts_no_splits():
    with pytest.raises(ValueError, match="run 'train'"):
        from_wide(
            WIDE.assign(split=["train", "test"] * 6),
            design="12 x 10%",
            metric="accuracy",
        )


def test_a_row_per_model_is_no_table_with_a_column_per_model():
    table = WIDE.T.rename_axis("model").reset_index()
    with pytest.raises(ValueError, match=r"give the transpose, frame.set_index"):
        from_wide(table, design="datasets", metric="accuracy")

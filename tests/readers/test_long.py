"""Tables with a row per score: the columns that they need, and that of the scores."""

import pandas as pd
import pytest
from same_scores import same

from replib.readers import as_data, read
from replib.scores import Metric, Scores


def test_all_columns_that_are_missing_are_named_at_once():
    frame = pd.DataFrame({"model": ["a", "b"], "x": [0.1, 0.2]})
    with pytest.raises(ValueError, match="columns 'score' and 'run' are missing"):
        Scores(frame, design="seeds", metric="accuracy")


def test_repetitions_are_no_data_sets_and_no_items():
    long = pd.DataFrame({"model": list("aabb"), "seed": [1, 2] * 2, "score": 0.5})
    for design, role, things in (
        ("datasets", "dataset", "data sets"),
        ("items", "item", "items"),
    ):
        with pytest.raises(ValueError, match=f"'seed' has seeds .* no {things}"):
            Scores(long, design=design, metric="accuracy", columns={role: "seed"})


#: Scores of six seeds of two models, one row each.
OF_SEEDS = pd.DataFrame(
    {
        "model": list("aaabbb"),
        "seed": [1, 2, 3] * 2,
        "score": [0.81, 0.84, 0.8, 0.76, 0.79, 0.74],
    }
)


def of_seeds(name, **more):
    """The scores in a column with another name, and other columns."""
    return OF_SEEDS.rename(columns={"score": name}).assign(**more)


@pytest.mark.parametrize(
    "name, metric, more",
    [
        ("accuracy", "accuracy", {}),
        ("Accuracy", "accuracy", {}),
        ("ROC AUC", "roc_auc", {}),
        ("skill", Metric("skill", better="higher"), {}),
        # of the training data, another metric, the spread, or a time
        ("accuracy", "accuracy", {"train_accuracy": OF_SEEDS["score"] + 0.1}),
        ("accuracy", "accuracy", {"f1": [0.51, 0.62, 0.53, 0.44, 0.55, 0.66]}),
        ("accuracy", "accuracy", {"accuracy_std": 0.01, "fit_time": 3.5}),
        ("balanced_accuracy", "balanced_accuracy", {"accuracy": OF_SEEDS["score"]}),
        ("f1_macro", "f1_macro", {"f1": 0.5}),
        ("ndcg@10", Metric("ndcg@10", better="higher"), {"ndcg@5": 0.5}),
    ],
)
def test_a_column_that_is_called_after_the_metric_has_the_scores(
    tmp_path, name, metric, more
):
    how = {"design": "seeds", "metric": metric}
    expected = Scores(OF_SEEDS, **how)
    frame = of_seeds(name, **more)
    assert same(Scores(frame, **how), expected)
    assert same(as_data(frame, **how), expected)
    files = {model: tmp_path / f"{model}.csv" for model in "ab"}
    for model, file in files.items():
        own = frame[frame["model"] == model].drop(columns="model")
        own.to_csv(file, index=False)
    frame.to_csv(tmp_path / "all.csv", index=False)
    assert same(read(tmp_path / "all.csv", **how), expected)
    named = [f"{model}={file}" for model, file in files.items()]
    assert same(read(*named, **how), expected)


@pytest.mark.parametrize(
    "name, more",
    [
        ("acc", {}),
        ("val_accuracy", {}),
        ("accuracy", {"acc": 0.5}),
        ("accuracy", {"val_accuracy": OF_SEEDS["score"] - 0.05}),  # of Keras
        ("accuracy", {"valAccuracy": "78%"}),
        ("accuracy", {"test/acc": 0.5}),
        ("accuracy", {"mean accuracy": 0.5}),
        ("accuracy", {"test_score": 0.5}),
        ("accuracy", {"Score": 0.5}),
        ("accuracy", {"Accuracy": 0.5}),
        ("accuracy", {"accuracy.1": 0.5}),
        ("f1", {}),
    ],
)
def test_where_others_could_be_meant_the_column_must_be_said(tmp_path, name, more):
    how = {"design": "seeds", "metric": "accuracy"}
    frame = of_seeds(name, **more)
    with pytest.raises(ValueError, match="column 'score' is missing"):
        Scores(frame, **how)
    with pytest.raises(ValueError, match="must have columns model and score"):
        as_data(frame, **how)
    said = Scores(frame, columns={"score": name, "ignored": [*more]}, **how)
    assert same(said, Scores(OF_SEEDS, **how))
    alone = Scores(
        of_seeds("accuracy", **more), columns={"ignored": [*more]}, **how
    )  # the others are ruled out
    assert same(alone, said)


def test_a_column_of_scores_goes_before_one_that_is_called_after_the_metric():
    how = {"design": "seeds", "metric": "accuracy"}
    table = OF_SEEDS.assign(accuracy=0.5)
    assert same(Scores(table, **how), Scores(OF_SEEDS, **how))
    table = of_seeds("accuracy").assign(other=OF_SEEDS["score"] / 2)
    said = Scores(table, columns={"score": "other"}, **how)
    assert said.blocks["a"][0] == 0.405
    indexed = of_seeds("accuracy").assign(score=OF_SEEDS["score"]).set_index("score")
    assert same(Scores(indexed, **how), Scores(OF_SEEDS, **how))


def test_a_column_that_is_called_after_the_metric_is_checked_as_scores_are():
    how = {"design": "seeds", "metric": "accuracy"}
    percent = of_seeds("accuracy", accuracy=100 * OF_SEEDS["score"])
    with pytest.raises(ValueError, match="for percent say Metric"):
        Scores(percent, **how)
    with pytest.raises(ValueError, match="score of 'a' is missing in row 1"):
        Scores(of_seeds("accuracy").mask(lambda x: x == 0.84), **how)
    texts = of_seeds("accuracy", accuracy=["0.8", "crashed", *"012", "0.7"])
    with pytest.raises(ValueError, match="column 'score' is missing"):
        Scores(texts, **how)
    with pytest.raises(
        ValueError, match="the columns are 'model', 'seed' and 'accuracy'"
    ):
        Scores(of_seeds("accuracy"), metric="accuracy", design="2x3")
    others = of_seeds("accuracy", metric="f1")
    with pytest.raises(ValueError, match="column 'metric' says 'f1'"):
        Scores(others, **how)
    chosen = of_seeds("accuracy", other=OF_SEEDS["score"])
    with pytest.raises(ValueError, match="column 'score' is missing"):
        Scores(chosen, where={"accuracy": [0.81, 0.84, 0.76]}, **how)


def test_answers_that_are_right_or_wrong_may_be_called_after_the_metric():
    answers = pd.DataFrame({"model": list("aabb"), "item": [1, 2] * 2})
    answers["accuracy"] = [True, False, True, True]
    table = as_data(answers, design="items", metric="accuracy")
    assert table.blocks["a"].tolist() == [[1, 0]]
    assert table.columns == {}


@pytest.mark.parametrize("columns", [None, ["score"], "accuracy"])
def test_columns_are_a_mapping_or_none(columns):
    how = {"design": "seeds", "metric": "accuracy", "columns": columns}
    if columns is None:
        assert same(Scores(of_seeds("accuracy"), **how), Scores(OF_SEEDS, **how))
    else:
        with pytest.raises(ValueError, match="columns must be"):
            Scores(of_seeds("accuracy"), **how)


def test_a_model_may_be_called_after_the_metric(tmp_path):
    wide = pd.DataFrame({"seed": [1, 2, 3], "accuracy": [0.7, 0.8, 0.9], "svm": 0.5})
    wide.to_csv(tmp_path / "wide.csv", index=False)
    table = read(tmp_path / "wide.csv", design="seeds", metric="accuracy")
    assert table.models == ("accuracy", "svm")
    with pytest.raises(ValueError, match="must have columns model and score"):
        as_data(wide, design="seeds", metric="accuracy")

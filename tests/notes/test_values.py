"""Notes: right data hardly ever draw one; units and labels that look wrong do."""

import csv
import tracemalloc
from importlib import import_module
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
import pytest

from replib import Items, Metric, RandomSplits, compare
from replib._notes.areas import notes_about_areas
from replib._notes.values import notes_about_values
from replib.readers import from_arrays, from_predictions, from_wide

evidence = import_module("benchmarks.false_notes")

RATES = Path(__file__).parents[1] / "data" / "false_notes.csv"
with RATES.open(encoding="utf-8", newline="") as lines:
    ROWS = {row["kind"]: row for row in csv.DictReader(lines)}
#: Their scores take seconds or minutes to compute.
COSTLY = {kind for kind in evidence.KINDS if "scikit-learn" in kind}
ANY = Metric("quality", better="higher")
RNG = np.random.default_rng(1)


def notes(models, design="10x10", metric=ANY):
    """Notes on arrays of scores, or the refusal."""
    table = from_arrays(models, design=design, metric=metric)
    return evidence.notes(table)


# ---------------------------------------------------------------- evidence


@pytest.mark.parametrize("kind", evidence.KINDS)
def test_fewer_than_one_right_table_in_a_thousand_draws_a_note(kind):
    assert int(ROWS[kind]["tables"]) >= 3000
    assert float(ROWS[kind]["upper limit (per thousand)"]) < 1


@pytest.mark.parametrize("kind", sorted(set(evidence.KINDS) - COSTLY))
def test_the_stored_tables_are_drawn_again(kind):
    assert evidence.false_notes(kind, 40) == []


@pytest.mark.parametrize("kind", ["data sets, simulated", "items in runs, simulated"])
def test_as_many_copies_are_found_as_stored(kind):
    stored = ROWS[kind][f"copies found (of {evidence.COPIES})"]
    assert evidence.copies_found(kind, evidence.COPIES) == int(stored)


# ---------------------------------------------------------------- units and labels


def test_the_truth_among_models_of_numbers_or_by_name():
    truth = RNG.normal(size=20)
    guess = truth + RNG.normal(size=20)
    table = from_predictions(truth, {"a": truth, "b": guess}, metric="rmse")
    assert notes_about_values(table) == ["The predictions of a are the truth itself."]
    classes = RNG.integers(0, 3, 200)
    poor = np.roll(classes, 1)
    for name, n_notes in (("Y_true", 1), ("Ground truth", 1), ("tree", 0)):
        table = from_predictions(classes, {name: classes, "b": poor}, metric="accuracy")
        assert len(notes_about_values(table)) == n_notes
    table = from_predictions(
        classes, {"truth": poor, "b": poor[::-1]}, metric="accuracy"
    )
    assert notes_about_values(table) == []


@pytest.mark.parametrize("metric", ["roc_auc", "accuracy"])
def test_a_model_with_the_name_and_the_values_of_the_truth(metric):
    target = pd.Series(RNG.integers(0, 2, 200), name="BAD")
    other = target.where(RNG.random(200) < 0.8, 1 - target)
    (note,) = of_predictions(target, {"BAD": target, "tree": other}, metric)
    assert note == "The predictions of BAD are the truth itself."
    ids = [f"loan {number}" for number in range(200)]
    labelled = {name: x.set_axis(ids) for name, x in (("BAD", target), ("tree", other))}
    shuffled = {name: x.sample(frac=1, random_state=1) for name, x in labelled.items()}
    assert of_predictions(labelled["BAD"], shuffled, metric) == [note]
    # it may have the name alone, or the values alone
    assert of_predictions(target, {"BAD": other, "tree": 1 - other}, metric) == []
    assert of_predictions(target, {"forest": target, "tree": other}, metric) == []
    named = target.rename("label")
    assert len(of_predictions(named, {"label": named, "tree": other}, metric)) == 1


def notes_on_perfect(name):
    truth = RNG.integers(0, 3, 200)
    near = np.where(RNG.random(200) < 0.8, truth, (truth + 1) % 3)
    return notes_about_values(
        from_predictions(truth, {"bc": near, name: truth}, metric="accuracy")
    )


@pytest.mark.parametrize(
    "name",
    [
        *("solution", "solution.csv", "answer_key", "GroundTruth", "oracle"),
        *("demo_action", "ExpertAction", "final diagnosis", "consensus", "histology"),
        *("eval/target", "human_annotation", "best_action", "transcription", "in_situ"),
        *("lab-confirmed", "real_rating", "heldout_item", "expert_label_1"),
    ],
)
def test_a_perfect_model_that_is_called_by_words_for_the_truth(name):
    assert notes_on_perfect(name) == [
        f"The predictions of {name} are the truth itself."
    ]


@pytest.mark.parametrize(
    "name",
    [
        *("GPT-4o", "TrueSkill", "KeyBERT", "OracleNet", "solution-transformer"),
        *("human", "Expert-Iteration", "teacher", "TargetNet", "StandardGCN", "expert"),
        *("policy", "final", "best", "ours", "LabelSpread", "DemoDICE", "real"),
    ],
)
def test_a_perfect_model_with_another_name(name):
    assert notes_on_perfect(name) == []


def of_predictions(truth, models, metric):
    table = from_predictions(truth, models, metric=metric)
    return [*table.notes, *notes_about_values(table)]


@pytest.mark.parametrize(
    ("metric", "is_noted"),
    [
        (Metric("BLEU", better="higher", low=0, high=100), True),
        (Metric("recall@10", better="higher"), True),
        ("wer", True),
        (Metric("speedup", better="higher"), False),  # has any size
    ],
)
@pytest.mark.parametrize("n_fractions", [1, 2])
def test_a_model_of_fractions_among_percent_with_small_scores(
    metric, is_noted, n_fractions
):
    if metric == "wer":
        metric = Metric("wer", better="lower")
    rng = np.random.default_rng(4)
    percent = np.clip(rng.normal(30, 20, (4, 300)), 0, 95).round(2)
    assert (percent == 0).any() and ((percent > 0) & (percent < 1)).any()
    models = dict(zip(["nllb", "mbart", "marian", "opus"], percent))
    assert notes(models, "items", metric) == []
    for name in [*models][:n_fractions]:
        models[name] = (models[name] / 100).round(4)
    assert any(
        "fractions and percent" in x for x in notes(models, "items", metric)
    ) == (is_noted)


@pytest.mark.parametrize("factor", [0.001, 0.0025, 0.03])
def test_a_poor_model_among_percent(factor):
    """It is not 100 times worse on average and at its best."""
    rng = np.random.default_rng(4)
    percent = np.clip(rng.normal(30, 20, (3, 300)), 0, 95)
    models = dict(zip(["nllb", "mbart", "untrained"], percent))
    models["untrained"] = models["untrained"] * factor
    metric = Metric("BLEU", better="higher", low=0, high=100)
    assert notes(models, "items", metric) == []


@pytest.mark.parametrize(
    "label, is_noted",
    [("Average", True), ("avg. rank", True), ("MEAN", True), ("mean_rank", True)]
    + [("rank", True), ("sum", True), ("average precision", False), ("meander", False)],
)
def test_a_row_that_is_labelled_as_a_summary(label, is_noted):
    frame = pd.DataFrame(
        RNG.normal(0.8, 0.1, (7, 2)).round(3),
        index=[*"abcdef", label],
        columns=["x", "y"],
    )
    table = from_wide(frame, design="datasets", metric=ANY)
    assert len(notes_about_values(table)) == is_noted


def test_no_name_of_a_data_set_reads_like_a_summary():
    names = list(evidence.uci_accuracies("uci_cross_validation"))
    assert len(names) == 27
    frame = pd.DataFrame(RNG.random((27, 2)), index=names, columns=["x", "y"])
    table = from_wide(frame, design="datasets", metric=ANY)
    assert notes_about_values(table) == []


@pytest.mark.parametrize(
    "design, shape",
    [("1x40", (1, 40)), ("seeds", (40,)), ("datasets", (40,)), ("40 x 1%", (40,))],
)
def test_scores_of_single_items(design, shape):
    right = RNG.integers(0, 2, (2, *shape))
    table = from_arrays(dict(zip("ab", right)), design=design, metric="accuracy")
    (note,) = notes_about_values(table)
    assert "0 or 1, as a single item has: is the design items?" in note
    # a recall may be 0 or 1 where there is one such item; a model may be perfect
    for metric, models in (("recall", right), ("accuracy", [np.ones(shape)] * 2)):
        table = from_arrays(dict(zip("ab", models)), design=design, metric=metric)
        assert not any("single item" in note for note in notes_about_values(table))


def notes_on_areas(y, **models):
    return list(compare(from_predictions(y, models, metric="roc_auc")).notes)


def test_areas_of_classes_and_of_the_wrong_class():
    y = np.arange(200) % 2
    score = y + RNG.normal(size=200)
    other = y + RNG.normal(size=200)
    assert notes_on_areas(y, a=score, b=other) == []
    decided = (other > 0.5).astype(int)
    assert notes_on_areas(y, a=score, rule=decided) == []
    (note,) = notes_on_areas(y, a=score, b=decided)
    assert "b has the values 0 and 1 only, and other models have many" in note
    (note,) = notes_on_areas(y, a=score > 0.5, b=other > 0.5)
    assert "two values only, as classes are" in note
    (note,) = notes_on_areas(y, a=score, b=-other)
    assert "The area of b is" in note and "score 0 instead of 1?" in note


@pytest.mark.parametrize("metric", ["roc_auc", "average_precision", "brier_score"])
@pytest.mark.parametrize(
    ("name", "low", "high", "is_noted"),
    [
        *[
            ("SVC", 0, 1, True),
            ("random forest", 0.0, 1.0, True),
            ("gpt-4", 0, 1, True),
        ],
        *[("DecisionTreeClassifier", 0, 1, False), ("kNN (k=1)", 0, 1, False)],
        *[("radiologist 2", 0, 1, False), ("keyword list", 0, 1, False)],
        *[("gbm", 0.2, 0.9, False), ("boosted trees", 0, 1, True)],
    ],
)
def test_classes_beside_probabilities(metric, name, low, high, is_noted):
    y = np.arange(200) % 2
    score = np.clip(0.5 * y + RNG.uniform(0, 0.5, 200), 0, 1)
    models = {"logit": score, name: np.where(RNG.permutation(score) > 0.5, high, low)}
    notes = compare(from_predictions(y, models, metric=metric)).notes
    assert any("classes instead of scores" in note for note in notes) == is_noted


def test_all_models_may_have_few_scores():
    y = np.arange(200) % 2
    votes = (3 * y + RNG.integers(0, 7, 200)) / 9  # of nine trees
    decided = (votes > 0.5).astype(int)
    assert notes_on_areas(y, bag=votes, b=decided) == []


@pytest.mark.parametrize("errors, is_noted", [(2.5, False), (3.9, False), (4.5, True)])
def test_how_far_below_chance_an_area_is_noted(errors, is_noted):
    """A score without relation to the classes draws the note in 3 of 100,000 cases."""
    y = np.arange(200) % 2
    error = np.sqrt(201 / (12 * 100 * 100))
    areas = {"a": 0.8, "b": 0.5 - errors * error}
    table = from_predictions(y, {"a": y + 0.1, "b": y + 0.2}, metric="roc_auc")
    texts = [text for text in notes_about_areas(table, areas) if "chance" in text]
    assert bool(texts) == is_noted


def test_an_error_rate_in_percent_beside_fractions():
    models = {"a": [12.1, 11.5, 12.9], "b": [0.118, 0.125, 0.131]}
    (note,) = notes(models, "seeds", Metric("wer"))
    assert "fractions and percent" in note
    assert notes(models, "seeds", Metric("rmse")) == []


def test_more_test_than_training_data():
    scores = dict(zip("ab", RNG.normal(0.8, 0.02, (2, 30))))
    assert notes(scores, "30 x 50%") == []
    assert "share for training" in notes(scores, "30 x 60%")[0]
    assert notes(scores, RandomSplits(30, 0.6, 0.4)) == []


@pytest.mark.parametrize("largest, is_noted", [(0.97, True), (1.0, True), (1.2, False)])
def test_fractions_where_percent_were_declared(largest, is_noted):
    scores = {"a": RNG.uniform(0.5, 0.9, 20), "b": RNG.uniform(0.5, 0.9, 20)}
    scores["b"][0] = largest
    assert bool(notes(scores, "datasets", Metric("accuracy", high=100))) == is_noted


# ---------------------------------------------------------------- constants


def mixed(percent):
    """Notes on eight data sets, of which one model has fractions about a half."""
    fractions = [0.5, 0.48, 0.52, 0.49, 0.51, 0.5, 0.47, 0.53]
    return notes({"a": fractions, "b": percent}, "datasets")


@pytest.mark.parametrize(
    "percent, is_noted",
    [
        ([90.0, 91, 89, 88, 92, 90, 87, 93], True),  # 180 times: half of 2 is too few
        ([27.0, 26, 28, 29, 25, 26, 28, 27], True),  # 54 times
        ([19.0, 18, 17, 20, 19, 18, 21, 19], False),  # 38 times: twice 2 is too many
        ([90.0, 91, 89, 88, 92, 90, 87, 15], True),  # above ten, below twice that
        ([90.0, 91, 89, 88, 92, 90, 87, 7], False),  # below ten, above half of that
    ],
)
def test_how_far_percent_are_from_fractions(percent, is_noted):
    assert bool(mixed(percent)) == is_noted


def test_both_models_of_mixed_units_are_named():
    (note,) = mixed([90.0, 91, 89, 88, 92, 90, 87, 0.93])
    assert note == "Scores are 0.5 of a and 90 of b: are fractions and percent mixed?"


# ---------------------------------------------------------------- cost


@pytest.mark.parametrize("n_models, n_items", [(20, 20_000), (3, 100_000)])
def test_many_items_take_little_memory_and_linear_time(n_models, n_items):
    scores = (RNG.random((n_models, n_items)) < 0.7).astype(float)
    table = from_arrays(dict(enumerate(scores)), design="items", metric="accuracy")
    tracemalloc.start()
    notes_about_values(table)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3 * scores.nbytes + 1e6
    start = process_time()
    notes_about_values(table)
    assert process_time() - start < 1  # some five hundredths on an idle machine


@pytest.mark.parametrize("name", ["secs_per_image", "usd per call", "mean_confidence"])
def test_units_are_not_mixed_by_what_is_no_score(name):
    errors = RNG.uniform(0.02, 0.09, (2, 30)).round(3)
    models = {"ctc": errors[0], "rnnt": errors[1], name: RNG.uniform(3, 7, 30).round(2)}
    (note,) = notes(models, "datasets", Metric("cer"))
    assert note.startswith(f"{name} is called like")


def test_units_are_not_mixed_by_rows_of_statistics():
    labels = [
        f"{name}{end}" for name in ("de", "fr", "fi", "sv") for end in ("", " (SD)")
    ]
    table = pd.DataFrame(
        {name: [80.1 + shift, 0.8] * 4 for shift, name in enumerate(["mbert", "xlmr"])},
        index=labels,
    )
    metric = Metric("f1", high=100)
    found = evidence.notes(from_wide(table, design="datasets", metric=metric))
    assert any("statistic of another row" in note for note in found)
    assert not any("percent" in note for note in found)


@pytest.mark.parametrize(
    ("metric", "is_noted"),
    [
        *((name, True) for name in ("matthews_corrcoef", "cohen_kappa", "f1_macro")),
        *((name, True) for name in ("f1", "balanced_accuracy", "roc_auc")),
        *((name, False) for name in ("accuracy", "recall", "precision", "f1_micro")),
        *((name, False) for name in ("hit@10", "exact_match", "average_precision")),
    ],
)
def test_right_answers_have_no_metric_of_a_set(metric, is_noted):
    answers = dict(zip(["svm", "nn"], RNG.integers(0, 2, (2, 60)).astype(float)))
    metric = Metric(metric, better="higher", low=0, high=1)
    found = notes(answers, "items", metric)
    assert ("their mean is the accuracy" in str(found)) == is_noted
    # F1 of the words of an answer, and the area of the scores of a user
    shares = answers | {"nn": np.where(RNG.random(60) < 0.3, 0.5, answers["nn"])}
    assert "their mean is the accuracy" not in str(notes(shares, "items", metric))
    assert "their mean is the accuracy" not in str(notes(answers, "6x10", metric))


@pytest.mark.parametrize(
    ("n_trainings", "n_items", "runs", "is_noted"),
    [
        (50, 3, "trainings", True),
        (21, 10, "trainings", True),
        (20, 10, "trainings", False),
        (3, 50, "trainings", False),
        (50, 3, "samples", False),
    ],
)
def test_many_trainings_on_few_items_may_be_items(n_trainings, n_items, runs, is_noted):
    rng = np.random.default_rng(7)
    answers = {m: rng.random((n_trainings, n_items)).round(3) for m in ("net", "tree")}
    found = notes(answers, Items(runs=runs))
    exchanged = (
        f"{n_trainings} trainings on {n_items} items: are runs and items exchanged?"
    )
    assert found == ([exchanged] if is_noted else [])

"""Labels of rows and models that are no units or models draw a note, those of others do not."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from replib import CV, Items, Metric, RandomSplits, Scores, Seeds
from replib._labels import notes_about_labels
from replib._validation import listed
from replib.readers import from_arrays, from_wide

RNG = np.random.default_rng(4)
ANY = Metric("quality", better="higher")


def wide(labels, design="datasets", n_models=2, **columns):
    """A table of random scores with a row for each label."""
    scores = RNG.normal(0.8, 0.03, (len(labels), n_models)).round(3)
    frame = pd.DataFrame(scores, index=labels, columns=["nb", "c45", "svm"][:n_models])
    return from_wide(frame.assign(**columns), design=design, metric=ANY)


def long(labels, design, key="run", names=("nb", "svm")):
    """A long table in which each model has each label."""
    rows = [(name, label, RNG.random()) for name in names for label in labels]
    frame = pd.DataFrame(rows, columns=["model", key, "score"])
    return Scores(frame, design=design, metric=ANY)


def numbered(word, n=6):
    return [f"{word}{i + 1}" for i in range(n)]


def notes(table):
    return list(notes_about_labels(table))


@pytest.mark.parametrize(
    "word, design, unit",
    [
        ("fold ", "datasets", "fold"),
        ("Seed=", "datasets", "seed"),
        ("rep_", "datasets", "repetition"),
        ("split-", "datasets", "split"),
        ("epoch ", "datasets", "epoch"),
        ("cv", "datasets", "fold"),
        ("iter ", "datasets", "iteration"),
        ("fold", "items", "fold"),
        ("seed", "items", "seed"),
        ("Fold ", "seeds", "fold"),
        ("split ", "seeds", "split"),
        ("ckpt-", "seeds", "checkpoint"),
        ("fold #", RandomSplits(6, 0.2), "fold"),
        ("seed ", CV(1, 6), "seed"),
        ("task", "datasets", None),
        ("data set ", "datasets", None),
        ("q", "items", None),
        ("seed ", "seeds", None),
        ("run_", "seeds", None),
        ("split ", RandomSplits(6, 0.2), None),
        ("seed ", RandomSplits(6, 0.2), None),
        ("fold ", CV(1, 6), None),
    ],
)
def test_rows_that_are_numbered_as_another_unit(word, design, unit):
    texts = notes(wide(numbered(word), design))
    assert len(texts) == (unit is not None)
    assert all(text.endswith(f"are they {unit}s?") for text in texts)


def test_one_label_of_another_kind_leaves_the_others_alone():
    assert notes(wide([*numbered("fold "), "iris"])) == []


@pytest.mark.parametrize("design", ["seeds", RandomSplits(4, 0.2), CV(1, 4)])
def test_rows_with_names_in_words_are_data_sets(design):
    names = ["anneal", "autos", "breast", "colic"]
    (note,) = notes(wide(names, design))
    assert "'anneal' and 'autos' and so on: are they data sets?" in note
    assert notes(wide(["a1", *names[1:]], design)) == []
    assert notes(wide([*"abcd"], design)) == []


@pytest.mark.parametrize(
    ("column", "labels", "asks"),
    [
        ("heldOutSpeaker", ["1", "2", "3", "4"], "'heldOutSpeaker' has the groups"),
        ("excluded_plant", ["P", "Q", "R", "S"], "'excluded_plant' has the groups"),
        ("target", ["PDB0031", "PDB0044", "PDB0102"], "are they items, or groups?"),
        ("fold", ["lake-a1", "river", "marsh", "tundra"], "are they data sets?"),
        ("held_out_fold", ["1", "2", "3"], None),
        ("fold", ["k101", "k102", "k103"], None),
        ("fold", ["job4711", "job4719", "job4730"], None),
        ("fold", ["cut-1a", "cut-2b", "cut-3c"], None),
    ],
)
def test_folds_that_are_groups_lead_to_their_design(column, labels, asks):
    rows = [(name, x, RNG.random()) for name in ("nb", "svm") for x in labels]
    frame = pd.DataFrame(rows, columns=["model", column, "score"])

    def notes_of(design):
        columns = {"fold": column}
        return notes(Scores(frame, design=design, metric=ANY, columns=columns))

    found = notes_of(CV(1, len(labels)))
    assert len(found) == (asks is not None)
    assert all(asks in note and "design says groups=True" in note for note in found)
    assert notes_of(CV(1, len(labels), groups=True)) == []


def test_folds_among_other_evaluations_are_no_data_sets():
    (note,) = notes(wide([*(f"fold_{i}" for i in range(4)), "OOF", "public LB"]))
    assert note.endswith("are they folds?")
    (note,) = notes(wide(["OOF", "public LB", "private LB", "CV"]))
    assert "are they" in note
    assert notes(wide(["news", "blogs", "public health", "holdout"])) == []


@pytest.mark.parametrize(
    ("models", "n_notes"),
    [
        (["accuracy", "val_accuracy"], 1),
        (["auc", "test_auc"], 1),
        (["rf~Accuracy", "gbm~Accuracy"], 0),
        (["bert", "bert_val"], 0),
    ],
)
def test_a_history_has_one_model_on_two_parts_of_the_data(models, n_notes):
    columns = dict(zip(models, RNG.normal(0.8, 0.03, (2, 8)).round(3)))
    table = from_arrays(columns, design="seeds", metric="accuracy")
    assert len(notes(table)) == n_notes


def test_known_data_sets_are_no_seeds():
    (note,) = notes(wide(["sst2", "cola", "mnli", "boolq"], "seeds"))
    assert note.endswith("are they data sets?")
    assert notes(wide(["cola", "pepsi2", "fanta3", "sprite"], "seeds")) == []


def test_groups_have_names_and_two_rows_may_have_any():
    assert notes(wide(["Bern", "Rome", "Oslo"], CV(1, 3, groups=True))) == []
    assert notes(wide(["first", "second"], "seeds")) == []


def test_runs_of_each_model_may_have_names_of_their_own():
    frame = pd.DataFrame(
        {
            "model": ["vit"] * 3 + ["cnn"] * 3,
            "run": ["eager", "quiet", "brave", "sunny", "calm", "noble"],
            "score": RNG.random(6),
        }
    )
    assert notes(Scores(frame, design="seeds", metric=ANY)) == []


def test_a_text_index_has_the_labels_of_seeds():
    table = wide(["s2", "s1", "s3"], Seeds(paired=True))
    assert sorted(table.frame["run"].unique()) == ["s1", "s2", "s3"]


# ---------------------------------------------------------------- summaries


@pytest.mark.parametrize(
    "label",
    ["best", "MAX", "macro avg", "samples avg", "geometric mean", "wins", "Mean acc."]
    + ["1st Count", "#1st", "Win count", "Top-1 (count)", "First places"],
)
def test_rows_that_reports_add(label):
    (note,) = notes(wide([*"abcde", label]))
    assert "labelled like a summary" in note


PAIRS = ["en-de", "en-cs", "de-en", "cs-en"]
PERILS = ["fire", "theft", "water", "hail"]


@pytest.mark.parametrize(
    ("labels", "total"),
    [
        (PERILS, "Portfolio total"),
        (PERILS, "total_portfolio"),
        (PERILS, "Group (total)"),
        (PERILS, "whole book"),
        (PERILS, "Market overall"),
        (PAIRS, "into English"),
        (PAIRS, "out of English"),
        (PAIRS, "En→X"),
        (PAIRS, "xx-en"),
    ],
)
def test_a_total_of_what_the_other_rows_are(labels, total):
    (note,) = notes(wide([*labels, total]))
    assert f"'{total}' is labelled like a summary" in note


@pytest.mark.parametrize(
    "labels",
    [
        [*PERILS, "total_loss"],
        ["HDL", "LDL", "total cholesterol", "glucose"],
        ["albumin", "Bilirubin, total", "Protein, total", "urea"],
        ["motor_UPDRS", "total_UPDRS"],
        ["into English", "out of English"],
        [*PERILS, "into English"],
        [*PAIRS, "en-zh", "zh-en"],
        ["market", "network", "portfolio", "book"],
    ],
)
def test_a_total_that_is_measured_itself(labels):
    assert notes(wide(labels)) == []


def test_a_mean_among_folds():
    (note,) = notes(long([*"12345", "mean"], CV(1, 6), key="fold"))
    assert "'mean' is labelled like a summary" in note


@pytest.mark.parametrize("label, is_noted", [("mean of 8", True), ("macro", False)])
def test_a_word_for_a_mean_counts_with_the_values_of_one(label, is_noted):
    scores = RNG.normal(0.8, 0.05, (8, 2)).round(3)
    frame = pd.DataFrame(scores, index=numbered("set", 8), columns=["nb", "svm"])
    other = wide([*frame.index, label])
    assert notes(other) == []
    frame.loc[label] = frame.mean().round(3)
    table = from_wide(frame, design="datasets", metric=ANY)
    assert bool(notes(table)) == is_noted


@pytest.mark.parametrize("name", ["Average", "mean", "best", "min", "median"])
def test_models_that_summarise_the_others(name):
    table = wide(numbered("set", 7), n_models=3)
    blocks = dict(table.blocks)
    function = {"Average": "mean", "best": "max"}.get(name, name)
    summary = getattr(np, function)([*blocks.values()], axis=0).round(3)
    (note,) = notes(
        from_arrays(blocks | {name: summary}, design="datasets", metric=ANY)
    )
    assert note == f"The scores of {name} are computed from those of the others."
    # a model that always predicts the mean
    other = RNG.normal(0.7, 0.05, 7).round(3)
    for arrays in (blocks | {name: other}, {"nb": blocks["nb"], name: blocks["nb"]}):
        assert notes(from_arrays(arrays, design="datasets", metric=ANY)) == []


def test_settings_that_have_a_word_for_a_summary_in_their_names():
    names = [f"min_samples_leaf={i}, max_features=3" for i in (1, 2, 4)]
    blocks = RNG.normal(0.8, 0.05, (3, 7))
    blocks[2] = blocks[:2].max(axis=0)
    table = from_arrays(dict(zip(names, blocks)), design="datasets", metric=ANY)
    assert notes(table) == []


def test_a_truth_that_is_right_on_every_item():
    right = RNG.integers(0, 2, 50)
    for name, is_noted in (("gold", True), ("oracle-70b", False)):
        models = {"llama": right, name: np.ones(50)}
        table = from_arrays(models, design=Items(), metric="accuracy")
        assert bool(notes(table)) == is_noted
    models = {"llama": right, "gold": right[::-1]}
    assert notes(from_arrays(models, design=Items(), metric="accuracy")) == []


@pytest.mark.parametrize(
    ("name", "is_noted"),
    [
        (name, True)
        for name in ("refA", "Reference", "gold", "Human", "ref_2", "human-B")
    ]
    + [(name, False) for name in ("refiner", "human-in-the-loop", "Goldfish", "our")],
)
def test_a_reference_that_has_the_highest_score_on_every_item(name, is_noted):
    metric = Metric("BLEU", better="higher", low=0, high=100)
    overlap = RNG.uniform(5, 90, (2, 60)).round(2)
    models = {"nllb": overlap[0], name: np.full(60, 100.0)}
    texts = notes(from_arrays(models, design="items", metric=metric))
    assert any("is it a model?" in text for text in texts) == is_noted
    # rated like the others
    rated = {**models, name: overlap[1]}
    assert notes(from_arrays(rated, design="items", metric=metric)) == []


def test_a_person_may_answer_all_questions():
    right = {"gpt": RNG.integers(0, 2, 40), "human": np.ones(40)}
    assert notes(from_arrays(right, design="items", metric="accuracy")) == []


def test_parts_of_the_data():
    scores = RNG.normal(0.8, 0.03, (2, 10))
    for names, is_noted in (
        (("train", "Test"), True),
        (("training", "validation"), True),
        (("svm_val", "svm_test"), True),
        (("svm_val", "nb_test"), True),
        (("train-short", "test-time"), False),
    ):
        table = from_arrays(dict(zip(names, scores)), design="1x10", metric="accuracy")
        assert bool(notes(table)) == is_noted
    (note,) = notes(wide(["iris-train", "iris-test", "wine", "zoo"]))
    assert "'iris-train' and 'iris-test' are parts of one data set" in note
    assert notes(wide(["trains", "tests", "train_a", "test_b"])) == []


@pytest.mark.parametrize(
    ("labels", "is_noted"),
    [
        (["snli dev", "snli test", "mnli"], True),
        (["Cards_BUILD", "Cards_OOT", "Loans_OOT"], True),
        (["basin 12 (calibration)", "basin 12 (validation)", "basin 3"], True),
        (["PTB valid", "WikiText test", "enwik8"], False),
        (["clinic A internal", "clinic A external", "clinic B"], False),
        (["librispeech test-clean", "librispeech test-other"], False),
        (["deep learning", "deep forest"], False),
    ],
)
def test_data_sets_that_are_parts_of_one(labels, is_noted):
    found = [note for note in notes(wide(labels)) if "parts of one data set" in note]
    assert len(found) == is_noted


@pytest.mark.parametrize(
    ("name", "value", "is_noted"),
    [
        ("dataset_part", "calibration", True),
        ("dataset_part", "train", True),
        ("eval_set", "in-sample", True),
        ("sample", "Development", True),
        ("sample_type", "estimation", True),
        ("phase", "development", False),
        ("calibration", "isotonic", False),
        ("method", "learning", False),
        ("subset", "validation", False),
        ("part", "dev", False),
    ],
)
def test_chosen_rows_of_what_models_were_fitted_to(name, value, is_noted):
    rows = [(m, i, value, RNG.random()) for m in "ab" for i in range(9)]
    frame = pd.DataFrame(rows, columns=["model", "item", name, "score"])
    table = Scores(frame, design="items", metric=ANY, where={name: value})
    assert len(notes(table)) == is_noted


@pytest.mark.parametrize(
    ("n_items", "label", "is_noted"),
    [
        (10_000, "F1", True),
        (
            10_001,
            "F1",
            False,
        ),  # so many labels are looked at only if they have no digit
        (10_001, "macro avg", True),
    ],
)
def test_a_summary_is_found_among_many_items(n_items, label, is_noted):
    items = [*(f"q{i}" for i in range(n_items - 1)), label]
    table = wide(items, design="items")
    notes = notes_about_labels(table)
    assert any("is it an item" in note for note in notes) == is_noted


@pytest.mark.parametrize(
    ("labels", "better", "noted"),
    [
        (["CoLA (acc)", "WikiText-103 (ppl ↓)"], "higher", "WikiText-103 (ppl ↓)"),
        (["enwik8_bpb", "wikitext_ppl"], "higher", "enwik8_bpb"),
        (["SQuAD (F1)", "LibriSpeech [WER]"], "lower", "SQuAD (F1)"),
        (["iris (lower is better)", "wine"], "higher", "iris (lower is better)"),
        (["DRIVE (Dice)", "M4 (sMAPE)"], "higher", "M4 (sMAPE)"),
        (["ETTh1 (MSE)", "PeMS [NSE]"], "lower", "PeMS [NSE]"),
        (["RMSLE: bikes", "churn"], "higher", "RMSLE: bikes"),
        (["CoLA (MCC)", "SQuAD (F1)", "CNN/DM (ROUGE-L)"], "higher", None),
        (["PTB (ppl)", "WikiText-103 (ppl ↓)"], "lower", None),
        (["AMI (far)", "AMI (near)", "toxicity", "hearing loss"], "higher", None),
        (["WISDM (acc)", "WISDM (gyro)", "kid"], "lower", None),
    ],
)
def test_rows_of_another_direction(labels, better, noted):
    scores = pd.DataFrame(RNG.random((len(labels), 2)), index=labels, columns=[*"ab"])
    metric = Metric("quality", better=better)
    found = notes(from_wide(scores, design="datasets", metric=metric))
    assert len(found) == (noted is not None)
    assert all(f"'{noted}' is by its label better" in note for note in found)


# ---------------------------------------------------------------- other summaries

SETS = ["iris", "wine", "zoo", "glass", "heart", "sonar"]


@pytest.mark.parametrize(
    "label",
    ["IQM", "Pooled (all sites)", "Natural avg.", "GLUE (mean)", "UCI overall", "Ø"]
    + ["Average of natural", "all sites", "Best (of 3)", "Rel. improvement (%)"]
    + ["maj@5", "majority vote", "ensemble", "warm-up", "burn-in"]
    + ["Average w/o iris", "Avg 12 tasks", "Geom. mean", "Mean±SD", "Micro F1"]
    + ["S.D.", "S. E. M.", "s.e.", "Sum/Avg", "Mean/SD", "Std.-Abw.", "Stdabw."]
    + ["vs. baseline", "Improvement over SOTA", "p (Wilcoxon)", "Whole cohort", "合計"],
)
def test_rows_that_are_no_data_sets(label):
    (note,) = notes(wide([*SETS, label]))
    assert f"'{label}' is labelled like a summary" in note


@pytest.mark.parametrize(
    "label",
    ["Best (NL)", "Max (ND)", "Total (FR)", "Totalcare", "Mean Street Practice", "vote"]
    + ["U.S.", "D.C.", "S.D. Smith", "SE", "SEM", "N/A", "Abwehr", "win/place"]
    + ["Average Joe", "Overland Park", "gain control", "warmup exercises", "Trainor"],
)
def test_data_sets_that_are_called_almost_so(label):
    assert notes(wide([*SETS, label])) == []


def test_statistics_of_which_each_is_a_row_of_its_own():
    assert notes(wide(["temp_avg", "temp_max", "rain", "wind", "sun"])) == []
    assert notes(wide(["temp_avg", "wind_avg", "rain_sum"])) == []


UTTERANCES = [f"utt{number:02d}" for number in range(12)]


@pytest.mark.parametrize(
    ("labels", "summaries"),
    [
        ([*UTTERANCES, "Sum/Avg", "Mean", "S.D.", "Median"], 4),
        ([*UTTERANCES, "Mean", "SD"], 2),
        ([*UTTERANCES, "Std.-Abw."], 1),
        (["Mean", "Median", *UTTERANCES], 2),
        (["Mean", *UTTERANCES, "Sum"], 2),
        (["house", "mean", "median", "mouse"], 0),
        (["house", "mean", "rank", "sum", "zebra"], 0),
        ([*UTTERANCES[:6], "Mean", *UTTERANCES[6:]], 0),
        ([*UTTERANCES, "U.S."], 0),
    ],
)
def test_summaries_at_the_ends_of_items(labels, summaries):
    found = notes(wide(labels, "items"))
    assert len(found) == bool(summaries)
    named = [label for label in labels for note in found if f"'{label}'" in note]
    assert len(named) == summaries


@pytest.mark.parametrize(
    ("labels", "is_noted"),
    [
        (["Avg. textures", "Avg. objects"], True),
        (["Average textures", "Average objects"], True),
        (["Mean textures", "Mean objects"], True),
        (["Avg: textures"], True),
        (["avg_textures", "avg_objects"], False),
        (["Mean Street"], False),
        (["Average Joe", "wood"], False),
        (["Avg. temperature", "Min. temperature"], False),
        (["means", "avocado"], False),
    ],
)
@pytest.mark.parametrize("middle", [True, False])
def test_averages_of_groups_lie_between_the_others(labels, is_noted, middle):
    scores = RNG.uniform(0.2, 0.8, (len(SETS) + len(labels), 2)).round(3)
    scores[0], scores[1] = 0.1, 0.9
    if not middle:
        scores[-len(labels) :] = [0.95, 0.97]
    frame = pd.DataFrame(scores, [*SETS, *labels], columns=["a", "b"])
    found = notes(from_wide(frame, design="datasets", metric=ANY))
    assert bool(found) == (is_noted and middle)
    assert all("labelled like" in note for note in found)


@pytest.mark.parametrize("design", ["items", "datasets"])
@pytest.mark.parametrize(
    ("labels", "is_noted"),
    [
        (["company", "address", "date", "total"], False),
        (["tax", "invoice_date", "subtotal"], False),
        (["low", "high", "medium", "average"], False),
        (["company", "iris", "wine", "total"], True),
        (["road", "sky", "car", "total"], True),
    ],
)
def test_a_class_may_be_called_like_a_summary(labels, is_noted, design):
    found = notes(wide(labels, design))
    assert any("a summary" in note for note in found) == is_noted


def test_a_state_may_be_called_sd():
    assert notes(wide(["OH", "TX", "UT", "WY", "SD"])) == []
    assert len(notes(wide([*SETS, "SD"]))) == 1


@pytest.mark.parametrize("label, is_noted", [("Natural mean", True), ("tenth", False)])
def test_a_row_that_has_the_mean_of_those_above_it(label, is_noted):
    frame = pd.DataFrame(RNG.normal(80, 5, (6, 2)).round(1), SETS, columns=["a", "b"])
    mean = frame[:3].mean().round(1).to_frame(label).T
    table = from_wide(
        pd.concat([frame[:3], mean, frame[3:]]), design="datasets", metric=ANY
    )
    assert bool(notes(table)) == is_noted
    assert notes(wide([*SETS, label])) == []


@pytest.mark.parametrize(
    ("label", "is_noted"),
    [
        *[(label, True) for label in ("maj@5", "run_warmup", "soup", "pass@10")],
        *[(label, False) for label in ("default", "None", "final", "X", "5b")],
    ],
)
def test_a_run_among_numbered_ones(label, is_noted):
    assert bool(notes(wide([*"01234", label], "seeds"))) == is_noted


@pytest.mark.parametrize(
    ("labels", "summaries"),
    [
        (
            ["Alps_DJF", "Alps_MAM", "Alps_JJA", "Po_DJF", "Alps_annual"],
            ["Alps_annual"],
        ),
        (["gas Q1", "gas Q2", "gas Q3", "gas Q4", "gas full year"], ["gas full year"]),
        (["Jan", "Feb", "Mar", "year"], ["year"]),
        (["VTAB pets", "VTAB sun397", "VTAB svhn", "VTAB mean"], ["VTAB mean"]),
        (["Alps_rivers", "Alps_lakes", "Alps_annual", "Po_rivers"], []),
        (["M3 Monthly", "M3 Quarterly", "M3 Other", "M3 Yearly"], []),
        (["shop total", "shop prime", "shop fresh", "shop best"], []),
        (["t mean", "t max", "t min", "t median"], []),
    ],
)
def test_a_summary_of_the_rows_that_have_its_stem(labels, summaries):
    asked = [note for note in notes(wide(labels)) if "labelled like" in note]
    assert len(asked) == bool(summaries)
    assert all(label in note for label in summaries for note in asked)


def test_runs_may_have_identifiers_of_a_tracker():
    assert notes(wide(["3k2j1x", "p0qw9a", "kqzvwx", "8dh2mz"], "seeds")) == []
    assert (
        notes(wide(["calm-sun-1", "wild-sea-2", "new-moon", "dry-lake-4"], "seeds"))
        == []
    )


def test_one_of_numbered_runs_may_have_a_letter():
    groups = CV(1, 4, groups=True)
    assert notes(wide(["chr1", "chr2", "chr3", "chrX"], groups)) == []


def test_a_vote_among_tasks():
    tasks = np.repeat(["arc", "mmlu", "Knowledge avg", "piqa", "siqa"], 10)
    models = {"nb": RNG.random(50), "svm": RNG.random(50)}
    table = from_arrays(models, design="items", metric="acc", tasks=tasks)
    (note,) = notes(table)
    assert note.endswith(
        "'Knowledge avg' is labelled like a summary of the rows: is it a task?"
    )


def notes_on_tasks(*tasks, last=None):
    """Notes on a suite of right and wrong answers, and scores of a last task made of them."""
    rng = np.random.default_rng(4)
    blocks = {m: rng.integers(0, 2, (len(tasks), 40)) * 1.0 for m in ("nb", "svm")}
    if last is not None:
        blocks = {m: np.vstack([x, last(x)]) for m, x in blocks.items()}
        tasks = (*tasks, "total")
    table = from_arrays(
        {m: x.ravel() for m, x in blocks.items()},
        design="items",
        metric=Metric("quality", better="higher", low=0, high=3),
        tasks=np.repeat(tasks, 40),
    )
    return [note for note in notes_about_labels(table) if "a summary" in note]


@pytest.mark.parametrize(
    ("tasks", "n_notes"),
    [
        (("company", "address", "date", "total"), 0),
        (("subtotal", "total", "tax"), 0),
        (("count", "total"), 0),
        (("max", "min", "median", "mean", "sort", "sum"), 0),
        (("name", "Grand total", "sub-total"), 0),
        (("company", "date", "average"), 1),
        (("company", "date", "Overall"), 1),
        (("company", "date", "Macro avg."), 1),
    ],
)
def test_tasks_may_be_called_total(tasks, n_notes):
    assert len(notes_on_tasks(*tasks)) == n_notes


@pytest.mark.parametrize(
    ("last", "n_notes"),
    [
        (lambda scores: scores.mean(axis=0), 1),
        (lambda scores: scores.mean(axis=0).round(2), 1),
        (lambda scores: scores.sum(axis=0), 1),
        (lambda scores: scores.min(axis=0), 0),
        (lambda scores: (scores.mean(axis=0) > 0.5) * 1.0, 0),
    ],
)
def test_a_total_of_tasks_has_their_scores(last, n_notes):
    assert len(notes_on_tasks("company", "address", "date", last=last)) == n_notes


@pytest.mark.parametrize(
    "name", ["oracle@3", "oracle (best of 3)", "best single", "upper bound"]
)
@pytest.mark.parametrize("better", ["higher", "lower"])
def test_a_model_that_is_the_best_of_the_others(name, better):
    models = {name: RNG.random(9).round(3) for name in "abc"}
    function = np.max if better == "higher" else np.min
    metric = Metric("quality", better=better)
    best = {name: function([*models.values()], axis=0)}
    (note,) = notes(from_arrays(models | best, design="datasets", metric=metric))
    assert note == f"The scores of {name} are computed from those of the others."
    other = {name: RNG.random(9).round(3)}
    assert notes(from_arrays(models | other, design="datasets", metric=metric)) == []


@pytest.mark.parametrize("name", ["mean teacher", "average pooling", "max pooling"])
def test_a_model_that_is_nearly_the_mean_of_the_others(name):
    models = {"nb": np.arange(6) / 100, "c45": np.arange(6) / 100 + 0.02}
    for other in (np.arange(6) / 100 + 0.01, models["c45"]):
        table = from_arrays(models | {name: other}, design="seeds", metric=ANY)
        assert notes(table) == []


@pytest.mark.parametrize(
    ("name", "far", "near"),
    [
        *[(name, True, True) for name in ("Rel. improvement (%)", "gain_pct", "ΔAUC")],
        *[(name, True, True) for name in ("diff_nb_c45", "uplift", "nb vs c45")],
        *[(name, True, False) for name in ("diff", "delta", "Δ", "lift", "gain")],
        *[(name, False, False) for name in ("gain ratio", "policy improvement")],
        *[(name, False, False) for name in ("raw diff", "change point", "nb_delta")],
    ],
)
def test_models_that_are_called_like_differences(name, far, near):
    models = dict(zip(["nb", "c45", "raw"], RNG.normal(0.8, 0.03, (3, 7)).round(3)))
    for center, is_noted in ((3.0, far), (0.8, near)):
        other = {name: RNG.normal(center, 0.03, 7).round(3)}
        found = notes(from_arrays(models | other, design="datasets", metric=ANY))
        assert len(found) == is_noted
        assert all("called like a difference of two models" in note for note in found)


# ---------------------------------------------------------------- models of other kinds

NEAR = RNG.normal(0.8, 0.02, (4, 8)).round(3)
FOREST = {"rf": NEAR[0], "lr": NEAR[1]}
LOWER, UPPER, ERRORS = NEAR[0] - 0.03, NEAR[0] + 0.03, NEAR[2] / 40


def notes_on(models, metric=ANY, design="datasets"):
    return notes(from_arrays(models, design=design, metric=metric))


@pytest.mark.parametrize(
    "names",
    [("rf__MIN", "rf__MAX"), ("rf_ci_low", "rf_ci_high"), ("rf.lwr", "rf.upr")]
    + [("rf_lower", "rf_upper"), ("rf (min)", "rf (max)"), ("rf_2.5%", "rf_97.5%")]
    + [
        ("lower", "upper"),
        ("low rf", "high rf"),
        ("rf_conf.low", "rf_conf.high"),
        ("rf_lcl", "rf_ucl"),
    ],
)
def test_the_limits_of_a_model_are_no_models(names):
    (note,) = notes_on(FOREST | dict(zip(names, [LOWER, UPPER])))
    assert note.endswith("are called like statistics of rf: are they models?")


@pytest.mark.parametrize("name", ["rf_std", "rf ±", "rf_sd", "rf_err", "rf p-value"])
def test_the_error_of_a_model_is_no_model(name):
    (note,) = notes_on(FOREST | {name: ERRORS})
    assert note.endswith("is called like a statistic of rf: is it a model?")


@pytest.mark.parametrize(
    "names",
    [("rf_min", "rf_max"), ("rf-sd", "rf_se"), ("rf upper", "rf_err"), ("rf_mean",)]
    + [("upper bound", "ci"), ("memory net", "size M"), ("prevalence", "fps")]
    + [("min-cost", "energy model"), ("unnamed baseline", "price-aware")]
    + [("rf-ci", "rf_uci"), ("rf__large", "rf conf"), ("latency", "throughput")]
    + [("vit_h", "vit_ms"), ("clip_mm", "clip_kg"), ("mean", "best")],
)
def test_models_that_are_called_like_statistics_and_have_scores(names):
    assert notes_on(FOREST | dict(zip(names, NEAR[2:]))) == []


@pytest.mark.parametrize(
    "names",
    [("y", "n"), ("minmax", "std"), ("full", "delta"), ("cd", "ci"), ("raw", "diff")]
    + [("resnet", "resnet_se"), ("rnn", "memory"), ("random", "size"), ("vit", "gain")],
)
def test_of_two_models_one_may_be_better_everywhere(names):
    assert notes_on(dict(zip(names, [NEAR[0], NEAR[0] - 0.1]))) == []


def test_items_may_be_words():
    words = ["day", "mean", "best", "sum", "house", "summary", "tree"]
    assert notes(wide(words, "items")) == []
    (note,) = notes(wide([*words[::2], "mean"], "items"))
    assert "'mean' is labelled like a summary" in note


def test_efforts_of_a_model_that_have_an_order():
    assert notes_on(FOREST | {"rf-low": LOWER, "rf-high": UPPER}) == []
    assert notes_on(FOREST | {"rf_high": UPPER}) == []


@pytest.mark.parametrize(
    "name",
    ["latency_ms", "memory (GB)", "cost ($)", "price_usd", "tokens/s", "GPU hours"]
    + ["throughput", "fps", "prevalence", "n_positive", "#classes", "Unnamed: 0"]
    + [
        "svm_ci_low",
        "base_rate",
        "fit_time",
        "infer_ms",
        "svm__MIN",
        "sd",
        "sample_size",
    ],
)
def test_a_measure_is_no_model(name):
    (note,) = notes_on(FOREST | {name: ERRORS})
    assert note.startswith(f"{name} is called like")
    assert note.endswith(": is it a model?")


@pytest.mark.parametrize("name", ["n_beats", "n-gram", "cost-sensitive rf", "size M"])
def test_a_poor_model_may_be_called_almost_so(name):
    assert notes_on(FOREST | {name: ERRORS}) == []


@pytest.mark.parametrize("first", [0, 1])
def test_a_model_that_counts_the_rows(first):
    (note,) = notes_on(FOREST | {"index": np.arange(8.0) + first})
    assert note == "index counts the rows: is it a model?"
    assert notes_on({"a": np.arange(4.0), "b": np.arange(4.0)[::-1]}) == []


def test_a_metric_may_be_a_measure():
    latency = Metric("latency", better="lower")
    assert notes_on(FOREST | {"p50 latency (ms)": NEAR[2]}, latency) == []


@pytest.mark.parametrize(
    ("name", "n_decimals", "n_noted"),
    [("weight", 2, 1), ("survey_weight", 0, 1), ("poids", 2, 1), ("cost", 3, 1)]
    + [("weight", 1, 0), ("energy", 1, 0), ("weighted", 2, 0), ("weight decay", 2, 0)],
)
def test_a_description_of_items_is_rounded_otherwise(name, n_decimals, n_noted):
    errors = {model: RNG.gamma(2, 300, 40).round(1) for model in ("hot deck", "rf")}
    errors[name] = RNG.gamma(2, 300, 40).round(n_decimals)
    found = notes_on(errors, Metric("absolute error", better="lower"))
    assert len(found) == n_noted
    assert all("is called like a" in note for note in found)


@pytest.mark.parametrize(
    ("names", "piece"),
    [
        (["onnx (ms)", "tensorrt (s)"], "have different units"),
        (["onnx_ms", "tensorrt_s"], "have different units"),
        (["gpu [kWh]", "cpu [J]", "tpu"], "have different units"),
        (["MACE MAE (eV)", "SchNet MAE (meV)"], "have different units"),
        (["MACE MAE eV", "SchNet MAE meV"], "have different units"),
        (["a (kcal mol⁻¹)", "b (kJ/mol)"], "have different units"),
        (["unet hd95 (mm)", "vnet hd95 (voxels)"], "have different units"),
        (["orb_rmse_mm", "vins_rmse_cm"], "have different units"),
        (["gauge_mae_days", "twin_mae_weeks"], "have different units"),
        (["glm_pct", "gbm_bps"], "have different units"),
        (["raft-px", "flownet-mm"], "have different units"),
        (["clip_mm", "align_cm"], None),
        (["vit_mae_s", "vit_mae_h"], None),
        (["mix_lin", "mix_log"], None),
        (["unet hd95 (mm)", "vnet hd95 [mm]"], None),
        (["ppo_train", "sac_eval"], "on different parts of the data"),
        (["net (seen)", "tree (unseen)"], "on different parts of the data"),
        (["glm fit rmse", "gbm holdout rmse"], "on different parts of the data"),
        (["maxent dev", "brt blind"], "on different parts of the data"),
        (["bert_test", "t5_eval"], None),
        (["lm_fit", "gam_fit"], None),
        (["G-Eval", "UniEval"], None),
        (["blind deconvolution", "blind SR"], None),
        (["PPO (return)", "SAC (success %)"], "scored by different metrics"),
        (["ppo_episode_return", "sac_success_rate"], "scored by different metrics"),
        (["unet (HD95 mm)", "vnet (ASSD mm)"], "scored by different metrics"),
        (["gru (MRR@10)", "bm25 (bpref)"], "scored by different metrics"),
        (["gru_mrr@10", "bm25_ndcg@10"], "scored by different metrics"),
        (["unet_hd95_mm", "vnet_assd_mm"], "scored by different metrics"),
        (["dqn (episode length)", "a2c (return)"], "scored by different metrics"),
        (["netTrain", "treeEval"], "on different parts of the data"),
        (["net_trainset", "tree_evalset"], "on different parts of the data"),
        (["PPO (reward)", "DPO (reward)"], None),
        (["efficientnet_b3", "mobilenet_b3"], None),
        (["snn_small", "snn_large"], None),
        (["yolo_giou", "yolo_ciou"], None),
        (["bridge (PA)", "tunnel (IS)"], None),
        (["DT (return)", "DT (success)"], None),
        (["SAC (sparse reward)", "TD3 (dense reward)"], None),
        (["a ($/task)", "b [$ per task]"], None),
        (["a (kJ/mol)", "b (kJ mol^-1)"], None),
        (["svm (KD)", "nb (TL)", "rf (ML)"], None),
        (["clip_mm", "svm_cal", "net_bit"], None),
        (["bert_dev_acc", "roberta_test_acc"], "on different parts of the data"),
        (["Validation BERT", "Test RoBERTa"], "on different parts of the data"),
        (["dev-bert", "test/roberta"], "on different parts of the data"),
        (["logistic (internal)", "xgb (external)"], "on different parts of the data"),
        (["svm test-set acc", "nb dev-set acc"], "on different parts of the data"),
        (["svm_train_acc", "nb (train)"], "scored on training data"),
        (["train 1e-3", "train 1e-2"], None),
        (["BERT (mean of 5 runs)", "ours (best of 5 runs)"], "runs differently"),
        (["bert_mean", "ours_best"], "runs differently"),
        (["A avg. over seeds", "B max over seeds"], "runs differently"),
        (["onnx (ms)", "tensorrt (ms)"], None),
        (["vit (s)", "vit (h)"], None),
        (["lasso (L1)", "ridge (L2)"], None),
        (["resnet (V1)", "resnet (V2)"], None),
        (["deit_s", "deit_ms"], None),
        (["bm25 (ms)", "dense (nq)"], None),
        (["bert_dev", "roberta_validation"], None),
        (["val-tuned", "test-tuned"], None),
        (["external memory", "internal memory"], None),
        (["test-time training", "training-free"], None),
        (["gcn (mean)", "gcn (max)"], None),
        (["mean teacher", "best subset"], None),
        (["greedy", "best of 16"], None),
        (["A (mean of 5 runs)", "B (mean of 3 runs)"], None),
    ],
)
def test_models_that_cannot_be_compared(names, piece):
    found = notes_on(dict(zip(names, NEAR)))
    assert len(found) == (piece is not None)
    assert all(piece in note for note in found)


@pytest.mark.parametrize(
    ("label", "is_noted"),
    [
        *[(label, True) for label in ("gsm8k_train", "SQuAD (training)", "iris:train")],
        *[(label, True) for label in ("SQuAD train", "wine training set")],
        *[(label, True) for label in ("Training cohort", "apparent (training data)")],
        *[(label, True) for label in ("Development cohort", "derivation sample")],
        *[(label, False) for label in ("development set", "development", "cohort")],
        *[(label, False) for label in ("trains", "bullet train", "train", "retrain")],
        *[(label, False) for label in ("training_on_test_set", "Trainor Clinic")],
    ],
)
def test_the_training_part_of_a_data_set(label, is_noted):
    found = notes(wide([*SETS, label]))
    assert len(found) == is_noted
    assert all("is a part for training" in note for note in found)


def test_rows_that_are_parts_of_the_data():
    (note,) = notes(wide(["val", "test"], "seeds"))
    assert note == "The rows are called 'val' and 'test': are they parts of the data?"


# ---------------------------------------------------------------- tables that were turned

CIFAR = ["CIFAR-10", "CIFAR-100", "SVHN"]
SITES = ["site A", "site B", "site C"]


NETWORKS = ["mBERT", "XLM-R-base", "XLM-R-large", "mT5-base", "RemBERT", "DeBERTa-v3"]


@pytest.mark.parametrize(
    ("rows", "models", "noted"),
    [
        (["ResNet-50", "ViT-B/16", "DeiT-S", "EfficientNet-B0"], CIFAR, "rows"),
        (["Llama-2-7b", "Mistral-7B-v0.1", "phi-2", "Ours"], ["gsm8k", "arc"], "rows"),
        (["acme/Some-13B-chat", "GLM-130B", "gpt-4o-mini"], ["mmlu", "piqa"], "rows"),
        (["PPO", "SAC", "TD3"], ["HalfCheetah-v4", "Hopper-v4"], "rows"),
        (["Ours-net", "SAC", "TD3", "REDQ"], ["Ant-v4", "Swimmer-v4"], "rows"),
        (["BPR", "EASE", "LightGCN", "SASRec"], ["ML-1M", "Gowalla", "mean"], "rows"),
        (["AutoETS", "DLinear", "PatchTST", "N-HiTS"], ["ETTh1", "ILI"], "rows"),
        (["BM25", "SPLADE++", "ColBERTv2", "E5"], ["NFCorpus", "SciFact"], "rows"),
        (["Ours-net", "SAC", "New", "TD3"], ["Ant-v4", "Swimmer-v4"], "models"),
        (["xgboost", "RandomForestClassifier", "TabPFN"], ["adult", "higgs"], "rows"),
        (["SVC", "GaussianNB", "LogisticRegression"], ["iris", "wine"], "rows"),
        (["Logit", "probit", "GBRT"], ["my bank", "their bank"], "rows"),
        (["SVM", "LogReg", "MyNet", "xgboost"], ["adult", "higgs", "bank A"], "rows"),
        (["SVM", "random forest", "new"], ["german credit", "x", "y", "z"], None),
        (["SVM", "random forest", "iris"], ["Platt", "isotonic"], None),
        (NETWORKS, ["de", "fr", "es", "ru", "zh", "sw"], "rows"),
        (NETWORKS, ["en-de", "de-en", "en-fr"], "rows"),
        (NETWORKS, ["deu_Latn", "zho_Hans", "swh_Latn"], "rows"),
        (NETWORKS, ["pt-BR", "zh-CN", "de"], "rows"),
        (["NLLB-3.3B", "M2M-12B", "MADLAD"], ["en→cs", "cs→en", "en→ha"], "rows"),
        (SITES, CIFAR, "models"),
        (SITES, ["arc_challenge", "HellaSwag", "mmlu", "math"], "models"),
        (SITES, ["iris", "breast cancer", "ionosphere", "abalone"], "models"),
        # several methods on several models are compared as on several data sets
        (["Llama-2-7b", "Llama-2-13b", "Qwen-7B"], ["GPTQ", "AWQ"], None),
        (["ResNet-50", "ViT-B/16", "Swin-T"], ["Adam", "SGD"], None),
        (["gpt-4o", "llama-3-8b", "qwen-7b"], ["zero-shot", "5-shot", "CoT"], None),
        (["gpt-4", "llama-2-7b", "claude-2"], ["roberta-detector", "ours"], None),
        # models are called after the data that they were trained on
        ([*CIFAR, "DTD", "EuroSAT"], ["ImageNet-1k", "ImageNet-21k", "JFT-300M"], None),
        (["rte", "mrpc", "cola", "sst-2"], ["mnli", "snli", "qnli"], None),
        (SITES, ["ImageNet", "Places365", "iNat"], None),
        # words of another meaning
        (SITES, ["vote", "drop", "record", "wine"], None),
        (SITES, ["Breakout", "Seaquest", "Zaxxon", "my game"], "models"),
        (SITES, ["Breakout", "Seaquest", "my game"], None),
        (["ETTh1", "ILI", "PEMS-BAY"], ["naive", "theta", "moment", "film"], None),
        (["naive", "theta", "complex"], ["planet", "react", "orb"], None),
        (["opt", "gas", "digits", "gin"], ["bart", "mae"], None),
        (CIFAR, ["ResNet-50", "ViT-B/16"], None),
        # codes of languages are short for learners, too, or models are called after them
        (NETWORKS, ["nb", "lr", "rf"], None),
        (NETWORKS, ["de", "en+de"], None),
        (SITES, ["de", "fr", "es"], None),
        (["de", "fr", "es", "ru"], NETWORKS, None),
    ],
)
def test_a_table_that_was_turned(rows, models, noted):
    frame = pd.DataFrame(RNG.random((len(rows), len(models))), rows, models)
    found = notes(from_wide(frame, design="datasets", metric=ANY))
    assert len(found) == (noted is not None)
    assert all(note.startswith(f"The {noted} are called") for note in found)
    assert all(note.endswith("A table has a column for each model.") for note in found)


@pytest.mark.parametrize(
    ("metric", "labels", "is_noted"),
    [
        ("rmse", ["glucose [mg/dL]", "sodium [mmol/L]"], True),
        ("mae", ["weight (kg)", "pressure (mmHg)", "age"], True),
        ("r2", ["weight (kg)", "pressure (mmHg)", "age"], False),
        (
            "mae",
            ["gap (meV)", "dipole (D)", "ESOL (log mol/L)", "phonons (1/cm)"],
            True,
        ),
        ("mse", ["energy [meV]", "forces [meV/A]"], True),
        ("mean_absolute_error", ["price ($)", "demand (MWh)"], True),
        ("rmse", ["price (€/m²)", "wind (m/s)", "rain (mm)"], True),
        ("rmse", ["wine (UCI)", "glass (3 classes)", "heart (NL)"], False),
        ("rmse", ["yacht (s)", "yacht (m)", "yacht (l)"], False),
        ("rmse", ["load (GB)", "load (DE)", "load (MW)", "load (FR)"], False),
        ("rmse", ["E (kcal/mol)", "F (kcal·mol⁻¹)"], False),
        ("rmse", ["HDL [mg/dL]", "LDL [mg/dL]"], False),
        ("rmse", ["AMI (ms)", "AMI (far)"], False),
    ],
)
def test_errors_in_different_units(metric, labels, is_noted):
    frame = pd.DataFrame(RNG.random((len(labels), 2)), labels, ["svm", "nb"])
    found = notes(from_wide(frame, design="datasets", metric=metric))
    assert len(found) == is_noted
    assert all("have different units by their labels" in note for note in found)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("MajorityClassShare", "description"),
        ("PercentageOfMissingValues", "description"),
        ("class entropy", "description"),
        ("ORACLE (ext.)", "upper bound"),
        ("greedy oracle", "upper bound"),
        ("oracle (5-best)", "upper bound"),
        ("MajorityClass", None),
        ("ClassBalanced", None),
        ("TotalSegmentator", None),
        ("NumberNet", None),
        ("oracle", None),
        ("Oracle (70B)", None),
        ("prevalence", None),
    ],
)
def test_models_that_are_none_whatever_their_scores(name, says):
    scores = RNG.normal(0.8, 0.05, (9, 3)).round(3)
    frame = pd.DataFrame(scores, columns=["svm", "nb", name], index=numbered("set", 9))
    found = notes(from_wide(frame, design="datasets", metric=ANY))
    assert len(found) == (says is not None)
    assert all(f"{name} is called like a" in x and says in x for x in found)


# ---------------------------------------------------------------- names beside each other


@pytest.mark.parametrize(
    ("models", "says"),
    [
        (["ARIMA_MASE", "ARIMA_sMAPE", "ETS_MASE", "ETS_sMAPE"], "metrics of models"),
        (["qr_q50", "gbm_q90"], "different quantiles"),
        (["arima", "arima-lo-95", "arima-hi-95"], "limit of an interval"),
        (["arima_insample", "nbeats_outsample"], "different parts"),
        (["champion_dev", "challenger_oot"], "different parts"),
        (["champion (ITV)", "challenger (OOT)"], "different parts"),
        (["champion hold-out", "challenger out-of-time"], "different parts"),
        (["champion_OOT_2022Q4", "challenger_OOT_2023Q2"], "different parts"),
        (["champion test 2022", "challenger test 2023"], "different parts"),
        (["champion_OOT_2023", "challenger_OOT_2023"], None),
        (["champion_oos", "challenger_test"], None),
        (["scorecard_2019", "xgb_2023"], None),
        (["retrained_2022Q4", "retrained_2023Q2"], None),
        (["train_2021", "train_2022"], None),
        (["svm-test-time-2022", "svm-test-time-2023"], None),
        (["arima_rmse", "tcn_mae", "nbeats_mae"], "different metrics"),
        (["rmse_xgb", "mae_gru"], "different metrics"),
        (["ridge (MAE)", "PLS (MAE)"], "scored by 'MASE'"),
        (["persistence smape", "tft smape"], "scored by 'MASE'"),
        (["resnet_mse", "resnet_mae", "vit_mse", "vit_mae"], None),
        (["resnet_mse", "vit_mae"], None),
        (["gru_mae", "tcn_mae"], None),
        (["ridge_mase", "gru_mase"], None),
        (["xgb_rmse", "xgb_mae", "lgbm_rmse"], None),
        (["ridge_huber", "gru_mae"], None),
        (["llama-q4", "llama-q8"], None),
        (["gbm_q90", "qr_q90"], None),
    ],
)
def test_models_whose_names_differ_in_what_is_measured(models, says):
    scores = RNG.random((len(models), 9))
    metric = Metric("MASE", better="lower")
    found = notes(
        from_arrays(dict(zip(models, scores)), design="datasets", metric=metric)
    )
    assert bool(found) == (says is not None)
    assert all(says in note for note in found)


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        (
            [f"{s}_{h}" for s in ("ETTh1", "Weather", "ILI") for h in (96, 192)],
            "groups",
        ),
        ([0.125, 0.25, 0.5, 1.0], "thresholds"),
        ([*"abcde", "All series"], "summary"),
        ([*"abcde", "RTFx"], "summary"),
        (["breast-cancer", "heart-c", "heart-h", "breast-w"], None),
        ([3, 11, 24, 31], None),
        ([0.5], None),
        ([*"abcde", "support"], None),
    ],
)
def test_data_sets_whose_labels_are_others(labels, says):
    found = notes(wide(labels))
    assert bool(found) == (says is not None)
    assert all(says in note for note in found)


def test_chosen_rows_are_of_one_part():
    rows = [
        (m, i, "val" if i < 5 else "test", RNG.random()) for m in "ab" for i in range(9)
    ]
    frame = pd.DataFrame(rows, columns=["model", "item", "split", "score"])
    for parts, is_noted in ((["val", "test"], True), (["test"], False), ("val", False)):
        table = Scores(frame, design="items", metric=ANY, where={"split": parts})
        assert bool(notes(table)) == is_noted


# ---------------------------------------------------------------- one model several times


@pytest.mark.parametrize(
    "names",
    [
        ["attempt_1", "attempt_2", "attempt_3"],
        ["sasrec-seed0", "sasrec-seed1", "gru4rec-seed0", "gru4rec-seed1"],
        ["ppo (seed 42)", "ppo (seed 7)", "random"],
        ["bert/run1", "bert/run2"],
        ["fold1_svm", "fold2_svm", "fold1_nb", "fold2_nb"],
        ["gpt-4 sample 1", "gpt-4 sample 2"],
        ["xgb.rep1", "xgb.rep2"],
        ["trial 0", "trial 1", "trial 2"],
        ["lgbm_rs1", "lgbm_rs2", "lgbm_rs3"],
        ["lgbm_random_state1", "lgbm_random_state42"],
        ["ALIGNN_rs123", "ALIGNN_rs42", "ALIGNN_rs7"],
        ["unet-s42", "unet-s7"],
        ["net (init 0)", "net (init 1)"],
        [f"{model}_s{i}" for model in ("sac", "td3") for i in range(3)],
        [f"{model}_{i}" for model in ("sac", "td3") for i in range(3)],
        [f"{model}-ckpt{i}00" for model in ("sac", "td3") for i in (2, 4, 8)],
    ],
)
@pytest.mark.parametrize("design", ["items", "datasets"])
def test_models_that_are_runs_of_one(names, design):
    models = dict(zip(names, RNG.normal(0.8, 0.03, (9, 20)).round(3)))
    (note,) = notes(from_arrays(models, design=design, metric=ANY))
    assert "are called" in note
    assert "are they" in note


@pytest.mark.parametrize(
    "names",
    [
        ["bert-base-v1", "bert-base-v2", "gpt-4", "gpt-3"],
        ["resnet18", "resnet50", "vgg-16", "vgg-19"],
        ["resnet-rs50", "resnet-rs101"],
        [
            "ResNet-RS-152",
            "ResNet-RS-200",
            "ResNet-RS-270",
            "ResNet-RS-350",
            "ResNet-RS-420",
        ],
        ["gru_rs42", "lstm_rs42"],
        ["yolo-s640", "yolo-s1280"],
        ["whisper-42", "whisper-123"],
        ["top-5", "top-10", "k=3", "k=5"],
        ["seed-vl-1.5", "Seed-1.6", "seed-coder-8b", "seedream-3"],
        ["sasrec-seed42", "gru4rec-seed42"],
        ["xgb_cv5", "xgb_cv10"],
        ["pythia-step1000", "pythia-step143000"],
        ["llama-1", "llama-2", "llama-3", "phi-1", "phi-2", "phi-3"],
        ["efficientnet-b0", "efficientnet-b1", "efficientnet-b2"],
        ["alphafold2", "alphafold3", "esmfold"],
        ["model_1", "model_2", "model_3"],
        ["sample-efficient", "fold-in", "run-length", "repeat-padding"],
        ["rnn_0", "rnn_1", "rnn_2"],
    ],
)
def test_models_with_numbers_of_other_things(names):
    models = dict(zip(names, RNG.normal(0.8, 0.03, (9, 20)).round(3)))
    assert notes(from_arrays(models, design="items", metric=ANY)) == []


# ---------------------------------------------------------------- kinds of errors


@pytest.mark.parametrize(
    ("names", "metric", "kinds"),
    [
        (["Corr", "Sub", "Del", "Ins", "Err"], "wer", slice(None)),
        (["sub_rate", "del_rate", "ins_rate"], "CER", slice(None)),
        (["tdnn", "insertions", "deletions"], "wer", slice(1, None)),
        (
            ["zip", "tdnn Sub (%)", "tdnn Del (%)", "tdnn WER (%)"],
            "wer",
            slice(1, None),
        ),
        (["miss", "false alarm", "confusion", "DER"], "DER", slice(None)),
        (["sub", "svm"], "wer", slice(0)),
        (["tdnn", "tdnn_ins", "tdnn_del"], "wer", slice(0)),  # trained with such errors
        (["ctc_error", "rnnt_error"], "wer", slice(0)),
        (["sub-word", "del-net", "insight"], "wer", slice(0)),
        (["missformer", "fa", "der-net"], "DER", slice(0)),
        (["ins", "del", "sub"], "accuracy", slice(0)),
    ],
)
def test_kinds_of_errors_of_one_model(names, metric, kinds):
    better = "higher" if metric == "accuracy" else "lower"
    found = notes(
        from_arrays(
            dict(zip(names, RNG.uniform(0.1, 0.4, (5, 20)).round(3))),
            design="items",
            metric=Metric(metric, better=better),
        )
    )
    says = f"{listed(names[kinds])} are called like kinds of errors: are they models?"
    assert found == ([says] if names[kinds] else [])


# ---------------------------------------------------------------- owners of models


@pytest.mark.parametrize(
    ("names", "is_noted"),
    [
        (["openai/whisper-large-v3", "whisper-large-v3", "nvidia/canary-1b"], True),
        (["meta-llama/Llama-3.1-8B", "llama-3.1-8b"], True),
        (["bert-base-uncased", "google-bert/bert-base-uncased"], True),
        (["openai/whisper-large-v3", "openai/whisper-large-v2"], False),
        (["facebook/bart-large", "google/bart-large"], False),  # two owners, two models
        (["facebook/bart-large", "google/bart-large", "bart-large"], False),
        (["rag/gpt-4", "gpt-4"], False),  # with and without something
        (["cnn/lstm", "lstm"], False),
        (["int8/resnet50", "resnet50"], False),
        (["teacher/student-net-2", "student-net-2"], False),
        (["ViT-B/16", "16"], False),
        (["openai/whisper-large-v3", "whisper-large"], False),
    ],
)
@pytest.mark.parametrize("design", ["items", "datasets"])
def test_a_model_with_and_without_its_owner(names, is_noted, design):
    models = dict(zip(names, RNG.normal(0.8, 0.03, (9, 20)).round(3)))
    found = notes(from_arrays(models, design=design, metric=ANY))
    assert [note.endswith("an owner: are they one model?") for note in found] == (
        [True] * is_noted
    )


# ---------------------------------------------------------------- stems with statistics


@pytest.mark.parametrize(
    ("own", "spread"),
    [("_M", "_SD"), ("_mean", "_SD"), (" (est.)", " (SE)"), ("_x", "_sem")]
    + [(" AUC", " ± SD"), (" F1", " (σ)"), (".avg", ".std"), ("", "_var")],
)
@pytest.mark.parametrize("size", [0.05, 0.6])
def test_spreads_of_models_whose_names_have_the_same_ends(own, spread, size):
    models = {}
    for place, stem in enumerate(["RF", "SVM", "kNN"]):
        models[stem + own] = NEAR[place]
        models[stem + spread] = (size * NEAR[place] ** 2).round(3)
    found = notes_on(models)
    assert len(found) == 3
    assert f"is called like a statistic of RF{own}: is it a model?" in found[0]


@pytest.mark.parametrize(
    "names",
    [
        ["resnet_base", "resnet_se", "vgg_base", "vgg_se"],
        ["svm_minmax", "svm_std", "knn_minmax", "knn_std"],
        ["o3 (low)", "o3 (medium)", "o3 (high)", "o1 (low)"],
        ["dot_ci", "dot_cd", "net_ci", "net_cd"],
    ],
)
def test_variants_that_are_called_like_spreads(names):
    assert notes_on(dict(zip(names, NEAR))) == []


# ---------------------------------------------------------------- ways of scoring

OF_OTHER_DATA = [
    ["alignn_mp-2018.6.1", "cgcnn_jarvis-dft3d"],
    ["ALIGNN (MP)", "CGCNN (JARVIS)"],
    ["CGCNN-MP2018", "ALIGNN-MP2021"],
    ["SSRN IndianPines", "HybridSN PaviaU"],
    ["ANNz2 SDSS", "GPz DES"],
    ["RAPID PLAsTiCC", "ParSNIP ELAsTiCC"],
    ["lstm_fd001", "cnn_fd002"],
    ["TranAD SMD", "Omni SWaT"],
    ["layoutlm FUNSD", "donut SROIE"],
    ["ecapa Vox1-O", "resnet SITW"],
]
OF_NO_OTHER_DATA = [
    ["MACE-MPtrj", "eqV2-OMat24"],  # what they were trained on
    ["wav2vec2-librispeech", "conformer-gigaspeech"],
    ["resnet50-fmow", "vit-bigearthnet"],
    ["KNORA-DES", "META-DES"],
    ["lda-fisher", "svm-kids"],
    ["net-deep2", "cnn-deep3"],
    ["BOSS", "ROCKET"],
    ["ALIGNN (MP)", "CGCNN (MP)"],
]


@pytest.mark.parametrize(
    ("names", "design", "is_noted"),
    [
        (["NeuMF (100 negatives)", "EASE (full ranking)"], "seeds", True),
        (["NeuMF (100 neg)", "EASE (1000 neg)", "BPR"], "items", True),
        (["bpr-sampled", "ease-full"], "datasets", True),
        (["SAC (best checkpoint)", "TD3 (final)"], "seeds", True),
        (["GPT-4 (reported)", "Llama-3 (our run)"], "datasets", True),
        (["mistral-7b acc", "llama3-8b acc_norm"], "datasets", True),
        (["sac_best", "td3_last"], "seeds", True),
        (["GPT-4 (0-shot)", "Llama [5-shot]"], "items", True),
        (["gpt4_zero_shot", "llama_5_shot"], "datasets", True),
        (["GPT-4 (CoT, 0-shot)", "Llama (CoT; 5-shot)"], "items", True),
        (["BERT @512 tokens", "Longformer @1024 tokens"], "items", True),
        (["svm (10-fold CV)", "rf (hold-out)"], "seeds", True),
        (["DQN (200M frames)", "PPO (10M frames)"], "seeds", True),
        (["sasrec_ml-1m", "bert4rec_ml-20m"], "seeds", True),
        (["sasrec (ML-100K)", "gru (Gowalla)"], "seeds", True),
        (["resnet-cifar10", "vit-cifar100"], "seeds", True),
        (["a_data-1m", "b_data-20m"], "seeds", True),
        *((names, "seeds", True) for names in OF_OTHER_DATA),
        *((names, "seeds", False) for names in OF_NO_OTHER_DATA),
        (["lasso (alpha=0.1)", "lasso (alpha=1)"], "seeds", False),
        (["RF (100 trees)", "GBM (500 trees)"], "seeds", False),
        (["ResNet (25M)", "ViT (86M)", "Llama (q4)", "Qwen (q8)"], "items", False),
        (["gpt (0-shot)", "gpt (5-shot)", "llama (5-shot)"], "items", False),
        (["gpt (0-shot)", "llama (0-shot)", "T5 (fine-tuned)"], "items", False),
        (["Zero-shot CLIP", "CoOp (16-shot)", "Tip (16-shot)"], "datasets", False),
        (["ViT@224", "Swin@384"], "seeds", False),
        (["vit_in-1k", "swin_in-22k"], "seeds", False),
        (["ViT (ImageNet-21k)", "ResNet (COCO)"], "seeds", False),
        (["mnli-bert", "roberta_snli", "bart_mnli"], "seeds", False),
        (["best-first", "last-fm", "tuned best"], "seeds", False),
        (["llama-8b", "mistral-7b"], "seeds", False),
        (["gru_ctx-8k", "mamba_ctx-32k"], "seeds", False),
        (["sasrec_ml-1m", "bert4rec_ml-20m"], "datasets", False),
        (["ease-full", "neumf-sampled", "neumf-full"], "items", False),
        (["MAE (800 epochs)", "MoCo (300 epochs)"], "seeds", False),
        (["DDIM (50 steps)", "DPM (20 steps)"], "seeds", False),
    ],
)
def test_models_that_were_scored_in_different_ways(names, design, is_noted):
    models = dict(zip(names, RNG.normal(0.8, 0.03, (9, 20)).round(3)))
    found = notes(from_arrays(models, design=design, metric=ANY))
    assert len(found) == is_noted
    assert all(note.endswith("can they be compared?") for note in found)


@pytest.mark.parametrize(
    ("names", "metric", "is_noted"),
    [
        (["whisper (normalized)", "wav2vec (raw text)"], "WER", True),
        (["whisper (with normalization)", "mms (w/o normalization)"], "cer", True),
        (["whisper (cased)", "mms (uncased)"], "WER", True),
        (["TranAD (PA)", "OmniAnomaly (w/o PA)"], "f1", True),
        (["PatchCore I-AUROC", "PaDiM P-AUROC"], "auroc", True),
        (["PatchCore (image)", "PaDiM (pixel-level)"], "roc_auc", True),
        (["ecapa minDCF(p=0.01)", "resnet minDCF(p=0.05)"], "minDCF", True),
        (
            ["conformer (average of 10 checkpoints)", "tdnn (last checkpoint)"],
            "WER",
            True,
        ),
        (["conformer_ave_10best", "tdnn_latest"], "WER", True),
        (["conformer valid.acc.ave_10best", "tdnn latest.pth"], "WER", True),
        (["RF random split", "UNet spatial split"], "r2", True),
        (["MACE (relaxed)", "CHGNet (unrelaxed)"], "mae", True),
        (["SchNet energy", "PaiNN forces"], "mae", True),
        (["yolo (T4)", "detr (A100)"], "latency_ms", True),
        (["yolo (V100)", "detr (H100 80GB)", "ssd"], "throughput", True),
        (["yolo (M1)", "detr (Jetson Orin)"], "fps", True),
        (["yolo_cpu", "detr_gpu"], "latency", True),
        (["resnet50 batch=32", "mobilenet batch=1"], "throughput", True),
        (["resnet50 bs32", "mobilenet bs1"], "images_per_sec", True),
        (["kNN (normalized)", "RF (raw)"], "accuracy", False),
        (["BERT (cased)", "DistilBERT (uncased)"], "f1", False),
        (["bert-base-cased", "roberta-uncased"], "WER", False),
        (["CNN (image)", "RF (pixel)"], "accuracy", False),
        (["ours (PA)", "ours (w/o PA)"], "f1", False),
        (["ridge (p=0.01)", "mlp (p=0.05)"], "r2", False),
        (["yolo (T4)", "yolo (A100)"], "latency", False),
        (["yolo (GPU)", "detr (A100)"], "latency", False),
        (["yolo (CPU)", "detr (CPU)"], "latency", False),
        (["MACE (T4)", "SVR (A100)"], "mae", False),
        (["LSTM (M1)", "SVR (M2)"], "mae", False),
        (["repvit_m1", "efficientvit_m2"], "throughput", False),
        (["resnet50 (bs32)", "vit (bs64)"], "accuracy", False),
        ([f"{x} bs{n}" for x in ("resnet", "vit") for n in (1, 32)], "fps", False),
        (["MACE", "CHGNet (relaxed)"], "mae", False),
        (["energy net", "force field"], "mae", False),
    ],
)
@pytest.mark.parametrize("design", ["seeds", "datasets"])
def test_ways_of_scoring_of_some_metrics(names, metric, is_noted, design):
    lower = {"WER", "cer", "minDCF", "mae", "latency", "latency_ms"}
    better = "lower" if metric in lower else "higher"
    models = dict(zip(names, RNG.normal(0.8, 0.03, (9, 20)).round(3)))
    table = from_arrays(models, design=design, metric=Metric(metric, better=better))
    assert len([note for note in notes(table) if "different ways" in note]) == is_noted


# ---------------------------------------------------------------- scores of other scores

THREE = dict(zip(["nb", "c45", "svm"], RNG.normal(0.8, 0.03, (3, 12)).round(3)))


def best(*names, of=THREE):
    return np.max([of[name] for name in names], axis=0)


@pytest.mark.parametrize(
    ("name", "scores"),
    [
        ("best baseline", best("nb", "c45")),
        ("x", best("nb", "c45")),
        ("x", np.min([THREE["nb"], THREE["svm"]], axis=0)),
        ("x", np.mean([*THREE.values()], axis=0).round(3)),
        ("x", np.sum([*THREE.values()], axis=0)),
    ],
)
def test_scores_that_are_computed_from_those_of_others(name, scores):
    (note,) = notes_on(THREE | {name: scores})
    assert note == f"The scores of {name} are computed from those of the others."
    # one that is chosen by other data, or a sample, is not the best in every row
    chosen = scores.copy()
    chosen[3] = min(x[3] for x in THREE.values()) + 0.001
    assert notes_on(THREE | {name: chosen}) == []


@pytest.mark.parametrize(
    ("n_others", "n_rows", "is_rare"), [(2, 9, True), (4, 6, False)]
)
def test_best_scores_of_few_rows_may_be_a_coincidence(n_others, n_rows, is_rare):
    scores = np.arange(n_others * n_rows, dtype=float).reshape(n_rows, n_others) / 100
    order = [np.roll(row, place) for place, row in enumerate(scores)]
    models = dict(zip("abcd", np.stack(order).T))
    assert bool(notes_on(models | {"x": scores.max(axis=1)})) == is_rare


@pytest.mark.parametrize("name", ["x", "residue"])
def test_scores_that_are_the_difference_of_two_others(name):
    models = THREE | {name: (THREE["svm"] - THREE["nb"] / 2).round(3)}
    assert notes_on(models) == []
    models["half"] = (THREE["nb"] / 2).round(3)
    (note,) = notes_on(models)
    assert note in (
        "The scores of half are those of svm minus those of x.",
        f"The scores of {name} are those of svm minus those of half.",
        f"The scores of half are those of svm minus those of {name}.",
    )


ITEMS = dict(zip(["nb", "c45", "svm"], RNG.integers(0, 2, (3, 200))))


@pytest.mark.parametrize("name", ["union", "oracle", "pass@3", "any agent"])
def test_items_that_any_model_solves(name):
    (note,) = notes_on(ITEMS | {name: best(*ITEMS, of=ITEMS)}, design="items")
    assert note == f"The scores of {name} are computed from those of the others."
    assert notes_on(ITEMS | {name: ITEMS["nb"][::-1]}, design="items") == []


@pytest.mark.parametrize(
    ("name", "scores"),
    [
        ("majority vote", np.median([*ITEMS.values()], axis=0)),
        ("either", best("nb", "c45", of=ITEMS)),
        ("both", ITEMS["nb"] * ITEMS["c45"]),
    ],
)
def test_combinations_of_models_that_are_right_or_wrong(name, scores):
    assert notes_on(ITEMS | {name: scores}, design="items") == []


def test_mixtures_may_have_the_mean_of_scores():
    mean = np.mean([*THREE.values()], axis=0).round(3)
    assert notes_on(THREE | {"soft vote": mean}) == []


@pytest.mark.parametrize(
    ("name", "is_noted"),
    [("tie", True), ("Tie (both bad)", True), ("neither", True), ("llama", False)],
)
def test_a_rest_that_completes_the_others(name, is_noted):
    votes = RNG.integers(0, 3, 60)
    models = {"gpt": votes == 0, "claude": votes == 1, name: votes == 2}
    models = {model: x.astype(float) for model, x in models.items()}
    found = notes_on(models, design="items")
    assert len(found) == is_noted
    assert all("add up to 1 in every row" in note for note in found)
    assert notes_on(models | {"gpt": models["gpt"][::-1]}, design="items") == []


# ---------------------------------------------------------------- the odd one out

RELATED = np.clip(RNG.normal(0.6, 0.2, 60) + RNG.normal(0, 0.1, (3, 60)), 0, 1).round(3)
PLAIN = dict(zip(["nb", "c45", "svm"], RELATED))
ANSWERS = (RNG.normal(size=150) + RNG.normal(0, 0.5, (2, 150)) > 0).astype(float)
SOLVED = dict(zip(["cox", "rsf"], ANSWERS))
CHANCE = np.tile([0, 1, 1, 0, 1, 0, 0, 0, 1, 0], 15)


@pytest.mark.parametrize(
    ("name", "scores", "is_noted"),
    [
        ("Vpn", np.repeat(range(1, 13), 5), True),
        ("x", np.tile(range(5), 12), True),
        ("x", np.arange(60)[::-1], True),
        ("x", np.sort(np.arange(60) % 7), True),
        ("relevantes", RNG.integers(2, 190, 60), True),
        ("rating", RNG.integers(1, 6, 60), True),
        ("majority", RNG.integers(0, 2, 60), False),
        ("human", RNG.integers(5, 90, 60), False),
        ("x", np.repeat(range(1, 13), 5) + 0.5, False),
    ],
)
def test_whole_numbers_beside_shares(name, scores, is_noted):
    found = notes_on(PLAIN | {name: scores})
    assert len(found) == is_noted
    assert all(note.startswith(f"{name} has") for note in found)
    # a table of ratings, or of errors in whole milliseconds
    rounded = {model: (9 * x).round() for model, x in PLAIN.items()}
    assert notes_on(rounded | {name: RNG.permutation(scores)}) == []


def test_whole_numbers_beside_others_of_any_size():
    scores = dict(zip(["dqn", "sac"], RNG.gamma(4, 900, (2, 30)).round(1)))
    assert notes_on(scores | {"dqn of paper": scores["dqn"].round()}) == []
    (note,) = notes_on(scores | {"Vpn": np.tile(range(10), 3)})
    assert note == "Vpn has the whole numbers 0 to 9, as labels are: is it a model?"


@pytest.mark.parametrize(
    "name", ["event", "status", "Censored", "weights", "survey_weight", "group"]
)
def test_something_about_the_items(name):
    (note,) = notes_on(SOLVED | {name: CHANCE}, design="items")
    assert note == f"{name} is called like something about the rows: is it a model?"
    # a camera of events is right about the same items as others
    alike = (ANSWERS[0] + CHANCE > 0).astype(float)
    assert notes_on(SOLVED | {name: alike}, design="items") == []
    assert notes_on(SOLVED | {"guess": CHANCE}, design="items") == []


@pytest.mark.parametrize(
    "name", ["rtf", "RTFx", "GFLOPs", "real-time factor", "num_rel"]
)
def test_a_measure_that_needs_no_unit(name):
    (note,) = notes_on(PLAIN | {name: RELATED[0][::-1] / 100 + 1.01})
    assert note.startswith(f"{name} is called like")
    better = "higher" if name == "RTFx" else "lower"
    metric = Metric(name, better=better)
    assert notes_on(PLAIN | {"asr": RELATED[0][::-1]}, metric) == []


# ---------------------------------------------------------------- rows of statistics


@pytest.mark.parametrize(
    "labels",
    [
        ["CUB", "CUB (SD)", "Cars", "Cars (SD)"],
        ["Kvasir", "Kvasir ± std", "ETIS"],
        ["lake", "river", "Std. dev. of river"],
        ["yelp", "yelp n", "imdb", "imdb n"],
        ["task a", "task b", "task a 95% CI"],
    ],
)
def test_rows_that_are_statistics_of_others(labels):
    (note,) = notes(wide(labels))
    assert note.endswith(
        "is labelled like a statistic of another row: is it a data set?"
    )


@pytest.mark.parametrize(
    "labels",
    [
        ["BreakHis", "BreakHis-SD", "BACH"],
        ["yeast", "yeast n", "wine"],
        ["speech", "speech-far", "music", "music-far"],
        ["SD-1", "LA-1", "NYC-1"],
        ["credit", "credit-error", "german"],
    ],
)
def test_rows_that_are_no_statistics_of_others(labels):
    assert notes(wide(labels)) == []


# ---------------------------------------------------------------- cutoffs and levels


@pytest.mark.parametrize(
    ("labels", "are"),
    [
        (["@5", "@10", "@50"], "cutoffs of one ranking"),
        (["Top 1%", "Top 5%", "Top 10%"], "cutoffs of one ranking"),
        (["H@1", "H@3", "H@10"], "cutoffs of one ranking"),
        (["at 10", "at 20", "at 50"], "cutoffs of one ranking"),
        (["rank-1", "rank-5", "rank-20"], "cutoffs of one ranking"),
        (["IoU>0.5", "IoU>0.75", "IoU>0.9"], "thresholds"),
        (["≥ 5 ratings", "≥ 20 ratings", "≥ 50 ratings"], "thresholds"),
        (["p < 0.05", "p < 1e-4"], "thresholds"),
        (["<18", "18-64", "≥65"], "levels of one data set"),
        (["<1k tokens", "1k-8k tokens", ">8k tokens"], "levels of one data set"),
        (["BI-RADS 2", "BI-RADS 3", "BI-RADS 4"], "levels of one data set"),
        (["KL grade 0", "KL grade 1", "KL grade 2"], "levels of one data set"),
        (["NYHA I", "NYHA II", "NYHA III"], "levels of one data set"),
        (["★", "★★", "★★★"], "levels of one data set"),
        (["5★", "4★", "3★"], "levels of one data set"),
        (["2nd grade", "3rd grade", "4th grade"], "levels of one data set"),
        (["Level 1", "Level 2", "Level 3"], "levels of one data set"),
        (["digit 0", "digit 1", "digit 2"], "classes"),
        (["Mild", "Moderate", "Severe", "None"], "classes of one data set"),
        (["never", "rarely", "often", "always"], "classes of one data set"),
    ],
)
def test_rows_that_are_cutoffs_or_levels_of_one_data_set(labels, are):
    (note,) = notes(wide(labels))
    assert note.endswith(f"are they {are}?")


@pytest.mark.parametrize(
    "labels",
    [
        ["laptop1", "laptop5", "laptop10"],
        ["vit@224", "swin@384", "deit@448"],
        ["mnist->usps", "usps->mnist", "svhn->mnist"],
        ["en>de", "de>en", "fr>en"],
        ["2018-2019", "2019-2020", "north"],
        ["monks-1", "monks-2", "monks-3"],
        ["2 moons", "3 spirals", "4 gaussians"],
        ["upgrade 1", "upgrade 2", "upgrade 3"],
        ["allstar A", "allstar B", "allstar C"],
        ["rank 1", "rank 2", "rank 3"],
        ["Never Mind", "often", "iris", "wine"],
        ["D1", "D2", "D3"],
        ["cat 1 star", "dog", "2 stars"],
    ],
)
def test_rows_that_look_like_cutoffs_or_levels(labels):
    assert notes(wide(labels)) == []


# ---------------------------------------------------------------- evaluations


@pytest.mark.parametrize(
    "models",
    [
        ["CV", "Public LB", "Private LB"],
        ["local", "public_lb"],
        ["resubstitution", "10-fold CV"],
        ["OOB error", "LOOCV"],
        ["5-fold", "repeated 10-fold", "leave-one-subject-out"],
        ["Within-company", "Cross-company"],
        ["intra-dataset", "inter-dataset"],
    ],
)
def test_models_that_are_ways_of_evaluation(models):
    scores = RNG.normal(0.8, 0.03, (6, len(models))).round(3)
    frame = pd.DataFrame(scores, index=numbered("entry"), columns=models)
    assert any(
        note.endswith("are they ways of evaluation?")
        for note in notes(from_wide(frame, design="datasets", metric=ANY))
    )


@pytest.mark.parametrize(
    "models",
    [
        ["local", "global"],
        ["Lasso CV", "Ridge CV"],
        ["LassoCV", "LassoLarsIC"],
        ["bootstrap", "bagging"],
        ["cross-encoder", "bi-encoder"],
        ["Cross-attention", "Self-attention"],
        ["non-private", "DP-SGD"],
        ["nested", "flat"],
        ["within", "cross"],
        ["UB", "LB"],
    ],
)
def test_models_that_are_called_almost_like_ways_of_evaluation(models):
    scores = RNG.normal(0.8, 0.03, (6, len(models))).round(3)
    frame = pd.DataFrame(scores, index=numbered("entry"), columns=models)
    found = notes(from_wide(frame, design="datasets", metric=ANY))
    assert not any("evaluation" in note for note in found)


@pytest.mark.parametrize(
    ("name", "is_noted"),
    [
        *((name, True) for name in ("is_attack", "was_churned", "phishing")),
        *((name, False) for name in ("ISLR", "attack_net", "hasty", "willow")),
    ],
)
def test_a_rare_class_that_the_others_predict(name, is_noted):
    truth = RNG.random(300) < 0.2
    predicted = np.where(RNG.random((3, 300)) < 0.9, truth, ~truth)
    models = dict(zip(["elm", "oak", "yew"], predicted)) | {name: truth}
    texts = notes(from_arrays(models, design="items", metric="accuracy"))
    assert any("is named like the truth" in text for text in texts) == is_noted


def test_of_several_questions_none_is_the_truth():
    right = np.where(RNG.random((3, 300)) < 0.8, RNG.random(300) < 0.6, 0)
    models = dict(zip(["is_right_a", "is_right_b", "svm"], right.astype(float)))
    assert notes(from_arrays(models, design="items", metric="accuracy")) == []


@pytest.mark.parametrize(
    ("name", "is_noted"),
    [
        *((name, True) for name in ("true_class", "ReferenceLabel", "gt_diagnosis")),
        *((name, True) for name in ("the correct answer", "expected_outputs", "gold")),
        *(
            (name, False)
            for name in ("reference", "true_north", "gold-7b", "answer_net")
        ),
        ("gold_standard_bert", False),
    ],
)
def test_a_truth_that_the_others_predict(name, is_noted):
    truth = RNG.integers(0, 2, 300)
    predicted = np.where(RNG.random((3, 300)) < 0.88, truth, 1 - truth)
    models = {
        "elm": predicted[0],
        name: truth,
        "oak": predicted[1],
        "yew": predicted[2],
    }
    texts = notes(from_arrays(models, design="items", metric="accuracy"))
    assert any("is named like the truth" in text for text in texts) == is_noted


def test_answers_of_a_model_that_is_called_gold_are_as_hard_as_those_of_others():
    hard = RNG.normal(0, 1.5, 300)
    right = RNG.normal(0, 1, (3, 300)) + hard > 0
    models = dict(zip(("silver", "gold", "bronze"), right.astype(int)))
    assert notes(from_arrays(models, design="items", metric="accuracy")) == []


@pytest.mark.parametrize(
    ("names", "is_noted"),
    [
        (("phi_correct", "yi_correct", "phi_verbalized_confidence"), True),
        (("phi", "yi", "yi_entropy"), True),
        (("phi is_correct", "yi is_correct", "phi mean logprob"), True),
        (("phi", "yi", "margin_phi"), True),
        (("phi_em", "yi_em", "yi_f_overlap"), False),  # of another model
        (("phi", "yi", "gemma_confidence"), False),
        (("phi", "yi", "yi_chat"), False),
    ],
)
def test_a_property_of_the_answers_beside_them(names, is_noted):
    right = RNG.integers(0, 2, (3, 200)).astype(float)
    answers = dict(zip(names, right))
    said = " is called like a statistic of "
    with_answers = notes(from_arrays(answers, design="items", metric="accuracy"))
    assert not any(said in note for note in with_answers)  # a model is called so
    answers[names[2]] = RNG.uniform(0.2, 1, 200).round(3)
    texts = notes(from_arrays(answers, design="items", metric="accuracy"))
    assert any(f"{names[2]!r}{said}" in note for note in texts) == is_noted


def test_models_that_differ_in_a_property_have_scores_between_right_and_wrong():
    scores = RNG.uniform(0.2, 0.9, (3, 60))
    models = dict(zip(("phi", "phi_margin", "phi_entropy"), scores))
    assert notes(from_arrays(models, design="items", metric="accuracy")) == []


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        (["mean", "std", "max"], "'mean', 'std' and 'max' are labelled like summaries"),
        (["accuracy", "macro avg"], "'accuracy' and 'macro avg' are labelled like"),
        (
            ["precision"],
            "'precision' is called like a metric: is it a data set, or are",
        ),
        (["macro avg"], "'macro avg' is labelled like a summary of the rows"),
    ],
)
def test_all_summaries_are_named_and_metrics_are_none(labels, says):
    (note,) = notes(wide([*"abcde", *labels]))
    assert says in note


# ---------------------------------------------------------------- prompts, codes, outcomes


def test_runs_with_letters_are_what_their_word_says():
    for word, kind in (
        ("prompt", "prompts"),
        ("Template", "prompts"),
        ("fold", "folds"),
    ):
        (note,) = notes(long([f"{word}_{letter}" for letter in "ABCDE"], "seeds"))
        assert note.endswith(f"are they {kind}?")


@pytest.mark.parametrize(
    ("labels", "is_noted"),
    [
        (["E0", "D1", "I1", "F1", "N1", "B1"], False),
        (["A1", "C2", "F1", "G3"], False),
        (["iris", "wine", "zoo", "F1"], True),
        (["iris", "D1", "zoo", "F1"], True),
    ],
)
def test_a_letter_and_number_among_others_is_a_code(labels, is_noted):
    assert len(notes(wide(labels))) == is_noted


def clustered(name, labels):
    """Answers to questions that come in clusters with some labels."""
    n = len(labels)
    rows = [
        (model, item, int(RNG.integers(0, 2)), labels[item])
        for model in ("nb", "svm")
        for item in range(n)
    ]
    frame = pd.DataFrame(rows, columns=["model", "item", "score", name])
    return Scores(frame, design=Items(cluster=name), metric="accuracy")


@pytest.mark.parametrize("name", ["result", "true_label", "final_diagnosis", "Outcome"])
def test_few_large_clusters_called_after_an_outcome(name):
    few = RNG.choice(["a", "b", "c"], 150).tolist()
    (note,) = notes(clustered(name, few))
    assert "has outcomes by its name" in note
    assert notes(clustered("clinic", few)) == []
    assert notes(clustered(name, [f"p{i // 3}" for i in range(150)])) == []


def test_classes_of_a_school_are_no_outcomes():
    assert notes(clustered("class", RNG.choice(["5a", "5b", "6a"], 150).tolist())) == []


@pytest.mark.parametrize(
    ("score", "other", "is_noted"),
    [
        ("is_sortino", "oos_sortino", True),
        ("ic_IS", "ic_OOS", True),
        ("is_return", "test_return", True),
        ("is_sortino", "oos_ic", False),
        ("is_right", "n_right", False),
    ],
)
def test_a_column_is_in_sample_if_another_is_out_of_sample(score, other, is_noted):
    rows = [(m, r, RNG.random(), RNG.random()) for m in ("nb", "svm") for r in range(9)]
    frame = pd.DataFrame(rows, columns=["model", "run", score, other])
    columns = {"score": score, "ignored": [other]}
    found = notes(Scores(frame, design="seeds", metric=ANY, columns=columns))
    assert any("training data" in note for note in found) == is_noted


# ---------------------------------------------------------------- criteria of judges

CRITERIA = [
    ["faithfulness", "context_precision", "context_recall", "answer_similarity"],
    ["Coherence", "Fluency", "Relevance"],
    ["adequacy", "grammaticality", "meaning preservation"],
    ["helpfulness", "accuracy", "depth", "creativity"],
]


@pytest.mark.parametrize("labels", CRITERIA)
def test_criteria_of_judges_are_metrics(labels):
    (note,) = notes(wide(labels))
    assert note.endswith("are they several metrics?")


KENDALL = Metric("kendall", better="higher")


def test_metrics_are_compared_for_each_criterion_of_judges():
    models = {"bleu": RNG.random(3), "bertscore": RNG.random(3)}
    frame = pd.DataFrame(models, index=CRITERIA[1])
    assert notes(from_wide(frame, design="datasets", metric=KENDALL)) == []


@pytest.mark.parametrize(
    "labels",
    [
        ["coherence", "iris", "wine"],
        ["safety", "reasoning", "chat"],
        ["depth", "sintel"],
    ],
)
def test_a_criterion_alone_may_be_a_data_set(labels):
    assert notes(wide(labels)) == []


# ---------------------------------------------------------------- ranks

RANKED = RNG.random((30, 4)).argsort(axis=1) + 1.0


def notes_on_ranks(ranks, metric, better, prefix=""):
    models = {f"{prefix}{name}": column for name, column in zip("abcde", ranks.T)}
    declared = Metric(metric, better=better)
    return notes(from_arrays(models, design="items", metric=declared))


@pytest.mark.parametrize(
    ("metric", "better"),
    [("MASE", "lower"), ("wer", "lower"), ("ndcg@10", "higher"), ("fid", "lower")],
)
def test_ranks_in_place_of_a_metric(metric, better):
    with_ties = RANKED.copy()
    with_ties[3] = [1.5, 1.5, 3, 4]
    for ranks in (RANKED, RANKED[:9, :3].argsort(axis=1) + 1.0, with_ties):
        (note,) = notes_on_ranks(ranks, metric, better)
        assert note.startswith("All scores are ranks of the models, 1 to ")


@pytest.mark.parametrize("n_models", [3, 4, 5])
def test_ranks_with_many_ties_and_means_of_ranks(n_models):
    scores = RNG.integers(0, 3, (12, n_models)) + RNG.integers(0, 2, (12, n_models))
    scores[0] = range(n_models)
    with_ties = stats.rankdata(scores, axis=1)
    of_seeds = stats.rankdata(RNG.random((12, 7, n_models)), axis=2)
    for ranks in (with_ties, of_seeds.mean(axis=1).round(2)):
        (note,) = notes_on_ranks(ranks, "accuracy in percent", "higher")
        assert note.startswith("All scores are ranks of the models, 1 to ")


def test_models_that_are_called_ranks():
    assert "All scores are ranks" in str(notes_on_ranks(RANKED, "q", "lower", "rank "))


@pytest.mark.parametrize(
    ("metric", "better", "ranks"),
    [
        *[("mean rank", "lower", RANKED), ("finishing position", "lower", RANKED)],
        *[("quality", "lower", RANKED), ("preference", "higher", RANKED)],
        ("edit distance", "lower", np.full((30, 3), 2.0)),
        ("wer", "lower", RNG.integers(1, 4, (30, 3)).astype(float)),
        ("wer", "lower", RANKED[:7]),
        ("wer", "lower", RANKED[:, :2].argsort(axis=1) + 1.0),
        # losses that add up to 6, because they hardly vary
        ("log loss", "lower", [1.4, 2.1, 2.5] + RNG.normal(0, 0.001, (9, 3)).round(3)),
        ("mae", "lower", RNG.uniform(1, 3, (30, 3)).round(1)),
    ],
)
def test_numbers_that_may_be_ranks(metric, better, ranks):
    assert "All scores" not in str(notes_on_ranks(ranks, metric, better))


# ---------------------------------------------------------------- rows of a numbered series


@pytest.mark.parametrize(
    ("labels", "design", "key"),
    [
        ([*numbered("fold_", 5), "fold_all"], CV(1, 6), "fold"),
        ([*numbered("Fold", 5), "FoldMean"], CV(1, 6), "fold"),
        ([*numbered("seed=", 4), "seed_avg", "seed_std"], Seeds(), "run"),
        ([*numbered("rep-0", 4), "rep-best"], Seeds(), "run"),
        ([*numbered("run", 4), "runs/total"], Seeds(), "run"),
        ([*numbered("run ", 4), "ensemble of runs"], Seeds(), "run"),
        ([*numbered("Lauf ", 4), "Lauf (Mittelwert)"], Seeds(), "run"),
        ([*numbered("site ", 4), "all sites pooled"], "datasets", "dataset"),
    ],
)
def test_the_whole_of_a_numbered_series(labels, design, key):
    (note,) = notes(long(labels, design, key))
    assert "labelled like" in note and "summar" in note


@pytest.mark.parametrize(
    ("labels", "design", "key"),
    [
        ([*numbered("fold_", 5), "fold_last"], CV(1, 6), "fold"),
        ([*numbered("run", 4), "run_final"], Seeds(), "run"),
        ([*numbered("chr", 4), "chrX"], "datasets", "dataset"),
        ([*numbered("s", 4), "sunspots"], "datasets", "dataset"),
        ([*numbered("m", 4), "m3-max-planck"], "datasets", "dataset"),
        ([*numbered("task", 4), "task_meanshift"], "datasets", "dataset"),
    ],
)
def test_another_name_beside_a_numbered_series(labels, design, key):
    assert notes(long(labels, design, key)) == []


# ---------------------------------------------------------------- the points that can be had


def of_points(label, highest=40.0, position=0):
    scores = RNG.uniform(10, 35, (30, 2)).round(1)
    scores[position] = highest
    labels = [f"Student {a}{b}" for a in "ABCDEF" for b in "vwxyz"]
    labels[position] = label
    frame = pd.DataFrame(scores, index=labels, columns=["model grader", "teacher"])
    return notes(from_wide(frame, design="items", metric=ANY))


@pytest.mark.parametrize(
    "label",
    [
        *("    Points Possible", "Max points", "Total possible", "out of 40"),
        *("Full marks", "highest possible score", "Maximum Points", "Possible"),
    ],
)
@pytest.mark.parametrize("position", [0, 29])
def test_the_row_of_the_points_that_can_be_had(label, position):
    (note,) = of_points(label, position=position)
    assert note.startswith(f"'{label.strip()}' has 40 in all models")


def test_a_row_with_such_a_name_and_other_scores():
    assert of_points("Points Possible", highest=22.0) == []
    assert of_points("Max Weber") == of_points("Top, Ida") == []


# ---------------------------------------------------------------- models that are no models


def beside(n=30, design="items", digits=3, **columns):
    """Two networks with other columns beside them, which are computed from their scores."""
    scores = RNG.normal(6, 1, n).round(digits)
    models = {"unet": scores, "vnet": (scores + RNG.normal(0, 0.3, n)).round(digits)}
    computed = {name: column(models) for name, column in columns.items()}
    labels = [f"case {a}{b}" for a in "abcdefgh" for b in "klmnopqrst"][:n]
    frame = pd.DataFrame(models | computed, index=labels)
    return notes(from_wide(frame, design=design, metric=ANY))


@pytest.mark.parametrize(
    ("low", "high"),
    [
        *[("_95lo", "_95hi"), ("_lo95", "_hi95"), ("_lcl", "_ucl"), (" l_95", " u_95")],
        *[
            ("_2.5%", "_97.5%"),
            ("_q025", "_q975"),
            ("_p2.5", "_p97.5"),
            (".X5.", ".X95."),
        ],
        *[("_ci95low", "_ci95high"), ("_CIlow", "_CIhigh"), ("Lower", "Upper")],
        *[("_score_lo", "_score_hi"), ("_hpd_min", "_hpd_max"), ("-lwr90", "-upr90")],
        *[(" (90% CI lower)", " (90% CI upper)"), ("_bca_lo", "_bca_hi")],
        *[("_minus_sd", "_plus_sd"), ("/left", "/right"), ("_pct10", "_pct90")],
    ],
)
def test_ends_of_an_interval_in_many_forms(low, high):
    columns = {
        f"unet{low}": lambda models: models["unet"] - 0.2,
        f"unet{high}": lambda models: models["unet"] + 0.3,
    }
    assert f"unet{low}" in str(beside(**columns))


@pytest.mark.parametrize(
    ("below", "above"),
    [
        *[
            ("-low", "-high"),
            ("-q4", "-q8"),
            ("-2.5", "-3"),
            ("_s", "_l"),
            ("_25", "_75"),
        ],
        *[("-min", "-max"), ("_k5", "_k10"), ("-LAR", "-UCB"), ("_v1", "_v2")],
    ],
)
def test_models_of_one_family_on_both_sides(below, above):
    columns = {
        f"unet{below}": lambda models: (
            models["unet"] - RNG.uniform(0.1, 0.9, 30).round(3)
        ),
        f"unet{above}": lambda models: (
            models["unet"] + RNG.uniform(0.1, 0.9, 30).round(3)
        ),
    }
    assert beside(**columns) == []


@pytest.mark.parametrize(
    "name",
    [
        *(
            "lesion_volume_ml",
            "age_years",
            "dose_mGy",
            "TumorVolumeMl",
            "wind_speed_kmh",
        ),
        *(
            "rainfall (mm)",
            "income_keur",
            "shear stress_kPa",
            "tree height [cm]",
            "conc_mg_l",
        ),
        *(
            "SliceThickness",
            "slice_thickness",
            "PixelSpacing",
            "EchoTime",
            "CloudCover",
        ),
    ],
)
def test_quantities_and_settings_of_devices(name):
    few_values = [1.0, 1.5, 2.0, 2.5, 3.0, 5.0]
    (note,) = beside(**{name: lambda models: RNG.choice(few_values, 30)})
    assert note.startswith(f"{name} is called like a description of data")


@pytest.mark.parametrize(
    "names",
    [
        ("era5_rain_mm", "gauge_rain_mm"),
        ("manual_volume_ml", "snet_volume_ml"),
        ("DepthAnything", "SpeedNet"),
        ("MiDaS_depth_m", "power_transformer"),
    ],
)
def test_models_that_are_called_after_quantities(names):
    like = {
        name: lambda models: (models["unet"] + RNG.normal(0, 0.4, 30)).round(3)
        for name in names
    }
    assert beside(**like) == []


@pytest.mark.parametrize(
    "names",
    [
        *[("ref_min_score", "ref_max_score"), ("random_score", "human_score")],
        *[("RewardThreshold",), ("target_return",), ("score_min", "score_max")],
        *[("lowest possible points", "highest possible points")],
    ],
)
def test_constants_by_which_scores_are_normalised(names):
    columns = {name: lambda models: RNG.uniform(0, 20, 30).round(3) for name in names}
    (note,) = beside(**columns)
    assert "called like" in note and "of the scale" in note


@pytest.mark.parametrize("name", ["human_score", "random", "ScoreSDE", "threshold net"])
def test_models_that_are_called_after_scores(name):
    assert beside(**{name: lambda models: models["unet"] - 0.25}) == []


@pytest.mark.parametrize("name", ["Mean_U_V", "average", "avg(unet, vnet)", "NetMean"])
@pytest.mark.parametrize("n_digits", [3, 4])
def test_the_mean_of_some_models(name, n_digits):
    both = {
        "third": lambda models: RNG.normal(6, 1, 30).round(3),
        name: lambda models: ((models["unet"] + models["vnet"]) / 2).round(n_digits),
    }
    (note,) = beside(**both)
    assert note == f"The scores of {name} are the means of those of 'unet' and 'vnet'."


def test_a_mean_of_few_digits_is_none_of_others():
    near = {
        "third": lambda models: RNG.normal(6, 1, 5).round(),
        "mean": lambda models: ((models["unet"] + models["vnet"]) / 2).round(),
    }
    assert "means of those" not in str(beside(5, "datasets", 0, **near))


@pytest.mark.parametrize(
    "labels",
    [
        ["spleen", "right kidney", "left kidney", "liver"],
        ["Gallbladder", "Aorta", "IVC", "Pancreas", "Duodenum"],
        ["Putamen_L", "Putamen_R", "Caudate_L", "Caudate_R", "Thalamus"],
        ["ET", "TC", "WT"],
        ["CSF", "GM", "WM"],
    ],
)
def test_structures_of_one_scan(labels):
    assert "are they classes of one data set?" in str(notes(wide(labels)))


@pytest.mark.parametrize(
    "labels",
    [
        ["Brain", "Heart", "Liver", "Hippocampus", "Prostate", "Lung", "Spleen"],
        ["Adipose", "Artery", "Esophagus", "Thyroid", "Whole Blood"],
        ["PathMNIST", "OCTMNIST", "BloodMNIST", "RetinaMNIST"],
        ["kidney", "heart", "diabetes", "parkinsons"],
    ],
)
def test_data_sets_that_are_called_after_organs(labels):
    assert notes(wide(labels)) == []


@pytest.mark.parametrize(
    "name", ["rf_uncert", "unc rf", "d_rf", "Δrf", "rf_syst_err", "rf stat. unc."]
)
def test_an_uncertainty_stands_beside_its_model(name):
    rf, svm = RNG.normal(0.9, 0.01, (2, 8))
    models = {"rf": rf, "svm": svm, name: RNG.uniform(0.001, 0.01, 8)}
    table = from_arrays(models, design="datasets", metric=ANY)
    (note,) = notes_about_labels(table)
    assert note == f"{name!r} is called like a statistic of rf: is it a model?"


@pytest.mark.parametrize("word", ["boot_std", "bootstrap_sd", "seed_sd", "cv_sem"])
def test_a_spread_over_resamples_stands_beside_its_model(word):
    rf, svm = RNG.normal(0.9, 0.01, (2, 8))
    spread = {f"rf_{word}": RNG.uniform(0.001, 0.01, 8)}
    (note,) = notes_on({"rf": rf, "svm": svm} | spread)
    assert note == f"'rf_{word}' is called like a statistic of rf: is it a model?"
    assert (
        notes_on({"rf": rf, "svm": svm, f"rf_{word}": rf + RNG.normal(0, 0.01, 8)})
        == []
    )
    assert notes_on({"rf": rf, "svm": svm, "rf_boot": spread[f"rf_{word}"]}) == []


PERCENT = RNG.normal(80, 4, 60)
ENGINES = {
    name: (PERCENT + RNG.normal(0, 2, 60)).round(1)
    for name in ("tesseract", "easyocr", "paddle")
}
OF_CHARACTERS = Metric("char_accuracy", better="higher", high=100)


@pytest.mark.parametrize("word", ["conf", "confidence"])
def test_a_confidence_in_whole_percent_beside_scores_of_items(word):
    sure = (0.8 * PERCENT + 12).round()
    name = f"tesseract_{word}"
    (note,) = notes_on(ENGINES | {name: sure}, OF_CHARACTERS, "items")
    assert note == f"{name!r} is called like a statistic of tesseract: is it a model?"
    both = {name: sure, f"paddle_{word}": sure - 1}
    assert len(notes_on(ENGINES | both, OF_CHARACTERS, "items")) == 2


@pytest.mark.parametrize(
    ("name", "n_decimals", "design"),
    [
        ("tesseract_conf", 1, "items"),
        ("tesseract_v5", 0, "items"),
        ("kraken_conf", 0, "items"),
        ("tesseract_conf", 1, "datasets"),
        ("tesseract_se", 0, "datasets"),
        ("tesseract_n", 0, "items"),
        ("confnet", 0, "items"),
    ],
)
def test_a_model_may_be_called_like_a_confidence(name, n_decimals, design):
    scores = (PERCENT + RNG.normal(0, 2, 60)).round(n_decimals)
    assert notes_on(ENGINES | {name: scores}, OF_CHARACTERS, design) == []


@pytest.mark.parametrize("word", ["confidence", "mean_confidence", "avg_conf"])
@pytest.mark.parametrize("design", ["items", "datasets"])
def test_a_confidence_beside_a_model_without_variants(word, design):
    sure = (PERCENT - 8 + RNG.normal(0, 2, 60)).round(1)
    name = f"paddle_{word}"
    (note,) = notes_on(ENGINES | {name: sure}, OF_CHARACTERS, design)
    assert note == f"{name!r} is called like a statistic of paddle: is it a model?"


@pytest.mark.parametrize(
    "names",
    [
        ["ours", "ours_confidence", "ours_diversity", "random"],
        ["rf", "rf_confidence", "rf_margin"],
        ["self_training", "self_training_confidence"],
        ["rf", "svm_entropy", "rf_confidence"],
        ["rf", "svm", "confidence_rf_weights"],
    ],
)
def test_variants_may_be_chosen_by_their_confidence(names):
    scores = (PERCENT + RNG.normal(0, 2, (4, 60))).round(1)
    assert notes_on(dict(zip(names, scores)), OF_CHARACTERS, "items") == []


@pytest.mark.parametrize("word", ["unc", "uncertainty", "d", "stat"])
def test_a_variant_may_be_better_than_each_model(word):
    loss = Metric("cost", better="lower")
    rf, svm = RNG.normal(0.9, 0.01, (2, 8))
    models = {"rf": rf, "svm": svm, f"rf_{word}": 0.9 * rf, f"svm_{word}": 0.9 * svm}
    table = from_arrays(models, design="datasets", metric=loss)
    assert not [*notes_about_labels(table)]


@pytest.mark.parametrize(
    ("labels", "are_classes"),
    [
        (["B cell", "CD4+ T cell", "CD14+ Monocyte", "NK cell", "Megakaryocyte"], True),
        (["Astrocytes", "Microglia", "Excitatory neurons", "OPC"], True),
        (["alpha cell", "beta cell", "Ductal", "Acinar"], True),
        (["HeLa cells", "U2OS cells", "NIH3T3", "MCF7"], False),
        (["Alpha", "Beta", "Gamma", "Delta"], False),
        (["Neurons", "Blood cell", "Yeast", "Plant tissue"], False),
    ],
)
def test_types_of_cells_are_classes(labels, are_classes):
    found = str(notes(wide(labels)))
    assert ("are they classes of one data set?" in found) == are_classes


@pytest.mark.parametrize(
    "labels",
    [
        ["Cropland", "Forest", "Wetland", "Impervious", "Bareland"],
        ["Alfalfa", "Corn-notill", "Soybean-mintill", "Woods", "Stone-Steel-Towers"],
        ["Asphalt", "Meadows", "Bitumen", "Self-Blocking Bricks", "Shadows"],
        ["SNIa", "SNIbc", "SLSN-I", "TDE", "KN", "AGN", "RRL"],
        ["SN Ia-91bg", "SN Iax", "M-dwarf", "Mira"],
        ["O", "B", "A", "F", "G", "K", "M"],
        ["K giants", "M dwarfs", "White dwarfs", "A stars"],
        ["cubic", "hexagonal", "trigonal", "tetragonal", "triclinic"],
        ["Caption", "Footnote", "List-item", "Page-footer", "Title", "All"],
        ["DocLayNet Text", "DocLayNet Table", "DocLayNet Title", "DocLayNet Formula"],
        ["company", "address", "date", "total"],
        ["invoice_number", "due_date", "vendor_name", "total_amount"],
        ["nurse", "physician", "poet", "paralegal"],
    ],
    ids=lambda labels: labels[0],
)
def test_classes_of_one_data_set(labels):
    assert "are they classes of one data set?" in str(notes(wide(labels)))


@pytest.mark.parametrize(
    ("labels", "are_targets"),
    [
        (["mu", "alpha", "homo", "lumo", "gap", "r2", "zpve", "U0", "Cv"], True),
        (["QM9-mu", "QM9-alpha", "QM9-homo", "QM9-gap"], True),
        (["mu (D)", "alpha (a0^3)", "homo (meV)", "lumo (meV)"], True),
        (["ε_HOMO", "ε_LUMO", "Δε", "μ", "α"], True),
        (["QM7", "QM8", "QM9", "ESOL"], False),
        (["gap", "rte", "copa", "wsc"], False),
        (["alpha", "beta", "gamma", "mu"], False),
        (["U", "H", "G", "A"], False),
    ],
)
def test_targets_of_one_data_set(labels, are_targets):
    found = str(notes(wide(labels)))
    assert ("are they targets of one data set?" in found) == are_targets


@pytest.mark.parametrize(
    "labels",
    [
        ["Indian Pines", "Pavia", "Salinas", "KSC"],
        ["forest", "covtype", "wine", "crop"],
        ["A", "B", "C", "D", "E"],
        ["FUNSD", "CORD", "SROIE", "DocVQA"],
        ["text", "image", "audio", "video"],
        ["table", "chair", "lamp", "sofa"],
        ["Cu", "Ge", "Li", "Ni"],
        ["steel", "glass", "perovskite", "oxide"],
        ["nova", "antlr", "cart", "sphinx"],
        ["price", "quantity", "discount", "demand"],
        ["adult", "nursery", "poker", "teacher"],
    ],
    ids=lambda labels: labels[0],
)
def test_data_sets_that_are_almost_called_like_classes(labels):
    assert "of one data set" not in str(notes(wide(labels)))

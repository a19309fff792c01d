"""Rows, tasks and models that summarise the others."""

import numpy as np
import pandas as pd
import pytest
from labelled import ANY, long, notes, numbered, wide

from replib import CV, Metric, Seeds
from replib._labels import notes_about_labels
from replib.readers import from_arrays, from_wide

RNG = np.random.default_rng(4)


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


THREE = dict(zip(["nb", "c45", "svm"], RNG.normal(0.8, 0.03, (3, 12)).round(3)))


def best(*names, of=THREE):
    return np.max([of[name] for name in names], axis=0)


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

"""Rows and models that are statistics of others: spreads, limits, errors."""

import numpy as np
import pytest
from labelled import ANY, beside, notes, notes_on, wide

from replib._labels import notes_about_labels
from replib.readers import from_arrays

RNG = np.random.default_rng(4)
NEAR = RNG.normal(0.8, 0.02, (4, 8)).round(3)
FOREST = {"rf": NEAR[0], "lr": NEAR[1]}
LOWER, UPPER, ERRORS = NEAR[0] - 0.03, NEAR[0] + 0.03, NEAR[2] / 40


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
    "name", ["rf_uncert", "unc rf", "d_rf", "Δrf", "rf_syst_err", "rf stat. unc."]
)
def test_an_uncertainty_stands_beside_its_model(name):
    rf, svm = RNG.normal(0.9, 0.01, (2, 8))
    models = {"rf": rf, "svm": svm, name: RNG.uniform(0.001, 0.01, 8)}
    table = from_arrays(models, design="datasets", metric=ANY)
    (note,) = notes_about_labels(table)
    assert note == f"{name!r} is called like a statistic of rf: is it a model?"


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("rf_fit_time", ""),
        ("rf_score_time", "_test_accuracy"),
        ("rf_fit_time", "_test_score"),
        ("rf train time (s)", ""),
        ("rf_runtime", ""),
    ],
)
def test_a_time_behind_the_name_of_a_model_is_no_model(name, own):
    found = notes_on({f"rf{own}": NEAR[0], f"xgb{own}": NEAR[1], name: NEAR[2]})
    assert found == [f"{name!r} is called like a statistic of rf{own}: is it a model?"]


@pytest.mark.parametrize(
    "name",
    ["rf_time", "rf_memory", "rf_time_aware", "rf_test_time_augmentation", "rf_cost"],
)
def test_a_model_with_a_word_for_what_it_heeds_is_one(name):
    assert notes_on({"rf": NEAR[0], "xgb": NEAR[1], name: NEAR[2]}) == []


def test_a_letter_behind_a_name_is_no_difference():
    """The name begins with the letter, too, and its scores are three times as large."""
    models = {"dlib": NEAR[0] / 3, "svm": NEAR[1] / 3, "dlib_d": NEAR[0]}
    assert notes_on(models) == []

"""Models that by the noun of their name are something else: a time, a price, a place."""

import numpy as np
import pandas as pd
import pytest

from replib import Items, Metric
from replib._labels import notes_about_labels
from replib._names.things.nouns import are_coordinates, is_odd_one_out, noun_of_name
from replib.readers import from_arrays, from_wide

RNG = np.random.default_rng(20)
ANY = Metric("quality", better="higher")
LEVELS = ("refused", "noted", "in_tables", "apart", "far")
#: Scores of three models on the same ten data sets.
MODELS = dict(zip(["SVM", "rf", "mlp_2"], RNG.normal(0.8, 0.02, (3, 10)).round(3)))
#: Errors of two models for the same items, some of which are hard.
HARD = RNG.gamma(2, 12, 120)
ERRORS = {
    name: (HARD * RNG.uniform(0.7, 1.3, 120)).round(1) for name in ("kriging", "gp")
}
#: Which items two models are right about.
ABLE = RNG.normal(size=300)
ANSWERS = {
    name: (ABLE + RNG.normal(0, 0.5, 300) > -1).astype(int) for name in ("cnn", "vit")
}


def notes_on(models, metric=ANY, design="datasets"):
    table = from_arrays(models, design=design, metric=metric)
    return [*notes_about_labels(table)]


@pytest.mark.parametrize(
    ("name", "noun"),
    [
        ("p_wilcoxon", "results of tests"),
        ("p.adj", "results of tests"),
        ("logrank_p_value", "results of tests"),
        ("McNemar_stat", "results of tests"),
        ("wilcoxon_p", "results of tests"),
        ("MAPSSWE p", "results of tests"),
        ("p (matched pairs)", "results of tests"),
        ("total_cholesterol", "descriptions of the data"),
        ("t_value", "results of tests"),
        ("gpu_h", "times"),
        ("minutes_of_speech", "times"),
        ("co2_kg", "costs"),
        ("river_depth", None),
        ("soil_temperature_C", "descriptions of the data"),
        ("psi_6m", "descriptions of the data"),
        ("refit_time", "times"),
        ("predict_time_ms", "times"),
        ("tuning_min", "times"),
        ("mortality_rate", "descriptions of the data"),
        ("ClickRate", "descriptions of the data"),
        ("pct_fraud", "descriptions of the data"),
        ("tasa de fraude", None),
        ("house_price", "descriptions of the data"),
        ("TreeHeight", "descriptions of the data"),
        ("annual_income", "descriptions of the data"),
        ("AIC", "descriptions of the data"),
        ("survey_year", "years"),
        ("longitude", "coordinates"),
        ("youden_cutoff", "settings"),
        ("n_estimators", "sizes"),
        ("bestIteration", "settings"),
        ("y_test", "the truth"),
        ("TTFT", "times"),
    ],
)
def test_what_a_name_is_of(name, noun):
    assert noun_of_name(name, *LEVELS) == noun


@pytest.mark.parametrize(
    "name",
    ["LatentODE", "latte", "TimeMixer", "AgeNet", "PriceFormer", "RankNet", "DoseNet"]
    + ["NumNet", "N-HiTS", "n-gram", "TotalSegmentator", "group_lasso", "StatusQuo"]
    + ["last_price", "mean rating", "edit_distance", "term frequency", "Entropy"]
    + ["no_features", "w/o size", "size+weight", "p+prompt", "PTuning", "p_tuning"]
    + [
        "otsu_threshold",
        "soft-threshold net",
        "learning rate",
        "bit_rate",
        "heart_rate",
    ]
    + ["lr", "LR", "dropout", "batchnorm", "WeightNorm", "age-aware", "cost_sensitive"]
    + ["label_prop", "majority", "early_stopping", "train-time", "run", "best", "cv"],
)
def test_models_are_called_so(name):
    assert noun_of_name(name, *LEVELS) is None


@pytest.mark.parametrize(
    ("name", "scores"),
    [
        ("p_nemenyi", RNG.random(10)),
        ("pval_holm", MODELS["SVM"]),
        ("readmission_rate", RNG.normal(0.1, 0.02, 10)),
        ("defect share", RNG.normal(0.03, 0.01, 10)),
        ("VIF", RNG.normal(2, 0.3, 10)),
        ("threshold_youden", MODELS["SVM"]),
        ("inference_min", RNG.normal(3, 0.3, 10)),
        ("ticket_price", RNG.normal(40, 3, 10)),
        ("BMI", RNG.normal(25, 1, 10)),
        ("elevation", RNG.normal(900, 100, 10)),
        ("TPOT", RNG.normal(31, 2, 10)),
    ],
)
def test_models_that_are_none(name, scores):
    (note,) = notes_on(MODELS | {name: scores.round(3)})
    assert note.startswith(f"{name} is called like")
    assert note.endswith(": is it a model?")


@pytest.mark.parametrize(
    "name",
    ["TPOT", "TPS", "LAT", "SPEED", "TIME", "PSI", "AIC", "Cutoff", "threshold", "lon"]
    + ["hedonic_price", "readmission_rate", "elevation", "Energy", "index", "memory"],
)
def test_a_model_may_be_called_so_if_its_scores_are_like_others(name):
    assert notes_on(MODELS | {name: MODELS["rf"][::-1]}) == []


@pytest.mark.parametrize("name", ["LAT", "TPS", "SIZE", "TIME"])
def test_a_model_with_a_short_name_may_be_twice_as_bad(name):
    assert notes_on(MODELS | {name: (MODELS["rf"][::-1] / 3).round(3)}) == []


def test_models_may_differ_in_their_threshold():
    by_threshold = {"threshold_f1": MODELS["rf"], "threshold_youden": MODELS["SVM"]}
    assert notes_on(by_threshold | {"mlp": MODELS["mlp_2"]}) == []


def test_times_are_named_all_at_once():
    times = {"fit_time": RNG.random(10), "score_time": RNG.random(10) / 20}
    found = notes_on({name: x.round(4) for name, x in times.items()} | MODELS)
    assert [note.split()[0] for note in found] == ["fit_time", "score_time"]
    with pytest.raises(ValueError, match=r"\['fit_time', 'score_time'\]"):
        from_wide(pd.DataFrame(times | MODELS), design="1x10", metric="accuracy")


# ---------------------------------------------------------------- beside other names


def test_coordinates_come_in_pairs():
    assert are_coordinates("Latitude", ["rf", "Longitude"])
    assert are_coordinates("x_utm", ["x_utm", "y_utm", "rf"])
    assert not are_coordinates("lat", ["lat", "lat_aware", "ditto"])
    place = {"lat": MODELS["rf"][::-1], "lng": MODELS["SVM"][::-1]}
    assert len(notes_on(MODELS | place)) == 2
    assert notes_on(MODELS | {"lat": place["lat"], "ditto": place["lng"]}) == []


@pytest.mark.parametrize(
    ("others", "name", "is_odd"),
    [
        (["se_rf", "se_nn"], "observed", True),
        (["rf_rmse", "xgb_rmse", "svr_rmse"], "price", True),
        (["rf_rmse", "xgb_rmse"], "rmse_of_price", False),
        (["rf_small", "rf_large"], "price", False),
        (["rf_rmse"], "price", False),
        (["rf_rmse", "svr"], "price", False),
    ],
)
def test_the_odd_one_out(others, name, is_odd):
    assert is_odd_one_out(name, [*others, name]) == is_odd


@pytest.mark.parametrize("name", ["observed", "actual", "sale_price", "target"])
def test_what_was_predicted_among_errors(name):
    metric = Metric("absolute error", better="lower")
    errors = {f"ae_{model}": x for model, x in ERRORS.items()}
    (note,) = notes_on(errors | {name: ERRORS["gp"][::-1]}, metric, "items")
    assert note.startswith(f"{name} is called like")
    # a baseline without the word has no such noun
    assert notes_on(errors | {"naive": ERRORS["gp"][::-1]}, metric, "items") == []


@pytest.mark.parametrize("name", ["altitude", "Slope", "patient_age", "wind_speed"])
def test_what_is_known_of_items(name):
    metric = Metric("absolute error", better="lower")
    (note,) = notes_on(
        ERRORS | {name: RNG.normal(25, 9, 120).round(1)}, metric, "items"
    )
    assert name in note
    assert notes_on(ERRORS | {name: ERRORS["gp"] + 1}, metric, "items") == []


@pytest.mark.parametrize(
    "name",
    ["is_spam", "churned", "readmitted", "fraud_flag", "has_tumor", "y_test"]
    + ["sepsis", "mortality_30d", "tumour", "relevant"],
)
def test_what_is_true_of_items_among_answers(name):
    (note,) = notes_on(ANSWERS | {name: RNG.integers(0, 2, 300)}, "accuracy", Items())
    assert note.startswith(f"{name} is called like")


@pytest.mark.parametrize("name", ["has_memory", "gcn_flag", "is_net", "positive"])
def test_a_model_with_such_a_name_is_right_where_others_are(name):
    alike = (ABLE + RNG.normal(0, 0.5, 300) > -1).astype(int)
    assert notes_on(ANSWERS | {name: alike}, "accuracy", Items()) == []


def test_several_answers_may_be_called_so():
    answers = {f"is_right_{name}": x for name, x in ANSWERS.items()}
    assert notes_on(answers, "accuracy", Items()) == []


@pytest.mark.parametrize("name", ["memory", "support", "group_lasso"])
def test_a_column_of_a_model_that_is_called_like_a_size_or_a_group(name):
    answers = pd.DataFrame(ANSWERS | {name: ANSWERS["cnn"][::-1]})
    assert name in from_wide(answers, design="items", metric="accuracy").models
    errors = pd.DataFrame(ERRORS | {name: ERRORS["gp"][::-1]})
    assert name in from_wide(errors, design="items", metric="mae").models
    errors[name] = np.arange(120) // 4
    with pytest.raises(ValueError, match=name):
        from_wide(errors, design="items", metric="mae")


def test_a_metric_may_be_of_what_a_name_says():
    costs = {name: (10 * x).round(1) for name, x in MODELS.items()}
    costs["claim_cost"] = (30 * MODELS["rf"][::-1]).round(1)
    assert notes_on(costs, Metric("claim cost", better="lower")) == []
    (note,) = notes_on(costs, Metric("absolute error", better="lower"))
    assert note.startswith("claim_cost is called like")


@pytest.mark.parametrize(
    ("name", "noun"),
    [
        ("ICC(3,1)", "reliabilities"),
        ("kappa_of_raters", "reliabilities"),
        ("inter-rater reliability", "reliabilities"),
        ("Cronbach's alpha", "reliabilities"),
        ("McDonald's omega", "reliabilities"),
        ("noise_ceiling", "reliabilities"),
        ("human agreement", "reliabilities"),
        ("test-retest reliability", "reliabilities"),
        ("MeanTeacher consistency", None),
        ("internal", None),
        ("alpha-net", None),
        ("human", None),
        ("expert mixture", None),
        ("kappa-opt", None),
    ],
)
def test_how_far_people_agree_is_no_model(name, noun):
    assert noun_of_name(name, "noted") == noun


@pytest.mark.parametrize(
    "name",
    ["% defective", "malware_ratio", "pos_rate", "pct_buggy", "bug_rate", "hate share"],
)
def test_a_share_of_cases_describes_the_data(name):
    assert noun_of_name(name, "apart") == "descriptions of the data"


@pytest.mark.parametrize(
    ("name", "is_setting"),
    [
        *[(name, True) for name in ("best_iter", "best_ntree", "best_ntree_limit")],
        *[(name, True) for name in ("early_stopping_round", "num_boost_round")],
        *[(name, False) for name in ("ESC", "best_svm", "early stopping", "N-BEATS")],
    ],
)
def test_a_number_of_rounds_is_a_setting(name, is_setting):
    assert (noun_of_name(name, "far") == "settings") == is_setting


@pytest.mark.parametrize(
    ("arms", "name", "n_noted"),
    [
        (("placebo", "drug"), "ATE", 1),
        (("before", "after"), "rel_change", 1),
        (("holdout", "exposed"), "incremental_lift", 1),
        (("svm", "rf"), "LIFT", 0),
        (("control", "treatment"), "t_learner", 0),
    ],
)
def test_an_effect_stands_beside_its_arms(arms, name, n_noted):
    low, high, other = RNG.normal(0.8, 0.02, (3, 12)).round(3)
    models = {arms[0]: low, arms[1]: high, name: other}
    assert sum("is it a model" in note for note in notes_on(models)) == n_noted


@pytest.mark.parametrize("whole", [1, 100])
def test_a_relative_change_is_computed_from_two_models(whole):
    old, new = RNG.normal(0.06, 0.004, (2, 16)).round(4)
    models = {"old": old, "new": new, "delta": (whole * (new / old - 1)).round(2)}
    assert any("relative change from old to new" in x for x in notes_on(models))
    models["delta"] = RNG.normal(0.06, 0.004, 16).round(4)
    assert not any("relative change" in note for note in notes_on(models))


# ---------------------------------------------------------------- agreement, confidence, units


@pytest.mark.parametrize(
    "name",
    ["IAA", "iaa (Fleiss)", "kappa_IRR", "Gwet AC1", "percent_agreement", "Scott's pi"]
    + ["avg_confidence", "ocr_conf", "confidence", "asr_word_confidence", "certainty"]
    + [
        "secs_per_image",
        "usd per query",
        "docs_per_hour",
        "ms_per_frame",
        "€ per call",
    ],
)
def test_what_is_no_score_is_no_model_whatever_its_numbers(name):
    (note,) = notes_on(MODELS | {name: MODELS["rf"][::-1]})
    assert note.startswith(f"{name} is called like a")


@pytest.mark.parametrize(
    "name",
    ["ConfNet", "confident learning", "certainty-equivalence", "AgreementNet", "Alpha"]
    + ["per", "adapter per task", "k_per_class", "min_per_class", "net-per-fold"]
    + ["self-agreement", "agreement", "IRR", "confidence-weighted"],
)
def test_models_of_agreement_and_confidence(name):
    assert notes_on(MODELS | {name: MODELS["rf"][::-1]}) == []


def test_ways_to_say_how_sure_a_model_is_are_compared():
    ways = dict(zip(["confidence", "margin", "entropy"], MODELS.values()))
    assert notes_on(ways) == []


@pytest.mark.parametrize(
    "name",
    [
        "actual_churn",
        "observed_wave2",
        "true_label_sick",
        "y_true_home",
        "rain_observed",
    ],
)
def test_a_word_for_the_truth_has_further_words_beside_it(name):
    truth = RNG.integers(0, 2, 300)
    (note,) = notes_on(ANSWERS | {name: truth}, "accuracy", "items")
    assert note.startswith(f"{name} is ")
    alike = ANSWERS | {name: np.where(RNG.random(300) < 0.1, 1, ANSWERS["cnn"])}
    assert notes_on(alike, "accuracy", "items") == []


@pytest.mark.parametrize(
    "name",
    [
        "frac_inactive",
        "share of phishing",
        "botnet_ratio",
        "pct_responders",
        "LesionPct",
    ],
)
def test_a_share_of_cases_is_below_the_score_of_each_model(name):
    hard = RNG.uniform(0.1, 0.8, 10)
    models = {"ecod": hard + 0.1, "knn": hard + 0.08, name: hard}
    (note,) = notes_on(models)
    assert note.startswith(f"{name} is called like a description of data")
    assert not notes_on({**models, name: hard + RNG.permutation(np.arange(10)) / 25})


@pytest.mark.parametrize("name", ["base_rate", "majority_share", "density_ratio"])
def test_a_model_may_be_the_last_everywhere(name):
    lowest = np.min([*MODELS.values()], axis=0)
    assert not notes_on({**MODELS, name: (0.97 * lowest).round(3)})


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("contamination", RNG.uniform(0.01, 0.4, 10)),
        ("nu", RNG.uniform(0.01, 0.2, 10)),
        ("ccp_alpha", RNG.uniform(0, 0.1, 10)),
        ("eer_threshold", RNG.uniform(0.7, 0.9, 10)),
        ("thr_min_dcf", RNG.uniform(0.7, 0.9, 10)),
        ("thr", RNG.uniform(0.1, 0.3, 10)),
    ],
)
def test_a_parameter_of_learners_is_a_setting(name, values):
    (note,) = notes_on({**MODELS, name: values})
    assert note == f"{name} is called like a setting: is it a model?"


@pytest.mark.parametrize(
    "name", ["nu-SVC", "Alpha", "gamma", "momentum", "epsilon", "thr_net"]
)
def test_a_model_may_be_called_like_a_parameter(name):
    assert not notes_on({**MODELS, name: RNG.normal(0.8, 0.02, 10)})


@pytest.mark.parametrize(
    "name",
    [
        "Prior SoTA",
        "best reported",
        "Kaggle winner",
        "#1 submission",
        "State-of-the-art",
    ],
)
def test_the_best_of_several_is_asked_about_where_each_row_has_its_own(name):
    models = {**MODELS, name: np.max([*MODELS.values()], axis=0) + 0.01}
    (note,) = notes_on(models)
    assert note == f"{name} is called like the best of several: is it one model?"
    assert not notes_on(models, design="seeds")


@pytest.mark.parametrize(
    "name",
    ["SotaNet", "SOTA (DeepFM)", "best-of-n", "rank-1", "Champion", "top1 gating"],
)
def test_a_model_may_have_a_word_of_the_best_in_its_name(name):
    assert not notes_on({**MODELS, name: RNG.normal(0.8, 0.02, 10)})


@pytest.mark.parametrize("name", ["epoch_ts", "time_utc", "created_ms", "recorded"])
@pytest.mark.parametrize("unit", [1, 1000])
def test_times_of_machines_are_far_above_all_scores(name, unit):
    times = unit * (1_709_251_200 + 3600 * RNG.permutation(120))
    (note,) = notes_on({**ERRORS, name: times}, Metric("mae"), Items())
    assert note.startswith(name)
    assert "time" in note.removeprefix(name)


def test_a_model_may_diverge():
    diverged = (10 ** RNG.uniform(5, 9, 120)).round()
    assert not notes_on({**ERRORS, "rtn": diverged}, Metric("mae"), Items())

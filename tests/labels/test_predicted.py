"""Predictions that by their names, or beside them, are none of the target."""

import numpy as np
import pandas as pd
import pytest

from replib._labels import notes_about_labels
from replib._names.metrics.mixed_units import different_units
from replib._names.things.truth import note_on_truth
from replib._notes.values import notes_about_values
from replib.readers import from_predictions

RNG = np.random.default_rng(21)
CLASSES = RNG.integers(0, 2, 120)
RISKS = {name: (0.3 * CLASSES + RNG.random(120)).round(3) for name in ("gbm", "nn")}


def notes_on(truth, predictions, metric):
    table = from_predictions(truth, predictions, metric=metric)
    return [*table.notes, *notes_about_labels(table)]


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("PassengerId", np.arange(892, 1012)),
        ("loan_id", RNG.permutation(120) + 5000),
        ("index", np.arange(300, 420)),
        ("row", np.arange(120)),
        ("position", np.arange(120) + 17),
        ("sample_weight", RNG.random(120)),
        ("train_time", RNG.random(120)),
    ],
)
def test_what_is_no_prediction(name, values):
    found = notes_on(CLASSES, RISKS | {name: values}, "roc_auc")
    is_noted = name not in ("sample_weight", "train_time")
    assert [note.split()[0] for note in found] == [name] * is_noted


GROUP = np.arange(120) % 7
DECISIONS = {
    name: np.where(RNG.random(120) < 0.8, CLASSES, 0) for name in ("gbm", "nn")
}


@pytest.mark.parametrize("models", [RISKS, DECISIONS], ids=["roc_auc", "accuracy"])
@pytest.mark.parametrize(
    ("name", "is_noted"),
    [
        *((name, True) for name in ("scaffold_id", "mol_id", "cluster", "cv_fold")),
        *((name, True) for name in ("station_id", "Household", "batch_no", "site")),
        *(
            (name, False)
            for name in ("Cluster-GCN", "DeepSite", "Clinic score", "qSOFA")
        ),
        *((name, False) for name in ("Patient", "reader", "charlson_index", "ID3")),
        *((name, False) for name in ("group_dro", "site_pooled_lr", "rule_count")),
    ],
)
def test_groups_of_items_among_predictions(models, name, is_noted):
    metric = "roc_auc" if models is RISKS else "accuracy"
    found = notes_on(CLASSES, models | {name: GROUP}, metric)
    assert [note.split()[0] for note in found if "called like" in note] == (
        [name] * is_noted
    )
    # of predictions, no name says another thing
    alike = notes_on(CLASSES, models | {name: models["nn"][::-1]}, metric)
    assert not any("called like" in note for note in alike)


@pytest.mark.parametrize("name", ["id", "ID3", "index", "lat", "position"])
def test_a_model_may_be_called_almost_so(name):
    assert notes_on(CLASSES, RISKS | {name: RISKS["nn"][::-1]}, "roc_auc") == []


@pytest.mark.parametrize(
    ("names", "are_noted"),
    [
        *((names, True) for names in (("latitude", "longitude"), ("ra", "dec"))),
        *((names, True) for names in (("RAJ2000", "DEJ2000"), ("RA_ICRS", "DE_ICRS"))),
        *((names, True) for names in (("glon", "glat"), ("ra (deg)", "dec (deg)"))),
        *(
            (names, False)
            for names in (("alpha", "delta"), ("dec", "enc"), ("ra", "rf2"))
        ),
        *((names, False) for names in (("ra_net", "dec_net"), ("glon", "lat"))),
    ],
)
def test_coordinates_among_predictions(names, are_noted):
    heights = RNG.gamma(5, 4, 120).round(1)
    models = {name: (heights + RNG.normal(0, 2, 120)).round(1) for name in ("gp", "rf")}
    place = {name: RNG.uniform(8, 9, 120) for name in names}
    assert len(notes_on(heights, models | place, "rmse")) == 2 * are_noted


def test_whole_numbers_in_order_may_be_the_target():
    years = np.arange(1900, 2020)
    assert notes_on(years, {"crf": years + 1, "hmm": np.roll(years, 3)}, "rmse") == []


@pytest.mark.parametrize(
    ("names", "a", "b"),
    [
        (["lstm_t2m_celsius", "era5_t2m_kelvin"], 0, 1),
        (["gfs deg F", "ecmwf", "icon_degC"], 0, 2),
        (["nn_agb_Mg_ha", "rf_agb_kg_m2"], 0, 1),
        (["lisflood_m3_s", "hype_cfs"], 0, 1),
        (["cgm_mg_dl", "model_mmol_l"], 0, 1),
        (["track_km", "track_miles"], 0, 1),
        (["cnn_hPa", "mos_Pa"], 0, 1),
        (["cover_pct", "unet_cover_frac"], 0, 1),
        (["pool_k", "pool_c"], None, None),
        (["top_K", "top_F"], None, None),
        (["net_mm", "net_m"], None, None),
        (["bert_ft", "bert_kg"], None, None),
        (["gpt_mini", "gpt_mi"], None, None),
        (["gru_degC", "tcn_deg_C"], None, None),
        (["kelvin", "celsius"], None, None),
    ],
)
def test_units_of_one_quantity(names, a, b):
    expected = None if a is None else (names[a], names[b])
    assert different_units(names) == expected


def test_predictions_in_different_units():
    warmth = RNG.normal(9, 6, 80).round(1)
    models = {"wrf_degC": warmth + 1, "era5_K": (warmth + 273.15).round(1)}
    (note,) = notes_on(warmth, models, "rmse")
    assert note.startswith(
        "'wrf_degC' and 'era5_K' have different units by their names"
    )
    assert notes_on(warmth, {"wrf_degC": warmth + 1, "era5": warmth - 1}, "rmse") == []


SOILS = np.array([3, 7, 12, 13, 40, 55])


PRICES = RNG.gamma(4, 60, 120).round(1)


@pytest.mark.parametrize(
    ("names", "turn", "is_noted"),
    [
        (("gbm_price", "svr_log_price"), np.log, True),
        (("arima", "ets_log1p"), np.log1p, True),
        (("gbm", "lstm (kW)"), lambda x: x / 1000, True),
        (("gbm", "nn_scaled"), lambda x: (x - 240) / 100, True),
        (("rf_pKd", "gnn_kd_nM"), lambda x: 10 ** (x / 60), True),
        (("gbm", "bert"), lambda x: x / 1000, False),
        (("arima", "ets_log"), lambda x: 1.3 * x, False),
        (("batch_norm", "layer_norm"), lambda x: 0.7 * x, False),
        (("gbm", "LogReg"), lambda x: x / 9, False),
        (("svr_mm", "gbm_mm"), lambda x: x + 9, False),
    ],
)
def test_a_scale_by_its_name_and_its_size(names, turn, is_noted):
    first, second = names
    models = {first: (1.1 * PRICES).round(1), second: turn(0.9 * PRICES).round(3)}
    notes = notes_on(PRICES, models, "mae")
    assert [note.split(" says")[0] for note in notes] == [second] * is_noted


def relabelled(codes, n_wrong=30):
    """Codes of which some are those of other items."""
    wrong = RNG.choice(len(codes), n_wrong, replace=False)
    changed = codes.copy()
    changed[wrong] = RNG.permutation(codes[wrong])
    return changed


@pytest.mark.parametrize(
    ("name", "codes", "metric", "is_noted"),
    [
        ("soil_type", SOILS, "rmse", True),
        ("icd_code", SOILS, "mae", True),
        ("SpeciesLabel", SOILS, "r2", True),
        ("age_class", np.arange(10, 70, 10), "mae", False),
        ("rating label", np.arange(1, 6), "rmse", False),
        ("soil_type", SOILS, "accuracy", False),
    ],
)
def test_numbers_that_are_codes_of_classes(name, codes, metric, is_noted):
    truth = pd.Series(RNG.choice(codes, 150), name=name)
    models = {model: relabelled(truth.to_numpy()) for model in ("cnn", "rf")}
    found = notes_on(truth, models, metric)
    assert len(found) == is_noted
    assert all("codes of classes" in note for note in found)
    numbers = {model: x + 0.5 for model, x in models.items()}
    if metric != "accuracy":
        assert notes_on(truth, numbers, metric) == []


PLASTICC = np.array([15, 42, 52, 62, 64, 65, 67, 88, 90, 92, 95])
NLCD = np.array([11, 21, 22, 31, 41, 42, 43, 52, 71, 81, 82, 90])
AGES = np.array([1, 18, 25, 35, 45, 50, 56])


def answers_on(codes, share, step=None, n=400):
    """Truth, and models that are right on a share, and else anywhere, or some steps away."""
    rng = np.random.default_rng(6)
    places = rng.integers(0, len(codes), n)
    models = {}
    for model in ("cnn", "rf"):
        other = rng.integers(0, len(codes), n)
        if step is not None:
            away = np.rint(places + step * rng.normal(size=n)).astype(int)
            other = away.clip(0, len(codes) - 1)
        models[model] = codes[np.where(rng.random(n) < share, places, other)]
    return codes[places], models


@pytest.mark.parametrize(
    ("codes", "share", "step", "metric", "is_noted"),
    [
        (PLASTICC, 0.7, None, "rmse", True),
        (NLCD, 0.6, None, "mae", True),
        (np.array([111, 112, 121, 211, 231, 311]), 0.7, None, "r2", True),
        (PLASTICC, 0.7, None, "accuracy", False),
        (PLASTICC, 0.2, None, "rmse", False),  # nobody knows these numbers
        (SOILS, 0.8, 1, "rmse", False),  # the depth of a probe, in steps
        (AGES, 0.6, 1, "mae", False),
        (AGES, 0.6, 1.5, "mae", False),
        (np.array([1, 2, 4, 5, 7, 8]), 0.6, 1, "rmse", False),
        (np.array([1, 2, 4, 5, 7, 8]), 0.5, 2, "rmse", False),
        (np.array([1, 2, 4, 5]), 0.5, 2, "mae", False),
        (np.array([0, 1, 2, 3, 5, 9, 12]), 0.5, 1, "mae", False),
        (np.array([1, 2, 3, 5, 8, 13, 21]), 0.7, None, "mae", False),
        (np.array([16, 32, 64, 128]), 0.7, None, "rmse", False),
        (np.arange(10), 0.7, None, "rmse", False),
    ],
)
def test_wrong_codes_are_far_from_the_truth(codes, share, step, metric, is_noted):
    truth, models = answers_on(codes, share, step)
    found = notes_on(truth, models, metric)
    assert len(found) == is_noted
    assert all("codes of classes" in note for note in found)
    assert notes_on(pd.Series(truth, name="observed"), models, metric) == found


def test_counts_that_are_mostly_zero_are_no_codes():
    rng = np.random.default_rng(7)
    for counts in (
        rng.negative_binomial(0.4, 0.12, 600),
        rng.integers(0, 30, 600) ** 2,
    ):
        truth = counts * rng.integers(0, 2, 600)
        near = {
            m: np.where(rng.random(600) < 0.6, truth, 0) for m in ("poisson", "gbm")
        }
        assert notes_on(truth, near, "mae") == []


def test_models_say_what_they_predict():
    truth = RNG.choice(SOILS, 150)
    models = {f"{name}_soil_code": relabelled(truth) for name in ("cnn", "rf")}
    (note,) = notes_on(truth, models, "rmse")
    assert "codes of classes" in note


@pytest.mark.parametrize(
    ("name", "truth", "metric", "is_noted"),
    [
        ("observed_wave2", RNG.integers(5, 36, 120), "rmse", True),
        ("criterion", RNG.integers(0, 2, 120), "accuracy", True),
        ("outcome_t2", RNG.integers(0, 2, 120), "accuracy", True),
        ("is_spam", RNG.integers(0, 2, 120), "accuracy", True),
        ("copy", RNG.integers(5, 36, 120), "mae", True),
        ("gpt", RNG.integers(5, 36, 120), "accuracy", False),
        ("svm", RNG.integers(0, 2, 120), "accuracy", False),
        ("svm", RNG.integers(0, 5, 120), "rmse", False),
    ],
)
def test_a_model_without_an_error_may_be_the_truth(name, truth, metric, is_noted):
    shuffled = np.random.default_rng(5).permutation(truth)
    predictions = {"lasso": np.where(np.arange(120) % 3, truth, shuffled), name: truth}
    table = from_predictions(truth, predictions, metric=metric)
    assert (note_on_truth(name) in notes_about_values(table)) == is_noted


SPECIES = np.array(["oak", "beech", "pine"])[np.arange(90) % 3]
GUESSES = np.where(np.arange(90) % 5 == 0, "oak", SPECIES)


def notes_on_classes(label, guesses=GUESSES):
    truth = SPECIES.astype(object)
    truth[::9] = label
    return notes_about_values(
        from_predictions(truth, {"a": guesses, "b": guesses[::-1]}, metric="accuracy")
    )


@pytest.mark.parametrize(
    "label",
    [
        *("not annotated", "Unlabeled", "non-gradable", "N/A", "??", "unsure"),
        *("no consensus", "Can't decide", "unknown", "don't know", "not gradable"),
    ],
)
def test_classes_that_say_there_is_none(label):
    notes = " ".join(notes_on_classes(label))
    assert f"No model predicts {label!r}, the truth of 10 items" in notes


@pytest.mark.parametrize(
    "label",
    [
        *("other", "none", "neutral", "background", "no finding", "non-toxic", "mixed"),
        *("not relevant", "no", "birch", "unrelated", "-", "not entailment"),
    ],
)
def test_classes_that_no_model_finds(label):
    assert "No model predicts" not in " ".join(notes_on_classes(label))


def test_a_class_without_a_name_that_a_model_predicts():
    guesses = np.where(np.arange(90) % 7 == 0, "Unknown", GUESSES)
    assert "No model predicts" not in " ".join(notes_on_classes("unknown", guesses))


RIGHT = np.where(RNG.random(120) < 0.85, CLASSES, 1 - CLASSES)
COUNTED = RNG.integers(0, 9, 120)


@pytest.mark.parametrize(
    ("code", "n_items", "is_noted"),
    [(-1, 30, True), (99, 12, True), (255, 30, True), (-1, 2, False), (3, 30, False)],
)
def test_codes_of_items_without_a_class(code, n_items, is_noted):
    truth = np.where(np.arange(120) < n_items, code, CLASSES)
    notes = notes_on(truth, {"gbm": RIGHT, "nn": RIGHT[::-1]}, "accuracy")
    assert (f"No model predicts {code}," in str(notes)) == is_noted


def test_a_last_class_and_a_negative_one_may_be_hard():
    last = np.where(np.arange(120) < 20, 9, COUNTED)
    assert "No model" not in str(notes_on(last, {"gbm": COUNTED}, "accuracy"))
    moods = COUNTED % 3 - 1
    neutral = {"majority": np.zeros(120, int)}
    assert "No model" not in str(notes_on(moods, neutral, "accuracy"))


@pytest.mark.parametrize(
    ("classes", "codes", "is_noted"),
    [
        ((0, 1), (-1, 1), True),
        ((0, 1), (1, -1), True),
        ((0, 1), (2, 1), True),
        (("benign", "attack"), ("benign", "anomaly"), True),
        ((0, 1), (1, 0), False),
        (("neg", "pos"), ("unknown", "pos"), False),
        ((0, 1), (1, 1), False),
    ],
)
@pytest.mark.parametrize("metric", ["f1_macro", "accuracy"])
def test_another_code_for_one_of_two_classes(classes, codes, is_noted, metric):
    truth = np.array(classes)[CLASSES]
    models = {"rf": truth[::-1], "iforest": np.array(codes)[RIGHT]}
    notes = notes_about_values(from_predictions(truth, models, metric=metric))
    assert ("The classes of iforest are" in str(notes)) == is_noted


def test_a_third_class_is_no_code_of_the_second():
    models = {"rf": RIGHT, "nn": 2 * (np.arange(120) < 60)}
    notes = notes_about_values(from_predictions(CLASSES, models, metric="accuracy"))
    assert "The classes of" not in str(notes)


SHIFTS = RNG.gamma(3, 0.25, 120)
PHOT = SHIFTS + RNG.normal(0, 0.05, 120)
SPREAD = 0.01 + 0.05 * RNG.random(120)


def notes_on_shifts(predictions, metric="rmse"):
    return notes_on(
        SHIFTS, {"z_phot": PHOT, "ann": SHIFTS + 0.03} | predictions, metric
    )


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        *(
            (f"z_phot_{word}", SPREAD)
            for word in ("err", "error", "sigma", "std", "unc")
        ),
        ("sigma_zphot", SPREAD),
        ("z_phot_stderr", SPREAD),
        ("z_phot_error", PHOT - SHIFTS),
        *((f"z_phot_{word}", PHOT - SPREAD) for word in ("l68", "lower", "lo")),
        *((f"zphot_{word}", PHOT + SPREAD) for word in ("u68", "upper", "max")),
    ],
)
def test_a_statistic_of_predictions(name, numbers):
    (note,) = notes_on_shifts({name: numbers})
    assert note == f"{name!r} is called like a statistic of z_phot: is it a model?"


def test_two_statistics_of_predictions():
    (note,) = notes_on_shifts(
        {"z_phot_err": SPREAD, "z_phot_u68": PHOT + SPREAD}, "mae"
    )
    assert note.endswith("are called like statistics of z_phot: are they models?")


@pytest.mark.parametrize(
    "word", ["err", "error", "sigma", "std", "unc", "l68", "upper", "max", "mean", "n"]
)
def test_a_model_that_predicts_may_be_called_like_a_statistic(word):
    predicted = SHIFTS + RNG.normal(0, 0.06, 120)
    assert notes_on_shifts({f"z_phot_{word}": predicted}) == []


def test_a_poor_model_has_another_name():
    poor = SHIFTS + RNG.normal(0, 3, 120)
    for name in ("z_phot_v2", "z_phot_small", "gpz_err"):
        assert notes_on_shifts({name: poor}) == []
    # of a model that predicts nothing itself, all numbers may be as bad
    assert notes_on_shifts({"gpz": poor, "gpz_std": -poor}) == []


CALIBRATED = {
    name: np.clip(0.2 + 0.6 * CLASSES + RNG.normal(0, 0.08, 120), 0, 1).round(3)
    for name in ("gbm", "nn")
}


@pytest.mark.parametrize("metric", ["roc_auc", "brier_score"])
@pytest.mark.parametrize(
    ("name", "numbers", "is_noted"),
    [
        ("gbm_std", SPREAD, True),
        ("gbm_unc", SPREAD, True),
        ("gbm_lower", 0.9 * CALIBRATED["gbm"], True),
        ("gbm_hi", np.sqrt(CALIBRATED["gbm"]), True),
        ("gbm_std", CALIBRATED["nn"], False),
        ("gbm_hi", CALIBRATED["nn"][::-1], False),
        ("gbm_v2", SPREAD, False),
        ("gbm_std", 1 - SPREAD, False),
    ],
)
def test_a_statistic_of_risks(metric, name, numbers, is_noted):
    found = notes_on(CLASSES, CALIBRATED | {name: numbers}, metric)
    says = f"{name!r} is called like a statistic of gbm: is it a model?"
    assert (says in found) == is_noted


def test_decisions_by_two_thresholds():
    low, high = (CALIBRATED["gbm"] > cut for cut in (0.3, 0.7))
    models = {"gbm": low.astype(int), "gbm_high": high.astype(int)}
    assert notes_on(CLASSES, models, "accuracy") == []

"""Models that are no models by their names: quantities, settings, constants."""

import numpy as np
import pytest
from labelled import beside, notes, notes_on, wide

from replib import Metric
from replib._labels import notes_about_labels
from replib.readers import from_arrays

RNG = np.random.default_rng(4)
NEAR = RNG.normal(0.8, 0.02, (4, 8)).round(3)
FOREST = {"rf": NEAR[0], "lr": NEAR[1]}
LOWER, UPPER, ERRORS = NEAR[0] - 0.03, NEAR[0] + 0.03, NEAR[2] / 40


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

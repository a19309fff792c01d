"""Names of models and of rows beside each other."""

import numpy as np
import pytest
from labelled import ANY, notes, wide

from replib import Metric
from replib.readers import from_arrays

RNG = np.random.default_rng(4)


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

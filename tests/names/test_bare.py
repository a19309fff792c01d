"""Metrics with other words around their names, as programs and people write them."""

import pytest

from replib import Metric
from replib._names.metrics.definitions import definition_of_metric, metric_of_label
from replib._names.metrics.directions import direction_of_metric
from replib._names.metrics.named import named_metric

GAINS = (
    # sections of logs, and parts of the data
    "metrics/recall(B)",
    "env_runners/agent_0/episode_return_mean",
    "custom_metrics/goal_rate_mean",
    "valid_1's ndcg@5",
    "validation_3-aucpr",
    "NDCG:type=Exp",
    "f1,strict-match",
    "metrics.best_val_iou",
    # words that begin with a capital
    "MultilabelAUROC",
    "RetrievalMRR",
    "AveragePSNR",
    "TestEpRet",
    "valMeanIoU",
    "CHRFScore",
    # averages, units, regions and cutoffs
    "sensitivity_pct",
    "dice_per_lesion",
    "kappa_10fold",
    "dice_WT",
    "P_20",
    "hr@20",
    "ndcg_cut_5",
    "si_sdr_dB",
    "Rank-1",
    "TAR@FAR=0.01",
    "mean-roc_auc_score",
    "dice_ema",
    "hold-out AUC",
    "spearman_per_station",
    "classif.mauc_aunp",
    "eval_accuracies",
)
LOSSES = (
    "HD95_vox",
    "hd95_per_patient",
    "95HD (mm)",
    "mae_bpm",
    "rmse_per_catchment_mm",
    "crps_mean_per_site",
    "wer_test-clean",
    "TverskyFocalLoss",
    "LogSpectralDistance",
    "MeanAbsErrorMetric",
    "CharacterErrorRate",
    "train/loss_mask",
    "losses/loss_giou",
    "valid_0's tweedie",
    "validation_0-mlogloss",
    "regr.medse",
    "surface-distance",
    "brier_survival_integrated",
    "val_categorical_crossentropy",
    "rollout/ep_cost_mean",
)


@pytest.mark.parametrize("name", GAINS)
def test_gains_with_words_around_them(name):
    with pytest.raises(ValueError, match="is by its name better higher"):
        Metric(name, better="lower")


@pytest.mark.parametrize("name", LOSSES)
def test_losses_with_words_around_them(name):
    with pytest.raises(ValueError, match="is by its name better lower"):
        Metric(name, better="higher")


@pytest.mark.parametrize(
    "name",
    ["rollout/ep_len_mean", "eval/entropy", "hd95_ratio", "dice_drop_pct", "loss_ratio"]
    + ["val_gini", "mean_steps_to_event", "recall_gain_per_user", "distance", "l1"]
    + [
        "DistanceTravelled",
        "quantile",
        "test/coverage",
        "episode_length",
        "loss_cones",
    ],
)
def test_other_words_make_another_metric(name):
    assert direction_of_metric(name) is None


@pytest.mark.parametrize(
    ("name", "quantity", "high"),
    [
        ("HD95_mm", "hausdorff", float("inf")),
        ("BinaryF1Score", "f1", 1),
        ("eval/mean_ep_ret", "return", float("inf")),
        ("classif.auc", "area under the ROC curve", 1),
        ("valid_0's binary_logloss", "log loss", float("inf")),
        ("coco/bbox_mAP", "precision curve", 1),
    ],
)
def test_definition_and_range_do_not_depend_on_words_around(name, quantity, high):
    assert definition_of_metric(name).quantity == quantity
    assert named_metric(name).high == high


@pytest.mark.parametrize(
    "label",
    [
        "rollout/ep_rew_mean",
        "metrics/mAP50-95(B)",
        "train/value_loss",
        "val/dice_TC",
        "test_auroc",
    ],
)
def test_labels_that_are_metrics(label):
    assert metric_of_label(label) is not None


@pytest.mark.parametrize(
    "label",
    ["MARS", "Hopper", "LiTS", "RISE", "EuroSAT", "sparse", "Kvasir", "door-open"]
    + ["val", "mean", "mm", "test clean", "IndianPines", "UCMerced", "GradCAM", "px"],
)
def test_labels_that_are_no_metrics(label):
    assert metric_of_label(label) is None

"""Metrics by their names: in columns of scores, chosen rows, labels and models."""

import numpy as np
import pandas as pd
import pytest

from replib import Metric, Scores
from replib._labels import notes_about_labels
from replib._labels.columns import notes_about_name
from replib._names.metrics.definitions import differ, is_metric_alone, is_share
from replib._names.scores import refuse_column
from replib._names.things.units import unit_of_text
from replib.readers import from_arrays, from_wide

RNG = np.random.default_rng(8)
SHARE = Metric("skill", better="higher", low=0, high=1)


# ---------------------------------------------------------------- columns and chosen rows


@pytest.mark.parametrize(
    ("column", "metric"),
    [
        *[("ndcg@100", "ndcg@10"), ("recall.1000", "R@100"), ("P_20", "P@10")],
        *[("hit@10", "hit@1"), ("top5_acc", "accuracy"), ("pass@10", "pass@1")],
        *[
            ("pass_at_5", "accuracy"),
            ("mAP@0.75", "mAP@0.5"),
            ("mrr_cut_100", "MRR@10"),
        ],
        *[("f1_micro", "f1_macro"), ("Macro-F1", "micro F1"), ("bal_acc", "auc")],
        *[("balanced_accuracy", "accuracy"), ("F1 (weighted)", "F1 (macro)")],
        *[("aucpr", "roc_auc"), ("kappa", "accuracy"), ("classif.auc", "accuracy")],
        *[("Area_under_ROC", "f1"), ("F_measure", "precision"), ("rsq", "rmse")],
        *[("map", "ndcg"), ("recip_rank", "map"), ("exact_match,none", "f1")],
        *[("Kappa_statistic", "accuracy"), ("rougeL", "rouge1"), ("bleu4", "bleu-1")],
        *[
            ("mAP50-95", "mAP50"),
            ("ep_len_mean", "return"),
            ("episodeLength", "reward"),
        ],
        *[("UserCPU_Time_testing", "accuracy"), ("Elapsed_Time_training", "f1")],
        *[("cost_usd", "f1"), ("total_tokens", "pass@1"), ("peakMemory", "auc")],
        *[("fit_seconds_time", "mae"), ("model_size", "rmse")],
    ],
)
def test_a_column_of_another_metric(column, metric):
    notes = notes_about_name(column, Metric(metric, better=_direction(metric)))
    assert any(note.endswith("which is it?") for note in notes)


@pytest.mark.parametrize(
    ("column", "metric"),
    [
        *[("ndcg_cut_10", "NDCG@10"), ("ndcg", "ndcg@10"), ("P.10", "precision@10")],
        *[("recall_100", "R@100"), ("HR@10", "hit@10"), ("pass@1", "accuracy")],
        *[("top1_acc", "accuracy"), ("Acc@1", "acc"), ("top5", "top_k_accuracy")],
        *[
            ("recip_rank", "mrr"),
            ("map", "mean_average_precision"),
            ("mAP50", "mAP@50"),
        ],
        *[("macro F1", "f1_macro"), ("f1", "f1_weighted"), ("F_measure", "f1")],
        *[("mean_f1_macro", "f1_macro"), ("acc_1", "accuracy"), ("f1_2", "f1")],
        *[("em", "exact_match"), ("acc,none", "acc"), ("rsq", "r2")],
        *[(name, "accuracy") for name in (".estimate", "value", "correct", "passed")],
        *[
            (name, "accuracy")
            for name in ("resolved", "success", "is_correct", "metric")
        ],
        *[(name, "accuracy") for name in ("Percent_correct", "timely_acc", "mean")],
        *[("time_to_first_token", "latency"), ("fit_time", "training time")],
        *[
            ("energy_score", "ndcg@10"),
            ("reward", "return"),
            ("x", "f1"),
            ("err", "mae"),
        ],
        *[("ROUGE-L", "rougeL"), ("rouge", "rouge1"), ("balanced_rf_f1", "f1_micro")],
        *[("avg_precision", "average_precision"), ("episode_length", "length")],
        *[("length_controlled_winrate", "win rate"), ("len", "episode length")],
        *[("time_s", "time"), ("speed", "throughput"), ("lengthy_acc", "accuracy")],
        *[("mlm_accuracy", "accuracy"), ("val_rmse", "rmse"), ("power", "test power")],
    ],
)
def test_a_column_that_may_have_a_metric(column, metric):
    refuse_column(column, metric, _direction(metric))
    assert [*notes_about_name(column, Metric(metric, better=_direction(metric)))] == []


def _direction(metric):
    is_loss = any(word in metric for word in ("mae", "rmse", "latency", "time"))
    return "lower" if is_loss or metric in ("mase", "mse", "wer") else "higher"


@pytest.mark.parametrize(
    "column",
    [
        "classif.ce",
        "Percent_incorrect",
        "exit_code",
        "returncode",
        "n_failed",
        "is_wrong",
    ]
    + [
        "oob_error",
        "mmce",
        "misclassified",
        "exit status",
        "unsolved",
        "classif.bbrier",
    ],
)
@pytest.mark.parametrize("metric", ["accuracy", "success rate", "skill"])
def test_a_column_of_what_went_wrong(column, metric):
    with pytest.raises(ValueError, match="is by its name better lower"):
        refuse_column(column, metric, "higher")
    refuse_column(column, "error_rate", "lower")


def test_right_or_wrong_has_no_direction():
    assert Metric("right or wrong", better="higher").better == "higher"


@pytest.mark.parametrize(
    ("column", "metric", "is_noted"),
    [
        ("rollout/ep_rew_mean", "eval return", True),
        ("rollout/ep_rew_mean", "test return", True),
        ("rollout/ep_rew_mean", "return", False),
        ("eval/mean_reward", "eval return", False),
    ],
)
def test_returns_of_rollouts(column, metric, is_noted):
    notes = [*notes_about_name(column, Metric(metric, better="higher"))]
    assert len(notes) == is_noted


def chosen(column, value, metric):
    """A table of which the rows with a value in a column were chosen."""
    rows = [
        (m, i, RNG.random(), v) for m in "ab" for i in range(5) for v in (value, "z")
    ]
    frame = pd.DataFrame(rows, columns=["model", "run", "score", column])
    where = {column: value}
    return Scores(frame, design="seeds", metric=metric, where=where)


@pytest.mark.parametrize(
    ("column", "value", "is_noted"),
    [
        (".metric", "roc_auc", True),
        ("measure", "f_measure", True),
        ("metric_name", "balanced_accuracy", True),
        ("tag", "val/f1", True),
        (".metric", "accuracy", False),
        ("measure", "acc", False),
        ("metric", "quality", False),
        ("loss", "mse", False),  # models that were trained with it
        ("criterion", "log loss", False),
        ("dataset", "map", False),
    ],
)
def test_rows_that_were_chosen_by_their_metric(column, value, is_noted):
    found = [*notes_about_labels(chosen(column, value, "accuracy"))]
    assert len(found) == is_noted
    assert all(repr(value) in note for note in found)


@pytest.mark.parametrize(
    ("metric", "value", "other", "is_noted"),
    [
        ("roc_auc", "my_score", "roc_auc", True),
        ("accuracy", "usefulness", "Accuracy", True),
        ("quality", "speed index", "quality", True),
        ("accuracy", "acc_norm", "acc", False),
        ("roc_auc", "my_score", "your_score", False),
        ("roc_auc", "test score", "roc_auc", False),
        ("quality", "quality", "fun", False),
    ],
)
def test_rows_of_an_unknown_metric_beside_the_declared_one(
    metric, value, other, is_noted
):
    rows = [
        (m, i, RNG.random(), v) for m in "ab" for i in range(5) for v in (value, other)
    ]
    frame = pd.DataFrame(rows, columns=["model", "run", "score", "metric"])
    declared = Metric(metric, better="higher")
    where = {"metric": value}
    table = Scores(frame, design="seeds", metric=declared, where=where)
    told = [*table.notes, *notes_about_labels(table)]
    assert len(told) == is_noted
    assert all(f"{value!r} are chosen" in note for note in told)


@pytest.mark.parametrize("name", [".metric", "measure", "scorer"])
def test_a_column_that_says_another_metric(name):
    frame = pd.DataFrame({"model": list("aabb"), "run": [0, 1] * 2, "score": [0.5] * 4})
    frame["score"] += RNG.random(4) / 9
    with pytest.raises(ValueError, match="says 'f1_micro', and the metric is f1 macro"):
        Scores(frame.assign(**{name: "f1_micro"}), design="seeds", metric="f1_macro")


# ---------------------------------------------------------------- labels


def rows_of(labels, design="datasets", metric=SHARE):
    scores = RNG.uniform(0.2, 0.9, (len(labels), 3))
    frame = pd.DataFrame(scores, labels, ["svm", "nb", "rf"])
    return [*notes_about_labels(from_wide(frame, design=design, metric=metric))]


@pytest.mark.parametrize(
    "labels",
    [
        ["auc", "logloss", "aucpr", "mean_per_class_error", "rmse", "mse"],
        ["ndcg@5", "ndcg@10", "recall@20", "mrr@10", "hit@10"],
        ["Accuracy", "F1-score", "Precision", "Recall"],
        ["BLEU", "METEOR", "ROUGE-L", "chrF", "COMET"],
        ["Dice", "IoU", "HD95"],
        ["f1_macro", "f1_micro", "f1_weighted"],
        ["P_5", "P_10", "P_20"],
        ["FID", "KID", "LPIPS", "PSNR", "SSIM"],
        ["MAE", "RMSE", "R2", "MAPE"],
        ["test_acc", "test_f1", "test_auc"],
        ["top-1", "top-5"],
        ["BLEU-1", "BLEU-2", "BLEU-3", "BLEU-4"],
        ["ROUGE-1", "ROUGE-2", "ROUGE-L"],
        ["ROC", "TSS", "KAPPA", "POD", "CSI"],
        ["POD", "FAR", "CSI", "ETS"],
        ["Gini", "KS", "H-measure", "CAP", "IV"],
        ["NSE", "KGE", "PBIAS", "RMSE"],
        ["OA", "UA", "PA", "Kappa"],
        ["PESQ", "STOI", "SI-SDR"],
        ["C-index", "IBS", "td AUC"],
        ["Dice", "HD95", "ASD"],
        ["PQ", "SQ", "RQ"],
        ["MOTA", "IDF1"],
        ["Sharpe", "Sortino", "Calmar"],
        ["ARI", "NMI", "Silhouette", "Purity"],
    ],
)
@pytest.mark.parametrize("design", ["datasets", "seeds", "items"])
def test_rows_that_are_metrics(labels, design):
    (note,) = rows_of(labels, design)
    assert note.endswith("and so on: are they several metrics?")


@pytest.mark.parametrize(
    ("metric", "labels", "others"),
    [
        ("accuracy", ["SST-2 (acc)", "MRPC (F1)", "CoLA (Matthews)"], ["MRPC", "CoLA"]),
        ("f1", ["NER (F1)", "POS (acc)", "chunks"], ["POS"]),
        ("accuracy", ["SQuAD (EM)", "BoolQ (acc)", "iris (UCI)"], []),
        ("f1", ["NER (micro F1)", "RE (F1)", "MRPC (F1 macro)"], []),
    ],
)
def test_rows_with_another_metric_in_a_bracket(metric, labels, others):
    found = rows_of(labels, metric=Metric(metric))
    assert len(found) == bool(others)
    assert all(f"'{other} (" in note for note in found for other in others)


@pytest.mark.parametrize(
    "labels",
    [
        ["ACC", "EDA", "HR", "MAP", "TEMP"],  # signals of sensors
        ["ACC", "MAP", "PPG", "ECG"],
        ["SST-2 (Acc)", "MRPC (F1)", "CoLA (MCC)"],
        ["qqp_f1", "mrpc_acc", "rte_acc"],
        ["acc_1", "acc_2", "acc_3"],
        ["P_1", "P_2", "P_3", "P_4"],
        ["iris", "map", "wine"],
        ["recall", "iris", "glass", "wine"],
        ["R1", "R2", "R3"],
        ["kid", "adult", "senior"],
        ["pass", "fail", "drop"],
        ["ACC", "HR", "MAP"],
        ["IS", "NO", "SE", "FI"],  # countries
        ["UA", "PA", "GA", "VA"],
        ["CSI", "UWB", "RFID"],  # signals
        ["cap", "shirt", "ring"],
        ["ETS", "TOEFL", "ASAP"],
        ["far", "near", "mid"],
        ["Meteor", "Comet", "Star"],
        ["HD", "PD", "AD"],  # diseases
        ["IBS", "IBD", "CD"],
        ["TED", "AMI", "WSJ"],
    ],
)
def test_rows_that_are_called_like_metrics_by_chance(labels):
    assert not any("are they several metrics" in note for note in rows_of(labels))


@pytest.mark.parametrize(
    ("labels", "is_noted"),
    [
        ([f"{m}:{q}" for m in ("map", "P_10", "recip_rank") for q in range(20)], True),
        ([f"{q}/{m}" for q in range(20) for m in ("bleu", "chrf")], True),
        ([f"q{q}|{m}" for q in range(20) for m in ("ndcg@10", "ndcg@100")], True),
        ([f"map:{q}" for q in range(20)], False),
        ([f"{t}:{q}" for t in ("law", "math") for q in range(20)], False),
        ([f"HumanEval/{q}" for q in range(20)], False),
    ],
)
def test_items_of_several_metrics(labels, is_noted):
    found = rows_of(labels, "items")
    assert sum("are they several metrics" in note for note in found) == is_noted
    assert not is_noted or len(found) == 1


@pytest.mark.parametrize(
    ("labels", "is_noted"),
    [
        (["p50", "p75", "p90", "p95", "p99", "p99.9", "max"], True),
        (["P50", "P95", "P99"], True),
        (["mean", "median", "p95", "p99"], True),
        (["TTFT p50", "TTFT p95", "TTFT p99"], True),
        (["p50 (ms)", "p95 (ms)", "max (ms)"], True),
        (["ward p50", "clinic p75", "home p90"], False),
        (["q0.1", "q0.5", "q0.9"], True),
        (["50th percentile", "95th percentile", "99th percentile"], True),
        (["P1", "P2", "P3", "P5"], False),  # participants
        (["P10", "P11", "P90"], False),
        (["q1", "q2", "q3", "q4"], False),  # quarters
        (["25%", "50%", "75%"], False),  # of the labels
        (["p5", "p10", "p20"], False),
        (["iris", "p90", "p99"], False),
    ],
)
def test_rows_that_are_quantiles(labels, is_noted):
    found = rows_of(labels, metric=Metric("latency", better="lower"))
    assert sum("quantiles of one measurement" in note for note in found) == is_noted
    assert not is_noted or len(found) == 1


BENCHMARKS = ["GAIA", "WebArena", "OSWorld", "AppWorld"]


@pytest.mark.parametrize(
    ("labels", "metric", "is_noted"),
    [
        ([*BENCHMARKS, "Cost ($/task)"], "success", True),
        ([*BENCHMARKS, "Avg. cost (USD)"], "accuracy", True),
        ([*BENCHMARKS, "Latency (ms)"], "ndcg@10", True),
        ([*BENCHMARKS, "Time per episode (min)"], "return", True),
        ([*BENCHMARKS, "Peak memory [GB]"], "auc", True),
        ([*BENCHMARKS, "Tokens per answer"], "accuracy", True),
        ([*BENCHMARKS, "Avg. cost"], "accuracy", True),
        ([*BENCHMARKS, "Cost"], "accuracy", True),
        ([*BENCHMARKS, "Price ($)"], "r2", False),  # a target
        ([*BENCHMARKS, "energy"], "accuracy", False),
        ([*BENCHMARKS, "traffic"], "accuracy", False),
        (["price ($)", "energy (kWh)", "time (s)"], "quality", False),
        ([*BENCHMARKS, "Latency (ms)"], "inverse latency", False),
        ([*BENCHMARKS, "long memory (GB)"], "accuracy", False),
        ([*BENCHMARKS, "house prices ($)"], "accuracy", False),
    ],
)
def test_a_measure_among_scores(labels, metric, is_noted):
    found = rows_of(labels, metric=Metric(metric, better="higher"))
    assert sum("is called like a measure" in note for note in found) == is_noted


@pytest.mark.parametrize(
    ("models", "is_noted"),
    [
        (["deepseek-coder pass@1", "codellama-34b pass@10"], True),
        (["SVM F1-macro", "BERT F1-micro"], True),
        (["bm25 ndcg@10", "e5 ndcg@100"], True),
        (["vit top-1 acc", "resnet top-5 acc"], True),
        (["ours top-1", "baseline (top-5)"], True),
        (["A BLEU-1", "B BLEU-4"], True),
        (["a mAP50", "b mAP50-95"], True),
        (["A accuracy", "B balanced accuracy"], True),
        (["svm weighted f1", "nb macro F1"], True),
        (["recall@20 LightGCN", "recall@50 NGCF"], True),
        (["pass@1 (deepseek)", "pass@5 (codellama)"], True),
        (["deepseek pass@1", "codellama pass@1"], False),
        (["SVM F1-macro", "BERT macro-F1"], False),
        (["deepseek pass@1", "codellama"], False),
        (["MoE top-1", "MoE top-2"], False),  # experts
        (["kNN top-5", "kNN top-10"], False),  # neighbours
        (["balanced rf f1", "rf f1"], False),
        (["rerank@10", "rerank@100"], False),
        (["p_1", "p_5", "p_10"], False),  # prompts
        (["maj@8", "maj@64"], False),
        (["one-pass", "two-pass"], False),
        (["micro-LSTM", "macro-LSTM"], False),
        (["gpt@1024", "llama@2048"], False),
    ],
)
def test_models_of_which_a_metric_was_defined_in_several_ways(models, is_noted):
    scores = dict(zip(models, RNG.uniform(0.4, 0.6, (len(models), 9))))
    metric = "accuracy" if any("acc" in x or "top" in x for x in models) else SHARE
    found = notes_about_labels(from_arrays(scores, design="datasets", metric=metric))
    assert sum("by different metrics" in note for note in found) == is_noted


# ---------------------------------------------------------------- units


@pytest.mark.parametrize(
    ("one", "same"),
    [
        *[
            ("kcal/mol", "kcal mol^-1"),
            ("cm⁻¹", "1/cm"),
            ("µs", "us"),
            ("meV/Å", "meV Å-1"),
        ],
        *[("W/m²", "W/m^2"), ("$ per task", "USD/task"), ("tok/s", "tokens/sec")],
        *[("log10(mol/L)", "log mol/L"), ("℃", "°C"), ("MiB", "mb"), ("hours", "h")],
    ],
)
def test_spellings_of_a_unit(one, same):
    assert unit_of_text(one) is not None
    assert unit_of_text(one) == unit_of_text(same)


@pytest.mark.parametrize(
    "text",
    ["UCI", "3 classes", "NL", "KD", "TL", "MA", "ML", "pH", "mAP", "far", "nq", "ours"]
    + ["task", "tokens", "base", "7B", "2D", "fine-tuned", "mean", "max", "+", "-", ""],
)
def test_words_that_are_no_units(text):
    assert unit_of_text(text) is None


def test_what_names_say():
    assert not differ("quality", "f1")
    assert is_share("mean nDCG@10")
    assert not is_metric_alone("recall of class 1")
    assert not is_metric_alone("class")  # no plural of CLAS


@pytest.mark.parametrize(
    "models",
    [
        ["optimised for recall", "optimised for precision"],
        ["tuned on auc", "tuned on acc"],
        ["loss: dice", "loss: iou"],
        ["select_f1", "select_acc"],
        ["unet dice", "unet ce"],
    ],
)
@pytest.mark.parametrize("metric", ["accuracy", Metric("dice", better="higher")])
def test_models_that_were_trained_or_chosen_by_metrics(models, metric):
    scores = dict(zip(models, RNG.uniform(0.4, 0.6, (len(models), 9))))
    table = from_arrays(scores, design="datasets", metric=metric)
    assert [*notes_about_labels(table)] == []


# ---------------------------------------------------------------- names of models


def _notes_about_models(names, metric):
    scores = RNG.random((len(names), 9))
    table = from_arrays(
        dict(zip(names, scores)),
        design="items",
        metric=Metric(metric, better=_direction(metric)),
    )
    return list(notes_about_labels(table))


@pytest.mark.parametrize(
    ("names", "metric"),
    [
        (["parakeet_wer", "whisper_wer"], "accuracy"),
        (["XGB (AUC)", "LGBM (AUC)"], "accuracy"),
        (["champion_auc", "challenger_gini"], "roc_auc"),
        (["champion_auc", "challenger_gini"], "f1"),
        (["UDPipe2_LAS", "UDPipe2_UAS"], "LAS"),
        (["UDPipe2_LAS", "Stanza_LAS", "UDPipe2_UAS", "Stanza_UAS"], "LAS"),
        (["PEGASUS (R-1)", "BART (R-L)"], "ROUGE"),
        (["PEGASUS R1", "BART RL"], "rouge-1"),
        (["ks_logit", "ks_lgbm"], "roc_auc"),
        (["brier_svm", "brier_rf"], "accuracy"),
        (["qini_tree", "qini_net"], "roc_auc"),
        (["logit f1", "xgb auc"], "quality"),
        (["scorecard (Gini)", "xgb (AUC)"], "quality"),
        (["bert (MRR)", "bm25 (nDCG)", "e5 (nDCG)"], "quality"),
        (["whisper [WER]", "wav2vec [accuracy]"], "quality"),
    ],
)
def test_models_that_are_called_after_another_metric(names, metric):
    (note,) = _notes_about_models(names, metric)
    assert note.startswith("The models are called")


@pytest.mark.parametrize(
    ("names", "metric"),
    [
        (["svm_mae", "knn_mae"], "mae"),
        (["parakeet_wer", "whisper"], "accuracy"),
        (["tree_gini", "forest_gini"], "accuracy"),
        (["tree_gini", "tree_entropy", "tree_logloss"], "roc_auc"),
        (["unet_dice", "vnet_dice"], "iou"),
        (["full precision", "half precision"], "accuracy"),
        (["feature map", "saliency map"], "accuracy"),
        (["lgbm early stopping on auc", "xgb early stopping on auc"], "accuracy"),
        (["sentence BLEU", "document BLEU"], "kendall_tau"),
        (["BLEU", "chrF", "COMET-22"], "spearman"),
        (["DeepSeek-R1", "DeepSeek-R2"], "accuracy"),
        (["PEGASUS (R-1)", "BART (R-1)"], "ROUGE-1"),
        (["las_vegas", "los_angeles"], "accuracy"),
        (["gini_tree", "gini_forest"], "accuracy"),
        (["map_lda", "map_gp"], "accuracy"),
        (["unet_sar", "vit_sar"], "iou"),
        (["emd_lstm", "emd_svr"], "rmse"),
        (["resnet_mcd", "vit_mcd"], "accuracy"),
        (["TabPFN (AUC)", "TabPFN (F1)"], "quality"),
        (["unet (dice)", "vnet (ce)"], "quality"),
        (["is_cnn", "is_rnn"], "accuracy"),
        (["whisper_ami", "wav2vec_ami"], "wer"),
        (["las_small", "las_large"], "wer"),
        (["nri_5", "nri_10"], "mse"),
        (["glm_aic", "gam_aic"], "rmse"),
        (["PQ", "SQ"], "recall@10"),
        (["MBR (BLEU)", "MBR (COMET)"], "bleu"),
        (["bleu_scst", "cider_scst"], "cider"),
        (["psnr_srgan", "psnr_rrdb"], "accuracy"),
        (["ETS", "CES"], "mase"),
        (["clinic A (PA)", "clinic B (IS)"], "accuracy"),
        (["base recall", "half precision"], "quality"),
    ],
)
def test_models_that_are_called_after_what_they_do(names, metric):
    assert _notes_about_models(names, metric) == []


@pytest.mark.parametrize(
    ("labels", "is_noted"),
    [
        (["bias", "MAE", "NMAD", "outlier_rate", "RMSE"], True),
        (["|<dz>|", "sigma_NMAD", "sigma_68", "outlier fraction", "RMS"], True),
        (["PBIAS", "NSE", "KGE"], True),
        (["Calibration slope", "CITL", "AUROC", "Brier"], True),
        (["signal efficiency", "fake rate", "timing resolution"], True),
        (["bias", "iris", "wine", "RMS", "glass"], False),
        (["Energy efficiency", "Concrete", "Yacht"], False),
        (["Bias in Bios", "WinoBias", "CrowS-Pairs"], False),
    ],
)
def test_metrics_that_are_best_between_are_metrics_too(labels, is_noted):
    notes = rows_of(labels)
    assert any("are they several metrics" in note for note in notes) == is_noted

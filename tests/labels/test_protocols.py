"""Models that were scored in different ways."""

import numpy as np
import pytest
from labelled import ANY, notes

from replib import Metric
from replib.readers import from_arrays

RNG = np.random.default_rng(4)
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
        (["xgb (2x5-fold)", "rf (10-fold)"], "seeds", True),
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

"""Tables whose rows are the models."""

import numpy as np
import pandas as pd
import pytest
from labelled import ANY, notes, numbered

from replib.readers import from_wide

RNG = np.random.default_rng(4)
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

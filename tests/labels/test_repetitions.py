"""Models that are one model several times."""

import numpy as np
import pytest
from labelled import ANY, notes

from replib.readers import from_arrays

RNG = np.random.default_rng(4)


@pytest.mark.parametrize(
    "names",
    [
        ["attempt_1", "attempt_2", "attempt_3"],
        ["sasrec-seed0", "sasrec-seed1", "gru4rec-seed0", "gru4rec-seed1"],
        ["ppo (seed 42)", "ppo (seed 7)", "random"],
        ["bert/run1", "bert/run2"],
        ["fold1_svm", "fold2_svm", "fold1_nb", "fold2_nb"],
        ["gpt-4 sample 1", "gpt-4 sample 2"],
        ["xgb.rep1", "xgb.rep2"],
        ["trial 0", "trial 1", "trial 2"],
        ["lgbm_rs1", "lgbm_rs2", "lgbm_rs3"],
        ["lgbm_random_state1", "lgbm_random_state42"],
        ["ALIGNN_rs123", "ALIGNN_rs42", "ALIGNN_rs7"],
        ["unet-s42", "unet-s7"],
        ["net (init 0)", "net (init 1)"],
        [f"{model}_s{i}" for model in ("sac", "td3") for i in range(3)],
        [f"{model}_{i}" for model in ("sac", "td3") for i in range(3)],
        [f"{model}-ckpt{i}00" for model in ("sac", "td3") for i in (2, 4, 8)],
    ],
)
@pytest.mark.parametrize("design", ["items", "datasets"])
def test_models_that_are_runs_of_one(names, design):
    models = dict(zip(names, RNG.normal(0.8, 0.03, (9, 20)).round(3)))
    (note,) = notes(from_arrays(models, design=design, metric=ANY))
    assert "are called" in note
    assert "are they" in note


@pytest.mark.parametrize(
    "names",
    [
        ["bert-base-v1", "bert-base-v2", "gpt-4", "gpt-3"],
        ["resnet18", "resnet50", "vgg-16", "vgg-19"],
        ["resnet-rs50", "resnet-rs101"],
        [
            "ResNet-RS-152",
            "ResNet-RS-200",
            "ResNet-RS-270",
            "ResNet-RS-350",
            "ResNet-RS-420",
        ],
        ["gru_rs42", "lstm_rs42"],
        ["yolo-s640", "yolo-s1280"],
        ["whisper-42", "whisper-123"],
        ["top-5", "top-10", "k=3", "k=5"],
        ["seed-vl-1.5", "Seed-1.6", "seed-coder-8b", "seedream-3"],
        ["sasrec-seed42", "gru4rec-seed42"],
        ["xgb_cv5", "xgb_cv10"],
        ["pythia-step1000", "pythia-step143000"],
        ["llama-1", "llama-2", "llama-3", "phi-1", "phi-2", "phi-3"],
        ["efficientnet-b0", "efficientnet-b1", "efficientnet-b2"],
        ["alphafold2", "alphafold3", "esmfold"],
        ["model_1", "model_2", "model_3"],
        ["sample-efficient", "fold-in", "run-length", "repeat-padding"],
        ["rnn_0", "rnn_1", "rnn_2"],
    ],
)
def test_models_with_numbers_of_other_things(names):
    models = dict(zip(names, RNG.normal(0.8, 0.03, (9, 20)).round(3)))
    assert notes(from_arrays(models, design="items", metric=ANY)) == []

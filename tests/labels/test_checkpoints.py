"""States of one training are known by their labels, and runs are not taken for them."""

import numpy as np
import pandas as pd
import pytest

from replib import CV, Metric, Scores, Seeds
from replib._labels import notes_about_labels

RNG = np.random.default_rng(8)
ANY = Metric("quality", better="higher")


def notes(labels, design, key="run"):
    rows = [(name, label, RNG.random()) for name in ("nb", "svm") for label in labels]
    frame = pd.DataFrame(rows, columns=["model", key, "score"])
    return [*notes_about_labels(Scores(frame, design=design, metric=ANY))]


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("ckpt_{}00k", "checkpoints"),
        ("step-{}.5M", "checkpoints"),
        ("{}0k", "checkpoints"),
        ("rl_model_{}0000_steps.zip", "checkpoints"),
        ("policy_{}e6", "checkpoints"),
        ("logs/sac/checkpoint-{}K.pth.tar", "checkpoints"),
        ("after {} epochs", "epochs"),
        ("{}th_epoch", "epochs"),
        ("iter_000{}000.pth", "iterations"),
    ],
)
def test_numbered_states_are_noted(label, kind):
    labels = [label.format(2 * number) for number in range(1, 5)]
    (note,) = notes(labels, Seeds())
    assert note.endswith(f"are they {kind}?")
    if kind != "iterations":  # some programs count folds so
        assert notes(labels, CV(1, 4), "fold")[0].endswith(f"are they {kind}?")


@pytest.mark.parametrize(
    "labels",
    [
        "net_best.pth net_latest.pth net_ema.pth",
        "best.pt last.pt",
        "FinalModel.h5 SwaModel.h5 LastModel.h5",
        "weights-best weights-last",
        "last_epoch final_epoch",
        "last final ema",
        "checkpoint_100 checkpoint_200 checkpoint_final",
    ],
)
def test_named_states_are_noted(labels):
    *_, note = notes(labels.split(), Seeds())
    assert note.endswith("are they checkpoints?")


@pytest.mark.parametrize(
    "labels",
    [
        "seed0/best.pt seed1/best.pt seed2/best.pt",
        "a/ckpt_200k b/ckpt_200k c/ckpt_200k",
        "model_7 model_42 model_100",
        "agent_0 agent_1 agent_2",
        "run1.json run2.json run3.json",
        "job_10233 job_10234 job_10301",
        "seed_1000 seed_2000 seed_3000",
        "10 20 30",
        "run_a run_b run_c",
    ],
)
def test_runs_are_no_states(labels):
    assert notes(labels.split(), Seeds()) == []

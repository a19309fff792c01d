"""Rows and models that are metrics, criteria or ranks."""

import numpy as np
import pandas as pd
import pytest
from labelled import notes, wide
from scipy import stats

from replib import Metric
from replib._validation import listed
from replib.readers import from_arrays, from_wide

RNG = np.random.default_rng(4)


@pytest.mark.parametrize(
    ("labels", "better", "noted"),
    [
        (["CoLA (acc)", "WikiText-103 (ppl ↓)"], "higher", "WikiText-103 (ppl ↓)"),
        (["enwik8_bpb", "wikitext_ppl"], "higher", "enwik8_bpb"),
        (["SQuAD (F1)", "LibriSpeech [WER]"], "lower", "SQuAD (F1)"),
        (["iris (lower is better)", "wine"], "higher", "iris (lower is better)"),
        (["DRIVE (Dice)", "M4 (sMAPE)"], "higher", "M4 (sMAPE)"),
        (["ETTh1 (MSE)", "PeMS [NSE]"], "lower", "PeMS [NSE]"),
        (["RMSLE: bikes", "churn"], "higher", "RMSLE: bikes"),
        (["CoLA (MCC)", "SQuAD (F1)", "CNN/DM (ROUGE-L)"], "higher", None),
        (["PTB (ppl)", "WikiText-103 (ppl ↓)"], "lower", None),
        (["AMI (far)", "AMI (near)", "toxicity", "hearing loss"], "higher", None),
        (["WISDM (acc)", "WISDM (gyro)", "kid"], "lower", None),
    ],
)
def test_rows_of_another_direction(labels, better, noted):
    scores = pd.DataFrame(RNG.random((len(labels), 2)), index=labels, columns=[*"ab"])
    metric = Metric("quality", better=better)
    found = notes(from_wide(scores, design="datasets", metric=metric))
    assert len(found) == (noted is not None)
    assert all(f"'{noted}' is by its label better" in note for note in found)


@pytest.mark.parametrize(
    ("metric", "labels", "is_noted"),
    [
        ("rmse", ["glucose [mg/dL]", "sodium [mmol/L]"], True),
        ("mae", ["weight (kg)", "pressure (mmHg)", "age"], True),
        ("r2", ["weight (kg)", "pressure (mmHg)", "age"], False),
        (
            "mae",
            ["gap (meV)", "dipole (D)", "ESOL (log mol/L)", "phonons (1/cm)"],
            True,
        ),
        ("mse", ["energy [meV]", "forces [meV/A]"], True),
        ("mean_absolute_error", ["price ($)", "demand (MWh)"], True),
        ("rmse", ["price (€/m²)", "wind (m/s)", "rain (mm)"], True),
        ("rmse", ["wine (UCI)", "glass (3 classes)", "heart (NL)"], False),
        ("rmse", ["yacht (s)", "yacht (m)", "yacht (l)"], False),
        ("rmse", ["load (GB)", "load (DE)", "load (MW)", "load (FR)"], False),
        ("rmse", ["E (kcal/mol)", "F (kcal·mol⁻¹)"], False),
        ("rmse", ["HDL [mg/dL]", "LDL [mg/dL]"], False),
        ("rmse", ["AMI (ms)", "AMI (far)"], False),
    ],
)
def test_errors_in_different_units(metric, labels, is_noted):
    frame = pd.DataFrame(RNG.random((len(labels), 2)), labels, ["svm", "nb"])
    found = notes(from_wide(frame, design="datasets", metric=metric))
    assert len(found) == is_noted
    assert all("have different units by their labels" in note for note in found)


@pytest.mark.parametrize(
    ("names", "metric", "kinds"),
    [
        (["Corr", "Sub", "Del", "Ins", "Err"], "wer", slice(None)),
        (["sub_rate", "del_rate", "ins_rate"], "CER", slice(None)),
        (["tdnn", "insertions", "deletions"], "wer", slice(1, None)),
        (
            ["zip", "tdnn Sub (%)", "tdnn Del (%)", "tdnn WER (%)"],
            "wer",
            slice(1, None),
        ),
        (["miss", "false alarm", "confusion", "DER"], "DER", slice(None)),
        (["sub", "svm"], "wer", slice(0)),
        (["tdnn", "tdnn_ins", "tdnn_del"], "wer", slice(0)),  # trained with such errors
        (["ctc_error", "rnnt_error"], "wer", slice(0)),
        (["sub-word", "del-net", "insight"], "wer", slice(0)),
        (["missformer", "fa", "der-net"], "DER", slice(0)),
        (["ins", "del", "sub"], "accuracy", slice(0)),
    ],
)
def test_kinds_of_errors_of_one_model(names, metric, kinds):
    better = "higher" if metric == "accuracy" else "lower"
    found = notes(
        from_arrays(
            dict(zip(names, RNG.uniform(0.1, 0.4, (5, 20)).round(3))),
            design="items",
            metric=Metric(metric, better=better),
        )
    )
    says = f"{listed(names[kinds])} are called like kinds of errors: are they models?"
    assert found == ([says] if names[kinds] else [])


CRITERIA = [
    ["faithfulness", "context_precision", "context_recall", "answer_similarity"],
    ["Coherence", "Fluency", "Relevance"],
    ["adequacy", "grammaticality", "meaning preservation"],
    ["helpfulness", "accuracy", "depth", "creativity"],
]


@pytest.mark.parametrize("labels", CRITERIA)
def test_criteria_of_judges_are_metrics(labels):
    (note,) = notes(wide(labels))
    assert note.endswith("are they several metrics?")


KENDALL = Metric("kendall", better="higher")


def test_metrics_are_compared_for_each_criterion_of_judges():
    models = {"bleu": RNG.random(3), "bertscore": RNG.random(3)}
    frame = pd.DataFrame(models, index=CRITERIA[1])
    assert notes(from_wide(frame, design="datasets", metric=KENDALL)) == []


@pytest.mark.parametrize(
    "labels",
    [
        ["coherence", "iris", "wine"],
        ["safety", "reasoning", "chat"],
        ["depth", "sintel"],
    ],
)
def test_a_criterion_alone_may_be_a_data_set(labels):
    assert notes(wide(labels)) == []


RANKED = RNG.random((30, 4)).argsort(axis=1) + 1.0


def notes_on_ranks(ranks, metric, better, prefix=""):
    models = {f"{prefix}{name}": column for name, column in zip("abcde", ranks.T)}
    declared = Metric(metric, better=better)
    return notes(from_arrays(models, design="items", metric=declared))


@pytest.mark.parametrize(
    ("metric", "better"),
    [("MASE", "lower"), ("wer", "lower"), ("ndcg@10", "higher"), ("fid", "lower")],
)
def test_ranks_in_place_of_a_metric(metric, better):
    with_ties = RANKED.copy()
    with_ties[3] = [1.5, 1.5, 3, 4]
    for ranks in (RANKED, RANKED[:9, :3].argsort(axis=1) + 1.0, with_ties):
        (note,) = notes_on_ranks(ranks, metric, better)
        assert note.startswith("All scores are ranks of the models, 1 to ")


@pytest.mark.parametrize("n_models", [3, 4, 5])
def test_ranks_with_many_ties_and_means_of_ranks(n_models):
    scores = RNG.integers(0, 3, (12, n_models)) + RNG.integers(0, 2, (12, n_models))
    scores[0] = range(n_models)
    with_ties = stats.rankdata(scores, axis=1)
    of_seeds = stats.rankdata(RNG.random((12, 7, n_models)), axis=2)
    for ranks in (with_ties, of_seeds.mean(axis=1).round(2)):
        (note,) = notes_on_ranks(ranks, "accuracy in percent", "higher")
        assert note.startswith("All scores are ranks of the models, 1 to ")


def test_models_that_are_called_ranks():
    assert "All scores are ranks" in str(notes_on_ranks(RANKED, "q", "lower", "rank "))


@pytest.mark.parametrize(
    ("metric", "better", "ranks"),
    [
        *[("mean rank", "lower", RANKED), ("finishing position", "lower", RANKED)],
        *[("quality", "lower", RANKED), ("preference", "higher", RANKED)],
        ("edit distance", "lower", np.full((30, 3), 2.0)),
        ("wer", "lower", RNG.integers(1, 4, (30, 3)).astype(float)),
        ("wer", "lower", RANKED[:7]),
        ("wer", "lower", RANKED[:, :2].argsort(axis=1) + 1.0),
        # losses that add up to 6, because they hardly vary
        ("log loss", "lower", [1.4, 2.1, 2.5] + RNG.normal(0, 0.001, (9, 3)).round(3)),
        ("mae", "lower", RNG.uniform(1, 3, (30, 3)).round(1)),
    ],
)
def test_numbers_that_may_be_ranks(metric, better, ranks):
    assert "All scores" not in str(notes_on_ranks(ranks, metric, better))

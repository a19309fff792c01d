"""Models that were asked other things are not compared as if they had been asked the same."""

import numpy as np
import pandas as pd
import pytest
from logs_by_hand import harness

from replib import Metric, compare, read
from replib._comparable import without_settings


@pytest.mark.parametrize(
    "other, says",
    [
        ({"prompt_hash": "q"}, "prompt_hash differs between models for 3 of 3 items"),
        ({"shots": 5}, "n_shot of arc is 0 for a and 5 for b"),
        ({"filter": "strict"}, "filter of arc is 'none' for a and 'strict' for b"),
        ({"doc_hash": "e"}, "target or document differs"),
    ],
)
def test_models_that_were_asked_other_things_are_refused(tmp_path, other, says):
    harness(tmp_path, "a")
    harness(tmp_path, "b", **other)
    with pytest.raises(ValueError, match=says) as refused:
        read(tmp_path)
    if "document" not in says:
        name = says.split()[0]
        assert f"columns={{'ignored': ['{name}']}}" in str(refused.value)
        assert len(read(tmp_path, columns={"ignored": [name]}).units) == 3


def test_a_version_or_a_template_that_differs_is_noted(tmp_path):
    harness(tmp_path, "a", template="s")
    harness(tmp_path, "b", version=2.0, prompt_hash="q", template="t")
    data = read(tmp_path)
    assert data.notes == (
        "the models were asked in different chat templates",
        "version of arc is 1.0 for a and 2.0 for b: are they the same items?",
    )
    assert data.metric == Metric("skill", better="higher")
    assert "Note: version of arc" in str(compare(data))


def test_a_table_that_says_how_models_were_asked_is_checked_too(tmp_path):
    frame = pd.DataFrame(
        {
            "model": [*"aaabbb"],
            "question": [1, 2, 3] * 2,
            "score": [0, 1, 1, 1, 1, 0],
            "prompt_hash": [*"xyz"] * 2,
            "num_fewshot": 5,
            "kind": ["old"] * 3 + ["new"] * 3,
        }
    )
    how = dict(
        design="items",
        metric="accuracy",
        columns={"item": "question", "ignored": ["kind"]},
    )
    path = tmp_path / "a.csv"
    frame.to_csv(path, index=False)
    assert read(path, **how).notes == ()
    for column, says in (
        ("prompt_hash", "prompt_hash differs"),
        ("num_fewshot", "is 5"),
    ):
        other = frame.copy()
        other.loc[5, column] = 0 if column == "num_fewshot" else "w"
        other.to_csv(path, index=False)
        with pytest.raises(ValueError, match=says):
            read(path, **how)
        ignored = how["columns"] | {"ignored": ["kind", column]}
        assert len(read(path, **how | {"columns": ignored}).units) == 3


def table(prompts_of_a, prompts_of_b):
    """Prompts of items by model; several letters are prompts of several runs."""
    rows = [
        (model, item, prompt)
        for model, prompts in (("a", prompts_of_a), ("b", prompts_of_b))
        for item, several in enumerate(prompts)
        for prompt in several
    ]
    return pd.DataFrame(rows, columns=["model", "item", "prompt"])


@pytest.mark.parametrize(
    "a, b, n_differing",
    [
        (["x", "y"], ["x", "y"], 0),
        (["x", "y"], ["x", "z"], 1),
        (["xw", "y"], ["wx", "y"], 0),
        (["xw", "y"], ["x", "y"], 1),
        (["x", "y", "z"], ["x", "y"], 0),
        (["x", "y"], ["y", "x"], 2),
    ],
)
def test_a_prompt_is_that_of_an_item_in_any_run(a, b, n_differing):
    frame = table(a, b)
    if n_differing == 0:
        assert list(without_settings(frame).frame) == ["model", "item"]
        return
    says = f"prompt differs between models for {n_differing} of {len(a)} items"
    with pytest.raises(ValueError, match=says):
        without_settings(frame)
    assert "prompt" in without_settings(frame, chosen=["prompt"]).frame


def test_a_setting_with_several_values_in_a_task_is_left_to_be_chosen():
    frame = pd.DataFrame(
        {
            "model": np.repeat(["a", "b"], 4),
            "task": ["x", "x", "y", "y"] * 2,
            "item": [1, 2] * 4,
            "filter": ["p", "q", "p", "p"] * 2,
            "n_shot": [0, 0, 5, 5] * 2,
        }
    )
    kept = without_settings(frame)
    assert list(kept.frame) == ["model", "task", "item", "filter"]
    assert kept.notes == ()

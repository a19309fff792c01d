"""Notes about pairs that no test can tell apart; constant pairs are in test_decisions."""

import numpy as np
import pandas as pd
import pytest

from replib import compare, from_predictions, from_wide

RNG = np.random.default_rng(4)


def board(n_models, n_datasets):
    """Each model is ahead of the one before on all data sets."""
    return pd.DataFrame(
        {
            f"m{i}": 0.6 + 0.03 * i + 0.001 * RNG.random(n_datasets)
            for i in range(n_models)
        }
    )


@pytest.mark.parametrize(
    "n_models, n_datasets, options, noted",
    [
        (2, 5, {}, True),  # 2 / 2^5 = 0.06
        (2, 6, {}, False),
        (5, 8, {}, True),  # ten pairs: 10 x 2 / 2^8 = 0.08
        (5, 9, {}, False),
        (5, 8, {"correction": "none"}, False),
        (5, 8, {"pairs": [("best", "m0")]}, False),  # four choices: 0.03
        (9, 8, {"pairs": [("best", "m0")]}, True),
        (5, 8, {"alpha": 0.1}, False),
    ],
)
def test_what_these_data_sets_could_not_show_is_said(
    n_models, n_datasets, options, noted
):
    table = from_wide(board(n_models, n_datasets), design="datasets", metric="accuracy")
    result = compare(table, **options)
    assert any("could give is" in note for note in result.notes) == noted
    assert noted == (result.decisions == 0).all()


@pytest.mark.parametrize("n_differing, noted", [(5, True), (6, False)])
def test_few_items_that_differ_cannot_be_significant(n_differing, noted):
    truth = np.arange(60) % 2
    worse = np.where(np.arange(60) < n_differing, 1 - truth, truth)
    answers = {"a": truth, "b": worse}
    for metric in ("accuracy", "f1_macro"):
        result = compare(from_predictions(truth, answers, metric=metric))
        assert any("60 items could give" in note for note in result.notes) == noted

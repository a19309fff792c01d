"""Two classes of which a model has another code than the truth for one."""

import numpy as np
import pytest

from replib._notes.coding import are_coded_otherwise

TRUTH = np.arange(100) % 2


def with_errors(n_errors, *, code, truth=TRUTH):
    """Predictions that say `code` for class 0, and are wrong for the first items."""
    predicted = np.where(truth == 0, code, 1)
    predicted[:n_errors] = np.where(truth[:n_errors] == 0, 1, code)
    return predicted


@pytest.mark.parametrize("code", [-1, 2])
@pytest.mark.parametrize("n_errors, is_told", [(0, True), (34, True), (36, False)])
def test_another_code_is_told_by_its_correlation(code, n_errors, is_told):
    """With 34 errors of 100 the correlation is 0.32, and with 36 it is 0.28: 3.2 and 2.8
    standard errors."""
    predicted = with_errors(n_errors, code=code)
    assert are_coded_otherwise(predicted, TRUTH) == is_told


def test_all_runs_of_a_model_count():
    predicted = np.stack([with_errors(n, code=-1) for n in (3, 7)])
    assert are_coded_otherwise(predicted, TRUTH)
    assert not are_coded_otherwise(np.stack([TRUTH, predicted[0]]), TRUTH)


@pytest.mark.parametrize(
    "predicted, truth",
    [
        (TRUTH, TRUTH),
        (1 - TRUTH, TRUTH),  # the other class, and not another code
        (TRUTH + 2, TRUTH),  # no class in common
        (np.full(100, -1), TRUTH),
        (2 * TRUTH - 1, np.arange(100) % 3),  # trained on two of three classes
        (np.where(TRUTH == 0, "n/a", "spam"), np.where(TRUTH == 0, "ham", "spam")),
        (TRUTH.astype(float) - 0.5, np.linspace(0, 1, 100)),
    ],
)
def test_what_is_no_other_code(predicted, truth):
    assert not are_coded_otherwise(predicted, truth)

"""The smallest p-value that data could have given: no other signs give a smaller one."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from replib import compare, from_predictions, from_wide
from replib._attainable import (
    note_on_too_few_units,
    smallest_adjusted_pvalue,
    smallest_pvalue,
)
from replib.significance import mcnemar, signed_rank


@pytest.mark.parametrize(
    "sizes",
    [[1, 2, 3, 4, 5], [1, 1, 1, 2, 2, 3], [0, 0, 1, 2, 2, 4, 4], [0, 0, 0]],
    ids=["no ties", "ties", "zeros and ties", "only zeros"],
)
def test_no_signs_give_the_signed_rank_test_a_smaller_p(sizes):
    signs = np.array(list(product((-1, 1), repeat=len(sizes))))
    p = signed_rank(signs * np.array(sizes, float)).pvalue
    assert smallest_pvalue(np.count_nonzero(sizes)) == pytest.approx(np.min(p))


@pytest.mark.parametrize("n_differing", [0, 1, 4, 5, 6, 20])
def test_no_split_of_the_items_gives_mcnemar_a_smaller_p(n_differing):
    wins = np.arange(n_differing + 1)
    p = mcnemar(wins, n_differing - wins).pvalue
    assert smallest_pvalue(n_differing) == pytest.approx(np.min(p))


def test_exchanges_of_few_items_give_the_smallest_p():
    """Five items differ and one model is right on all: 2 of 32 exchanges do as much."""
    truth = np.tile([0, 1], 20)
    worse = truth.copy()
    worse[:5] = 1 - worse[:5]
    data = from_predictions(truth, {"a": truth, "b": worse}, metric="f1_macro")
    result = compare(data)
    assert result.pairs["p"][0] == pytest.approx(1 / 16)
    assert result.tests.smallest_pvalue == pytest.approx(smallest_pvalue(5))
    assert smallest_pvalue(50, n_exchanges=9999) == 1e-4


@pytest.mark.parametrize("correction", ["holm", "bonferroni", "none"])
@pytest.mark.parametrize("n_models", [2, 3, 5])
def test_models_in_the_same_order_on_all_data_sets_reach_it(n_models, correction):
    rng = np.random.default_rng(n_models)
    columns = {f"m{i}": 0.6 + 0.03 * i + 0.001 * rng.random(8) for i in range(n_models)}
    table = from_wide(pd.DataFrame(columns), design="datasets", metric="accuracy")
    result = compare(table, correction=correction)
    of_pairs = smallest_pvalue([8] * len(result.pairs))
    smallest = smallest_adjusted_pvalue(of_pairs, correction=correction)
    assert smallest == pytest.approx(result.pairs["adjusted_p"].min())


def test_the_choice_of_the_best_counts():
    smallest = smallest_adjusted_pvalue([1 / 128], correction="holm", n_choices=9)
    assert smallest == 9 / 128


def test_pairs_that_never_differ_decide_nothing_and_cost_the_others_their_share():
    of_pairs = smallest_pvalue([0, 0, 8])
    assert smallest_adjusted_pvalue(of_pairs, correction="holm") == 3 / 128


@pytest.mark.parametrize("smallest, is_noted", [(0.049, False), (0.05, True)])
def test_a_note_is_given_where_no_p_can_fall_below_alpha(smallest, is_noted):
    note = note_on_too_few_units(smallest, alpha=0.05, on="8 data sets")
    assert (note is not None) == is_noted

"""Table 5: consistency over all subsets of experiments, and its bounds."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.papers import synthetic
from companion.papers.bouckaert_frank2004 import table_5


def test_consistency_by_experiments_is_the_mean_over_all_subsets():
    rng = np.random.default_rng(5)
    counts = rng.multinomial(6, rng.dirichlet([1, 1, 1], size=(8, 1)))
    frame = table_5.consistency_by_experiments(counts, ["any"]).set_index("experiments")
    for m in range(2, 7):
        share = Fraction(0)
        for row in counts[:, 0]:
            subsets = list(combinations(np.repeat([0, 1, 2], row), m))
            share += Fraction(
                sum(len(set(subset)) == 1 for subset in subsets), len(subsets)
            )
        assert np.isclose(frame.at[m, "consistent"], float(100 * share / len(counts)))
    # two experiments: the replicability over three outcomes
    n = counts[0, 0].sum()
    r2 = (counts[:, 0] * (counts[:, 0] - 1)).sum(axis=1) / (n * (n - 1))
    assert np.isclose(frame.at[2, "consistent"], 100 * np.mean(r2))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6), st.integers(2, 30))
def test_mixtures_of_data_sets_keep_to_the_bounds(acceptance, experiments):
    p = np.array(acceptance)
    consistent = (p**experiments + (1 - p) ** experiments).mean()
    bounds = table_5.consistency_bounds(
        [(p**2 + (1 - p) ** 2).mean()], experiments
    ).iloc[0]
    assert bounds["low"] - 1e-9 <= consistent <= bounds["high"] + 1e-9


def test_bounds_are_attained():
    low = table_5.consistency_bounds([0.7], 10)["low"].item()
    p = (1 + np.sqrt(0.4)) / 2
    assert np.isclose(low, p**10 + (1 - p) ** 10)
    # half of the data sets always agree, the others toss coins: r = 3/4
    assert np.isclose(
        table_5.consistency_bounds([0.75], 10)["high"].item(), (1 + 2.0**-9) / 2
    )


def test_the_printed_table_meets_its_own_claims():
    """Also shows that the claims are read as the paper meant them."""
    table = synthetic.printed(table_5.TABLE).rename(columns={"printed": "value"})
    tables = pd.concat([table.assign(network=network) for network in range(10)])
    assert table_5.claims(tables)["rebuilt"].all()


def test_claims_can_fail(measured):
    assert not table_5.claims(table_5.by_network(measured))["rebuilt"].any()


def of_errors(**changes):
    """One table of rejections in which all claims hold, with changes."""
    values = {
        "five_by_two_cv": (5, 6, 18, 36),
        "corrected_resampled_10": (5, 16, 39, 73),
        "corrected_resampled_100": (5, 31, 68, 96),
        "k_fold.paired_t": (11, 31, 64, 92),
        "corrected_repeated_cv": (4, 31, 69, 96),
        "use_all_data.paired_t": (26, 82, 96, 99),
        "random_10.paired_t": (15, 36, 63, 90),
    } | changes
    return pd.DataFrame(
        [
            (0, design, column, value)
            for design, row in values.items()
            for column, value in zip(synthetic.SOURCE_COLUMNS, row)
        ],
        columns=["network", "design", "column", "value"],
    )


@pytest.mark.parametrize(
    ("change", "failing"),
    [
        ({}, []),
        ({"k_fold.paired_t": (5, 31, 64, 92)}, ["cl.11", "cl.15", "cl.16"]),
        ({"use_all_data.paired_t": (25, 82, 96, 99)}, ["cl.12"]),
        ({"five_by_two_cv": (5.1, 6, 18, 36)}, ["cl.13"]),
        ({"corrected_resampled_10": (5, 6, 39, 73)}, ["cl.13", "cl.18"]),
        ({"corrected_resampled_100": (6.1, 31, 68, 96)}, ["cl.18"]),
        ({"random_10.paired_t": (10, 36, 63, 90)}, ["cl.16"]),
    ],
)
def test_claims_on_errors_hold_and_fail(change, failing):
    held = table_5.claims_on_errors(of_errors(**change)).set_index("id")["rebuilt"]
    assert held[~held].index.tolist() == [
        f"bouckaert_frank2004.{claim}" for claim in failing
    ]
    assert not table_5.claims_on_errors(of_errors(**change), alpha=0.11)[
        "rebuilt"
    ].iloc[0]

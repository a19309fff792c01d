"""Rows of the ledger, and the two numbers that several studies share: Equation 16 and a spread."""

import numpy as np
import pandas as pd
import pytest

from companion.papers.berrar2024.rows import (
    are_close,
    resampled,
    rows,
    share_but_one,
    spread,
)


def test_rows_have_values_with_or_without_an_error_and_what_else_is_known():
    found = rows({"s1.a": (0.5, 0.1), "s1.b": True}, note={"s1.b": "exact"})
    assert found["id"].tolist() == ["berrar2024.s1.a", "berrar2024.s1.b"]
    assert found["rebuilt"].tolist() == [0.5, True]
    assert found["standard_error"].fillna(-1).tolist() == [0.1, -1]
    assert found["note"].tolist() == [None, "exact"]
    with pytest.raises(ValueError, match="note names what is not rebuilt here: s1.c"):
        rows({"s1.a": 1}, note={"s1.c": "nothing"})


def test_of_the_significant_experiments_one_is_the_first():
    seen = pd.DataFrame(
        {
            "group": [1] * 4 + [2] * 4 + [3] * 4,
            "is_significant": [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0],
        }
    )
    found = share_but_one(seen.groupby("group")["is_significant"])
    assert found.tolist() == [1, 1 / 3, 0]


def test_a_whole_number_that_moved_in_no_draw_has_an_error():
    draws = [
        {"F": 2.0, "rank": 3},
        {"F": 4.0, "rank": 3},
        {"rank": 3},
        {"F": 6.0, "rank": 3},
    ]
    assert spread(draws, "F") == pytest.approx(np.std([2, 4, 6]))
    assert spread(draws, "rank") == 0
    assert (
        spread(draws, "rank", is_whole=True) == 0.5
    )  # one of four draws may have moved it
    assert np.isnan(spread(draws, "P"))


@pytest.mark.parametrize(
    "other, close",
    [
        ([1.0, 0.0], True),
        ([1 + 1e-11, 0.0], True),
        ([1 + 1e-9, 0.0], False),
        ([1.0, 1e-13], False),
    ],
)
def test_numbers_that_are_equal_but_for_rounding(other, close):
    assert are_close([1.0, 0.0], other) == close


def test_samples_of_experiments_have_the_mean_and_the_error_of_their_group():
    """At most 2 of 10^4 other seeds fail; an error 6.5% off is found with probability 0.9."""
    rng = np.random.default_rng(3)
    seen = pd.DataFrame(
        {"group": [1] * 50 + [2] * 20, "one": 1.0, "t": rng.normal(size=70)}
    )
    sums, sizes, groups = resampled(seen, ["one", "t"], size=None, draws=4000, rng=rng)
    assert (
        groups == [1, 2] and sizes.tolist() == [50, 20] and sums.shape == (4000, 2, 2)
    )
    assert (sums[..., 0] == sizes).all()
    for place, group in enumerate(groups):
        t = seen.loc[seen["group"] == group, "t"]
        means, error = sums[:, place, 1] / len(t), t.std(ddof=0) / np.sqrt(len(t))
        assert abs(means.mean() - t.mean()) < 4 * error / np.sqrt(4000)
        assert means.std() == pytest.approx(error, rel=0.05)
    sums, sizes, _ = resampled(seen, ["one"], size=7, draws=2, rng=rng)
    assert sizes.tolist() == [7, 7] and (sums == 7).all()

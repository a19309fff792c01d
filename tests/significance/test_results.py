"""Results: what each kind has and has not, their direction, their interval."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from replib.significance import (
    RankTestResult,
    mcnemar,
    paired_t,
    sign_test,
    signed_rank,
)


def test_a_result_has_nothing_that_its_test_has_not():
    """A count has no standard error; what has none has no interval and no degrees of freedom."""
    for result in (sign_test([1, 2, -3]), signed_rank([1, 2, -4]), mcnemar(3, 1)):
        for name in ("standard_error", "df", "confidence_interval"):
            assert not hasattr(result, name)
        assert hasattr(result, "zstatistic") == (type(result) is RankTestResult)


def test_direction_is_the_sign_of_the_estimate():
    assert (paired_t([3, -1]).direction, paired_t([-3, 1]).direction) == (1, -1)
    assert (mcnemar(3, 5).direction, sign_test([2, -2]).direction) == (-1, 0)
    directions = signed_rank([[1, -2, -4], [1, 3, -4], [5, -1, 1]]).direction
    assert_array_equal(directions, [-1, 0, 1])
    assert directions.dtype == np.int8


def test_result_unpacks_to_statistic_and_pvalue_and_is_frozen():
    result = paired_t([1, 2, 4])
    statistic, pvalue = result
    assert (statistic, pvalue) == (result.statistic, result.pvalue)
    with pytest.raises(AttributeError):
        result.pvalue = 0

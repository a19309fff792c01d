"""Numbers as text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replib._numbers import digits_of_p, limit, number

SIZES = st.floats(1e-6, 1e6)


@given(st.floats(-1e6, 1e6), SIZES)
def test_a_number_is_as_near_as_its_width_asks(x, width):
    """Two digits of the width: an error of at most a twentieth of it, or three decimals."""
    written = float(number(x, width=width).replace("\N{MINUS SIGN}", "-"))
    assert abs(written - x) <= width / 20 * (1 + 1e-9) + 1e-12 * abs(x)


@pytest.mark.parametrize("level", [0.01, 0.05, 0.1])
@pytest.mark.parametrize("distance", [1e-3, 4e-4, 1e-5])
def test_a_p_value_near_a_level_shows_its_side(level, distance):
    for p in (level - distance, level + distance):
        shown = float(digits_of_p(p))
        assert np.sign(shown - level) == np.sign(p - level)
        assert shown == pytest.approx(p, rel=0.05)
    assert digits_of_p(level) == f"{level:g}"


@pytest.mark.parametrize("share", [1e-5, 0.004, 0.03, 0.9])
@pytest.mark.parametrize("width", [1e-5, 0.03, 7])
@pytest.mark.parametrize("sign", [-1, 1])
def test_a_limit_stands_on_its_side_of_zero(share, width, sign):
    text = limit(sign * share * width, width)
    shown = float(text.replace("\N{MINUS SIGN}", "-"))
    assert np.sign(shown) == sign
    assert abs(shown - sign * share * width) <= max(0.06 * width, 1e-3) / 2
    assert set(limit(sign * 1e-9 * width, width)) <= {"0", "."}

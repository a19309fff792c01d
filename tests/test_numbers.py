"""Numbers as text."""

from hypothesis import given
from hypothesis import strategies as st

from replib._numbers import number

SIZES = st.floats(1e-6, 1e6)


@given(st.floats(-1e6, 1e6), SIZES)
def test_a_number_is_as_near_as_its_width_asks(x, width):
    """Two digits of the width: an error of at most a twentieth of it, or three decimals."""
    written = float(number(x, width=width).replace("\N{MINUS SIGN}", "-"))
    assert abs(written - x) <= width / 20 * (1 + 1e-9) + 1e-12 * abs(x)

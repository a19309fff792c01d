"""The picture of margins against the size of the training set."""

import pandas as pd
import pytest

from companion.engine.show.pictures import sampling_schemes_compared


@pytest.mark.parametrize("sizes", [[20_000], [10, 300]])
def test_each_network_is_seen_with_one_size_and_with_two(sizes):
    curves = pd.DataFrame(
        {
            "source": 2,
            "network": "a",
            "instances": sizes,
            "margin": 6.0,
            "standard_error": 0.5,
        }
    )
    (ax,) = sampling_schemes_compared.margin_curves(
        curves, {2: 2.77}, instances=300
    ).axes
    of_network = [line for line in ax.lines if set(line.get_ydata()) == {6.0}]
    assert any(
        len(line.get_xdata()) > 1 or line.get_marker() not in ("", "None")
        for line in of_network
    )

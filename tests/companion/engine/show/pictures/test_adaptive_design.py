"""Pictures of adaptive designs."""

import numpy as np
import pandas as pd
import pytest

from companion.engine.show.pictures import adaptive_design


@pytest.mark.parametrize("rejects, top", [(80.0, 100), (8.0, 30)])
def test_the_axis_of_a_share_ends_at_the_whole(rejects, top):
    runs = np.arange(1, 11)
    frame = pd.DataFrame(
        {"test": "plain", "runs": runs, "rejects": rejects, "standard_error": 10.0}
    )
    figure = adaptive_design.ever_rejected(frame, 0.05)
    low, high = figure.axes[0].get_ylim()
    assert low == 0 and rejects < high <= top


@pytest.mark.parametrize(
    "alpha, ticks", [(0.05, [0.01, 0.05, 0.2, 1]), (0.99, [0.01, 0.05, 0.2, 0.99])]
)
def test_the_level_has_a_tick_that_no_other_touches(alpha, ticks):
    frame = pd.DataFrame(
        {
            "experiment": 0,
            "runs": [1, 2],
            "pvalue": [0.9, 0.01],
            "stops": [False, True],
            "decision": 1,
        }
    )
    figure = adaptive_design.paths(frame, alpha)
    assert figure.axes[0].get_yticks() == pytest.approx(ticks)

"""Whether two tables of scores say the same."""

import numpy as np

from replib.scores import Scores


def same(one: Scores, two: Scores) -> bool:
    assert one.models == two.models and one.units == two.units
    assert (one.metric, one.design) == (two.metric, two.design)
    assert str(one.clusters) == str(two.clusters)
    return all(
        np.allclose(one.blocks[x], two.blocks[x], rtol=1e-15) for x in one.models
    )

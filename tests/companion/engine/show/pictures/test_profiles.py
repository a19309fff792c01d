"""Pictures of profiles."""

import pandas as pd
import pytest

from companion.engine.show.pictures import profiles


@pytest.mark.parametrize("panels", [1, 3])
def test_the_label_beside_the_panels_is_not_longer_than_they_are(panels):
    rows = [
        {"graph": graph, "size": 1000, "difference": x, "power": 50.0}
        for graph in range(panels)
        for x in (0.0, 14.0)
    ]
    curves = pd.DataFrame(rows).assign(replicability=60.0)
    simulated = curves.assign(power_error=1.0, replicability_error=1.0)
    figure = profiles.profiles(
        simulated, curves, panel="graph", titles=["a title"] * panels, most=14
    )
    figure.canvas.draw()
    (label,) = (text for text in figure.texts if "replicability" in text.get_text())
    box = label.get_window_extent()
    assert box.y0 >= 0 and box.y1 <= figure.bbox.y1

"""The levels of the rules: the stored ones, with the reader's own inserted."""

import pytest

from companion.studies.adaptive_design import border as border_model
from companion.studies.adaptive_design import rules
from replib import adaptive


def test_default_levels_are_those_that_are_stored():
    assert rules.levels(50) == {k: list(v) for k, v in rules.LEVELS.items()}
    assert rules.levels(50, "curtailed", 0.95) == rules.levels(50)
    assert rules.levels(30, "agreeing", 7)["agreeing"] == [2, 3, 5, 7, 10, 20]
    with pytest.raises(ValueError, match="rule must be one of"):
        adaptive.stop(border_model.border_course(0, 5, walks=3), 7, rule="patience")

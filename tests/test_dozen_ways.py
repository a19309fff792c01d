"""A dozen ways to be wrong: each example has the p-values and the refusal that the page states."""

import re
from pathlib import Path

import pytest

from replib._numbers import p_value

PAGE = Path(__file__).resolve().parents[1] / "book" / "dozen_ways.md"
OPENING, *CASES = re.split(
    r"^### ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE
)
assert len(CASES) == 12


def code(text):
    (block,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    return compile(block, str(PAGE), "exec")


@pytest.fixture(scope="module")
def shared():
    names = {}
    exec(code(OPENING), names)
    return names


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.partition("\n")[0])
def test_a_mistake_leads_to_its_conclusion_and_is_refused(case, shared):
    names = dict(shared)
    with pytest.raises(ValueError) as refusal:
        exec(code(case), names)
    after = case.rpartition("```")[2]
    assert f"Refused: `{refusal.value}`" in after
    values = [names[name] for name in ("wrong", "right") if name in names]
    assert re.findall(r"\((p [=<] [\d.]+)\)", after) == list(map(p_value, values))
    assert "right" not in names or (names["wrong"] < 0.05) != (names["right"] < 0.05)

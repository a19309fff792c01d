"""The blocks of the library guide run, one after the other, as its page says."""

import re
from pathlib import Path

GUIDE = Path(__file__).resolve().parents[3] / "book" / "library.md"


def test_every_block_runs(capsys):
    blocks = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    namespace = {}
    for block in blocks:
        exec(compile(block, str(GUIDE), "exec"), namespace)
    assert len(blocks) >= 10
    assert "forest (0.9" in capsys.readouterr().out
    assert namespace["result"].agreement.point > 0

"""A book of one small chapter, to try on it what would take long with the real one."""

import pytest

from replib.book import chapters

CHAPTER = """---
kernelspec:
  display_name: Python 3
  name: python3
replib:
  minutes_to_read: 1
---

# A chapter

```{code-cell} ipython3
:tags: [parameters]

n: int = 3  # things; 1 to 9; how many
```

```{code-cell} ipython3
import numpy as np
np.random.default_rng(n).random(3) / (n - 5)
```
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """The folder of that book, in which n = 5 is allowed but divides by zero."""
    for name, path in (
        ("SOURCES", "notebooks"), ("CHAPTERS", "chapters"), ("BUILD", "_build"), ("RUNS", "runs"),
    ):
        monkeypatch.setattr(chapters, name, tmp_path / path)
    monkeypatch.setattr(chapters, "ROOT", tmp_path)
    (tmp_path / "notebooks" / "presets").mkdir(parents=True)
    (tmp_path / "notebooks" / "10_sample.md").write_text(CHAPTER)
    (tmp_path / "notebooks" / "costs.yml").write_text("{}")
    (tmp_path / "requirements.txt").write_text("numpy==2.4.6\nruff==1\n")
    return tmp_path

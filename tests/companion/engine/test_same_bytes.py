"""Two builds of one commit are equal byte for byte, wherever and whenever they are made."""

import os
import posixpath
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

pytestmark = pytest.mark.slow

FIRST = """---
kernelspec: {display_name: Python 3, name: python3}
replib: {minutes_to_read: 1}
---

(ch-trained)=
# Two learners

```{code-cell} ipython3
:tags: [parameters]

seed: int = 1  # seed; 1 to 9; of the splits
```

```{code-cell} ipython3
from sklearn.datasets import load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from companion import engine as book
from companion.engine.show.pictures import drawing, style
from replib import compare, train

learners = {"nb": GaussianNB(), "tree": DecisionTreeClassifier(random_state=0)}
X, y = load_iris(return_X_y=True)
scores = train(learners, X, y, design="2x5", metric="accuracy", random_state=seed)
result = compare(scores)
book.glue(p=result.pairs["p"][0])
result
```

The p-value is {glue:text}`p:.3f`, see {numref}`fig-scores`.

```{code-cell} ipython3
---
mystnb:
  figure:
    name: fig-scores
    caption: Accuracy by fold.
---
@drawing.picture(height=2.5, xlabel="fold", ylabel="accuracy")
def draw(ax):
    for name, of_model in scores.frame.groupby("model"):
        ax.plot(range(10), of_model["score"], label=name)
    ax.legend()


style.show(draw(), alt="Accuracy of both learners by fold")
```
"""
SECOND = """---
kernelspec: {display_name: Python 3, name: python3}
replib: {minutes_to_read: 1}
---

# What is left to chance

```{code-cell} ipython3
import sys
import time
import warnings

import numpy as np
import pandas as pd
from tqdm import tqdm

from companion import engine as book

for _ in tqdm(range(3)):
    time.sleep(0.05)
print("done", file=sys.stderr)
warnings.warn("this path is not shown")
```

```{code-cell} ipython3
names = pd.Series(sorted({"a", "b", "c"}), name="name")
book.table(pd.DataFrame({"name": names, "x": np.random.default_rng(1).random(3)}))
```

More is in {ref}`ch-trained`.
"""


def site(book: Path, **environment: str) -> dict[str, bytes]:
    """Build a book in a new process; return its site by the names of the files."""
    paths = f"{book}{os.pathsep}{book / 'book'}"
    build = subprocess.run(
        [sys.executable, "-m", "replib", "build"],
        cwd=book,
        env=os.environ | {"PYTHONPATH": paths} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert build.returncode == 0, build.stderr
    html = book / "_build" / "html"
    files = (file for file in html.rglob("*") if file.is_file())
    return {str(file.relative_to(html)): file.read_bytes() for file in sorted(files)}


def assert_equal(one: dict[str, bytes], other: dict[str, bytes]) -> None:
    assert one.keys() == other.keys()
    assert [name for name in one if one[name] != other[name]] == []


def missing(files: dict[str, bytes]) -> set[str]:
    """What pages and styles ask for in the site, and nobody has."""
    asked = set()
    for name, content in files.items():
        for pattern in PATTERNS.get(Path(name).suffix, ()):
            for address in re.findall(pattern, content.decode()):
                if not re.match(r"\w+:|//", address):
                    place = posixpath.join(posixpath.dirname(name), unquote(address))
                    asked.add(posixpath.normpath(place))
    # a browser takes the first form of a font that it knows
    fonts = {name.removesuffix("2") for name in files if name.endswith(".woff2")}
    fallbacks = fonts | {name.replace(".woff", ".ttf") for name in fonts}
    return asked - files.keys() - fallbacks


#: What a page loads, and what a style does.
PATTERNS = {
    ".html": (
        r'<(?:script|img)\b[^>]* src="([^"#?]+)',
        r'<link\b[^>]* href="([^"#?]+)[^>]* rel="stylesheet"',
        r'<link\b[^>]* rel="stylesheet"[^>]* href="([^"#?]+)',
    ),
    ".css": (r"(?:url\(|@import )['\"]?([^'\")#?]+)",),
}


def test_two_builds_elsewhere_later_and_after_a_change_have_the_same_bytes(
    small_book, tmp_path
):
    texts = {"10_trained": FIRST, "11_chance": SECOND}
    book = small_book(tmp_path / "one", texts)
    first = site(book, TZ="UTC", PYTHONHASHSEED="1", LANG="C.UTF-8")
    assert b"fig-scores" in first["book/chapters/10_trained.html"]
    assert "_sources/book/chapters/11_chance.ipynb" in first
    assert missing(first) == set()
    assert not [name for name in first if name.endswith((".map", ".po", "-900.ttf"))]

    elsewhere = small_book(tmp_path / "another place", texts)
    source = elsewhere / "notebooks" / "10_trained.md"
    home = tmp_path / "home"
    home.mkdir()
    other = dict(TZ="Asia/Tokyo", PYTHONHASHSEED="2", LANG="C", HOME=str(home))
    source.write_text(FIRST.replace("# Two learners", "# Three learners"))
    before = site(elsewhere, **other)
    # the other page links to it by its title
    assert b"Three learners" in before["book/chapters/11_chance.html"]
    source.write_text(FIRST)
    assert_equal(first, site(elsewhere, **other))

"""Draw the figure of the paper, which is that of the book's first page: python paper/figure.py"""

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "book")]

from companion.engine.show.pictures import ten_reruns  # noqa: E402
from companion.engine.sphinx import landing  # noqa: E402

if __name__ == "__main__":
    figure = ten_reruns.decisions(landing.ten_reruns_of_two_tests())
    figure.savefig(
        HERE / "reruns.png", dpi=200, bbox_inches="tight", metadata={"Software": None}
    )

"""Cost of one comparison and of its parts: prints, asserts no time.

    python -m pytest tests/benchmarks -m benchmarks -s
"""

import subprocess
import sys
from statistics import median
from time import perf_counter

import numpy as np
import pytest

from replib.comparison import agreement, compare_scores

pytestmark = pytest.mark.benchmarks


def milliseconds(run, calls: int = 20) -> float:
    """Median time of a call."""
    times = []
    for _ in range(calls):
        start = perf_counter()
        run()
        times.append(perf_counter() - start)
    return 1000 * median(times)


def test_cost_of_one_comparison(tmp_path):
    rng = np.random.default_rng(0)
    a, b = 0.9 + rng.normal(0, 0.03, (2, 100))
    block = (a - b).reshape(10, 10)
    path = tmp_path / "scores.csv"
    path.write_text("a,b\n" + "\n".join(f"{x},{y}" for x, y in zip(a, b)))
    command = [sys.executable, "-m", "replib", "compare", str(path), "--cv", "10x10"]
    tasks = {
        "corrected t and its p": lambda: compare_scores(a, b, cv="10x10").pvalue,
        "agreement of a rerun": lambda: agreement.predict(block, test_train_ratio=1 / 9),
        "runs needed": lambda: agreement.runs_needed(block, test_train_ratio=1 / 9),
        "all, in one row": lambda: compare_scores(a, b, cv="10x10").to_frame(),
        "the other tests": lambda: compare_scores(a, b, cv="10x10").tests(),
    }
    print()
    for name, run in tasks.items():
        print(f"  {name:28} {milliseconds(run):8.2f} ms")
    start_up = milliseconds(lambda: subprocess.run(command, check=True, capture_output=True), 3)
    print(f"  {'replib compare scores.csv':28} {start_up:8.0f} ms")

"""The script of the page without Python gives the same numbers as `replib.comparison`."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy import special, stats

from replib.comparison import compare_scores
from replib.comparison.predictions import compare_counts
from replib.significance import paired_t

SCRIPT = Path(__file__).resolve().parents[3] / "book" / "_static" / "compare.js"
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(NODE is None, reason="needs node")


def run(calls):
    """Results of calls of functions of the script, ``[[name, arguments], ...]``."""
    program = (
        f"const compare = require({json.dumps(str(SCRIPT))});"
        "const calls = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "const answer = ([name, given]) => {"
        "  try { return compare[name](...given); } catch (problem) { return problem.message; } };"
        "const plain = (_, x) => typeof x === 'number' && !Number.isFinite(x) ? String(x) : x;"
        "console.log(JSON.stringify(calls.map(answer), plain));"
    )
    done = subprocess.run([NODE, "-e", program], input=json.dumps(calls), capture_output=True,
                          text=True, check=True)
    return json.loads(done.stdout)


def blocks():
    """Scores on a grid of designs, effects and spreads; some are discrete, some constant."""
    rng = np.random.default_rng(0)
    for runs, folds in ((10, 10), (2, 5), (1, 10), (5, 2), (3, 10), (30, 1), (100, 1)):
        for effect in (0.0, 0.005, 0.02, 0.06):
            for spread in (0.01, 0.05):
                a = 0.8 + rng.normal(effect, spread, runs * folds)
                b = 0.8 + rng.normal(0, spread, runs * folds) + rng.normal(0, 0.01)
                yield runs, folds, a, b
    hard = np.repeat([0, 1], [60, 240])
    deal = lambda: np.array([rng.permutation(hard).reshape(10, 30).mean(axis=1) for _ in range(10)])
    yield 10, 10, deal().ravel(), deal().ravel()
    yield 10, 10, np.full(100, 0.9), np.full(100, 0.9)
    yield 10, 10, np.full(100, 0.9), np.full(100, 0.7)


def test_scores():
    grid = list(blocks())
    found = run([
        ["scores", [a.tolist(), b.tolist(), {"runs": runs, "folds": folds} | (
            {"ratio": 1 / 9} if folds == 1 else {})]] for runs, folds, a, b in grid
    ])
    for (runs, folds, a, b), one in zip(grid, found):
        if folds == 1:
            expected = compare_scores(a, b, test_fraction=0.1)
        else:
            expected = compare_scores(a, b, runs=runs, folds=folds)
        close = lambda x: pytest.approx(x, abs=1e-9, rel=1e-9)
        assert float(one["statistic"]) == close(expected.statistic)
        assert one["pvalue"] == close(expected.pvalue)
        assert (one["estimate"], one["df"]) == (close(expected.estimate), expected.recommended.df)
        assert (one["low"], one["high"]) == close(tuple(expected.confidence_interval()))
        assert one["decision"] == expected.decision
        again = expected.replication_probability()
        if again is None:  # differences that do not vary
            assert one["replication"] is None
        else:
            assert one["replication"] == close([again.point, again.low, again.high])
        with np.errstate(all="ignore"):
            if np.ptp(a - b) > 0:
                assert one["plainPvalue"] == close(paired_t(a - b).pvalue)
        again = expected.agreement
        if again is None:
            assert one["agreement"] is None
        else:
            assert one["agreement"] == close([again.point, again.low, again.high])


def test_counts():
    grid = [(w, v, d) for w in (0, 1, 5, 12, 25, 300) for v in (0, 2, 12, 280) for d in (0, 7, 400)
            if w + v + d]
    for given, one in zip(grid, run([["counts", list(given)] for given in grid])):
        expected = compare_counts(*given)
        close = lambda x: pytest.approx(x, abs=1e-9)
        assert one["pvalue"] == close(expected.pvalue)
        assert (one["low"], one["high"]) == close(tuple(expected.confidence_interval()))
        assert (one["estimate"], one["decision"]) == (close(expected.estimate), expected.decision)
        again = expected.replication_probability()
        if again is None:
            assert one["replication"] is None
        else:
            assert one["replication"] == close([again.point, again.low, again.high])


def test_distributions():
    noncentral = [(t, df, e) for t in (0, 0.4, 2.3, 15) for df in (1, 9, 99)
                  for e in (-6, -2, 0, 0.3, 3, 9)]
    found = run([["noncentralT", list(given)] for given in noncentral])
    expected = [stats.nct.cdf(*given) for given in noncentral]
    assert found == pytest.approx(expected, abs=1e-11)
    # SciPy has no answer to some of these
    mirrored = run([["noncentralT", [-t, df, -e]] for t, df, e in noncentral])
    assert mirrored == pytest.approx([1 - p for p in expected], abs=1e-11)
    x = [-8, -3.1, -2.9, -0.5, 0, 1, 2.99, 3.01, 6]
    assert run([["normal", [v]] for v in x]) == pytest.approx(special.ndtr(x), rel=1e-11)


@pytest.mark.parametrize("call, said", [
    (["table", ["a,b\n0.9,0.8\n0.7"]], "line 3 of the table has 1 fields and its head has 2"),
    (["table", ["a,b\n0.9,0.8\nx,0.7"]], "column 'a' of the table holds 'x' in line 3"),
    (["table", ["a,b\n0.9,0.8\n0.8,0.7"]], "how were the 2 splits made"),
    (["table", ["a,b\n0.9,0.8\n0.8,0.7", {"cv": "two"}]], 'as in "10x10"'),
    (["table", ["a,b\n0.9,0.8\n0.8,0.7", {"share": 2}]], "between 0 and 1"),
    (["table", ["item,model,score\nq1,a,1\nq1,b,0"]], "with at least two items"),
    (["table", ["question,a,b\n1,1,0\n2,0,1", {"cv": "1x2"}]], "scores per item, not per split"),
    (["table", ['{"doc_id": 1}\n{"doc_id": 2}']], "run replib compare FILE"),
    (["scores", [[1, 2], [1], {"runs": 1, "folds": 2}]], "on the same splits"),
    (["scores", [[1, 2], [1, 2], {"runs": 2, "folds": 2}]], "all folds of the first run"),
    (["counts", [1, -1, 0]], "whole numbers from 0"),
    (["counts", [0, 0, 0]], "nothing to compare"),
])
def test_refusals(call, said):
    assert said in run([call])[0]

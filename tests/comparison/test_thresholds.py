"""Scores at the thresholds of the gate: Python and the page, each with its own code, say the same.

Each family draws tables around one doubt: as many rows, as far apart, as large as just makes it or
just does not.  Numbers are multiples of 1/256 wherever sums and means decide, so that neither
program rounds.
"""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from replib.comparison import gate, scores_file

SCRIPT = Path(__file__).parents[2] / "book" / "_static" / "gate.js"
NODE = shutil.which("node")
DESIGN = "the design is not said"
DESIGNS = [(1, 4), (1, 5), (1, 6), (2, 4), (2, 5), (1, 10), (3, 4), (4, 3), (2, 6), (5, 2), (4, 5)]


def grid(rng, *shape, low=140, high=245):
    return rng.integers(low, high, shape) / 256


def levels(rng, count, *shape):
    """Numbers of which only so many are different."""
    return rng.choice(np.unique(grid(rng, count)), shape)


def design(rng):
    runs, folds = DESIGNS[rng.integers(len(DESIGNS))]
    return runs, folds, runs * folds


def copied(rng):
    runs, folds, n = design(rng)
    period = rng.choice([p for p in range(1, n + 1) if n % p == 0])
    x = np.tile(levels(rng, rng.integers(1, 9), rng.integers(2, 4), period), n // period)
    if rng.random() < 0.3:
        x[rng.integers(len(x)), rng.integers(n)] += 1 / 256
    return x, f"{runs}x{folds}"


def constant(rng):
    x = grid(rng, rng.integers(2, 4), n := rng.integers(3, 7)) * (unit := rng.choice([1, 100]))
    for i in range(rng.integers(1, len(x) + 1)):
        x[i] = rng.choice([0, 0.5, 0.75, 1, 1]) * unit + rng.choice([0, 0, 0, 1])
    return x, rng.choice([f"1x{n}", "share"])


def rounded(rng):
    x = rng.random((2, rng.integers(4, 7)))
    x[1] = x[0].round(rng.integers(2, 7)) + rng.choice([0, 0, 1e-4])
    return x[:: rng.choice([-1, 1])], f"1x{x.shape[1]}"


def shifted(rng):
    x = grid(rng, 2, rng.integers(2, 5))
    x[1] = x[0] + 1 / 16
    x[1, 0] += rng.choice([0, 4e-9, 3e-8])
    x[0] = x[0] if rng.random() < 0.8 else x[0, 0]
    return x, f"1x{x.shape[1]}"


def copied_runs(rng):
    runs, folds = rng.integers(2, 5, 2)
    x = levels(rng, rng.integers(1, 7), rng.integers(2, 4), runs, folds)
    for i in range(rng.integers(1, len(x) + 1)):
        x[i, rng.integers(runs)] = x[i, 0]
    if rng.random() < 0.5:
        x[0] = x[0, 0]
    if rng.random() < 0.2:
        x[:] = x[..., :1]
    return x.reshape(len(x), -1), f"{runs}x{folds}"


def of_folds(rng):
    runs, folds = rng.integers(2, 7, 2)
    x = 0.7 + rng.normal(0, 0.05, (2, 1, folds)) + rng.normal(0, 1, (2, runs, folds)) * (
        10 ** rng.uniform(-4, -1))
    return x.reshape(2, -1), f"{runs}x{folds}"


def of_runs(rng):
    runs, folds = rng.integers(2, 7, 2)
    x = 0.7 + rng.normal(0, 0.05, (2, runs, 1)) + rng.normal(0, 0.05, (2, runs, folds)) * (
        10 ** rng.uniform(-1, 0.3))
    return x.reshape(2, -1), f"{runs}x{folds}"


def means(rng):
    unit = rng.choice([1, 100])
    x = rng.random((rng.integers(2, 4), n := rng.integers(4, 8))) * unit
    after = rng.integers(1, 3)
    if after == 2:
        x[:, -1] = x[:, :-2].std(axis=1) * rng.choice([1, 1.1, 0.9, 1.3, 0.75])
    x[:, -after] = x[:, : n - after].mean(axis=1)
    x[:, -after] = x[:, -after].round(rng.choice([2, 4, 12]))
    if rng.random() < 0.4:
        x[0, -after] += unit * rng.choice([1e-10, 5e-5, 1e-3])
    if rng.random() < 0.2:
        x[0, 0] = x[0, -after] + 5e-5 * unit * rng.choice([0.5, 2])
    return x, f"1x{n}"


def made(rng):
    """Scores that may have been made from those of others."""
    x = grid(rng, rng.integers(2, 5), rng.integers(9, 13)) * (unit := rng.choice([1, 100]))
    if rng.random() < 0.3:
        x[1:] = x[:1]
        for of in x[1:]:
            of[rng.permutation(x.shape[1])[: rng.integers(1, 5)]] += unit / 32
    i, others = 0, x[1:]
    x[i] = [others.max(0), others.min(0), others.mean(0), others[0] - others[-1]][rng.integers(4)]
    if rng.random() < 0.4:
        x[i, rng.integers(x.shape[1])] += unit * rng.choice([2e-5, 1e-4, 2e-9])
    return x[rng.permutation(len(x))], f"1x{x.shape[1]}"


def sums(rng):
    x = grid(rng, rng.integers(2, 4), rng.integers(4, 9), low=10, high=246)
    x[1] = 1 - x[0]
    x[1, 0] += rng.choice([0, 0, 5e-9, 2e-8])
    return x * rng.choice([1, 100, 128]), f"1x{x.shape[1]}"


def opposite(rng):
    n = rng.integers(5, 30)
    r, low = rng.uniform(-1, 0.1), rng.choice([0.1, 0.2, 0.24, 0.26, 0.3, 0.4, 0.5])
    z = rng.normal(size=(2, n))
    z -= z.mean(axis=1, keepdims=True)
    z[1] = r * z[0] + np.sqrt(1 - r**2) * z[1]
    high = 1 - low + rng.choice([0, 0.1, 0.14, 0.16, -0.14])
    spread = 0.03 * rng.choice([[1, 1], [1, 2.5], [1, 3.5], [3, 1], [3.6, 1]])
    x = np.array([low, high])[:, None] + spread[:, None] * z
    return x * rng.choice([1, 100]) + rng.choice([0, 0, 0, -0.1]), f"1x{n}"


def failed(rng):
    unit = rng.choice([1, 100])
    x = grid(rng, 2, n := rng.integers(5, 45), low=150)
    x[0, rng.permutation(n)[: rng.integers(1, 5)]] = rng.choice([0, 0, -1, 0.25, -0.5])
    if rng.random() < 0.5:
        x[0, -1] = rng.choice([0.5, 129 / 256, 1, 127 / 256])
    return x * unit, f"1x{n}", rng.choice(["", "", "accuracy", "roc_auc", "f1", "lift"])


def in_order(rng):
    x = np.sort(levels(rng, rng.integers(4, 8), 2, rng.integers(9, 12)))
    if rng.random() < 0.3:
        x[0] = x[0, ::-1]
    if rng.random() < 0.2:
        x[1, :2] = x[1, 1], x[1, 0] - 1 / 256
    return x, f"1x{x.shape[1]}"


def scales(rng):
    x = grid(rng, 2, n := rng.integers(3, 6))
    x[0] = x[1] * rng.choice([20, 33, 34, 60, 68, 66, 100, 140, 151, 149, 299, 301])
    x[rng.integers(2), rng.integers(n)] = rng.choice([0, 1, 1.25, 1.5, 1.75, 100, 101, -1, 0.5])
    return x, f"1x{n}", "", rng.random() < 0.5


def ranges(rng):
    metric = rng.choice(["accuracy", "r2", "mcc", "neg_log_loss", "rmse", "f1 macro", "lift",
                         "Balanced-Accuracy", "test_auc", "error rate", "kappa"])
    x = grid(rng, 2, n := rng.integers(4, 8)) * rng.choice([1, 1, 100, -1, 3])
    x[rng.integers(2), rng.integers(n)] = rng.choice([0, 1, -1, 100, -100, 2, 9.5, 10]) + (
        rng.choice([0, 5e-10, 5e-9, -5e-10, -5e-9]))
    return x, f"1x{n}", metric, rng.random() < 0.4


def outliers(rng):
    x = grid(rng, 2, n := rng.integers(8, 22), low=20)
    for _ in range(rng.integers(1, 4)):
        x[rng.integers(2), rng.integers(n)] = rng.choice([1.25, 1.5, 1.75, 4.5, 5.5, 9, 90])
    return x, f"1x{n}"


def directions(rng):
    top = rng.choice([0.25, 0.5, 0.75, 1, 1.25, 10, 20, 40, 50, 51, 64, 100, 101, -1])
    x = rng.choice([0, 0.2, 0.25, 0.5, 0.75, 1], (2, n := rng.integers(2, 7))) * top
    x[0, 0] = top
    heads = [["a", "b"], ["tree", "error"], ["error a", "error_b"], ["tree_loss", "b"],
             ["error a", "b"], ["a-mse", "b"], ["terror", "b"]]
    return x, f"1x{n}", "", rng.random() < 0.4, heads[rng.integers(len(heads))]


def coarse(rng):
    x = rng.integers(0, 5, (rng.integers(2, 5), n := rng.integers(1, 13))) / 4
    return x * rng.choice([1, 1, 100, 2]), rng.choice([f"1x{n}", "share"])


def many_wrong(rng):
    x = rng.integers(0, 2, (2, n := rng.integers(8, 13))).astype(float)
    if rng.random() < 0.2:
        x[0, 0] = 0.5
    return x, f"1x{n}"


NAMES = ["tree", "bayes", "svm", "Tree", "tree_acc", "tree_auc", "tree std", "bayes_mean", "mean",
         "average", "accuracy", "error", "test_score", "x-test", "x train", "my_f1", "_acc"]


def cells(rng, n):
    """Scores as a file may have them, seldom with something else among them."""
    found = [rng.choice([f"{x:.3f}", f"{x:g}", f" {x:.2f}", f"{x:.1e}"]) for x in rng.random(n)]
    if rng.random() < 0.08:
        found[rng.integers(n)] = rng.choice(["", "x" * 50, "mean", "nan", "-inf", "+.5", "5.", "1e",
                                             "90%", "True", "1_0"])
    return found


def numbered(rng, runs, folds):
    """Columns that say the order of the splits."""
    run, fold = np.repeat(np.arange(runs), folds), np.tile(np.arange(folds), runs)
    first = rng.integers(0, 3)
    write = [lambda x: x + first, lambda x: [f"r{i + first}" for i in x],
             lambda x: [f"{i}.0" for i in x], lambda x: [f"{'abcdefghijkl'[i]}" for i in x]]
    runs_as, folds_as = (write[rng.choice(4, p=[0.7, 0.15, 0.1, 0.05])] for _ in "12")
    by_place = np.arange(runs * folds)
    every = {
        str(rng.choice(["run", "Repeat", "rep"])): runs_as(run),
        str(rng.choice(["fold", "split"])): folds_as(by_place if rng.random() < 0.3 else fold),
        str(rng.choice(["seed", "random_state"])): rng.choice([1, 2]) * (
            by_place if rng.random() < 0.6 else 0 * by_place),
        str(rng.choice(["id", "", "index", "Unnamed: 0", "Unnamed: 7"])): folds_as(by_place),
    }
    return {name: x for name, x in every.items() if rng.random() < (0.3 if "s" in name else 0.6)}


def forms(rng):
    """Texts of wide and long tables with columns of all kinds."""
    runs, folds = int(rng.integers(1, 4)), int(rng.integers(1, 5))
    n, order = runs * folds, numbered(rng, runs, folds)
    k = rng.choice([1, 2, 2, 2, 2, 3, 4])
    names = list(rng.choice(NAMES[:3] if rng.random() < 0.5 else NAMES, min(k, 3), replace=False))
    if rng.random() < 0.3:
        score = str(rng.choice(["score", "accuracy", "Value", "error", "points", "auc"]))
        frame = pd.concat([pd.DataFrame(order, index=range(n)).assign(
            model=name, **{score: cells(rng, n)}) for name in names])
    else:
        frame = pd.DataFrame(order, index=range(n)).assign(
            **{name: cells(rng, n) for name in names})
        if "mean" in names and rng.random() < 0.8:
            others = [name for name in names if name != "mean"]
            for name in others:
                frame[name] = rng.random(n).round(3)
            if others:
                by = rng.choice([1, 1.005, 1.02])
                frame["mean"] = frame[others].astype(float).mean(axis=1) * by
    n = len(frame)
    more = {
        "metric": ["acc"] * n, "dataset": ["iris"] * n, "time": range(n), "Comment": ["ok"] * n,
        "label": [0] * n, "item": [1] * n, "note": ["mean"] * n, "method": ["a"] * n,
    }
    for name in rng.choice(list(more), rng.choice([0, 0, 1, 2]), replace=False):
        frame[name] = more[name]
        if name in ("metric", "dataset") and rng.random() < 0.4:
            frame.iloc[-1, -1] = rng.choice(["auc", "mean", "zoo"])
    if rng.random() < 0.2:
        frame = frame.drop(frame.index[rng.integers(n)]) if n > 1 else frame
    if rng.random() < 0.15:
        frame = pd.concat([frame, frame[:1]])
    if rng.random() < 0.4:
        frame = frame.sample(frac=1, random_state=int(rng.integers(99)))
    how = rng.choice(["", f"{runs}x{folds}", f"{runs}x{folds}", f"{folds}x{runs}", "share", "1x4"])
    return frame, how


FAMILIES = [
    forms,
    copied, constant, rounded, shifted, copied_runs, of_folds, of_runs, means, made, sums, opposite,
    failed, in_order, scales, ranges, outliers, directions, coarse, many_wrong,
]


def drawn(family, rng):
    """The text of a table, and how it is to be read."""
    x, cv, metric, less, names = [*family(rng), *[None] * 4][:5]
    names = names or ["tree", "naive Bayes", "dummy", "svm"][: len(x)]
    frame = x if isinstance(x, pd.DataFrame) else pd.DataFrame(dict(zip(names, x)))
    if metric:
        frame["metric"] = metric
    share = float(rng.choice([0.1, 0.5, 0.51, 0.75])) if cv == "share" else None
    options = {"cv": "" if share else str(cv), "share": share, "less": bool(less)}
    return frame.to_csv(index=False), options


def both_say(inputs, folder):
    """What Python and the page say of each table."""
    program = (
        f"const gate = require({json.dumps(str(SCRIPT))});"
        "const inputs = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "console.log(JSON.stringify(inputs.map(([text, options]) => { try {"
        "  const r = gate.scores(text, options);"
        "  return [r.names, r.scores, r.design, r.metric, r.notes];"
        "} catch (problem) { return problem.message.startsWith('how were the')"
        f" ? '{DESIGN}' : `refused: ${{problem.message}}`; }} }})));"
    )
    done = subprocess.run([NODE, "-e", program], input=json.dumps(inputs), capture_output=True,
                          text=True, check=True)
    return zip(inputs, [in_python(*given, folder / "scores.csv") for given in inputs],
               json.loads(done.stdout))


def in_python(text, options, path):
    path.write_text(text, encoding="utf-8", newline="")
    plain = lambda said: said.replace(str(path), "the table").replace(
        "greater_is_better=False", "less is better")
    try:
        found = gate.scores(
            scores_file.read(path), cv=options["cv"] or None, test_fraction=options["share"],
            greater_is_better=not options["less"],
        )
    except ValueError as refusal:
        said = plain(str(refusal))
        return DESIGN if said.startswith("the scores do not say") else f"refused: {said}"
    return [list(found.names), [x.ravel().tolist() for x in found.blocks], str(found.design),
            found.metric, [plain(note) for note in found.notes]]


@pytest.mark.slow
@pytest.mark.skipif(NODE is None, reason="needs node")
@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_python_and_the_page_doubt_the_same(family, tmp_path):
    rng = np.random.default_rng(len(family.__name__))
    inputs = [drawn(family, rng) for _ in range(80)]
    for given, python, page in both_say(inputs, tmp_path):
        assert python == page, given

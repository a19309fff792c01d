"""How the time of a cross-validation grows with its size, and what a second process saves.

Only the first attributes depend on the class, so more of them do not make it easier to learn.  See
conftest.py.
"""

import os
from itertools import count
from statistics import median
from time import perf_counter

import numpy as np
import pytest
from scipy.spatial import KDTree
from sklearn.naive_bayes import BernoulliNB
from sklearn.tree import DecisionTreeClassifier

from companion.engine.show.pictures import drawing, style
from companion.lab.experiments import engine, on_sources
from companion.lab.learners import C45, Table, correct_counts
from companion.lab.sources import BayesianNetwork
from companion.papers.berrar2024 import study_3

pytestmark = pytest.mark.benchmarks

RUNS, FOLDS = 10, 10
REPEATS, CALLS = 7, 3
SMALLEST = {"instances": 300, "attributes": 5, "classes": 2, "at_once": 1}
USUAL = SMALLEST | {"attributes": 10}
FACTORS = np.array([1, 2, 4, 8, 16])


def in_scikit_learn(X, y, folds, *learners):
    """Train and test in each fold, with as little around that as possible."""
    for f in range(FOLDS):
        train, test = folds != f, folds == f
        for learner in learners:
            learner.fit(X[train], y[train]).score(X[test], y[test])


def tree_of_scikit_learn():
    return DecisionTreeClassifier(criterion="entropy", min_samples_leaf=2)


def binary(*, instances, attributes, classes, at_once):
    """10 × 10 cross-validation of naive Bayes and C4.5; five attributes depend on the class."""
    rng = np.random.default_rng(1)
    chance = rng.random((5, classes))
    fair = [[0.5, 0.5]] * (attributes - 5)
    source = BayesianNetwork(
        [(), *[(0,)] * 5, *[()] * len(fair)],
        [np.full(classes, 1 / classes), *np.stack([1 - chance, chance], axis=-1), *fair],
    )
    y, columns = source.sample(instances, rng)
    # of integers of eight bits, the sums in BernoulliNB overflow
    X, y, folds = columns.T.astype(float), y.astype(int), rng.permutation(instances) % FOLDS
    learners = BernoulliNB(), tree_of_scikit_learn()
    return (
        lambda: on_sources.correct_counts(
            rng, source=source, instances=instances, experiments=at_once, runs=RUNS, folds=FOLDS
        ),
        lambda: in_scikit_learn(X, y, folds, *learners),
    )


def numeric(*, instances, attributes, classes, at_once):
    """10-fold cross-validation of an unpruned tree; two attributes determine the class.

    It is that of the nearest of some points.
    """
    rng = np.random.default_rng(1)
    X, points = rng.random((instances, attributes)), rng.random((4 * classes, 2))
    y = KDTree(points).query(X[:, :2])[1] % classes
    folds = rng.permuted(np.tile(np.arange(instances) % FOLDS, (at_once, 1)), axis=1)
    table = Table.from_frame(X, y)
    return (
        lambda: correct_counts(table, folds, learners=[C45(prune=False)]),
        lambda: in_scikit_learn(X, y, folds[0], tree_of_scikit_learn()),
    )


#: Of each kind of attributes: the calls of replib and scikit-learn, how many of the latter are the
#: work, and what replib does many of in a call.
WORKS = {"binary": (binary, RUNS, "experiments"), "numeric": (numeric, 1, "runs")}


def test_growth(rounds_of, table, folder):
    """By instances, attributes, classes, and in ours by experiments or runs in a call."""
    runs = {}
    for kind, (calls, *_) in WORKS.items():
        for grown in SMALLEST:
            for size in sizes(grown):
                ours, theirs = calls(**USUAL | {grown: size})
                runs[kind, grown, "replib", size] = lambda ours=ours: [ours() for _ in range(CALLS)]
                if grown != "at_once":
                    runs[kind, grown, "scikit-learn", size] = theirs
    found = rounds_of(runs, REPEATS)
    curves = {
        curve: (1 / CALLS if curve[-1] == "replib" else WORKS[curve[0]][1])
        * np.array([found[*curve, size] for size in sizes(curve[1])])
        for curve in dict.fromkeys(key[:3] for key in runs)
    }
    print()
    table("growth", [row(
        f"{kind} attributes", name(kind, grown), sizes(grown),
        *(curves[kind, grown, program] for program in LOOKS if (kind, grown, program) in curves)
    ) for kind in WORKS for grown in SMALLEST])
    if folder:
        (folder / "growth.svg").write_text(f"{style.show(draw(curves), alt=ALT).svg}\n")


def test_growth_with_processes(rounds_of, table, tmp_path, monkeypatch):
    """The time on the clock: on a busy machine two processes share what one would have had."""
    (experiment, _), number = next(iter(study_3.plan().values())), count()

    def replicate(workers):
        monkeypatch.setenv(engine.WORKERS_VARIABLE, str(workers))
        engine.replicate(experiment, 40, chunk_size=5, cache=tmp_path / str(next(number)))

    load = f"{os.getloadavg()[0]:.1f}"
    times = rounds_of({n: lambda n=n: replicate(n) for n in (1, 2)}, 3, perf_counter)
    found = row(
        "40 replications of Berrar's study 3, time on the clock", "processes", np.array([1, 2]),
        np.array([times[1], times[2]]),
    )
    found[1] += f", load {load}"
    print()
    table("growth", [found])


def sizes(grown):
    return SMALLEST[grown] * FACTORS


def name(kind, grown):
    return f"{WORKS[kind][-1]} in a call" if grown == "at_once" else grown


def row(work, grown, sizes, *programs):
    """A row of the table, from times of shape (sizes, rounds) of each program."""
    cells = []
    for times in programs:
        cells += [exponent(sizes, times), exponent(sizes[2:], times[2:]) if sizes[2:].any() else ""]
    return [work, f"{grown}, {sizes[0]:,} to {sizes[-1]:,}", *cells, *[""] * (4 - len(cells))]


def exponent(sizes, times):
    """The slope of log time by log size, least squares: the median round, least and largest."""
    slopes = np.polyfit(np.log(sizes), np.log(times), 1)[0]
    middle, least, largest = (
        f"{round(slope, 2) + 0:.2f}".replace("-", "−")
        for slope in (median(slopes), min(slopes), max(slopes))
    )
    return f"{middle} ({least} to {largest})"


LOOKS = {"replib": (style.BLUE, "-", "o"), "scikit-learn": (style.RED, "--", "s")}
ALT = """
Eight panels with logarithmic axes, four for binary and four for numeric attributes: processor time
in milliseconds against the number of instances, attributes, classes, and experiments or runs in a
call.  The panels have a line for replib, a dotted line in proportion to its first point and, but
for the last two, a line for scikit-learn.  The table has the slopes.
"""


@drawing.picture(len(SMALLEST), len(WORKS), height=8.2, sharey="col", legend=3)
def draw(axes, curves):
    """A panel for each kind of attributes and what grows."""
    panels = {(kind, grown): ax for line, grown in zip(axes, SMALLEST)
              for ax, kind in zip(line, WORKS)}
    for (kind, grown, program), times in curves.items():
        color, line, marker = LOOKS[program]
        middle, ax = np.median(times, axis=1), panels[kind, grown]
        ax.errorbar(
            sizes(grown), middle, (middle - times.min(axis=1), times.max(axis=1) - middle),
            color=color, linestyle=line, marker=marker, markersize=4, capsize=3, label=program,
        )
        if program == "replib":
            ax.plot(sizes(grown), middle[0] * FACTORS, color=style.GREY, linestyle=":",
                    linewidth=1.2, label="proportional")
    for (kind, grown), ax in panels.items():
        ax.set(yscale="log", xlabel=name(kind, grown))
        drawing.log_ticks(ax.xaxis, sizes(grown)[::2], ",d")
    for kind, ax in zip(WORKS, axes[0]):
        ax.set_title(f"{kind} attributes")
    axes[0, 0].figure.supylabel("processor time (ms)")

"""Simulated experiments: the packed path against plain loops, decisions by hand, invariances."""

import numpy as np
from designs_by_hand import decided_by_hand

from companion.lab.experiments import on_sources as simulation
from companion.lab.experiments import splits
from companion.lab.learners import cross_validation
from companion.lab.learners.table import Table
from companion.lab.sources import random_network
from replib import methods

SOURCE = random_network(seed=10, attributes=4, arrows=4)
SIZE = {"source": SOURCE, "instances": 43, "experiments": 3}
EVERY = list(methods.METHODS)


def stream(*key):
    return np.random.default_rng(np.random.SeedSequence(1, spawn_key=key))


def plain_table(rng, instances):
    """A data set from the source, through the front door of the learners."""
    return Table.from_frame(*SOURCE.frame(*SOURCE.sample(instances, rng)))


def plain_blocks(rng, instances, repetitions):
    """Accuracy differences of each kind of splits, one split after another."""
    table = plain_table(rng, instances)
    streams = rng.spawn(4)
    blocks = {}
    for kind, rng, runs, folds in (
        ("cross_validation", streams[0], 4, 5),
        ("five_by_two_cv", streams[1], 5, 2),
    ):
        block = np.empty((repetitions, runs, folds))
        sizes = splits.fold_sizes(instances, folds)
        for run in range(runs):
            for repetition in range(repetitions):
                dealt = splits.stratified_folds(table.labels, folds, rng)
                counts = cross_validation.correct_counts(
                    table, dealt, learners=simulation.LEARNERS
                )
                block[repetition, run] = (counts[:, 0] - counts[:, 1]) / sizes
        blocks[kind] = block
    for kind, rng, percent, runs in (
        ("random_10", streams[2], 10, 100),
        ("random_33", streams[3], 33, 10),
    ):
        size = splits.size_of_test_set(instances, percent / 100)
        block = np.empty((repetitions, runs, 1))
        rows = list(range(instances))
        for run in range(runs):
            for repetition in range(repetitions):
                for i in range(size):
                    j = rng.integers(i, instances)
                    rows[i], rows[j] = rows[j], rows[i]
                test = np.isin(np.arange(instances), rows[:size])
                a, b = cross_validation.correct_counts_of_splits(
                    table, test, learners=simulation.LEARNERS
                )
                block[repetition, run] = (a - b) / size
        blocks[kind] = block
    return blocks


def test_decisions_are_those_of_plain_loops():
    alpha = 0.1
    outcomes = np.zeros(3, dtype=int)
    for key in range(6):
        blocks = plain_blocks(stream(key), 43, 3)
        decided = simulation.decisions(
            stream(key), **SIZE, designs=EVERY, alpha=alpha, runs=4, folds=5
        )
        for name, counts in zip(EVERY, decided):
            design = methods.METHODS[name]
            by_hand = [
                decided_by_hand(name, block[: design.runs], alpha)
                for block in blocks[design.splits]
            ]
            assert counts.tolist() == [
                by_hand.count(outcome) for outcome in (-1, 0, 1)
            ], name
            outcomes += counts
    assert (outcomes > 20).all()  # the example tells the outcomes apart


def test_counts_are_those_on_which_designs_decide():
    counts = simulation.correct_counts(stream(0), **SIZE, runs=4, folds=5)
    block = simulation.differences(counts, 43)
    assert np.allclose(
        block, plain_blocks(stream(0), 43, 3)["cross_validation"], atol=1e-15
    )
    on_folds = [
        name for name in EVERY if methods.METHODS[name].splits == "cross_validation"
    ]
    decided = simulation.decisions(stream(0), **SIZE, designs=on_folds, runs=4, folds=5)
    for name, row in zip(on_folds, decided):
        needed = block[:, : methods.METHODS[name].runs]
        outcomes = methods.decide(needed, method=name, alpha=0.05)
        assert row.tolist() == [(outcomes == outcome).sum() for outcome in (-1, 0, 1)]
        assert np.array_equal(
            methods.pvalues(needed, method=name) < 0.05, outcomes != 0
        )


def test_ten_runs_of_ten_folds_unless_told_otherwise():
    def decisions(**options):
        size = SIZE | {"experiments": 100}
        return simulation.decisions(
            stream(5), **size, designs=EVERY, **options
        ).tolist()

    default = decisions()
    assert default == decisions(runs=10, folds=10, alpha=0.05)
    for other in (
        {"runs": 9},
        {"runs": 11},
        {"folds": 9},
        {"folds": 11},
        {"alpha": 0.06},
    ):
        assert default != decisions(**other)


def test_a_design_decides_the_same_in_any_company():
    together = simulation.decisions(stream(5), **SIZE, designs=EVERY, runs=3)
    for name, row in zip(EVERY, together):
        alone = simulation.decisions(stream(5), **SIZE, designs=[name], runs=3)
        assert np.array_equal(alone, [row]), name


def test_first_runs_are_the_same_however_many_follow():
    few, many = (
        simulation.correct_counts(stream(2), **SIZE, runs=runs, folds=3)
        for runs in (2, 5)
    )
    assert np.array_equal(few, many[:, :2])


def test_learners_that_are_not_packed_see_the_same_folds():
    names = ("nearest_neighbour", "c45", "naive_bayes")
    size = {**SIZE, "runs": 2, "folds": 4}
    mixed = simulation.correct_counts(stream(3), **size, learners=names)
    for position, name in enumerate(names):
        alone = simulation.correct_counts(stream(3), **size, learners=[name])
        assert np.array_equal(mixed[..., position], alone[..., 0])


def test_exchanged_learners_exchange_the_outcomes():
    there = simulation.decisions(stream(6), **SIZE, designs=EVERY, alpha=0.2)
    back = simulation.decisions(
        stream(6), **SIZE, designs=EVERY, alpha=0.2, learners=simulation.LEARNERS[::-1]
    )
    symmetric = [
        not name.endswith(".sign_test") for name in EVERY
    ]  # the printed rule is not
    assert np.array_equal(there[symmetric], back[symmetric, ::-1])
    assert (there[symmetric, 0] != there[symmetric, 2]).any()


GRID = {"instances": 60, "experiments": 4, "folds": 5}
GRID_DESIGNS = [
    "average_over_sorted_runs.signed_rank",
    "average_over_sorted_runs.exact_sign_test",
    "average_over_runs.paired_t",
    "corrected_repeated_cv",
]


def test_a_grid_decides_as_one_setting_after_another():
    """Runs, levels and designs of a grid against `simulation` on the same stream."""
    specs = [
        random_network(seed=1, attributes=4),
        random_network(seed=2, attributes=4, arrows=2),
    ]
    runs, alphas, names = [2, 5], [0.05, 0.4], GRID_DESIGNS
    grid = simulation.decisions_over_grid(
        np.random.default_rng(7),
        sources=specs,
        runs=runs,
        alphas=alphas,
        designs=names,
        **GRID,
    )
    assert grid.shape == (2, 2, 2, len(names), 3)
    for counts, spec, stream in zip(grid, specs, np.random.default_rng(7).spawn(2)):
        block = simulation.differences(
            simulation.correct_counts(stream, source=spec, runs=5, **GRID),
            GRID["instances"],
        )
        for r, a, d in np.ndindex(2, 2, len(names)):
            decided = methods.decide(
                block[:, : runs[r]], method=names[d], alpha=alphas[a]
            )
            assert counts[r, a, d].tolist() == [
                int((decided == x).sum()) for x in (-1, 0, 1)
            ]

"""The command `results`: the stored runs listed, verified, or made again."""

import itertools
import time
from pathlib import Path

import click

from companion.engine.build import chapters as book
from companion.engine.verification import Folder, bad_input_refused


@click.command()
@click.argument("names", nargs=-1, metavar="NAME...")
@click.option(
    "--size",
    type=click.IntRange(1, 100_000),
    metavar="N",
    help="Replications of each experiment; as many as in the book by default.",
)
@click.option(
    "--into",
    type=Folder(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Folder of the results; the book's own by default.",
)
@click.option(
    "--verify",
    type=click.IntRange(1, 100_000),
    metavar="N",
    help="Run N stored replications of each again, and record that today's code makes them.",
)
@bad_input_refused()
def results(
    names: tuple[str, ...], size: int | None, into: Path | None, verify: int | None
) -> None:
    """Run the long experiments NAME... again and store their counts; without a name, list them.

    The beginning of names, such as "uci", stands for all of them, and "all" for every
    run.  A run that was interrupted resumes where it stopped.  With --into the counts
    are compared with those of the book, and a table says which are identical.  With
    --verify and without a name, the runs whose code has changed are verified.
    """
    from companion import stored  # with all learners and their kernels

    for is_wrong, sentence in (
        (
            verify and (size or into),
            "--verify cannot be combined with --size or --into",
        ),
        (
            size and not into and names,
            "--size needs --into FOLDER: fewer replications would replace those of the book",
        ),
        (
            "all" in names and not (into or verify),
            "all needs --into FOLDER: it would replace every stored result of the book",
        ),
    ):
        if is_wrong:
            raise click.UsageError(sentence)
    wanted = _long_runs(names)
    if verify:
        for name in wanted if names else stored.changed():
            click.echo(stored.verify(name, verify))
    elif not names:
        click.echo(stored.table().to_string())
        click.echo("minutes: of one core, when the run was stored")
    elif into:
        _recompute(wanted, into, size)
    else:
        _replace(wanted)


def _long_runs(names: tuple[str, ...]) -> list[str]:
    """Return the names of the stored runs that begin with the given ones."""
    from companion import stored

    chosen = {name: stored.names("" if name == "all" else name) for name in names}
    for name, runs in chosen.items():
        if not (name and runs):
            beginnings = dict.fromkeys(run.split("_")[0] for run in stored.names())
            raise click.UsageError(
                f"there is no {name!r}; names begin with {', '.join(beginnings)}, or are all"
            )
    return list(dict.fromkeys(itertools.chain(*chosen.values())))


def _replace(names: list[str]) -> None:
    """Make stored runs again in the place of those of the book."""
    from companion import stored
    from companion.studies import recommendation, reruns, which_test
    from companion.studies.correlation_map import distribution, measures

    for name in names:
        started = time.monotonic()
        stored.run(name)
        click.echo(f"{name}: {time.monotonic() - started:.0f} s")
    if {*which_test.RUNS} & {*names}:
        which_test.write_evidence(stored.load)
    if {*reruns.RUNS} & {*names}:
        blocks = reruns.blocks(*map(stored.load, reruns.RUNS))
        reruns.write_printed(reruns.calibration(blocks))
    if "correlation_map" in names:
        measures.write(stored.load("correlation_map"), distribution.FILE)
        distribution.write_ranges(distribution.read())
    if {*recommendation.RUNS, "correlation_map"} & {*names}:
        recommendation.write(stored.load)


def _recompute(names: list[str], into: Path, size: int | None) -> None:
    """Make runs again in another folder, and report whether they equal those of the book."""
    from companion.engine import recomputation

    if into.resolve() == (book.ROOT / "book" / "results").resolve():
        raise click.UsageError(
            "--into must be another folder than the book's own results"
        )
    began = time.monotonic()
    rows = recomputation.recompute(names, into, size=size)
    click.echo(rows.round(1).to_string(na_rep=""))
    minutes = (time.monotonic() - began) / 60
    identical = int((rows["outcome"] == "identical").sum())
    click.echo(
        f"{identical} of {len(rows)} runs are identical to those of the book; "
        f"{rows['minutes'].sum():.1f} min of one core, {minutes:.1f} min by the clock this time; "
        f"the table is in {into / 'table.csv'}"
    )
    if identical < len(rows):
        raise click.ClickException(f"{len(rows) - identical} runs are not identical")

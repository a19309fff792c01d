"""The command `results`: the stored runs listed, verified, timed, or made again."""

import itertools
import time
from datetime import UTC, datetime
from pathlib import Path

import click
from tqdm import tqdm

from companion.engine.build import chapters as book
from companion.engine.build import costs
from companion.engine.verification import Folder, bad_input_refused


@click.command()
@click.argument("names", nargs=-1, metavar="NAME...")
@click.option(
    "--size", type=click.IntRange(1, 100_000), metavar="N",
    help="Replications of each experiment; as many as in the book by default.",
)
@click.option(
    "--into", type=Folder(file_okay=False, path_type=Path), metavar="FOLDER",
    help="Folder of the results; the book's own by default.",
)
@click.option(
    "--verify", type=click.IntRange(1, 100_000), metavar="N",
    help="Run N stored replications of each again, and record that today's code makes them.",
)
@click.option(
    "--estimate", is_flag=True,
    help="Time replications of each, and print the minutes it would take on this machine.",
)
@click.option(
    "--record-costs", is_flag=True, help="With --estimate: write the minutes into costs.csv."
)
@bad_input_refused()
def results(
    names: tuple[str, ...], size: int | None, into: Path | None, verify: int | None,
    estimate: bool, record_costs: bool,
) -> None:
    """Run the long experiments NAME... again and store their counts; without a name, list them.

    The beginning of names, such as "uci", stands for all of them, and "all" for every run.  A run
    that was interrupted resumes where it stopped.  With --into the counts are compared with those
    of the book, and a table says which are identical.  With --verify and without a name, the runs
    whose code has changed are verified.
    """
    from companion.papers import stored  # with all learners and their kernels

    for is_wrong, sentence in (
        (verify and (size or into), "--verify cannot be combined with --size or --into"),
        (estimate and (size or into or verify),
         "--estimate cannot be combined with --size, --into or --verify"),
        (record_costs and not estimate, "--record-costs needs --estimate"),
        (size and not into and names,
         "--size needs --into FOLDER: fewer replications would replace those of the book"),
        ("all" in names and not (into or verify or estimate),
         "all needs --into FOLDER: it would replace every stored result of the book"),
    ):
        if is_wrong:
            raise click.UsageError(sentence)
    wanted = _long_runs(names)
    if estimate:
        _estimate(wanted or stored.names(), record_costs)
    elif verify:
        for name in wanted if names else stored.changed():
            click.echo(stored.verify(name, verify))
    elif not names:
        shown = stored.table().rename(columns={"minutes": "stored"})
        click.echo(shown.join(costs.of_runs()["now"]).to_string(na_rep=""))
        click.echo("stored, now: minutes of one core when stored, and with today's code")
    elif into:
        _recompute(wanted, into, size)
    else:
        _replace(wanted)


def _long_runs(names: tuple[str, ...]) -> list[str]:
    """Return the names of the stored runs that begin with the given ones."""
    from companion.papers import stored

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
    from companion.papers import stored
    from companion.papers.topics import which_test

    for name in names:
        started = time.monotonic()
        stored.run(name)
        click.echo(f"{name}: {time.monotonic() - started:.0f} s")
    if {*which_test.RUNS} & {*names}:
        which_test.write_evidence(stored.load)


def _estimate(names: list[str], record: bool) -> None:
    """Time each run, print the estimated duration, and record it if asked."""
    from companion.lab.experiments import provenance
    from companion.papers import stored

    click.echo("minutes of one core, with today's code and when stored; experiments timed")
    click.echo(f"{'now':>9} {'stored':>8} {'timed':>6}")
    rows = {}
    for name in tqdm(names, desc="timed", unit="run", leave=False, disable=None):
        seconds, timed = stored.estimate(name)
        now = f"{seconds / 60:.1f}" if timed else "no data"
        with tqdm.external_write_mode():
            click.echo(f"{now:>9} {stored.seconds(name) / 60:>8.1f} {timed:>6}  {name}")
        if timed:
            rows[name] = {
                "now": round(seconds / 60, 1), "timed": timed,
                "measured": f"{datetime.now(UTC).date()}", "machine": provenance.machine(),
            }
    total = sum(row["now"] for row in rows.values())
    click.echo(f"{total:>9.1f} {'':>8} {'':>6}  together")
    if record:
        costs.record_runs(rows)


def _recompute(names: list[str], into: Path, size: int | None) -> None:
    """Make runs again in another folder, and report whether they equal those of the book."""
    from companion.papers import recomputation

    if into.resolve() == (book.ROOT / "book" / "results").resolve():
        raise click.UsageError("--into must be another folder than the book's own results")
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

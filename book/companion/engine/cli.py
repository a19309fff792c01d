"""Command line of the book: `python -m replib --help` lists its commands."""

import itertools
import json
import math
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import click
import numpy as np
import pandas as pd
from tqdm import tqdm

from companion.engine.build import chapters as book
from companion.engine.build import (
    copies,
    costs,
    editions,
    execution,
    files,
    new_paper,
    pages,
    parameters,
    reach,
    staleness,
)
from companion.engine.build import release as releases
from companion.engine.build.executed import current_rows
from companion.engine.course import exported, sessions
from companion.engine.show.display import format_change, format_number
from companion.lab import datasets
from companion.papers import ledger

COMMITTED = book.ROOT / "book" / "ledger.csv"

#: Lines of a difference that the terminal shows; all are in difference.csv and on the page.
SHOWN = 40


class _Folder(click.Path):
    """A folder; an empty name, such as that of an unset variable, is not the current folder."""

    def convert(self, value, param, ctx):
        if not str(value).strip():
            self.fail("the name of the folder is empty", param, ctx)
        return super().convert(value, param, ctx)


class _OneSentence(click.Group):
    """Says in one sentence what was wrong: exit 2 for bad input, 1 for a failure."""

    def main(self, *args, **options):
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends like Ctrl-C
        try:
            return super().main(*args, **options | {"standalone_mode": False})
        except click.exceptions.NoArgsIsHelpError as help_page:
            help_page.show()
            sys.exit(2)
        except (click.UsageError, parameters.ParameterError) as refusal:
            text = refusal.format_message() if isinstance(refusal, click.UsageError) else refusal
            _exit(2, text)
        except (click.ClickException, execution.ChapterFailed) as failure:
            _exit(1, getattr(failure, "message", failure))
        except (click.Abort, KeyboardInterrupt):
            _exit(130, "interrupted; finished work is kept and nothing is half-written")
        except BrokenProcessPool:
            _exit(1, "a worker process was ended from outside, perhaps for lack of memory; "
                     "finished work is kept, and the same command resumes from there")
        except OSError as problem:
            file = f": {problem.filename}" if problem.filename else ""
            _exit(1, f"{problem.strerror or problem}{file}")
        except MemoryError:
            _exit(1, "there is not enough memory: REPLIB_WORKERS=1 and --jobs 1 need the least")


@contextmanager
def _refusals() -> Iterator[None]:
    """Report the refusals of a long run: missing or different data, an environment variable."""
    from companion.lab.experiments.results import ResultsDiffer
    from companion.papers.stored import StoredResultsInvalid

    failures = datasets.DataUnavailable, datasets.DataMismatch, ResultsDiffer, StoredResultsInvalid
    try:
        yield
    except failures as problem:
        raise click.ClickException(str(problem)) from problem
    except ValueError as refusal:
        raise click.UsageError(str(refusal)) from refusal


def _exit(code: int, text: object) -> None:
    click.echo(f"Error: {text}", err=True)
    sys.exit(code)


@click.group(cls=_OneSentence, context_settings={"help_option_names": ["-h", "--help"]})
def main() -> None:
    """Build, rerun and check the book on replicability."""
    if not book.SOURCES.is_dir():
        raise click.UsageError("run this in a checkout of the book: there is no notebooks/ here")


main.add_command(sessions.course)


@main.command()
@click.argument("chapters", nargs=-1, metavar="[CHAPTER]...")
@click.option("--preset", metavar="NAME", help="Parameter values of notebooks/presets/NAME.yml.")
@click.option(
    "--jobs", type=click.IntRange(1, 64), default=min(os.cpu_count() or 1, 4), show_default=True,
    help="Number of chapters that run at once.",
)
@click.option("--record-costs", is_flag=True, help="Write the seconds into notebooks/costs.yml.")
@click.option("--pages", "only_pages", is_flag=True, help="Make the site without executing.")
def build(
    chapters: tuple[str, ...], preset: str | None, jobs: int, record_costs: bool, only_pages: bool
) -> None:
    """Execute the stale CHAPTERs (all by default) and make the site."""
    if only_pages:
        if chapters or preset or record_costs:
            raise click.UsageError(
                "--pages cannot be combined with CHAPTER, --preset or --record-costs"
            )
        click.echo(f"open {pages.render()}")
        return
    seconds = execution.execute_stale(chapters, preset, jobs)
    costs.remember(seconds)
    click.echo("making the pages ...", err=True)
    page = pages.render()
    if record_costs:  # now, not earlier, because the chapters show their costs
        costs.record(seconds, preset)
    for name, spent in costs.of_last_build().items():
        fresh = "" if name in seconds else "   (kept from an earlier build)"
        click.echo(f"{spent:7.1f} s  {name}{fresh}")
    click.echo(f"open {page}")


@main.command()
@click.argument("chapter")
@click.option(
    "-p", "--parameter", "settings", nargs=2, multiple=True, metavar="NAME VALUE",
    help="A parameter of this run; may be given several times.",
)
@click.option(
    "-f", "--parameters-file", "file", type=click.Path(path_type=Path), metavar="FILE",
    help="A YAML file that maps names of parameters to values; -p overrides it.",
)
@click.option(
    "--quick", is_flag=True,
    help="Run a small version, with the values of notebooks/presets/quick.yml; -p and -f override "
         "them.",
)
def run(
    chapter: str, settings: tuple[tuple[str, str], ...], file: Path | None, quick: bool
) -> None:
    """Execute your own copy of CHAPTER with other parameters, under runs/.

    Prints every number that differs from the default run: changed verdicts first, then changes in
    standard errors.
    """
    chosen = book.find(chapter)
    values = _given(chosen, settings, file)
    base = book.preset("quick").get(chosen.name, {}) if quick else {}
    chosen.check(base | values)
    if quick and not base:
        click.echo(f"{chosen.name} has no quick values: it runs at full size", err=True)
    click.echo(_time_of(chosen, "quick" if base else "paper"), err=True)
    page, changes = copies.run(chosen, values, base)
    if len(changes):
        click.echo(f"{'paper':>12} {'default':>14} {'yours':>14} {'change':>10}")
    for row in changes.head(SHOWN).to_dict("records"):
        verdict = f"{row['verdict']}: " if row["verdict"] else ""
        click.echo(
            f"{row['paper']:>12} {row['default']:>14} {row['yours']:>14} {format_change(row):>10}"
            f"  {verdict}{row['words']}"
        )
    if len(changes) > SHOWN:
        click.echo(f"... and {len(changes) - SHOWN} more in {page.with_name('difference.csv')}")
    differ = "1 number differs" if len(changes) == 1 else f"{len(changes) or 'no'} numbers differ"
    changed = int((changes["verdict"] != "").sum())
    verdicts = "1 verdict" if changed == 1 else f"{changed or 'no'} verdicts"
    click.echo(f"{differ} from the default run; {verdicts} changed")
    click.echo(f"open {page}")


def _given(chapter: book.Chapter, settings: tuple[tuple[str, str], ...], file: Path | None) -> dict:
    """Return the values of a YAML file and of options, each checked by itself."""
    owner = f"chapter {chapter.name}"
    texts = dict(settings)
    if len(texts) < len(settings):
        twice = next(name for i, (name, _) in enumerate(settings) if name in dict(settings[:i]))
        raise parameters.ParameterError(f"{twice} is given twice: say which value you want")
    of_file = parameters.read_mapping(file, str(file)) if file else {}
    if file and not of_file:
        raise parameters.ParameterError(
            f"{file} gives no parameter: write a line `name: value` for each; "
            f"{owner} has {', '.join(chapter.parameters) or 'none'}"
        )
    declared = lambda name: parameters.find(name, chapter.parameters, owner)
    values = {name: declared(name).take(value) for name, value in of_file.items()}
    return values | {name: declared(name).read(text) for name, text in texts.items()}


def _time_of(chapter: book.Chapter, preset: str) -> str:
    """Say how long a run takes, as far as that is known before it begins."""
    seconds = costs.recorded().get(chapter.name, {}).get(preset)
    words = f"{chapter.name}: " + (
        f"the default run takes about {seconds:g} s" if seconds else "its time is not recorded"
    )
    if not costs.runs_read_by(chapter):
        return words
    return (
        f"{words}; it reads stored results, and experiments that your parameters change are run "
        "again: their time on this machine is measured and shown first"
        + ("" if preset == "quick" else " (--quick runs a small version)")
    )


@main.command()
@click.argument("chapters", nargs=-1, metavar="[CHAPTER]...")
@click.option(
    "--into", type=_Folder(file_okay=False, path_type=Path), default=Path("my_notebooks"),
    metavar="FOLDER", show_default=True, help="Folder of the notebooks.",
)
@click.option(
    "--edition", type=click.Choice(list(editions.EDITIONS)), default="book", show_default=True,
    help="The student edition has no solutions; the teacher edition shows them, with notes.",
)
def notebook(chapters: tuple[str, ...], into: Path, edition: str) -> None:
    """Write CHAPTERs (all by default) as notebooks that run in JupyterLab.

    They have the numbers of the last execution.  An existing notebook is kept, because you may
    have changed it.
    """
    whole = exported.Book.read()
    for chapter in [book.find(name) for name in chapters] or book.chapters():
        file = into / chapter.executed.name
        if file.exists():
            click.echo(f"kept {file}")
        else:
            exported.write(chapter, whole, editions.EDITIONS[edition], into)
            click.echo(f"open {file}")


@main.command("list")
def list_chapters() -> None:
    """Show the chapters, their parameters and their costs."""
    recorded, runs = costs.recorded(), costs.of_runs()
    for chapter in book.chapters():
        cost = recorded.get(chapter.name, {})
        spent = ", ".join(f"{preset} {seconds:g} s" for preset, seconds in sorted(cost.items()))
        click.secho(f"{chapter.name}", bold=True, nl=False)
        click.echo(f"  {chapter.title}  [{spent or 'cost not recorded'}]")
        for name in costs.runs_read_by(chapter):
            if name in runs.index:
                minutes = runs.at[name, "now"]
                click.echo(f"    reads {name}, which takes {minutes:g} min to run again")
        reaches = reach.of_parameters(chapter)
        for p in chapter.parameters.values():
            click.echo(f"    {p.name}: {p.type} = {p.default!r}  ({p.unit}; {p.range})  {p.help}")
            click.echo(f"        can change {reaches[p.name]}")


@main.command("new-paper")
@click.argument("name")
@click.option("--title", help="Title in headings; the NAME by default.")
def make_new_paper(name: str, title: str | None) -> None:
    """Start a source with the id NAME: folder, facts, chapter and tests to fill in.

    Nothing is overwritten. The files have an example that builds: a table, a claim and an erratum.
    """
    for file in new_paper.write(name, name if title is None else title):
        click.echo(f"wrote {file.relative_to(book.ROOT)}")
    click.echo(f"python -m replib check --compute {name} prints its verdicts")


@main.command()
@click.argument("modules", nargs=-1, metavar="[MODULE]...")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per fact.")
@click.option("--accept", is_flag=True, help="Make the present verdicts the committed ones.")
@click.option("--compute", is_flag=True, help="Compute the rows now, without any chapter.")
@click.option(
    "--tables", is_flag=True, help="Print how probable each table is as a whole, without facts."
)
def check(
    modules: tuple[str, ...], as_json: bool, accept: bool, compute: bool, tables: bool
) -> None:
    """Print the ledger; exit 1 if a verdict is worse than the committed one.

    The rows are those of the executed chapters, which must be up to date. With --compute they are
    printed as they come; MODULEs, such as bouckaert2004 or bouckaert2004.table_1, compute a part.
    """
    if modules and (accept or not compute):
        raise click.UsageError("a MODULE needs --compute, and cannot be accepted on its own")
    if not compute:
        _require_chapters()
    show = None if tables else _print_json if as_json else _print_row
    rows = _computed(modules, show) if compute else current_rows()
    now = ledger.assess(rows)
    before = pd.read_csv(COMMITTED, index_col="id")["verdict"]
    if modules:  # other parts of an item are not computed
        now = now.loc[rows["id"]].query("verdict != 'open'")
        before = before[before.index.isin(now.index)]
    if tables:
        click.echo(ledger.by_table(rows).round(3).to_string(na_rep=""))
        click.echo(f"\nReadings, as if cells were independent:\n{_readings()}")
    else:
        shown = set(rows["id"]) if compute else set()
        for fact_id, row in now.iterrows():
            if row["kind"] == "item" or fact_id not in shown:
                show(fact_id, row)
        if not as_json:
            _print_counts(now)
    if accept:
        files.write(COMMITTED, now["verdict"].to_csv(lineterminator="\n"))
    if not modules:
        _name_changed_runs()
    fell = ledger.worse(now["verdict"], before)
    for fact_id, row in fell.iterrows():
        click.echo(f"worse: {fact_id} was {row['before']}, is {row['now']}", err=True)
    if len(fell):
        raise click.ClickException(f"{len(fell)} verdicts are worse than the committed ones")


@main.command()
@click.option(
    "--into", type=_Folder(file_okay=False, path_type=Path), default=Path("dist"),
    metavar="FOLDER", show_default=True, help="Folder of the files, which must not exist.",
)
def release(into: Path) -> None:
    """Make the files of a release from what `build` has executed, with their checksums.

    They are: both distributions, all sources, the site, the notebooks, the PDF (where Chromium is
    installed), CITATION.cff and codemeta.json. Refused with changes that are not committed,
    verdicts that became worse, or a version without an entry in CHANGELOG.md.
    """
    try:
        version = releases.version(book.ROOT)
        _require_chapters()
        before = pd.read_csv(COMMITTED, index_col="id")["verdict"]
        fell = ledger.worse(ledger.assess(current_rows())["verdict"], before)
        if len(fell):
            raise releases.NotReady(
                ("1 verdict is worse than the committed one" if len(fell) == 1 else
                 f"{len(fell)} verdicts are worse than the committed ones")
                + f", such as {fell.index[0]}"
            )
        site = pages.render().parent
        pdf: Path | None = book.BUILD / "book.pdf"
        try:
            sessions.print_book(pdf)
        except click.ClickException as problem:
            pdf = None
            click.echo(f"without a PDF: {problem.message}", err=True)
        notebooks = site / "_sources" / "book" / "chapters"
        for file in releases.make(book.ROOT, into, version, site, notebooks, pdf):
            click.echo(f"{file.stat().st_size:>12,}  {file}")
    except releases.NotReady as refusal:
        raise click.ClickException(str(refusal)) from refusal


def _name_changed_runs() -> None:
    """List stored runs that were made by other code than today's: their counts may differ."""
    from companion.papers import stored  # with all learners and their kernels

    if changed := stored.changed():
        click.echo(
            f"stored by code other than today's: {', '.join(changed)}; "
            "`python -m replib results --verify 200` runs some of their replications again",
            err=True,
        )


def _computed(modules: tuple[str, ...], show: Callable[[str, pd.Series], None] | None):
    """Return the rows of modules; show each as soon as its module is done, but not items."""
    from companion.papers import ledger_rows  # with all papers and all learners

    known = ledger_rows.modules()
    chosen = [name for name in known if not modules or name.startswith(modules)]
    for module in modules:
        if not any(name.startswith(module) for name in known):
            papers = ", ".join(dict.fromkeys(name.partition(".")[0] for name in known))
            raise click.UsageError(f"no module {module!r} has rows: begin with one of {papers}")
    found = []
    with tqdm(chosen, desc="rows", unit="module", disable=None) as progress:
        for rows in ledger_rows.rows(progress):
            found.append(rows)
            now = ledger.assess(rows).loc[rows["id"]]
            for fact_id, row in now[now["kind"] != "item"].iterrows() if show else ():
                with tqdm.external_write_mode():
                    show(fact_id, row)
    return ledger.worst(pd.concat(found))


def _readings() -> str:
    """Show how probable the papers' tables are under each reading of what the papers leave open."""
    from companion.papers import likelihood, stored  # with all papers and all learners

    found = likelihood.of_readings({name: stored.load(name) for name in likelihood.NEEDS})
    return found.round(2).to_string(na_rep="")


def _require_chapters() -> None:
    missing = [
        c.name for c in book.chapters() if not c.reads_ledger and staleness.is_stale(c, {})
    ]
    if missing:
        raise click.ClickException(
            f"not built with the papers' own values, or changed since: {', '.join(missing)}; "
            "`python -m replib build` does it, and `check --compute` needs no chapter"
        )


@main.command()
def data() -> None:
    """Show the 27 data sets, and fetch those that are not here."""
    found, problems = {}, {}
    for name in tqdm(datasets.names(), desc="data sets", unit="set", leave=False, disable=None):
        try:
            found[name] = datasets.load(name).source
        except (datasets.DataUnavailable, datasets.DataMismatch) as problem:
            problems[name] = problem
        except ValueError as refusal:
            raise click.UsageError(str(refusal)) from refusal
    _print_datasets(found, problems)
    if problems:
        raise click.ClickException(
            f"{len(problems)} of {len(datasets.names())} data sets are not here; "
            f"{next(iter(problems.values()))}"
        )
    click.echo(f"all {len(found)} data sets are here, and they are Weka's")


@main.command()
@click.argument("names", nargs=-1, metavar="NAME...")
@click.option(
    "--size", type=click.IntRange(1, 100_000), metavar="N",
    help="Replications of each experiment; as many as in the book by default.",
)
@click.option(
    "--into", type=_Folder(file_okay=False, path_type=Path), metavar="FOLDER",
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
    from companion.papers.topics import which_test

    chosen = [stored.names("" if name == "all" else name) for name in names]
    if [] in chosen or "" in names:
        beginnings = dict.fromkeys(name.split("_")[0] for name in stored.names())
        wrong = "" if "" in names else names[chosen.index([])]
        raise click.UsageError(
            f"there is no {wrong!r}; names begin with {', '.join(beginnings)}, or are all"
        )
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
    wanted = list(dict.fromkeys(itertools.chain(*chosen)))
    if estimate:
        _estimate(wanted or stored.names(), record_costs)
    elif into and wanted:
        _recompute(wanted, into, size)
    elif not names and verify:
        wanted = stored.changed()
    elif not names:
        shown = stored.table().rename(columns={"minutes": "stored"})
        click.echo(shown.join(costs.of_runs()["now"]).to_string(na_rep=""))
        click.echo("stored, now: minutes of one core when stored, and with today's code")
    for name in wanted if not (estimate or into) else ():
        started = time.monotonic()
        with _refusals():
            if verify:
                click.echo(stored.verify(name, verify))
                continue
            stored.run(name)
        click.echo(f"{name}: {time.monotonic() - started:.0f} s")
    if not (verify or estimate or into) and {*which_test.RUNS} & {*wanted}:
        with _refusals():  # raised if one of the runs has not been made again
            which_test.write_evidence(stored.load)


def _estimate(names: list[str], record: bool) -> None:
    """Time each run, print the estimated duration, and record it if asked."""
    from companion.lab.experiments import provenance
    from companion.papers import stored

    click.echo("minutes of one core, with today's code and when stored; experiments timed")
    click.echo(f"{'now':>9} {'stored':>8} {'timed':>6}")
    rows = {}
    for name in tqdm(names, desc="timed", unit="run", leave=False, disable=None):
        with _refusals():
            seconds, timed = stored.estimate(name)
        before = stored.seconds(name) / 60
        with tqdm.external_write_mode():
            now = f"{seconds / 60:.1f}" if timed else "no data"
            click.echo(f"{now:>9} {before:>8.1f} {timed:>6}  {name}")
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
    with _refusals():
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


def _print_datasets(found: dict[str, str], problems: dict[str, Exception]) -> None:
    click.echo(
        f"{'name':<14} {'in the paper':<24} instances  numeric+nominal  classes missing   read from"
    )
    for name, row in datasets.table().loc[list(datasets.names())].iterrows():
        problem = problems.get(name)
        missing = isinstance(problem, datasets.DataUnavailable)
        click.echo(
            f"{name:<14} {row['paper_name']:<24} {row['instances']:>9}  "
            f"{row['numeric']:>7}+{row['nominal']:<7}  "
            f"{row['classes_present']:>4}/{row['classes_declared']:<2} "
            f"{row['missing_cells']:>7}   {'not here' if missing else problem or found[name]}"
        )


def _json_row(fact_id: str, row: pd.Series) -> dict:
    def number(x):
        if isinstance(x, (bool, np.bool_)):
            return bool(x)
        return None if x is None or math.isnan(x) else float(x)

    return {
        "id": fact_id,
        "published": row["printed"] if pd.isna(row["value"]) else row["value"],
        "rebuilt": number(row["rebuilt"]),
        "standard_error": number(row["standard_error"]),
        "verdict": row["verdict"],
        "reading": row["reading"] or None,
        "chapter": row["chapter"] or None,
        "criterion": row["criterion"] or None,
        "independent": row["independent"] or None,
    }


def _print_json(fact_id: str, row: pd.Series) -> None:
    click.echo(json.dumps(_json_row(fact_id, row)))


def _print_row(fact_id: str, row: pd.Series) -> None:
    if row["verdict"] != "open":
        rebuilt = format_number(row["rebuilt"])
        click.echo(f"{row['verdict']:<15} {row['printed']:>10} {rebuilt:>12}  {fact_id}")


def _print_counts(now: pd.DataFrame) -> None:
    counts = now.groupby(["paper", "verdict"]).size().unstack(fill_value=0)
    click.echo(counts[[v for v in ledger.VERDICTS if v in counts]].to_string())


if __name__ == "__main__":
    main(prog_name="python -m replib")

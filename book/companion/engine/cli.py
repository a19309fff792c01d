"""Command line of the book: `python -m replib --help` lists its commands."""

import os
import signal
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import nbformat

from companion.engine import long_runs, own_test, problems, verification
from companion.engine.build import chapters as book
from companion.engine.build import (
    costs,
    editions,
    execution,
    files,
    pages,
    parameters,
    reruns,
)
from companion.engine.serve.command import serve
from companion.engine.show.display import format_change

#: Lines of a difference that the terminal shows; all are in difference.csv and on the
#: page.
SHOWN = 40
#: Columns of a terminal that the sentences fill.
WIDTH = 100


class _OneSentence(click.Group):
    """Says in one sentence what was wrong: exit 2 for bad input, 1 for a failure.

    What only a course needs is loaded when it is asked for.
    """

    def list_commands(self, ctx):
        return sorted([*self.commands, "course"])

    def get_command(self, ctx, name):
        if name != "course":
            return super().get_command(ctx, name)
        from companion.engine.course import sessions

        return sessions.course

    def main(self, *args, **options):
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # ends like Ctrl-C
        try:
            return super().main(*args, **options | {"standalone_mode": False})
        except click.exceptions.NoArgsIsHelpError as help_page:
            help_page.show()
            sys.exit(2)
        except (Exception, KeyboardInterrupt) as problem:
            code, sentence = problems.answer(problem)
            click.echo(f"Error: {sentence}", err=True)
            sys.exit(code)


@click.group(cls=_OneSentence, context_settings={"help_option_names": ["-h", "--help"]})
@click.pass_context
def main(context: click.Context) -> None:
    """Build, rerun and check the book on replicability."""
    needs_checkout = context.invoked_subcommand != "bench"
    if needs_checkout and not book.SOURCES.is_dir():
        raise click.UsageError(
            "run this in a checkout of the book: there is no notebooks/ here"
        )


for command in (
    own_test.bench,
    serve,
    verification.check,
    verification.data,
    long_runs.results,
):
    main.add_command(command)


@main.command()
@click.argument("chapters", nargs=-1, metavar="[CHAPTER]...")
@click.option(
    "--preset", metavar="NAME", help="Parameter values of notebooks/presets/NAME.yml."
)
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=min(os.cpu_count() or 1, 4),
    show_default=True,
    help="Number of chapters that run at once.",
)
@click.option(
    "--record-costs", is_flag=True, help="Write the seconds into notebooks/costs.yml."
)
@click.option(
    "--pages", "only_pages", is_flag=True, help="Make the site without executing."
)
def build(
    chapters: tuple[str, ...],
    preset: str | None,
    jobs: int,
    record_costs: bool,
    only_pages: bool,
) -> None:
    """Execute the stale CHAPTERs (all by default) and make the site."""
    if only_pages:
        if chapters or preset or record_costs:
            raise click.UsageError(
                "--pages cannot be combined with CHAPTER, --preset or --record-costs"
            )
        click.echo(f"open {_with_course(pages.render())}")
        return
    seconds = execution.execute_stale(chapters, preset, jobs)
    costs.remember(seconds)
    click.echo("making the pages ...", err=True)
    page = _with_course(pages.render())
    if record_costs:  # now, not earlier, because the chapters show their costs
        costs.record(seconds, preset)
    for name, spent in costs.of_last_build().items():
        fresh = "" if name in seconds else "   (kept from an earlier build)"
        click.echo(f"{spent:7.1f} s  {name}{fresh}")
    click.echo(f"open {page}")


def _with_course(page: Path) -> Path:
    if not (book.ROOT / "course").is_dir():  # a book need not have one
        return page
    from companion.engine.course import site  # loads what only a course needs

    return site.with_course(page)


@main.command()
@click.argument("chapter")
@click.option(
    "-p",
    "--parameter",
    "settings",
    nargs=2,
    multiple=True,
    metavar="NAME VALUE",
    help="A parameter of this run; may be given several times.",
)
@click.option(
    "-f",
    "--parameters-file",
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A YAML file that maps names of parameters to values; -p overrides it.",
)
@click.option(
    "--quick",
    is_flag=True,
    help="Run a small version, with the values of notebooks/presets/quick.yml; -p and -f override "
    "them.",
)
def run(
    chapter: str, settings: tuple[tuple[str, str], ...], file: Path | None, quick: bool
) -> None:
    """Execute your own copy of CHAPTER with other parameters, under runs/.

    Prints every verdict and every number of the text that differs from the default run:
    changed words and verdicts first, then changes in standard errors.
    """
    asked = reruns.rerun(
        chapter, _given(book.find(chapter), settings, file), small=quick
    )
    name = asked.chapter.name
    if quick and not asked.base:
        click.echo(f"{name} has no quick values: it runs at full size", err=True)
    known = (
        f"takes about {asked.seconds:g} s" if asked.seconds else "has no recorded time"
    )
    click.echo(f"{name}: the default run {known}", err=True)
    click.echo(
        "executing your copy, and the default run if it is not kept ...", err=True
    )
    done = reruns.run(asked)
    for row in done.changes.head(SHOWN).to_dict("records"):
        click.echo(_described(row))
    if (hidden := len(done.changes) - SHOWN) > 0:
        click.echo(f"... and {hidden} more in {done.page.with_name('difference.csv')}")
    click.echo(done.sentence)
    click.echo(f"open {done.page}")


def _described(row: Mapping[str, Any]) -> str:
    """Return two lines on a change: the values, and below them the sentence that has them.

    >>> print(_described({"default": "58", "yours": "84", "errors": float("nan"), "change": 0.44,
    ...     "paper": "", "verdict": "", "words": "It contains the truth in [84]% of cases."}))
    58 → 84  (44%)
        It contains the truth in [84]% of cases.
    """
    remarks = [
        format_change(row),
        row["paper"] and f"the paper prints {row['paper']}",
        row["verdict"] and f"verdict: {row['verdict']}",
    ]
    known = "; ".join(filter(None, remarks))
    values = f"{row['default'] or '–'} → {row['yours'] or '–'}"
    words = textwrap.fill(
        row["words"], WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 4
    )
    return f"{values}  ({known})\n{words}" if known else f"{values}\n{words}"


def _given(
    chapter: book.Chapter, settings: tuple[tuple[str, str], ...], file: Path | None
) -> dict:
    """Return the values of a YAML file and of options, most of them still texts."""
    names = [name for name, _ in settings]
    if twice := [name for place, name in enumerate(names) if name in names[:place]]:
        raise parameters.ParameterError(
            f"{twice[0]} is given twice: say which value you want"
        )
    of_file = parameters.read_mapping(file, str(file)) if file else {}
    if file and not of_file:
        raise parameters.ParameterError(
            f"{file} gives no parameter: write a line `name: value` for each; "
            f"chapter {chapter.name} has {', '.join(chapter.parameters) or 'none'}"
        )
    return of_file | dict(settings)


@main.command()
@click.argument("chapters", nargs=-1, metavar="[CHAPTER]...")
@click.option(
    "--into",
    type=verification.Folder(file_okay=False, path_type=Path),
    default=Path("my_notebooks"),
    metavar="FOLDER",
    show_default=True,
    help="Folder of the notebooks.",
)
@click.option(
    "--edition",
    type=click.Choice(list(editions.EDITIONS)),
    default="book",
    show_default=True,
    help="The student edition has no solutions; the teacher edition shows them, with notes.",
)
def notebook(chapters: tuple[str, ...], into: Path, edition: str) -> None:
    """Write CHAPTERs (all by default) as notebooks that run in JupyterLab.

    An existing notebook is kept, because you may have changed it.
    """
    into.mkdir(parents=True, exist_ok=True)
    for chapter in [book.find(name) for name in chapters] or book.chapters():
        file = into / chapter.executed.name
        if file.exists():
            click.echo(f"kept {file}")
        else:
            seen = editions.for_readers(
                chapter.notebook, editions.EDITIONS[edition], frozenset()
            )
            files.write(file, nbformat.writes(editions.with_names(seen)) + "\n")
            click.echo(f"open {file}")


@main.command("list")
def list_chapters() -> None:
    """Show the chapters, their parameters and their costs."""
    recorded = costs.recorded()
    for chapter in book.chapters():
        cost = recorded.get(chapter.name, {})
        spent = ", ".join(
            f"{preset} {seconds:g} s" for preset, seconds in sorted(cost.items())
        )
        click.secho(f"{chapter.name}", bold=True, nl=False)
        click.echo(f"  {chapter.title}  [{spent or 'cost not recorded'}]")
        for p in chapter.parameters.values():
            click.echo(
                f"    {p.name}: {p.type} = {p.default!r}  ({p.unit}; {p.range})  {p.help}"
            )


if __name__ == "__main__":
    main(prog_name="python -m replib")

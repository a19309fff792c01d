"""Material for teaching, made from the executed chapters; nothing is executed again."""

from pathlib import Path

import click

from companion.engine.build import chapters, pages, parameters
from companion.engine.course import assignments, printed, site

#: Folders and pages that are for looking things up or for working with, not for
#: reading.
_ONLY_ON_A_SCREEN = {"reference", "compare.html"}


@click.group()
def course() -> None:
    """Make what a course needs: editions, a PDF, marks of assignments."""


@course.command()
@click.argument(
    "name", metavar="student|teacher", type=click.Choice(["student", "teacher"])
)
def edition(name: str) -> None:
    """Make the site and the notebooks of an edition.

    The student's has no solutions; the teacher's shows them, also those of the exam,
    and notes.
    """
    click.echo(
        f"open {site.with_course(pages.render(name), solutions=name == 'teacher')}"
    )


@course.command()
def pdf() -> None:
    """Print the whole book, with its solutions, into one PDF."""
    built = pages.render().parent
    addresses = [
        page
        for page in printed.pages_in_order(built)
        if not _ONLY_ON_A_SCREEN & {*page.split("/")}
    ]
    title, file = "Replicability of classifier experiments", chapters.BUILD / "book.pdf"
    click.echo(f"open {printed.write(built, addresses, title, file)}")


@course.command()
@click.argument("assignment")
@click.argument(
    "submissions",
    nargs=-1,
    required=True,
    metavar="SUBMISSION...",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
def mark(assignment: str, submissions: tuple[Path, ...]) -> None:
    """Mark SUBMISSIONs, notebooks that students handed in for ASSIGNMENT, such as session_01."""
    source = assignments.find(assignment)
    left = 0
    for submission in submissions:
        try:
            marks = assignments.mark(source, submission)
        except parameters.ParameterError as problem:
            click.echo(f"not marked: {problem}", err=True)
            left += 1
            continue
        got, most = (sum(of[i] for of in marks.values()) for i in range(2))
        click.echo(f"{submission}: {got:g} of {most:g} points")
        for name, (got, most, slip) in marks.items():
            click.echo(
                f"  {name.removeprefix('test-')} {got:g}/{most:g}{': ' * bool(slip)}{slip}"
            )
    if left:
        raise click.ClickException(
            f"{left} of {len(submissions)} submissions were not marked"
        )

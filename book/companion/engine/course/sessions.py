"""Material for teaching, made from the executed chapters; nothing is executed again."""

from pathlib import Path

import click

from companion.engine.build import chapters, pages, parameters
from companion.engine.course import assignments, printed, questions, site

HANDOUTS = chapters.BUILD / "handouts"
#: Folders and pages that are for looking things up or for working with, not for reading.
_ONLY_ON_A_SCREEN = {"reference", "compare.html"}


@click.group()
def course() -> None:
    """Make what a course needs: editions, slides, handouts, assignments, questions."""


@course.command()
@click.argument("name", metavar="student|teacher", type=click.Choice(["student", "teacher"]))
def edition(name: str) -> None:
    """Make the site and the notebooks of an edition.

    The student's has no solutions; the teacher's shows them, and notes for the teacher.
    """
    click.echo(f"open {site.with_course(pages.render(name))}")


@course.command("questions")
def make_questions() -> None:
    """Make the pages of the question bank and the exam with their solutions."""
    for file in questions.write_all(_site(), solutions=True):
        click.echo(f"open {file}")


@course.command()
@click.argument("names", nargs=-1, metavar="[CHAPTER]...")
def handout(names: tuple[str, ...]) -> None:
    """Print a PDF of each of CHAPTERs (all by default), without solutions."""
    chosen = [chapters.find(name) for name in names] or chapters.chapters()
    built = _site()
    for chapter in chosen:
        page, file = f"book/chapters/{chapter.source.stem}.html", f"{chapter.source.stem}.pdf"
        click.echo(f"open {printed.write(built, [page], chapter.title, HANDOUTS / file)}")


@course.command()
def pdf() -> None:
    """Print the whole book, with its solutions, into one PDF."""
    built = _site()
    addresses = [
        page for page in printed.pages_in_order(built) if not _ONLY_ON_A_SCREEN & {*page.split("/")}
    ]
    title, file = "Replicability of classifier experiments", chapters.BUILD / "book.pdf"
    click.echo(f"open {printed.write(built, addresses, title, file, solutions=True)}")


@course.command("assignments")
def make_assignments() -> None:
    """Write the assignments as notebooks: for students, and with solutions and hidden tests."""
    for file in assignments.write_all(chapters.BUILD / "assignments"):
        click.echo(f"open {file}")


@course.command()
@click.argument("assignment")
@click.argument(
    "submissions", nargs=-1, required=True, metavar="SUBMISSION...",
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
            click.echo(f"  {name.removeprefix('test-')} {got:g}/{most:g}{': ' * bool(slip)}{slip}")
    if left:
        raise click.ClickException(f"{left} of {len(submissions)} submissions were not marked")


def _site() -> Path:
    """Return the folder of the book's site, which is made again if anything in it has changed."""
    return site.with_course(pages.render()).parent

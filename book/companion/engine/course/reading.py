"""The time to read a chapter: from words, lines of code, pictures with controls, exercises.

``python -m companion.engine.course.reading`` prints it for the short book.
"""

import re
from dataclasses import dataclass

from companion.engine.build import chapters, editions
from companion.engine.build.directives import Directive, replace

_NO_WORDS = re.compile(r"\$\$.*?\$\$|\{[\w:]+\}|[`*#|:-]+", flags=re.DOTALL)

#: Largest number of a chapter in the short book.
SHORT_BOOK = 10

WORDS_A_MINUTE = 200
LINES_A_MINUTE = 12
MINUTES_AN_EXPLORER = 1.0
#: Minutes by the number of stars.
MINUTES_AN_EXERCISE = {1: 1.0, 2: 2.0, 3: 4.0}


@dataclass(frozen=True)
class Reading:
    """What a reader meets in a chapter, without solutions, notes for teachers and hidden code.

    Attributes
    ----------
    words, lines, explorers : int
        Words of prose; lines of code that a page shows unfolded; pictures with controls.
    exercises : tuple of int
        Stars of each exercise.
    """

    words: int
    lines: int
    explorers: int
    exercises: tuple[int, ...]

    @property
    def minutes(self) -> float:
        """Minutes in all."""
        return (
            self.words / WORDS_A_MINUTE + self.lines / LINES_A_MINUTE
            + self.explorers * MINUTES_AN_EXPLORER
            + sum(MINUTES_AN_EXERCISE[stars] for stars in self.exercises)
        )


def of_chapter(chapter: chapters.Chapter) -> Reading:
    """Count what a reader of the student's edition meets."""
    stars: list[int] = []

    def note(directive: Directive) -> None:
        if directive.name == "exercise":
            stars.append(directive.argument.count("★"))

    words = lines = explorers = 0
    for cell in editions.for_readers(chapter.notebook, editions.EDITIONS["student"]).cells:
        if cell.cell_type == "markdown":
            replace(cell.source, note)
            words += len(_NO_WORDS.sub(" ", cell.source).split())
        else:
            explorers += "explorers." in cell.source and "import" not in cell.source
            tags = cell.metadata.get("tags", ())
            if not {"hide-input", "remove-input", "parameters"} & set(tags):
                lines += sum(bool(line.strip()) for line in cell.source.splitlines())
    return Reading(words, lines, explorers, tuple(stars))


def main() -> None:
    """Print the minutes of each chapter of the short book, and of all together."""
    print(f"{WORDS_A_MINUTE} words or {LINES_A_MINUTE} lines of code a minute, "
          f"{MINUTES_AN_EXPLORER:g} minute for an explorer, "
          f"for an exercise by its stars {MINUTES_AN_EXERCISE}")
    short = [one for one in chapters.chapters() if one.number <= SHORT_BOOK]
    total = 0.0
    for chapter in short:
        found = of_chapter(chapter)
        total += found.minutes
        print(f"{chapter.number:2} {chapter.name:22} {found.words:5} words {found.lines:3} lines "
              f"{len(found.exercises)} exercises  {found.minutes:5.1f} min")
    print(f"{len(short)} chapters: {total:.0f} min")


if __name__ == "__main__":
    main()

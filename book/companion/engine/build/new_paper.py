"""A new source for the ledger, to be filled in: its folder, its facts, a chapter, and tests.

The files come from ``templates/new_paper_*.txt``: a table of three cells, a claim and an erratum,
which can be judged at once.  Nothing that exists is overwritten; lines are added to files that list
things (the published facts, the contents, the errata).
"""

import csv
import io
import keyword
import re
from pathlib import Path
from string import Template

from companion.engine.build import chapters, files
from companion.engine.build.parameters import ParameterError, shown

_TEMPLATES = Path(__file__).parents[1] / "templates"


def write(name: str, title: str) -> list[Path]:
    """Write the files that a new source needs.

    Parameters
    ----------
    name : str
        Id of the source, its folder and its chapter, such as ``"smith2027"``.
    title : str
        Text for a heading, such as ``"Smith, JMLR 2027"``.

    Returns
    -------
    list of Path
        The files that are new or have new lines.

    Raises
    ------
    ParameterError
        If the name is not allowed or is in use, or the title is empty or has more than one line;
        nothing is then written.
    """
    number = _check(name, title)
    values = {"name": name, "title": title, "anchor": name.replace("_", "-")}
    root = chapters.ROOT
    papers, tests = root / "book/companion/papers", root / "tests/companion/papers"
    chapter = f"{number:02}_{name}"
    new = {
        papers / name / "__init__.py": f'"""{title}."""\n',
        papers / name / "table_1.py": _filled("module.py", values),
        tests / name / "test_table_1.py": _filled("tests.py", values),
        chapters.SOURCES / f"{chapter}.md": _filled("chapter.md", values),
        chapters.SOURCES / "quizzes" / f"{chapter}.yml": _filled("quiz.yml", values),
    }
    longer = {root / "_toc.yml": _with_chapter((root / "_toc.yml").read_text("utf-8"), chapter)}
    longer |= _with_facts(papers / "published", values)
    errata = chapters.find("errata").source
    before, heading, after = errata.read_text("utf-8").partition("## Take-away")
    longer[errata] = before + _filled("errata.md", values) + heading + after
    for file, text in (new | longer).items():
        file.parent.mkdir(parents=True, exist_ok=True)
        files.write(file, text)
    return [*new, *longer]


def _check(name: str, title: str) -> int:
    """Refuse a name or title that cannot be used; return the number of the new chapter."""
    if not re.fullmatch(r"[a-z][a-z0-9_]{1,40}", name, re.ASCII) or keyword.iskeyword(name):
        raise ParameterError(
            "NAME must be a lower-case word of letters, digits and underscores that begins with a "
            f"letter, such as smith2027, not {shown(name)}"
        )
    if not title.strip() or not title.isprintable() or {*title} & {*'"\\#'}:
        raise ParameterError(
            "the title must be one line of text without quotes, backslashes and #, such as "
            f"Smith, JMLR 2027, not {shown(title)}"
        )
    papers = chapters.ROOT / "book/companion/papers"
    used = [papers / name, papers / f"{name}.py", chapters.ROOT / "tests/companion/papers" / name]
    used += [chapter.source for chapter in chapters.chapters() if chapter.name == name]
    for file in used:
        if file.exists():
            where = file.relative_to(chapters.ROOT)
            raise ParameterError(f"{where} is there already: choose another name than {name!r}")
    return max(chapter.number for chapter in chapters.chapters()) + 1


def _filled(which: str, values: dict[str, str]) -> str:
    template = (_TEMPLATES / f"new_paper_{which}.txt").read_text(encoding="utf-8")
    return Template(template).substitute(values)


def _with_facts(published: Path, values: dict[str, str]) -> dict[Path, str]:
    """Return the files of published facts with the rows of the template."""
    found: dict[Path, str] = {}
    for line in _filled("published.csv", values).splitlines():
        table, *cells = line.split("\t")
        file = published / f"{table}.csv"
        text = found.get(file) or file.read_text(encoding="utf-8")
        header = next(csv.reader([text.partition("\n")[0]]))
        row = io.StringIO()
        csv.DictWriter(row, header, restval="", lineterminator="\n").writerow(
            dict(cell.split("=", 1) for cell in cells)
        )
        found[file] = text + row.getvalue()
    return found


def _with_chapter(contents: str, chapter: str) -> str:
    """Return the table of contents with a chapter after the last one."""
    last = list(re.finditer(r"(?m)^( *- file: book/chapters/)\S+\n", contents))[-1]
    return contents[: last.end()] + f"{last[1]}{chapter}\n" + contents[last.end():]

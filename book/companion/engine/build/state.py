"""The state of this book: what was measured, when, on which commit and which machine.

``.ci/check_everything.py`` measures; the page shows the file, and says what was not measured.
"""

import csv
import io
import os
import subprocess
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from companion.engine.build import chapters, files
from companion.lab.experiments import provenance
from companion.papers.ledger import VERDICTS

FILE = chapters.ROOT / "book" / "_static" / "state.csv"
_COLUMNS = ("part", "what", "value", "measured", "commit", "machine")

#: What each part measures: its title, and the names of its rows.
PARTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "tests": ("Tests", ("passed", "failed", "skipped", "minutes")),
    "pythons": ("Tests of the library on other Pythons", (
        "Python 3.11", "Python 3.12", "Python 3.13", "Python 3.14", "lowest versions allowed",
    )),
    "lint": ("Checks of the source", ("ruff", "lint-imports", "mypy", "bandit")),
    "mutation": (
        "Changes of the library and of the ledger, drawn at random",
        ("tried", "noticed by a test", "seed"),
    ),
    "campaign": ("Campaign", ("faults tried", "survived")),
    "pages": ("Pages in a browser, wide and narrow, without a network", (
        "without fault", "with a fault", "bytes of the heaviest", "seconds of the slowest",
    )),
    "links": ("Links inside the site", ("checked", "dead")),
    "verdicts": ("Verdicts, computed without the chapters", (
        *VERDICTS[:-1], "worse than the committed ones",
    )),
    "sizes": ("Sizes", (
        "pages", "megabytes of the site", "lines of code in replib", "lines of code in companion",
        "lines of code in tests",
    )),
    "times": ("Times", (
        "seconds to import replib.comparison", "seconds to make the pages",
        "minutes to execute the chapters, recorded", "hours to run all stored runs, estimated",
    )),
    "recomputed": ("All stored runs, made again from nothing", (
        "runs", "identical", "replications", "minutes of one core", "minutes by the clock",
    )),
    "versions": ("Versions", (
        "Python", "numpy", "scipy", "pandas", "scikit-learn", "numba", "Sphinx", "jupyter-book",
    )),
    "licences": ("Licences of the pinned packages", (
        "packages", "permissive", "copyleft", "not stated", "not installed here",
    )),
    "advisories": ("Known vulnerabilities of the pinned packages", (
        "audited", "not audited", "vulnerable",
    )),
}


def read(file: Path = FILE) -> dict[tuple[str, str], dict[str, str]]:
    """Return the rows of the file by part and name; none if there is no file."""
    if not file.exists():
        return {}
    with file.open(encoding="utf-8", newline="") as stream:
        return {(row["part"], row["what"]): row for row in csv.DictReader(stream)}


def record(part: str, values: Mapping[str, object], file: Path = FILE) -> None:
    """Write measurements made just now into the file, replacing those of the same part.

    Raises
    ------
    ValueError
        If the part, or one of the names, is not in `PARTS`.
    """
    if unknown := [name for name in values if name not in PARTS.get(part, ("", ()))[1]]:
        raise ValueError(f"{part} must have rows that PARTS lists, not {', '.join(unknown)}")
    about = {
        "measured": f"{datetime.now(UTC).date()}", "commit": _commit(),
        "machine": f"{provenance.machine()}, {os.cpu_count()} cores",
    }
    rows = {key: row for key, row in read(file).items() if key[0] != part}
    for what, value in values.items():
        rows[part, what] = {"part": part, "what": what, "value": f"{value}", **about}
    text = io.StringIO()
    writer = csv.DictWriter(text, _COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        rows[name, what] for name, (_, names) in PARTS.items() for what in names
        if (name, what) in rows
    )
    files.write(file, text.getvalue())


def _commit() -> str:
    """Name the commit; files with measurements may differ from it without counting as changes."""
    measured = [":!book/_static/*.csv", ":!book/results/recomputed.csv"]
    words = (["rev-parse", "--short", "HEAD"], ["status", "--porcelain", "--", ".", *measured])
    name, changed = (
        subprocess.run(
            ["git", *asked], cwd=chapters.ROOT, capture_output=True, text=True, check=False
        ).stdout.strip() for asked in words
    )
    return f"{name}-dirty" if changed else name


def page(file: Path = FILE) -> str:
    """Write all parts as tables in Markdown, with *not measured* where there is no row."""
    rows = read(file)
    return "\n\n".join(_table(part, rows) for part in PARTS)


def _table(part: str, rows: Mapping[tuple[str, str], Mapping[str, str]]) -> str:
    title, names = PARTS[part]
    found = [rows[part, name] for name in names if (part, name) in rows]
    if not found:
        return f"**{title}**: not measured."
    where = f"{found[0]['measured']}, commit `{found[0]['commit']}`, {found[0]['machine']}"
    lines = [f"**{title}** ({where})", "", "| what | measured |", "|---|--:|"]
    for name in names:
        value = rows[part, name]["value"] if (part, name) in rows else "not measured"
        lines.append(f"| {name} | {value} |")
    return "\n".join(lines)

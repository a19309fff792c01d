"""Measure the state of this book, part by part, and write it where the book shows it.

    python .ci/check_everything.py [PART...]

Each part runs on its own and replaces its rows of book/_static/state.csv.  What cannot be measured
here is named, and the page says *not measured* or shows the older date.  MOMENTS and CHANGES are
how often the campaign tries each thing, and how many changes of the code are drawn.
"""

import ast
import csv
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from urllib.parse import unquote, urldefrag
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "book")]

from companion.engine.build import chapters, costs, state  # noqa: E402
from companion.papers import stored  # noqa: E402

PYTHON = [sys.executable, "-m"]
BOOK = [*PYTHON, "companion.engine.cli"]
LICENCES = ROOT / "book" / "_static" / "licences.csv"
RECOMPUTED = ROOT / "book" / "results" / "recomputed.csv"
LIBRARY = ["replib", "tests", "--ignore", "tests/companion", "--ignore", "tests/mutation"]
COPYLEFT = re.compile(r"GPL|MPL|EUPL|Mozilla|CeCILL", re.IGNORECASE)


class NotHere(Exception):
    """What a part needs and this machine does not have."""


def ran(*command: object, **options) -> subprocess.CompletedProcess:
    """Run a command of this checkout, and keep what it says."""
    paths = os.pathsep.join([str(ROOT), str(ROOT / "book")])
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONUTF8": "1"}
    return subprocess.run(
        [str(word) for word in command], cwd=ROOT, env=environment, capture_output=True, text=True,
        check=False, **options,
    )


def counts(report: Path) -> dict[str, object]:
    """Return what a report of pytest in JUnit's form counts."""
    if not report.exists():
        raise NotHere("pytest wrote no report")
    suites = list(ElementTree.parse(report).iter("testsuite"))
    total = {name: sum(int(suite.get(name, 0)) for suite in suites)
             for name in ("tests", "failures", "errors", "skipped")}
    failed = total["failures"] + total["errors"]
    seconds = sum(float(suite.get("time", 0)) for suite in suites)
    return {"passed": total["tests"] - failed - total["skipped"], "failed": failed,
            "skipped": total["skipped"], "minutes": f"{seconds / 60:.1f}"}


def tested(*command: object) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "tests.xml"
        ran(*command, f"--junitxml={report}")
        return counts(report)


def tests() -> dict[str, object]:
    return tested(*PYTHON, "pytest", "-q", "-n", "auto")


def pythons() -> dict[str, object]:
    """Install the pins, and then the lowest versions allowed, and run the tests of the library."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    lowest = [line.replace(">=", "==") + ".*" for line in project["dependencies"]]
    found = {}
    for minor in (11, 12, 13, 14):
        if (python := shutil.which(f"python3.{minor}")) and not ran(python, "--version").returncode:
            found[f"Python 3.{minor}"] = on(python)
    if not found:
        raise NotHere("no python3.11 to python3.14 is here")
    oldest = shutil.which(min(found).lower().replace(" ", ""))
    return found | {"lowest versions allowed": on(oldest, *lowest)}


def on(python: str, *instead: str) -> str:
    """Say in words what the tests of the library give in an environment of their own."""
    with tempfile.TemporaryDirectory() as folder:
        ran(python, "-m", "venv", folder)
        own = Path(folder) / "bin" / "python"
        pip = [own, "-m", "pip", "install", "--quiet"]
        if ran(*pip, "--require-hashes", "-r", "requirements.txt").returncode:
            return "the pins cannot be installed"
        if instead and ran(*pip, *instead).returncode:
            return "the lowest versions cannot be installed"
        found = tested(own, "-m", "pytest", "-q", "-n", "auto", *LIBRARY)
    return f"{found['passed']} passed, {found['failed']} failed, {found['skipped']} skipped"


def lint() -> dict[str, object]:
    folder = Path(sys.executable).parent
    bandit = ["bandit", "--quiet", "--configfile", "pyproject.toml", "--recursive", "replib",
              "book/companion"]
    commands = (["ruff", "check", "--quiet"], ["lint-imports", "--no-logo"], ["mypy"], bandit)
    return {
        name: "failed" if ran(folder / name, *rest).returncode else "passed"
        for name, *rest in commands if (folder / name).exists()
    }


def mutation() -> dict[str, object]:
    seed, size = datetime.now(UTC).date().toordinal(), os.environ.get("CHANGES", "300")
    results = chapters.BUILD / f"changes-{seed}.csv"  # what was interrupted goes on
    results.parent.mkdir(parents=True, exist_ok=True)
    said = ran(sys.executable, "tests/mutation/mutate.py", "replib", "book/companion/papers",
               "--of-all", size, "--seed", seed, "--results", results).stdout
    found = re.search(r"^together (\d+) of (\d+) killed", said, re.MULTILINE)
    if not found:
        raise NotHere("the tests of a module fail as it is")
    return {"tried": found[2], "noticed by a test": found[1], "seed": seed}


def campaign() -> dict[str, object]:
    file = ROOT / "book" / "_static" / "reliability.csv"
    with tempfile.TemporaryDirectory() as folder:
        figures = Path(folder) / file.name
        ran(*PYTHON, "pytest", "tests/campaign", "-m", "campaign", "-q", "-n", "2", "--dist",
            "worksteal", "--moments", os.environ.get("MOMENTS", "100"), "--figures", figures)
        if not figures.exists():
            raise NotHere("the campaign recorded nothing")
        shutil.copy(figures, file)
    with file.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    return {"faults tried": sum(int(row["times"]) for row in rows),
            "survived": sum(int(row["survived"]) for row in rows)}


def site() -> list[Path]:
    folder = chapters.BUILD / "html"
    found = sorted(file for file in folder.rglob("*.html") if "_static" not in file.parts)
    if not found:
        raise NotHere("no site is built here")
    return found


def pages() -> dict[str, object]:
    said = ran(sys.executable, ".ci/open_pages.py", site() and chapters.BUILD / "html").stdout
    found = re.search(r"^(\d+) passed, (\d+) failed$", said, re.MULTILINE)
    loads = re.findall(r": ([\d,]+) bytes in ([\d.]+) s$", said, re.MULTILINE)
    if not found:
        raise NotHere("playwright or Chromium is missing")
    heaviest = max(int(size.replace(",", "")) for size, _ in loads)
    return {"without fault": found[1], "with a fault": found[2],
            "bytes of the heaviest": f"{heaviest:,}",
            "seconds of the slowest": max(float(took) for _, took in loads)}


def links() -> dict[str, object]:
    """Look up the page and the anchor of each link inside the site."""
    texts = {file.resolve(): file.read_text(encoding="utf-8") for file in site()}
    anchors = {file: set(re.findall(r'\b(?:id|name)="([^"]+)"', text))
               for file, text in texts.items()}
    checked, dead = 0, []
    for file, text in texts.items():
        for href in re.findall(r'<a\b[^>]*?\bhref="(?!\w+:|//)([^"]*)"', text):
            address, anchor = urldefrag(href)
            target = (file.parent / unquote(address)).resolve() if address else file
            is_there = target.is_file() and (
                not anchor or target not in anchors or unquote(anchor) in anchors[target]
            )
            checked += 1
            if not is_there:
                dead.append(f"{file.name}: {href}")
    print(*dead[:20], sep="\n", file=sys.stderr)
    return {"checked": f"{checked:,}", "dead": len(dead)}


def verdicts() -> dict[str, object]:
    done = ran(*BOOK, "check", "--compute", "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if not rows:
        raise NotHere(f"check failed: {done.stderr.strip()[-200:]}")
    found = Counter(row["verdict"] for row in rows)
    worse = sum(line.startswith("worse: ") for line in done.stderr.splitlines())
    _, names = state.PARTS["verdicts"]
    return {**{name: found[name] for name in names[:-1]}, names[-1]: worse}


def lines_of_code(folder: Path) -> int:
    """Count lines that are neither blank, comment nor docstring."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    total = 0
    for file in folder.rglob("*.py"):
        text, left_out = file.read_text(encoding="utf-8"), set()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, documented) and ast.get_docstring(node, clean=False) is not None:
                left_out |= {*range(node.body[0].lineno, node.body[0].end_lineno + 1)}
        total += sum(
            bool(line.strip()) and not line.lstrip().startswith("#") and number not in left_out
            for number, line in enumerate(text.splitlines(), start=1)
        )
    return total


def sizes() -> dict[str, object]:
    _, names = state.PARTS["sizes"]
    folders = (ROOT / "replib", ROOT / "book" / "companion", ROOT / "tests")
    found: dict[str, object] = {
        name: f"{lines_of_code(folder):,}" for name, folder in zip(names[2:], folders)
    }
    if (chapters.BUILD / "html").is_dir():
        files = [file for file in (chapters.BUILD / "html").rglob("*") if file.is_file()]
        found[names[0]] = len(site())
        found[names[1]] = f"{sum(file.stat().st_size for file in files) / 1e6:.1f}"
    return found


def times() -> dict[str, object]:
    def seconds(*command: object) -> float:
        began = time.monotonic()
        done = ran(*command)
        return time.monotonic() - began if done.returncode == 0 else float("nan")

    importing, making, executing, running = state.PARTS["times"][1]
    imports = [seconds(sys.executable, "-c", "import replib.comparison") for _ in range(5)]
    found: dict[str, object] = {
        importing: f"{min(imports):.2f}",
        executing: f"{sum(cost.get('paper', 0) for cost in costs.recorded().values()) / 60:.0f}",
        running: f"{costs.of_runs()['now'].sum() / 60:.0f}",
    }
    with tempfile.TemporaryDirectory() as folder:
        before = os.environ.get("REPLIB_BUILD")
        os.environ["REPLIB_BUILD"] = folder
        took = seconds(*BOOK, "build", "--pages")
        os.environ.pop("REPLIB_BUILD") if before is None else os.environ.update(REPLIB_BUILD=before)
    return found | ({making: f"{took:.0f}"} if took == took else {})


def recomputed() -> dict[str, object]:
    """Make all stored runs again; what was interrupted goes on, and then has no single clock.

    If it is interrupted now, what is made so far counts.
    """
    folder = chapters.BUILD / "recomputed"
    is_whole = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["REPLIB_CACHE"] = str(folder / "cache")  # nothing of earlier runs
    said = ran(*BOOK, "results", "all", "--into", folder).stdout
    clock = re.search(r"([\d.]+) min by the clock", said)
    if not (folder / "table.csv").exists():
        raise NotHere("it was interrupted before the end of the first run")
    shutil.copy(folder / "table.csv", RECOMPUTED)
    with RECOMPUTED.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    total = {name: sum(float(row[name]) for row in rows) for name in ("replications", "minutes")}
    _, (runs, identical, replications, core, by_clock) = state.PARTS["recomputed"]
    return {
        runs: f"{len(rows)} of {len(stored.CATALOGUE)}",
        identical: sum(row["outcome"] == "identical" for row in rows),
        replications: f"{total['replications']:,.0f}", core: f"{total['minutes']:.0f}",
        **({by_clock: f"{float(clock[1]):.0f}"} if clock and is_whole else {}),
    }


def versions() -> dict[str, object]:
    _, (python, *packages) = state.PARTS["versions"]
    installed = {name: metadata.version(name) for name in packages}
    return {python: sys.version.split()[0], **installed}


def licence(name: str) -> str:
    """Return what a package says of its licence, in one line; empty if nothing."""
    about = metadata.metadata(name)
    classified = [line.split(" :: ")[-1] for line in about.get_all("Classifier", [])
                  if line.startswith("License :: ")]
    written = (about.get("License-Expression") or ", ".join(classified)
               or (about.get("License") or "").strip().partition("\n")[0])
    return "" if written.upper() == "UNKNOWN" else written


def licences() -> dict[str, object]:
    pins = re.findall(r"(?m)^([\w.-]+)==(\S+)", (ROOT / "requirements.txt").read_text())
    rows = []
    for name, version in pins:
        try:
            rows.append((name, version, licence(name) or "not stated"))
        except metadata.PackageNotFoundError:
            rows.append((name, version, "not installed here"))
    with LICENCES.open("w", newline="", encoding="utf-8") as stream:
        table = [("package", "version", "licence"), *rows]
        csv.writer(stream, lineterminator="\n").writerows(table)
    kinds = Counter(
        said if said.startswith("not ") else "copyleft" if COPYLEFT.search(said) else "permissive"
        for _, _, said in rows
    )
    return {"packages": len(rows), **{name: kinds[name] for name in state.PARTS["licences"][1][1:]}}


def advisories() -> dict[str, object]:
    """Ask the advisories of the package index about each pin."""
    command = shutil.which("pip-audit")
    if command is None:
        raise NotHere("pip-audit is not installed")
    done = ran(command, "--require-hashes", "--disable-pip", "-r", "requirements.txt", "-f", "json",
               "--progress-spinner", "off")
    return audited(done.stdout, done.stderr)


def audited(said: str, problem: str) -> dict[str, object]:
    """Count what pip-audit found; packages that it skipped were not audited, whatever it says."""
    try:
        found = json.loads(said)["dependencies"]
    except ValueError:
        raise NotHere(f"pip-audit failed: {problem.strip()[-200:]}") from None
    looked_up = [one for one in found if "skip_reason" not in one]
    if not looked_up:
        raise NotHere("pip-audit could look up none of the packages")
    for one in looked_up:
        for vulnerability in one["vulns"]:
            print(one["name"], one["version"], vulnerability["id"], file=sys.stderr)
    return {"audited": len(looked_up), "not audited": len(found) - len(looked_up),
            "vulnerable": sum(bool(one["vulns"]) for one in looked_up)}


def main(chosen: list[str]) -> int:
    if unknown := [part for part in chosen if part not in state.PARTS]:
        print(f"there is no part {unknown[0]!r}: choose from {', '.join(state.PARTS)}",
              file=sys.stderr)
        return 2
    code = 0
    for part in chosen or state.PARTS:
        try:
            values = globals()[part]()
        except NotHere as reason:
            print(f"{part}: not measured, {reason}", file=sys.stderr)
            code = 1
            continue
        state.record(part, values)
        print(f"{part}: " + ", ".join(f"{what} {value}" for what, value in values.items()))
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

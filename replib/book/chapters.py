"""Chapters of the book: what they declare, how they are executed, how the pages are made.

The source of a chapter is a MyST notebook in ``notebooks/``.  Executing it leaves a notebook in
``book/chapters/`` from which Sphinx makes the page.  An executed chapter carries a key, the hash of
all it depends on; while the key is right it is not executed again.  Nothing else that changes from
run to run (times, cell ids) is kept, so two executions of one commit give identical files.

The command line, ``python -m replib``, is a thin layer over this module.
"""

import hashlib
import html
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import jupytext
import nbformat
import pandas as pd
import yaml
from joblib import Parallel, delayed
from tqdm import tqdm

from replib.book import parameters
from replib.papers import ledger

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "notebooks"
CHAPTERS = ROOT / "book" / "chapters"
BUILD = ROOT / "_build"
RUNS = ROOT / "runs"

#: Set for the Sphinx process: the preset whose chapters it should find, or "-" for "execute nothing".
PRESET_VARIABLE = "REPLIB_PRESET"
EXECUTE_NOTHING = "-"

#: Name of our part of the metadata of notebooks, cells and outputs.
METADATA_KEY = "replib"
# Kernels that share cores must not each start a thread a core; and the order in which threads add
# up floating-point numbers must not change the bits of a page.
_KERNEL_ENVIRONMENT = {
    "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0",
}


class ChapterFailed(RuntimeError):
    """A cell of a chapter raised; the message names the cell and where the log is."""


@dataclass(frozen=True)
class Chapter:
    """A chapter of the book, identified by its source, such as ``notebooks/11_estimators.md``."""

    source: Path

    @property
    def name(self) -> str:
        """Name without the number: ``"estimators"``."""
        return self.source.stem.split("_", 1)[1]

    @property
    def executed(self) -> Path:
        """Where the executed notebook lies."""
        return CHAPTERS / f"{self.source.stem}.ipynb"

    @cached_property
    def notebook(self) -> nbformat.NotebookNode:
        notebook = jupytext.read(self.source)
        notebook.metadata["kernelspec"] = {
            "name": "python3", "display_name": "Python 3", "language": "python",
        }
        for position, cell in enumerate(notebook.cells):
            cell["id"] = f"{self.name.replace('_', '-')[:50]}-{position:03d}"
        return notebook

    @property
    def title(self) -> str:
        """First heading of the chapter."""
        lines = (line for cell in self.notebook.cells for line in cell.source.splitlines())
        return next(line.removeprefix("# ") for line in lines if line.startswith("# "))

    @cached_property
    def parameters(self) -> dict[str, parameters.Parameter]:
        """The declared parameters by name."""
        return parameters.declared(self.notebook)

    @property
    def reads_ledger(self) -> bool:
        """Whether the chapter shows what the other chapters found, and so comes after them."""
        return self.notebook.metadata.get(METADATA_KEY, {}).get("reads_ledger", False)

    @property
    def minutes_to_read(self) -> int:
        return self.notebook.metadata.get(METADATA_KEY, {})["minutes_to_read"]

    def key(self, values: Mapping[str, object]) -> str:
        """Hash of all that decides what an execution with these parameter values shows."""
        digest = hashlib.sha256(json.dumps(values, sort_keys=True).encode())
        files = [self.source, ROOT / "requirements.txt", ROOT / "notebooks" / "costs.yml"]
        for folder, kind in (("replib", "*.py"), ("replib", "*.csv"), ("book/results", "*.npz")):
            files += sorted((ROOT / folder).rglob(kind))
        if self.reads_ledger:
            files += [c.executed for c in chapters() if not c.reads_ledger]
        for file in files:
            digest.update(file.read_bytes() if file.exists() else b"absent")
        return digest.hexdigest()[:16]

    def is_stale(self, values: Mapping[str, object]) -> bool:
        """Whether there is no executed notebook, or one of other sources or values."""
        if not self.executed.exists():
            return True
        found = nbformat.read(self.executed, as_version=4).metadata.get(METADATA_KEY, {})
        return found.get("key") != self.key(values)


def chapters() -> list[Chapter]:
    """All chapters in the order of the book."""
    return [Chapter(source) for source in sorted(SOURCES.glob("[0-9]*_*.md"))]


def find(name: str) -> Chapter:
    """The chapter of that name, with or without its number.

    Raises
    ------
    ParameterError
        If there is none.
    """
    for chapter in chapters():
        if name in (chapter.name, chapter.source.stem, chapter.source.name):
            return chapter
    known = ", ".join(chapter.name for chapter in chapters())
    raise parameters.ParameterError(f"there is no chapter {name!r}; there are {known}")


def preset(name: str | None) -> dict[str, dict]:
    """Parameter values by chapter of a preset; None is the papers' own values, an empty preset.

    Raises
    ------
    ParameterError
        If there is no such preset, or it names a chapter, a parameter or a value that is not allowed.
    """
    if name is None:
        return {}
    file = SOURCES / "presets" / f"{name}.yml"
    if not file.exists():
        known = ", ".join(sorted(path.stem for path in file.parent.glob("*.yml")))
        raise parameters.ParameterError(f"there is no preset {name!r}; there are {known}")
    values = yaml.safe_load(file.read_text()) or {}
    return {
        find(chapter).name: parameters.check(given, find(chapter).parameters, f"chapter {chapter}")
        for chapter, given in values.items()
    }


def costs() -> dict[str, dict[str, float]]:
    """Seconds that each chapter took, by preset, when they were last recorded."""
    return yaml.safe_load((SOURCES / "costs.yml").read_text()) or {}


def record_costs(seconds: Mapping[str, float], preset_name: str | None) -> None:
    """Write the measured seconds of chapters into ``notebooks/costs.yml``."""
    recorded = costs()
    for name, spent in seconds.items():
        recorded.setdefault(name, {})[preset_name or "paper"] = max(1, round(spent))
    (SOURCES / "costs.yml").write_text(
        "# Seconds a chapter took, with one job on 2 shared cores: python -m replib build --record-costs\n"
        + yaml.safe_dump(recorded)
    )


def execute(
    chapter: Chapter, values: Mapping[str, object], destination: Path, *, bar: dict | bool = False
) -> float:
    """Execute a chapter and put the notebook in its place when, and only when, all cells passed.

    Parameters
    ----------
    chapter : Chapter
    values : mapping
        Checked parameter values; what is missing keeps its default.
    destination : Path
        Where the executed notebook goes.
    bar : dict or bool
        Options of the progress bar over cells, or whether there is one.

    Returns
    -------
    float
        Seconds spent.

    Raises
    ------
    ChapterFailed
        If a cell raised.  The partly executed notebook and the traceback are kept under
        ``_build/logs``; what was at `destination` stays.
    """
    import papermill

    started = time.monotonic()
    key = chapter.key(values)
    work = BUILD / "chapters"
    logs = BUILD / "logs"
    for folder in (work, logs, destination.parent):
        folder.mkdir(parents=True, exist_ok=True)
    source = work / f"{chapter.source.stem}.source.ipynb"
    part = work / f"{chapter.source.stem}.{key}.part.ipynb"
    jupytext.write(chapter.notebook, source)
    os.environ.update(_KERNEL_ENVIRONMENT)
    try:
        papermill.execute_notebook(
            source, part, parameters=dict(values), kernel_name="python3", cwd=ROOT, progress_bar=bar,
            extra_arguments=["--IPKernelApp.log_level=50"],  # its remarks would break the bars
        )
    except papermill.PapermillExecutionError as error:
        log = logs / f"{chapter.source.stem}.log"
        log.write_text("\n".join(error.traceback))
        os.replace(part, log.with_suffix(".ipynb"))
        first_line = next((line for line in error.source.splitlines() if line.strip()), "")
        raise ChapterFailed(
            f"chapter {chapter.name} failed in cell {error.cell_index} ({first_line.strip()!r}): "
            f"{error.ename}: {error.evalue}; the log is {log.relative_to(ROOT)}"
        ) from None
    notebook = nbformat.read(part, as_version=4)
    for position, cell in enumerate(notebook.cells):
        cell["id"] = f"{chapter.name.replace('_', '-')[:50]}-{position:03d}"
        cell.metadata.pop("papermill", None)
        cell.metadata.pop("execution", None)
    notebook.metadata.pop("papermill", None)
    notebook.metadata[METADATA_KEY] = {"key": key, "parameters": dict(values)}
    nbformat.write(notebook, part)
    os.replace(part, destination)
    return time.monotonic() - started


def execute_stale(
    names: Sequence[str] = (), preset_name: str | None = None, jobs: int = 1
) -> dict[str, float]:
    """Execute every chapter that is stale; those that read the ledger last.

    Parameters
    ----------
    names : sequence of str
        Chapters to look at; all when empty.
    preset_name : str, optional
        Preset to execute with; None for the papers' own values.
    jobs : int
        How many chapters run at once.

    Returns
    -------
    dict
        Seconds by name of the chapters that were executed.

    Raises
    ------
    ChapterFailed
        After all the others were executed, naming each chapter that failed.
    """
    values = preset(preset_name)
    wanted = [find(name) for name in names] or chapters()
    seconds: dict[str, float] = {}
    failures: list[str] = []
    for last in (False, True):
        stale = [
            c for c in wanted if c.reads_ledger == last and c.is_stale(values.get(c.name, {}))
        ]
        if failures or not stale:
            continue
        width = max(len(c.name) for c in stale)
        terminal = sys.stderr.isatty()
        tasks = [
            delayed(_try_to_execute)(
                c, values.get(c.name, {}),
                dict(desc=f"  {c.name:<{width}}", position=row, leave=True) if terminal else False,
            )
            for row, c in enumerate(stale, start=1)
        ]
        outcomes = Parallel(n_jobs=jobs, return_as="generator_unordered")(tasks)
        with tqdm(total=len(stale), desc="chapters", unit="chapter", disable=not terminal) as bar:
            for name, spent, failure in outcomes:
                bar.update()
                if failure:
                    failures.append(failure)
                else:
                    seconds[name] = spent
                if not terminal:
                    print(f"{name}: {failure or f'{spent:.1f} s'}", file=sys.stderr, flush=True)
        if terminal:
            print("\n" * len(stale), file=sys.stderr)
    if failures:
        raise ChapterFailed("\n".join(failures))
    return seconds


def _try_to_execute(chapter: Chapter, values: dict, bar) -> tuple[str, float, str | None]:
    """`execute` for another process: a failure comes back as its message."""
    try:
        return chapter.name, execute(chapter, values, chapter.executed, bar=bar), None
    except ChapterFailed as failure:
        return chapter.name, 0.0, str(failure)


def render(preset_name: str | None = None) -> Path:
    """Make the site from the executed chapters, warnings as errors.

    Returns
    -------
    Path
        The page to open.

    Raises
    ------
    ChapterFailed
        If Sphinx warned or failed; the site that was there stays.
    """
    _jupyter_book(ROOT, BUILD / "logs" / "html.log", preset_name or "", ["-W", "-n", "--keep-going"])
    return BUILD / "html" / "index.html"


def _jupyter_book(project: Path, log: Path, preset_name: str, options: Sequence[str] = ()) -> None:
    log.parent.mkdir(parents=True, exist_ok=True)
    command = [Path(sys.executable).with_name("jupyter-book"), "build", project]
    with log.open("w") as stream:
        finished = subprocess.run(
            [*command, *options], stdout=stream, stderr=subprocess.STDOUT,
            env={**os.environ, PRESET_VARIABLE: preset_name, "PYTHONPATH": str(ROOT)},
        )
    if finished.returncode:
        warnings = [line for line in log.read_text().splitlines() if "WARNING" in line or "ERROR" in line]
        raise ChapterFailed(
            "the pages could not be made without a warning:\n"
            + "\n".join(warnings[:20]) + f"\nthe log is {log}"
        )


def run(chapter: Chapter, values: Mapping[str, object]) -> tuple[Path, pd.DataFrame]:
    """Execute a reader's own copy of a chapter and make its page, beside the book's.

    Parameters
    ----------
    chapter : Chapter
    values : mapping
        Checked parameter values.

    Returns
    -------
    page : Path
        The page of the copy, under ``runs/``; the notebook and the difference lie beside it.
    difference : DataFrame
        For each ledger value of the chapter: `printed`, `default` and `yours`.
    """
    folder = RUNS / chapter.name / chapter.key(values)[:8]
    copy = folder / chapter.executed.name
    execute(chapter, values, copy, bar=sys.stderr.isatty())
    execute_stale()
    difference = _difference(chapter.executed, copy)
    difference.to_csv(folder / "difference.csv", index=False)
    _mark_as_copy(copy, values, difference)
    with tempfile.TemporaryDirectory(prefix="replib-") as scratch:
        project = Path(scratch)
        for name in ("_config.yml", "_toc.yml"):
            shutil.copy(ROOT / name, project)
        shutil.copytree(ROOT / "book", project / "book")
        shutil.copy(copy, project / "book" / "chapters")
        _jupyter_book(project, BUILD / "logs" / "run.log", EXECUTE_NOTHING)
        shutil.rmtree(folder / "html", ignore_errors=True)
        shutil.move(project / "_build" / "html", folder / "html")
    return folder / "html" / "book" / "chapters" / f"{chapter.source.stem}.html", difference


def _difference(default: Path, copy: Path) -> pd.DataFrame:
    ours, yours = (ledger_rows([path]).set_index("id") for path in (default, copy))
    both = ours[["quantity", "printed"]].assign(default=ours["rebuilt"], yours=yours["rebuilt"])
    return both.reset_index()


def _mark_as_copy(path: Path, values: Mapping[str, object], difference: pd.DataFrame) -> None:
    """Say on top of the copy which parameters it was run with and what they changed."""
    changed = difference[difference["default"] != difference["yours"]]
    number = lambda x: "–" if pd.isna(x) else f"{x:.6g}"
    lines = "".join(
        f"<tr><td>{html.escape(row.quantity)}</td><td>{html.escape(row.printed)}</td>"
        f"<td>{number(row.default)}</td><td>{number(row.yours)}</td></tr>"
        for row in changed.itertuples()
    )
    setting = ", ".join(f"{name} = {value!r}" for name, value in values.items()) or "the defaults"
    table = (
        '<table class="dataframe"><thead><tr><th>quantity</th><th>paper</th><th>default</th>'
        f"<th>yours</th></tr></thead><tbody>{lines}</tbody></table>" if lines else ""
    )
    text = (
        f'<div class="replib-copy"><p><strong>Your copy</strong>, run with {html.escape(setting)}. '
        f"{len(changed)} of {len(difference)} ledger values differ from the default run.</p>{table}</div>"
    )
    notebook = nbformat.read(path, as_version=4)
    output = nbformat.v4.new_output("display_data", {"text/html": text})
    # a cell without source would be dropped together with its output
    mark = nbformat.v4.new_code_cell("# what these parameters changed", outputs=[output], metadata={"tags": ["remove-input"]})
    notebook.cells.insert(1, mark)
    nbformat.write(notebook, path)


def ledger_rows(notebooks: Iterable[Path]) -> pd.DataFrame:
    """The ledger rows that executed notebooks carry, the worst of each fact."""
    rows = [
        row
        for path in notebooks
        for cell in nbformat.read(path, as_version=4).cells
        for output in cell.get("outputs", ())
        for row in output.get("metadata", {}).get(METADATA_KEY, {}).get("ledger", ())
    ]
    return ledger.worst(pd.DataFrame(rows, columns=ledger.COLUMNS))


def current_ledger() -> pd.DataFrame:
    """The verdict on every published fact, from the executed chapters."""
    executed = [c.executed for c in chapters() if c.executed.exists() and not c.reads_ledger]
    return ledger.assess(ledger_rows(executed))


def last_build_seconds() -> dict[str, float]:
    """Seconds that the chapters took when they were last executed here."""
    file = BUILD / "seconds.json"
    return json.loads(file.read_text()) if file.exists() else {}


def remember_seconds(seconds: Mapping[str, float]) -> None:
    """Keep what the chapters took, for the summary of the next build."""
    BUILD.mkdir(exist_ok=True)
    (BUILD / "seconds.json").write_text(json.dumps(last_build_seconds() | dict(seconds)))

"""Chapters of the book: their declarations and their files.

The source of a chapter is a MyST notebook in ``notebooks/``.  Executing it
(`companion.engine.build.execution`) leaves a notebook in ``book/chapters/``, from which
Sphinx makes the page (`companion.engine.build.pages`);
`companion.engine.build.staleness` decides when this must be done again.
"""

import hashlib
import importlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import jupytext
import nbformat
import yaml

from companion.engine.build import parameters

ROOT = Path(__file__).resolve().parents[4]
#: Folders of this checkout that hold the packages.
PACKAGES = (ROOT, ROOT / "book")
SOURCES = ROOT / "notebooks"
CHAPTERS = ROOT / "book" / "chapters"
BUILD = ROOT / "_build"
RUNS = ROOT / "runs"

_HEAD = re.compile(r"---\n(.*?\n)---\n", re.DOTALL)
#: The options of a code cell, and its code.
_CELL = re.compile(
    r"^```\{code-cell\}.*\n(---\n(?s:.*?)\n---\n|(?::.*\n)*)((?s:.*?))^```",
    re.MULTILINE,
)

#: Key of our part of the metadata of notebooks, cells and outputs.
METADATA_KEY = "replib"
#: Environment variable that is set where the book executes a chapter.
VARIABLE = "REPLIB_CHAPTER"
#: Tag and id of the cell into which papermill puts the parameter values.
INJECTED = "injected-parameters"
#: Id of the cell that says in a reader's copy what the parameters changed.
MARK = "your-copy"
#: Ids of the cells that no source has.
ADDED = (INJECTED, MARK)


@dataclass(frozen=True)
class Chapter:
    """A chapter of the book, identified by its source, such as ``notebooks/09_estimators.md``."""

    source: Path

    @property
    def name(self) -> str:
        """Name without the number: ``"estimators"``."""
        return self.source.stem.split("_", 1)[1]

    @property
    def number(self) -> int:
        """Number in the book, which is that of the source: 12."""
        return int(self.source.stem.split("_", 1)[0])

    @property
    def executed(self) -> Path:
        """File of the executed notebook."""
        return CHAPTERS / f"{self.source.stem}.ipynb"

    @cached_property
    def notebook(self) -> nbformat.NotebookNode:
        """The source as a notebook."""
        return read_source(self.source, self.name)

    @property
    def code(self) -> list[str]:
        """Sources of the code cells; finding them is quicker than making a notebook."""
        return [code for _, code in self._cells]

    @property
    def what_runs(self) -> str:
        """All of the source that an execution depends on, which leaves out the prose.

        These are the code cells and their tags, and the declarations of the head, which the
        chapter's card shows.
        """
        cells = [
            (re.findall(r"\btags: .*", options), code) for options, code in self._cells
        ]
        return json.dumps([self._declared, cells], sort_keys=True)

    @property
    def title(self) -> str:
        """First heading of the chapter."""
        lines = (
            line for cell in self.notebook.cells for line in cell.source.splitlines()
        )
        return next(line.removeprefix("# ") for line in lines if line.startswith("# "))

    @cached_property
    def parameters(self) -> dict[str, parameters.Parameter]:
        """The declared parameters by name."""
        return parameters.declared(self.notebook)

    def check(self, given: Mapping[str, object]) -> dict:
        """Check values against the declarations, and together by the chapter's own function.

        Raises
        ------
        ParameterError
            For the first value that is not allowed, alone or together with the others.
        """
        owner = f"chapter {self.name}"
        checked = parameters.check(given, self.parameters, owner)
        if where := self._declared.get("checked_by"):
            module, function = where.split(":")
            values = {name: p.default for name, p in self.parameters.items()} | checked
            try:
                getattr(importlib.import_module(module), function)(**values)
            except ValueError as problem:
                raise parameters.ParameterError(f"{owner}: {problem}") from None
        return checked

    @property
    def reads_ledger(self) -> bool:
        """Whether the chapter shows results of other chapters, and therefore runs after them."""
        return self._declared.get("reads_ledger", False)

    @property
    def is_appendix(self) -> bool:
        """Whether the chapter is for looking up, and has neither exercises nor a quiz."""
        return self._declared.get("appendix", False)

    @property
    def minutes_to_read(self) -> int:
        return self._declared["minutes_to_read"]

    @property
    def _cells(self) -> list[tuple[str, str]]:
        """Options and code of each code cell."""
        cells = _CELL.findall(self.source.read_text(encoding="utf-8"))
        return [(options, code.strip("\n")) for options, code in cells]

    @cached_property
    def _declared(self) -> dict:
        """What the head of the source says; reading it is quicker than making a notebook."""
        head = _HEAD.match(self.source.read_text(encoding="utf-8"))
        return yaml.safe_load(head[1]).get(METADATA_KEY, {}) if head else {}


def read_source(source: Path, name: str) -> nbformat.NotebookNode:
    """Return a source as a notebook; its cell ids depend only on a name and the positions."""
    notebook = jupytext.read(source)
    notebook.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    for position, cell in enumerate(notebook.cells):
        cell["id"] = f"{name.replace('_', '-')[:50]}-{position:03d}"
    return notebook


def chapters() -> list[Chapter]:
    """Return all chapters in the order of the book."""
    sources = (
        (source, source.stat()) for source in sorted(SOURCES.glob("[0-9]*_*.md"))
    )
    return [
        _of_version(source, stat.st_mtime_ns, stat.st_size) for source, stat in sources
    ]


@cache
def _of_version(source: Path, modified: int, size: int) -> Chapter:
    """Return the same object as long as the source is unchanged, because reading it is slow."""
    return Chapter(source)


def find(name: str) -> Chapter:
    """Return the chapter of that name, with or without its number.

    Raises
    ------
    ParameterError
        If there is no such chapter.
    """
    known = {chapter.name: chapter for chapter in chapters()}
    for chapter in known.values():
        if name in (chapter.source.stem, chapter.source.name):
            return chapter
    return parameters.choose("chapter", name, known)


def preset(name: str | None) -> dict[str, dict]:
    """Return the parameter values of a preset by chapter; None, the papers' values, is empty.

    Each value is checked by itself; :meth:`Chapter.check` also checks them together.

    Raises
    ------
    ParameterError
        If there is no such preset, it cannot be read, or it names a chapter, a
        parameter or a value that is not allowed.
    """
    if name is None:
        return {}
    checked = {}
    for chapter, given in _by_chapter(name):
        if not isinstance(given, dict):
            raise parameters.ParameterError(
                f"preset {name} gives no values by name for chapter {chapter.name}"
            )
        declared = chapter.parameters
        checked[chapter.name] = parameters.check(
            parameters.read(given, declared), declared, f"chapter {chapter.name}"
        )
    return checked


def in_preset(name: str) -> set[str]:
    """Return the names of the chapters of a preset; its values are not read, which is quicker."""
    return {chapter.name for chapter, _ in _by_chapter(name)}


def _by_chapter(name: str) -> list[tuple[Chapter, object]]:
    """Return what a preset says of each chapter."""
    files = {file.stem: file for file in sorted((SOURCES / "presets").glob("*.yml"))}
    file = parameters.choose("preset", name, files)
    given = parameters.read_mapping(file, f"preset {name}")
    return [(find(str(title)), values) for title, values in given.items()]


def executed_metadata(path: Path) -> dict:
    """Return our metadata of an executed notebook; empty if there is none, or if it was changed."""
    try:
        return dict(
            _metadata_of_version(path, path.stat().st_mtime_ns, path.stat().st_size)
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


@cache
def _metadata_of_version(path: Path, modified: int, size: int) -> dict:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    found = notebook["metadata"][METADATA_KEY]
    return found if found.pop("seal") == _hash(notebook) else {}


def write_sealed(notebook: nbformat.NotebookNode, path: Path) -> None:
    """Write an executed notebook with a hash of its content, which reveals damage."""
    nbformat.write(notebook, path)
    written = json.loads(path.read_text(encoding="utf-8"))
    ours = written["metadata"].setdefault(METADATA_KEY, {})
    ours.pop("seal", None)  # present if the notebook was read and changed
    ours["seal"] = _hash(written)
    text = json.dumps(written, ensure_ascii=False, indent=1, sort_keys=True)
    path.write_text(text + "\n", encoding="utf-8")


def _hash(notebook: dict) -> str:
    return hashlib.sha256(json.dumps(notebook, sort_keys=True).encode()).hexdigest()[
        :16
    ]

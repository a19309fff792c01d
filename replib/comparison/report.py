"""The interface of every comparison: words, a page, a picture, plain data for programs.

A page is one HTML file and needs no network.  Pictures need Matplotlib, which the library does not
require; without it a page says so instead of showing the picture.
"""

import html
import inspect
import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import import_module, resources
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from replib.comparison import output, pictures
from replib.validation import as_list, check_choice

__all__ = ["Contents", "Result", "bibtex"]

if TYPE_CHECKING:  # pandas would take longer to load than a comparison takes
    import pandas as pd


@dataclass(frozen=True)
class Contents:
    """What a page shows besides the sentence and the notes of its comparison.

    Attributes
    ----------
    title : str
    tables : dict of DataFrame
        By heading.
    methods : str
        How the comparison was made.
    cited : tuple of str
        Keys of :func:`bibtex`.
    alt : str
        Description of the picture.
    shown : tuple of str
        Headings of the tables that a notebook shows; all by default.
    """

    title: str
    tables: "dict[str, pd.DataFrame]"
    methods: str
    cited: tuple[str, ...]
    alt: str
    shown: tuple[str, ...] = field(default=())


class Result(ABC):
    """A comparison of any kind: the base class.

    Each kind is a dataclass with the fields `alpha`, `notes` and `record`, and has the methods
    `sentence()`, `to_frame()`, `contents()` and `draw()`, which makes a Matplotlib figure.
    """

    alpha: float
    notes: tuple[str, ...]
    record: Mapping[str, str]

    @abstractmethod
    def sentence(self) -> str:
        """Return the result in words that can go into a paper."""

    @abstractmethod
    def to_frame(self) -> "pd.DataFrame":
        """Return all numbers as a table."""

    @abstractmethod
    def contents(self) -> Contents:
        """Return what the page of this comparison shows."""

    @abstractmethod
    def draw(self) -> Any:
        """Draw the picture as a Matplotlib figure in the current style."""

    def __str__(self) -> str:
        return "\n".join([self.sentence(), *(f"Note: {note}" for note in self.notes)])

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain text, numbers, lists and dicts, ready for `json.dumps`.

        Values that are unknown, undefined or infinite are None.
        """
        return {name: _plain(value) for name, value in {
            "result": type(self).__name__,
            "sentence": self.sentence(),
            "notes": self.notes,
            "alpha": self.alpha,
            "table": self.to_frame().to_dict("records"),
            "record": {**self.record, "versions": versions()},
        }.items()}

    def plot(self) -> Any:
        """Draw the comparison as a Matplotlib figure.

        Raises
        ------
        ModuleNotFoundError
            If Matplotlib is not installed; the message says how to install it.
        """
        return pictures.styled(self.draw)

    def report(self, path: str | Path) -> Path:
        """Write everything to one HTML file, which needs no network."""
        return output.write(path, self.page())

    def page(self) -> str:
        """Return the page that :meth:`report` writes, as text."""
        import replib

        it = self.contents()
        record = {**self.record, "versions": versions()}
        return Template(_resource("report.html")).substitute(
            title=html.escape(it.title), sentence=_kept_together(self.sentence()),
            notes="".join(f'<p class="note">{_kept_together(note)}</p>' for note in self.notes),
            picture=self._figure(it.alt),
            tables="".join(f"<h2>{html.escape(head)}</h2>{_table(frame)}"
                           for head, frame in it.tables.items()),
            methods=_kept_together(it.methods),
            record="".join(f"<dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd>"
                           for name, value in record.items()),
            bibtex=html.escape(bibtex(it.cited)), version=replib.__version__,
            date=datetime.now(UTC).date().isoformat(),
        )

    def _figure(self, alt: str) -> str:
        try:
            svg = pictures.as_svg(self.plot(), alt)
        except ModuleNotFoundError as missing:
            return f"<p><em>{html.escape(str(missing))}</em></p>"
        return f"<figure>{svg}<figcaption>{_kept_together(alt)}</figcaption></figure>"

    def _repr_html_(self) -> str:
        it = self.contents()
        notes = "".join(
            f"<p><strong>Note:</strong> {_kept_together(note)}</p>" for note in self.notes
        )
        tables = "".join(_table(it.tables[head]) for head in it.shown or it.tables)
        return f"<p>{_kept_together(self.sentence())}</p>{notes}{tables}"


def bibtex(keys: tuple[str, ...]) -> str:
    """Return the BibTeX entries of the literature that a report cites.

    Parameters
    ----------
    keys : sequence of str

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If one of the keys has no entry.

    Examples
    --------
    >>> bibtex(["holm1979"])[:25]
    '@article{holm1979,\\n  auth'
    """
    entries = {entry.split("{", 1)[1].split(",", 1)[0]: entry.strip()
               for entry in re.split(r"\n(?=@)", _resource("report.bib"))}
    for key in as_list("keys", keys):
        check_choice("each of keys", key, entries)
    return "\n\n".join(entries[key] for key in keys)


def call(function: Callable[..., Any], given: Mapping[str, Any], data: tuple[str, ...]) -> str:
    """Return a call as text: data by name, other arguments by value unless they are the default.

    Examples
    --------
    >>> call(round, {"number": 2.345, "ndigits": 2}, data=("number",))
    'round(number, ndigits=2)'
    """
    parameters = inspect.signature(function).parameters
    by_value = [
        f"{name}={value!r}" for name, value in given.items()
        if name not in data and value is not parameters[name].default
        and not (isinstance(value, (bool, int, float, str)) and value == parameters[name].default)
    ]
    by_name = [name for name in data if given.get(name) is not None]
    return f"{function.__name__}({', '.join(by_name + by_value)})"


def versions() -> str:
    """Return the versions of the library and of the packages that compute its numbers."""
    packages = ("replib", "numpy", "scipy", "sklearn")
    return ", ".join(f"{name} {import_module(name).__version__}" for name in packages)


def two_columns(rows: dict[str, Any]) -> "pd.DataFrame":
    """Return a table of names and values, without a header."""
    import pandas as pd

    return pd.DataFrame({"": rows})


def _resource(name: str) -> str:
    return resources.files("replib.comparison").joinpath(name).read_text("utf-8")


#: Where a line must not break: "p = 0.003", "t(9) = 1.2", "p < 0.001".
_RELATION = re.compile(r" ([=<]) (?=\S)")


def _kept_together(text: str) -> str:
    return html.escape(_RELATION.sub("\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", text))


def _table(frame: "pd.DataFrame") -> str:
    import pandas as pd

    frame = frame.rename_axis(None).map(
        lambda cell: _RELATION.sub("\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", str(cell))
    )
    with pd.option_context("display.max_colwidth", None):
        text = frame.to_html(border=0, justify="left", header=list(frame.columns) != [""])
    return f'<div class="wide">{text}</div>'


def _plain(value: Any) -> Any:
    """Replace everything in a value that JSON does not have."""
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if hasattr(value, "tolist"):  # NumPy's numbers and arrays
        return _plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if value is None or isinstance(value, (bool, int, float)) else str(value)

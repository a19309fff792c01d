"""How a result is shown: its words, its page and its picture."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from replib._presentation import pictures, report, words
from replib._presentation.markup import as_latex, as_markdown
from replib.results import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class ResultPresentation:
    """What :class:`replib.results.Result` shows itself with."""

    def sentences(self, result: Result) -> list[str]:
        return words.sentences(result)

    def text(self, result: Result) -> str:
        return words.text(result)

    def latex(self, result: Result, table: str | None) -> str:
        return as_latex(report.table(result, table))

    def markdown(self, result: Result, table: str | None) -> str:
        return as_markdown(report.table(result, table))

    def excerpt(self, result: Result) -> str:
        return report.excerpt(result)

    def write_page(self, result: Result, path: str | Path) -> Path:
        return report.write_page(result, path)

    def figure(self, result: Result, kind: str | None) -> "Figure":
        return pictures.figure(result, kind)

    def as_dict(self, result: Result) -> dict[str, Any]:
        return report.as_dict(result)

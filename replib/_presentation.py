"""How a result is shown: its words, its page and its picture."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from replib import _pictures, _report, _words
from replib.results import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class ResultPresentation:
    """What :class:`replib.results.Result` shows itself with."""

    def sentences(self, result: Result) -> list[str]:
        return _words.sentences(result)

    def text(self, result: Result) -> str:
        return _words.text(result)

    def table(self, result: Result, name: str | None) -> pd.DataFrame:
        return _report.table(result, name)

    def excerpt(self, result: Result) -> str:
        return _report.excerpt(result)

    def write_page(self, result: Result, path: str | Path) -> Path:
        return _report.write(result, path)

    def figure(self, result: Result, kind: str | None) -> "Figure":
        return _pictures.figure(result, kind)

    def as_dict(self, result: Result) -> dict[str, Any]:
        return _report.as_dict(result)

"""A reader for papermill: ``papermill notebooks/09_estimators.md mine.ipynb -p n 20``.

Papermill chooses a reader by the beginning of the path, and finds this one through the
entry point ``notebooks/`` of the group ``papermill.io``.
"""

import warnings

import jupytext
import nbformat
from papermill.iorw import LocalHandler

from companion.engine.build import editions


class ChapterReader(LocalHandler):
    """Reads a chapter as a notebook, and everything else as papermill does."""

    def read(self, path: str) -> str:
        """Return the text of a notebook."""
        text = super().read(path)
        if path.endswith(".md"):
            notebook = jupytext.reads(text, fmt="md:myst")
            notebook.metadata.setdefault("kernelspec", {}).setdefault(
                "language", "python"
            )
            return nbformat.writes(editions.with_names(notebook))
        return text


READER = ChapterReader()

warnings.filterwarnings(
    "ignore", message=r"The specified file \(notebooks/.*\.md\) does not end"
)

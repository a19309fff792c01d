"""Running the cells of a chapter in this process, which is forked from one that has the imports.

`execution` names this module to the process that it forks from, so that what nearly all
chapters import is imported once; a chapter then starts in a tenth of a second, as clean
as from nothing.
"""

from companion.engine.build import staleness

staleness.record_reads()  # before anything that reads a file is imported

import gc  # noqa: E402
import os  # noqa: E402
import re  # noqa: E402
import sys  # noqa: E402
import threading  # noqa: E402
import traceback  # noqa: E402
import warnings  # noqa: E402
from io import TextIOBase  # noqa: E402
from pathlib import Path  # noqa: E402

import papermill  # noqa: E402
import sympy.physics.units  # noqa: E402, F401 (sympy.simplify imports it when called)
from IPython.core.displayhook import DisplayHook  # noqa: E402
from IPython.core.displaypub import DisplayPublisher  # noqa: E402
from IPython.core.history import HistoryManager  # noqa: E402
from IPython.core.interactiveshell import InteractiveShell  # noqa: E402
from nbformat import NotebookNode  # noqa: E402
from nbformat.v4 import new_output  # noqa: E402
from papermill.engines import Engine, papermill_engines  # noqa: E402
from papermill.exceptions import PapermillExecutionError  # noqa: E402
from tqdm import tqdm  # noqa: E402

import companion.engine.show.pictures.explorers  # noqa: E402
import companion.stored  # noqa: E402, F401
from companion.engine.build import kept_trainings  # noqa: E402
from companion.engine.build.progress import Report, Step  # noqa: E402
from companion.engine.show.tables import show_in_words  # noqa: E402
from companion.lab.workers import end_with  # noqa: E402

# Garbage collection among all that a chapter imports takes up to a tenth of its time.
gc.set_threshold(100_000)
gc.freeze()

# joblib says so of a call that it caches on a busy machine; a reader can do nothing.
warnings.filterwarnings("ignore", "Persisting input arguments took", UserWarning)

#: Of the cell that runs.
_outputs: list[NotebookNode] = []


class _Stream(TextIOBase):
    """Text printed by a cell."""

    def __init__(self, name: str):
        self.name = name

    def write(self, text: str) -> int:
        if _outputs and _outputs[-1].get("name") == self.name:
            _outputs[-1]["text"] += text
        elif text:
            _outputs.append(new_output("stream", name=self.name, text=text))
        return len(text)


class _BarsAndErrors(_Stream):
    """Text written to the error stream, whose bars are no output: they hold times.

    A bar is written over itself, each time after a carriage return; when it is full, a
    line feed follows.  From a bar within another one the cursor moves up again.
    """

    _CURSOR_UP = "\x1b[A"

    def __init__(self, report: Report):
        super().__init__("stderr")
        self.report = report
        self.step = Step(0, 0)
        self.has_bar = False

    def isatty(self) -> bool:
        return True  # on anything else there would be no bar

    def write(self, text: str) -> int:
        if text.startswith("\r"):
            self.has_bar = True
            if percent := re.search(r"(\d+)%\|", text):
                self.report(self.step._replace(percent=int(percent[1])))
            return len(text)
        if text and not text.replace(self._CURSOR_UP, ""):
            return len(text)
        if text == "\n" and self.has_bar:
            self.has_bar = False
            return len(text)
        return super().write(text)

    def begin(self, step: Step) -> None:
        """Begin a cell."""
        self.step = step
        self.report(step)


class _Publisher(DisplayPublisher):
    """What a cell displays."""

    def publish(self, data: dict, metadata: dict | None = None, **_: object) -> None:
        _outputs.append(new_output("display_data", data, metadata=metadata or {}))


class _Hook(DisplayHook):
    """The value of a cell's last expression."""

    def write_output_prompt(self) -> None:
        pass

    def write_format_data(self, format_dict: dict, md_dict: dict | None = None) -> None:
        _outputs.append(
            new_output(
                "execute_result",
                format_dict,
                metadata=md_dict or {},
                execution_count=self.prompt_count,
            )
        )


class _ThisProcess(Engine):
    """Runs the cells of a notebook here, one after the other, up to the first error."""

    @classmethod
    def execute_managed_notebook(
        cls, nb_man, kernel_name: str, *, report: Report, **_: object
    ) -> None:
        InteractiveShell.display_pub_class = _Publisher
        InteractiveShell.displayhook_class = _Hook
        HistoryManager.enabled = False  # nothing is written at home
        shell = InteractiveShell.instance()
        show_in_words()  # at its import there was no shell
        errors = _BarsAndErrors(report)
        sys.stdout, sys.stderr = _Stream("stdout"), errors
        nb_man.nb.metadata["language_info"] = {
            "name": "python",
            "pygments_lexer": "ipython3",
        }
        for index, cell in enumerate(nb_man.nb.cells):
            errors.begin(Step(index + 1, len(nb_man.nb.cells)))
            nb_man.cell_start(cell, index)
            if cell.cell_type == "code":
                _outputs.clear()
                cell.execution_count = shell.execution_count
                result = shell.run_cell(cell.source, store_history=True)
                cell.outputs = list(_outputs)
                if error := result.error_before_exec or result.error_in_exec:
                    cell.outputs.append(
                        new_output(
                            "error",
                            ename=type(error).__name__,
                            evalue=str(error),
                            traceback=traceback.format_exception(error),
                        )
                    )
                    nb_man.cell_exception(cell, index)
                    return
            nb_man.cell_complete(cell, index)


papermill_engines.register("this process", _ThisProcess)


def execute(
    source: Path,
    part: Path,
    values: dict,
    folder: Path,
    trained: Path,
    bar: dict,
    report: Report,
) -> tuple[list[str], dict]:
    """Run a notebook in a folder and write it; return the files read and the error, if any.

    What it trains is kept in the folder `trained`.
    """
    end_with(os.getppid())
    kept_trainings.keep(trained)
    # a bar's own lock is for several processes: a semaphore, which outlives a killed one
    tqdm.set_lock(threading.RLock())
    error: dict = {}
    try:
        papermill.execute_notebook(
            source,
            part,
            values,
            engine_name="this process",
            cwd=folder,
            progress_bar=bar,
            report=report,
            request_save_on_cell_execute=False,
        )
    except PapermillExecutionError as failure:
        error = vars(failure)
    return sorted(staleness.READS), error

"""*My data* with the server: the library compares what a reader pastes or uploads.

It does what ``replib compare`` does with the same files and options.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from tornado.web import HTTPError

from companion.engine.build import pages
from companion.engine.serve.guard import Guarded
from replib._command import compared
from replib._presentation.report import methods, page
from replib._presentation.words import rerun_of_pair
from replib._validation import in_shell
from replib.results import Result

#: Options of ``replib compare`` that the form has; others write files or end a build.
OPTIONS = (
    "design",
    "metric",
    "better",
    "high",
    "column",
    "where",
    "missing",
    "task",
    "about",
    "equivalence",
    "alpha",
)
#: Parts of the name of a file that comes with its folders, as logs do.
_MOST_PARTS = 8
#: Endings of tables; what ends otherwise is a log, which names its model itself.
_TABLES = (".csv", ".tsv", ".txt")
#: Bytes of a name that file systems allow.
_LONGEST_NAME = 255

_SCRIPTS = (
    '<script src="../serve.js" defer></script><script src="../data.js" defer></script>'
)


def result_of(files: Mapping[str, str], options: Mapping[str, Sequence[str]]) -> Result:
    """Compare the models in files of texts.

    Parameters
    ----------
    files : mapping
        Texts by name; a name may have folders.  Of several tables each is one model's,
        which has the name of the file.
    options : mapping
        The values of each option of ``replib compare``.

    Raises
    ------
    ValueError
        If the command refuses them; the sentence speaks of its options.

    Examples
    --------
    >>> table = {"scores.csv": "a,b\\n.9,.8\\n.8,.6\\n.9,.7\\n.7,.6\\n"}
    >>> options = {"design": ["2x2"], "metric": ["accuracy"]}
    >>> result_of(table, options).means["mean"].round(3).to_dict()
    {'a': 0.825, 'b': 0.675}
    """
    with TemporaryDirectory(prefix="replib-") as folder:
        sources = _write(files, Path(folder))
        values = [f"--{name}={value}" for name in options for value in options[name]]
        try:
            return compared([*values, "--", *sources])
        except ValueError as problem:
            sentence = in_shell(problem, str(problem))
            raise ValueError(sentence.replace(f"{folder}/", "")) from None


def _write(files: Mapping[str, str], folder: Path) -> list[str]:
    """Write files into a folder; return them as the command names them."""
    for name, text in files.items():
        file = folder / _checked(name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", errors="replace")
    tops = sorted(folder.iterdir())
    are_tables = all(top.is_file() and top.suffix in _TABLES for top in tops)
    if are_tables and len(tops) > 1:
        return [f"{top.stem}={top}" for top in tops]
    return [str(top) for top in tops]


def _checked(name: str) -> str:
    """Return a name that leads nowhere but into its folder."""
    parts = name.split("/")
    is_plain = all(
        part.isprintable()
        and not part.startswith(".")
        and 0 < len(part.encode()) <= _LONGEST_NAME
        for part in parts
    )
    if not is_plain or len(parts) > _MOST_PARTS:
        raise ValueError(f"a file must have a plain name, not {name[:60]!r}")
    return name


class DataPage(Guarded):
    """The page *My data*, with the form that hands everything to the library."""

    def get(self) -> None:
        built = pages.site() / "book" / "compare.html"
        if not built.is_file():
            raise HTTPError(HTTPStatus.NOT_FOUND, reason="this page has not been built")
        self.set_header("Cache-Control", "no-cache")
        text = built.read_text(encoding="utf-8")
        self.finish(text.replace("</head>", f"{_SCRIPTS}</head>", 1))


class Compared(Guarded):
    """What is asked about files and options, which come in JSON."""

    def initialize(self, answer: Callable[[Result], dict[str, object]]) -> None:
        self.answer = answer

    async def post(self) -> None:
        files, options = self._order()
        try:
            self.finish(await asyncio.to_thread(self._answer, files, options))
        except ValueError as problem:
            self.set_status(HTTPStatus.BAD_REQUEST)
            self.finish({"sentence": str(problem)})

    def _answer(self, files: Mapping, options: Mapping) -> dict[str, object]:
        return self.answer(result_of(files, options))

    def _order(self) -> tuple[dict[str, str], dict[str, list[str]]]:
        try:
            order = json.loads(self.request.body)
            files, options = dict(order["files"]), dict(order["options"])
        except (ValueError, KeyError, TypeError):
            raise HTTPError(HTTPStatus.BAD_REQUEST, reason="damaged order") from None
        texts = [[*files.values()], *options.values()]
        is_known = options.keys() <= set(OPTIONS)
        if not (files and is_known and all(map(_are_texts, texts))):
            raise HTTPError(HTTPStatus.BAD_REQUEST, reason="damaged order")
        return files, options


def _are_texts(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(text, str) for text in values)


def words(result: Result) -> dict[str, object]:
    """Return what the library says, the predicted reruns, and the Methods section."""
    return {
        "html": result._repr_html_(),
        "rerun": reruns(result),
        "methods": methods(result),
    }


def reruns(result: Result) -> dict[str, object] | None:
    """Return what the picture of 200 reruns of a pair shows; None if nobody can tell.

    >>> rows = [f".{900 + i},.{800 + 7 * i % 50}" for i in range(12)]
    >>> options = {"design": ["6x2"], "metric": ["accuracy"]}
    >>> result = result_of({"scores.csv": "\\n".join(["a,b", *rows])}, options)
    >>> reruns(result)["models"]
    ['a', 'b']
    """
    rerun = rerun_of_pair(result)
    if rerun is None or rerun.shares is None:
        return None
    [(a, b)] = result.compared
    return {
        "models": [a, b],
        "shares": np.ravel(rerun.shares).tolist(),
        "limits": [float(np.ravel(limit)[0]) for limit in (rerun.low, rerun.high)],
    }


def report(result: Result) -> dict[str, str]:
    """Return the page with tables and a picture, to be kept."""
    return {"page": page(result)}

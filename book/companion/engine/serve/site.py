"""What the server answers: the built book, the page of a rerun, and orders to run and stop."""

import asyncio
import json
import os
from collections.abc import Mapping
from contextlib import suppress
from http import HTTPStatus
from importlib import resources
from urllib.parse import urlencode

from tornado.iostream import StreamClosedError
from tornado.web import Application, HTTPError, StaticFileHandler

from companion.engine.build import chapters, pages, parameters, reruns
from companion.engine.build.chapters import Chapter
from companion.engine.build.reruns import Rerun
from companion.engine.serve import data
from companion.engine.serve.guard import Guard, Guarded
from companion.engine.serve.runs import Run, Runs
from companion.engine.show import fields

#: Bytes of the largest order.
MOST_BYTES = 100_000

#: What a browser shows beside the name of a page, also of a file that cannot name it.
_MARK = chapters.ROOT / "book" / "_static" / "mark.svg"
_SCRIPT = '<script src="../../serve.js" defer></script></head>'


def application(guard: Guard, runs: Runs) -> Application:
    """Return what answers the requests."""
    site = pages.site()
    return Application(
        [
            (r"/book/chapters/(\d+_\w+)\.html", ChapterPage),
            (r"/runs/(\w+)/([0-9a-f]{8})/\1\.ipynb", CopyToDownload),
            (r"/run/(\w+)", Order),
            (r"/check/(\w+)", Check),
            (r"/runs", Unfinished),
            (r"/runs/(\d+)/events", Events),
            (r"/runs/(\d+)/stop", Stop),
            (r"/book/compare\.html", data.DataPage),
            (r"/data", data.Compared, {"answer": data.words}),
            (r"/data/report", data.Compared, {"answer": data.report}),
            (
                r"/((?:serve|data)\.js)",
                Files,
                {"path": str(resources.files(__package__))},
            ),
            (r"/favicon\.ico()", Files, {"path": str(_MARK)}),
            (r"/(.*)", Files, {"path": str(site), "default_filename": "index.html"}),
        ],
        guard=guard,
        runs=runs,
    )


def name_in_address(parameter: str) -> str:
    """Return how an address calls a parameter: ``?seed=`` is the reader's seed in pictures."""
    return "chapter_seed" if parameter == "seed" else parameter


def address_of(asked: Rerun) -> str:
    """Return the address of the answer to a rerun, below that of the book.

    >>> address_of(reruns.rerun("estimators", {"n": "20", "pair": "nb_nn"}))
    'book/chapters/09_estimators.html?n=20&pair=nb_nn'
    """
    values = {
        name_in_address(name): fields.typed(asked.values[name])
        for name in asked.chapter.parameters
        if name in asked.values
    }
    if asked.base:
        values["small"] = "1"
    search = f"?{urlencode(values)}" if values else ""
    return f"book/chapters/{asked.chapter.source.stem}.html{search}"


def asked_by(search: Mapping[str, str], chapter: Chapter) -> Rerun | None:
    """Return the rerun that an address asks for; None if it asks for none, or a wrong one."""
    values = {
        name: search[name_in_address(name)]
        for name in chapter.parameters
        if name_in_address(name) in search
    }
    small = "small" in search
    if not (values or small):
        return None
    try:
        return reruns.rerun(chapter.name, values, small=small)
    except parameters.ParameterError:
        return None


class Files(Guarded, StaticFileHandler):
    """Files of a folder; the handler refuses names that lead out of it."""


class ChapterPage(Guarded):
    """The page of a chapter: with the values of the address if they were run, else as built."""

    async def get(self, stem: str) -> None:
        chapter = _chapter(stem)
        search = {
            name: self.get_query_argument(name) for name in self.request.arguments
        }
        asked = asked_by(search, chapter)
        text = asked and await asyncio.to_thread(answer_page, asked)
        self.set_header("Cache-Control", "no-cache")
        self.finish((text or _built_page(chapter)).replace("</head>", _SCRIPT, 1))


def answer_page(asked: Rerun) -> str | None:
    """Return the page of a rerun for the address of its chapter; None if it was not run.

    On disk the page lies among the reader's runs, and its links lead from there.
    """
    page = reruns.finished_page(asked)
    if page is None:
        return None
    text = page.read_text(encoding="utf-8")
    for site in (pages.site(), chapters.BUILD / "run" / "html"):
        text = text.replace(f'="{os.path.relpath(site, page.parent)}/', '="../../')
    copy = asked.copy.relative_to(chapters.ROOT).as_posix()
    return text.replace(f'="{asked.copy.name}"', f'="../../{copy}"')


def _built_page(chapter: Chapter) -> str:
    page = pages.site() / "book" / "chapters" / f"{chapter.source.stem}.html"
    if not page.is_file():
        raise HTTPError(HTTPStatus.NOT_FOUND, reason="this page has not been built")
    return page.read_text(encoding="utf-8")


def _chapter(name: str) -> Chapter:
    for chapter in chapters.chapters():
        if name in (chapter.name, chapter.source.stem):
            return chapter
    raise HTTPError(HTTPStatus.NOT_FOUND, reason="there is no such chapter")


class CopyToDownload(Guarded):
    """The notebook of a reader's run."""

    def get(self, name: str, key: str) -> None:
        file = chapters.RUNS / _chapter(name).name / key / f"{name}.ipynb"
        if not file.is_file():
            raise HTTPError(HTTPStatus.NOT_FOUND, reason="there is no such run")
        self.set_header("Content-Type", "application/x-ipynb+json")
        # a browser would show JSON as text
        self.set_header("Content-Disposition", f'attachment; filename="{name}.ipynb"')
        self.finish(file.read_bytes())


class _Ordered(Guarded):
    """A request that brings values for a chapter, in JSON."""

    def rerun(self, name: str) -> Rerun:
        """Return the rerun that is ordered.

        Raises
        ------
        ParameterError
            If a value is not allowed.
        """
        chapter = _chapter(name)
        values, small = self._order()
        changed = {
            name: text
            for name, text in values.items()
            if name not in chapter.parameters
            or chapter.parameters[name].read(text) != chapter.parameters[name].default
        }
        for parameter in changed:
            if (
                parameter in chapter.parameters
                and chapter.parameters[parameter].names_code
            ):
                # an address that somebody sends must not choose what is imported here
                raise parameters.ParameterError(
                    f"{parameter} names code, which runs here by a command only: "
                    f"python -m replib run {chapter.name} -p {parameter} ...",
                    parameter,
                )
        return reruns.rerun(chapter.name, changed, small=small)

    def _order(self) -> tuple[dict[str, str], bool]:
        is_json = self.request.headers.get("Content-Type") == "application/json"
        if not is_json or len(self.request.body) > MOST_BYTES:
            raise HTTPError(HTTPStatus.BAD_REQUEST, reason="an order is a little JSON")
        try:
            order = json.loads(self.request.body)
            values, small = order["values"], order["small"]
        except (ValueError, KeyError, TypeError):
            raise HTTPError(HTTPStatus.BAD_REQUEST, reason="damaged order") from None
        if not (isinstance(values, dict) and _all_text(values)):
            raise HTTPError(HTTPStatus.BAD_REQUEST, reason="values are texts by name")
        return values, small is True


def _all_text(values: dict) -> bool:
    return all(isinstance(text, str) for text in values.values())


class Check(_Ordered):
    """Whether values are allowed, and if not, which and why."""

    async def post(self, name: str) -> None:
        try:
            await asyncio.to_thread(self.rerun, name)
        except parameters.ParameterError as problem:
            self.finish({"wrong": problem.parameter, "sentence": str(problem)})
        else:
            self.finish({})


class Order(_Ordered):
    """Put a run in line, or say where its answer is if it was made before."""

    async def post(self, name: str) -> None:
        try:
            asked = await asyncio.to_thread(self.rerun, name)
        except parameters.ParameterError as problem:
            self.set_status(HTTPStatus.BAD_REQUEST)
            self.finish({"wrong": problem.parameter, "sentence": str(problem)})
            return
        page = await asyncio.to_thread(reruns.finished_page, asked)
        if page:
            self.finish({"address": address_of(asked)})
        else:
            self.finish({"number": self.settings["runs"].add(asked).number})


class Unfinished(Guarded):
    """The runs in line."""

    def get(self) -> None:
        runs = self.settings["runs"].unfinished
        self.finish({"runs": [run.known() for run in runs]})


class _OfRun(Guarded):
    """A request about a run."""

    def run(self, number: str) -> Run:
        run = self.settings["runs"].known.get(int(number))
        if run is None:
            raise HTTPError(HTTPStatus.NOT_FOUND, reason="there is no such run")
        return run


class Events(_OfRun):
    """How a run goes, as server-sent events, until it is over or the page is closed."""

    async def get(self, number: str) -> None:
        run = self.run(number)
        self.set_header("Content-Type", "text/event-stream")
        self.set_header("Cache-Control", "no-store")
        with suppress(StreamClosedError):
            async for state in run.states():
                if state["state"] == "done":
                    state["address"] = address_of(run.asked)
                self.write(f"data: {json.dumps(state)}\n\n")
                await self.flush()


class Stop(_OfRun):
    """End a run, or take it out of the line."""

    async def post(self, number: str) -> None:
        await self.settings["runs"].stop(self.run(number))
        self.finish({})

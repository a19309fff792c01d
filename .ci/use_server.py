"""Use the served book in headless Chromium as a reader does, and ask it what it must refuse.

Each function of `USES` is one use, with what a reader sees as its docstring. A use that
fails leaves a picture of its page beside the site. Usage: ``python use_server.py [USE]...``
in a checkout whose pages have been made, all uses by default; exit 1 names each use that
failed and why.
"""

import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Thread
from urllib.parse import parse_qs, urlencode, urlparse

from open_pages import complaints_of_targets
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from companion.engine.build import chapters, reruns

#: Milliseconds that a page may take on a machine that has other things to do.
PATIENCE = 300_000
#: Seconds within which the processes of a killed server are gone.
SECONDS_TO_END = 60

#: A chapter that takes seconds.
QUICK = "09_estimators"
#: Values with which a chapter takes minutes.
LONG = ("16_profiles", {"datasets": "100000", "small": "1"})
OTHER = ("17_wins_and_losses", {"n": "60"})
#: The runs that the uses make, by chapter and n; those of an earlier time are forgotten.
MADE = (
    ("estimators", 20),
    ("estimators", 40),
    ("estimators", 80),
    ("wins_and_losses", 60),
    ("wins_and_losses", 50),
)

#: Chapters whose reruns should answer in five seconds: a parameter, and values of which
#: the first may find something that the server has not loaded yet.
TIMED = {
    "01_another_seed": ("alpha", "0.04", "0.03", "0.06", "0.045"),
    "02_which_test": ("seed", "2", "3", "4", "5"),
    "03_your_own_experiment": ("alpha", "0.04", "0.03", "0.06", "0.045"),
    "04_dependent_folds": ("alpha", "0.04", "0.03", "0.06", "0.045"),
    "05_stop_early": ("alpha", "0.04", "0.03", "0.06", "0.045"),
    "06_more_data": ("alpha", "0.04", "0.03", "0.06", "0.045"),
    "07_significant_again": ("alpha", "0.04", "0.03", "0.06", "0.045"),
    QUICK: ("n", "30", "50", "70", "90"),
}

#: Seconds that a reader looks at the first page before the first click: the server, which
#: has just been started, loads what it needs meanwhile.
SECONDS_TO_LOOK = 10

#: A phone, whose reader touches it.
PHONE = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}

STATUS = ".replib-progress [role=status]"
ANSWER = ".replib-copy"

# Every sentence on the state of a run, for the test that listens.
LISTENER = """addEventListener("DOMContentLoaded", () => {
  const tell = () => {
    const status = document.querySelector(".replib-progress [role=status]");
    if (status?.textContent) window.hear(status.textContent);
  };
  new MutationObserver(tell).observe(document.body, {childList: true, subtree: true});
});"""

# What the form asks for when *Run* is pressed.
ORDER = """order => fetch("/run/estimators", {
  method: "POST",
  headers: {"Content-Type": "application/json"},
  body: JSON.stringify(order),
}).then(answer => answer.json())"""

# Whether a part of a page begins at the top of the window, below the theme's bar.
AT_TOP = """part => {
  const { top } = document.querySelector(part).getBoundingClientRect();
  return 0 <= top && top < 100;
}"""

# Whether every cell of a table is within the width of the window.
IS_IN_WIDTH = """part => [...part.querySelectorAll("td")]
  .every(cell => cell.getBoundingClientRect().right <= innerWidth)"""

# What a page of another origin can try; its browser sends the cookie along, because a
# site has no ports.
ATTACK = """async (server) => {
  const order = JSON.stringify({values: {n: "60"}, small: false});
  const post = {method: "POST", credentials: "include", mode: "no-cors", body: order};
  await fetch(`${server}/run/estimators`, post).catch(() => {});
  const read = await fetch(`${server}/runs`, {credentials: "include"}).catch(() => null);
  return read === null;
}"""


class Server:
    """The served book in a process of its own, which a use may end and start again."""

    def __init__(self) -> None:
        self.port = 0
        self.start()

    def start(self) -> None:
        """Start it where it was before, the first time where there is room."""
        command = [sys.executable, "-m", "replib", "serve", "--port", str(self.port)]
        self._process = subprocess.Popen(
            command, cwd=chapters.ROOT, stdout=subprocess.PIPE, text=True
        )
        words = self._process.stdout.readline().split()
        if not words:
            raise RuntimeError("the server has not started")
        self.address = words[1]
        self.port = urlparse(self.address).port

    def end(self, number: signal.Signals = signal.SIGINT) -> None:
        """End it by a signal."""
        self._process.send_signal(number)
        self._process.wait(SECONDS_TO_END)

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def token(self) -> str:
        return parse_qs(urlparse(self.address).query)["token"][0]

    def descendants(self) -> set[int]:
        """Return the processes that it started, and those that they started."""
        return _descendants(self._process.pid)

    def page(self, stem: str, values: dict[str, str] | None = None) -> str:
        """Return the address of a chapter with values."""
        search = f"?{urlencode(values)}" if values else ""
        return f"{self.origin}/book/chapters/{stem}.html{search}"

    def status(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> int:
        """Return the status of an answer to a request with the token; 0 if it hangs up."""
        own = {
            "Host": f"127.0.0.1:{self.port}",
            "Cookie": f"replib_{self.port}={self.token}",
            "Content-Type": "application/json",
        }
        if method == "POST":
            own["Origin"] = self.origin
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        try:
            connection.request(method, path, body, own | headers)
            return connection.getresponse().status
        except ConnectionError:
            return 0
        finally:
            connection.close()


def _descendants(parent: int) -> set[int]:
    found: set[int] = set()
    with suppress(OSError):
        for task in Path(f"/proc/{parent}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                found |= {child, *_descendants(child)}
    return found


def check(holds: bool, sentence: str) -> None:
    if not holds:
        raise AssertionError(sentence)


# ------------------------------------------------------------------ what a reader does


def open_form(context: BrowserContext, address: str) -> Page:
    """Open the page of a chapter, and the fold with its form."""
    page = context.new_page()
    page.goto(address)
    fold = page.locator(".replib-card > details")
    if not fold.evaluate("fold => fold.open"):
        fold.locator("summary").first.click()
    expect(run_button(page)).to_be_visible()
    return page


def run_button(page: Page):
    return page.locator(".replib-run-form [value=run]")


def change_n(page: Page, value: str) -> None:
    field = page.locator(".replib-form [name=n]")
    field.fill(value)
    field.dispatch_event("change")


# ------------------------------------------------------------------ the uses


def change_run_and_watch(context: BrowserContext, server: Server) -> None:
    """A value is changed; the bar moves; a number and a figure come back changed."""
    heard: list[str] = []
    context.expose_function("hear", lambda text: heard.append(text))
    context.add_init_script(LISTENER)
    page = open_form(context, server.page(QUICK))
    change_n(page, "40")
    check("n=40" in page.url, f"the value is not in the address {page.url}")
    run_button(page).click()
    expect(page.locator(ANSWER)).to_contain_text("n = 40: ")
    check(any(": cell " in text for text in heard), f"no cell was heard of: {heard}")

    default = page.locator("del.replib-default").first
    yours = page.locator("del.replib-default + ins.replib-marked").first
    texts = default.text_content().removeprefix("default "), yours.text_content()
    check(texts[0] != texts[1], f"the number has not moved: {texts}")

    both = page.locator(".replib-both").first
    pictures = [
        both.locator(f".replib-run-{run} svg").first for run in ("default", "yours")
    ]
    check(
        pictures[0].inner_html() != pictures[1].inner_html(),
        "the figure has not moved",
    )
    expect(pictures[1]).to_be_visible()
    both.locator("input[value=default]").check()
    expect(pictures[0]).to_be_visible()
    expect(pictures[1]).to_be_hidden()


def ask_again(context: BrowserContext, server: Server) -> None:
    """The same value answers at once, by the form and by its address."""
    page = open_form(context, server.page(QUICK))
    change_n(page, "40")
    answer = page.evaluate(ORDER, {"values": {"n": "40"}, "small": False})
    check("address" in answer, "a run that was made is made again")
    run_button(page).click()
    expect(page.locator(ANSWER)).to_be_visible()
    page.goto(server.page(QUICK, {"n": "40"}))
    expect(page.locator(ANSWER)).to_contain_text("n = 40: ")


def reset(context: BrowserContext, server: Server) -> None:
    """*Reset* leads back to the defaults, in the form, the address and the page."""
    page = open_form(context, server.page(QUICK, {"n": "40"}))
    page.locator(".replib-run-form [type=reset]:visible").click()
    expect(page.locator(ANSWER)).to_have_count(0)
    expect(page.locator(".replib-form [name=n]")).to_have_value("10")
    expect(page.locator(".replib-form")).to_be_in_viewport()
    check("n=" not in page.url, f"the address still has a value: {page.url}")


def on_a_phone(context: BrowserContext, server: Server) -> None:
    """An answer opens at its words, all can be hit, and *back* leads to where the reader was."""
    phone = context.browser.new_context(storage_state=context.storage_state(), **PHONE)
    phone.set_default_timeout(PATIENCE)
    page = open_form(phone, server.page(QUICK))
    change_n(page, "40")
    run_button(page).tap()
    expect(page.locator(ANSWER)).to_be_in_viewport()
    page.wait_for_function(AT_TOP, arg=ANSWER)
    page.locator(".replib-card > details").evaluate("fold => fold.open = true")
    problems = complaints_of_targets(page)
    check(not problems, "; ".join(problems))

    link = page.locator("article section section a.internal").last
    link.tap()
    expect(page.locator(ANSWER)).to_have_count(0)
    page.go_back()
    expect(page.locator(ANSWER)).to_have_count(1)
    expect(link).to_be_in_viewport()

    page.get_by_role("button", name="Download this page").tap()
    with page.expect_download() as download:
        page.get_by_role("link", name=".ipynb").tap()
    check(
        download.value.suggested_filename == "estimators.ipynb",
        "the notebook of the run is shown as text, or has another name",
    )
    phone.close()


def address_of_another(context: BrowserContext, server: Server) -> None:
    """An address whose values were not run here offers to run them; a wrong value is shown."""
    page = context.new_page()
    page.set_viewport_size(PHONE["viewport"])
    page.goto(server.page(QUICK, {"n": "7", "accepts": "0.6"}))
    offer = page.locator(".replib-progress")
    expect(offer).to_contain_text(
        "These values were not run yet: n = 7, accepts = 0.6."
    )
    page.evaluate("scrollTo({top: document.body.scrollHeight, behavior: 'instant'})")
    offer.get_by_role("button", name="Run").click()
    expect(offer).to_be_hidden()
    expect(page.locator(".replib-form [name=n]")).to_be_focused()
    expect(page.locator(".replib-wrong")).to_be_in_viewport()
    page.goto(server.page(QUICK, {"n": "7"}))
    expect(offer).to_be_visible()
    change_n(page, "8")
    expect(offer).to_be_hidden()


def every_form(context: BrowserContext, server: Server) -> None:
    """The form of every chapter writes the command of that chapter, and offers to run it."""
    page = context.new_page()
    for chapter in chapters.chapters():
        page.goto(server.page(chapter.source.stem), wait_until="domcontentloaded")
        if not page.locator(".replib-form").count():
            continue
        expect(run_button(page)).to_have_count(1)
        command = page.locator(".replib-run-form pre code").text_content()
        check(
            command == f"python -m replib run {chapter.name}",
            f"the form of {chapter.source.stem} writes {command}",
        )


def wrong_value(context: BrowserContext, server: Server) -> None:
    """A wrong value is refused at its field, starts nothing, and *Reset* clears it."""
    page = open_form(context, server.page(QUICK))
    change_n(page, "7")
    message = page.locator("label:has([name=n]) .replib-wrong")
    expect(message).to_contain_text("even, 2 to 200")
    expect(page.locator(".replib-form [name=n]")).to_have_attribute(
        "aria-invalid", "true"
    )
    run_button(page).click()
    expect(message).to_contain_text("not 7")
    check(running(page) == [], "a run with a wrong value has started")
    page.locator(".replib-run-form [type=reset]:visible").click()
    expect(message).to_have_count(0)
    expect(page.locator(".replib-form [aria-invalid]")).to_have_count(0)


def running(page: Page) -> list[dict]:
    """Return the runs in line."""
    return page.evaluate("fetch('/runs').then(answer => answer.json())")["runs"]


def value_with_html(context: BrowserContext, server: Server) -> None:
    """A value with HTML in the address is text wherever the page shows it."""
    mark = "<img src=x onerror=window.hit=1>"
    page = open_form(context, server.page("11_uci_tests", {"levels": mark}))
    message = page.locator("label:has([name=levels]) .replib-wrong")
    expect(message).to_contain_text("<img src=x")
    run_button(page).click()
    expect(message).to_contain_text("<img src=x")
    expect(page.locator(ANSWER)).to_have_count(0)
    check(page.locator("img[src=x]").count() == 0, "the value became an element")
    check(page.evaluate("window.hit === undefined"), "the value was executed")


def my_data(context: BrowserContext, server: Server) -> None:
    """*My data* hands items and logs to the library, and gives its report."""
    page = context.new_page()
    page.goto(f"{server.origin}/book/compare.html")
    result = page.locator("#scores-result")
    page.locator("#scores").fill(ITEMS)
    page.locator("#design").fill("items")
    page.get_by_role("button", name="Compare").click()
    expect(result).to_contain_text("metric must be given: say --metric")
    page.locator("#metric").fill("accuracy")
    page.get_by_role("button", name="Compare").click()
    expect(result).to_contain_text("McNemar's exact test on 12 items")
    expect(result.locator(".methods")).to_contain_text("were compared by")
    with page.expect_download() as download:
        result.get_by_role("button", name="Download the report").click()
    text = download.value.path().read_text(encoding="utf-8")
    check("<svg" in text and "McNemar" in text, "the report has no picture or no words")

    page.get_by_role("button", name="two models").click()
    page.get_by_role("button", name="Compare").click()
    expect(result.locator(".reruns")).to_contain_text("Of 200 reruns like yours, about")
    check(result.locator(".reruns circle").count() == 200, "reruns are not drawn")
    wide = page.viewport_size
    page.set_viewport_size(PHONE["viewport"])
    check(result.evaluate(IS_IN_WIDTH), "a cell of the table is beside the phone")
    page.set_viewport_size(wide)
    page.locator("#scores").fill("")

    with TemporaryDirectory() as folder:
        write_logs(Path(folder) / "out")
        page.locator("#folder").set_input_files(Path(folder) / "out")
        for name in ("#design", "#metric"):
            page.locator(name).fill("")
        page.locator("#better").select_option("")
        page.get_by_role("button", name="Compare").click()
        expect(result).to_contain_text("small")


#: Right and wrong answers of two models to twelve items.
ITEMS = "a,b\n" + "1,0\n" * 8 + "0,1\n1,1\n0,0\n1,1\n"


def write_logs(folder: Path) -> None:
    """Write what lm-evaluation-harness leaves of two models."""
    for model, right in (("small", 5), ("large", 9)):
        samples = [
            {"doc_id": i, "target": "x", "metrics": ["acc"], "acc": int(i < right)}
            for i in range(12)
        ]
        file = folder / model / "samples_task_2026-01-01T00-00-00.jsonl"
        file.parent.mkdir(parents=True)
        file.write_text("\n".join(map(json.dumps, samples)))


def tabs_line_and_stop(context: BrowserContext, server: Server) -> None:
    """Both tabs of a chapter show its run; another chapter waits; *Stop* makes way for it."""
    first = open_form(context, server.page(*LONG))
    run_button(first).click()
    expect(first.locator(STATUS)).to_contain_text("cell")
    tab = open_form(context, server.page(*LONG))
    expect(tab.locator(STATUS)).to_contain_text("cell")
    other = open_form(context, server.page(*OTHER))
    run_button(other).click()
    expect(other.locator(STATUS)).to_have_text("One run is before yours.")
    tab.locator(".replib-progress [value=stop]").click()
    for page in (first, tab):
        expect(page.locator(STATUS)).to_contain_text("Stopped")
    expect(other.locator(ANSWER)).to_contain_text("n = 60: ")
    check(running(first) == [], "the stopped run is still in line")


def change_in_a_fold(context: BrowserContext, server: Server) -> None:
    """*Next change* opens the folded answer or proof that holds the change."""
    page = open_form(context, server.page(OTHER[0], {"n": "50"}))  # not run yet
    run_button(page).click()
    expect(page.locator(ANSWER)).to_be_visible()
    folded = page.locator(".toggle-hidden .replib-change")
    expect(
        folded.first
    ).to_be_attached()  # the theme closes folds after the page is shown
    n_folded = folded.count()
    for _ in range(page.locator(".replib-change").count()):
        page.locator(".replib-steps [data-step='1']").click()
        expect(page.locator(".replib-current")).to_be_in_viewport()
        if folded.count() < n_folded:
            return
    check(False, "no fold was opened")


def killed_in_the_middle(context: BrowserContext, server: Server) -> None:
    """A server that is killed leaves no process and no half answer, and starts again."""
    asked = reruns.rerun("estimators", {"n": 80})
    page = open_form(context, server.page(QUICK, {"n": "80"}))
    run_button(page).click()
    expect(page.locator(STATUS)).to_contain_text("cell")
    processes = server.descendants()
    server.end(signal.SIGKILL)
    expect(page.locator(STATUS)).to_contain_text("The server has stopped")
    wait_for_end(processes)
    check(
        not asked.copy.exists(), f"{asked.copy} was written though the run was killed"
    )
    server.start()
    run_button(page).click()
    expect(page.locator(STATUS)).to_contain_text("started again")
    page.goto(server.address)
    page = open_form(context, server.page(QUICK, {"n": "80"}))
    run_button(page).click()
    expect(page.locator(ANSWER)).to_contain_text("n = 80: ")


def wait_for_end(processes: set[int]) -> None:
    """Wait until these processes are gone."""
    end = time.monotonic() + SECONDS_TO_END
    while alive := {number for number in processes if Path(f"/proc/{number}").exists()}:
        check(
            time.monotonic() < end, f"{len(alive)} processes go on without the server"
        )
        time.sleep(0.1)


def server_gone(context: BrowserContext, server: Server) -> None:
    """Without the server the page says how to start it."""
    page = open_form(context, server.page(QUICK))
    server.end()
    change_n(page, "20")
    run_button(page).click()
    expect(page.locator(STATUS)).to_contain_text("make serve")


def refused(context: BrowserContext, server: Server) -> None:
    """No token, foreign names and origins, and what is too large are refused."""
    own = {"Host": f"127.0.0.1:{server.port}"}
    order = json.dumps({"values": {"n": "60"}, "small": False}).encode()
    large = json.dumps({"values": {"n": "6" * 200_000}, "small": False}).encode()
    asked = {
        "no token": server.status("GET", "/", Cookie=""),
        "a foreign host": server.status("GET", "/", Host="evil.example"),
        "a foreign origin": server.status(
            "POST", "/run/estimators", order, Origin="http://evil.example"
        ),
        "a post without origin": server.status(
            "POST", "/run/estimators", order, Origin=""
        ),
        "a foreign token": server.status("GET", "/", Cookie=f"replib_{server.port}=x"),
        "an order too large": server.status("POST", "/run/estimators", large),
        "an upload too large": server.status(
            "POST", "/run/estimators", b"x" * 30_000_000
        ),
    }
    passed = [name for name, code in asked.items() if code not in (0, 400, 403, 413)]
    check(not passed, f"not refused: {passed}")
    check(server.status("GET", "/", **own) == 200, "what is allowed is refused")


def attacked_by_a_page(context: BrowserContext, server: Server) -> None:
    """A page of another port of this machine, which has the cookie, starts and reads nothing."""
    with foreign_page() as address:
        page = context.new_page()
        page.goto(address)
        check(page.evaluate(ATTACK, server.origin), "a foreign page reads answers")
        page.goto(server.page(QUICK))
        check(running(page) == [], "a foreign page has started a run")


@contextmanager
def foreign_page() -> Iterator[str]:
    """Yield the address of a page of another server on this machine."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"<title>elsewhere</title>")

        def log_message(self, *_: object) -> None:
            pass

    other = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=other.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{other.server_address[1]}/"
    other.shutdown()


def seconds(context: BrowserContext, server: Server) -> None:
    """It is printed how many seconds after a click a rerun answers: first, and median of three."""
    time.sleep(SECONDS_TO_LOOK)
    for stem, (parameter, *values) in TIMED.items():
        spent = []
        for value in values:
            asked = reruns.rerun(stem, {parameter: value})
            shutil.rmtree(asked.folder, ignore_errors=True)
            page = open_form(context, f"{server.page(stem)}#replib-parameters")
            field = page.locator(f".replib-form [name={parameter}]")
            field.fill(value)
            field.dispatch_event("change")
            run_button(page).hover()  # until the page no longer scrolls
            began = time.monotonic()
            run_button(page).click()
            expect(page.locator(ANSWER)).to_be_visible()
            spent.append(time.monotonic() - began)
            page.close()
        print(f"{stem}: {spent[0]:.1f} s, then {median(spent[1:]):.1f} s")


def picture(context: BrowserContext, server: Server) -> None:
    """The picture on the page *Rerun* is taken again: a form with a changed value."""
    page = open_form(context, server.page(QUICK))
    page.set_viewport_size({"width": 1000, "height": 620})
    change_n(page, "20")
    page.locator(".replib-card").evaluate("card => card.scrollIntoView()")
    page.mouse.wheel(0, -90)  # below the bar at the top
    page.screenshot(
        path=chapters.ROOT / "book" / "_static" / "rerun.png",
        clip={"x": 212, "y": 180, "width": 788, "height": 365},
    )


USES: tuple[Callable[[BrowserContext, Server], None], ...] = (
    refused,
    attacked_by_a_page,
    change_run_and_watch,
    ask_again,
    reset,
    on_a_phone,
    address_of_another,
    every_form,
    wrong_value,
    value_with_html,
    my_data,
    tabs_line_and_stop,
    change_in_a_fold,
    killed_in_the_middle,
    server_gone,
)


def main(names: list[str]) -> int:
    known = {use.__name__: use for use in (*USES, picture, seconds)}
    uses = [known[name] for name in names] or USES
    # a shell lets what it starts in the background ignore Ctrl-C, and the server would, too;
    # whoever started this ends it by another signal, and the server with it
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    for name, n in MADE:
        shutil.rmtree(reruns.rerun(name, {"n": n}).folder, ignore_errors=True)
    server, failed = Server(), 0
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium")
                or shutil.which("google-chrome"),
                args=["--no-sandbox"],
            )
            for use in uses:
                failed += not passes(use, browser, server)
            browser.close()
    finally:
        with suppress(ProcessLookupError):
            server.end()
    print(f"{len(uses) - failed} uses passed, {failed} failed")
    return 1 if failed else 0


def passes(
    use: Callable[[BrowserContext, Server], None], browser: Browser, server: Server
) -> bool:
    """Make one use in a window of its own; print how long it took, or why it failed."""
    context = browser.new_context()
    context.set_default_timeout(PATIENCE)
    started = time.monotonic()
    try:
        context.new_page().goto(server.address)
        use(context, server)
    except Exception as problem:
        reason = str(problem).partition("Aria snapshot")[0].strip()
        print(f"{use.__name__}: {use.__doc__}\n  {reason}")
        picture = chapters.BUILD / f"use_{use.__name__}.png"
        context.pages[-1].screenshot(path=picture, full_page=True)
        return False
    finally:
        context.close()
    print(f"{time.monotonic() - started:5.1f} s  {use.__name__}")
    return True


if __name__ == "__main__":
    expect.set_options(timeout=PATIENCE)
    sys.exit(main(sys.argv[1:]))

"""Open every page of the built site in headless Chromium with the network cut off.

A page passes if no request fails, nothing is asked of the network, nothing is logged as an error,
every formula is rendered, every image is drawn, and every link inside the site leads to a page and
an anchor that exist.  Usage: ``python open_pages.py SITE``; exit 1 names each page that failed and
why.
"""

import shutil
import sys
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

from playwright.sync_api import Page, sync_playwright

FACTS = """() => ({
  formulas: document.querySelectorAll('span.math, div.math').length,
  rendered: document.querySelectorAll('span.math mjx-container, div.math mjx-container').length,
  broken_formulas: document.querySelectorAll('mjx-merror, [data-mjx-error]').length,
  broken_images: [...document.images].filter(i => !(i.complete && i.naturalWidth)).map(i => i.src),
  nameless_images: [...document.images].filter(i => !i.hasAttribute('alt')).map(i => i.src),
  nameless_figures: document.querySelectorAll('.replib-figure svg:not([aria-label])').length,
  links: [...document.querySelectorAll('a[href]')].map(a => a.href),
  anchors: [...document.querySelectorAll('[id], a[name]')].map(e => e.id || e.name),
  too_wide: document.documentElement.scrollWidth > innerWidth,
})"""


def open_page(page: Page, path: Path) -> tuple[dict, list[str]]:
    """What the page contains, and what went wrong while it loaded."""
    complaints: list[str] = []

    def failed(request) -> None:
        complaints.append(f"request failed: {request.url}")

    def asked(request) -> None:
        if urlparse(request.url).scheme not in ("file", "data", "blob"):
            complaints.append(f"asks the network: {request.url}")

    def logged(message) -> None:
        if message.type == "error":
            complaints.append(f"console: {message.text}")

    def raised(error) -> None:
        complaints.append(f"script error: {error}")

    listeners = {"requestfailed": failed, "request": asked, "console": logged, "pageerror": raised}
    for event, listener in listeners.items():
        page.on(event, listener)
    page.goto(path.as_uri(), wait_until="load")
    page.wait_for_function(
        "document.querySelectorAll('span.math, div.math').length === 0"
        " || (window.MathJax && MathJax.startup && MathJax.startup.promise)", timeout=30_000,
    )
    page.evaluate("window.MathJax && MathJax.startup && MathJax.startup.promise")
    page.evaluate("document.fonts.ready.then(() => true)")
    page.wait_for_timeout(200)  # the fonts of the formulas have arrived; let the page settle
    facts = page.evaluate(FACTS)
    for event, listener in listeners.items():
        page.remove_listener(event, listener)
    if facts["rendered"] < facts["formulas"]:
        complaints.append(f"{facts['formulas'] - facts['rendered']} formulas not rendered")
    if facts["broken_formulas"]:
        complaints.append(f"{facts['broken_formulas']} formulas with an error")
    complaints += [f"broken image: {src}" for src in facts["broken_images"]]
    complaints += [f"image without alt: {src}" for src in facts["nameless_images"]]
    if facts["nameless_figures"]:
        complaints.append(f"{facts['nameless_figures']} figures without a label")
    return facts, complaints


def dead_links(site: Path, facts: dict[Path, dict]) -> dict[Path, list[str]]:
    """Links inside the site whose page or anchor does not exist."""
    anchors = {path: set(page["anchors"]) for path, page in facts.items()}
    dead: dict[Path, list[str]] = {}
    for path, page in facts.items():
        for href in page["links"]:
            address, anchor = urldefrag(href)
            if urlparse(address).scheme != "file":
                continue
            target = Path(unquote(urlparse(address).path)).resolve()
            if not target.is_file():
                dead.setdefault(path, []).append(f"dead link: {href}")
            elif anchor and target in anchors and unquote(anchor) not in anchors[target]:
                dead.setdefault(path, []).append(f"dead anchor: {href}")
    return dead


def main(site: Path) -> int:
    pages = sorted(p.resolve() for p in site.rglob("*.html") if "_static" not in p.parts)
    if not pages:
        print(f"no page in {site}: build the book first", file=sys.stderr)
        return 1
    facts, complaints = {}, {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for width, scheme in ((1360, "light"), (390, "dark")):
            context = browser.new_context(
                viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True
            )
            context.set_default_timeout(120_000)  # of a machine that has other things to do
            page = context.new_page()
            for path in pages:
                facts[path], found = open_page(page, path)
                if width < 600 and facts[path]["too_wide"]:
                    found.append("wider than a phone")
                complaints.setdefault(path, []).extend(found)
            context.close()
        browser.close()
    for path, found in dead_links(site, facts).items():
        complaints[path].extend(found)
    failed = 0
    for path, found in complaints.items():
        failed += bool(found)
        for complaint in dict.fromkeys(found):
            print(f"{path.relative_to(site.resolve())}: {complaint}")
    print(f"{len(pages) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

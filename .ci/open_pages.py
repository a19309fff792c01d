"""Open every page of the built site in headless Chromium with the network cut off.

A page passes if no request fails, nothing is asked of the network, nothing is logged as an error,
every formula and every image is drawn, every link inside the site leads to a page and an anchor
that exist, no code is wider than its box on a desktop and no page wider than a phone, the letters
of figures stay inside them and are not too small on a phone, axe-core finds no serious or critical
barrier in light or in dark, and what it loads is not too heavy.
Usage: ``python open_pages.py SITE``; exit 1 names each page that failed and why.
"""

import asyncio
import re
import shutil
import sys
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

from playwright.async_api import BrowserContext, Page, async_playwright

#: What a page loads, with its style, scripts and letters.
MOST_BYTES = 1_000_000
#: Of the heaviest pages, opened alone.
MOST_SECONDS = 2.0
#: Height in CSS pixels of the letters of figures on a phone; indices and exponents have 0.7 of it.
LEAST_LETTERS = 9
AT_ONCE = 4
#: Width in CSS pixels and colour scheme of a desktop and of a phone.
LOOKS = ((1280, "light"), (390, "dark"))

FACTS = """() => ({
  undrawn_formulas: document.querySelectorAll('span.math, div.math').length
    - document.querySelectorAll('span.math .katex, div.math .katex').length,
  broken_formulas: document.querySelectorAll('.katex-error').length,
  broken_images: [...document.images].filter(i => !(i.complete && i.naturalWidth)).map(i => i.src),
  nameless_images: [...document.images].filter(i => !i.hasAttribute('alt')).map(i => i.src),
  nameless_figures: document.querySelectorAll('.replib-figure svg:not([aria-label])').length,
  links: [...document.querySelectorAll('a[href]')].map(a => a.href),
  anchors: [...document.querySelectorAll('[id], a[name]')].map(e => e.id || e.name),
  wide_code: [...document.querySelectorAll('div.cell pre')]
    .filter(e => e.offsetParent && e.scrollWidth > e.clientWidth + 1)
    .map(e => e.textContent.trim().split('\\n').reduce((a, b) => a.length < b.length ? b : a)),
  too_wide: document.documentElement.scrollWidth > innerWidth,
})"""

# Of each figure that is shown: the smallest letters, by the largest of each text, and what is cut.
FIGURES = """() => [...document.querySelectorAll('.replib-figure svg')].map(svg => {
  const room = svg.getBoundingClientRect();
  const texts = [...svg.querySelectorAll('text')].filter(text => text.getClientRects().length);
  const size = text => {
    const {a, b} = text.getScreenCTM();
    return Math.hypot(a, b) * Math.max(...[text, ...text.children]
      .filter(part => part.firstChild?.nodeType === Node.TEXT_NODE)
      .map(part => parseFloat(getComputedStyle(part).fontSize)));
  };
  return {
    letters: Math.min(...texts.map(size)),
    cut: texts.filter(text => {
      const box = text.getBoundingClientRect();
      return box.left < room.left - 1 || box.right > room.right + 1
        || box.top < room.top - 1 || box.bottom > room.bottom + 1;
    }).map(text => text.textContent),
  };
})"""

# Each slide in turn, as far as it is drawn smaller when it would not fit.
SLIDES = """() => {
  if (!window.Reveal?.isReady()) return [];
  return Reveal.getSlides().filter((slide, position) => {
    Reveal.slide(position);
    const room = slide.getBoundingClientRect();
    return [...slide.querySelectorAll('.shown, .shown *')]
      .filter(e => !e.closest('.katex-mathml') && !e.parentElement.closest('svg'))
      .map(e => e.getBoundingClientRect())
      .some(box => box.width && (box.bottom > room.bottom + 1 || box.right > room.right + 1));
  }).map(slide => slide.innerText.trim().split('\\n')[0]);
}"""

# The letters of a formula or a figure are no text of the page: what stands for them is read aloud.
# Of the pages of source code the listing is left out: its thousand words have the colours of the
# code in all other pages.
BARRIERS = """async (listing) => (await axe.run(
    {include: document, exclude: [
      ['.katex-html'], ['.replib-figure svg > *'], ...(listing ? [['.highlight']] : []),
    ]},
    {resultTypes: ['violations'], preload: false},
  )).violations
  .filter(v => ['serious', 'critical'].includes(v.impact))
  .map(v => `${v.id}: ${v.nodes.length} × such as ${v.nodes[0].html.slice(0, 160)}`)"""

AXE = (resources.files("axe_playwright_python") / "axe.min.js").read_text()


@dataclass
class Visit:
    """What a page contains, what it loads, and what is wrong with it."""

    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    files: set[Path] = field(default_factory=set)
    complaints: list[str] = field(default_factory=list)

    @property
    def bytes(self) -> int:
        return sum(file.stat().st_size for file in self.files if file.is_file())


async def visit(context: BrowserContext, path: Path, width: int) -> Visit:
    """Open one page in a tab of its own."""
    found = Visit()
    page = await context.new_page()
    listen(page, found)
    await page.goto(path.as_uri(), wait_until="load")
    await page.evaluate("document.fonts.ready.then(() => true)")
    facts = await page.evaluate(FACTS)
    await page.evaluate(AXE)
    barriers = await page.evaluate(BARRIERS, "_modules" in path.parts)
    figures = await page.evaluate(FIGURES)
    overfull = await page.evaluate(SLIDES)
    await page.close()
    found.anchors, found.links = set(facts["anchors"]), facts["links"]
    for name in ("undrawn_formulas", "broken_formulas", "nameless_figures"):
        if facts[name]:
            found.complaints.append(f"{facts[name]} {name.replace('_', ' ')}")
    found.complaints += [f"broken image: {src}" for src in facts["broken_images"]]
    found.complaints += [f"image without alt: {src}" for src in facts["nameless_images"]]
    found.complaints += [f"barrier: {barrier}" for barrier in barriers]
    found.complaints += [f"sticks out of its slide: {title}" for title in overfull]
    found.complaints += [f"cut in its figure: {text}" for one in figures for text in one["cut"]]
    if width < 600:
        if facts["too_wide"]:
            found.complaints.append("wider than a phone")
        found.complaints += [
            f"figure {number} has letters of {one['letters']:.1f} pixels"
            for number, one in enumerate(figures, start=1) if one["letters"] < LEAST_LETTERS
        ]
    if width > 600:
        found.complaints += [f"code wider than its box: {line}" for line in facts["wide_code"]]
    if found.bytes > MOST_BYTES:
        found.complaints.append(f"loads {found.bytes:,} bytes, more than {MOST_BYTES:,}")
    return found


def listen(page: Page, found: Visit) -> None:
    """Write down what the page asks for and what it complains about."""

    def asked(request) -> None:
        address = urlparse(request.url)
        if address.scheme == "file":
            found.files.add(Path(unquote(address.path)))
        elif address.scheme not in ("data", "blob"):
            found.complaints.append(f"asks the network: {request.url}")

    def logged(message) -> None:
        if message.type == "error":
            found.complaints.append(f"console: {message.text}")

    page.on("request", asked)
    page.on("requestfailed", lambda r: found.complaints.append(f"request failed: {r.url}"))
    page.on("console", logged)
    page.on("pageerror", lambda error: found.complaints.append(f"script error: {error}"))


async def seconds_to_load(context: BrowserContext, path: Path) -> float:
    """How long a page takes until all of it is there, with nothing else to do."""
    page = await context.new_page()
    await page.goto(path.as_uri(), wait_until="load")
    took = await page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")
    await page.close()
    return took / 1000


def dead_links(visits: dict[Path, Visit]) -> dict[Path, list[str]]:
    """Links inside the site whose page or anchor does not exist."""
    dead: dict[Path, list[str]] = {}
    for path, page in visits.items():
        for href in page.links:
            address, anchor = urldefrag(href)
            if urlparse(address).scheme != "file":
                continue
            target = Path(unquote(urlparse(address).path)).resolve()
            if not target.is_file():
                dead.setdefault(path, []).append(f"dead link: {href}")
            elif anchor and target in visits and unquote(anchor) not in visits[target].anchors:
                dead.setdefault(path, []).append(f"dead anchor: {href}")
    return dead


async def look_at(pages: list[Path]) -> dict[Path, list[str]]:
    """The complaints about each page."""
    complaints: dict[Path, list[str]] = {path: [] for path in pages}
    tabs = asyncio.Semaphore(AT_ONCE)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        visits: dict[Path, Visit] = {}
        for width, scheme in LOOKS:
            # pages of source code are all alike: one look is enough
            looked_at = [path for path in pages if width > 600 or "_modules" not in path.parts]
            context = await browser.new_context(
                viewport={"width": width, "height": 900}, color_scheme=scheme, offline=True
            )
            context.set_default_timeout(120_000)  # of a machine that has other things to do

            async def in_turn(path: Path, context=context, width=width) -> Visit:
                async with tabs:
                    return await visit(context, path, width)

            visits |= zip(looked_at, await asyncio.gather(*map(in_turn, looked_at)))
            for path in looked_at:
                complaints[path] += visits[path].complaints
            heaviest = sorted(looked_at, key=lambda path: visits[path].bytes)[-3:]
            for path in heaviest:
                took = await seconds_to_load(context, path)
                print(f"{path.name}, {scheme}: {visits[path].bytes:,} bytes in {took:.1f} s")
                if took > MOST_SECONDS:
                    complaints[path].append(f"takes {took:.1f} s to load")
            await context.close()
        await browser.close()
    for path, found in dead_links(visits).items():
        complaints[path] += found
    return complaints


def sent_on(path: Path) -> Path | None:
    """Where a page leads that has nothing of its own, such as the index; it cannot be looked at."""
    found = re.search(r'http-equiv="Refresh" content="0; url=([^"]+)"', path.read_text())
    return path.parent / found[1] if found else None


def main(site: Path) -> int:
    site = site.resolve()
    every = sorted(path for path in site.rglob("*.html") if "_static" not in path.parts)
    targets = {path: sent_on(path) for path in every}
    pages = [path for path in every if not targets[path]]
    if not pages:
        print(f"no page in {site}: build the book first", file=sys.stderr)
        return 1
    complaints = asyncio.run(look_at(pages))
    for path, target in targets.items():
        if target:
            complaints[path] = [] if target.is_file() else [f"leads to no page: {target}"]
    for path, found in complaints.items():
        for complaint in dict.fromkeys(found):
            print(f"{path.relative_to(site)}: {complaint}")
    failed = sum(map(bool, complaints.values()))
    print(f"{len(complaints) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))

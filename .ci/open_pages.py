"""Open a page of each kind of the built site in headless Chromium, without a network.

A page passes if no request fails, nothing is asked of the network, nothing is logged as
an error, every formula and every image is drawn, every link inside the site leads to a
page and an anchor that exist, every control has a name to be read aloud, no code is
wider than its box on a desktop and no page wider than a phone, the letters of figures
stay inside them and are not too small on a phone, where a finger can hit every control
and no field enlarges the page, axe-core finds no serious or critical
barrier in light or in dark, and what it loads is not too heavy. On a desktop the letters
of every deck of slides can be read from the last row. On the page of a rerun
no word of the table is broken, and the keys lead from change to change. Usage:
``python open_pages.py SITE RERUN``, with a page of a rerun, of which screenshots are
left in the folder beside the site; exit 1 names each page that failed and why.
"""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from importlib import resources
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urldefrag, urlparse

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

#: Of each pattern the first page is opened.
KINDS = (
    "book/intro.html",
    "book/compare.html",
    "book/trust.html",
    "book/library.html",
    "search.html",
    "book/chapters/*_another_seed.html",
    "book/chapters/*_which_test.html",
    "book/chapters/*_estimators.html",
    "book/chapters/*_since_the_papers.html",
    "book/chapters/*_correlation_map.html",
    "book/chapters/*_seeds_and_items.html",
    "book/chapters/*_scoreboard.html",
    "book/chapters/*_errata.html",
    "book/reference/comparison.html",
    "book/course/*.html",
)
#: A page itself; the theme's style, scripts and letters, which all pages share, are not
#: counted.
MOST_BYTES = 1_000_000
#: Height in CSS pixels of the letters of figures on a phone; indices and exponents have
#: 0.7 of it.
LEAST_LETTERS = 10
#: The decks, and the height in CSS pixels that no letter of theirs is below on a desktop;
#: indices, exponents and the number of a slide are left out.
DECKS = "book/course/[0-9][0-9]_*.html"
LEAST_LETTERS_OF_SLIDES = 16
#: Height in CSS pixels of what a finger can hit: what is pressed, opened or chosen.
LEAST_TARGET = 32
#: Height in CSS pixels of the letters in a field; some phones enlarge a page when a reader
#: types into a field with smaller letters.
LEAST_LETTERS_OF_FIELDS = 16
#: Width in CSS pixels and colour scheme of a desktop and of a phone.
LOOKS = ((1280, "light"), (390, "dark"))
#: Of the page of a rerun, which goes over the margin where there is room.
LOOKS_OF_RERUN = ((1400, "light"), (390, "dark"))

FACTS = """() => ({
  undrawn_formulas: document.querySelectorAll('span.math, div.math').length
    - document.querySelectorAll('span.math .katex, div.math .katex').length,
  broken_formulas: document.querySelectorAll('.katex-error').length,
  broken_images: [...document.images].filter(i => !(i.complete && i.naturalWidth)).map(i => i.src),
  nameless_images: [...document.images].filter(i => !i.hasAttribute('alt')).map(i => i.src),
  nameless_figures: document.querySelectorAll('.replib-figure svg:not([aria-label])').length,
  links: [...document.querySelectorAll('a[href]')].map(a => a.href),
  wide_code: [...document.querySelectorAll('div.cell pre')]
    .filter(e => e.offsetParent && e.scrollWidth > e.clientWidth + 1)
    .map(e => e.textContent.trim().split('\\n').reduce((a, b) => a.length < b.length ? b : a)),
  too_wide: document.documentElement.scrollWidth > innerWidth,
})"""

# Of each figure that is shown: the smallest letters, by the largest of each text, and
# what is cut.
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
      // Formulas consist of parts, and the box of each has empty room for accents.
      const empty = text.children.length ? 1 + 0.4 * size(text) : 1;
      return box.left < room.left - empty || box.right > room.right + empty
        || box.top < room.top - empty || box.bottom > room.bottom + empty;
    }).map(text => text.textContent),
  };
})"""

# Words and formulas beside the window, where the page is clipped, to which nothing scrolls.
UNREACHABLE = """() => {
  const found = [], walker = document.createTreeWalker(
    document.querySelector('article') ?? document.body, NodeFilter.SHOW_TEXT);
  const scrolls = e => e && (['auto', 'scroll'].includes(getComputedStyle(e).overflowX)
    && e.scrollWidth > e.clientWidth || scrolls(e.parentElement));
  for (let text; (text = walker.nextNode());) {
    const parent = text.parentElement, range = document.createRange();
    if (!text.data.trim() || parent.closest('.katex-mathml, script, style, svg, .visually-hidden')
      || !parent.checkVisibility({visibilityProperty: true})) continue;
    range.selectNodeContents(text);
    const right = Math.max(...[...range.getClientRects()].map(box => box.right));
    if (right > innerWidth + 1 && !scrolls(parent))
      found.push((parent.closest('.math')?.querySelector('annotation') ?? text).textContent);
  }
  return found;
}"""

# What is pressed, opened, chosen or typed into, with its height and that of its letters; a
# box to tick is hit by its label, too.
TARGETS = """() => [...document.querySelectorAll(
    'article :is(button, summary, input, select, textarea), '
    + ':is(.bd-header-article, .replib-progress, .replib-steps) button'
  )].map(e => ['radio', 'checkbox'].includes(e.type) ? e.labels[0] ?? e : e)
  .filter(e => e.checkVisibility({visibilityProperty: true}))
  .map(e => ({
    name: `${e.tagName.toLowerCase()} "${(e.name || e.textContent).trim().slice(0, 40)}"`,
    height: e.getBoundingClientRect().height,
    letters: e.matches('input:not([type=range]), select, textarea')
      ? parseFloat(getComputedStyle(e).fontSize) : Infinity,
  }))"""

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

# Of each slide in turn, the smallest letters that are shown, and their words.
LETTERS_OF_SLIDES = """() => Reveal.getSlides().map((slide, position) => {
  Reveal.configure({transition: 'none'});  // on its way in, a slide is smaller
  Reveal.slide(position);
  const scale = slide.getBoundingClientRect().width / slide.offsetWidth;
  const inPicture = text => {
    const {a, b} = text.getScreenCTM();
    return Math.hypot(a, b) * Math.max(...[text, ...text.children]
      .filter(part => part.firstChild?.nodeType === Node.TEXT_NODE)
      .map(part => parseFloat(getComputedStyle(part).fontSize)));
  };
  const shown = [...slide.querySelectorAll('h1, h2, .shown *')]
    .filter(e => e.getClientRects().length && !e.closest('.katex, aside'));
  const letters = shown
    .filter(e => e.tagName === 'text'
      || !e.closest('svg') && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
    .map(e => [
      e.tagName === 'text' ? inPicture(e) : scale * parseFloat(getComputedStyle(e).fontSize),
      e.textContent.trim().slice(0, 40),
    ]);
  return [position + 1, ...letters.reduce((a, b) => b[0] < a[0] ? b : a, [Infinity, ''])];
})"""

# Words and numbers in the table of a rerun that do not stand on one line.
BROKEN_WORDS = """() => [...document.querySelectorAll('.replib-changes')].flatMap(table => {
  const broken = [], walker = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
  for (let text; (text = walker.nextNode());) {
    if (text.parentElement.closest('.katex')) continue;
    for (const word of text.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      const lines = [...range.getClientRects()].map(box => Math.round(box.top));
      if (new Set(lines).size > 1) broken.push(word[0]);
    }
  }
  return broken;
})"""

# The letters of a formula or a figure are no text of the page: what stands for them is
# read aloud.
BARRIERS = """async () => (await axe.run(
    {include: document, exclude: [['.katex-html'], ['.replib-figure svg > *']]},
    {resultTypes: ['violations'], preload: false},
  )).violations
  .filter(v => ['serious', 'critical'].includes(v.impact))
  .map(v => `${v.id}: ${v.nodes.length} × such as ${v.nodes[0].html.slice(0, 160)}`)"""

#: What a reader can operate, by its role for a screen reader.
CONTROLS = {
    "button",
    "checkbox",
    "combobox",
    "link",
    "radio",
    "slider",
    "spinbutton",
    "textbox",
}


def nameless(page: Page) -> list[str]:
    """Return the roles of controls without a name, which a screen reader cannot announce."""
    browser = page.context.new_cdp_session(page)
    nodes = browser.send("Accessibility.getFullAXTree")["nodes"]
    roles = [
        (one.get("role", {}).get("value"), one.get("name", {}).get("value"))
        for one in nodes
        if not one["ignored"]
    ]
    return [
        role for role, name in roles if role in CONTROLS and not (name or "").strip()
    ]


AXE = (resources.files("axe_playwright_python") / "axe.min.js").read_text()


def complaints(context: BrowserContext, path: Path, width: int) -> list[str]:
    """Open one page in a tab of its own, and return what is wrong with it."""
    if not path.is_file():
        return ["there is no such page"]
    page = context.new_page()
    found: list[str] = []
    listen(page, found)
    page.goto(path.as_uri(), wait_until="load")
    page.evaluate("document.fonts.ready.then(() => true)")
    facts, figures = page.evaluate(FACTS), page.evaluate(FIGURES)
    unreachable = page.evaluate(UNREACHABLE)
    if width <= 600:
        found += complaints_of_targets(page)
    found += [f"a {role} has no name" for role in nameless(page)]
    page.evaluate(AXE)
    found += [f"barrier: {name}" for name in page.evaluate(BARRIERS)]
    found += [f"sticks out of its slide: {title}" for title in page.evaluate(SLIDES)]
    page.close()
    for name in ("undrawn_formulas", "broken_formulas", "nameless_figures"):
        if facts[name]:
            found.append(f"{facts[name]} {name.replace('_', ' ')}")
    found += [f"broken image: {src}" for src in facts["broken_images"]]
    found += [f"image without alt: {src}" for src in facts["nameless_images"]]
    found += [f"dead link: {href}" for href in facts["links"] if is_dead(href)]
    found += [
        f"cut in its figure: {text}" for figure in figures for text in figure["cut"]
    ]
    if width > 600:
        found += [f"code wider than its box: {line}" for line in facts["wide_code"]]
    else:
        found += ["wider than a phone"] * facts["too_wide"]
        found += [f"beside the phone: {words[:80]}" for words in unreachable]
        found += [
            f"figure {number} has letters of {figure['letters']:.1f} pixels"
            for number, figure in enumerate(figures, start=1)
            if figure["letters"] < LEAST_LETTERS
        ]
    if (size := path.stat().st_size) > MOST_BYTES:
        found.append(f"has {size:,} bytes, more than {MOST_BYTES:,}")
    return found


def complaints_of_targets(page: Page) -> list[str]:
    """Return what a finger cannot hit, and the fields that enlarge the page."""
    targets = page.evaluate(TARGETS)
    return [
        f"{target['name']} is {target['height']:.0f} pixels high"
        for target in targets
        if target["height"] < LEAST_TARGET
    ] + [
        f"{target['name']} has letters of {target['letters']:.1f} pixels"
        for target in targets
        if target["letters"] < LEAST_LETTERS_OF_FIELDS
    ]


def listen(page: Page, found: list[str]) -> None:
    """Write down what the page asks for and what it complains about."""

    def asked(request) -> None:
        address = urlparse(request.url)
        if address.scheme not in ("file", "data", "blob"):
            found.append(f"asks the network: {request.url}")

    def logged(message) -> None:
        if message.type == "error":
            found.append(f"console: {message.text}")

    page.on("request", asked)
    page.on(
        "requestfailed", lambda request: found.append(f"request failed: {request.url}")
    )
    page.on("console", logged)
    page.on("pageerror", lambda error: found.append(f"script error: {error}"))


def is_dead(href: str) -> bool:
    """Return whether a link leads to a page or an anchor of the site that does not exist."""
    address, anchor = urldefrag(href)
    if urlparse(address).scheme != "file":
        return False
    target = Path(unquote(urlparse(address).path))
    if not target.is_file():
        return True
    names = f'id="{unquote(anchor)}"', f'name="{unquote(anchor)}"'
    return bool(anchor) and not any(name in target.read_text("utf-8") for name in names)


def complaints_of_rerun(
    context: BrowserContext, path: Path, width: int, picture: Path
) -> list[str]:
    """Open the page of a rerun and its table, take a picture, and go to the first change."""
    found = complaints(context, path, width)
    page = context.new_page()
    page.goto(path.as_uri(), wait_until="load")
    page.evaluate("document.fonts.ready.then(() => true)")
    page.locator(".replib-copy summary").click()
    page.screenshot(path=picture)
    found += [f"broken word: {word}" for word in page.evaluate(BROKEN_WORDS)]
    page.keyboard.press("n")
    place = page.locator(".replib-steps span").text_content()
    if page.locator(".replib-current").count() != 1 or not place.startswith("1 of "):
        found.append(f"the key n does not lead to the first change: {place}")
    page.close()
    return found


def complaints_of_deck(context: BrowserContext, path: Path) -> list[str]:
    """Turn the slides of a deck, and return those with letters that are too small."""
    page = context.new_page()
    page.goto(path.as_uri(), wait_until="load")
    page.wait_for_function("window.Reveal?.isReady()")
    page.evaluate("document.fonts.ready.then(() => true)")
    letters = page.evaluate(LETTERS_OF_SLIDES)
    page.close()
    return [
        f"slide {number} has letters of {size:.1f} pixels: {words}"
        for number, size, words in letters
        if size < LEAST_LETTERS_OF_SLIDES
    ]


class Visit(NamedTuple):
    """A page in a window of some width, in light or dark, and what is asked of it there."""

    name: str
    complaints: Callable[[BrowserContext], list[str]]
    width: int
    scheme: str


def visits(site: Path, rerun: Path) -> list[Visit]:
    """Return the visits to a page of each kind, to all decks, and to the page of a rerun."""
    found = []
    for width, scheme in LOOKS:
        for kind in KINDS:
            page = min(site.glob(kind), default=site / kind)
            check = partial(complaints, path=page, width=width)
            found.append(Visit(str(page.relative_to(site)), check, width, scheme))
    for deck in sorted(site.glob(DECKS)):
        check = partial(complaints_of_deck, path=deck)
        found.append(Visit(str(deck.relative_to(site)), check, *LOOKS[0]))
    for width, scheme in LOOKS_OF_RERUN:
        picture = site.with_name(f"rerun_{width}.png")
        check = partial(complaints_of_rerun, path=rerun, width=width, picture=picture)
        found.append(Visit(f"{rerun.name}, {width} pixels", check, width, scheme))
    return found


def failures(visits: list[Visit]) -> int:
    """Make visits in a browser of their own, and return how many pages failed."""
    failed = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("google-chrome"),
            args=["--no-sandbox"],
        )
        for visit in visits:
            with looking(browser, visit.width, visit.scheme) as context:
                failed += report(visit.name, visit.complaints(context))
        browser.close()
    return failed


def main(site: Path, rerun: Path) -> int:
    """Make all visits, with a browser for each processor."""
    all_visits = visits(site, rerun)
    n_browsers = os.cpu_count() or 1
    shares = [all_visits[first::n_browsers] for first in range(n_browsers)]
    with ProcessPoolExecutor(n_browsers) as browsers:
        failed = sum(browsers.map(failures, filter(None, shares)))
    print(f"{len(all_visits) - failed} passed, {failed} failed")
    return 1 if failed else 0


@contextmanager
def looking(browser: Browser, width: int, scheme: str) -> Iterator[BrowserContext]:
    """Yield a window of that width, in light or dark, without a network; a phone is touched."""
    context = browser.new_context(
        viewport={"width": width, "height": 900},
        color_scheme=scheme,
        has_touch=width <= 600,
        offline=True,
    )
    context.set_default_timeout(120_000)  # of a machine that has other things to do
    yield context
    context.close()


def report(name: str, found: list[str]) -> bool:
    """Print what is wrong with a page, each complaint once; return whether anything is."""
    for complaint in dict.fromkeys(found):
        print(f"{name}: {complaint}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(*(Path(argument).resolve() for argument in sys.argv[1:])))

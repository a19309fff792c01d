#!/usr/bin/env python3
"""Compare two sites that different toolchains made of the same chapters: pages, ids and numbers.

    .ci/same_pages.py _build/html _build/next/html
"""

import re
import sys
from collections import Counter
from html import unescape
from pathlib import Path

BESIDE = ("_static/", "book/slides/")  # HTML of packages; slides, which are put there later
COUNTED = re.compile(r"id\d+|codecell\d+|pst-.*")  # ids that docutils and themes count
ARTICLE = re.compile(r"(?s)<article\b.*</article>")
NUMBERS = {
    "glued number": re.compile(r'(?s)<span class="pasted-text">(.*?)</span>'),
    "number of a caption": re.compile(r'<span class="caption-number">(.*?)</span>'),
    "number of a formula": re.compile(r'<span class="eqno">([^<]*)'),
}


def parts(page: Path) -> dict[str, list[str]]:
    """Return the ids in the article of a page, sorted, and its numbers in their order."""
    text = page.read_text(encoding="utf-8")
    text = (ARTICLE.search(text) or [text])[0]
    ids = re.findall(r'\bid="([^"]*)"', text)
    return {"id": sorted(name for name in ids if not COUNTED.fullmatch(name))} | {
        what: [unescape(re.sub(r"<[^>]*>", "", value)) for value in pattern.findall(text)]
        for what, pattern in NUMBERS.items()
    }


def pages(site: Path) -> dict[str, dict[str, list[str]]]:
    return {name: parts(file) for file in sorted(site.rglob("*.html"))
            if not (name := file.relative_to(site).as_posix()).startswith(BESIDE)}


def main(one: Path, other: Path) -> int:
    first, second = pages(one), pages(other)
    said = [f"{name}: a page only of {one if name in first else other}"
            for name in sorted(first.keys() ^ second.keys())]
    total: Counter[str] = Counter()
    for name in sorted(first.keys() & second.keys()):
        for what, values in first[name].items():
            total[what] += len(values)
            here, there = Counter(values), Counter(second[name][what])
            for site, more in ((one, here - there), (other, there - here)):
                said += [f"{name}: {what} {value!r} only of {site}" for value in more]
            if here == there and values != second[name][what]:
                said.append(f"{name}: {what}, in another order")
    said += [f"{what}: none in {one}" for what in ("id", *NUMBERS) if not total[what]]
    print(*said[:40], sep="\n")
    print(f"{len(first)} and {len(second)} pages, {len(said)} differences;",
          ", ".join(f"{what}: {number:,}" for what, number in total.items()))
    return min(len(said), 1)


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:])))

"""Find what a built site tells about the machine and the moment of its building.

Two builds of one commit shall be equal byte for byte, and a reader has no use for where
or when a page was made.  Usage: ``python find_traces.py SITE``; exit 1 names each file
with a clock time, with the speed or the time of a progress bar, with the day of the
build (unless a stored result was made or checked on it), with the path of the checkout,
of the home, of Python or of temporary files, or with the name of the host.
"""

import re
import socket
import sys
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path

#: Files of these kinds are read; fonts and pictures are made elsewhere.
TEXTS = {
    ".html",
    ".ipynb",
    ".js",
    ".json",
    ".css",
    ".csv",
    ".md",
    ".svg",
    ".txt",
    ".xml",
}
#: A shorter name of a host, such as *vm*, may be a word of a page; *localhost* is no name.
SHORTEST_HOST = 6
#: A clock time with seconds, or a bar of tqdm: ``00:03<00:12, 3.50it/s``.
TIMES = (
    r"(?<![\w:.])(?:[01]?\d|2[0-3]):[0-5]\d:[0-5]\d(?![\w:])",
    r"\d\d:\d\d<(?:\d\d:\d\d|\?)",
    r"\d(?:\.\d+)? ?(?:it|fit|chapter)/s\b",
)


def patterns(root: Path, today: date, host: str) -> dict[str, str]:
    """Return a regular expression for each kind of trace, by its name."""
    places = {root, Path.home(), Path(sys.prefix), Path(tempfile.gettempdir())}
    paths = [rf"(?<![\w.-]){re.escape(str(place))}/" for place in sorted(places)]
    found = {"a clock time": "|".join(TIMES), "a path of this machine": "|".join(paths)}
    results = (root / "book" / "results").glob("*.json")
    if not any(
        today.isoformat() in file.read_text(encoding="utf-8") for file in results
    ):
        days = (today.isoformat(), f"{today:%d %b %Y}", f"{today:%b %d, %Y}")
        found["the day of the build"] = "|".join(rf"\b{day}\b" for day in days)
    if len(host) >= SHORTEST_HOST and host != "localhost":
        found["the name of the host"] = rf"(?<![\w.-]){re.escape(host)}(?![\w-])"
    return found


def traces(site: Path, kinds: dict[str, str]) -> Iterator[str]:
    """Yield a line for each file and kind of trace, with the first of its places."""
    for file in sorted(site.rglob("*")):
        if file.suffix not in TEXTS:
            continue
        text = file.read_text(encoding="utf-8", errors="replace")
        for kind, pattern in kinds.items():
            if match := re.search(pattern, text):
                around = text[max(0, match.start() - 40) : match.end() + 40]
                yield f"{file.relative_to(site)}: {kind}: ...{around.strip()}..."


if __name__ == "__main__":
    root = Path(__file__).resolve().parents[1]
    lines = [
        *traces(Path(sys.argv[1]), patterns(root, date.today(), socket.gethostname()))
    ]
    print("\n".join(lines) or "no time, path or host was found")
    sys.exit(bool(lines))

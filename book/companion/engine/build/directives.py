"""Directives in the Markdown of a chapter: blocks such as ``:::{exercise} Title``."""

import re
from collections.abc import Callable
from dataclasses import dataclass

_OPENING = re.compile(r"(:{3,}|`{3,})(?:\{([\w:-]+)\})?[ \t]*(.*)")
_OPTION = re.compile(r":([\w-]+):[ \t]*(.*)")


@dataclass(frozen=True)
class Directive:
    """One directive: ``name`` and ``argument`` from its first line, its options, its body."""

    name: str
    argument: str
    options: dict[str, str]
    body: str

    @property
    def classes(self) -> list[str]:
        return self.options.get("class", "").split()


def replace(text: str, change: Callable[[Directive], str | None]) -> str:
    """Replace each directive in a text by the result of `change`; None leaves it unchanged.

    Directives within directives are part of a body.  Blocks of code have no directives.
    If nothing is left of a directive, the empty lines after it are also removed.
    """
    lines = text.split("\n")
    parts: list[str] = []
    start = 0
    while start < len(lines):
        end = start + 1
        if opening := _OPENING.fullmatch(lines[start]):
            end = _end(lines, start, opening[1])
            if opening[2]:
                new = change(_read(opening, lines[start + 1 : end - 1]))
                while new == "" and end < len(lines) and not lines[end].strip():
                    end += 1
                if new is not None:
                    parts += [new] if new else []
                    start = end
                    continue
        parts += lines[start:end]
        start = end
    return "\n".join(parts)


def _end(lines: list[str], start: int, fence: str) -> int:
    """Return the index after the line that closes the fence; the end of the text if none does."""
    closing = re.compile(rf"{fence[0]}{{{len(fence)},}}[ \t]*")
    found = (i for i in range(start + 1, len(lines)) if closing.fullmatch(lines[i]))
    return next(found, len(lines)) + 1


def _read(opening: re.Match, inside: list[str]) -> Directive:
    options = {}
    while inside and (option := _OPTION.fullmatch(inside[0])):
        options[option[1]] = option[2].strip()
        inside = inside[1:]
    return Directive(
        opening[2], opening[3].strip(), options, "\n".join(inside).strip("\n")
    )

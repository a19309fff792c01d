"""Make a Matplotlib SVG small enough for a page: the same picture with a fifth of the bytes.

Matplotlib writes the style of every mark in full, names every group, and gives six decimals of a
point.  Here each style becomes a class, unused names are dropped, lines are written as steps, and
numbers are rounded to a hundredth of a point.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import count, pairwise
from xml.etree import ElementTree

_SPACE = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_REFERENCE = re.compile(r"url\(#([^)]*)\)")
_TEXTS = {"text", "tspan"}
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:e-?\d+)?")
_ONE_LINE = re.compile(rf"M({_NUMBER.pattern}) ?({_NUMBER.pattern})([hvl][^a-zA-Z]*)")
_TOKEN = re.compile(rf"[A-Za-z]|{_NUMBER.pattern}")


def compact(svg: str, prefix: str) -> str:
    """Return the picture with short names, all of which begin with `prefix`.

    Parameters
    ----------
    svg : str
        As written by Matplotlib.
    prefix : str
        Different for each picture on a page.
    """
    root = ElementTree.fromstring(svg)
    for element in root.iter():
        element.tag = element.tag.removeprefix(_SPACE)
        if _LINK in element.attrib:
            element.set("href", element.attrib.pop(_LINK))
        if element.tag not in _TEXTS:
            element.text = None
        if element.tag != "tspan":
            element.tail = None
    for parent in list(root.iter()):
        for child in parent.findall("metadata") + parent.findall("style"):
            parent.remove(child)
    _rename(root, prefix)
    _round(root)
    _flatten(root)
    _join_letters(root)
    _join_ticks(root)
    _join_lines(root)
    _clip_groups(root)
    style = ElementTree.Element("style")
    style.text = "".join(_as_classes(root, prefix))
    root.insert(0, style)
    root.set("xmlns", "http://www.w3.org/2000/svg")
    return ElementTree.tostring(root, encoding="unicode").replace(" />", "/>")


def _rename(root: ElementTree.Element, prefix: str) -> None:
    """Number the ids that are used, and drop the others."""
    names = count()
    new: dict[str, str] = {}
    for element in root.iter():
        for key, text in element.items():
            found = [text[1:]] if _is_name(key, text) else _REFERENCE.findall(text)
            new |= {name: f"{prefix}-{next(names)}" for name in found if name not in new}
    for element in root.iter():
        for key, text in list(element.items()):
            if key == "id":
                del element.attrib[key]
                if text in new:
                    element.set(key, new[text])
            elif _is_name(key, text):
                element.set(key, f"#{new[text[1:]]}")
            elif "url(#" in text:
                element.set(key, _REFERENCE.sub(lambda m: f"url(#{new[m[1]]})", text))


def _is_name(key: str, text: str) -> bool:
    """Return whether an attribute names another element; for an image it is the image itself."""
    return key == "href" and text.startswith("#")


def _round(root: ElementTree.Element) -> None:
    """Round positions to a hundredth of a point; scales keep their digits."""
    for element in root.iter():
        for key in {"d", "x", "y", "width", "height", "transform"} & set(element.keys()):
            text = element.get(key)
            if text.startswith("rotate(-0 "):
                del element.attrib[key]
            elif key == "d":
                element.set(key, _path(_TOKEN.findall(text)))
            elif "scale" not in text and "matrix" not in text:
                element.set(key, _NUMBER.sub(lambda number: _short(100 * float(number[0])), text))


def _path(tokens: list[str]) -> str:
    """Write a path; one of straight lines becomes steps from each point to the next."""
    if not set(filter(str.isalpha, tokens)) <= {"M", "L", "z"}:
        parts = (one if one.isalpha() else f" {_short(100 * float(one))}" for one in tokens)
        return re.sub(r"([A-Za-z]) ", r"\1", "".join(parts))
    written: list[str] = []
    points: list[list[int]] = []
    for command, *numbers in _commands(tokens):
        if command in "Mz":
            written += _line(points)
            points = []
        if command == "z":
            written.append("z")
        else:
            points.append([round(100 * float(number)) for number in numbers])
    return "".join([*written, *_line(points)])


def _commands(tokens: list[str]) -> Iterator[list[str]]:
    starts = [i for i, token in enumerate(tokens) if token.isalpha()]
    for start, end in zip(starts, [*starts[1:], len(tokens)]):
        yield tokens[start:end]


def _line(points: list[list[int]]) -> Iterator[str]:
    """Write a line through points, which are whole hundredths."""
    if not points:
        return
    yield f"M{_joined(points[0])}"
    steps: list[tuple[int, int]] = []
    for (x, y), (to_x, to_y) in pairwise(points):
        x, y = to_x - x, to_y - y
        last_x, last_y = steps[-1] if steps else (0, 0)
        if last_x * y == last_y * x and last_x * x + last_y * y > 0:  # straight on
            steps[-1] = last_x + x, last_y + y
        elif x or y:
            steps.append((x, y))
    letter = ""
    for x, y in steps or [(0, 0)]:  # even a single point may have a cap
        before, letter = letter, "h" if y == 0 else "v" if x == 0 else "l"
        numbers = _joined({"h": [x], "v": [y], "l": [x, y]}[letter])
        gap = "" if numbers.startswith("-") else " "
        yield f"{gap}{numbers}" if letter == before else f"{letter}{numbers}"


def _joined(hundredths: Sequence[float]) -> str:
    return " ".join(map(_short, hundredths)).replace(" -", "-")


def _short(hundredths: float) -> str:
    text = f"{hundredths / 100:.2f}".rstrip("0").rstrip(".")
    return re.sub(r"^(-?)0\.", r"\1.", "0" if text == "-0" else text)


def _flatten(element: ElementTree.Element) -> None:
    """Replace a group without attributes by its children."""
    for child in element:
        _flatten(child)
    flat: list[ElementTree.Element] = []
    for child in element:
        flat += list(child) if child.tag == "g" and not child.attrib else [child]
    element[:] = flat


def _join_letters(root: ElementTree.Element) -> None:
    """Join the letters of a formula that have the same style and line into one element.

    It has a position for each letter; Matplotlib writes one element for each.
    """
    for text in root.iter("text"):
        if not len(text) or (text.text or "").strip():
            continue
        text.text, joined = None, []
        for letters in text:
            letters.tail = None
            kept = joined[-1] if joined else None
            alike = kept is not None and all(
                kept.get(key) == letters.get(key) for key in ("y", "style")
            )
            if alike:
                kept.text += letters.text
                kept.set("x", f"{kept.get('x')} {letters.get('x')}")
            else:
                joined.append(letters)
        text[:] = joined


def _join_ticks(root: ElementTree.Element) -> None:
    """Make one path of all uses of a mark that is a single line: a tick, the end of a bar."""
    marks = {f"#{mark.get('id')}": mark for mark in root.iter("path") if mark.get("id")}
    for parent in list(root.iter()):
        joined: dict[tuple[str, ...], ElementTree.Element] = {}
        for use in parent.findall("use"):
            mark = marks.get(use.get("href"))
            if mark is None or not (line := _ONE_LINE.fullmatch(mark.get("d"))):
                continue
            x, y = (float(use.get(axis)) + float(line[i]) for i, axis in ((1, "x"), (2, "y")))
            tick = f"M{_joined([100 * x, 100 * y])}{line[3]}"
            style = f"{use.get('style', '')}; {mark.get('style', '')}"
            clip = {key: text for key, text in use.items() if key == "clip-path"}
            path = joined.setdefault((line[0], style, *clip.values()), use)
            if path is use:
                path.tag, path.attrib = "path", {"d": tick, "style": style, **clip}
            else:
                path.set("d", path.get("d") + tick)
                parent.remove(use)
    for parent in list(root.iter()):
        for marks_here in parent.findall("defs"):
            for mark in marks_here.findall("path"):
                if _ONE_LINE.fullmatch(mark.get("d")):
                    marks_here.remove(mark)
            if not len(marks_here):
                parent.remove(marks_here)


def _join_lines(root: ElementTree.Element) -> None:
    """Make one path of consecutive lines in the same style: the parts of an error bar.

    Transparent lines stay separate, because they are darker where they cross.
    """
    for parent in list(root.iter()):
        last = ElementTree.Element("none")
        for part in list(parent):
            style = part.get("style", "")
            alike = part.tag == last.tag == "path" and all(
                part.get(key) == last.get(key) for key in {*part.keys(), *last.keys()} - {"d"}
            )
            if alike and "fill: none" in style and "opacity" not in style:
                last.set("d", last.get("d", "") + part.get("d", ""))
                parent.remove(part)
            else:
                last = part


def _clip_groups(root: ElementTree.Element) -> None:
    """Clip a group rather than each of its parts."""
    for group in root.iter("g"):
        clips = {part.get("clip-path") for part in group}
        own = group.get("clip-path")
        if len(clips) == 1 and None not in clips and (own is None or own in clips):
            group.set("clip-path", *clips)
            for part in group:
                del part.attrib["clip-path"]


def _as_classes(root: ElementTree.Element, prefix: str) -> Iterator[str]:
    """Give elements a class for their style and clip path, and yield the rules."""
    classes: dict[str, str] = {}
    for element in root.iter():
        parts = element.attrib.pop("style", "").split("; ") if element is not root else []
        if clip := element.attrib.pop("clip-path", ""):
            parts.append(f"clip-path: {clip}")
        parts = [part for part in parts if part and part != "stroke-dashoffset: 0"]  # the default
        if style := "; ".join(dict.fromkeys(parts)):
            known = classes.setdefault(style, f"{prefix}{len(classes)}")
            element.set("class", known)
    for style, name in classes.items():
        yield f".{name}{{{style.replace(': ', ':').replace('; ', ';')}}}"

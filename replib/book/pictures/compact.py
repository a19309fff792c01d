"""A Matplotlib SVG that is small enough to stand in a page: same picture, a fifth of the bytes.

Matplotlib writes the style of every mark in full, names every group, and gives six decimals of a
point.  Here each style becomes a class, names that nobody refers to go, and a hundredth of a point
is enough.
"""

import re
from collections.abc import Iterator
from itertools import count
from xml.etree import ElementTree

_SPACE = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_REFERENCE = re.compile(r"url\(#([^)]*)\)")
_TEXTS = {"text", "tspan"}


def compact(svg: str, prefix: str) -> str:
    """The picture with short names, all of which begin with `prefix`.

    Parameters
    ----------
    svg : str
        As Matplotlib writes it.
    prefix : str
        Pictures that share a page need different ones.
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
    style = ElementTree.Element("style")
    style.text = "".join(_as_classes(root, prefix))
    root.insert(0, style)
    root.set("xmlns", "http://www.w3.org/2000/svg")
    return ElementTree.tostring(root, encoding="unicode")


def _rename(root: ElementTree.Element, prefix: str) -> None:
    """Number the ids that are referred to, and drop the others."""
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
    """Whether an attribute names another element; that of an image has the image itself."""
    return key == "href" and text.startswith("#")


def _round(root: ElementTree.Element) -> None:
    """Positions to a hundredth of a point; scales keep their digits."""
    for element in root.iter():
        for key in {"d", "x", "y", "width", "height", "transform"} & set(element.keys()):
            text = element.get(key)
            if text.startswith("rotate(-0 "):
                del element.attrib[key]
                continue
            if "scale" not in text and "matrix" not in text:
                text = re.sub(r"-?\d+\.\d+(e-?\d+)?", _hundredths, text)
            if key == "d":
                text = re.sub(r"\s*([A-Za-z])\s*", r"\1", " ".join(text.split()))
            element.set(key, text)


def _hundredths(number: re.Match) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def _flatten(element: ElementTree.Element) -> None:
    """Put the children of a group that says nothing in its place."""
    for child in element:
        _flatten(child)
    flat: list[ElementTree.Element] = []
    for child in element:
        flat += list(child) if child.tag == "g" and not child.attrib else [child]
    element[:] = flat


def _join_letters(root: ElementTree.Element) -> None:
    """Formulas have an element a letter: make one of those of a style on a line, with a place a
    letter."""
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


def _as_classes(root: ElementTree.Element, prefix: str) -> Iterator[str]:
    """Give elements a class for their style, and yield the rules."""
    classes: dict[str, str] = {}
    for element in root.iter():
        if element is not root and (style := element.attrib.pop("style", "")):
            known = classes.setdefault(style, f"{prefix}{len(classes)}")
            element.set("class", known)
    for style, name in classes.items():
        yield f".{name}{{{style.replace(': ', ':').replace('; ', ';')}}}"

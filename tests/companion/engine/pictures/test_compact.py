"""A compact picture is the same picture."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from companion.engine.pictures.compact import compact

SVG = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
 viewBox="0 0 10 10"><metadata>who made it</metadata>
 <defs><style type="text/css">*{a: b}</style></defs>
 <g id="figure_1"><g id="patch_1"><path d="M 0.123456 7.5
L 1.999 2 z" clip-path="url(#clip)" style="fill: none; stroke: #010101"/></g>
 <!-- a remark --><defs><path id="mark" d="M 0 0 L 0 3.5 L 1 1"/></defs>
 <use xlink:href="#mark" x="1.23456" y="2" style="fill: none; stroke: #010101"/>
 <g transform="translate(1.23456 0) scale(0.015625)">
 <text style="fill: red">two <tspan>words</tspan> here</text></g>
 </g><clipPath id="clip"><rect width="9.87654" height="1"/></clipPath></svg>"""


@pytest.fixture
def root():
    return parsed(SVG)


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(
        compact(svg, "p").replace(' xmlns="http://www.w3.org/2000/svg"', "")
    )


def points(d: str) -> list[tuple[float, float]]:
    """Where a path of lines goes, by the rules of SVG."""
    tokens = re.findall(r"[A-Za-z]|-?(?:\d*\.\d+|\d+)", d)
    found, at, command = [], [0.0, 0.0], ""
    while tokens:
        command = tokens.pop(0) if tokens[0].isalpha() else command
        if command == "z":
            continue
        for axis in {"h": (0,), "v": (1,)}.get(command, (0, 1)):
            at[axis] = float(tokens.pop(0)) + (0 if command in "ML" else at[axis])
        found.append(tuple(at))
    return found


def path(d: str) -> str:
    return parsed(f'<svg xmlns="http://www.w3.org/2000/svg"><path d="{d}"/></svg>')[1].get("d")


def test_positions_are_those_of_the_picture(root):
    line = root.find("path").get("d")
    assert np.allclose(points(line), [(0.123456, 7.5), (1.999, 2)], atol=0.005)
    assert line.endswith("z")
    assert "scale(0.015625)" in root.find(".//g").get("transform")


@pytest.mark.parametrize("scale", [0.02, 1, 300])
def test_steps_of_a_line_lead_where_the_line_goes(scale):
    line = np.random.default_rng(3).normal(scale=scale, size=(2000, 2)).cumsum(axis=0)
    line[500:600, 0] = line[500, 0]
    line[600:700, 1] = line[600, 1]
    short = path("M " + "\nL ".join(f"{x:.6f} {y:.6f}" for x, y in line))
    found = np.array(points(short))
    rounded = line.round(2)
    in_order = iter(map(tuple, rounded.tolist()))
    assert all(tuple(point) in in_order for point in found.round(2).tolist())
    assert np.allclose(found[[0, -1]], rounded[[0, -1]], atol=1e-6)

    def length(places):
        return np.linalg.norm(np.diff(places, axis=0), axis=1).sum()

    assert np.isclose(length(found), length(rounded))  # what is left out lies on the way


def test_lines_end_and_begin_where_they_did():
    two = path("M 1 2 L 3 2 L 3 5 z M 7 7 L 7 7 M 0.5 -0.25 L -0.5 -0.75")
    assert two == "M1 2h2v3zM7 7h0M.5-.25l-1-.5"


def test_a_curve_keeps_its_places():
    assert path("M 0.5 -0.126 C 1 2 3 4.004 5 6 Q 1 2 -0.001 4") == "M.5 -.13C1 2 3 4 5 6Q1 2 0 4"


def test_names_are_short_unique_and_lead_to_what_they_named(root):
    ids = {element.get("id"): element for element in root.iter() if element.get("id")}
    assert all(name.startswith("p-") for name in ids) and len(ids) == 2
    assert ids[root.find(".//use").get("href")[1:]].tag == "path"
    clip = re.search(r"clip-path:url\(#(.*?)\)", root.find("style").text)[1]
    assert ids[clip].tag == "clipPath"


def test_an_image_and_a_hatch_are_kept():
    svg = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
      <defs><pattern id="h1"><path d="M 0 0"/></pattern></defs><path style="fill: url(#h1)"/>
      <image xlink:href="data:image/png;base64,AAAA" id="image1"/></svg>"""
    root = ElementTree.fromstring(compact(svg, "p"))
    space = "{http://www.w3.org/2000/svg}"
    assert root.find(f".//{space}image").get("href") == "data:image/png;base64,AAAA"
    pattern = root.find(f".//{space}pattern").get("id")
    assert f"url(#{pattern})" in root.find(f"{space}style").text


def test_every_mark_keeps_its_style(root):
    rules = dict(re.findall(r"\.(\w+)\{([^}]*)\}", root.find("style").text))
    drawn = {e.tag: rules[e.get("class")] for e in root.iter() if e.get("class")}
    assert drawn == {"path": "fill:none;stroke:#010101;clip-path:url(#p-0)",
                     "use": "fill:none;stroke:#010101",
                     "text": "fill:red"}


def test_text_is_kept_and_remarks_are_not(root):
    assert "".join(root.find(".//text").itertext()) == "two words here"
    text = ElementTree.tostring(root, encoding="unicode")
    assert "remark" not in text and "who made it" not in text and "{a: b}" not in text


def test_marks_that_look_alike_have_their_look_once_and_ticks_are_one_path():
    look = 'style="stroke: #010101"'
    marks = "".join(f'<use xlink:href="#{of}" x="{x}" y="2" {look}/>'
                    for of in ("tick", "mark") for x in (1, 2, 3))
    root = parsed(SVG.replace("</defs>", '<path id="tick" d="M 0 0 L 0 3.5"/></defs>', 1).replace(
        "<!-- a remark -->", marks))
    (group,) = (one for one in root.iter("g") if len(one) == 4)
    ticks, *others = group
    assert ticks.get("d") == "M1 2v3.5M2 2v3.5M3 2v3.5"
    assert [one.get("x") for one in others] == ["1", "2", "3"]
    assert group.get("class") and not any("class" in one.attrib for one in others)

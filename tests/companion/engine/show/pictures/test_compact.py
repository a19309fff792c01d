"""A compact picture is the same picture."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from companion.engine.show.pictures.compact import compact

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


def test_ticks_are_one_path_at_their_places_in_their_style():
    svg = parsed("""<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
      <defs><path id="t" d="M 0 .5 L 0 -3" style="stroke: #010101"/></defs>
      <g><use xlink:href="#t" x="1.5" y="2" style="stroke-width: 0.8"/><text>a</text>
      <use xlink:href="#t" x="7" y="-2" style="stroke-width: 0.8"/></g>
      <defs><path id="o" d="M 0 0 C 1 1 2 2 3 3"/></defs><use xlink:href="#o" x="1" y="2"/>
      </svg>""")
    tick = svg.find(".//path[@class]")
    assert tick.get("d") == "M1.5 2.5v-3.5M7-1.5v-3.5"
    assert f".{tick.get('class')}{{stroke-width:0.8;stroke:#010101}}" in svg.find("style").text
    assert [use.get("href") for use in svg.iter("use")] == ["#p-1"]


def test_lines_that_are_clipped_stay_clipped():
    svg = parsed("""<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
      <clipPath id="c"/><defs><path id="t" d="M 2 0 L -2 0" style="stroke: #010101"/></defs>
      <use xlink:href="#t" x="1" y="2" clip-path="url(#c)"/><use xlink:href="#t" x="5" y="2"/>
      <use xlink:href="#t" x="3" y="4" clip-path="url(#c)"/></svg>""")
    rules = dict(re.findall(r"\.(\w+)\{([^}]*)\}", svg.find("style").text))
    assert [(path.get("d"), rules[path.get("class")]) for path in svg.iter("path")] == [
        ("M3 2h-4M5 4h-4", "stroke:#010101;clip-path:url(#p-0)"), ("M7 2h-4", "stroke:#010101")]


def test_lines_of_a_style_that_follow_one_another_are_one_path_unless_they_are_seen_through():
    line, faint = "fill: none; stroke: #010101", "fill: none; stroke-opacity: 0.5"
    svg = parsed(f"""<svg xmlns="http://www.w3.org/2000/svg"><clipPath id="c"/><g style="a: b">
      <path d="M 0 0 L 1 0" style="{line}"/><path d="M 5 5 L 5 6" style="{line}"/>
      <path d="M 2 0 L 3 0" style="{line}" clip-path="url(#c)"/><text>a</text>
      <path d="M 4 0 L 5 0" style="{line}" clip-path="url(#c)"/>
      <path d="M 0 0 L 1 0" style="{faint}"/><path d="M 0 1 L 1 1" style="{faint}"/>
      <path d="M 0 0 L 1 0" style="fill: red"/><path d="M 0 1 L 1 1" style="fill: red"/>
      </g></svg>""")
    assert [path.get("d") for path in svg.iter("path")] == [
        "M0 0h1M5 5v1", "M2 0h1", "M4 0h1", "M0 0h1", "M0 1h1", "M0 0h1", "M0 1h1"]


def test_definitions_of_nothing_are_left_out():
    svg = parsed("""<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
      <g><defs><path d="M 0 0 L 0 3" id="t"/></defs><use xlink:href="#t" x="1" y="2"/></g></svg>""")
    assert [element.tag for element in svg] == ["style", "path"]


def test_a_group_is_clipped_if_each_of_its_parts_is():
    svg = parsed("""<svg xmlns="http://www.w3.org/2000/svg"><clipPath id="c"/><clipPath id="d"/>
      <g style="a: b"><path d="M 0 0" clip-path="url(#c)"/><path d="M 1 0" clip-path="url(#c)"/></g>
      <g style="a: b"><path d="M 2 0" clip-path="url(#c)"/><path d="M 3 0" clip-path="url(#d)"/></g>
      </svg>""")
    rules = dict(re.findall(r"\.(\w+)\{([^}]*)\}", svg.find("style").text))
    styles = [[rules.get(e.get("class")) for e in group.iter()] for group in svg.iter("g")]
    first, second = (f"clip-path:url(#p-{number})" for number in (0, 1))
    assert styles == [[f"a:b;{first}", None, None], ["a:b", first, second]]


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


def test_letters_of_a_formula_keep_their_places():
    svg = """<svg xmlns="http://www.w3.org/2000/svg"><text>
      <tspan x="0" y="1" style="a: b">r</tspan>
      <tspan x="4.52" y="1" style="a: b"> </tspan>
      <tspan x="6.128" y="1" style="a: b">x</tspan>
      <tspan x="9" y="3" style="a: b">2</tspan></text></svg>"""
    root = ElementTree.fromstring(compact(svg, "p"))
    places = [(e.text, e.get("x"), e.get("y")) for e in root.iter() if e.get("x")]
    assert places == [("r x", "0 4.52 6.13", "1"), ("2", "9", "3")]


def test_text_is_kept_and_remarks_are_not(root):
    assert "".join(root.find(".//text").itertext()) == "two words here"
    text = ElementTree.tostring(root, encoding="unicode")
    assert "remark" not in text and "who made it" not in text and "{a: b}" not in text

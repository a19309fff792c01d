"""A compact picture is the same picture."""

import re
from xml.etree import ElementTree

import numpy as np
import pytest

from replib.book.pictures.compact import compact

SVG = """<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"
 viewBox="0 0 10 10"><metadata>who made it</metadata>
 <defs><style type="text/css">*{a: b}</style></defs>
 <g id="figure_1"><g id="patch_1"><path d="M 0.123456 7.5
L 1.999 2 z" clip-path="url(#clip)" style="fill: none; stroke: #010101"/></g>
 <!-- a remark --><defs><path id="mark" d="M 0 0 L 0 3.5"/></defs>
 <use xlink:href="#mark" x="1.23456" y="2" style="fill: none; stroke: #010101"/>
 <g transform="translate(1.23456 0) scale(0.015625)">
 <text style="fill: red">two <tspan>words</tspan> here</text></g>
 </g><clipPath id="clip"><rect width="9.87654" height="1"/></clipPath></svg>"""


@pytest.fixture
def root():
    svg = compact(SVG, "p").replace(' xmlns="http://www.w3.org/2000/svg"', "")
    return ElementTree.fromstring(svg)


def test_positions_are_those_of_the_picture(root):
    path = root.find(".//path[@clip-path]")
    numbers = [float(x) for x in re.findall(r"-?\d+\.?\d*", path.get("d"))]
    assert np.allclose(numbers, [0.123456, 7.5, 1.999, 2], atol=0.005)
    assert re.findall("[A-Za-z]", path.get("d")) == ["M", "L", "z"]
    assert "scale(0.015625)" in root.find(".//g").get("transform")


def test_names_are_short_unique_and_lead_to_what_they_named(root):
    ids = {element.get("id"): element for element in root.iter() if element.get("id")}
    assert all(name.startswith("p-") for name in ids) and len(ids) == 2
    assert ids[root.find(".//use").get("href")[1:]].tag == "path"
    clip = re.fullmatch(r"url\(#(.*)\)", root.find(".//path[@clip-path]").get("clip-path"))[1]
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
    assert drawn == {"path": "fill:none;stroke:#010101", "use": "fill:none;stroke:#010101",
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

"""A figure in a page: the same bytes each time, the page's colours, and names of its own."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

from companion.engine.show.pictures import style

BOOK = Path(__file__).resolve().parents[5] / "book"


def shown(slope=1.0):
    fig = Figure()
    ax = fig.subplots()
    ax.plot([0, 1], [0, slope], "o-", color=style.BLUE)
    ax.set(xlabel="$r^2$", ylabel="y (%)")
    return style.show(fig, alt='The "line"\n rises')


def test_a_figure_is_the_same_each_time_and_has_no_date():
    assert shown().svg == shown().svg
    assert not re.search(r"<\?xml|<!DOCTYPE|<metadata|\b20\d\d-\d\d", shown().svg)


def test_its_colours_are_those_of_the_page_and_its_rules_stay_inside():
    svg = shown().svg
    assert f"var(--replib-blue, {style.BLUE})" in svg and "currentColor" in svg
    assert style.INK not in svg and "<style" not in svg


def test_an_accent_has_one_value_on_light_pages():
    """Where to change a colour: the name of the file is in the message."""
    light = re.search(
        r":root \{(.*?)\}", (BOOK / "_static/replib.css").read_text(), re.DOTALL
    )
    places = {"replib.css": re.findall(r"--replib-(\w+): (#\w+)", light.group(1))}
    for script in BOOK.glob("companion/engine/templates/*.js"):
        found = re.findall(r"var\(--replib-(\w+), (#\w+)\)", script.read_text())
        places[script.name] = found
    accents = ("blue", "red", "green", "purple", "amber", "grey")
    expected = {name: getattr(style, name.upper()) for name in accents}
    assert dict(places["replib.css"]).keys() >= expected.keys()
    for file, values in places.items():
        for name, value in values:
            assert value == expected.get(name, value), (file, name)


def test_two_figures_of_a_page_share_no_names():
    first, second = (ElementTree.fromstring(shown(slope).svg) for slope in (1.0, 2.0))
    names = [
        {x.get("id") for x in root.iter() if x.get("id")} for root in (first, second)
    ]
    assert names[0] and not names[0] & names[1]
    for root, own in zip((first, second), names):
        text = ElementTree.tostring(root, encoding="unicode")
        assert set(re.findall(r'href="#([^"]*)"|url\(#([^)]*)\)', text)) and own >= {
            name
            for pair in re.findall(r'href="#([^"]*)"|url\(#([^)]*)\)', text)
            for name in pair
            if name
        }


def test_a_figure_has_a_text_for_those_who_cannot_see_it():
    root = ElementTree.fromstring(shown().svg)
    assert (root.get("role"), root.get("aria-label")) == ("img", 'The "line" rises')
    with pytest.raises(ValueError, match="alternative text"):
        style.show(Figure(), alt=" ")

"""What a parameter can change: all its effects are found, and clean names stay clean."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from companion.engine.build import chapters, reach
from companion.engine.show import display

NAMES = st.sampled_from(["x", "y", "z"])
#: Kinds of statement of which programs are made; `a`, `b`, `c` are names.
STATEMENTS = [
    "{a} = {b} + {c}", "{a} += {b}", "{a} = [{b}, {c}][0]", "{a} = (lambda: {b})()",
    "def f({a}=0):\n    return {a} + {b}\n{c} = f()",
    "for i in range({a}):\n    {b} = {c} + i",
    "for i in range(3):\n    {a} = {b}\n    {b} = {c}",
    "if {a} > 2:\n    {b} = {c}\nelse:\n    {b} = 5",
    "try:\n    {a} = 1 // ({b} - 4)\nexcept ZeroDivisionError:\n    {c} = 9",
    "box = [{a}]\nbox.append({b})\n{c} = sum(box)",
    "box = dict(k={a})\nbox['l'] = {b}\n{c} = sum(box.values())",
    "box = dict(k=1)\nbox.update(l={a})\n{b} = sum(box.values())",
    "{a} = sum({b} for i in range(2))", "{a} = 7",
]


@settings(max_examples=400)
@given(st.lists(st.tuples(st.sampled_from(STATEMENTS), NAMES, NAMES, NAMES), max_size=6))
def test_what_does_change_is_found(program):
    cells = ["x, y, z = 1, 2, 3", "x = n"]
    cells += [text.format(a=a, b=b, c=c) for text, a, b, c in program]
    shown = []
    for n in (4, 6):
        names = {"n": n}
        exec("\n".join(cells), names)
        shown.append([names[name] for name in "xyz"])
    for name, first, second in zip("xyz", *shown):
        assume(abs(first) < 10**6)
        if first != second:
            assert reach.reached_by("n", [*cells, name])["table"] == 1


@pytest.mark.parametrize("cells, found", [
    (["book.glue(a=n, b=2, c=3 * n)"], {"number": 2}),
    (["rows = f(n)", "book.ledger(rows, chapter='x')"], {"ledger": 1}),
    (["judged = book.ledger(f(n), chapter='x')", "judged.counts()", "judged"], {"ledger": 2}),
    (["plotting.show(picture(n), alt='')"], {"figure": 1}),
    (["print(n)\nfor i in range(3):\n    print(i, n)"], {"line": 2}),
    (["n = 3", "n"], {}),
    (["x = n\nx = 3", "x"], {}),
    (["if flag:\n    x = n\nelse:\n    x = 1", "x"], {"table": 1}),
    (["import pandas as pd\npd.set_option('k', n)\npd.DataFrame()"], {}),
    (["frame.assign(x=n)", "frame"], {"table": 1}),
    (["setting = {'n': n}", "g(**setting)"], {"table": 1}),
])
def test_what_is_shown_is_counted_by_its_kind(cells, found):
    assert {k: v for k, v in reach.reached_by("n", cells).items() if v} == found


@pytest.mark.parametrize("found, words", [
    ({}, "nothing that is shown"),
    ({"figure": 1}, "1 figure, but not the ledger"),
    ({"number": 2, "table": 1}, "2 numbers of the text and 1 table, but not the ledger"),
    ({"ledger": 3, "number": 1}, "the ledger and 1 number of the text"),
])
def test_in_words(found, words):
    assert reach.in_words(reach.Counter(found), has_ledger=True) == words


def test_every_parameter_of_the_book_changes_something_and_the_card_says_what():
    for chapter in chapters.chapters():
        card = display.card(chapter.name)._repr_html_()
        for name, words in reach.of_parameters(chapter).items():
            assert words != "nothing that is shown", (chapter.name, name)
            assert words in card, (chapter.name, name)


@pytest.mark.parametrize("name", ["sampling_schemes_compared", "consistency_by_source"])
def test_the_level_of_stored_decisions_reaches_the_ledger(name):
    """They are stored for one level; at another they are simulated, and the ledger changes."""
    words = reach.of_parameters(chapters.find(name))
    assert words["alpha"].startswith("the ledger") and words["simulated"].startswith("the ledger")
    assert words["recomputed"].endswith("but not the ledger")

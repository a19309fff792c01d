"""The form of a chapter: each declaration becomes a field that takes the values it allows."""

import pytest

from companion.engine.build import chapters
from companion.engine.build.parameters import Parameter
from companion.engine.show import display
from companion.engine.show.fields import field, typed


def declared(kind, default, allowed):
    return field(Parameter("x", kind, "unit", allowed, "what it is", default))


@pytest.mark.parametrize(
    "kind, default, keyboard",
    [("int", 10, "numeric"), ("float", 0.5, "decimal"), ("list[int]", [1], "text")],
)
def test_a_phone_offers_the_keys_of_the_type(kind, default, keyboard):
    assert declared(kind, default, "any").keyboard == keyboard


@pytest.mark.parametrize(
    "unit, what, description",
    [
        ("level", "of the tests", "level of the tests"),
        ("runs", "before which nobody stops", "runs before which nobody stops"),
        (
            "probability",
            "chance that it accepts",
            "probability: chance that it accepts",
        ),
        ("reading", "office hours", "reading: office hours"),  # not "of"
        ("none", "standard deviation", "standard deviation"),
    ],
)
def test_a_description_goes_on_after_the_unit(unit, what, description):
    assert field(Parameter("x", "int", unit, "any", what, 1)).description == description


def test_a_few_values_are_chosen_from():
    assert declared("str", "a", "one of a | b").choices == ("a", "b")
    assert declared("int", 5, "one of 5 | 10").choices == ("5", "10")
    assert declared("bool", True, "any").choices == ("true", "false")
    assert "diabetes" in declared("str", "iris", "one of the UCI data sets").choices


def test_lists_and_free_texts_are_typed():
    for kind, default, allowed in (
        ("list[int]", [1, 2], "1 to 10"),
        ("str", "a.b:C", "a class as in module:Class"),
    ):
        made = declared(kind, default, allowed)
        assert made.keyboard == "text" and not made.choices


def test_every_default_of_the_book_is_typed_and_read_again():
    for chapter in chapters.chapters():
        for parameter in chapter.parameters.values():
            made = field(parameter)
            assert parameter.read(made.value) == parameter.default
            assert not made.choices or made.value in made.choices


def test_the_card_has_a_field_for_each_parameter_but_those_of_the_book():
    html = display.card("studies_2_to_4")._repr_html_()
    assert (
        html.count(" data-default=")
        == len(chapters.find("studies_2_to_4").parameters) - 1
    )
    assert 'name="recomputed"' not in html and "small version" in html
    assert "small version" not in display.card("wins_and_losses")._repr_html_()
    assert "<form" not in display.card("scoreboard")._repr_html_()


def test_values_are_typed_as_the_command_reads_them():
    parameter = Parameter("x", "list[float]", "share", "any", "what", [0.5])
    assert parameter.read(typed([0.25, 1.0])) == [0.25, 1.0]

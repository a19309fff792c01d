"""The package as a whole."""

import replib


def test_the_rooms_of_the_library_are_listed():
    assert {"schemes", "significance", "theory", "designs"} <= set(dir(replib))

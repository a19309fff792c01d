"""A title of an exercise has no brackets in brackets, and its link begins with a word."""

from docutils import nodes

from companion.engine.sphinx import exercise_titles


def test_the_mark_of_an_exercise_follows_a_comma():
    title = nodes.title()
    title += [nodes.Text(" ("), nodes.Text("All agree (★, proof)"), nodes.Text(")")]
    exercise_titles.write_titles(None, nodes.container("", title), "any")
    assert title.astext().replace("\u00a0", "_") == " (All agree, ★_proof)"


def test_other_brackets_stay():
    title = nodes.title("", "Definition 8.1 (Task I (easy, short))")
    exercise_titles.write_titles(None, nodes.container("", title), "any")
    assert title.astext() == "Definition 8.1 (Task I (easy, short))"


def test_the_link_of_a_solution_begins_with_a_word():
    title = nodes.title("", "Solution to")
    title += nodes.reference("", "", nodes.Text(" Exercise 2.1"), nodes.Text(" (All)"))
    exercise_titles.write_titles(None, nodes.container("", title), "any")
    assert title.astext() == "Solution to Exercise 2.1 (All)"
    assert title[1].astext() == "Exercise 2.1 (All)"

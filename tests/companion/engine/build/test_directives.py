"""Directives are found where Markdown has them, and nowhere else."""

from companion.engine.build.directives import replace

TEXT = """Before.

:::{admonition} For the teacher
:class: teacher
Ten minutes.

```python
# ::: no end
```
:::

::::{exercise} A coin (★, code)
:label: ex-coin
Toss it.

:::{note}
Inside.
:::
::::

```text
:::{solution} not-one
:::
```
After."""


def test_directives_have_name_argument_options_and_body():
    found = []
    assert replace(TEXT, lambda directive: found.append(directive)) == TEXT
    note, exercise = found
    assert (note.name, note.argument, note.classes) == (
        "admonition",
        "For the teacher",
        ["teacher"],
    )
    assert note.body.startswith("Ten minutes.") and note.body.endswith("```")
    assert exercise.options == {"label": "ex-coin"}
    assert exercise.body == "Toss it.\n\n:::{note}\nInside.\n:::"


def test_what_is_replaced_leaves_the_rest_as_it_was():
    changed = replace(
        TEXT, lambda directive: "" if directive.name == "admonition" else None
    )
    before, after = changed.split("Before.\n\n")
    assert before == "" and after == TEXT.split("```\n:::\n\n")[1]


def test_a_directive_that_is_never_closed_ends_with_the_text():
    assert replace(":::{note}\nabc", lambda directive: f"<{directive.body}>") == "<abc>"

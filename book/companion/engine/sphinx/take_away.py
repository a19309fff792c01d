"""Writes the page to take away next to the first page, from the numbers of the first page."""

from pathlib import Path

from companion.engine.build import chapters

#: The chapter whose picture the page shows; a book without it has no page to take away.
_CHAPTER = "book/chapters/03_your_own_experiment"


def numbers(known: dict[str, str]) -> list[tuple[str, str]]:
    """Return the four numbers of the page with their words.

    `known` is `companion.engine.sphinx.landing.substitutions`.
    """
    return [
        (
            f"{known['seeds_found']} of {known['seeds']}",
            "people find a significant difference. They differ only in their random seeds.",
        ),
        (
            f"{known['torn_5x2']} of {known['data_sets']}",
            (
                f"data sets divide ten people who use 5×2cv, and {known['torn_10x10']} if they "
                "use ten runs of ten folds."
            ),
        ),
        (
            f"{known['plain_error']}%",
            "false alarms of the plain t test on ten runs of ten folds. It claims 5%.",
        ),
        (
            known["again_005"],
            (
                "is the chance that p = 0.05 is significant again on new data, if its effect "
                "is the true one."
            ),
        ),
    ]


def write(app, exception) -> None:
    """Write ``take_away.svg`` and ``take_away.pdf`` when the site is made."""
    if exception or app.builder.format != "html" or Path(app.srcdir) != chapters.ROOT:
        return
    if _CHAPTER not in app.env.found_docs:
        return
    # with all papers, which the page of a reader's copy does not need
    from companion import stored
    from companion.engine.show.pictures import take_away
    from companion.studies import short_book
    from replib import methods

    block = short_book.differences(stored.load("one_experiment"))
    page = take_away.one_page(
        numbers(app.config.myst_substitutions),
        short_book.beliefs(block)[10],
        methods.decision_table(),
    )
    take_away.write(page, Path(app.outdir) / "book")


def setup(app):
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

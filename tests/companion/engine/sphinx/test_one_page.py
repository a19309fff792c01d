"""The page of a copy: it takes the place of its chapter, and the other pages keep their numbers."""

from types import SimpleNamespace

from companion.engine.sphinx import one_page


def app_for(asked, env=None):
    builder = SimpleNamespace(asked=asked, notebook="yours", doctree=None)
    return SimpleNamespace(builder=builder, env=env)


def test_only_the_page_that_is_asked_for_is_read_from_the_copy():
    for name, read in (("a", "yours"), ("b", "its own")):
        source = ["its own"]
        one_page.take_notebook(app_for("a"), name, source)
        assert source == [read]
    assert one_page.read_again(app_for("a"), None, set()) == ["a"]
    assert one_page.read_again(app_for(None), None, set()) == []


def test_other_pages_keep_the_numbers_of_their_figures(monkeypatch):
    """With a count that goes through the tree of the page alone, as Sphinx forgets all others."""

    class Collector:
        def assign_figure_numbers(self, env):
            env.toc_fignumbers = {}
            for page in [env.config.root_doc]:
                numbers = env.get_doctree(page), env.prefix, env.config.numfig
                env.toc_fignumbers[page] = {"figure": numbers}
            return []

    monkeypatch.setattr(one_page, "TocTreeCollector", Collector)
    env = SimpleNamespace(
        toc_fignumbers={"a": {"figure": "old"}, "b": {"figure": "its"}},
        config=SimpleNamespace(numfig_secnum_depth=1),
        docname="a",
        prefix="of the whole",
    )
    app = app_for("a", env)
    one_page.keep_doctree(app, "tree of a")
    one_page.keep_numbers(app, env)
    env.toc_fignumbers = {}
    assert one_page.count_figures(app, env) == []
    assert env.toc_fignumbers == {
        "a": {"figure": ("tree of a", "of the whole", True)},
        "b": {"figure": "its"},
    }
    env.docname = "b"
    one_page.keep_doctree(app, "tree of b")  # which is read only because it has changed
    assert app.builder.doctree == "tree of a"

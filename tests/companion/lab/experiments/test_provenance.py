"""Where numbers come from: the commit, the source code that is reached, and its meaning."""

import subprocess
from pathlib import Path

import grimp
import pytest
from hypothesis import given
from hypothesis import strategies as st

import replib
from companion.lab.experiments import provenance
from companion.lab.experiments.provenance import Code

CODE = "def f(x):\n    return x + 1\n"


def test_the_code_version_is_that_of_this_checkout():
    version = provenance.code_version()
    git = subprocess.run(
        ["git", "rev-parse", "--short=7", "HEAD"],
        cwd=Path(__file__).parent,
        capture_output=True,
        text=True,
    )
    if git.returncode:
        pytest.skip(
            "the tests lie outside a checkout: there is no commit to compare with"
        )
    assert git.stdout.strip() in version


@pytest.mark.slow
def test_a_module_reaches_what_another_program_finds():
    """Of every module of this project: what grimp finds that it imports, with their packages.

    Grimp does not see which attributes of `replib` are used, and thus loaded.
    """
    graph = grimp.build_graph(
        "replib", "companion", cache_dir=None, exclude_type_checking_imports=True
    )
    attributes = provenance.closure(f"replib.{name}" for name in replib.__all__)
    for module in graph.modules:
        waiting, reached = [module], set()
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                parent = name.rpartition(".")[0]
                waiting += [parent] * bool(parent)
                waiting += graph.find_modules_directly_imported_by(name)
        closure = provenance.closure([module]).keys()
        assert reached <= closure, module
        assert closure - reached <= attributes.keys(), module


def test_only_the_names_of_the_library_that_are_used_count():
    """A change of the report is no change of what only needs the statistics."""
    closure = provenance.closure(["companion.papers.bouckaert2004.table_1"])
    assert "replib.schemes" in closure
    assert "replib._presentation.report" not in closure


@pytest.mark.parametrize("name", replib.__all__)
def test_a_name_that_is_loaded_when_it_is_first_used_is_found(name):
    closure = provenance.closure([f"replib.{name}"])
    value = getattr(replib, name)
    assert getattr(value, "__module__", value.__name__) in closure


@pytest.mark.parametrize(
    "other",
    [
        "# a remark\n" + CODE,
        CODE.replace("x + 1", "(x   +\n    1)  # one more"),
        CODE.replace("    return", '    """One more."""\n    return'),
        CODE + "\n\n",
    ],
)
def test_remarks_and_layout_have_no_meaning(other):
    assert Code(other).meaning == Code(CODE).meaning


@pytest.mark.parametrize("name", ["accuracies.csv", "network.json"])
def test_a_file_of_values_beside_a_package_is_part_of_its_source(name, tmp_path):
    source, values = tmp_path / "__init__.py", tmp_path / name
    source.write_text(CODE)
    digests = [provenance.digest_of({"network": source})]
    for content in ("0.5", "0.6"):
        values.write_text(content)
        digests.append(provenance.digest_of({"network": source}))
    (tmp_path / "README.md").write_text("A remark.")
    assert len({*digests}) == 3
    assert provenance.digest_of({"network": source}) == digests[-1]


@given(
    *[st.tuples(st.sampled_from("xy"), st.sampled_from("+-*"), st.integers(0, 3))] * 2
)
def test_other_code_has_another_meaning(one, other):
    first, second = (
        Code("def f(x, y):\n    return {} {} {}".format(*c)) for c in (one, other)
    )
    assert (first.meaning == second.meaning) == (one == other)


@pytest.mark.parametrize(
    "text, package, names",
    [
        ("import a.b", "", {"a.b"}),
        ("import a.b as c\nc.d.e", "", {"a.b", "a.b.d", "a.b.d.e"}),
        ("from a import b", "", {"a.b"}),
        ("from a import b as c\nc.d, b.e", "", {"a.b", "a.b.d"}),
        ("from . import b\nfrom .c import d", "p.q", {"p.q.b", "p.q.c.d"}),
        ("from .. import b", "p.q", {"p.b"}),
        ("def f():\n    from a import b", "", {"a.b"}),
        ("if TYPE_CHECKING:\n    from a import b", "", set()),
        ("if TYPE_CHECKING:\n    import a\nelse:\n    import b", "", {"b"}),
        ("import a\na.b.c(1)", "", {"a", "a.b", "a.b.c"}),
    ],
)
def test_names_that_may_be_modules_and_the_packages_they_are_in(text, package, names):
    parts = [name.split(".") for name in names]
    packages = {
        ".".join(some[:end]) for some in parts for end in range(1, len(some) + 1)
    }
    assert Code(text).imports(package) == packages

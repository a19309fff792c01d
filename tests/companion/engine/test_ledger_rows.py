"""The rows of all modules, computed without a chapter."""

import inspect
import sys
import types

import pandas as pd
import pytest

from companion import stored
from companion.engine import ledger_rows
from companion.lab.experiments import provenance
from companion.papers import ledger, published
from companion.papers.berrar2024 import in_cross_validation, over_data_sets, summary

PRINTED = "berrar2024.ex01.p"  # 0.0488


def test_the_whole_ledger_is_the_worst_of_what_all_modules_rebuild(monkeypatch):
    """Each module gets only the stored runs that it names."""
    good, bad = types.ModuleType("good"), types.ModuleType("bad")
    good.ledger_rows = lambda: pd.DataFrame([{"id": PRINTED, "rebuilt": 0.0488}])
    bad.NEEDS = ("long", "longer")
    bad.ledger_rows = lambda results: pd.DataFrame(
        [{"id": PRINTED, "rebuilt": 0.07, "note": " ".join(results.values())}]
    )
    monkeypatch.setattr(stored, "load", lambda run: f"counts of the {run} run")
    found = ledger.worst(pd.concat(ledger_rows.rows([bad, good])))
    assert found["verdict"].tolist() == ["differs"]
    assert found["note"].tolist() == ["counts of the long run counts of the longer run"]


def test_every_ledger_row_can_be_computed_without_a_chapter():
    """What a module needs is in the catalogue of stored runs; everything else has a default."""
    modules = ledger_rows.modules()
    assert {"bouckaert2004.table_2", "adaptive_design.on_sources"} <= set(modules)
    for name, module in modules.items():
        needs = getattr(module, "NEEDS", ())
        assert set(needs) <= set(stored.names()), name
        for parameter in inspect.signature(module.ledger_rows).parameters.values():
            given = (
                parameter.default is not parameter.empty
                or parameter.kind.name == "VAR_KEYWORD"
            )
            assert given or (parameter.name == "results" and needs), (name, parameter)


def test_a_verdict_reaches_no_paper():
    """Every chapter imports the ledger: a paper that it reached would make all of them stale."""
    reached = provenance.closure(["companion.engine", "companion.papers.ledger"])
    assert not {name for name in reached if name.startswith("companion.papers.b")}
    assert "companion.stored" not in reached


def test_every_pick_of_what_is_nearest_to_print_is_recounted():
    """These are found by reading: a small change of print does not change the pick."""
    for fact in ("berrar2024.fig02.p32", "berrar2024.s3.t31"):
        assert fact in published.judgements()["recounted"]


def forget_what_was_read():
    """Clear the caches of all papers and studies: what they hold may come from print."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("companion.papers", "companion.studies")):
            for function in vars(module).values():
                if hasattr(function, "cache_clear"):
                    function.cache_clear()


class Watched:
    """A folder that remembers which of its files were asked for."""

    def __init__(self, folder):
        self.folder = folder
        self.asked = set()

    def __truediv__(self, name):
        self.asked.add(name)
        return self.folder / name


NUMBERS = {"cells.csv", "values.csv"}


@pytest.fixture
def print_as_it_is(monkeypatch):
    """The published files, of which nothing was read yet."""
    folder = Watched(published.FOLDER)
    monkeypatch.setattr(published, "FOLDER", folder)
    forget_what_was_read()
    yield folder
    monkeypatch.undo()
    forget_what_was_read()


@pytest.fixture(scope="module")
def other_print(tmp_path_factory):
    """Published files in which every number is moved by a unit of its last digit."""
    folder = tmp_path_factory.mktemp("published")
    for file in published.FOLDER.glob("*.csv"):
        frame = pd.read_csv(file, dtype=str, keep_default_na=False)
        if file.name in NUMBERS:
            number = pd.to_numeric(frame["value"], errors="coerce")
            step = 10.0 ** -pd.to_numeric(frame["decimals"], errors="coerce")
            most = pd.to_numeric(
                frame["unit"].str.extract(r"^count of (\d+)$")[0], errors="coerce"
            )
            moved = (number + step.fillna(1.0)).where(~(number + 1 > most), number - 1)
            frame["value"] = moved.map(repr).mask(number.isna(), "")
        frame.to_csv(folder / file.name, index=False)
    return folder


MODULES = ledger_rows.modules()
#: Each of its tables follows the other one; its own tests move one at a time.
BETWEEN_TABLES = "levels.tables"


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in MODULES if name != BETWEEN_TABLES])
def test_what_follows_from_printed_numbers_is_recounted_or_an_erratum(
    name, other_print, print_as_it_is, monkeypatch
):
    """No rebuilt value that moves with print counts as rebuilt: all printed numbers are moved.

    A module that reads none of them has none that moves.
    """
    for module in (over_data_sets, in_cross_validation, summary):
        # standard errors decide nothing here
        monkeypatch.setitem(module.redrawn.__kwdefaults__, "draws", 20)
    needs = getattr(MODULES[name], "NEEDS", ())
    parameters = {"results": {run: stored.load(run) for run in needs}} if needs else {}
    before = MODULES[name].ledger_rows(**parameters)
    if not NUMBERS & print_as_it_is.asked:
        return
    verdicts = ledger.compare(before, chapter="").set_index("id")["verdict"]
    monkeypatch.setattr(published, "FOLDER", other_print)
    forget_what_was_read()
    after = MODULES[name].ledger_rows(**parameters)
    was = before.set_index("id")["rebuilt"].astype(float)
    now = after.set_index("id")["rebuilt"].astype(float)
    moved = was.index[(now - was).abs() > 1e-9 * was.abs().clip(lower=1)]
    # a reading that was chosen on a table explains that table, and no more
    assert set(verdicts[moved]) <= {"recounted", "erratum", "explained"}

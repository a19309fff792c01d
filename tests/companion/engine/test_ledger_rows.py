"""The rows of all modules, computed without a chapter."""

import inspect
import types

import pandas as pd

from companion import stored
from companion.engine import ledger_rows
from companion.lab.experiments import provenance
from companion.papers import ledger

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

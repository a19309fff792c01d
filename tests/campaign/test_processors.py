"""The ledger does not depend on the instructions of the processor."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from harness import ROOT

pytestmark = pytest.mark.campaign

#: Instructions for which NumPy has loops of their own, beside those that it needs.
FAST = np.show_config("dicts")["SIMD Extensions"].get("found", [])
#: An old processor, as OpenBLAS, NumPy and Numba may be told to see it.
OLD = {
    "OPENBLAS_CORETYPE": "Nehalem", "NPY_DISABLE_CPU_FEATURES": " ".join(FAST),
    "NUMBA_CPU_NAME": "generic",
}
SEEN = """
import numpy, scipy.linalg, threadpoolctl
found = numpy.show_config("dicts")["SIMD Extensions"].get("found", [])
print(found, {library["architecture"] for library in threadpoolctl.threadpool_info()})
"""
#: Relative difference that adding up in another order may make.
ROUNDING = 1e-9
ROWS = """
import json, sys
from companion.papers import ledger_rows
for rows in ledger_rows.rows(sys.argv[1:]):
    for row in rows.itertuples():
        print(json.dumps([row.id, str(row.rebuilt), row.verdict]))
"""
#: Quick ones: exact theory, sums over stored counts, quadrature, a fit.
MODULES = (
    "bouckaert2004.section_2", "bouckaert2005.section_2", "berrar2024.section_1",
    "berrar2024.study_3", "bouckaert_frank2004.table_1",
)


def rows(cache: str, **environment) -> dict[str, tuple[str, str]]:
    """Value and verdict of each row of the ledger."""
    found = subprocess.run(
        [sys.executable, "-c", ROWS, *MODULES], text=True, check=True, stdout=subprocess.PIPE,
        cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT), **environment,
                       "NUMBA_CACHE_DIR": cache},
    ).stdout
    return {name: (value, verdict) for name, value, verdict in map(json.loads, found.splitlines())}


def close(one: str, other: str) -> bool:
    try:
        return abs(float(one) - float(other)) <= ROUNDING * max(abs(float(one)), 1)
    except ValueError:
        return one == other


@pytest.mark.skipif(not FAST, reason="this processor has nothing that an older one has not")
def test_the_older_processor_is_seen():
    seen = subprocess.run(
        [sys.executable, "-c", SEEN], env={**os.environ, **OLD}, capture_output=True, text=True,
    )
    assert seen.stdout == "[] {'Nehalem'}\n", seen


def test_the_ledger_is_the_same_on_an_older_processor(tmp_path, record):
    here, there = rows(str(tmp_path / "new")), rows(str(tmp_path / "old"), **OLD)
    assert here.keys() == there.keys()
    print(*(name for name in here if here[name] != there[name]), sep="\n")
    same = sum(here[name] == there[name] for name in here)
    near = sum(
        close(here[name][0], there[name][0]) and here[name][1] == there[name][1] for name in here
    )
    record("Processors", "rows of the ledger without AVX, FMA and vectors of BLAS", len(here), near,
           f"same verdict; {same} of {len(here)} values the same to the last bit, all to 1e-9")

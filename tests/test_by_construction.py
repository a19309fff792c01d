"""What must hold however the library is called: from threads, in other shapes, on full disks."""

import json
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replib import Metric, compare, plan
from replib._command import main

ANY = Metric("score", better="higher")
DESIGNS = {
    "4x5": (4, 5),
    "9 x 10%": (9,),
    "seeds": (6,),
    "items": (3, 20),
    "datasets": (12,),
}


def two(seed, design):
    a, b = np.random.default_rng(seed).normal(0, 1, (2, *DESIGNS[design]))
    return a + seed % 3, b


@settings(max_examples=15)
@given(
    st.integers(0, 10**6),
    st.sampled_from(sorted(DESIGNS)),
    st.sampled_from([0.01, 0.05, 0.5]),
    st.sampled_from([0, 1, 30, 1000]),
)
def test_what_is_predicted_and_decided_agrees_with_its_intervals(
    seed, design, alpha, effect
):
    a, b = two(seed, design)
    result = compare({"a": effect + a, "b": b}, design=design, metric=ANY, alpha=alpha)
    assert f"{100 - 100 * alpha:g}% confidence interval" in str(result)
    row = result.pairs.iloc[0]
    assert (row["low"] > 0 or row["high"] < 0) == (row["decision"] != 0)
    for name in ("rerun", "replication"):
        assert (
            np.isnan(row[name])
            or row[f"{name}_low"] <= row[name] <= row[f"{name}_high"]
        )


def test_four_threads_get_what_one_gets(tmp_path):
    def everything(call, folder):
        said = [str(plan("5x10", 0.03, difference=0.04))]
        for design in DESIGNS:
            result = compare(
                dict(zip("ab", two(call % 4, design))), design=design, metric=ANY
            )
            said.append(json.dumps(result.to_dict()))
        return [*said, result.report(folder / f"{call}.html").read_text()]

    alone = [everything(call, tmp_path) for call in range(4)]
    with ThreadPoolExecutor(4) as pool:
        for call, said in enumerate(
            pool.map(lambda call: everything(call, tmp_path), range(12))
        ):
            assert said == alone[call % 4]


def test_a_report_is_whole_or_not_there(tmp_path, full_disks, capsys):
    table, page = tmp_path / "scores.csv", tmp_path / "page.html"
    pd.DataFrame(dict(zip("ab", two(1, "9 x 10%")))).to_csv(table, index=False)
    command = [
        str(table),
        "--design",
        "9 x 10%",
        "--metric",
        "loss",
        "--report",
        str(page),
    ]
    assert main("compare", command) == 0
    good = page.read_bytes()
    for disk in full_disks:
        page.write_bytes(b"old")
        with disk:
            code = main("compare", command)
        if code == 0:
            break
        said = capsys.readouterr().err
        assert (
            code == 2
            and said.startswith("Error: cannot write")
            and said.count("\n") == 1
        )
        assert page.read_bytes() == b"old" and len(list(tmp_path.iterdir())) == 2
    assert disk not in full_disks[:4] and page.read_bytes() == good


def test_too_many_models_are_refused_with_what_to_do():
    scores = {
        f"m{i}": row for i, row in enumerate(np.random.default_rng(1).random((500, 10)))
    }
    with pytest.raises(
        ValueError, match=r'pairs, and at most 100 .*: say pairs="best"'
    ):
        compare(scores, design="1x10", metric="accuracy")

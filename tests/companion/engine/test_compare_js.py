"""The page for comparing in the browser says what `replib.compare` says, with the same numbers."""

import io
import json
import re
import shutil
import subprocess
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import special, stats

import replib
from companion.engine.serve import data

SCRIPT = Path(__file__).resolve().parents[3] / "book" / "_static" / "compare.js"
NODE = shutil.which("node")

pytestmark = pytest.mark.skipif(NODE is None, reason="needs node")


def on_the_page(calls):
    """Results of calls of functions of the script, ``[[name, arguments], ...]``."""
    program = (
        f"const compare = require({json.dumps(str(SCRIPT))});"
        "const calls = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "const answer = ([name, given]) => {"
        "  try { return compare[name](...given); } catch (problem) { return problem.message; } };"
        "console.log(JSON.stringify(calls.map(answer)));"
    )
    done = subprocess.run(
        [NODE, "-e", program],
        input=json.dumps(calls),
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def in_python(text, design, better):
    """The result for a table with a column per model, whose rows are counted from 1."""
    frame = pd.read_csv(io.StringIO(text))
    frame.index += 1
    metric = replib.Metric("score", better=better)
    return replib.compare(replib.from_wide(frame, design=design, metric=metric))


def tables():
    """Tables of two to five models; some have ties, labels of runs, or no spread at all."""
    rng = np.random.default_rng(12)
    designs = ["10x10", "2x5", "1x10", "5 x 2", "30 x 10%", "3x7", "12 x 33.3%"]
    for place, design in enumerate(designs * 3):
        made = replib.designs.find_design(design)
        n, k = (
            made.shape[0] * made.shape[1],
            int(rng.integers(3, 6)) if place % 3 == 1 else 2,
        )
        x = (
            0.8
            + rng.normal(0, rng.choice([0.01, 0.05]), (n, k))
            + (rng.choice([0, 0.01, 0.03]) * rng.permutation(k))
        )
        x = (rng.choice([1, 40, 300]) * x).round(int(rng.choice([1, 3, 12])))
        if (
            place % 5 == 0
        ):  # sums of these are exact, so ties are ties in both languages
            x = np.round(16 * x) / 16
        if place % 9 == 0:
            x[:, 1] = x[:, 0]
        if place % 9 == 4:
            x[:, 1] = x[:, 0] - 0.25  # one pair of several without spread
        frame = pd.DataFrame(
            x, columns=["tree", "naive Bayes", "svm", "knn, 3", "7"][:k]
        )
        if place % 3 == 0 and made.shape[1] > 1:
            of = np.divmod(np.arange(n), made.shape[1])
            frame = frame.assign(run=of[0] + 1, fold=of[1]).sample(
                frac=1, random_state=place
            )
        yield frame.to_csv(index=False), design, ["higher", "lower"][place // 2 % 2]
    # equal but for rounding: 0.1 + 0.2 and 0.3
    noisy = np.array([0.1 + 0.2, 0.1 * 7, 0.7 - 0.1, np.nextafter(0.9, 1)])
    tree = np.concatenate([noisy, [0.56, 0.60, 0.74, 0.85]])
    bayes = [0.3, 0.7, 0.6, 0.9, 0.55, 0.62, 0.71, 0.83]
    for design in ("2x4", "8 x 10%"):
        text = pd.DataFrame({"tree": tree, "bayes": bayes}).to_csv(index=False)
        yield text, design, "higher"
    # p-values near the level
    noise = stats.zscore(rng.normal(size=30), ddof=1)
    for level in (0.0497, 0.0503):
        # the nearer limit is -0.0002 or so: on its side of 0
        t = stats.t.isf(level / 2, 29)
        differences = 0.02 * (t * np.sqrt(1 / 30 + 1 / 9) + noise)
        near = pd.DataFrame({"tree": 0.8 + differences, "bayes": np.full(30, 0.8)})
        yield near.to_csv(index=False), "30 x 10%", "higher"
    # a run for each of the three outcomes
    three = rng.normal(0.8, 0.01, (3, 10, 2))
    three[0, :, 0] += 0.05
    three[1, :, 1] += 0.05
    yield written(three), "3x10", "higher"


def written(x, **labels):
    """Scores of two models with three decimals, as CSV."""
    return (
        pd.DataFrame(x.reshape(-1, 2).round(3), columns=list("ab"))
        .assign(**labels)
        .to_csv(index=False)
    )


SOME = np.random.default_rng(3).random((6, 5, 2))
LABELS = np.divmod(np.arange(30), 5)


def close(x):
    return pytest.approx(x, rel=1e-8, abs=1e-10)


def test_scores_of_splits():
    given = list(tables())
    for call, page in zip(
        given, on_the_page([["splits", list(call)] for call in given])
    ):
        result = in_python(*call)
        said, pairs = result.sentence(), result.pairs
        if len(pairs) > 1:  # only Python simulates reruns of all pairs
            said = said.partition(" On the same data, a rerun")[0]
        assert " ".join(page["lines"]) == said, call
        assert page["notes"] == list(result.notes), call
        assert page["level"] == close(result.level)
        for pair, (_, row) in zip(page["pairs"], pairs.iterrows(), strict=True):
            assert (pair["a"], pair["b"]) == (row.a, row.b)
            columns = ["difference", "low", "high", "df", "p", "adjusted_p", "decision"]
            keys = ["estimate", "low", "high", "df", "p", "adjusted", "decision"]
            # JSON has no NaN: a pair without spread has null
            numbers = np.array([pair[key] for key in keys], dtype=float)
            np.testing.assert_allclose(
                numbers, row[columns].astype(float), rtol=1e-8, atol=1e-10
            )
        if len(pairs) == 1:
            again = [row.rerun, row.rerun_low, row.rerun_high]
            assert page["rerun"] == (None if np.isnan(row.rerun) else close(again))
            # a picture of reruns stands where a sentence predicts them
            assert page["isPredicted"] == ("a rerun with other splits is" in said)


def test_counts_of_items():
    grid = list(product((0, 7, 400), (0, 1, 5, 25, 300), (0, 2, 12, 13, 280), (0, 30)))
    cells = ([1, 1], [1, 0], [0, 1], [0, 0])
    for counts, page in zip(
        grid, on_the_page([["counts", list(counts)] for counts in grid])
    ):
        if sum(counts) < 2:
            assert "at least two items" in page
            continue
        a, b = np.repeat(cells, counts, axis=0).T
        result = replib.compare({"A": a, "B": b}, design="items", metric="accuracy")
        assert " ".join(page["lines"]) == result.sentence(), counts
        assert [
            page["pairs"][0][key] for key in ("estimate", "low", "high", "p")
        ] == close(result.pairs.loc[0, ["difference", "low", "high", "p"]].tolist())


def test_distributions():
    noncentral = list(product((0, 0.4, 2.3, 15), (1, 9, 99), (-6, -2, 0, 0.3, 3, 9)))
    expected = np.array([stats.nct.cdf(*given) for given in noncentral])
    assert on_the_page([["noncentralT", given] for given in noncentral]) == (
        pytest.approx(expected, abs=1e-11)
    )
    mirrored = on_the_page([["noncentralT", [-t, df, -e]] for t, df, e in noncentral])
    assert mirrored == pytest.approx(
        1 - expected, abs=1e-11
    )  # SciPy has no answer to some
    x = [-8, -3.1, -2.9, -0.5, 0, 1, 2.99, 3.01, 6]
    assert on_the_page([["normal", [v]] for v in x]) == pytest.approx(
        special.ndtr(x), rel=1e-11
    )


@pytest.mark.parametrize(
    "text, design",
    [
        ("a,b\n.9,.8\n.7,\n.8,.8\n.8", "2x2"),
        ("a,b\n.9,inf\n.8,.7", "1x2"),
        ("a,b\n.9,.8\n.8,.7\n.8,.8", "2x2"),
        ("a,b\n.9,.8\n.8,.7\n.8,.8", "5 x 10%"),
        ("a,b\n" + ",.9\n" * 5, "1x5"),
        ("a,b\n1,inf\n-inf,2", "1x2"),
        ("a,b\n.9,.8\n.8,.7\n.7,.6\n.8,.7", "2x2"),  # without spread
        ("a,b\n1e308,1\n1e308,2\n3,4\n5,6", "2x2"),
        ("a,b\n1e-80,2e-80\n3e-80,1e-81\n3e-80,4e-80\n5e-80,6e-80", "2x2"),
        ("run,a,b\n1,.9,.8\n1,.7,.8\n3,.8,.8", "2 x 2"),
        ("run,fold,a,b\n1,1,.9,.8\n1,1,.8,.7\n2,x,.8,.8\n2,y,.7,.9", "2x2"),
        ("run,a,b\nx1,.9,.8\n'x\"2,.7,.8\n'x\"2,.8,.8", "3 x 20%"),
        ("a,b\n.9,.8\n.8,.7", "two"),
        ("a,b\n.9,.8\n.8,.7", "2x1"),
        ("a,b\n.9,.8\n.8,.7", "0x2"),
        ("a,b\n.9,.8\n.8,.7", "1 x 10%"),
        ("a,b\n.9,.8\n.8,.7", "2 x 1.5"),
        (written(SOME[[0, 1, 2, 1, 4, 5]]), "6x5"),
        (written(np.tile(SOME[0], (4, 1))), "20 x 10%"),
        (written(np.repeat(SOME[:, :1], 5, axis=1)), "6x5"),
        (
            written(
                SOME[[0, 1, 1, 3, 4, 5]],
                run=[f"r{7 * run % 6}" for run in LABELS[0]],
                fold=7 - LABELS[1],
            ),
            "6x5",
        ),
    ],
)
def test_what_scores_refuses_is_refused_in_its_words(text, design):
    with pytest.raises(ValueError) as refusal:
        in_python(text, design, "higher")
    # the page has no argument that keeps what is common
    sentence = str(refusal.value).partition(': missing="common"')[0]
    assert on_the_page([["splits", [text, design, "higher"]]]) == [sentence]


@pytest.mark.parametrize(
    "text, said",
    [
        ("a,b", "a line of names"),
        ("a,,b\n1,2,3\n4,5,6", "column 2 has no name"),
        ("a,b,a\n1,2,3\n4,5,6", "column 'a' occurs twice"),
        (".9,.8\n.7,.6", "names, not numbers"),
        (",.9,.8\n.7,.6,.7\n.8,.7,.6", "names, not numbers"),
        ('"a,b\n1,2\n3,4', "the line of names has a quotation mark that is not closed"),
        ('a,b\n1,2\n3,"4', "row 2 has a quotation mark that is not closed"),
        ("a,b\n1,2\n3,4,5", "row 2 has 3 cells, and there are 2 names"),
        ("a,b\n1,2\n3,x", "column 'b' is not numbers, as 'x' in row 2"),
        ("a;b\n1,500;2\n3,250;4", "numbers with commas, which may be decimal"),
        ("a;b\n1,5;2.5\n3,5;4", "column 'a' has numbers with commas"),
        ("a,b\n82.1%,80%\n82%,81.5%", "column 'a' has percent signs"),
        ("a b\n.8 .7\n.7  .6", "separated by blanks: separate them by commas"),
        ("a\u2060,b\n1,2\n3,4", "model 'a\\u2060' has a name that cannot be printed"),
        ("a,b\n1,2\n3,4\u00a0", "is not numbers, as '4\\xa0' in row 2"),
        ("run,a\n1,1\n2,2", "two or more models"),
        ("item,a,b\n1,1,0\n2,0,0", "has no role in 1 run"),
        ("Seed,a,b\n1,1,0\n2,0,0", "column 'Seed' has no role in 1 run"),
        ("a,a_std,b\n1,0.1,0\n2,0.3,0", "column 'a_std' is by its name the error of a"),
        ("a,a_se,b\n1,0.1,0\n2,0.3,0", "column 'a_se' is by its name the error of a"),
        ("i,a,b\n1,1,0\n2,0,0\n3,1,1\n4,0,1\n5,1,0", "'i' counts the rows"),
        ("fit_time,a,b\n3.2,1,0\n2.1,0,0", "'fit_time' has times by its name"),
        ("a,b,#params\n1,0,12\n0,0,13", "'#params' has sizes by its name"),
        ("a,b,p-value\n1,0,.1\n0,0,.2", "'p-value' has results of tests by its"),
        ("a,b,run_id\n1,0,12\n0,0,99", "'run_id' has identifiers by its name"),
    ],
)
def test_what_is_no_table_of_scores_is_refused(text, said):
    assert said in on_the_page([["splits", [text, "1x2", "higher"]]])[0]


def test_texts_are_read_in_several_forms():
    rows, quoted = "\n.91,.88\n.9,.87\n.95,.9\n.93,.91\n", 'tree,"naive ""B"""'
    texts = [
        quoted + rows,
        "\ufeff" + (quoted + rows).replace("\n", "\r\n"),
        quoted + ",," + rows,
        'tree | "naive ""B"""' + rows.replace(",", " | "),
        *(
            'tree,naive "B"'.replace(",", mark) + rows.replace(",", mark)
            for mark in "\t;"
        ),
        'tree;naive "B"' + rows.replace(",", ";").replace(".", "0,"),
        'tree,"naive ""B"""' + re.sub(r"(\.\d+)", r'"0\1"', rows).replace("0.", "0,"),
    ]
    found = on_the_page([["splits", [text, "2x2", "lower"]] for text in texts])
    assert (
        all(page == found[0] for page in found)
        and 'naive "B" (0.890)' in found[0]["lines"][0]
    )


@pytest.mark.parametrize(
    "text",
    [
        ",a,b\n0,.91,.88\n1,.9,.87\n2,.95,.9\n3,.93,.91\n",  # with an index
        "a,b\n.91,.88\n.9,.87\n,\n.95,.9\n.93,.91\n",  # with an empty row
        "0,1\n.91,.88\n.9,.87\n.95,.9\n.93,.91\n",  # names that count
        "a,b\n91,.88\n90,.87\n95,.9\n93,.91\n",  # percent beside fractions
        "a,b\n.1,.2\n.2,.1\n.3,.4\n.4,.3\n",  # means that are equal but for rounding
    ],
)
def test_what_files_may_have_is_read_on_the_page_as_in_a_file(text):
    options = {"design": ["2x2"], "metric": ["score"], "better": ["higher"]}
    result = data.result_of({"scores.csv": text}, options)
    [page] = on_the_page([["splits", [text, "2x2", "higher"]]])
    assert " ".join(page["lines"]) == result.sentence()
    assert page["notes"] == list(result.notes)


def test_parts_add_up_to_their_total():
    shares = np.random.default_rng(6).dirichlet([0.5, 0.5, 0.5], 300)
    for share, parts in zip(
        shares, on_the_page([["parts", [share.tolist(), 200]] for share in shares])
    ):
        assert sum(parts) == 200
        assert np.abs(np.array(parts) - 200 * share).max() < 1


def test_models_whose_runs_are_copies_are_noted_on_the_page():
    scores_of_runs = np.random.default_rng(5).random((6, 10, 2))
    equal = scores_of_runs.copy()
    repeated = scores_of_runs.copy()
    equal[..., 1] = equal[..., 0]
    repeated[..., 1] = repeated[0, :, 1]
    calls = [
        [written(scores), design, "higher"]
        for scores in (scores_of_runs, equal, repeated)
        for design in ("6x10", "60 x 20%", "60 x 70%")
    ]
    pages = on_the_page([["splits", call] for call in calls])
    notes = [list(in_python(*call).notes) for call in calls]
    assert [page["notes"] for page in pages] == notes
    assert sum(map(len, notes)) == 9


def test_notes_about_units_labels_and_single_runs_are_those_of_the_library():
    scores = np.random.default_rng(6).uniform(0.5, 0.9, (6, 5, 2))
    twice, mixed = scores.copy(), scores.copy()
    twice[4, :, 1] = twice[1, :, 1]
    mixed[2] *= 100
    small = mixed.copy()
    small[2, 0] = 9.0  # nothing in percent is so small
    labels = [f"seed {i}" for i in range(29)]
    calls = [
        [written(twice), "6x5", "higher"],
        [written(twice), "30 x 20%", "higher"],
        [written(mixed), "6x5", "higher"],
        [written(mixed), "6x5", "lower"],
        [written(small), "6x5", "higher"],
        [written(scores, run=[*labels, "Mean"]), "30 x 20%", "higher"],
        [written(scores, run=[*labels, "std. dev."]), "30 x 20%", "higher"],
        [written(scores, run=[*labels, "avg_rank"]), "30 x 20%", "higher"],
        [written(scores, run=[*labels, "macro avg"]), "30 x 20%", "higher"],
        [written(scores, run=[*labels, "macro"]), "30 x 20%", "higher"],
        [written(scores).replace("a,b", "Adam,adam"), "6x5", "higher"],
    ]
    pages = on_the_page([["splits", call] for call in calls])
    notes = [list(in_python(*call).notes) for call in calls]
    assert [page["notes"] for page in pages] == notes
    assert [len(found) for found in notes] == [1, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1]


def test_squeeze_and_excitation_are_a_model_on_the_page_too():
    text = "net,net_se\n.81,.82\n.79,.78\n.83,.85\n.8,.8\n"
    (page,) = on_the_page([["splits", [text, "1x4", "higher"]]])
    assert page["lines"]


@pytest.mark.parametrize("labels", ["01", "12", ["first", "second"]])
def test_models_may_be_numbers_above_an_index(labels):
    rows = "".join(f"{label},.{i + 7},.{8 - i}\n" for i, label in enumerate(labels))
    (page,) = on_the_page([["splits", [f",1000,5000\n{rows}", "1x2", "higher"]]])
    (named,) = on_the_page([["splits", [f",a,b\n{rows}", "1x2", "higher"]]])
    lines = [line.replace("1000", "a").replace("5000", "b") for line in page["lines"]]
    assert lines == named["lines"]


def test_means_that_end_in_a_five_are_rounded_as_by_the_library():
    """The sum of these ten depends on their order in the last bit: 0.800 or 0.801."""
    folds = [5, 3, 2, 4, 9, 6, 7, 8, 0, 1]
    a = [0.777, 0.838, 0.759, 0.825, 0.773, 0.772, 0.806, 0.815, 0.751, 0.777]
    b = [0.786, 0.832, 0.818, 0.753, 0.774, 0.834, 0.799, 0.771, 0.843, 0.795]
    rows = "".join(f"0,{i},{x},{y}\n" for i, x, y in zip(folds, a, b))
    call = ["run,fold,a,b\n" + rows, "1x10", "lower"]
    (page,) = on_the_page([["splits", call]])
    assert "b (0.800)" in page["lines"][0]
    assert page["lines"][0] in in_python(*call).sentence()


def test_codes_for_missing_scores_are_noted_as_by_the_library():
    scores = np.random.default_rng(7).uniform(0.6, 0.9, (6, 5, 2)).round(3)
    ratings = np.random.default_rng(8).integers(1, 6, (6, 5, 2)).astype(float)
    calls = []
    for block in (scores, 20 * scores, ratings):
        for code in (-1, -99, 99, 999, 1e10, 2, -0.5):
            coded = block.copy()
            coded[3, 2, 1] = code
            calls.append([written(coded), "6x5", "higher"])
    pages = on_the_page([["splits", call] for call in calls])
    notes = [list(in_python(*call).notes) for call in calls]
    assert [page["notes"] for page in pages] == notes
    assert [len(found) for found in notes] == [
        *(1, 1, 2, 1, 1, 0, 0),  # 99 is percent, too
        *(1, 1, 0, 1, 1, 0, 0),
        *(1, 1, 1, 1, 1, 0, 0),
    ]


def test_single_runs_are_counted_on_the_page_as_in_the_library():
    """Runs that decide for either model, for neither, and one whose difference is constant."""
    rng = np.random.default_rng(4)
    shifts = np.array([0.3, -0.3, 0.0, 0.3, 0.0, -0.3])
    for n_runs in (2, 3, 6):
        b = rng.normal(0, 0.05, (n_runs, 5)).round(3)
        a = b + shifts[:n_runs, None] + rng.normal(0, 0.05, (n_runs, 5)).round(3)
        a[-1] = b[-1] + 0.25  # without spread, one run decides nothing
        call = [written(np.stack([a, b], axis=-1)), f"{n_runs}x5", "higher"]
        (page,) = on_the_page([["splits", call]])
        assert " ".join(page["lines"]) == in_python(*call).sentence()

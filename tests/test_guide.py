"""The guide to the library: its blocks run one after the other, and its numbers are right."""

import re
from importlib import import_module

import guide
import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import stats
from sklearn.metrics import f1_score, roc_auc_score, root_mean_squared_error
from statsmodels.stats.contingency_tables import mcnemar

from replib import variance

ROOT = guide.ROOT
BLOCKS = {
    name: guide.blocks(page.read_text(encoding="utf-8"))
    for name, page in guide.PAGES.items()
}


@pytest.fixture(scope="module")
def runs():
    """What the blocks of each page print, and the names that they bind."""
    found = {}
    for page, blocks in BLOCKS.items():
        names = {}
        found[page] = guide.outputs([block.code for block in blocks], names), names
    return found


@pytest.fixture(scope="module")
def names(runs):
    """What the guide has computed, by name."""
    return runs["library"][1]


@pytest.mark.skipif(
    sklearn.__version__ != guide.locked("scikit-learn"),
    reason="the guide has the numbers of another scikit-learn, which splits otherwise",
)
@pytest.mark.parametrize("page", BLOCKS)
def test_each_block_prints_what_stands_below_it(page, runs):
    """`python tests/guide.py` writes it."""
    printed, _ = runs[page]
    for block, output in zip(BLOCKS[page], printed):
        assert output.split() == block.printed.split(), block.code


@pytest.mark.parametrize("page", BLOCKS)
def test_blocks_are_short_and_have_no_bar_to_scroll(page):
    blocks = BLOCKS[page]
    assert sum(bool(block.printed) for block in blocks) >= len(blocks) - 1
    for block in blocks:
        statements = re.findall(r"^[^\s#)}\]]", block.code, re.MULTILINE)
        assert len(statements) <= 8, block.code
        for line in (block.code + block.printed).splitlines():
            assert len(line) <= guide.COLUMNS, line


def test_the_noise_is_split_as_it_was_made(runs):
    """The parts sum to the variance of the difference, and errors fall with runs and items."""
    _, names = runs["noise"]
    yours, mine = names["models"].values()
    parts = names["parts"]
    squares = variance.mean_squares(yours, mine)
    total = squares.item + squares.seed.sum() - squares.interaction.sum()
    assert names["shares"].sum() == pytest.approx(total)
    at_hand = parts.standard_error(8, 400)
    assert at_hand == pytest.approx(np.sqrt(names["shares"].clip(lower=0).sum()))
    errors = np.array(names["errors"])
    assert (np.diff(errors, axis=0) < 0).all() and (np.diff(errors, axis=1) < 0).all()


def p_of(result):
    (p,) = result.pairs["p"]
    return pytest.approx(p, rel=1e-9)


def corrected(x, ratio):
    t = x.mean() / np.sqrt(x.var(ddof=1) * (1 / x.size + ratio))
    return 2 * stats.t.sf(abs(t), x.size - 1)


def test_splits_of_one_data_set(names):
    assert corrected(names["forest"] - names["tree"], 1 / 9) == p_of(names["result"])
    three = names["three"].pairs
    order = np.argsort(three["p"])
    holm = np.minimum(
        np.maximum.accumulate(three["p"].to_numpy()[order] * [3, 2, 1]), 1
    )
    assert three["adjusted_p"].to_numpy()[order] == pytest.approx(holm)
    assert len(names["nested"].compared) == 3
    assert "new groups" in str(names["grouped"])
    cells = names["grid"].cv_results_["mean_test_score"]
    assert names["best"].means["mean"].iloc[0] == pytest.approx(max(cells))
    assert names["default"].compared[0][1] == "max_depth=9"
    d = names["forest"] - names["tree"]
    error = np.sqrt(d.var(ddof=1) * (1 / 100 + 1 / 9))
    tost = max(stats.t.sf((0.01 + sign * d.mean()) / error, 99) for sign in (1, -1))
    assert names["equal"].pairs["p_equivalent"][0] == pytest.approx(tost)


def test_seeds_from_what_tools_export(names):
    for name, file, model, score, epoch in (
        ("wandb", "wandb_runs.csv", "optimizer", "val_acc", None),
        ("keras", "keras_history.csv", "model", "val_accuracy", 2),
    ):
        frame = pd.read_csv(ROOT / "tests" / "data" / file)
        frame = frame if epoch is None else frame[frame["epoch"] == epoch]
        a, b = (part[score] for _, part in frame.groupby(model))
        assert stats.ttest_ind(a, b, equal_var=False).pvalue == p_of(names[name])
    frame = pd.read_csv(ROOT / "tests" / "data" / "mlflow.csv")
    wide = frame.pivot(
        index=["params.repeat", "params.fold"],
        columns="params.model",
        values="metrics.roc_auc",
    )
    assert corrected(wide["forest"] - wide["logistic"], 1 / 4) == p_of(names["mlflow"])


def test_predictions(names):
    truth, first, second = names["truth"], names["first"], names["second"]
    right = first == truth, second == truth
    assert mcnemar(pd.crosstab(*right), exact=True).pvalue == p_of(names["mcnemar"])
    of = {"f1": f1_score, "auc": roc_auc_score, "rmse": root_mean_squared_error}
    for name, metric in of.items():
        means = names[name].means["mean"]
        y = names["amount"] if name == "rmse" else truth
        given = {
            "f1": {"first": first, "second": second},
            "auc": names["scores"],
            "rmse": names["guesses"],
        }[name]
        for model, predicted in given.items():
            assert means[model] == pytest.approx(metric(y, predicted))
    assert "DeLong's test on 300 items, taken to be independent, z = " in str(
        names["auc"]
    )
    assert names["rmse"].means.index[0] == "line" and names["rmse"].decisions[0] == 1
    d = np.subtract(*map(np.float64, right))
    totals = d.reshape(50, 6).mean(axis=1)
    assert stats.ttest_1samp(totals, 0).pvalue == p_of(names["clustered"])
    errors = [abs(names["amount"] - x) for x in names["guesses"].values()]
    weeks = (errors[0] - errors[1]).reshape(20, 10).mean(axis=1)
    assert stats.ttest_1samp(weeks, 0).pvalue == p_of(names["series"])
    hits = [names["predicted"][name] == names["y"] for name in ("bayes", "tree")]
    d = hits[0].astype(float) - hits[1]
    z = d.mean() / (d.std() / np.sqrt(d.size))
    assert 2 * stats.norm.sf(abs(z)) == p_of(names["by_fold"])
    assert "not about training again" in str(names["by_fold"])


def test_language_models(names):
    logs = [
        pd.concat(
            pd.read_json(file, lines=True) for file in folder.glob("samples_arc*")
        )
        for folder in sorted((ROOT / "tests" / "data" / "harness").iterdir())
    ]
    a, b = (log.set_index("doc_id")["acc"] for log in logs)
    assert mcnemar(pd.crosstab(a, b.loc[a.index]), exact=True).pvalue == p_of(
        names["harness"]
    )
    new, old = (x.mean(axis=0) for x in names["answers"].values())
    assert stats.ttest_rel(new, old).pvalue == p_of(names["samples"])
    new, old = (x.mean(axis=1) for x in names["answers"].values())
    assert stats.ttest_ind(new, old, equal_var=False).pvalue == p_of(names["training"])


def test_many_data_sets_and_models(names):
    table = names["table"]
    for row in names["paper"].pairs.itertuples():
        d = (table[row.a] - table[row.b]).round(
            6
        )  # without rounding noise, which parts ties
        ranks = (2 * stats.rankdata(abs(d[d != 0]))).astype(int)
        chance = np.ones(1)  # of each sum of the ranks that are positive
        for rank in ranks:
            chance = np.convolve(chance, np.r_[0.5, np.zeros(rank - 1), 0.5])
        least = min(ranks[d[d != 0] > 0].sum(), ranks[d[d != 0] < 0].sum())
        assert row.p == pytest.approx(min(1, 2 * chance[: least + 1].sum()), rel=1e-9)
    ranks = names["board"].ranks()
    assert len(names["board"].pairs) == 435 and (ranks["low"] <= ranks["high"]).all()


def test_other_blocks_say_what_they_promise(names):
    assert (
        0 < names["result"].pairs["rerun"][0] <= 1 and names["state"].confidence.shape
    )
    assert set(names["result"].methods()["evidence"]) - {"not examined"}


def test_the_tables_of_peers_say_what_we_print():
    peers = import_module("benchmarks.peers")
    about = peers.data()
    static = ROOT / "book" / "_static"
    outputs = (static / peers.PRINTED).read_text(encoding="utf-8")
    for job, of_job in peers.PEERS.items():
        kept = pd.read_csv(static / peers.FILES[job], index_col=0, dtype=str)
        ((title, n_statements, _, *said), printed) = peers.row(
            job, of_job[0], about, times=2
        )
        ours = kept.drop(columns="seconds").loc[title]
        assert [str(n_statements), *said] == ours.tolist()
        published = [peers.PUBLISHED[0]] if job == "splits" else []
        named = [name.split()[0] for name in kept.index.drop(published)]
        assert named == [package.package for package in of_job]
        with pd.option_context("display.width", peers.WIDTH):
            assert peers.shown(f"{title}, {job}", printed) in outputs


def test_suites_single_models_and_holes(names):
    by_task = pd.DataFrame(names["answered"]).groupby(names["tasks"]).mean()
    (pair,) = names["suite"].pairs.itertuples()
    assert pair.difference == pytest.approx((by_task[pair.a] - by_task[pair.b]).mean())
    right = int((names["first"] == names["truth"]).sum())
    interval = stats.binomtest(right, 300).proportion_ci(method="exact")
    alone = names["alone"].means.loc["first", ["low", "high"]]
    assert alone.tolist() == pytest.approx(list(interval))
    assert "the 7 that all models have" in names["shared"].notes[0]

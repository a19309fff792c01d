"""Numbers, the figure and the table that pages take from stored runs when the site is made."""

from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats

from companion import stored
from companion.engine.build import chapters
from companion.engine.build.outputs import committed_verdicts
from companion.engine.show.pictures import ten_reruns as pictures
from companion.engine.show.pictures.style import show
from companion.engine.show.seeds import your_seed
from companion.papers import ledger
from companion.papers.berrar2024 import study_4
from companion.papers.bouckaert2005 import limits
from companion.studies import (
    recommendation,
    replication_of_benchmarks,
    short_book,
    teams_with_seeds,
    ten_reruns,
)
from companion.studies.correlation_map import distribution
from companion.studies.since_the_papers import measures
from companion.studies.since_the_papers import methods as later_methods
from replib import methods, replication_probability
from replib._numbers import p_value
from replib.replicability import normalized


def ten_reruns_of_two_tests() -> dict[str, pd.DataFrame]:
    """Return the decisions that the picture on the first page shows, by title."""
    results = {name: stored.load(name) for name in ten_reruns.NEEDS}
    return {
        f"{title}, {ten_reruns.TRAININGS[test]} trainings": ten_reruns.decisions(
            results, test
        )
        for test, title in (
            ("five_by_two_cv", "5×2cv test"),
            ("cross_validation", "corrected t test, 10×10 folds"),
        )
    }


def substitutions() -> dict[str, str]:
    """Return what replaces ``{{ name }}`` on the pages that are not chapters."""
    results = {name: stored.load(name) for name in ten_reruns.NEEDS}
    torn = {
        test: ten_reruns.not_unanimous(results, test) for test in ten_reruns.TRAININGS
    }
    deviation = {
        test: ten_reruns.deviation_of_not_unanimous(results, test)
        for test in ten_reruns.TRAININGS
    }
    figure = show(
        pictures.decisions(ten_reruns_of_two_tests()),
        alt=(
            "Two grids of marks, a column per data set and a row per rerun. Above, for the "
            "5×2cv test, most columns mix marks of a winner with dots that say no difference. "
            "Below, under the corrected t test, nearly every column has one kind of mark."
        ),
    )
    known = {
        name: f"{value:.{digits}f}"
        for digits, numbers in what_we_know().items()
        for name, value in numbers.items()
    }
    return {
        "data_sets": str(len(results["uci_five_by_two_cv"])),
        "torn_5x2": f"{torn['five_by_two_cv'].mean():.0f}",
        "torn_10x10": f"{torn['cross_validation'].mean():.0f}",
        "torn_5x2_sd": f"{deviation['five_by_two_cv']:.1f}",
        "torn_10x10_sd": f"{deviation['cross_validation']:.1f}",
        # significant at 5% again on as much new data
        **{
            f"again_{p}".replace(
                ".", ""
            ): f"{replication_probability.wilcoxon(stats.norm.isf(p / 2), sd=1.0).point:.0%}"
            for p in (0.05, 0.005)
        },
        **ledger.in_numbers(committed_verdicts()),
        **_coverage_in_benchmarks(),
        **_thousand_seeds(),
        **_promise_and_truth(),
        **known,
        "decision_table": markdown(methods.decision_table()),
        "design_table": markdown(methods.design_table()),
        "ten_reruns": _raw(figure),
        "long_runs": long_runs(),
        **_recomputed(),
        **_cluster(),
    }


def _raw(shown: object) -> str:
    return f"```{{raw}} html\n{shown._repr_html_()}\n```"


def markdown(frame: pd.DataFrame) -> str:
    """Write a table of texts and numbers in Markdown, with its index as the first column.

    >>> print(markdown(pd.DataFrame({"b": [1]}, index=pd.Index(["x"], name="a"))))
    | a | b |
    |---|---|
    | x | 1 |
    """
    whole = frame.reset_index()
    lines = [whole.columns, ["---"] * whole.shape[1], *whole.to_numpy()]
    rows = ["| " + " | ".join(map(str, line)) + " |" for line in lines]
    rows[1] = "|" + "---|" * whole.shape[1]
    return "\n".join(rows)


def _thousand_seeds() -> dict[str, str]:
    """Return what the thousand seeds of Part I find, and the box in which a reader chooses one."""
    block = short_book.differences(stored.load("one_experiment"))
    found, pvalue = short_book.decisions(block), short_book.corrected(block).pvalue
    counts = [int((found == kind).sum()) for kind in (1, 0, -1)]
    says = {
        1: "naive Bayes is significantly better than the tree",
        0: "there is no significant difference between naive Bayes and the tree",
        -1: "the tree is significantly better",
    }
    return {
        "seeds": f"{len(found):,}",
        "seeds_found": str(counts[0]),
        "seeds_not": str(counts[1]),
        "your_seed": _raw(
            your_seed(
                "On the tumours of the data set breast cancer your seed says: {says} ({p}). Do the "
                f"other {len(found) - 1} seeds say the same?",
                says=[says[one] for one in found],
                p=map(p_value, pvalue),
            )
        ),
    }


def _promise_and_truth() -> dict[str, str]:
    """Return what significant results promise about new data, and how often it is kept.

    Both are of the teams of chapter 7 that have patients of their own.
    """
    samples = short_book.differences(stored.load("one_experiment"), "samples")
    is_published = short_book.decisions(samples) == 1
    pvalues = short_book.corrected(samples[is_published]).pvalue
    promises = replication_probability.wilcoxon(stats.norm.isf(pvalues / 2), sd=1.0)
    return {
        "promised": f"{np.mean(promises.point):.0%}",
        "kept": f"{is_published.mean():.0%}",
    }


def what_we_know() -> dict[int, dict[str, float]]:
    """Return the numbers of the ten sentences on the first page, by their number of decimals."""
    runs = stored.load("since_the_papers"), stored.load("since_the_papers_costly")
    bench, networks = measures.measures(*runs), measures.by_network(*runs)
    null = pd.concat(
        {name: measures.type_1(bench, name) for name in later_methods.METHODS},
        names=["method"],
    )
    levels = methods.level_held(
        null["rejected"] / 100,
        standard_error=null["rejected_error"] / 100,
        # Task I is a single source
        populations=np.where(
            null.index.get_level_values("kind") == "task_1.0",
            1,
            methods.MEASURED_NETWORKS,
        ),
    )
    fails = pd.Series(levels == methods.NOT_HELD, null.index).groupby("method").any()
    later = null.loc["corrected_t_all"]
    worst = later["rejected"].idxmax()
    at_worst = networks.loc[worst, "corrected_t_all"]
    of_designs = recommendation.numbers("one", "ten", "odds")
    is_above = distribution.of_runs(distribution.read(), 10) > distribution.ASSUMED
    plain = methods.find("use_all_data.paired_t").evidence
    digits = {
        names: scores
        for names, scores in teams_with_seeds.pairs(
            stored.load("trained_seeds")
        ).items()
        if names[0] == "digits"
    }
    teams = teams_with_seeds.same_decisions(digits, predicting=1).query(
        "question == 'both'"
    )
    forests = study_4.by_trees(stored.load(study_4.NEEDS[0])).set_index(
        ["features", "trees"]
    )
    forests = forests.xs(study_4.DEFAULT_TREES, level="trees")
    return {
        0: {
            "plain_error": 100 * plain.type_1_error,
            "plain_sd": 100 * plain.type_1_error_deviation,
            **of_designs,
            "map_above": 100 * is_above.mean(),
            "fail": fails.sum(),
            "null_pairs": len(measures.EQUAL),
            "teams_most": 100 * teams["counted"].max(),
            "methods": len(later_methods.METHODS),
            "margin": measures.MARGIN,
            "largest_error": later.at[worst, "rejected"],
            "largest_se": later.at[worst, "rejected_error"],
            "least_network": at_worst.min(),
            "most_network": at_worst.max(),
            "teams_agree": 100 * teams["counted"].min(),
            "default_trees": study_4.DEFAULT_TREES,
            "worst": 100 * normalized(limits.worst_case_replicability(0.1)),
        },
        1: {
            "ten_map_type_1": of_designs["ten_map_type_1"],
            **{
                name: error
                for name, error in of_designs.items()
                if name.endswith("_power_error")
            },
        },
        2: {
            f"large_{n}{end}": forests.at[n, name]
            for n in (11, 24)
            for end, name in (("", "t"), ("_se", "error"))
        }
        | {f"printed_{n}": study_4.published_t(n) for n in (11, 24)},
    }


def long_runs() -> str:
    """Write the stored runs and their costs as a Markdown table; the last row sums the minutes."""
    minutes = {name: stored.seconds(name) / 60 for name in stored.CATALOGUE}
    return "\n".join(
        [
            "| run | what it has | minutes |",
            "|---|---|--:|",
            *(
                f"| `{name}` | {run.title} | {minutes[name]:.1f} |"
                for name, run in stored.CATALOGUE.items()
            ),
            f"| all | | {sum(minutes.values()):.1f} |",
        ]
    )


def _recomputed() -> dict[str, str]:
    """Return how many runs were made again from nothing, and what that took."""
    log = pd.read_csv(chapters.ROOT / "book" / "results" / "recomputed.csv")
    return {
        "runs": str(len(stored.CATALOGUE)),
        "runs_again": str(len(log)),
        "runs_identical": str((log["outcome"] == "identical").sum()),
        "repetitions_again": f"{log['replications'].sum():,}",
        "hours_again": f"{log['minutes'].sum() / 60:.1f}",
    }


def _cluster() -> dict[str, str]:
    """Return what a run on a cluster took (`tests/benchmarks/cluster.py`)."""
    row = pd.read_csv(chapters.ROOT / "book" / "_static" / "cluster.csv").iloc[0]
    return {
        "cluster_run": f"`{row['run']}`",
        "cluster_pieces": f"{row['pieces']:,}",
        "cluster_seconds": f"{row['seconds per piece']:.1f}",
        "cluster_used": str(row["milliseconds of the asking processor per piece"]),
        "cluster_sent": str(row["kilobytes per piece"]),
    }


def _coverage_in_benchmarks() -> dict[str, str]:
    """Return how many settings of simulated benchmarks have a coverage of 93% to 97%."""
    table = replication_of_benchmarks.judged(stored.load("replication_of_benchmarks"))
    table = table.assign(inside=table["covered"].between(0.93, 0.97))
    given, datasets = table["selected"] == 1, table["datasets"]
    found = {}
    for name, one in (
        ("benchmarks", table[~given & (datasets >= 15)]),
        ("few", table[~given & (datasets < 15)]),
    ):
        found |= {
            name: str(len(one)),
            f"{name}_inside": str(one["inside"].sum()),
            f"{name}_least": f"{one['covered'].min():.1%}",
            f"{name}_most": f"{one['covered'].max():.1%}",
        }
    return found | {
        "benchmarks_given": f"{table['inside'][given & (datasets >= 30)].mean():.0%}",
        "benchmarks_given_few": f"{table['inside'][given & (datasets < 30)].mean():.0%}",
    }


def compute(app, config) -> None:
    if (
        Path(app.srcdir) == chapters.ROOT
    ):  # the page of a reader's copy uses none of them
        config.myst_substitutions = substitutions()


def setup(app):
    app.connect("config-inited", compute)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

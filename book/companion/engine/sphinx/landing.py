"""Numbers, the figure and the table that pages take from stored runs when the site is made."""

from pathlib import Path

import pandas as pd
from scipy import stats

from companion.engine.build import chapters
from companion.engine.build.outputs import committed_verdicts
from companion.engine.show.pictures import ten_reruns as pictures
from companion.engine.show.pictures.style import show
from companion.papers import ledger, stored
from companion.papers.topics import replication_of_benchmarks, ten_reruns
from replib import replication_probability


def ten_reruns_of_two_tests() -> dict[str, pd.DataFrame]:
    """Return the decisions that the picture on the first page shows, by title."""
    results = {name: stored.load(name) for name in ten_reruns.NEEDS}
    return {
        f"{title}, {ten_reruns.TRAININGS[test]} trainings": ten_reruns.decisions(results, test)
        for test, title in (("five_by_two_cv", "5×2cv test"),
                            ("cross_validation", "corrected t test, 10×10 folds"))
    }


def substitutions() -> dict[str, str]:
    """Return what replaces ``{{ name }}`` on the pages that are not chapters."""
    results = {name: stored.load(name) for name in ten_reruns.NEEDS}
    torn = {test: ten_reruns.not_unanimous(results, test) for test in ten_reruns.TRAININGS}
    figure = show(pictures.decisions(ten_reruns_of_two_tests()), alt=(
        "Two grids of marks, a column per data set and a row per rerun. Above, for the 5×2cv test, "
        "most columns mix marks of a winner with dots that say no difference. Below, under the "
        "corrected t test, nearly every column has one kind of mark."
    ))
    return {
        "data_sets": str(len(results["uci_five_by_two_cv"])),
        "torn_5x2": f"{torn['five_by_two_cv'].mean():.0f}",
        "torn_10x10": f"{torn['cross_validation'].mean():.0f}",
        "torn_5x2_sd": f"{torn['five_by_two_cv'].std():.0f}",
        "torn_10x10_sd": f"{torn['cross_validation'].std():.0f}",
        # significant at 5% again on as much new data
        **{f"again_{p}".replace(".", ""):
           f"{replication_probability.wilcoxon(stats.norm.isf(p / 2), sd=1.0).point:.0%}"
           for p in (0.05, 0.005)},
        **ledger.in_numbers(committed_verdicts()),
        **_coverage_in_benchmarks(),
        "ten_reruns": f"```{{raw}} html\n{figure._repr_html_()}\n```",
        "long_runs": long_runs(),
        **_recomputed(),
    }


def long_runs() -> str:
    """Write the stored runs and their costs as a Markdown table; the last row sums the minutes."""
    minutes = {name: stored.seconds(name) / 60 for name in stored.CATALOGUE}
    return "\n".join([
        "| run | what it has | minutes |", "|---|---|--:|",
        *(f"| `{name}` | {run.title} | {minutes[name]:.1f} |"
          for name, run in stored.CATALOGUE.items()),
        f"| all | | {sum(minutes.values()):.1f} |",
    ])


def _recomputed() -> dict[str, str]:
    """Return how many runs were made again from nothing, and what that took."""
    log = pd.read_csv(chapters.ROOT / "book" / "results" / "recomputed.csv")
    return {
        "runs": str(len(stored.CATALOGUE)), "runs_again": str(len(log)),
        "runs_identical": str((log["outcome"] == "identical").sum()),
        "repetitions_again": f"{log['replications'].sum():,}",
        "hours_again": f"{log['minutes'].sum() / 60:.1f}",
    }


def _coverage_in_benchmarks() -> dict[str, str]:
    """Return how many settings of simulated benchmarks have a coverage of 93% to 97%."""
    table = replication_of_benchmarks.judged(stored.load("replication_of_benchmarks"))
    table = table.assign(inside=table["covered"].between(0.93, 0.97))
    given, datasets = table["selected"] == 1, table["datasets"]
    found = {}
    for name, one in (("benchmarks", table[~given & (datasets >= 15)]),
                      ("few", table[~given & (datasets < 15)])):
        found |= {
            name: str(len(one)), f"{name}_inside": str(one["inside"].sum()),
            f"{name}_least": f"{one['covered'].min():.1%}",
            f"{name}_most": f"{one['covered'].max():.1%}",
        }
    return found | {
        "benchmarks_given": f"{table['inside'][given & (datasets >= 30)].mean():.0%}",
        "benchmarks_given_few": f"{table['inside'][given & (datasets < 30)].mean():.0%}",
    }


def compute(app, config) -> None:
    if Path(app.srcdir) == chapters.ROOT:  # the page of a reader's copy uses none of them
        config.myst_substitutions = substitutions()


def setup(app):
    app.connect("config-inited", compute)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

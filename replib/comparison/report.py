"""A comparison on a page: one HTML file, and its picture.

This is the only module of the library that draws or makes HTML.  Pictures need Matplotlib, which is
not among the library's requirements; without it a page says so in the picture's place.
"""

import html
import io
import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import singledispatch
from importlib import import_module, resources
from pathlib import Path
from string import Template
from typing import Any

import numpy as np
import pandas as pd

from replib.checks import as_list, check_choice, file_path
from replib.comparison import Benchmark, Comparison, PredictionComparison, words

_FILES = resources.files("replib.comparison")
_BLUE, _RED, _GREY, _INK = "#0072b2", "#c84a00", "#777d86", "#010101"
_VARIABLES = {_INK: "currentColor", _BLUE: "var(--blue)", _RED: "var(--red)", _GREY: "var(--grey)"}
_WIDTH = 4.75  # inches: on a phone a point is about a pixel


@dataclass(frozen=True)
class Contents:
    """What a page says: its title, its tables by heading, how it was done, and whom to cite."""

    title: str
    tables: dict[str, pd.DataFrame]
    methods: str
    cited: tuple[str, ...]
    notes: tuple[str, ...] = ()
    alt: str = ""
    shown: tuple[str, ...] = field(default=())


def write(comparison: Any, path: str | Path) -> Path:
    """Write one HTML file with everything, which needs no network.

    Parameters
    ----------
    comparison : Comparison, PredictionComparison or Benchmark
    path : str or Path

    Returns
    -------
    Path
    """
    path = file_path("path", path)
    path.write_text(page(comparison), encoding="utf-8")
    return path


def page(comparison: Any) -> str:
    """The page as text."""
    import replib

    it = contents(comparison)
    template = Template(_FILES.joinpath("report.html").read_text("utf-8"))
    return template.substitute(
        title=html.escape(it.title), sentence=html.escape(comparison.sentence()),
        notes="".join(f'<p class="note">{html.escape(note)}</p>' for note in it.notes),
        picture=_figure(comparison, it.alt),
        tables="".join(f"<h2>{head}</h2>{_table(frame)}" for head, frame in it.tables.items()),
        methods=html.escape(f"{it.methods} Computed with {_versions()}."),
        bibtex=html.escape(bibtex(it.cited)), version=replib.__version__,
        date=datetime.now(UTC).date().isoformat(),
    )


def fragment(comparison: Any) -> str:
    """The sentence and the tables for a notebook."""
    it = contents(comparison)
    notes = "".join(f"<p><strong>Note:</strong> {html.escape(note)}</p>" for note in it.notes)
    tables = "".join(_table(it.tables[head]) for head in it.shown or it.tables)
    return f"<p>{html.escape(comparison.sentence())}</p>{notes}{tables}"


def bibtex(keys: tuple[str, ...]) -> str:
    """Entries of the literature that a report cites."""
    keys = as_list("keys", keys)
    text = _FILES.joinpath("report.bib").read_text("utf-8")
    entries = {re.match(r"@\w+\{(.*?),", entry).group(1): entry.strip()
               for entry in re.split(r"\n(?=@)", text)}
    for key in keys:
        check_choice("each of keys", key, entries)
    return "\n\n".join(entries[key] for key in keys)


# ------------------------------------------------------------------ what each kind says


@singledispatch
def contents(comparison: Any) -> Contents:
    """What the page of a comparison says."""
    raise TypeError(f"a report needs a comparison, not a {type(comparison).__name__}")


@contents.register
def _(c: Comparison) -> Contents:
    a, b = c.names
    low, high = c.confidence_interval()
    again = c.replication_probability()
    rows = {
        f"mean {c.metric} of {a}": words.number(c.scores[0].mean()),
        f"mean {c.metric} of {b}": words.number(c.scores[1].mean()),
        f"{a} is better by": _with_limits(c.estimate, low, high),
        "corrected resampled t test": words.with_minus(
            f"t({c.recommended.df}) = {c.statistic:.3f}, {words.p_value(c.pvalue)}"
        ),
    }
    if c.agreement is not None:
        rows |= {
            "a rerun with another seed decides the same": _with_limits(*_three(c.agreement), 2),
            "runs for 95 of 100 reruns to agree": words.runs(c.runs_needed),
        }
    rows["significant again, on new data of this size"] = _with_limits(*_three(again), 2)
    tests = c.tests()
    shown = pd.DataFrame({
        "p": tests["pvalue"].map("{:.3g}".format),
        "says": tests["decision"].map({1: f"{a} better", -1: f"{b} better", 0: "no difference"}),
        "rerun agrees": tests["agreement"].map(_fraction),
        "Type I error": tests["type_1_error"].map(_fraction), "verdict": tests["verdict"],
    })
    methods = (
        f"{a} and {b} were scored on the same splits, {c.design}. The difference of the mean "
        f"{c.metric} was tested with the corrected resampled t test (Nadeau and Bengio 2003; for "
        f"repeated cross-validation Bouckaert and Frank 2004), two-sided at the level {c.alpha:g}, "
        f"with the test/train ratio {c.design.test_train_ratio:.4g}. "
    )
    if c.agreement is not None:
        methods += (
            "That a rerun with another seed decides the same was predicted from the spread of the "
            "runs: given the data they are independent, and the distance of the statistic from its "
            "critical value was taken for noncentral t with one degree of freedom less than there "
            "are runs. "
        )
    methods += (
        "The probability of a significant result on new data takes the observed effect for the "
        "true one (Berrar 2024) and the correction for right; both make it optimistic after a "
        "significant result. The Type I errors in the table hold if the differences correlate by "
        "the share of test data."
    )
    return Contents(
        f"{a} and {b}", {"Result": _two_columns(rows), "All tests": shown}, methods,
        ("nadeau_bengio2003", "bouckaert_frank2004", "berrar2024", "corani_benavoli2015"), c.notes,
        alt=f"Above: mean difference of each of {c.design.runs} runs as dots, their mean with its "
            "confidence interval, and zero. Below: predicted probabilities of what a rerun finds.",
        shown=("Result",),
    )


@contents.register
def _(c: PredictionComparison) -> Contents:
    a, b = c.names
    low, high = c.confidence_interval()
    again = c.replication_probability()
    rows = {
        f"only {a} right": c.wins, f"only {b} right": c.losses,
        "both right": c.both, "both wrong": c.neither,
        f"accuracy of {a} minus that of {b}": _with_limits(c.estimate, low, high),
        "McNemar's exact test": words.p_value(c.pvalue),
    }
    if again is not None:
        rows["significant again, on as many new disagreements"] = _with_limits(*_three(again), 2)
    methods = (
        f"The predictions of {a} and {b} for one test set were compared by McNemar's exact test "
        f"(McNemar 1947), two-sided at the level {c.alpha:g}; the interval is that of Agresti and "
        "Min (2005). The test judges these two trained classifiers, not the luck of their training "
        "set."
    )
    return Contents(f"{a} and {b}", {"Result": _two_columns(rows)}, methods,
                    ("mcnemar1947", "agresti_min2005", "berrar2024"))


@contents.register
def _(c: Benchmark) -> Contents:
    pairs = c.pairs
    shown = pd.DataFrame({
        "better": pairs["a"], "than": pairs["b"],
        "wins-losses-draws": [f"{r.wins}-{r.losses}-{r.draws}" for r in pairs.itertuples()],
        "median difference": pairs["difference"].map(words.number),
        "p (Holm)": pairs["holm"].map("{:.3g}".format),
        "significant again": [f"{_fraction(r.replication)} ({_fraction(r.replication_low)} to "
                              f"{_fraction(r.replication_high)})" for r in pairs.itertuples()],
    }).set_index("better")
    ranks = c.mean_ranks.map("{:.2f}".format).to_frame().rename_axis("classifier")
    methods = (
        "Classifiers were compared over data sets by Friedman's test in the F form of Iman and "
        "Davenport (1980), each pair by Wilcoxon's signed-rank test (1945), exact, with Holm's "
        f"correction (1979), two-sided at the level {c.alpha:g} (Demsar 2006). The probability "
        "that a pair is significant again on as many other data sets is that of Berrar (2024), "
        "with the bootstrap's deviation of z."
    )
    cited = ("demsar2006", "iman_davenport1980", "wilcoxon1945", "holm1979", "berrar2024")
    return Contents(
        f"{len(ranks)} classifiers on {len(c.scores)} data sets",
        {"Mean ranks": ranks, "Pairs": shown}, methods, cited, c.notes,
        alt="Mean ranks on an axis, the best on the left; bars join those that do not differ by "
            "the critical difference.",
    )


def _three(value: Any) -> tuple[float, float, float]:
    return value.point, value.low, value.high


def _with_limits(point: float, low: float, high: float, digits: int = 3) -> str:
    at, least, most = (words.number(x, digits) for x in (point, low, high))
    return f"{at} ({least} to {most})"


def _fraction(x: float) -> str:
    return "–" if np.isnan(x) else f"{x:.2f}"


def _two_columns(rows: dict[str, Any]) -> pd.DataFrame:
    return pd.DataFrame({"": rows})


def _table(frame: pd.DataFrame) -> str:
    frame = frame.rename_axis(None)
    text = frame.to_html(border=0, justify="left", header=list(frame.columns) != [""])
    return f'<div class="wide">{text}</div>'


def _versions() -> str:
    packages = ("replib", "numpy", "scipy", "sklearn")
    return ", ".join(f"{name} {import_module(name).__version__}" for name in packages)


# ------------------------------------------------------------------ pictures


def picture(comparison: Any):
    """A Matplotlib figure of the comparison.

    Raises
    ------
    ModuleNotFoundError
        If Matplotlib is not installed; the message says how to install it.
    """
    try:
        import matplotlib as mpl
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "pictures need Matplotlib: pip install 'replib[report]'", name="matplotlib"
        ) from None
    style = {
        "font.size": 10, "axes.spines.top": False, "axes.spines.right": False, "text.color": _INK,
        "axes.edgecolor": _INK, "axes.labelcolor": _INK, "xtick.color": _INK, "ytick.color": _INK,
        "figure.facecolor": "none", "axes.facecolor": "none", "figure.constrained_layout.use": True,
        "svg.hashsalt": "replib",
    }
    with mpl.rc_context(style):
        return _drawn(comparison)


@singledispatch
def _drawn(comparison: Any):
    raise TypeError(f"a picture needs a comparison, not a {type(comparison).__name__}")


@_drawn.register
def _(c: Comparison):
    from matplotlib.figure import Figure

    a, b = c.names
    fig = Figure(figsize=(_WIDTH, 3.7 if c.agreement is not None else 2.3))
    ratios = [1, 1] if c.agreement is not None else [1]
    axes = np.atleast_1d(fig.subplots(len(ratios), height_ratios=ratios))
    ax = axes[0]
    of_runs = c.differences.mean(axis=1)
    rows = np.linspace(-0.25, 0.25, len(of_runs)) if len(of_runs) > 1 else [0.0]
    ax.plot(of_runs, np.array(rows) + 1, "o", color=_GREY, ms=4, alpha=0.7)
    low, high = c.confidence_interval()
    ax.plot([low, high], [0, 0], color=_BLUE, lw=2.5, solid_capstyle="butt")
    ax.plot(c.estimate, 0, "D", color=_BLUE, ms=7)
    ax.axvline(0, ymax=0.93, color=_INK, lw=1, ls=":")
    of = "runs" if c.design.folds > 1 else "splits"
    ax.set(yticks=[1, 0], yticklabels=[of, "95 % interval"], ylim=(-0.6, 1.6),
           xlabel=f"difference in {c.metric}")
    for x, y, text, align in ((0, 1, f"← {b} better", "left"), (1, 1.13, f"{a} better →", "right")):
        ax.text(x, y, text, transform=ax.transAxes, ha=align, color=_GREY, fontsize=9)
    ax.locator_params(axis="x", nbins=5)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    if c.agreement is not None:
        _draw_rerun(axes[1], c)
    return fig


def _draw_rerun(ax, c: Comparison) -> None:
    """One bar of what a rerun finds, each part named."""
    a, b = c.names
    better_a, better_b = c.agreement.better
    parts = ((f"{b} better", better_b, _RED), ("no difference", 1 - better_a - better_b, _GREY),
             (f"{a} better", better_a, _BLUE))
    left = 0.0
    for line, (label, p, color) in enumerate(parts):  # names may be long: a line for each
        ax.barh(0, p, left=left, color=color, height=0.6)
        if p >= 0.005:
            place = {_RED: (0, "left"), _GREY: (0.5, "center"), _BLUE: (1, "right")}[color]
            ax.text(place[0], 0.42 + 0.4 * line, f"{label} {p:.2f}", ha=place[1], va="bottom",
                    fontsize=9, color=color)
        left += p
    ax.set(xlim=(0, 1), ylim=(-0.35, 1.75), yticks=[0], yticklabels=["a rerun finds"],
           xlabel="predicted probability")
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)


@_drawn.register
def _(c: Benchmark):
    """Mean ranks, and bars over neighbours that Nemenyi's critical difference does not separate."""
    from matplotlib.figure import Figure

    ranks = c.mean_ranks
    n = len(ranks)
    fig = Figure(figsize=(_WIDTH, 1.3 + 0.27 * n))
    ax = fig.subplots()
    half = (n + 1) // 2
    for place, (name, rank) in enumerate(ranks.items()):
        on_left = place < half
        y = -0.6 * (place + 1 if on_left else n - place)
        edge = 0.9 if on_left else n + 0.1
        ax.plot([rank, rank, edge], [0, y, y], color=_GREY, lw=1)
        ax.plot(rank, 0, "o", color=_BLUE, ms=5)
        ax.text(edge, y, f"{name} {rank:.2f} " if on_left else f" {rank:.2f} {name}",
                ha="right" if on_left else "left", va="center", fontsize=10)
    values, reach = ranks.to_numpy(), 0
    bars = 0
    for start in range(n):
        end = int(np.searchsorted(values, values[start] + c.critical_difference, side="right")) - 1
        if end > start and end > reach:
            ax.plot([values[start] - 0.03, values[end] + 0.03], [0.25 + 0.22 * bars] * 2,
                    color=_RED, lw=3, solid_capstyle="butt")
            bars, reach = bars + 1, end
    ax.set(xlim=(1, n), ylim=(-0.6 * half - 0.3, 0.6 + 0.22 * bars), yticks=[],
           xlabel=f"mean rank, 1 the best (critical difference {c.critical_difference:.2f})")
    ax.set_xticks(range(1, n + 1))
    ax.spines["left"].set_visible(False)
    return fig


def _figure(comparison: Any, alt: str) -> str:
    if not alt:
        return ""
    try:
        fig = picture(comparison)
    except ModuleNotFoundError as missing:
        return f"<p><em>{html.escape(str(missing))}</em></p>"
    buffer = io.StringIO()
    fig.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    svg = buffer.getvalue()
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg"):], flags=re.DOTALL)
    for color, variable in _VARIABLES.items():
        svg = svg.replace(color, variable)
    named = f'<svg role="img" aria-label="{html.escape(alt)}" fill="currentColor" '
    svg = svg.replace("<svg ", named, 1)
    return f"<figure>{svg}<figcaption>{html.escape(alt)}</figcaption></figure>"

"""The page of a result: one HTML file that needs no network, and its picture.

The picture needs Matplotlib, which the library does not require; without it the page
says so.
"""

import html
import io
import math
import re
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from importlib import import_module, resources
from string import Template
from typing import Any

import numpy as np
import pandas as pd

from replib import words
from replib._validation import joined
from replib.designs import CV, Datasets, RandomSplits

BLUE, GREY, INK = "#0072b2", "#777d86", "#010101"
_VARIABLES = {INK: "currentColor", BLUE: "var(--blue)", GREY: "var(--grey)"}
#: Most pairs, and most runs of a pair, that are drawn.
_MOST_PAIRS, _MOST_DOTS = 15, 200
_WITH_DOTS = (CV, RandomSplits, Datasets)
_DRAWING = threading.Lock()  # Matplotlib's settings are those of all threads

#: What each test cites, by its name.
_CITED = {
    "corrected resampled t test": (
        "nadeau_bengio2003",
        "bouckaert_frank2004",
        "berrar2024",
    ),
    "McNemar's exact test": ("mcnemar1947", "agresti_min2005", "tango1998"),
    "signed-rank test": (
        "wilcoxon1945",
        "hodges_lehmann1963",
        "demsar2006",
        "berrar2024",
    ),
    "z test of one cross-validation": ("bayle2020",),
    "DeLong's test": ("delong1988",),
    "t test over seeds and items": ("brennan2001", "miller2024"),
    "t test over clusters": ("miller2024",),
}


def page(result: Any) -> str:
    """Return the page of a result as text."""
    import replib

    alt = caption(result)
    try:
        svg = _svg(figure(result), alt)
        picture = f"<figure>{svg}<figcaption>{_kept(alt)}</figcaption></figure>"
    except ModuleNotFoundError as missing:
        picture = f"<p><em>{html.escape(str(missing))}</em></p>"
    names = list(result.means.index)
    title = " and ".join(names) if len(names) < 3 else f"{len(names)} models"
    return Template(_resource("report.html")).substitute(
        title=html.escape(title),
        sentence=_kept(result.sentence()),
        notes="".join(f'<p class="note">{_kept(note)}</p>' for note in result.notes),
        picture=picture,
        tables="".join(
            f"<h2>{head}</h2>{_table(frame)}" for head, frame in tables(result).items()
        ),
        methods=_kept(methods(result)),
        record="".join(
            f"<dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd>"
            for name, value in result.record.items()
        ),
        bibtex=html.escape("\n\n".join(map(bibtex().__getitem__, cited(result)))),
        version=replib.__version__,
        date=datetime.now(UTC).date().isoformat(),
    )


def short(result: Any) -> str:
    """Return what a notebook shows of a result."""
    notes = "".join(
        f"<p><strong>Note:</strong> {_kept(note)}</p>" for note in result.notes
    )
    return f"<p>{_kept(result.sentence())}</p>{notes}{_table(tables(result)['Pairs'])}"


def tables(result: Any) -> dict[str, pd.DataFrame]:
    """Return the tables of the page, with numbers as text."""
    pairs, means = result.pairs, result.means
    shown = pd.DataFrame(
        {
            "a": pairs["a"],
            "b": pairs["b"],
            "a is better by": _with_limits(pairs, "difference", 3),
            "p": pairs["adjusted_p"].map("{:.3g}".format),
            "better": pairs["decision"].map({1: "a", -1: "b", 0: "–"}),
        }
    )
    if result.equivalence is not None:
        shown[f"within {result.equivalence:g}"] = pairs["equivalent"].map(
            {True: "yes", False: "–"}
        )
    for name, head in (
        ("rerun", "rerun agrees"),
        ("replication", "significant on new data"),
    ):
        if pairs[name].notna().any():
            shown[head] = _with_limits(pairs, name, 2)
    return {
        "Means": means.map(words.number).to_frame().rename_axis("model"),
        "Pairs": shown.set_index("a"),
    }


def _with_limits(pairs: pd.DataFrame, name: str, decimals: int) -> list[str]:
    ends = ("low", "high") if name == "difference" else (f"{name}_low", f"{name}_high")
    text = partial(words.number, decimals=decimals)
    return [
        "–" if x != x else f"{text(x)} ({text(low)} to {text(high)})"
        for x, low, high in zip(pairs[name], pairs[ends[0]], pairs[ends[1]])
    ]


def methods(result: Any) -> str:
    """Return a paragraph on the methods."""
    tests, pairs = result.tests, len(result.compared)
    said = [
        (
            f"{joined(list(result.means.index))} were compared by the {tests.name} on {tests.on}, "
            f"two-sided at the level {result.alpha:g}."
        ),
        tests.about,
    ]
    if result.selection == "baseline":
        by = (
            "Dunnett 1955"
            if isinstance(result.data.design, CV | RandomSplits)
            else "Bonferroni"
        )
        said.append(
            "The best model was compared with a baseline that was fixed before; p-value "
            f"and interval allow for the choice of the best ({by})."
        )
    elif result.selection == "best":
        said.append(
            "The two leaders of a ranking were compared, for which the test needs no "
            "adjustment (Hung and Fithian 2019)."
        )
    elif pairs > 1:
        said.append(f"P-values are {words.adjusted(result.correction, pairs)}.")
        if result.correction != "none":
            said.append("The intervals hold for all pairs at once (Bonferroni).")
    if result.equivalence is not None:
        said.append(
            f"Equivalence within {result.equivalence:g} is shown if both one-sided tests "
            "reject that the difference is larger."
        )
    if tests.rerun is not None and result.reruns is not None:
        said.append("What a rerun decides was predicted from the spread of the runs.")
    return " ".join(said)


def cited(result: Any) -> tuple[str, ...]:
    """Return the keys of the literature that a result rests on."""
    keys = [
        *_CITED.get(result.tests.name, ()),
        *["holm1979"] * (len(result.compared) > 1),
    ]
    keys += {"baseline": ["dunnett1955"], "best": ["hung_fithian2019"]}.get(
        result.selection, []
    )
    return (*keys, *["iman_davenport1980"] * (result.tests.overall is not None))


def caption(result: Any) -> str:
    """Describe the picture."""
    drawn = min(len(result.compared), _MOST_PAIRS)
    rest = len(result.compared) - drawn
    text = (
        f"The difference in {result.metric} of {'each pair' if drawn > 1 else 'the pair'} with its "
        f"{words.level(1 - result.level)} interval, next to zero."
    )
    if isinstance(result.data.design, _WITH_DOTS):
        text += " Grey dots are runs."
    if result.equivalence is not None:
        text += f" The band is the margin of equivalence, {result.equivalence:g}."
    return text + (
        f" The {rest} pairs with smaller differences are not drawn." if rest else ""
    )


def figure(result: Any) -> Any:
    """Draw the difference of each pair with its interval, its runs, and the margin.

    Raises
    ------
    ModuleNotFoundError
        If Matplotlib is not installed; the message says how to install it.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "pictures need Matplotlib: pip install 'replib[report]'", name="matplotlib"
        ) from None
    style: dict[Any, Any] = {
        "font.size": 10,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.spines.left": False,
        "text.color": INK,
        "axes.edgecolor": INK,
        "axes.labelcolor": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "figure.facecolor": "none",
        "axes.facecolor": "none",
        "figure.constrained_layout.use": True,
    }
    pairs = result.pairs
    order = pairs["difference"].abs().sort_values(ascending=False, kind="stable").index
    pairs = pairs.loc[order[:_MOST_PAIRS]]
    with _DRAWING, mpl.rc_context(style):
        fig = Figure(figsize=(4.75, 1.0 + 0.45 * len(pairs)))
        ax = fig.subplots()
        if result.equivalence is not None:
            ax.axvspan(
                -result.equivalence, result.equivalence, color=GREY, alpha=0.2, lw=0
            )
        ax.axvline(0, color=INK, lw=1, ls=":")
        for row, pair in enumerate(pairs.itertuples()):
            if isinstance(result.data.design, _WITH_DOTS):
                dots = result.advantage(pair.a) - result.advantage(pair.b)
                dots = dots.mean(axis=1) if dots.ndim == 2 else dots
                dots = dots[:: max(1, math.ceil(len(dots) / _MOST_DOTS))]
                ax.plot(
                    dots,
                    np.full(len(dots), row - 0.25),
                    "o",
                    color=GREY,
                    ms=3.5,
                    alpha=0.6,
                )
            color = BLUE if pair.decision else GREY
            ax.plot(
                [pair.low, pair.high],
                [row, row],
                color=color,
                lw=2.5,
                solid_capstyle="butt",
            )
            ax.plot(pair.difference, row, "D", color=color, ms=6)
        ax.set(
            yticks=range(len(pairs)),
            ylim=(len(pairs) - 0.5, -0.6),
            yticklabels=[
                f"{_cut(pair.a)} and {_cut(pair.b)}" for pair in pairs.itertuples()
            ],
            xlabel=f"advantage of the first: its {result.metric.better} {result.metric}",
        )
        ax.tick_params(axis="y", length=0)
        ax.locator_params(axis="x", nbins=5)
    return fig


def _cut(name: str) -> str:
    return name if len(name) <= 18 else f"{name[:17]}…"


def plain(value: Any) -> Any:
    """Replace everything in a value that JSON does not have.

    >>> plain({"a": np.array([1.5, np.nan]), 1: (np.int64(2), True, "x"), "b": np.inf})
    {'a': [1.5, None], '1': [2, True, 'x'], 'b': None}
    """
    if isinstance(value, Mapping):
        return {str(name): plain(x) for name, x in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(x) for x in value]
    if hasattr(value, "tolist"):  # NumPy's numbers and arrays
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return (
        value if value is None or isinstance(value, (bool, int, float)) else str(value)
    )


def versions() -> str:
    """Return the versions of the library and of the packages that compute its numbers."""
    return ", ".join(
        f"{name} {import_module(name).__version__}"
        for name in ("replib", "numpy", "scipy", "pandas")
    )


def _svg(fig: Any, alt: str) -> str:
    """Return a figure as SVG whose colours are those of the page, light or dark."""
    import matplotlib as mpl

    buffer = io.StringIO()
    with (
        _DRAWING,
        mpl.rc_context({"svg.hashsalt": "replib"}),
    ):  # the same names of parts each time
        fig.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    svg = buffer.getvalue()
    svg = re.sub(
        r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL
    )
    for color, variable in _VARIABLES.items():
        svg = svg.replace(color, variable)
    named = f'<svg role="img" aria-label="{html.escape(alt)}" fill="currentColor" '
    return svg.replace("<svg ", named, 1)


def bibtex() -> dict[str, str]:
    """Return the entries of the literature by their keys."""
    return {
        entry.split("{", 1)[1].split(",", 1)[0]: entry.strip()
        for entry in re.split(r"\n(?=@)", _resource("report.bib"))
    }


def _resource(name: str) -> str:
    return resources.files("replib").joinpath(name).read_text("utf-8")


#: Where a line must not break: "p = 0.003", "t(9) = 1.2", "p < 0.001".
_RELATION = re.compile(r" ([=<]) (?=\S)")


def _kept(text: str) -> str:
    return html.escape(_RELATION.sub("\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", text))


def _table(frame: pd.DataFrame) -> str:
    with pd.option_context("display.max_colwidth", None):
        text = frame.reset_index().to_html(border=0, justify="left", index=False)
    return f'<div class="wide">{text}</div>'

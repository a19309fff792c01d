"""The page of a result: one HTML file that needs no network.

The picture needs Matplotlib, which the library does not require; without it the page
says so.
"""

import html
import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from string import Template
from typing import Any

import numpy as np
import pandas as pd

import replib
from replib._files import write
from replib._numbers import confidence, digits_of_p, limit, number
from replib._presentation import pictures, standings, words
from replib._validation import check_choice, joined
from replib.designs import CV, RandomSplits
from replib.results import Result

#: A table with more rows is folded: the pairs of more than ten models.
_MOST_ROWS = 45
#: Pairs on tasks that the page has; `Result.tasks` has them all.
_MOST_TASK_ROWS = 500
#: Columns of the widest table that a phone shows whole.
_MOST_NARROW_COLUMNS = 5
#: The beginning of a number; or the dash that stands for one.
_NUMBER = re.compile(r"[\N{MINUS SIGN}<]?\d|–$")
#: Where a line must not break: "p = 0.003", "t(9) = 1.2", "p < 0.001".
_RELATION = re.compile(r" ([=<]) (?=\S)")


def write_page(result: Result, path: str | Path) -> Path:
    """Write the page of a result to a file."""
    return write(path, page(result))


def page(result: Result) -> str:
    """Return the page of a result as text."""
    entries = bibtex()
    return Template(_resource("report.html")).substitute(
        title=html.escape(_title(result)),
        sentence=_escaped(result.sentence()),
        notes="".join(f'<p class="note">{_escaped(note)}</p>' for note in result.notes),
        pictures="".join(_picture(result, kind) for kind in pictures.kinds(result)),
        tables="".join(_section(*named) for named in tables(result).items()),
        methods=_escaped(methods(result)),
        record="".join(
            f"<dt>{html.escape(name)}</dt><dd>{html.escape(value)}</dd>"
            for name, value in result.record.items()
        ),
        bibtex=html.escape("\n\n".join(entries[key] for key in cited(result))),
        version=replib.__version__,
        date=datetime.now(UTC).date().isoformat(),
    )


def excerpt(result: Result) -> str:
    """Return what a notebook shows of a result."""
    notes = [f"<p><strong>Note:</strong> {_escaped(note)}</p>" for note in result.notes]
    shown = table(result, "ranks" if standings.are_many(result) else "pairs")
    return f"<p>{_escaped(result.sentence())}</p>{''.join(notes)}{_as_html(shown)}"


def _title(result: Result) -> str:
    models = list(result.mean_scores.index)
    return " and ".join(models) if len(models) < 3 else f"{len(models)} models"


def _picture(result: Result, kind: str) -> str:
    """Return a picture with its caption, or the sentence that Matplotlib is missing."""
    caption = pictures.caption(result, kind)
    try:
        svg = pictures.as_svg(pictures.figure(result, kind), caption)
    except ModuleNotFoundError as missing:
        return f"<p><em>{html.escape(str(missing))}</em></p>"
    return f"<figure>{svg}<figcaption>{_escaped(caption)}</figcaption></figure>"


def _section(name: str, table: pd.DataFrame) -> str:
    """Return a table with its heading; a long one is folded."""
    text = _as_html(table)
    if len(table) > _MOST_ROWS:
        text = f"<details><summary>{len(table)} rows</summary>{text}</details>"
    return f"<h2>{name}</h2>{text}"


def tables(result: Result) -> dict[str, pd.DataFrame]:
    """Return the tables of the page, with numbers as text."""
    by_title = {}
    if standings.has_ranks(result):
        by_title["Ranks"] = standings.standings(result)
    means = pd.DataFrame(index=result.means.index)
    means[f"mean ({confidence(result.alpha)} interval)"] = _with_limits(
        result.means, "mean"
    )
    by_title["Means"] = means
    by_title["Pairs"] = _table_of_pairs(result)
    n_rows = len(result.tasks)
    if n_rows > _MOST_TASK_ROWS:
        smallest = result.tasks.nsmallest(_MOST_TASK_ROWS, "p")
        title = f"Tasks: the {_MOST_TASK_ROWS} smallest p-values of {n_rows:,}"
        by_title[title] = _table_of_tasks(smallest)
    elif n_rows:
        by_title["Tasks"] = _table_of_tasks(result.tasks)
    return by_title


def _table_of_tasks(tasks: pd.DataFrame) -> pd.DataFrame:
    columns = ["task", "a", "b", "items"]
    table = tasks[columns].assign(**_decisions(tasks))
    return table.set_index("task")


def _decisions(pairs: pd.DataFrame, interval: str = "") -> dict[str, Any]:
    """Return what was found about each pair: columns of a table."""
    is_adjusted = (pairs["adjusted_p"] > pairs["p"]).any()
    return {
        f"a is better by{interval}": _with_limits(pairs, "difference"),
        "adjusted p" if is_adjusted else "p": pairs["adjusted_p"].map(_p_value),
        "better": [_better(pair) for pair in pairs.itertuples()],
    }


def _better(pair: Any) -> str:
    """Return the model that is significantly better, or a dash."""
    return {1: pair.a, -1: pair.b, 0: "–"}[pair.decision]


def table(result: Result, name: str | None) -> pd.DataFrame:
    """Return the ranks, the pairs or the tasks, with numbers as text.

    Raises
    ------
    ValueError
        If there are no ranks, or the name is unknown.
    """
    if name is None:
        name = "ranks" if standings.has_ranks(result) else "pairs"
    check_choice("table", name, ("ranks", "pairs", "tasks"))
    if name == "ranks":
        return standings.standings(result)
    if name == "tasks":
        if result.tasks.empty:
            raise ValueError("there is no table of tasks, since the items are of one")
        return _table_of_tasks(result.tasks)
    return _table_of_pairs(result)


def _table_of_pairs(result: Result) -> pd.DataFrame:
    pairs = _by_rank(result, result.pairs)
    interval = f" ({confidence(1 - result.level)} interval)"
    table = pairs[["a", "b"]].assign(**_decisions(pairs, interval))
    if result.equivalence is not None:
        equivalent = pairs["equivalent"].map({True: "yes", False: "–"})
        table[f"within {result.equivalence:g}"] = equivalent
    heads = {"rerun": "rerun agrees", "replication": "significant on new data"}
    for name, head in heads.items():
        if pairs[name].notna().any():
            table[head] = _with_limits(pairs, name)
    counted = result.counted
    if len(counted):
        single = counted["single"].iloc[0]
        table[f"with one {single}: a, b, neither"] = _outcomes(counted.loc[pairs.index])
    return table.set_index("a")


def _outcomes(counted: pd.DataFrame) -> list[str]:
    """Write how many single runs decide for the first model, for the second, and for neither."""
    columns = ["a_better", "b_better", "neither"]
    return [", ".join(map(str, row)) for row in counted[columns].to_numpy()]


def _by_rank(result: Result, pairs: pd.DataFrame) -> pd.DataFrame:
    """Sort pairs by the ranks of their models: the best and the second first."""
    if not standings.has_ranks(result):
        return pairs
    rank = {model: i for i, model in enumerate(result.ranks().index)}
    positions = [sorted((rank[pair.a], rank[pair.b])) for pair in pairs.itertuples()]
    order = sorted(range(len(pairs)), key=positions.__getitem__)
    return pairs.iloc[order]


def _p_value(pvalue: float) -> str:
    return "–" if np.isnan(pvalue) else digits_of_p(pvalue)


def _with_limits(pairs: pd.DataFrame, name: str) -> list[str]:
    """Write the numbers of a column with their limits: scores, or probabilities."""
    are_scores = name in ("difference", "mean")
    prefix = "" if are_scores else f"{name}_"
    columns = [name, f"{prefix}low", f"{prefix}high"]
    write = _score_with_limits if are_scores else _probability_with_limits
    return [write(*row) for row in pairs[columns].to_numpy()]


def _score_with_limits(value: float, low: float, high: float) -> str:
    """Write a score with its limits, and with two digits or more of their distance."""
    width = high - low
    limits = "–" if np.isnan(low) else f"{limit(low, width)} to {limit(high, width)}"
    return "–" if np.isnan(value) else f"{number(value, width=width)} ({limits})"


def _probability_with_limits(value: float, low: float, high: float) -> str:
    """Write a probability with its limits; a dash for what is not known."""
    limits = "–" if np.isnan(low) else f"{low:.2f} to {high:.2f}"
    return "–" if np.isnan(value) else f"{value:.2f} ({limits})"


def methods(result: Result) -> str:
    """Return a paragraph on the methods."""
    tests = result.tests
    comparison = (
        f"{joined(list(result.mean_scores.index))} were compared by the {tests.name} on "
        f"{tests.on}, two-sided at the level {result.alpha:g}."
    )
    sentences = [comparison, tests.about, *_selection(result)]
    if result.equivalence is not None:
        sentences.append(
            f"Equivalence within {result.equivalence:g} is shown if both one-sided tests "
            "reject that the difference is larger."
        )
    if result.reruns is not None:
        sentences.append(
            "What a rerun decides was predicted from the spread of the runs."
        )
    return " ".join(sentences)


def _selection(result: Result) -> list[str]:
    """Say how pairs were selected, and what p-values and intervals allow for."""
    n_pairs = len(result.compared)
    sentences = []
    if result.selection == "baseline":
        on_splits = isinstance(result.data.design, CV | RandomSplits)
        method = "Dunnett 1955" if on_splits else "Bonferroni"
        sentences.append(
            "The best model was compared with a baseline that was fixed before; p-value "
            f"and interval allow for the choice of the best ({method})."
        )
    elif result.selection == "best":
        sentences.append(
            "The two leaders of a ranking were compared, for which the test needs no "
            "adjustment (Hung and Fithian 2019)."
        )
    elif n_pairs > 1:
        adjustment = words.adjustment(result.correction, n_pairs)
        sentences.append(f"P-values are {adjustment}.")
        if result.correction != "none":
            sentences.append("The intervals hold for all pairs at once (Bonferroni).")
    return sentences


def cited(result: Result) -> tuple[str, ...]:
    """Return the keys of the literature that a result rests on."""
    keys = [*result.tests.cites]
    if len(result.compared) > 1:
        keys.append("holm1979")
    if result.selection == "baseline":
        keys.append("dunnett1955")
    if result.selection == "best":
        keys.append("hung_fithian2019")
    if result.tests.overall is not None:
        keys.append("iman_davenport1980")
    return tuple(keys)


def bibtex() -> dict[str, str]:
    """Return the entries of the literature by their keys."""
    entries = re.split(r"\n(?=@)", _resource("report.bib"))
    keys = [re.split(r"[{,]", entry)[1] for entry in entries]
    return {key: entry.strip() for key, entry in zip(keys, entries)}


def as_dict(result: Result) -> dict[str, Any]:
    """Return everything as text, numbers, lists and dicts, ready for `json.dumps`."""
    content = {
        "sentence": result.sentence(),
        "notes": result.notes,
        "alpha": result.alpha,
        "metric": result.data.metric.name,
        "better": result.data.metric.better,
        "design": str(result.data.design),
        "means": result.means.to_dict("index"),
        "pairs": result.pairs.to_dict("records"),
        "counted": result.counted.to_dict("records"),
        "ahead": result.ahead.to_dict("records"),
        "tasks": result.tasks.to_dict("records"),
        "record": result.record,
    }
    return {name: plain(value) for name, value in content.items()}


def plain(value: Any) -> Any:
    """Replace everything in a value that JSON does not have.

    >>> plain({"a": np.array([1.5, np.nan]), 1: (np.int64(2), True, "x"), "b": np.inf})
    {'a': [1.5, None], '1': [2, True, 'x'], 'b': None}
    """
    if isinstance(value, Mapping):
        return {str(name): plain(content) for name, content in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(content) for content in value]
    if hasattr(value, "tolist"):  # NumPy's numbers and arrays
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, (bool, int, float)):
        return value
    return str(value)


def _resource(name: str) -> str:
    return resources.files("replib").joinpath("data", name).read_text("utf-8")


def _escaped(text: str) -> str:
    """Return a text as HTML whose relations do not break over lines."""
    space = "\N{NO-BREAK SPACE}"
    return html.escape(_RELATION.sub(f"{space}\\1{space}", text))


def _as_html(table: pd.DataFrame) -> str:
    """Return a table of text; on a narrow page, one of many columns is a card per row."""
    table = table.reset_index()
    kinds = ["number" if _are_numbers(table[name]) else "text" for name in table]
    heads = [html.escape(str(name)) for name in table]
    columns = list(zip(kinds, heads))
    head = "".join(f'<th class="{kind}">{name}</th>' for kind, name in columns)
    rows = [
        "".join(
            f'<td class="{kind}" data-head="{name}">{html.escape(str(cell))}</td>'
            for (kind, name), cell in zip(columns, row)
        )
        for row in table.to_numpy()
    ]
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    layout = "cards" if len(columns) > _MOST_NARROW_COLUMNS else "plain"
    return (
        f'<div class="wide"><table class="{layout}">\n<thead><tr>{head}</tr></thead>\n'
        f"<tbody>\n{body}\n</tbody></table></div>"
    )


def _are_numbers(cells: pd.Series) -> bool:
    """Return whether each cell begins as a number does, or is a dash for a missing one."""
    return bool(cells.astype(str).str.match(_NUMBER).all())

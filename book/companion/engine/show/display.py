"""What a chapter shows besides figures: card, ledger, facts of a paper, plain tables.

Each is an object that displays itself in a notebook; its HTML is a template in
``templates/``.
"""

import os
import re
from collections.abc import Callable, Mapping
from math import floor, inf, log10

import numpy as np
import pandas as pd
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from companion.engine.build import chapters, costs, outputs
from companion.engine.show import fields
from companion.engine.show.tables import with_minus_signs
from companion.papers import ledger as verdicts
from companion.papers import published

#: What pages say for each verdict; the verdict itself is behind a click.
SHOWN = dict.fromkeys(verdicts.VERDICTS[:4], "agrees") | {
    "in kind": "agrees in kind",
    "explained": "explained",
    "erratum": "erratum",
    "differs": "differs",
    "not comparable": "not judged",
    "open": "open",
}

_NUMBERED = {"tab": "Table", "fig": "Figure", "alg": "Algorithm"}


def anchor(fact_id: str, kind: str) -> str:
    """Return the HTML id of a fact (``"fact"``) or of a section of the errata (``"erratum"``)."""
    return f"{kind}-{fact_id}".replace(".", "-").replace("_", "-").lower()


def address_of_erratum(erratum: str) -> str:
    """Return the address of a section of the errata, seen from the page of a chapter.

    >>> address_of_erratum("bouckaert_frank2004.e33")
    '27_verdicts_bouckaert_frank2004.html#erratum-bouckaert-frank2004-e33'
    """
    chapter = chapters.find(f"verdicts_{erratum.split('.')[0]}")
    return f"{chapter.source.stem}.html#{anchor(erratum, 'erratum')}"


def format_number(x: object) -> str:
    """Write a rebuilt value with enough digits for comparison with any printed value.

    >>> format_number(0.1234567), format_number(1e7)
    ('0.123457', '10000000')
    """
    if x is None or x != x:
        return ""
    if isinstance(x, (bool, np.bool_)):
        return "holds" if x else "fails"
    number = float(x)
    is_large_and_whole = 1e6 <= abs(number) < 1e15 and number.is_integer()
    return f"{number:.0f}" if is_large_and_whole else f"{number:.6g}"


def format_with_error(x: object, error: float) -> Markup:
    """Write a rebuilt value and its standard error, both to two digits of the error.

    >>> format_with_error(2.72727, 1.234)
    Markup('2.7 <span class="se">± 1.2</span>')
    >>> format_with_error(0.64261, float("nan"))
    Markup('0.64261')
    """
    is_number = not isinstance(x, (bool, np.bool_)) and x is not None and x == x
    if not (is_number and 0 < error < inf):
        return Markup(format_number(x))
    decimals = max(0, 1 - floor(log10(error)))
    return Markup('{} <span class="se">± {}</span>').format(
        f"{x:.{decimals}f}", f"{error:.{decimals}f}"
    )


def format_change(row: Mapping[str, float]) -> str:
    """Write the change of a row of a difference: in standard errors, else in percent, or empty.

    >>> format_change({"errors": 4.13, "change": 0.1})
    '4.1 s.e.'
    >>> format_change({"errors": float("nan"), "change": 0.1})
    '10%'
    """
    errors, change = row["errors"], row["change"]
    if errors == errors:
        return f"{errors:.1f} s.e." if errors < 100 else f"{errors:.0f} s.e."
    if change != change:
        return ""
    if change == inf:
        return "from 0"
    return f"{100 * change:.0f}%" if change >= 0.1 else f"{100 * change:.2g}%"


def draw_formulas(text: str) -> Markup:
    """Write a text as HTML in which the browser draws text between dollars as formulas.

    >>> draw_formulas("$n < 3$ & more")
    Markup('<span class="math notranslate nohighlight">\\\\(n &lt; 3\\\\)</span> &amp; more')
    """
    formula = r'<span class="math notranslate nohighlight">\\(\1\\)</span>'
    return Markup(re.sub(r"\$([^$]+)\$", formula, str(escape(text))))


def mark_value(row: Mapping[str, str]) -> Markup:
    """Write the words of a row of a difference, its value marked where it is in brackets.

    >>> mark_value({"words": "Of [20] runs", "yours": "20"})
    Markup('Of <mark>20</mark> runs')
    """
    value = draw_formulas(row["yours"])
    marked = Markup("<mark>{}</mark>").format(value)
    return draw_formulas(row["words"]).replace(f"[{value}]", marked, 1)


_TEMPLATES = Environment(
    loader=PackageLoader("companion.engine"),
    autoescape=True,
    undefined=StrictUndefined,
)
_TEMPLATES.filters |= {
    "anchor": anchor,
    "address": address_of_erratum,
    "with_error": format_with_error,
    "change": format_change,
    "formulas": draw_formulas,
    "marked": mark_value,
    "capitalized": lambda text: text[:1].upper() + text[1:],
}
_TEMPLATES.globals["words"] = SHOWN


def html(template: str, **values: object) -> str:
    """Fill in a template of ``templates/``."""
    return _TEMPLATES.get_template(f"{template}.html").render(values)


def check_parameters(name: str, namespace: Mapping[str, object]) -> None:
    """Refuse bad parameter values inside a running chapter.

    The command line refuses them before a kernel starts; this call, in the first cell
    after the parameters, does the same for readers who edit the cell by hand.

    Parameters
    ----------
    name : str
        Name of the chapter.
    namespace : mapping
        The chapter's ``globals()``.

    Raises
    ------
    ParameterError
        With one sentence that says what is allowed.
    """
    chapter = chapters.find(name)
    chapter.check({parameter: namespace[parameter] for parameter in chapter.parameters})


def glue(**numbers: object) -> None:
    """Name computed values, so that prose can quote them with the role ``glue:text``.

    A text with formulas is quoted with ``glue:md``.  Where the book does not execute
    the chapter nobody fills in the roles, so the numbers are shown.
    """
    from IPython.display import Markdown, display
    from myst_nb import glue as glue_one

    if chapters.VARIABLE not in os.environ:
        display(
            Markdown(
                ", ".join(f"`{name}` = {_plain(x)}" for name, x in numbers.items())
            )
        )
    for name, value in numbers.items():
        value = _plain(value)
        is_formula = isinstance(value, str) and "$" in value
        glue_one(name, Markdown(value) if is_formula else value, display=False)


class card:
    """The cost of a chapter and its parameters, shown under its title."""

    def __init__(self, name: str):
        self.chapter = chapters.find(name)

    def __repr__(self) -> str:
        return f"{self.chapter.name}: {self.chapter.minutes_to_read} min to read"

    def _repr_html_(self) -> str:
        cost = costs.recorded().get(self.chapter.name, {})
        words = {"paper": "to run", "quick": "with the quick preset"}
        return html(
            "card",
            name=self.chapter.name,
            minutes=self.chapter.minutes_to_read,
            costs=[
                (cost[preset], text) for preset, text in words.items() if preset in cost
            ],
            seconds={
                preset: costs.of_rerun(self.chapter.name, preset) or ""
                for preset in words
            },
            fields=[
                fields.field(parameter)
                for parameter in self.chapter.parameters.values()
                if parameter.name != "recomputed"
            ],
            has_small_version=self.chapter.name in chapters.in_preset("quick"),
        )


class ledger:
    """Rebuilt values with their verdicts, shown as one line; the notebook carries the rows.

    The line counts facts, and links to the page of each paper.  Facts with other
    verdicts than the committed ones, which a reader's parameters can cause, are listed
    below it.

    Parameters
    ----------
    *rebuilt : DataFrame
        In the form that `companion.papers.ledger.compare` takes.
    chapter : str
        Name of the chapter that rebuilt the values.

    Attributes
    ----------
    frame : DataFrame
        From `companion.papers.ledger.compare`.
    """

    def __init__(self, *rebuilt: pd.DataFrame, chapter: str):
        self.frame = verdicts.compare(*rebuilt, chapter=chapter)

    def counts(self) -> pd.Series:
        """Return the number of rows with each verdict, the best verdict first, without zeros."""
        return verdicts.counts(self.frame)

    def changed(self) -> pd.DataFrame:
        """Return the rows with other verdicts than the committed ones."""
        now = self.frame.set_index("id")["verdict"]
        before = outputs.committed_verdicts().reindex(now.index)
        # the committed verdict of an item with parts may be that of a part
        parts_decide = now.index.map(published.independent) == ""
        fell = now.index.isin(verdicts.worse(now, before).index)
        is_changed = (now != before) & (fell | ~parts_decide)
        return self.frame.assign(before=before.to_numpy())[is_changed.to_numpy()]

    def _repr_mimebundle_(self, include=None, exclude=None):
        rows = [
            {key: _json(x) for key, x in row.items()}
            for row in self.frame.astype({"rebuilt": object}).to_dict("records")
        ]
        tally = verdicts.tally(self.frame.set_index("id")["verdict"])
        pages = {c.name: f"{c.source.stem}.html" for c in chapters.chapters()}
        page = html(
            "ledger",
            changed=self.changed().to_dict("records"),
            papers=[
                (
                    published.PAPERS[paper],
                    pages.get(f"verdicts_{paper}"),
                    _in_words(own),
                )
                for paper, own in tally.groupby(level="paper", sort=False)
                .sum()
                .iterrows()
            ],
        )
        data = {"text/plain": self.frame.to_string(), "text/html": page}
        return data, {chapters.METADATA_KEY: {"ledger": rows}}


def _in_words(counts: pd.Series) -> str:
    """Say how many facts hold and how many do not, from numbers of facts by verdict.

    >>> _in_words(pd.Series({"exact": 40, "in kind": 3, "erratum": 1, "differs": 2}))
    '40 of 46 facts hold, 3 agree in kind, 1 erratum, 2 differ'
    """
    n = counts.groupby(counts.index.map(SHOWN)).sum()
    total, holding = int(n.sum()), int(counts.reindex(verdicts.AGREE).sum())
    words = [f"{holding} of {total} fact{'s hold' if total > 1 else ' holds'}"]
    for word, one, many in (
        ("agrees in kind", "1 agrees in kind", "agree in kind"),
        ("explained", "1 explained", "explained"),
        ("erratum", "1 erratum", "errata"),
        ("differs", "1 differs", "differ"),
        ("not judged", "1 cannot be judged", "cannot be judged"),
        ("open", "1 open", "open"),
    ):
        if k := n.get(word, 0):
            words.append(one if k == 1 else f"{k} {many}")
    return ", ".join(words)


def _plain(x: object) -> object:
    """Return a Python number instead of NumPy's, without digits that depend on the processor.

    Vectors of another width add up in another order, which changes the last four of 16
    digits.
    """
    x = x.item() if hasattr(x, "item") else x
    return float(f"{x:.12g}") if isinstance(x, float) else x


def _json(x: object) -> object:
    """Return a value that JSON can hold: None for a missing number."""
    x = _plain(x)
    return None if isinstance(x, float) and np.isnan(x) else x


def facts(paper: str, rows: pd.DataFrame) -> object:
    """Show every fact of a paper by its item, folded, with printed and rebuilt value and verdict.

    `rows` are from `companion.engine.current_rows`.
    """
    assessed = (
        verdicts.assess(rows).query("paper == @paper").rename_axis("id").reset_index()
    )
    wholes = list(verdicts.by_table(rows).to_dict("index").items())
    known = {c.name: (f"{c.source.stem}.html", c.title) for c in chapters.chapters()}
    items = []
    for item_id, own in assessed.groupby("item_id", sort=False):
        is_item = own["kind"] == "item"
        parts = own[~is_item].set_index("id")["verdict"]
        number = re.search(r"[.](tab|fig|alg)0*(\d+)$", item_id)
        items.append(
            own[is_item].to_dict("records")[0]
            | {
                "label": f"{_NUMBERED[number[1]]} {number[2]}" if number else "",
                # an item that was checked itself is listed with its parts
                "facts": own[~is_item | own["rebuilt"].notna()].to_dict("records"),
                "counts": _in_words(verdicts.tally(parts).sum()) if len(parts) else "",
                "chapters": [
                    known[name] for name in own["chapter"].unique() if name in known
                ],
                "wholes": [
                    (name.partition(", source")[2], figures)
                    for name, figures in wholes
                    if name.partition(",")[0] == item_id
                ],
            }
        )
    return _shown("facts", items=items)


def disagreements(paper: str, rows: pd.DataFrame) -> object:
    """Show what differs in a paper, what was tried and what would settle it, one entry per cause.

    `rows` are from `companion.engine.current_rows`.
    """
    entries = verdicts.disagreements(verdicts.assess(rows)).query("paper == @paper")
    return _shown("disagreements", entries=entries.to_dict("records"))


def _shown(template: str, **values: object) -> object:
    from IPython.display import HTML

    return HTML(html(template, **values))


def _formatter(form: str) -> Callable[[float], str]:
    """Return what writes a number of a column; a missing one is a dash."""
    return lambda number: "–" if number != number else f"{number:{form}}"


class table:
    """A frame without its index, with `digits` decimals; whole-number columns have none.

    `formats` has another format for some columns, such as ``{"p": ".2g"}``.
    """

    def __init__(
        self,
        frame: pd.DataFrame,
        digits: int = 3,
        formats: Mapping[str, str] | None = None,
    ):
        worded = frame.rename(columns=lambda column: column.replace("_", " "))
        self.frame = worded.rename_axis(columns=None)
        self.digits = digits
        self.formats = formats or {}

    def __repr__(self) -> str:
        return self.frame.to_string(index=False)

    def _repr_html_(self) -> str:
        written = self.frame.to_html(
            index=False,
            border=0,
            justify="left",
            na_rep="–",
            float_format=f"{{:.{self.digits}f}}".format,
            formatters={
                name: _formatter(form)
                for name, form in (
                    dict.fromkeys(self._whole(), ".0f") | dict(self.formats)
                ).items()
            },
        )
        return with_minus_signs(written)

    def _whole(self) -> list[str]:
        """Return the columns of counts that are floats because one is missing or infinite."""
        floats = self.frame.select_dtypes("float").items()
        finite = {name: x[np.isfinite(x)] for name, x in floats}
        return [
            name for name, x in finite.items() if (x % 1 == 0).all() and (x > 1).any()
        ]

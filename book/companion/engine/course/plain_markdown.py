"""The Markdown of a chapter without Sphinx syntax, for any viewer of notebooks."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pybtex.database import Entry

from companion.engine.build.directives import Directive, replace
from companion.engine.build.editions import Edition
from companion.engine.course import references
from companion.engine.course.references import Target
from replib.comparison.words import with_minus

_CODE = re.compile(r"(?ms)^(```+)(?!\{).*?^\1\s*?$")
_ROLE = re.compile(r"\{([\w:]+)\}`([^`]+)`")
_WITH_WORDS = re.compile(r"(.*?)\s*<([^<>]+)>", flags=re.DOTALL)
_LABELLED_EQUATION = re.compile(r"(?ms)^\$\$\n(.*?)^\$\$ \(([\w-]+)\)")
_LABEL = re.compile(r"(?m)^\([\w-]+\)=\n+")
_COMMENT = re.compile(r"(?m)^%.*\n")

#: Placeholder for a number that has not been computed here.
UNKNOWN = "…"


@dataclass(frozen=True)
class PlainMarkdown:
    """Converter of the Markdown of one page of the book to plain Markdown.

    Attributes
    ----------
    page : str
        Name of the page; references to its own places need no link.
    targets : mapping
        From `companion.engine.course.references.targets`.
    works : mapping
        From `companion.engine.course.references.literature`.
    values : mapping
        Texts of the glued values.
    macros : mapping
        TeX macros of the book by name.
    edition : Edition
    """

    page: str
    targets: Mapping[str, Target]
    works: Mapping[str, Entry]
    values: Mapping[str, str]
    macros: Mapping[str, str]
    edition: Edition

    def __call__(self, text: str) -> str:
        text = _outside_code(replace(text, self._directive), self._inline)
        return text.strip("\n")

    def _inline(self, text: str) -> str:
        text = _COMMENT.sub("", _LABEL.sub("", text))
        text = _LABELLED_EQUATION.sub(self._equation, text)
        text = _ROLE.sub(self._role, text)
        for name, meaning in self.macros.items():
            text = re.sub(rf"\\{name}(?![A-Za-z])", lambda _, meaning=meaning: meaning, text)
        return text

    def _equation(self, match: re.Match) -> str:
        return f"$$\n{match[1]}\\tag{{{self.targets[match[2]].number}}}\n$$"

    def _directive(self, directive: Directive) -> str:
        body = replace(directive.body, self._directive)
        title = directive.argument
        kind = directive.name.removeprefix("prf:")
        if kind == "proof":
            return f"*Proof.* {body} ∎"
        if kind != directive.name or kind == "exercise":
            target = self.targets.get(directive.options.get("label", ""))
            words = target.words if target else kind.capitalize()
            return f"**{words}{f' ({title})' if title else ''}**\n\n{body}"
        if kind == "solution":
            return self._folded("Solution", body)
        if kind in ("code", "code-block", "code-cell"):
            return f"```{title}\n{directive.body}\n```"
        if kind == "raw":
            return directive.body
        if kind in ("figure", "image"):
            return f"![{directive.options.get('alt', '')}]({title})\n\n{body}"
        if kind == "dropdown" or "dropdown" in directive.classes:
            return self._folded(title, body)
        if kind == "admonition":
            return f"**{title}**\n\n{body}"
        if kind in ("note", "tip", "warning", "important", "hint", "seealso"):
            return f"**{kind.capitalize()}**\n\n{' '.join(filter(None, [title, body]))}"
        return body

    def _folded(self, title: str, body: str) -> str:
        if self.edition.solutions == "open":
            return f"**{title}**\n\n{body}"
        return f"<details><summary>{title}</summary>\n\n{body}\n\n</details>"

    def _role(self, match: re.Match) -> str:
        name, content = match[1], " ".join(match[2].split())
        words, target = "", content
        if given := _WITH_WORDS.fullmatch(content):
            words, target = given.groups()
        if name.startswith("glue"):
            return self._value(content)
        if name.startswith("cite"):
            return self._citation(name, content)
        if name in ("ref", "numref", "eq", "prf:ref"):
            return self._reference(name, words, target)
        if name == "math":
            return f"${content}$"
        return words or content

    def _value(self, content: str) -> str:
        name, _, spec = content.partition(":")
        if name not in self.values:
            return UNKNOWN
        from myst_nb.core.variables import format_plain_text  # also loads the database of a cache

        text = format_plain_text(self.values[name], spec) if spec else self.values[name]
        return with_minus(text)

    def _citation(self, name: str, content: str) -> str:
        found = [self.works[key.strip()] for key in content.split(",")]
        if name == "cite:t":
            return ", ".join(
                f"{references.authors(work)} ({work.fields['year']})" for work in found
            )
        texts = [f"{references.authors(work)}, {work.fields['year']}" for work in found]
        return f"({'; '.join(texts)})"

    def _reference(self, name: str, words: str, label: str) -> str:
        target = self.targets[label]
        if name == "eq":
            return f"({target.number})"
        words = words.replace("{number}", target.number).replace("%s", target.number)
        words = words.replace("{name}", target.title) or target.words
        is_chapter = target.page[:1].isdigit()
        if target.page == self.page or not is_chapter:
            return f"*{words}*" if target.kind == "section" else words
        return f"[{words}]({target.page}.ipynb)"


def cited(text: str) -> set[str]:
    """Return the keys of the works that a Markdown text cites."""
    return {
        key.strip() for name, content in _ROLE.findall(text) if name.startswith("cite")
        for key in content.split(",")
    }


def _outside_code(text: str, change: Callable[[str], str]) -> str:
    """Apply a change to a text outside its blocks of code."""
    parts, start = [], 0
    for block in _CODE.finditer(text):
        parts += [change(text[start:block.start()]), block[0]]
        start = block.end()
    return "".join([*parts, change(text[start:])])

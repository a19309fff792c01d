"""The table of executions: when each chapter ran here, for how long, and from which commit."""

from datetime import UTC, datetime

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.util.docutils import SphinxDirective

from companion.engine.build import chapters, costs
from companion.engine.sphinx.identity import commit


class Executions(SphinxDirective):
    """``{executions}``: one row per chapter; read again whenever the site is made."""

    def run(self) -> list[nodes.Node]:
        self.env.note_reread()
        seconds = costs.of_last_build()
        lines = ["| chapter | seconds | executed (UTC) | parameters |", "|---|--:|---|---|"]
        for chapter in chapters.chapters():
            ran = chapters.executed_metadata(chapter.executed)
            when = datetime.fromtimestamp(chapter.executed.stat().st_mtime, UTC) if ran else None
            cells = [
                f"{{doc}}`chapters/{chapter.source.stem}`",
                f"{seconds[chapter.name]:.0f}" if chapter.name in seconds else "–",
                f"{when:%Y-%m-%d %H:%M}" if when else "not executed",
                "" if not ran else "of a preset" if ran["parameters"] else "the defaults",
            ]
            lines.append(f"| {' | '.join(cells)} |")
        lines += ["", f"These pages were made at commit `{commit() or 'unknown'}`."]
        here = nodes.Element()
        self.state.nested_parse(StringList(lines, source=""), self.content_offset, here)
        return here.children


def setup(app):
    app.add_directive("executions", Executions)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""Pictures of two runs on common axes."""

import pytest

from companion.engine.build import chapters
from companion.engine.show import pictures as plotting
from companion.engine.show.pictures import kept_figures
from companion.engine.show.pictures.common_axes import on_common_axes
from companion.engine.show.pictures.drawing import log_ticks, picture


@picture()
def line(ax, limits: tuple[float, float], scale: str) -> None:
    ax.plot([1, 2], [1, 2])
    ax.set(ylim=limits)
    if scale == "log":
        log_ticks(ax.xaxis, (1, 2))


@pytest.fixture
def drawn(monkeypatch, tmp_path):
    """The picture of a line, kept."""
    monkeypatch.setenv(chapters.VARIABLE, "1")
    monkeypatch.setattr(chapters, "BUILD", tmp_path)
    return lambda *limits, scale="linear": plotting.show(
        line(limits, scale), alt="A line <&>."
    )._repr_html_()


def test_limits_hold_both_and_the_alternative_text_stays(drawn):
    first, second = on_common_axes(drawn(0, 2), drawn(1, 5))
    limits = [kept_figures.find(text)[0].axes[0].get_ylim() for text in (first, second)]
    assert limits == [(0, 5), (0, 5)]
    assert 'aria-label="A line &lt;&amp;&gt;."' in first


def test_falling_axes_stay_falling(drawn):
    first, _ = on_common_axes(drawn(2, 0), drawn(5, 1))
    assert kept_figures.find(first)[0].axes[0].get_ylim() == (5, 0)


def test_other_kinds_of_axes_and_equal_limits_stay(drawn):
    for first, second in (
        (drawn(0, 2), drawn(2, 0)),
        (drawn(0, 2), drawn(0, 5, scale="log")),
        (drawn(0, 2), drawn(0, 2)),
        (drawn(0, 2), "<p>not kept</p>"),
    ):
        assert on_common_axes(first, second) == (first, second)


def test_outside_the_book_nothing_is_kept(drawn, monkeypatch, tmp_path):
    monkeypatch.delenv(chapters.VARIABLE)
    assert kept_figures.find(drawn(0, 7)) is None
    assert not any(tmp_path.iterdir())

"""Pictures of networks show all their arrows."""

from some_networks import MIXED

from companion.engine.show.pictures import networks as pictures
from companion.engine.show.pictures import show


def test_picture_has_every_arrow_and_the_strongest_is_the_widest():
    fig = pictures.small_multiples({"mixed": MIXED})
    patches = fig.axes[0].patches
    assert len(patches) == len(MIXED.strengths())
    widths = [patch.get_linewidth() for patch in patches]
    assert widths == sorted(widths) and widths[0] < widths[-1]
    svg = show(fig, alt="a network")._repr_html_()
    assert "var(--replib-blue" in svg and "currentColor" in svg


def test_small_multiples_have_a_panel_a_network():
    fig = pictures.small_multiples({f"network {i}": MIXED for i in range(3)})
    titles = [ax.get_title(loc="left") for ax in fig.axes]
    assert titles == ["network 0", "network 1", "network 2", ""]
    assert len({ax.get_ylim() for ax in fig.axes[:3]}) == 1

"""The page to take away: A4, one page, the same bytes each time, with nothing cut."""

import re

import pandas as pd

from companion.engine.show.pictures import take_away
from replib import methods

BELIEFS = pd.DataFrame(
    {
        "p": [0.0001, 0.04, 0.06, 0.7],
        "predicted": [0.99, 0.55, 0.52, 0.97],
        "decision": [1, 1, 0, 0],
        "counted": [0.3, 0.3, 0.7, 0.7],
    }
)
NUMBERS = [("281 of 1,000", "words " * 12)] * 4


def test_it_is_one_page_of_a4_with_the_same_bytes(tmp_path):
    written = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        page = take_away.one_page(NUMBERS, BELIEFS, methods.decision_table())
        written.append(take_away.write(page, tmp_path / name))
    for first, second in zip(*written):
        assert first.read_bytes() == second.read_bytes()
    pdf = next(file for file in written[0] if file.suffix == ".pdf").read_bytes()
    boxes = re.findall(rb"/MediaBox \[ ?0 0 ([\d.]+) ([\d.]+) ?\]", pdf)
    assert [[round(float(x)) for x in box] for box in boxes] == [[595, 842]]


def test_no_words_leave_the_page_or_stand_on_others():
    page = take_away.one_page(NUMBERS, BELIEFS, methods.decision_table())
    page.draw_without_rendering()
    boxes = [text.get_window_extent() for text in page.texts]
    for place, box in enumerate(boxes):
        assert page.bbox.x0 < box.x0 and box.x1 < page.bbox.x1
        assert page.bbox.y0 < box.y0 and box.y1 < page.bbox.y1
        assert not any(box.overlaps(other) for other in boxes[place + 1 :])

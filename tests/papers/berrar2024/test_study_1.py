"""Study #1 of Berrar (2024)."""

from replib.papers.berrar2024 import (
    study_1,
)


def test_e41_only_the_mended_start_fits_the_text():
    frame = study_1.start_sizes_of_algorithm_2()
    printed, right, text = frame.drop(columns="start sizes").to_numpy()
    assert (right == text).all() and (printed != text).all()


def test_e42_most_lines_moved_by_two():
    frame = study_1.lines_of_algorithm_2().iloc[:-1]
    assert (frame["right line"].astype(int) - frame["cited line"].astype(int) == 2).all()

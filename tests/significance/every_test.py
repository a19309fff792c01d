"""The tests on differences, by kind, as other tests go through them."""

from functools import partial

import numpy as np

from replib.significance import (
    corrected_resampled_t,
    five_by_two_cv_t,
    paired_t,
    sign_test,
    signed_rank,
)

corrected_t = partial(corrected_resampled_t, test_train_ratio=1 / 9)


def five_by_two(differences, **options):
    """The 5x2cv test on a flat sample of ten, to share checks with the other tests."""
    x = np.asarray(differences)
    return five_by_two_cv_t(x.reshape(*x.shape[:-1], 5, 2), **options)


T_TESTS = [paired_t, corrected_t, five_by_two]
RANK_TESTS = [sign_test, signed_rank]

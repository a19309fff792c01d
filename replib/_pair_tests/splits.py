"""The test of scores on the splits of one data set."""

from dataclasses import dataclass
from typing import Self

import numpy as np

from replib._pair_tests.base import MeanTests, Question, Reruns
from replib._validation import Array
from replib.designs import CV, RandomSplits
from replib.intervals import Prediction
from replib.replication_probability import cv_t
from replib.rerun import predict_decisions
from replib.rerun.one_pair import predict_or_none
from replib.significance.means import corrected_t


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class CorrectedResampledT(MeanTests):
    """Corrected resampled t tests (Nadeau and Bengio 2003).

    Attributes
    ----------
    differences : ndarray, shape (pairs, runs, folds)
    ratio : float
        Test instances per training instance.
    """

    differences: Array
    ratio: float
    name = "corrected resampled t test"
    cites = ("nadeau_bengio2003", "bouckaert_frank2004", "berrar2024")

    @classmethod
    def suits(cls, question: Question) -> bool:
        return isinstance(question.table.design, CV | RandomSplits)

    @classmethod
    def from_question(cls, question: Question) -> Self:
        design = question.table.design
        assert isinstance(design, CV | RandomSplits)  # for mypy: see suits
        differences = question.differences()
        population = "new groups" if design.groups else "new data of this size"
        return cls(
            result=corrected_t(
                differences.reshape(len(differences), -1),
                ratio=design.ratio,
                scale=question.scales(),
            ),
            on=str(design),
            about=f"The test is about training again on {population}; it is approximate.",
            differences=differences,
            ratio=design.ratio,
        )

    def rerun(self, alpha: float, correction: str) -> Reruns | None:
        n_pairs, n_runs, _ = self.differences.shape
        if n_runs > 1 and n_pairs > 1:
            return Reruns(
                *predict_decisions(
                    self.differences,
                    test_train_ratio=self.ratio,
                    correction=correction,
                    alpha=alpha,
                )
            )
        prediction = predict_or_none(
            self.differences, test_train_ratio=self.ratio, test="corrected", alpha=alpha
        )
        return None if prediction is None else Reruns(prediction, prediction)

    def replication(self, alpha: float) -> Prediction | None:
        _, n_runs, n_folds = self.differences.shape
        single_run = n_runs == 1 and n_folds > 1
        without = self.without_spread
        prediction = cv_t(
            np.where(without, 0, np.abs(self.statistic)),
            n_runs * n_folds,
            alpha=alpha,
            # Berrar's scale is for one run; the t of several is taken as it is
            scale=None if single_run else 1.0,
        )
        limits = (prediction.point, prediction.low, prediction.high)
        return Prediction(*(np.where(without, np.nan, limit) for limit in limits))

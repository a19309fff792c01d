r"""Would a rerun with another seed reach the same decision?  Predicted from one block of scores.

A rerun has as many runs of the same kind as the block.  To first order, the *margin* of a t test,
its distance inside its rejection region, is an average of independent contributions, one per run
(:func:`margins`).  With :math:`\omega` the standard deviation of the contributions, the
margins of block and rerun, each of J runs, are two independent draws from
:math:`N(\gamma, \omega^2/J)`.  The data set has one unknown, :math:`\mu=\sqrt J\,\gamma/\omega`:
the rerun finds A better with probability :math:`\Phi(\mu)`.  The block tells us about it through
:math:`t_g = \sqrt J\,g/\hat\omega`, which is noncentral t with :math:`J-1` degrees of freedom and
noncentrality :math:`\mu`.  Therefore

* the limits of :math:`\mu` at which :math:`t_g` is just not surprising give an **interval** for
  :math:`\Phi(\mu)`, exact but for the two approximations (first order, normal);
* the same limits belong to the posterior distribution under the prior
  :math:`d\gamma\,d\omega/\omega`, and its mean of :math:`\Phi(\mu)` is the **prediction**: rerun
  minus block has variance :math:`2\omega^2/J`, so the prediction is :math:`F_{J-1}(t_g/\sqrt2)`.
  A block that is just significant gives 1/2, not certainty.

The chapter `adaptive_design` compares predictions with 200 reruns on many data sets.

====================================  ==========================================================
:func:`predict`, :func:`runs_needed`  one pair
:func:`predict_decisions`             several pairs, corrected for their number: by simulation
:func:`predict_choice`                the best of several candidates: by simulation
:func:`margins`                       how far a block is inside the rejection region
====================================  ==========================================================
"""

from replib.rerun.distances import TESTS, Margins, margins
from replib.rerun.one_pair import Rerun, predict, runs_needed
from replib.rerun.several import CORRECTIONS, predict_choice, predict_decisions

__all__ = [
    "CORRECTIONS",
    "TESTS",
    "Margins",
    "Rerun",
    "margins",
    "predict",
    "predict_choice",
    "predict_decisions",
    "runs_needed",
]

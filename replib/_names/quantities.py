"""What a metric measures by its name: two names of one quantity are one metric."""

from collections.abc import Sequence

from replib._names.metrics import words_of_metric

#: Names of one quantity each, by their last words.  Metrics of two of them differ.
_QUANTITIES = {
    **dict.fromkeys(["acc", "accuracy", "em", "exact match"], "accuracy"),
    **dict.fromkeys(["auc", "auroc", "roc auc"], "area under the ROC curve"),
    **dict.fromkeys(["area under roc", "roc"], "area under the ROC curve"),
    **dict.fromkeys(["ap", "auprc", "average precision", "pr auc"], "precision curve"),
    **dict.fromkeys(["auc pr", "aucpr", "map", "prauc"], "precision curve"),
    "avg precision": "precision curve",
    **dict.fromkeys(["absolute error", "mae", "max error", "medae"], "absolute error"),
    **dict.fromkeys(["rmse", "root mean squared error"], "root of squared error"),
    **dict.fromkeys(["mse", "mean squared error"], "squared error"),
    **dict.fromkeys(["log loss", "logloss", "cross entropy", "nll"], "log loss"),
    **dict.fromkeys(["kappa"], "kappa"),
    **dict.fromkeys(["matthews corrcoef", "mcc"], "correlation"),
    **{name: name for name in ("bleu", "dice", "f1", "mrr", "ndcg", "perplexity")},
    **{name: name for name in ("precision", "psnr", "r2", "ssim")},
    **dict.fromkeys(["recip rank", "reciprocal rank"], "mrr"),
    **dict.fromkeys(["f measure", "fscore"], "f1"),
    **dict.fromkeys(["kendall tau", "kendalltau"], "kendall"),
    **dict.fromkeys(["spearman rho", "spearmanr"], "spearman"),
    **dict.fromkeys(["pearsonr"], "pearson"),
    **dict.fromkeys(["rsq", "rsquared", "r squared"], "r2"),
    **dict.fromkeys(["gini", "accuracy ratio", "somers", "dxy"], "Gini coefficient"),
    **dict.fromkeys(["recall", "sensitivity", "tpr"], "recall"),
    **dict.fromkeys(["specificity", "tnr"], "specificity"),
    **{name: name for name in ("kendall", "pearson", "spearman", "rouge", "chrf")},
    **{name: name for name in ("mape", "mase", "smape", "wape", "crps", "rmsle")},
    **dict.fromkeys(["wer", "word error rate"], "word errors"),
    **dict.fromkeys(["cer", "character error rate"], "character errors"),
    **dict.fromkeys(["iou", "miou"], "intersection over union"),
    **{name: name for name in ("las", "uas", "clas", "mlas", "ter", "comet")},
}
#: Words of the longest of these.
_MOST_WORDS = max(len(name.split()) for name in _QUANTITIES)


def quantity_of_metric(name: str) -> str | None:
    """Return what a metric measures by the last words of its name, if this is well known.

    >>> [quantity_of_metric(name) for name in ("val_acc", "balanced_accuracy", "F1", "skill")]
    ['accuracy', 'accuracy', 'f1', None]
    """
    quantity, _ = quantity_at_end(words_of_metric(name))
    return quantity


def quantity_at_end(words: Sequence[str]) -> tuple[str | None, int]:
    """Return what the last of some words measure, or None, and how many words say so.

    >>> quantity_at_end(["word", "error", "rate"]), quantity_at_end(["skill"])
    (('word errors', 3), (None, 0))
    """
    for n_words in range(_MOST_WORDS, 0, -1):
        end = " ".join(words[-n_words:])
        if end in _QUANTITIES:
            return _QUANTITIES[end], min(n_words, len(words))
    return None, 0


def quantity_by_words(words: Sequence[str]) -> str:
    """Return what exactly these words in lower case measure, or the words.

    >>> quantity_by_words(["acc"]), quantity_by_words(["balanced", "accuracy"])
    ('accuracy', 'balanced accuracy')
    """
    name = " ".join(words)
    return _QUANTITIES.get(name, name)

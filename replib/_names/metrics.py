"""What a metric is by its name: a loss, or a gain.

The last words of a name say what is measured, and those before them how or where.
"""

import re
import unicodedata
from collections.abc import Sequence

from replib._names.columns import measured_by_name
from replib._names.languages import in_english
from replib._names.words import plain_text, split_at_capitals, text_in_bracket

#: Last words of names of metrics of which lower is better, and of which higher is.
_LOSSES = {
    *("ade", "aepe", "aic", "assd", "bic", "bouldin", "bpb", "bpc", "bpd"),
    *("brier", "brisque", "carbon", "cer", "chamfer", "cost", "crps", "der"),
    *("deviance", "dists", "divergence", "ece", "eer", "elapsed"),
    *("emd", "emissions", "epe", "error", "errors", "fad", "far", "fde", "fdr"),
    *("fid", "fnr", "forgetting", "fpr", "frr", "fvd", "hausdorff", "hd"),
    *("hinge", "huber", "kid", "kl", "latency", "logcosh", "logloss", "loss"),
    *("lpips", "mae", "mape", "mase", "mcd", "medae", "minade", "minfde"),
    *("misclassification", "misclassifications", "mistakes", "mmd", "mpjpe"),
    *("mpvpe", "mse", "msle", "niqe", "nll", "nlpd", "nrmse", "perplexity"),
    *("pinball", "ppl", "rae", "regret", "rmse", "rmsle", "rmsse", "rpe", "rrmse"),
    *("rse", "runtime", "sfid", "silog", "smape", "ter", "toxicity", "wape", "wer"),
    *("wil", "wmape"),
    # what went wrong, item by item, also as shells and trackers write it
    *("aborted", "bbrier", "ber", "ce", "collisions", "crashed", "crashes", "errored"),
    *("exitcode", "failed", "failures", "incorrect", "mbrier", "misclassified"),
    *("misses", "mmce", "returncode", "timeout", "timeouts", "unresolved", "unsolved"),
    *("wrong", "brier class", "exit code", "exit status", "return code", "status code"),
    *("abs rel", "absolute deviation", "average rank", "avg rank", "bits dim"),
    *("bits per byte", "bits per char", "bits per character", "bits per dim"),
    *("calibration gap", "collision rate", "crash rate", "cross entropy"),
    *("edit distance", "elapsed time", "energy consumption", "error rate"),
    *("failure rate", "false alarm rate", "false discovery rate"),
    *("false negative rate", "false positive rate", "generalization gap"),
    *("hallucination rate", "hamming distance", "hausdorff distance"),
    *("inception distance", "inference time", "mean rank", "med ae", "median rank"),
    *("memory usage", "misclassification rate", "miss rate", "mover distance"),
    *("peak memory", "power consumption", "response time"),
    *("run time", "sq rel", "squared deviation", "train time", "training time"),
    *("violation rate", "wall clock time", "wall time", "wasserstein distance"),
}
_NEGATIVE_LIKELIHOODS = {"negative log likelihood", "neg log likelihood"}
_GAINS = {
    *("acc", "accuracy", "ami", "ap", "ari", "auc", "auprc", "auroc", "bertscore"),
    *("bleu", "bleurt", "ccc", "chrf", "cider", "cindex", "comet", "dcg", "dice"),
    *("elbo", "elo", "f1", "fbeta", "fps", "gmean", "hit", "hits", "homogeneity"),
    *("hota", "idf1", "iou", "jaccard", "kappa", "kendall", "kge", "lddt"),
    *("likelihood", "map", "mcc", "meteor", "miou", "mota", "mrr", "ndcg", "nds"),
    *("nmi", "pass", "pck", "pearson", "pesq", "ppv", "precision", "profit"),
    *("psnr", "purity", "r2", "recall", "revenue", "reward", "rouge"),
    *("sacrebleu", "sdr", "sensitivity", "sharpe", "silhouette", "sisdr"),
    *("sortino", "spearman", "specificity", "spice", "ssim", "stoi", "throughput"),
    *("tnr", "top", "top1", "top5", "tpr", "youden"),
    *("c index", "calinski harabasz", "completion rate"),
    *("concordance index", "exact match", "explained variance"),
    *("f measure", "fowlkes mallows", "hit rate", "hit ratio"),
    *("log likelihood", "mutual information", "panoptic quality", "pass rate"),
    *("rand index", "rank correlation", "reciprocal rank", "resolved rate"),
    *("sharpe ratio", "solve rate", "success rate"),
    *("tokens per second", "true negative rate", "true positive rate", "v measure"),
    *("win rate",),
}
#: Last words that say how, where or in which unit a metric was measured, not what it is.
_QUALIFIERS = {
    *("average", "avg", "coef", "coeff", "coefficient", "macro", "mean", "median"),
    *("micro", "score", "weighted", "dev", "eval", "test", "train", "val", "valid"),
    *("validation", "eur", "gb", "kg", "kwh", "mb", "ms", "sec", "seconds", "usd"),
    *("p5", "p9"),  # percentiles
    *("log", *"abcdefghijklmnopqrstuvwxyz"),  # "RMSE log", "ROUGE-L", "pearson_r"
}
#: What is spent, as in "time per step".
_COSTS = {"cost", "energy", "ms", "price", "seconds", "time"}
#: Who succeeds, if it is not the model: the direction depends on whose side one is on.  A
#: share of a loss that is explained, or saved, is a gain.
_UNCERTAIN = {
    *("adversarial", "attack", "attacker", "backdoor", "evasion", "jailbreak"),
    *("insertion", "weight"),  # the loss of a filter, or of a patient
    *("d2", "reduction", "saved", "skill"),
}
#: Beside words for the contrary, a score may be either: "right or wrong".
_RIGHT = {"correct", "right", "solved", "passed"}
#: Words that turn the sign of a metric.
_TURNING = {"minus", "neg", "negated", "negative", "inverse", "inverted"}
#: Metrics that no model, and no data set, is called after.  Models are called after the
#: losses that they are trained with.
_PLAIN = {"acc", "accuracy", "auc", "auroc", "f1", "loss", "precision", "recall"}
#: Parts of the data before the name of a metric.
_PARTS = {"dev", "eval", "test", "train", "val", "valid", "validation"}
#: What names and labels say themselves about the direction.
_LOWER = re.compile(
    r"[↓⬇▼]|\\downarrow|(?<![a-z])(?:lower|less|smaller)"
    r"(?:[ _-]+is|[ _]*=|[ _-]+the)?[ _-]*better(?![a-z])"
)
_HIGHER = re.compile(
    r"[↑⬆▲]|\\uparrow|(?<![a-z])(?:higher|more|larger|bigger|greater)"
    r"(?:[ _-]+is|[ _]*=|[ _-]+the)?[ _-]*better(?![a-z])"
)
#: Metrics that rows of tables are labelled with, and that mean nothing else there: "far"
#: and "kid" may be data sets, and "acc" the data of an accelerometer.
_LOSSES_OF_ROWS = {
    *("bpb", "bpc", "brier", "cer", "crps", "ece", "fid", "fvd", "log loss", "logloss"),
    *("mae", "mape", "mase", "mse", "nll", "nrmse", "perplexity", "ppl", "rmse"),
    *("smape", "wer"),
}
_ERRORS_OF_ROWS = {"err", "error", "error rate", "errors", "loss"}
_GAINS_OF_ROWS = {
    *("acc", "accuracy", "ap", "auc", "auroc", "bleu", "chrf", "dice", "em", "f1"),
    *("exact match", "iou", "map", "mcc", "miou", "mrr", "ndcg", "psnr", "r2"),
    *("recall", "rouge", "ssim"),
}


def direction_of_metric(name: str) -> str | None:
    """Return the direction that a metric has by the last words of its name, or None.

    >>> [direction_of_metric(name) for name in ("val/word_error_rate", "FID", "neg_loss", "skill")]
    ['lower', 'lower', 'higher', None]
    """
    name = in_english(name)
    stated = stated_direction(name)
    if stated is not None and not _is_negated(name):
        return stated
    plain = re.sub(r"\(.*?\)", "", unicodedata.normalize("NFKC", name))
    measured = measured_by_name(plain)
    is_time = measured == "times" and "time" in plain.casefold()
    if measured == "ranks" or is_time:
        return "lower"  # a rank correlation or a reciprocal rank has another name
    # words of "eval/wer", "valLoss" and "F1-score (macro)"; "mIoU" is one word
    words = words_of_metric(split_at_capitals(plain))
    if "per" in words[1:] and words[words.index("per") - 1] in _COSTS:
        return "lower"  # a time per step
    last_unsplit = words_of_metric(plain)[-1:]
    without_number = [re.sub(r"\d+$", "", word) for word in last_unsplit]  # of "HD95"
    ends = last_words(words, 3) + last_unsplit + without_number
    if not _NEGATIVE_LIKELIHOODS.isdisjoint(ends):
        return "lower"
    if name.startswith("neg_") and not _LOSSES.isdisjoint(ends):
        return "higher"  # as scikit-learn calls negated losses
    is_until_goal = "to" in words[1:-1]  # "time to accuracy" is no accuracy
    if is_turned(name) or is_until_goal or not (_UNCERTAIN | _RIGHT).isdisjoint(words):
        return None
    if not _LOSSES.isdisjoint(ends):
        return "lower"
    return None if _GAINS.isdisjoint(ends) else "higher"


def is_direction_known(words: str) -> bool:
    """Return whether words in lower case are those of a loss or a gain, and no others.

    >>> is_direction_known("error rate"), is_direction_known("error rate of b")
    (True, False)
    """
    return words in _LOSSES or words in _GAINS


def is_turned(name: str) -> bool:
    """Return whether a name says that the sign of a metric, or its direction, was turned.

    >>> is_turned("neg_log_loss"), is_turned("1 - WER"), is_turned("log_loss")
    (True, True, False)
    """
    return _is_negated(name) or name.startswith(("-", "1"))


def _is_negated(name: str) -> bool:
    """Return whether a word of a name says that its sign was turned."""
    return not _TURNING.isdisjoint(re.findall(r"[a-z]+", name.casefold()))


def stated_direction(name: str) -> str | None:
    """Return the direction that an arrow in a name, or "lower is better", states, or None.

    >>> [stated_direction(name) for name in ("COMET-err ↓", "skill (higher is better)", "FID")]
    ['lower', 'higher', None]
    """
    plain = plain_text(name)
    is_lower = _LOWER.search(plain) is not None
    if is_lower == (_HIGHER.search(plain) is not None):
        return None
    return "lower" if is_lower else "higher"


def direction_of_row(label: str) -> str | None:
    """Return the direction of the metric that the label of a row names, or states, or None.

    >>> labels = ("WikiText (ppl)", "SST-2 (Acc)", "skill ↓", "librispeech_wer", "WER: AMI")
    >>> [direction_of_row(label) for label in labels]
    ['lower', 'higher', 'lower', 'lower', 'lower']
    >>> direction_of_row("AMI (far)") is None
    True
    """
    stated = stated_direction(label)
    if stated is not None:
        return stated
    before = re.match(r"(?P<metric>[a-z ]+?)(?: - |[:/_]) *\w", plain_text(label))
    if before is not None and before["metric"].strip() in _LOSSES_OF_ROWS:
        return "lower"
    in_bracket = text_in_bracket(label)
    if in_bracket is None:
        words = words_of_metric(label)
        is_loss = not _LOSSES_OF_ROWS.isdisjoint(last_words(words, 2))
        return "lower" if is_loss and len(words) > 1 else None
    ends = last_words(words_of_metric(in_bracket), 2)
    if not (_LOSSES_OF_ROWS | _ERRORS_OF_ROWS).isdisjoint(ends):
        return "lower"
    return None if _GAINS_OF_ROWS.isdisjoint(ends) else "higher"


def is_name_of_loss(label: str) -> bool:
    """Return whether a label is a loss that no data set is called after, and nothing else.

    >>> is_name_of_loss("ECE"), is_name_of_loss("KID")
    (True, False)
    """
    return plain_text(label) in _LOSSES_OF_ROWS


def is_name_of_metric(label: str) -> bool:
    """Return whether a label is a common metric, and nothing else.

    >>> is_name_of_metric("val_loss"), is_name_of_metric("Accuracy"), is_name_of_metric("mse")
    (True, True, False)
    """
    plain = plain_text(label)
    words = re.findall(r"[a-z]+\d?", plain)
    if "".join(words) != re.sub(r"[\W_]", "", plain):
        return False  # with other letters or numbers
    is_of_part = bool(words) and words[0] in _PARTS
    if len(words) != 1 + is_of_part:
        return False
    if is_of_part and words[-1] in _LOSSES | _GAINS:
        return True
    return words[-1] in _PLAIN


def plain_name(name: str) -> str:
    """Return the name of a metric in lower case, with "_" between words.

    >>> plain_name("ROC AUC")
    'roc_auc'
    """
    return re.sub(r"[\s-]+", "_", name.strip()).casefold()


def words_of_metric(name: str) -> list[str]:
    """Return the words of a name in lower case, but for the last ones that only qualify it.

    >>> words_of_metric("F1-score (macro)")
    ['f1']
    """
    words = re.findall(r"[a-z]+\d?", plain_text(name))
    while words and words[-1] in _QUALIFIERS:
        words.pop()
    return words


def last_words(words: Sequence[str], most: int) -> list[str]:
    """Return the last words of a name, from the last few to the last one alone.

    >>> last_words(["word", "error", "rate"], 2)
    ['error rate', 'rate']
    """
    return [" ".join(words[-n_words:]) for n_words in range(most, 0, -1)]

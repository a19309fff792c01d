"""What a label is by its name: a summary, the truth, a learner, or a part of the data."""

import re
from collections.abc import Iterable

from replib._names.metrics import direction_of_metric

#: A label of these words alone is that of a row that summarises the others.
_SUMMARY_WORDS = {
    *("average", "avg", "best", "deviation", "durchschnitt", "max", "maximum", "mean"),
    *("median", "min", "minimum", "mittelwert", "moyenne", "overall", "promedio"),
    *("rank", "ranks", "sd", "stderr", "std", "stdev", "sum", "total", "variance"),
    *("sig", "significance", "t-test", "wilcoxon", "wins", "worst", "Σ".casefold()),
}
#: Words that may stand beside these.
_QUALIFIERS = {
    *("acc", "accuracy", "arithmetic", "dev", "error", "f1", "geometric", "harmonic"),
    *("macro", "micro", "p", "score", "standard", "test", "weighted"),
    *("across", "all", "data", "datasets", "folds", "no", "number", "of", "over"),
    *("runs", "seeds", "sets", "tasks", "the"),
}
#: Wins, ties and losses.
_WINS = re.compile(
    r"w(?:in)?s?[ /-]*[td](?:ie|raw)?s?[ /-]*l(?:oss|ose)?(?:es)?", re.IGNORECASE
)
#: Learners, without blanks and signs.
_LEARNERS = {
    *(
        "adaboost",
        "bagging",
        "boosting",
        "c45",
        "c50",
        "cart",
        "catboost",
        "decisiontree",
    ),
    *("elasticnet", "extratrees", "forest", "gbdt", "gbm", "gp", "gradientboosting"),
    *("j48", "knn", "lasso", "lda", "lightgbm", "lgbm", "linearregression"),
    *("linearsvm", "logistic", "logisticregression", "lr", "lstm", "mlp", "naivebayes"),
    *("nb", "ols", "qda", "randomforest", "resnet", "rf", "ridge", "sgd", "svm", "svc"),
    *("svr", "transformer", "tree", "xgb", "xgboost"),
}
#: A model with such a name is the difference of two others, if it has its values.
_DIFFERENCES = {
    *("change", "delta", "diff", "difference", "gain", "improvement", "Δ".casefold()),
}
#: A model with such a name that is never wrong is the column of the truth.
_TRUTH_NAMES = frozenset(
    ["actual", "expected", "gold", "gold label", "ground truth", "label", "labels"]
    + ["target", "truth", "y", "y true"]
)
#: These are names of the truth beside models that are right or wrong, too; "gold" and "y"
#: are models there.
_TRUTH_BESIDE_ANSWERS = _TRUTH_NAMES - {"gold", "y"}
#: Names of the data that are trained on, and of those that are not.
TRAINED = {"train", "training"}
#: Words for scores on the data that were trained on.
_OF_TRAINING = {"apparent", "derivation", "insample", "resub", "resubstitution", "trn"}
#: These are so with a metric beside them: "fit_acc", but not "goodness of fit".
_BESIDE_METRIC = (
    r"(?:fit|fitted|learn)[-_ /](?P<behind>.+)|(?P<before>.+)[-_ /](?:fit|fitted|learn)"
)
#: Scores of these are not on the data that were trained on, whatever was.
_NOT_OF_TRAINING = {"corrected", "cv", "heldout", "holdout", "oob", "oof", "optimism"}
#: Words that make another word of training.
_BEFORE_TRAINING = {"adv", "co", "meta", "post", "pre", "re", "self"}
TESTED = {"test", "testing", "val", "valid", "validation", "dev"}


def words_of_label(label: object) -> list[str]:
    """Return the words of a label in lower case.

    Parameters
    ----------
    label : object

    Returns
    -------
    list of str
    """
    plain = re.sub(r"(?<=.)[(\[].*?[)\]]", "", str(label).casefold())  # "Avg (UCI)"
    return re.sub(r"[_.↑↓*†‡]", " ", plain).split()


def is_of_training(name: object) -> bool:
    """Return whether a name says that something is of the training data, and of no other.

    Parameters
    ----------
    name : object

    Returns
    -------
    bool

    Examples
    --------
    >>> [is_of_training(name) for name in ("train_acc", "acc_train", "train_test", "trains")]
    [True, True, False, False]
    >>> [is_of_training(name) for name in ("auc_apparent", "fit_r2", "best_fit", "auc_cv")]
    [True, True, False, False]
    """
    plain = str(name).casefold().removeprefix("metrics.")
    words = re.findall(r"[a-z]+", re.sub(r"in[-_ ]sample", "insample", plain))
    if not words or not (TESTED | _NOT_OF_TRAINING).isdisjoint(words):
        return False
    if "train" in words[1:]:
        return words[words.index("train", 1) - 1] not in _BEFORE_TRAINING
    if words[0] in TRAINED or not _OF_TRAINING.isdisjoint(words):
        return True
    beside = re.fullmatch(_BESIDE_METRIC, plain)
    if beside is None:
        return False
    return direction_of_metric(beside["behind"] or beside["before"]) is not None


def is_summary(label: str) -> bool:
    """Return whether a label has no words but those of a summary.

    Parameters
    ----------
    label : str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_summary("Avg. rank"), is_summary("mean shift")
    (True, False)
    """
    if _WINS.fullmatch(label.strip()):
        return True
    plain = label.lstrip("# ")
    return any(_summarise(words_of_label(x)) for x in (plain, plain.replace("-", " ")))


def _summarise(of_label: list[str]) -> bool:
    """Return whether words say that the others are summarised, and nothing else."""
    words = set(of_label)
    if words == {"samples", "avg"}:
        return True  # a row of scikit-learn's report
    return bool(words & _SUMMARY_WORDS) and words <= _SUMMARY_WORDS | _QUALIFIERS


def is_name_of_truth(model: str) -> bool:
    """Return whether a model is named as the column of the truth is.

    Parameters
    ----------
    model : str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_name_of_truth("Y_true")
    True
    """
    return " ".join(words_of_label(model)) in _TRUTH_NAMES


def is_truth_beside_answers(model: str) -> bool:
    """Return whether a model that is right or wrong is named as only the truth is.

    Parameters
    ----------
    model : str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_truth_beside_answers("label"), is_truth_beside_answers("label smoothing")
    (True, False)
    """
    return " ".join(words_of_label(model)) in _TRUTH_BESIDE_ANSWERS


def are_learners(labels: Iterable[str]) -> bool:
    """Return whether all labels are names of learners, as tables have them in their first row.

    Parameters
    ----------
    labels : iterable of str

    Returns
    -------
    bool

    Examples
    --------
    >>> are_learners(["SVM", "Random forest"]), are_learners(["iris", "SVM"])
    (True, False)
    """
    n_learners = 0
    for label in labels:
        if re.sub(r"[\W_]", "", label.casefold()) not in _LEARNERS:
            return False
        n_learners += 1
    return n_learners > 1


def is_difference(model: str) -> bool:
    """Return whether a model is named as a difference of two others is.

    Parameters
    ----------
    model : str

    Returns
    -------
    bool

    Examples
    --------
    >>> is_difference("Δ"), is_difference("difference target propagation")
    (True, False)
    """
    words = words_of_label(model)
    return (len(words) == 1 and words[0] in _DIFFERENCES) or " vs " in f" {model} "


def ranked_model(name: str, models: Iterable[str]) -> str | None:
    """Return the model whose ranks a column has by its name, such as "rank_svm", or None.

    Parameters
    ----------
    name : str
    models : iterable of str

    Returns
    -------
    str or None

    Examples
    --------
    >>> ranked_model("rank_svm", ["svm", "nb"]), ranked_model("ranknet", ["net"])
    ('svm', None)
    """
    match = re.fullmatch(
        r"ranks?[ _.(-]+(?P<before>[^)]+)\)?|(?P<after>[^(]+?)[ _.(-]+ranks?\)?",
        name,
        re.IGNORECASE,
    )
    if match is None:
        return None
    model = match["before"] or match["after"]
    return model if model in models else None

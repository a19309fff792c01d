"""Names of learners, as tables have them in their first row."""

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import combinations

from replib._names.tables import any_of, table_of_words
from replib._names.words import (
    MOST_NAMES,
    plain_words,
    split_at_capitals,
    words_of_column,
)

#: Learners, without blanks and signs.
_LEARNERS = {
    *("adaboost", "bagging", "boosting", "c45", "c50", "cart", "catboost"),
    *("decisiontree", "elasticnet", "extratrees", "forest", "gbdt", "gbm", "gp"),
    *("gradientboosting", "j48", "knn", "lasso", "lda", "lightgbm", "lgbm"),
    *("linearregression", "linearsvm", "logistic", "logisticregression", "lr", "lstm"),
    *("mlp", "naivebayes", "nb", "ols", "qda", "randomforest", "resnet", "rf", "ridge"),
    *("sgd", "svm", "svc", "svr", "transformer", "tree", "xgb", "xgboost", "bayesnet"),
    *("bernoullinb", "coxph", "decisionstump", "deepsurv", "extratree", "gam"),
    *("gaussiannb", "gaussianprocess", "glm", "glmnet", "gradientboostedtrees"),
    *("histgradientboosting", "ibk", "jrip", "kernelridge", "kneighbors", "linearsvc"),
    *("knearestneighbors", "lineardiscriminantanalysis", "multinomialnb"),
    *("neuralnetwork", "perceptron", "quadraticdiscriminantanalysis", "ranger", "rsf"),
    *("ann", "baggedtrees", "bayesianridge", "boostedtrees", "boostedtree", "cnn"),
    *("dnn", "gru", "logit", "logitboost", "multilayerperceptron", "nnet", "probit"),
    *("rnn", "baggingtrees", "complementnb", "ebm", "gbrt", "id3", "kstar"),
    *("linearregressor", "logreg", "nearestcentroid", "oner", "randomforests"),
    *("ripper", "supportvectors", "svmlinear", "linearsvm", "svmrbf", "rbfsvm"),
    *("tabnet", "tabpfn", "xgboosting", "smo", "supportvectormachine", "zeror"),
}
#: Words of a learner that gives one answer, whatever it is asked.
_CONSTANT = re.compile(
    r"\b(?:featureless|dummy|zero ?r|0 ?r|majority|most (?:frequent|common)|constant|prior|mode"
    r"|(?:always|all) (?:\w+)|null(?: model)?|trivial|intercept(?: only)?|fixed answer"
    r"|(?:mean|median) (?:predictor|baseline|regressor)|climatology|chance)\b"
)
#: These may stand beside them.
_BESIDE_CONSTANT = {
    *("baseline", "class", "classif", "classifier", "guess", "label", "learner"),
    *("model", "only", "predictor", "random", "regr", "regressor", "strategy", "the"),
    *("vote", "weka", "sklearn", "rules", "surv", "a", "with"),
}
#: Words of a learner whose leaves are pure, of a rule, or of somebody who decides.
_DECIDES = re.compile(
    r"\b(?:(?<!boosted )(?<!boosting )(?<!extra )trees?|dtc?|cart|c4 ?5|c5 ?0|j48|id3"
    r"|rpart|ctree|stump|1 ?nn|nn ?1|k ?nn(?: k)? ?1|nearest neighbou?r|(?:one|1) ?r"
    r"|ripper|jrip|rules?|guidelines?|criteria|criterion|policy|thresholds?|cut ?offs?"
    r"|lexicon|keywords?|regex|dictionary|heuristics?|checklist|baselines?"
    r"|random (?:guess(?:es|ing)?|classifier)|coin|flag|alarm|alert|triage|screening"
    r"|humans?|experts?|persons?|annotators?|raters?|readers?|judges?|coders?|crowd"
    r"|clinicians?|doctors?|physicians?|radiologists?|nurses?|teachers?|votes?|voting"
    r"|hard|decisions)\b"
)
#: Values of settings that often make no difference, and what stands for all or none of them.
_VALUES = {
    *("all", "auto", "ball", "base", "baseline", "brute", "default", "distance"),
    *("entropy", "false", "full", "gini", "kd", "lbfgs", "liblinear", "log", "loss"),
    *("minus", "newton", "cg", "no", "none", "ovo", "ovr", "raw", "sag", "saga"),
    *("scale", "scaled", "sqrt", "svd", "true", "uniform", "unpruned"),
    *("unscaled", "without"),
}


def may_be_settings(names: Iterable[str]) -> bool:
    """Return whether any two names share a word, or one is, or has, a value of a setting.

    >>> may_be_settings(["tree depth=9", "tree depth=12"]), may_be_settings(["lbfgs", "sag"])
    (True, True)
    >>> may_be_settings(["champion_v3", "xgb_prod_2023"]), may_be_settings(["a", "b"])
    (False, False)
    """
    words = [{*words_of_column(name)} - {"v"} for name in names]
    return not any(
        a and b and a.isdisjoint(b) and _VALUES.isdisjoint(a | b)
        for a, b in combinations(words, 2)
    )


def is_constant(name: str) -> bool:
    """Return whether a model gives one answer by its name, so that its runs are equal.

    >>> [is_constant(name) for name in ("classif.featureless", "ZeroR", "Majority class")]
    [True, True, True]
    >>> [is_constant(name) for name in ("prior-fitted network", "constant-Q", "dummy-net 2")]
    [False, False, False]
    """
    words = plain_words(split_at_capitals(name))
    match = _CONSTANT.search(words)
    if match is None:
        return False
    rest = f"{words[: match.start()]} {words[match.end() :]}".split()
    return set(rest) <= _BESIDE_CONSTANT


@lru_cache(MOST_NAMES)
def is_deterministic(name: str) -> bool:
    """Return whether a model gives the same answers with each seed, by its name.

    >>> [is_deterministic(name) for name in ("MostPop", "BM25", "kNN (k=5)", "Seasonal naive")]
    [True, True, True, True]
    >>> [is_deterministic(name) for name in ("PopNet", "Random forest", "lookup-free VQ")]
    [False, False, False]
    """
    spellings = {plain_words(name), plain_words(split_at_capitals(name))}
    return is_constant(name) or any(map(_deterministic().fullmatch, spellings))


@lru_cache(MOST_NAMES)
def only_decides(name: str) -> bool:
    """Return whether a model has two scores by its name, such as a tree, a rule or a person.

    >>> [only_decides(name) for name in ("DecisionTreeClassifier", "1-NN", "expert 2", "forest")]
    [True, True, True, False]
    """
    words = plain_words(split_at_capitals(name))
    return is_constant(name) or _DECIDES.search(words) is not None


@cache
def _deterministic() -> re.Pattern[str]:
    """Return the pattern of names of models whose answers no seed changes."""
    table = table_of_words("deterministic")
    beside = any_of([*table["beside"], r"\d+"])
    return re.compile(rf"(?:{beside} )*{any_of(table['phrases'])}(?: {beside})*")


def are_learners(labels: Iterable[str]) -> bool:
    """Return whether all labels are names of learners, as tables have them in their first row.

    >>> are_learners(["SVM", "Random forest"]), are_learners(["iris", "SVM"])
    (True, False)
    """
    n_learners = 0
    for label in labels:
        plain = re.sub(r"[\W_]", "", label.casefold())
        if re.sub(r"(?<=.)(?:classifier|regressor|cv)$", "", plain) not in _LEARNERS:
            return False
        n_learners += 1
    return n_learners > 1

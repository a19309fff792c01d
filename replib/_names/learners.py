"""Names of learners, as tables have them in their first row."""

import re
from collections.abc import Iterable

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
    *("smo", "supportvectormachine", "zeror"),
}


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

"""Replicability of classifier experiments, as four papers define and estimate it.

Modules, in the order in which data flows through them:

========================  =====================================================================
`replib.published`        the papers' printed values, claims, items and errata as tidy frames
`replib.datasets`         the 27 UCI data sets, read from Weka's files or OpenML and verified
`replib.learners`         naive Bayes, C4.5 and nearest neighbour as Weka has them
`replib.sources`          random data from Bayesian networks, the papers' four sources among them
`replib.margins`          by how much C4.5 beats naive Bayes on a source; the search for networks
`replib.engine`           long experiments: parallel, resumed after a kill, stored with their origin
`replib.experiments`      cross-validation and resampling of learners on a data set, as counts
`replib.significance`     the tests: paired t, corrected resampled t, sign, signed rank, McNemar, 5x2cv
`replib.schemes`          the six ways to make a sample out of a runs x folds block of differences
`replib.estimators`       replicability from repeated outcomes: R1, R2, R_k, intervals, consistency
`replib.replication`      probability that a significant result replicates, with intervals
`replib.simulation`       designs on data drawn from a source: splits, decisions, counts
`replib.theory`           exact and limiting replicability of McNemar's test
`replib.studies`          a module a paper or subject, a function a table, figure or example
`replib.ledger`           published beside rebuilt, with a verdict
`replib.plotting`         the house style and one function per kind of picture
`replib.parameters`       the parameters of a chapter: declared, checked
`replib.book`             chapters: execution, pages, a reader's copy
========================  =====================================================================
"""

__version__ = "0.1.0"

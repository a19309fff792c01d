"""Replicability of classifier experiments, as four papers define and estimate it.

Modules, in the order in which data flows through them:

========================  =====================================================================
`replib.papers.published`        the papers' printed values, claims, items and errata as tidy frames
`replib.datasets`         the 27 UCI data sets, read from Weka's files or OpenML and verified
`replib.learners`         naive Bayes, C4.5 and nearest neighbour as Weka has them
`replib.sources`          random data from Bayesian networks, the papers' four sources among them
`replib.papers.networks.search`          by how much C4.5 beats naive Bayes on a source; the search for networks
`replib.experiments.engine`           long experiments: parallel, resumed after a kill, stored with their origin
`replib.experiments.on_datasets`      cross-validation and resampling of learners on a data set, as counts
`replib.significance`     the tests: paired t, corrected resampled t, sign, signed rank, McNemar, 5x2cv
`replib.schemes`          the six ways to make a sample out of a runs x folds block of differences
`replib.adaptive`         repeated cross-validation that stops when its decision is stable
`replib.replicability`       replicability from repeated outcomes: R1, R2, R_k, intervals, consistency
`replib.replication_probability`      probability that a significant result replicates, with intervals
`replib.experiments.on_sources`       designs on data drawn from a source: splits, decisions, counts
`replib.theory`           exact and limiting replicability of McNemar's test
`replib.papers`          a module a paper or subject, a function a table, figure or example
`replib.papers.ledger`           published beside rebuilt, with a verdict
`replib.book.pictures`         the house style and one function per kind of picture
`replib.book.parameters`       the parameters of a chapter: declared, checked
`replib.book.chapters`             chapters: execution, pages, a reader's copy
========================  =====================================================================
"""

__version__ = "0.1.0"

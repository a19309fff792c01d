"""Replicability of classifier experiments, as four papers define and estimate it.

Modules, in the order in which data flows through them:

========================  =====================================================================
`replib.published`        the papers' printed values, claims, items and errata as tidy frames
`replib.significance`     the tests: paired t, corrected resampled t, sign, signed rank, McNemar, 5x2cv
`replib.schemes`          the six ways to make a sample out of a runs x folds block of differences
`replib.estimators`       replicability from repeated outcomes: R1, R2, R_k, intervals, consistency
`replib.replication`      probability that a significant result replicates, with intervals
`replib.theory`           exact and limiting replicability of McNemar's test
`replib.studies`          one module per paper, one function per table, figure or worked example
`replib.ledger`           published beside rebuilt, with a verdict
`replib.plotting`         the house style and one function per kind of picture
`replib.book`             chapters: parameters, execution, pages
========================  =====================================================================
"""

__version__ = "0.1.0"

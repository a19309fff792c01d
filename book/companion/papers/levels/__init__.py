"""Networks with the printed margin and a level: the accuracy of naive Bayes, which no paper prints.

At a fixed margin between C4.5 and naive Bayes the power of a test follows the level.
:mod:`companion.papers.levels.search` says how the networks were found,
:mod:`companion.papers.levels.experiments` has their stored decisions.
"""

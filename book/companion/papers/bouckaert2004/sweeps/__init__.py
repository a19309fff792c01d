"""Sweeps of replicability: one thing at a time is varied, and all others stay as in the papers.

Bouckaert (2004, Section 4) varies the significance level, the number of runs, the class
probability, the class cardinality and the pair of learners, and reports the results in
three sentences.  Here are these sweeps in numbers, and the sweep that the paper's last
paragraph asks for, over the size of the data set.

Two numbers describe a setting: how often it rejects, which is the Type I error rate on
source 1 and power on the others; and the normalised replicability 2r - 1.  Both are
means over data sets.
"""

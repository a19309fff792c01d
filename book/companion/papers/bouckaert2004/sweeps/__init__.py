"""What moves replicability: one thing at a time is varied, all others stay as in the papers.

Bouckaert (2004, Section 4) varies the significance level, the number of runs, the class
probability, the class cardinality and the pair of learners, and reports what came out in three
sentences.  Here are these sweeps in numbers, and the one that the paper asks for in its last
paragraph, the size of the data set.

Two numbers describe a setting: how often it rejects, the Type I error on source 1 and power on the
others; and the normalised replicability 2r - 1.  Both are means over data sets.
"""

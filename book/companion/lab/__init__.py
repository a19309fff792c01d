"""The laboratory: learners, random sources, the 27 UCI data sets, and experiments on them."""

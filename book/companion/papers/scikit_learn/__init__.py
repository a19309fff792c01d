"""The example *Statistical comparison of models using grid search* of scikit-learn 1.9.

A page of documentation, not a paper: it applies the corrected t test of Bouckaert and Frank (2004)
to four support vector machines, and prints what it gets.  Its data and splits have seeds, so that
every printed number can be had again.
"""

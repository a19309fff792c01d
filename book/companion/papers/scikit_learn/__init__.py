"""The example *Statistical comparison of models using grid search* of scikit-learn 1.9.

It is a page of documentation, not a paper: it applies the corrected t test of Bouckaert
and Frank (2004) to four support vector machines and prints the results.  Its data and
splits have seeds, so every printed number can be reproduced.
"""

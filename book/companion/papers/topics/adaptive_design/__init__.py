"""The adaptive scheme of Bouckaert (2005, Section 5) beside fixed numbers of runs.

Three grounds: stored cross-validations of the UCI data sets, data sets drawn from the sources of
2004, and the border model.
"""

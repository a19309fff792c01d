"""The adaptive scheme of Bouckaert (2005, Section 5) compared with fixed numbers of runs.

The comparison uses stored cross-validations of the UCI data sets, data sets drawn from
the sources of 2004, and the border model.
"""

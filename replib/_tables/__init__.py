"""Tables of rows: columns by their roles, labels, and the values of each model.

Shared by the tables of scores and the readers.  What does not fit is refused in one
sentence that names rows or columns.
"""

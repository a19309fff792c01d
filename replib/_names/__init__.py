"""What names say: those of metrics, of columns, and of labels.

A name is structure where a value is a coincidence.  All words that the library knows
stand here; what is said about them stands where they are met.
"""

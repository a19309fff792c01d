"""One module per paper; in each, one function per table, figure or worked example of that paper.

A function here returns a tidy :class:`pandas.DataFrame` and never draws.  Functions whose name says
what they rebuild return the frame that :func:`replib.ledger.compare` puts beside the printed values.
"""

"""What names say: those of metrics, of columns, of rows and of models.

A name is structure where a value is a coincidence.  All words that the library knows
stand here, most of them in ``replib/data/names`` (`tables` reads them); what is said about them
stands where they are met.  A name is taken apart first, in any of seven languages (`words`,
`languages`).  It may be of a thing that is no model (`things`), of a metric (`metrics`),
of a row (`labels`) or of a model (`models`).
"""

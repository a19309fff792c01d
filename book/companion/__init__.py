"""What is behind the chapters of the book on replicability.

======================  ===========================================================================
`companion.lab`         learners, sources, data sets, and the runner of experiments on them
`companion.papers`      what the four papers print, and what rebuilds it: a folder per paper
`companion.studies`     what the book measured beyond the papers
`companion.stored`      the catalogue of long runs of papers and studies, and their stored counts
`companion.engine`      chapters, their parameters and pictures, the pages, the command line
======================  ===========================================================================

It stands on `replib`, the library, which does without it.
"""

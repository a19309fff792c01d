"""What is behind the chapters of the book on replicability.

======================  ===========================================================================
`companion.lab`         learners, sources, data sets, and the engine that runs experiments on them
`companion.papers`      what the four papers print, and what rebuilds it: a folder per paper
`companion.engine`      chapters, their parameters and pictures, the pages, the command line
======================  ===========================================================================

It stands on `replib`, the library, which does without it.
"""

__version__ = "0.1.0"

"""The four papers: the facts they print, and the code that rebuilds them."""

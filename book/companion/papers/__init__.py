"""The four papers: what they print, and what rebuilds it."""

"""How a result is shown: its words, its page and its pictures."""

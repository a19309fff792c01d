"""Extensions of Sphinx with which the pages of the book are made."""

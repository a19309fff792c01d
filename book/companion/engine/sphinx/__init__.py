"""Extensions of Sphinx that make the pages of the book."""

"""What cells display: cards, ledgers, quizzes, tables and pictures."""

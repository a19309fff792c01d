"""Topics of chapters that are in none of the papers."""

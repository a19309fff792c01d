"""What the book measured beyond the papers."""

"""RonD6 Combat 4.0."""

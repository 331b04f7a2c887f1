"""Parameters: frozen dataclasses, each with its meaning and the papers' values."""

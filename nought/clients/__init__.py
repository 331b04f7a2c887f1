"""Ways to play: so far in the terminal."""

"""Learning: self-play, a window of positions, gradient steps, a gate; and runs that survive."""

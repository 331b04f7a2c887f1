"""What is compiled on top of a game's rules for everybody who looks at positions."""

"""The compiled hearts of the oracles. `exhaustive` stands on a game's rules; the others know their game themselves."""

"""Studies: the same learning under many settings, from many seeds, and what they show."""

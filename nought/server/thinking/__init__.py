"""Agents that think: many searches at once, batched; what they found, and the truth beside it."""

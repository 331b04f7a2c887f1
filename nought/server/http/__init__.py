"""What every request meets before and after its route."""

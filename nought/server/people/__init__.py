"""People: accounts, games, ratings, and the database that remembers them."""

"""A network as compiled code that needs no library: what a browser runs."""

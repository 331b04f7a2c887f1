"""The papers' wire protocol (000, sections 3.2 and 3.3): docs/reference/protocol.md says it byte by byte.

Two ports: one answers Connect 4 positions, the other ratings and an account's data. Nothing that comes in is trusted:
every request has a largest size and a time by which it must be there, and connections are counted.
"""

"""A fuzzer: damaged and made-up inputs for whatever reads what others have written.

    python -m tests.fuzz --seed 1 --inputs 10000000             everything
    python -m tests.fuzz --seed 1 --only http --inputs 1000     one surface
    python -m tests.fuzz --seed 1 --only http --first 4711 --inputs 1   one input again, by its number

An input follows from the seed, the surface's name and its number alone. `test_fuzz.py` is the short part for every day.
"""

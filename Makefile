# Each target sets up .venv on its first run and is quick after that.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: train play console test check bench clean

train: .venv/ready        ## learn Connect 4 from nothing, in ten minutes
	$(BIN)/nought train connect4

play: .venv/ready         ## play in the browser: opens the page, with the agents that come with nought
	$(BIN)/nought serve

console: .venv/ready      ## play Connect 4 in this terminal
	$(BIN)/nought play connect4

test: .venv/ready         ## run the tests
	$(BIN)/pytest -n auto

check: .venv/ready        ## lint, types, import order
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: .venv/ready        ## measure search speed
	$(BIN)/nought bench connect4

.venv/ready: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "nought needs Python 3.11 or newer; set PYTHON=…"; exit 2; }
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --constraint constraints.txt --editable '.[dev]'
	@touch $@

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache

# Each target sets up .venv on its first run and is quick after that.
PYTHON ?= python3
BIN := .venv/bin
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable

.PHONY: train play console test check bench wheel clean

train: .venv/ready        ## learn Connect 4 from nothing, in ten minutes
	$(BIN)/nought train connect4

play: .venv/ready         ## play in the browser: opens the page, with the agents that come with nought
	$(BIN)/nought serve

console: .venv/ready      ## play Connect 4 in this terminal
	$(BIN)/nought play connect4

test: .venv/ready-dev     ## run the tests
	$(BIN)/pytest -n auto --dist worksteal

check: .venv/ready-dev    ## lint, types, import order; the page's JavaScript where there is node
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@.ci/check-page

bench: .venv/ready        ## measure search speed
	$(BIN)/nought bench connect4

wheel: $(BIN)/pip         ## build the package into dist/
	@rm -rf build dist
	$(BIN)/pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	@ls -sh dist/*.whl

$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "nought needs Python 3.11 or newer; set PYTHON=…"; exit 2; }
	@$(PYTHON) -m venv .venv

# Playing and learning need the package, perfect play of Connect 4, which judges your moves and what was learned, and
# what evaluates positions fastest on a CPU.
.venv/ready: pyproject.toml constraints.txt | $(BIN)/pip
	@echo "Setting up .venv, once: a few minutes, most of them for PyTorch …"
	@$(INSTALL) '.[oracle,int8]' || { echo "nought could not be installed: pip says why above"; exit 2; }
	@touch $@

.venv/ready-dev: .venv/ready
	@echo "Adding the tools for tests and checks to .venv, once: a minute or two …"
	@$(INSTALL) '.[dev]' || { echo "the tools could not be installed: pip says why above"; exit 2; }
	@touch $@

clean:
	rm -rf .venv node_modules build dist .pytest_cache .mypy_cache .ruff_cache

# Every target sets up what it needs: a bare Debian machine with Python 3.11 is enough.
PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
# The data that tests, benchmarks and studies read; where it is absent they skip and say so.
ifneq ($(wildcard ../shared/data/README.md),)
export ONTOMASK_DATA ?= $(abspath ../shared/data)
endif

.DEFAULT_GOAL := help
.PHONY: help demo test check bench docs reproduce soak clean

help: ## list the targets
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

# One stamp per set of extras; each is renewed when the requirements change.
$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "ontomask needs Python 3.11 or newer; name one with: make PYTHON=/path/to/python3 ..."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { echo "No virtual environment could be made. On Debian: apt-get install python3-venv"; exit 1; }

$(VENV)/.ready-%: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.$(if $(filter-out base,$*),[$*])'
	@touch $@

demo: $(VENV)/.ready-base ## mask the bundled example, print what happened, write demo/report.html
	$(BIN)/ontomask demo --output demo --force

test: $(VENV)/.ready-test ## run every test
	$(BIN)/python -m pytest

check: $(VENV)/.ready-test $(VENV)/.ready-check ## lint, types, layers
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/.ready-test $(VENV)/.ready-bench ## measure, write bench/results/*.json and the tables of docs/performance.md
	$(BIN)/python -m bench

docs: $(VENV)/.ready-docs ## build the documentation into docs/_build
	$(BIN)/sphinx-build -W -q -b html docs docs/_build/html

reproduce: $(VENV)/.ready-test ## rebuild the sources' figures into docs/reproduction.md
	$(BIN)/python -m bench.reproduce

soak: $(VENV)/.ready-test ## ten minutes of random tables and recipes with every invariant on
	$(BIN)/python -m bench.soak --minutes 10

clean: ## remove what these targets made
	rm -rf $(VENV) demo docs/_build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

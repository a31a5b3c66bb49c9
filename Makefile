# Coastal: every target does its own set-up and is quick when nothing changed.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
UV_VERSION := 0.13.9
VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/python -m uv pip
COMPILE := $(UV) compile --quiet --generate-hashes --no-emit-index-url --no-emit-find-links \
	--universal --python-version 3.11 --constraint constraints.txt
LOCKED := requirements.lock requirements-dev.lock
export UV_PYTHON := $(CURDIR)/$(BIN)/python
export NUMBA_CACHE_DIR ?= $(CURDIR)/.cache/numba

.PHONY: help run test test-slow check bench lock clean

help:  ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

run: $(VENV)/run.done  ## Build the demo league if the warehouse is empty, then open the dashboard on 127.0.0.1 (PORT=8501)
	$(BIN)/coastal demo --if-empty
	$(BIN)/coastal dashboard $(if $(PORT),--port $(PORT))

test: check  ## Every gate, then every test but the long ones
	$(BIN)/python -m pytest -n 2 --dist loadfile

test-slow: $(VENV)/dev.done  ## Long properties, kills and mutations
	$(BIN)/python -m pytest -m slow -n 2 --dist load

check: $(VENV)/dev.done  ## Lint, format, types, import contracts, sizes of modules and functions
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -q tests/test_house_style.py

bench: $(VENV)/bench.done  ## Measure side by side with peers; prints a table
	$(BIN)/python -m benchmarks

lock: $(VENV)/uv.done  ## Renew the lock files
	$(COMPILE) pyproject.toml -o requirements.lock
	$(COMPILE) --extra dev --constraint requirements.lock pyproject.toml -o requirements-dev.lock
	$(COMPILE) --constraint requirements-dev.lock benchmarks/requirements.in -o benchmarks/requirements.lock

clean:  ## Remove the environment and caches; the warehouse stays
	rm -rf $(VENV) .cache .pytest_cache .mypy_cache .ruff_cache .hypothesis *.egg-info

$(VENV)/uv.done:
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet uv==$(UV_VERSION)
	touch $@

$(VENV)/run.done: $(VENV)/uv.done requirements.lock pyproject.toml
	$(UV) install --quiet --compile-bytecode --require-hashes -r requirements.lock
	$(UV) install --quiet --no-deps -e .
	touch $@

$(VENV)/dev.done: $(VENV)/run.done requirements-dev.lock
	$(UV) install --quiet --compile-bytecode --require-hashes -r requirements-dev.lock
	touch $@

$(VENV)/bench.done: $(VENV)/dev.done benchmarks/requirements.lock
	$(UV) install --quiet --require-hashes -r benchmarks/requirements.lock
	touch $@

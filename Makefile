# `make run COMP=titanic` and `make test` set up all they need; `make help` lists the rest.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
COMP ?= titanic
ARGS ?=
PIP := $(BIN)/python -m pip install --disable-pip-version-check -q -c constraints.txt

.PHONY: help run test slow format lint type imports check coverage clean

help:
	@echo "make run COMP=titanic [ARGS='--budget 2m']   set up and run a competition"
	@echo "make test                                    set up and pass the tests"
	@echo "make slow format lint type imports check coverage clean"

$(VENV)/run.stamp: pyproject.toml setup.py constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) -e .
	touch $@

# torch comes first and alone, so that a CPU build that lies at hand is taken.
$(VENV)/test.stamp: pyproject.toml setup.py constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) torch==2.13.0
	$(PIP) -e '.[dev,notebook,neural]'
	touch $@ $(VENV)/run.stamp

run: $(VENV)/run.stamp
	$(BIN)/autods run $(COMP) $(ARGS)

test: $(VENV)/test.stamp
	$(BIN)/python -m pytest

slow: $(VENV)/test.stamp
	$(BIN)/python -m pytest -m slow --timeout 1800

coverage: $(VENV)/test.stamp
	COVERAGE_PROCESS_START=pyproject.toml $(BIN)/python -m pytest --cov --cov-report=term-missing:skip-covered

format: $(VENV)/test.stamp
	$(BIN)/ruff format . && $(BIN)/ruff check --fix .

lint: $(VENV)/test.stamp
	$(BIN)/ruff format --check . && $(BIN)/ruff check .

type: $(VENV)/test.stamp
	$(BIN)/python -m pip install -q --no-deps --upgrade --target build/typing .
	cd build/typing && ../../$(BIN)/mypy --config-file ../../pyproject.toml -p autods

imports: $(VENV)/test.stamp
	$(BIN)/lint-imports

check: lint type imports test

clean:
	rm -rf $(VENV) build dist *.egg-info

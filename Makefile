# Every target starts from a bare clone: it makes .venv with pip against constraints.txt first.
PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3.13 || command -v python3.10 || echo python3)
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.physprobe-installed
# Processes of the test suite. A file stays in one of them, with what it has set up.
TEST_WORKERS ?= 2

export TOKENIZERS_PARALLELISM ?= false

.PHONY: install demo test compat lint format typecheck benchmark clean

install: $(STAMP)

$(STAMP): pyproject.toml constraints.txt
	@test -x $(BIN)/python || { echo "physprobe: making $(VENV) with $(PYTHON)"; $(PYTHON) -m venv $(VENV); }
	@echo "physprobe: installing pinned packages into $(VENV) (first time: several minutes, about 8 GB with torch)"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[generation,eval,dev]'
	@touch $@

demo: $(STAMP)  ## render a mini benchmark, build the dataset, evaluate, print the table
	$(BIN)/python -m demo

test: lint typecheck  ## lint, types, and the whole suite
	HF_HUB_OFFLINE=1 $(BIN)/python -m pytest -n $(TEST_WORKERS) --dist loadfile

compat: $(STAMP)  ## load small datasets with each version of `datasets` that we promise, in environments of their own
	$(BIN)/python -m tests.compat --work out/compat

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(STAMP)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

typecheck: $(STAMP)
	$(BIN)/mypy

benchmark: $(STAMP)  ## speed and quality of rendering, ours against the naive way
	$(BIN)/python -m benchmarks.render

clean:  ## remove demo output, keep the environment
	rm -rf out

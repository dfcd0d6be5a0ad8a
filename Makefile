# The targets that people and continuous integration use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RENDER_VENV := .venv-render

.PHONY: setup setup-render demo test lint bench clean

setup: ## prepare .venv: ROS 2, messages, the project
	@$(PYTHON) tools/setup.py

setup-render: $(RENDER_VENV)/.stamp ## Blender as a Python module, for building new pictures

$(RENDER_VENV)/.stamp: requirements/render.txt
	@echo "setup: installing Blender into $(RENDER_VENV) (about 1 GB)"
	@$(PYTHON) -m venv $(RENDER_VENV)
	@$(RENDER_VENV)/bin/pip install --quiet --disable-pip-version-check -r requirements/render.txt
	@touch $@

demo: setup ## run a case of the sample over ROS 2, record a bag, show the score
	@$(PYTHON) tools/demo.py

# Four at a time, on two cores too: most tests over DDS wait for deadlines and leases, each on a domain of its own.
test: setup ## run every test
	@$(BIN)/python -m pytest -n 4

lint: setup ## ruff and mypy
	@$(BIN)/ruff check .
	@$(BIN)/mypy

bench: setup ## time what must be quick
	@for script in bench/*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

clean: ## remove what setup and builds made
	rm -rf $(VENV) $(RENDER_VENV) build install log

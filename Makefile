# Everything runs in .venv, which is made on first use and left alone until pyproject.toml or constraints.txt change.
# Another interpreter: make PYTHON=python3.12 test

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
LOG := $(VENV)/install.log
JOBS ?= auto
LINTED := src tests $(wildcard bench tools)
SLOW_TESTS = $(shell grep -rlsE --include='*.py' 'mark\.slow' tests)

# pip sees the pins in the build environment too, by the name that old and that new versions read.
export PIP_CONSTRAINT := $(abspath constraints.txt)
export PIP_BUILD_CONSTRAINT := $(abspath constraints.txt)
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help test test-fast test-slow test-endurance check demo bench clean
.NOTPARALLEL:

help: ## list the targets
	@echo "Affray: make TARGET"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

test: check test-fast ## lint, types and the fast tests; with CI=true the slow tests as well
	@if [ "$(CI)" = true ]; then \
	  if [ -n "$(SLOW_TESTS)" ]; then $(MAKE) --no-print-directory test-slow; else echo "== no slow tests yet"; fi; fi

test-fast: $(VENV)/.test ## the fast tests
	@echo "== fast tests"
	@$(PY) -m pytest -n $(JOBS) -m "not slow"

test-slow: $(VENV)/.test ## the slow tests (statistics, endurance)
	@echo "== slow tests"
	@$(PY) -m pytest -n $(JOBS) -m "slow and not endurance"

test-endurance: $(VENV)/.test ## the slow tests at full length (an hour or more)
	@echo "== endurance tests"
	@$(PY) -m pytest -n $(JOBS) -m endurance

check: $(VENV)/.test ## ruff and mypy --strict
	@echo "== ruff"
	@$(PY) -m ruff check $(LINTED)
	@echo "== mypy"
	@$(PY) -m mypy --strict src

demo: $(VENV)/.runtime ## the page with a sample fight (Ctrl-C ends it)
	@$(VENV)/bin/affray demo

bench: $(VENV)/.test ## run the scripts in bench/, one after another
	@set -e; found=; for f in $(sort $(wildcard bench/*.py)); do found=1; echo "== $$f"; $(PY) $$f; done; \
	  [ -n "$$found" ] || echo "bench/ has no scripts yet"

clean: ## remove the virtual environment, caches and build products
	@rm -rf $(VENV) build dist src/*.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis
	@find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# A stamp is the text of both files at the time of the last installation, so a checkout that only touches their dates
# installs nothing.
$(VENV)/.test: pyproject.toml constraints.txt | $(VENV)/bin/activate
	@cat pyproject.toml constraints.txt | cmp -s - $@ || { \
	  echo "== installing Affray with its test tools into $(VENV); this takes some minutes"; $(call install,.[test]) && \
	  cat pyproject.toml constraints.txt > $(VENV)/.runtime && cp $(VENV)/.runtime $@; }
	@touch $@

$(VENV)/.runtime: pyproject.toml constraints.txt | $(VENV)/bin/activate
	@cat pyproject.toml constraints.txt | cmp -s - $@ || { \
	  echo "== installing Affray into $(VENV); this takes some minutes"; $(call install,.) && cat pyproject.toml constraints.txt > $@; }
	@touch $@

$(VENV)/bin/activate:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
	  echo "Affray needs Python 3.11 or newer; '$(PYTHON)' is $$($(PYTHON) --version 2>&1 || true)." >&2; \
	  echo "Name another one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "'$(PYTHON)' cannot make virtual environments. On Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@echo "== making $(VENV) with $$($(PYTHON) --version)"
	@rm -rf $(VENV) && $(PYTHON) -m venv $(VENV)

# The log stays out of sight unless something went wrong.
install = { $(PY) -m pip install -q -c constraints.txt -e "$(1)" > $(LOG) 2>&1 \
	  || { cat $(LOG) >&2; echo "The installation failed; what pip said stands above and in $(LOG)." >&2; exit 1; }; }

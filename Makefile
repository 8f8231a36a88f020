# Every target sets up what it needs; the second time that takes no time.

rtec := .venv/bin/rtec
python := .venv/bin/python

.PHONY: help install core extras

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | \
	    awk -F ':.*## ' '{ printf "  make %-11s %s\n", $$1, $$2 }'

install: core extras ## set up: virtual environment, SWI-Prolog, janus, the package and its extras

core:
	@.ci/setup.sh core

extras: core
	@.ci/setup.sh extras

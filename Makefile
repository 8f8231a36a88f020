# Every target sets up what it needs first; the second time that takes no time.

rtec := .venv/bin/rtec
python := .venv/bin/python
beside := -n 2 --dist loadgroup

.PHONY: help install core extras run check test test-deep golden docs bench

help: ## list the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | \
	    awk -F ':.*## ' '{ printf "  make %-10s %s\n", $$1, $$2 }'

install: extras ## set everything up: Python environment, SWI-Prolog, janus, the package

core:
	@.ci/setup.sh core

extras:
	@.ci/setup.sh extras

run: core ## recognise maritime situations in the sample stream, and sum them up
	@mkdir -p results
	@$(rtec) run --desc maritime.prolog --merge --out results/maritime.jsonl
	@$(rtec) report results/maritime.jsonl

check: core ## lint and type-check both languages
	$(python) -m ruff check python tests .ci
	$(python) -m mypy
	@.ci/check-prolog

test: extras check ## check, then run every test, on two cores
	$(python) -m pytest -q $(beside)

test-deep: extras check ## the same with thousands of generated cases
	RTEC_DEEP=1 $(python) -m pytest -q $(beside)

golden: core ## rewrite the stored expectations; their diff is the review
	RTEC_GOLDEN=1 $(python) -m pytest -q -m golden

docs: core ## rewrite docs/cli.md from the commands' help
	$(python) .ci/cli_page.py docs/cli.md

bench: core ## measure speed and memory
	$(rtec) bench core

# Two commands: `make book` and `make test`.  Both set up .venv first; neither needs anything but
# Python 3.11 or later.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: book quick lab student teacher slides handout pdf assignments questions test test-fast lint benchmarks mutation campaign campaign-short clean next release check-everything

book: .venv/ready
	$(BIN)/python -m replib build

quick: .venv/ready
	$(BIN)/python -m replib build --preset quick

# JupyterLab with the chapters as notebooks to change; it hides the figures of what it does not trust.
lab: .venv/ready
	$(BIN)/python -m replib notebook --into my_notebooks
	$(BIN)/jupyter trust my_notebooks/*.ipynb
	$(BIN)/jupyter lab my_notebooks

# For a course, from what `make book` or `make quick` has executed; see course/README.md.
student teacher: .venv/ready
	$(BIN)/python -m replib course edition $@

slides: .venv/ready
	$(BIN)/python -m replib course $@ $(SESSION)

handout: .venv/ready
	$(BIN)/python -m replib course $@ $(CHAPTER)

pdf assignments questions: .venv/ready
	$(BIN)/python -m replib course $@

test: .venv/ready
	$(BIN)/python -m pytest -n auto

# The library alone, within a minute: what to run while changing it.
test-fast: .venv/ready
	$(BIN)/python -m pytest -n auto -q replib tests --ignore tests/companion --ignore tests/mutation \
		-m "not slow and not benchmarks and not campaign"

lint: .venv/ready
	$(BIN)/ruff check --quiet
	$(BIN)/lint-imports --no-logo
	$(BIN)/mypy
	$(BIN)/bandit --quiet --configfile pyproject.toml --recursive replib book/companion

benchmarks: .venv/ready
	$(BIN)/python -m pytest tests/benchmarks -m benchmarks -s --speeds book/_static/speeds.csv

mutation: .venv/ready
	$(BIN)/python -m pytest tests/mutation -m mutation -s

campaign: .venv/ready
	rm -f book/_static/reliability.csv
	$(BIN)/python -m pytest tests/campaign -m campaign -q -n 2 --dist worksteal \
		--moments 100 --figures book/_static/reliability.csv

campaign-short: .venv/ready
	$(BIN)/python -m pytest tests/campaign -m campaign -q --moments 4 -k "stored or chunks or bad_data or pickle"

# The files of a release, into dist/, from what `make book` has executed.
release: .venv/ready
	$(BIN)/python -m replib release

# Measures what the page "State of this book" shows: everything, or PART="tests lint".
check-everything: .venv/ready
	$(BIN)/python .ci/check_everything.py $(PART)

# requirements.txt is made by the command that stands in its second line.
.venv/ready: requirements.txt pyproject.toml book/pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable . --editable ./book
	touch $@

# The pages of what has been executed, by the newest Sphinx and theme, without jupyter-book; or what
# DO says: make next DO="course slides 3".
DO ?= build --pages
next: .venv-next/ready
	REPLIB_BUILD=_build/next PYTHONPATH=.:book .venv-next/bin/python -m companion.engine.cli $(DO)

.venv-next/ready: requirements-next.txt
	$(PYTHON) -m venv .venv-next
	.venv-next/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-next.txt
	touch $@

clean:
	rm -rf _build book/chapters

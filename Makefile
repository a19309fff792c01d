# Two commands: `make book` and `make test`.  Both set up .venv first; neither needs anything but
# Python 3.11 or later.  `make setup` only sets it up.
PYTHON ?= python3
BIN := .venv/bin
# Packages are compiled when they are first imported, also where containers are told not to.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: setup book quick serve lab student teacher pdf test test-all test-fast test-lowest \
	lint benchmarks clean dist requirements

setup: .venv/tests

book: .venv/ready
	$(BIN)/python -m replib build

quick: .venv/ready
	$(BIN)/python -m replib build --preset quick

# The built book with forms that run its chapters, on this machine only.
serve: .venv/ready
	$(BIN)/python -m replib serve

# JupyterLab with the chapters as notebooks to change; it hides the figures of what it does not trust.
lab: .venv/course
	$(BIN)/python -m replib notebook --into my_notebooks
	$(BIN)/jupyter trust my_notebooks/*.ipynb
	$(BIN)/jupyter lab my_notebooks

# For a course, from what `make book` or `make quick` has executed; see course/README.md.
student teacher: .venv/ready
	$(BIN)/python -m replib course edition $@

pdf: .venv/ready
	$(BIN)/python -m replib course $@

# What takes more than seconds is left out here; test-all has it too.  Each process has tests
# that follow each other, which share what they read, and without work takes those of another.
test: .venv/tests
	$(BIN)/python -m pytest -n auto --dist worksteal -m "not slow"

test-all: .venv/tests
	$(BIN)/python -m pytest -n auto --dist worksteal

# The library alone, within a minute: what to run while changing it.
test-fast: .venv/tests
	$(BIN)/python -m pytest -n auto --dist worksteal -q replib tests --ignore tests/companion -m "not slow"

# The library with the lowest versions that pyproject.toml allows, in an environment of its own.
LOWEST := _build/lowest
test-lowest: .venv/ready
	$(PYTHON) -m venv --clear $(LOWEST)
	@$(UV) compile --quiet --resolution lowest-direct pyproject.toml --extra report \
		--output-file $(LOWEST)/versions.txt
	@$(UV) install --quiet --python $(LOWEST)/bin/python --constraints $(LOWEST)/versions.txt \
		--editable '.[report,test]' --editable './book[cluster]'
	$(LOWEST)/bin/python -m pytest -n auto -q replib tests --ignore tests/companion -m "not slow"

lint: .venv/tests
	$(BIN)/ruff format --check --quiet
	$(BIN)/python .ci/format_cells.py --check
	$(BIN)/ruff check --quiet
	$(BIN)/lint-imports --no-logo
	$(BIN)/mypy
	$(BIN)/bandit --quiet --configfile pyproject.toml --recursive replib book/companion

# The table of speeds on the page *How far to trust this book*; it measures best on an idle machine.
benchmarks: .venv/tests
	$(BIN)/python tests/benchmarks/speed.py book/_static/speeds.csv

# The files of a release: both distributions, the sources, the site of `make book`, the book as PDF
# (Chromium prints it), checksums.
dist: .venv/ready
	rm -rf dist
	$(BIN)/python -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist . ./book
	rm -rf build book/build
	git archive --prefix=replib-book/ --output=dist/sources.tar.gz HEAD
	$(BIN)/python -m replib course pdf
	cp _build/book.pdf dist/
	$(BIN)/python -m zipfile --create dist/site.zip _build/html/
	cd dist && sha256sum * > SHA256SUMS

# The lists of packages: of the book, and what courses and tests add.  uv installs them, in a
# twentieth of pip's processor time.  It does not read pip's settings, so it is told the index that
# pip would ask; where it cannot be had, or fails, pip installs.  Neither compiles the packages:
# all of them, used or not, would take a minute.
PIP_INSTALL := $(BIN)/python -m pip --quiet --disable-pip-version-check install --no-compile
INDEX_OF_PIP := $(BIN)/python -m pip config list | sed -n "s/.*[.]index-url='\(.*\)'/\1/p" | head -n 1
UV := UV_DEFAULT_INDEX="$$($(INDEX_OF_PIP))" $(BIN)/uv pip
define install
	$(UV) install --quiet --python $(BIN)/python $(1) 2>/dev/null || $(PIP_INSTALL) $(1)
endef

.venv/ready: requirements.txt pyproject.toml book/pyproject.toml
	$(PYTHON) -m venv .venv
	@$(PIP_INSTALL) --require-hashes -r requirements-uv.txt 2>/dev/null || \
		echo "uv cannot be had here: pip installs the packages, which takes longer" >&2
	@$(call install,--require-hashes -r requirements.txt)
	@$(call install,--no-deps --no-build-isolation --editable . --editable ./book)
	touch $@

.venv/course: .venv/ready requirements-course.txt
	@$(call install,--require-hashes -r requirements-course.txt)
	touch $@

.venv/tests: .venv/ready requirements-course.txt requirements-test.txt
	@$(call install,--require-hashes -r requirements-test.txt)
	touch $@

# The lists, from the two pyproject.toml; with UPGRADE=--upgrade the newest versions.
requirements: .venv/ready
	$(BIN)/python .ci/lock.py $(UPGRADE)

clean:
	rm -rf _build book/chapters

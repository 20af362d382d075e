# Build, test and try Ostrya. `make help` lists all targets.
# Requires Python >= 3.10, a C++20 compiler and make. Everything else is installed in .venv.

PYTHON ?= python3
VENV   := .venv
RUN    := $(VENV)/bin/python
PIP    := $(RUN) -m pip --disable-pip-version-check --quiet
# The same with a progress line: $(call SHOW_PIP,title) install ...
SHOW_PIP = @$(RUN) .ci/progress.py "$(1)" $(RUN) -m pip --disable-pip-version-check --verbose

CPP     := $(shell find cpp -name '*.cpp' -o -name '*.hpp' 2>/dev/null)
SOURCES := CMakeLists.txt pyproject.toml $(CPP) verify/ostrya_check.c

# Stamp files: a target is rebuilt only if its dependencies changed.
VENV_READY := $(VENV)/.ready
DEV_READY  := $(VENV)/.dev
DOCS_READY := $(VENV)/.docs
BUILT      := $(VENV)/.built
DEBUG_VENV := .venv-debug

# Run tests on all cores; PARALLEL= runs them one after the other.
PARALLEL ?= -n auto --dist worksteal
DEBUG_BUILT := $(DEBUG_VENV)/.built

# SECONDS is how long `make fuzz` runs. SANITIZE selects the build of the engine: empty (as
# shipped), assertions, address (also undefined behaviour) or thread. Python itself is not
# built with the sanitizers, so their libraries must be preloaded.
SECONDS  ?= 300
SANITIZE ?=
FUZZ_VENV  := $(or $(patsubst %,.venv-%,$(SANITIZE:assertions=debug)),$(VENV))
FUZZ_BUILT := $(FUZZ_VENV)/.built
library     = $(shell $(CXX) -print-file-name=$(1))
FUZZ_UNDER_address = PYTHONMALLOC=malloc \
    LD_PRELOAD="$(call library,libasan.so) $(call library,libstdc++.so)" \
    ASAN_OPTIONS=leak_check_at_exit=0:alloc_dealloc_mismatch=0 \
    LSAN_OPTIONS=suppressions=fuzz/leaks_of_others.txt:print_suppressions=0
# The thread sanitizer sees the writes of BLAS but not how BLAS synchronises its threads.
FUZZ_UNDER_thread = LD_PRELOAD="$(call library,libtsan.so)" OPENBLAS_NUM_THREADS=1 \
    TSAN_OPTIONS=halt_on_error=1:suppressions=fuzz/races_of_others.txt

.DEFAULT_GOAL := help
.PHONY: help venv build demo test quick test-browser test-debug fuzz lint tidy format
.PHONY: stub docs bench wheel test-wheel clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

venv: $(VENV_READY)  ## create .venv with the build tools

build: $(BUILT)  ## compile the engine and install the package in editable mode

demo: $(BUILT)  ## find an optimal tree and compare it with CART
	@$(RUN) -m ostrya.demo

test: $(BUILT) $(DEV_READY)  ## run all tests; ARGS="-k grid" passes options to pytest
	$(RUN) -m pytest $(PARALLEL) $(ARGS)

quick: $(BUILT) $(DEV_READY)  ## run one case of every fast test (about a minute)
	$(RUN) -m pytest $(PARALLEL) --quick tests $(ARGS)

test-browser: $(BUILT) $(DEV_READY)  ## test the report in Chromium, if it is installed
	@$(PIP) install --group browser
	$(RUN) -m pytest tests/browser $(ARGS)

test-debug: $(DEBUG_BUILT)  ## test the engine with assertions enabled
	$(DEBUG_VENV)/bin/python -m pytest $(PARALLEL) $(or $(ARGS),tests/engine tests/fuzz)

fuzz: $(FUZZ_BUILT) $(DEV_READY)  ## test random problems, limits, failures and files
	$(FUZZ_UNDER_$(SANITIZE)) $(FUZZ_VENV)/bin/python -m fuzz --seconds $(SECONDS) $(ARGS)

lint: $(BUILT) $(DEV_READY)  ## check formatting, style, types, wording and the stub
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(if $(CPP),$(VENV)/bin/clang-format --dry-run -Werror $(CPP))
	$(RUN) -m mypy
	$(RUN) -m codespell_lib $(shell git ls-files '*.md' '*.py' '*.rst' '*.hpp' '*.cpp')
	$(RUN) tools/plain_words.py
	$(RUN) -m nanobind.stubgen -q -m ostrya._core -o build/_core.pyi
	diff -u src/ostrya/_core.pyi build/_core.pyi

tidy: $(DEBUG_BUILT)  ## run clang-tidy on the engine
	ls cpp/*/*.cpp | grep -v 'cpp/bind\|cpp/kernels/avx' | \
	    xargs -P 2 -n 4 $(VENV)/bin/clang-tidy -quiet -p build/debug

format: $(DEV_READY)  ## reformat all sources
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .
	$(if $(CPP),$(VENV)/bin/clang-format -i $(CPP))

stub: $(BUILT)  ## regenerate the type stub of the compiled module
	$(RUN) -m nanobind.stubgen -q -m ostrya._core -o src/ostrya/_core.pyi

docs: $(BUILT) $(DEV_READY) $(DOCS_READY)  ## build docs/_build/html and run its examples
	$(RUN) -m sphinx --fail-on-warning --keep-going --nitpicky --quiet $(ARGS) \
	    docs docs/_build/html
	$(RUN) -m pytest -q tests/docs src
	@echo "open docs/_build/html/index.html"

bench: $(BUILT)  ## run the benchmark suite of the engine
	$(RUN) -m benchmarks run engine $(ARGS)

wheel: $(DEV_READY)  ## build an sdist, and a wheel from it, into dist/
	@$(PIP) install --group release
	rm -rf dist build/wheel
	$(RUN) -m build --outdir build/wheel
	PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(RUN) -m auditwheel repair -w dist build/wheel/*.whl
	mv build/wheel/*.tar.gz dist

# Uses a new environment and a folder from which neither the sources nor .venv are found.
# `make -o wheel test-wheel` tests the existing wheel in dist.
WHEEL_VENV  = $(CURDIR)/build/wheel/venv
WHEEL_TESTS = tests/cli tests/engine tests/estimators tests/export tests/preprocessing \
    tests/solve tests/docs/test_gallery.py tests/test_public_names.py
test-wheel: wheel  ## run the quick tests on the wheel, in a new environment
	$(PYTHON) -m venv $(WHEEL_VENV)
	$(WHEEL_VENV)/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(WHEEL_VENV)/bin/python -m pip install --quiet --group test dist/*.whl
	tar -xzf dist/*.tar.gz -C build/wheel && rm -r build/wheel/ostrya-*/src
	cd build/wheel/ostrya-*/ && $(WHEEL_VENV)/bin/python -m pytest $(PARALLEL) \
	    $(or $(ARGS),--quick $(WHEEL_TESTS))
	cd build/wheel && $(WHEEL_VENV)/bin/python -m pytest -c /dev/null -q \
	    -p no:cacheprovider --doctest-modules --pyargs ostrya.export ostrya.estimators

clean:  ## remove everything that make created
	rm -rf docs/_build docs/gallery docs/reference/generated
	rm -rf $(VENV) $(VENV)-* build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -prune -exec rm -rf {} +

$(VENV_READY): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	    { echo "Ostrya needs Python 3.10 or later; try: make PYTHON=python3.12"; exit 1; }
	@echo "Creating the virtual environment $(VENV)"
	@test -x $(RUN) || $(PYTHON) -m venv $(VENV)
	$(call SHOW_PIP,Updating pip) install --upgrade "pip>=25.1"
	$(call SHOW_PIP,Installing the build tools) install --group build
	@touch $@

$(DEV_READY): $(VENV_READY)
	$(call SHOW_PIP,Installing the development tools) install --group dev
	@touch $@

$(DOCS_READY): $(VENV_READY)
	$(call SHOW_PIP,Installing the documentation tools) install --group docs
	@touch $@

$(BUILT): $(VENV_READY) $(SOURCES)
	$(call SHOW_PIP,Building Ostrya) install --no-build-isolation --editable .
	@touch $@

# Further environments. They use the packages of .venv, except for Ostrya itself, which is
# built with other options in each of them.
DEFINE := --config-settings cmake.define.OSTRYA_
WATCHED := $(DEFINE)ASSERTIONS=ON $(DEFINE)FAILING_NEW=ON
BUILD_debug   := $(WATCHED)
BUILD_address := $(WATCHED) $(DEFINE)SANITIZE=address
BUILD_thread  := $(DEFINE)SANITIZE=thread

$(VENV)-%/.built: $(BUILT) $(DEV_READY) $(SOURCES)
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	@$(RUN) -c 'import sysconfig; print(sysconfig.get_path("purelib"))' > \
	    "$$($(@D)/bin/python -c \
	    'import sysconfig; print(sysconfig.get_path("purelib"))')/borrowed.pth"
	$(call SHOW_PIP,Building the engine for $*) --python $(@D)/bin/python install --no-deps \
	    --no-build-isolation --config-settings build-dir=build/$* $(BUILD_$*) \
	    --editable .
	@touch $@

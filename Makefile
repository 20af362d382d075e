# Build, test and try Ostrya. `make help` lists what there is.
# Needed: Python >= 3.10, a C++20 compiler, make. The rest goes into .venv.

PYTHON ?= python3
VENV   := .venv
RUN    := $(VENV)/bin/python
PIP    := $(RUN) -m pip --disable-pip-version-check --quiet
# The same, with a line that shows how far it has come: $(call SHOW_PIP,title) install ...
SHOW_PIP = @$(RUN) .ci/progress.py "$(1)" $(RUN) -m pip --disable-pip-version-check --verbose

CPP     := $(shell find cpp -name '*.cpp' -o -name '*.hpp' 2>/dev/null)
SOURCES := CMakeLists.txt pyproject.toml $(CPP)

# Stamps: a target reinstalls only when what it depends on has changed.
VENV_READY := $(VENV)/.ready
DEV_READY  := $(VENV)/.dev
DOCS_READY := $(VENV)/.docs
BUILT      := $(VENV)/.built
DEBUG_VENV := .venv-debug

# Tests on all cores; PARALLEL= runs them one by one.
PARALLEL ?= -n auto --dist worksteal
DEBUG_BUILT := $(DEBUG_VENV)/.built

# How long `make fuzz` goes on, and what watches the engine meanwhile: nothing (as it is
# shipped), its assertions, or the sanitizers of addresses and undefined behaviour, or of
# threads. Python is not built with the sanitizers, so their libraries come in first.
SECONDS  ?= 300
SANITIZE ?=
FUZZ_VENV  := $(or $(patsubst %,.venv-%,$(SANITIZE:assertions=debug)),$(VENV))
FUZZ_BUILT := $(FUZZ_VENV)/.built
library     = $(shell $(CXX) -print-file-name=$(1))
FUZZ_UNDER_address = PYTHONMALLOC=malloc \
    LD_PRELOAD="$(call library,libasan.so) $(call library,libstdc++.so)" \
    ASAN_OPTIONS=leak_check_at_exit=0:alloc_dealloc_mismatch=0 \
    LSAN_OPTIONS=suppressions=fuzz/leaks_of_others.txt:print_suppressions=0
# The sanitizer of threads sees the writes of BLAS, but not how its threads are ordered.
FUZZ_UNDER_thread = LD_PRELOAD="$(call library,libtsan.so)" OPENBLAS_NUM_THREADS=1 \
    TSAN_OPTIONS=halt_on_error=1:suppressions=fuzz/races_of_others.txt

.DEFAULT_GOAL := help
.PHONY: help venv build demo test quick test-browser test-debug fuzz lint tidy format
.PHONY: stub docs bench wheel test-wheel clean

help:  ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

venv: $(VENV_READY)  ## make .venv with the build tools

build: $(BUILT)  ## compile the engine and install the package, editable

demo: $(BUILT)  ## find one optimal tree and compare it with CART
	@$(RUN) -m ostrya.demo

test: $(BUILT) $(DEV_READY)  ## run all tests; ARGS="-k door" passes options on
	$(RUN) -m pytest $(PARALLEL) $(ARGS)

quick: $(BUILT) $(DEV_READY)  ## one case of every test that is not long: a minute
	$(RUN) -m pytest $(PARALLEL) --quick tests $(ARGS)

test-browser: $(BUILT) $(DEV_READY)  ## the report in Chromium, where there is one
	@$(PIP) install --group browser
	$(RUN) -m pytest tests/browser $(ARGS)

test-debug: $(DEBUG_BUILT)  ## tests of the engine with its invariants checked
	$(DEBUG_VENV)/bin/python -m pytest $(PARALLEL) $(or $(ARGS),tests/engine tests/fuzz)

fuzz: $(FUZZ_BUILT) $(DEV_READY)  ## random problems, limits, failures, files; see fuzz/
	$(FUZZ_UNDER_$(SANITIZE)) $(FUZZ_VENV)/bin/python -m fuzz --seconds $(SECONDS) $(ARGS)

lint: $(BUILT) $(DEV_READY)  ## formatting, lint, types, wording, stub
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	$(if $(CPP),$(VENV)/bin/clang-format --dry-run -Werror $(CPP))
	$(RUN) -m mypy
	$(RUN) -m codespell_lib $(shell git ls-files '*.md' '*.py' '*.rst' '*.hpp' '*.cpp')
	$(RUN) tools/plain_words.py
	$(RUN) -m nanobind.stubgen -q -m ostrya._core -o build/_core.pyi
	diff -u src/ostrya/_core.pyi build/_core.pyi

tidy: $(DEBUG_BUILT)  ## clang-tidy over the engine; see .clang-tidy
	ls cpp/*/*.cpp | grep -v 'cpp/bind\|cpp/kernels/avx' | \
	    xargs -P 2 -n 4 $(VENV)/bin/clang-tidy -quiet -p build/debug

format: $(DEV_READY)  ## rewrite the sources in the house format
	$(RUN) -m ruff check --fix .
	$(RUN) -m ruff format .
	$(if $(CPP),$(VENV)/bin/clang-format -i $(CPP))

stub: $(BUILT)  ## regenerate the stub of the compiled module
	$(RUN) -m nanobind.stubgen -q -m ostrya._core -o src/ostrya/_core.pyi

docs: $(BUILT) $(DEV_READY) $(DOCS_READY)  ## build docs/_build/html, run its examples
	$(RUN) -m sphinx --fail-on-warning --keep-going --nitpicky --quiet $(ARGS) \
	    docs docs/_build/html
	$(RUN) -m pytest -q tests/docs src
	@echo "open docs/_build/html/index.html"

bench: $(BUILT)  ## run the engine's benchmark suite
	$(RUN) -m benchmarks run engine $(ARGS)

wheel: $(DEV_READY)  ## dist/: an sdist, and a wheel built from it alone, repaired
	@$(PIP) install --group release
	rm -rf dist build/wheel
	$(RUN) -m build --outdir build/wheel
	PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(RUN) -m auditwheel repair -w dist build/wheel/*.whl
	mv build/wheel/*.tar.gz dist

# In a new environment, from a folder where neither the sources nor .venv are found.
# `make -o wheel test-wheel` tests what is in dist as it is.
WHEEL_VENV  = $(CURDIR)/build/wheel/venv
WHEEL_TESTS = tests/cli tests/engine tests/estimators tests/export tests/preprocessing \
    tests/solve tests/docs/test_gallery.py tests/test_public_names.py
test-wheel: wheel  ## a quick run of the tests on the installed wheel, in its own venv
	$(PYTHON) -m venv $(WHEEL_VENV)
	$(WHEEL_VENV)/bin/python -m pip install --quiet --upgrade "pip>=25.1"
	$(WHEEL_VENV)/bin/python -m pip install --quiet --group test dist/*.whl
	tar -xzf dist/*.tar.gz -C build/wheel && rm -r build/wheel/ostrya-*/src
	cd build/wheel/ostrya-*/ && $(WHEEL_VENV)/bin/python -m pytest $(PARALLEL) \
	    $(or $(ARGS),--quick $(WHEEL_TESTS))
	cd build/wheel && $(WHEEL_VENV)/bin/python -m pytest -c /dev/null -q \
	    -p no:cacheprovider --doctest-modules --pyargs ostrya.export ostrya.estimators

clean:  ## remove everything that was built
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

# Further environments that borrow every package of the first but ours, each with an
# engine built in its own way.
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

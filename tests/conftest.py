"""Seeded chance for every test, and which of them make up a quick run."""

from __future__ import annotations

import math
import signal

import pytest
from hypothesis import HealthCheck, settings

import effort
from ostrya._ctrl_c import CtrlC

# A shell that starts the tests in the background has them ignore Ctrl-C, and all that
# they start; some of them are about Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def no_ctrl_c_before(monkeypatch):
    """Have each test press Ctrl-C for the first time, however soon after another."""
    monkeypatch.setattr(CtrlC, "_last_kept", -math.inf)


settings.register_profile(
    "seeded",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("seeded")

# Tests of these files start programs, fit ensembles or solve known problems at length.
LONG_FILES = {
    "test_budget.py",
    "test_entry_point.py",
    "test_examples.py",
    "test_claims_of_guesses.py",
    "test_fuzz.py",
    "test_growth.py",
    "test_guarantee.py",
    "test_guess.py",
    "test_guess_option.py",
    "test_hostile_models.py",
    "test_hostile_tables.py",
    "test_known_optima.py",
    "test_programs.py",
    "test_proved_measures.py",
    "test_report_page.py",
    "test_terminals.py",
    "test_topk_experiments.py",
}


def pytest_addoption(parser):
    parser.addoption(
        "--quick",
        action="store_true",
        help="one case of every test, and none of the long ones",
    )


def pytest_configure(config):
    if config.getoption("--quick"):
        effort.be_quick()
    config.addinivalue_line("markers", "slow: takes about ten seconds or more")


def pytest_collection_modifyitems(config, items):
    if not config.getoption("--quick"):
        return
    kept, left_out, seen = [], [], set()
    for item in items:
        test = item.path, getattr(item, "originalname", item.name)
        is_long = item.path.name in LONG_FILES or item.get_closest_marker("slow")
        (left_out if is_long or test in seen else kept).append(item)
        seen.add(test)
    items[:] = kept
    config.hook.pytest_deselected(items=left_out)

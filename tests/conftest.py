"""Seeded chance for every test, and which of them make up a quick run."""

from __future__ import annotations

import math
import os
import shutil
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


# A real browser, where there is one: Chromium, driven by Playwright.
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
# Nothing of the browser's own may ask the network for anything.
BROWSER_OPTIONS = [
    *("--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]


@pytest.fixture(scope="session")
def browser():
    """Return the browser, or skip the test."""
    path = os.environ.get("OSTRYA_BROWSER") or next(
        filter(None, map(shutil.which, BROWSERS)), None
    )
    if path is None:
        pytest.skip("no browser here: install Chromium, or say OSTRYA_BROWSER=path")
    playwright = pytest.importorskip("playwright.sync_api", reason="no Playwright here")
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    options = [*BROWSER_OPTIONS, *(["--no-sandbox"] if is_root else [])]
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=path, args=options)
        yield started
        started.close()


@pytest.fixture
def show(browser, tmp_path):
    """Return what opens a page; at the end there must be no error and no request."""
    complaints, contexts = [], []

    def open_page(source, **options):
        path = tmp_path / "page.html"
        path.write_text(source, encoding="utf-8")
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on("request", lambda request: note(request.url))
        page.goto(path.as_uri())
        return page

    def note(url):
        if not url.startswith(("file://", "data:")):
            complaints.append(url)

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []

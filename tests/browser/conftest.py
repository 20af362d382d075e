"""A real browser, where there is one: Chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
# Nothing of the browser's own may ask the network for anything.
OPTIONS = [
    *("--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]


@pytest.fixture(scope="session")
def browser():
    """Return the browser, or skip the test."""
    path = os.environ.get("OSTRYA_BROWSER") or next(
        filter(None, map(shutil.which, NAMES)), None
    )
    if path is None:
        pytest.skip("no browser here: install Chromium, or say OSTRYA_BROWSER=path")
    playwright = pytest.importorskip("playwright.sync_api", reason="no Playwright here")
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    options = [*OPTIONS, *(["--no-sandbox"] if is_root else [])]
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

"""Seeded chance for every test, and the marker of the long ones."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "seeded",
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("seeded")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow: takes about ten seconds or more")

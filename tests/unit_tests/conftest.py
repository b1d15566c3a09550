"""The mark that gate files carry when a test imports them."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "warn: a gate that warns")

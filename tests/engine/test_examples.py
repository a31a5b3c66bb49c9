"""The examples in the docstrings of the public modules run as written."""

from __future__ import annotations

import doctest
import importlib

import pytest


@pytest.mark.parametrize(
    "module",
    [
        "engine.hand",
        "engine.game",
        "engine.ruleset",
        "engine.simulator",
        "engine.log_writer",
        "engine.players.computer",
    ],
)
def test_the_examples_of_a_module_are_true(module: str) -> None:
    results = doctest.testmod(importlib.import_module(module), optionflags=doctest.ELLIPSIS)
    assert results.attempted > 0
    assert results.failed == 0

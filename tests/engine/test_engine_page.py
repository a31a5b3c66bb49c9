"""The examples of the engine's page run as printed."""

import doctest
import subprocess
import sys
from pathlib import Path

import engine

PAGE = Path(__file__).parent.parent.parent / "docs" / "engine.md"


def test_every_example_gives_what_the_page_prints() -> None:
    options = doctest.ELLIPSIS | doctest.REPORT_NDIFF
    failed, attempted = doctest.testfile(str(PAGE), module_relative=False, optionflags=options)
    assert attempted > 30
    assert failed == 0


def test_the_packages_names_are_all_there() -> None:
    assert sorted(engine.__all__) == engine.__all__
    assert all(getattr(engine, name).__module__.startswith("engine.") for name in engine.__all__)


def test_the_rule_sets_load_without_the_compiled_rules() -> None:
    code = (
        "import sys; from engine import RuleSet; RuleSet.load('classic_salon'); print('numba' in sys.modules)"
    )
    asked = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True
    )
    assert asked.stdout == "False\n"

"""The examples of the engine's page run as printed."""

import doctest
from pathlib import Path

PAGE = Path(__file__).parent.parent.parent / "docs" / "engine.md"


def test_every_example_gives_what_the_page_prints() -> None:
    options = doctest.ELLIPSIS | doctest.REPORT_NDIFF
    failed, attempted = doctest.testfile(str(PAGE), module_relative=False, optionflags=options)
    assert attempted > 30
    assert failed == 0

"""An open warehouse in a temporary folder, and a way to load lines into it."""

from datetime import UTC, datetime, timedelta

import pytest

from ingest.load import Loader
from ingest.warehouse import open_warehouse
from tests.support.hand_lines import block

#: The instants that the clock of these tests tells, a second apart.
START = datetime(2026, 2, 1, 12, 0, tzinfo=UTC)


class Clock:
    """Tells a later instant each time."""

    def __init__(self):
        self.at = START

    def __call__(self):
        self.at += timedelta(seconds=1)
        return self.at


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def warehouse(tmp_path, clock):
    with open_warehouse(tmp_path / "coastal.duckdb", at=clock()) as opened:
        yield opened


@pytest.fixture
def load(warehouse, clock):
    """Load lines as one block and return the report, with the findings told as `report.findings`."""

    def load_lines(*lines, file="hands.jsonl"):
        findings = []
        loader = Loader(warehouse, 1, clock, on_finding=findings.append)
        report = loader.load_all([block(*lines, file=file)])
        report.findings = findings
        return report

    return load_lines

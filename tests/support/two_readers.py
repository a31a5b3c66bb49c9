"""Hold the compiled scanner and the models to each other."""

from __future__ import annotations

import numpy as np

from ingest.content import content_hashes
from ingest.findings import Finding, Place
from ingest.gather import from_logs, scan_lines
from ingest.hand_log import HandLog, PlayerRecord
from ingest.line_reader import LineReader
from tests.support.hand_lines import block


def read_slowly(text: bytes) -> tuple[HandLog | PlayerRecord | None, list[Finding]]:
    """Return what the models say of a line."""
    reader = LineReader(Place("x", 1))
    return reader.read(text), reader.findings


def assert_agreement(lines: list[bytes]) -> int:
    """Every line that the scanner reads is one that the models accept, with the same columns and hash.

    Args:
        lines: None of them blank.

    Returns:
        How many lines the scanner read.
    """
    together = block(*lines)
    scanned = scan_lines(together.text, together.starts, together.ends)
    logs = []
    for row in scanned.rows.tolist():
        record, findings = read_slowly(lines[row])
        assert isinstance(record, HandLog), (lines[row], findings)
        assert not findings, (lines[row], findings)
        logs.append(record)
    slow = from_logs(logs, scanned.rows.tolist())
    assert np.array_equal(slow.numbers, scanned.numbers)
    for fast_text, slow_text in zip(scanned.texts, slow.texts, strict=True):
        assert fast_text.equals(slow_text)
    assert content_hashes(scanned).content.equals(content_hashes(slow).content)
    return len(scanned)

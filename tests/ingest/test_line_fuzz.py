"""Whole log lines, mutated byte by byte: level 2 never crashes and passes only what the referee passes."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import orjson
import pytest

from ingest.checking import REPLAY, check_block
from ingest.findings import Place
from ingest.hand_log import HandLog
from ingest.sources import one_block
from ingest.spread import to_log
from tests.support.referee_play import random_hand
from tests.support.second_opinion import referee_opinion

TABLES = [("modern_american", 4), ("classic_salon", 2), ("classic_salon", 3), ("classic_partnership", 4)]


@cache
def lines() -> tuple[bytes, ...]:
    """Two sound lines of each table, one with suits."""
    records = [
        random_hand(f"lines {players}", ruleset, players, {}, suited=suited).record
        for ruleset, players in TABLES
        for suited in (False, True)
    ]
    return tuple(orjson.dumps(record) for record in records)


def mutated(rng: random.Random, line: bytes) -> bytes:
    """Change a line in one place; most bytes of a line are its deal and events."""
    at = rng.randrange(len(line))
    byte = bytes([rng.choice(line) if rng.random() < 0.8 else rng.randrange(256)])
    end = min(len(line), at + rng.randrange(1, 20))
    changes = (
        lambda: line[:at] + byte + line[at + 1 :],
        lambda: line[:at] + byte + line[at:],
        lambda: line[:at] + line[at + 1 :],
        lambda: line[:at] + line[end:],
        lambda: line[:end] + line[at:],
        lambda: line[:at] + line[at + 1 : at + 2] + line[at : at + 1] + line[at + 2 :],
    )
    return rng.choice(changes)().replace(b"\n", b" ")


def as_record(log: HandLog) -> dict[str, Any]:
    """Write a log as the referee reads it: canastas that its rule set lacks are left out while they are 0."""
    record: dict[str, Any] = orjson.loads(log.model_dump_json(exclude_none=True))
    counted = ("natural", "mixed")
    if log.ruleset != "modern_american":
        record["result"]["canastas"] = [
            {kind: count for kind, count in side.items() if count or kind in counted}
            for side in record["result"]["canastas"]
        ]
    return record


def fuzz(seed: str, count: int) -> int:
    """Check mutated lines at level 2; return how many passed."""
    rng = random.Random(seed)
    passed = 0
    for start in range(0, count, 1000):
        size = min(1000, count - start)
        written = [mutated(rng, rng.choice(lines())) for _ in range(size)]
        checked = check_block(
            one_block([(Place("fuzz", row), line) for row, line in enumerate(written)]), REPLAY
        )
        assert len(set(checked.hands.rows.tolist()) | set(checked.refused)) == size
        for place in range(len(checked.hands)):
            log = to_log(checked.hands, place)
            if log.events is None:
                continue
            opinion = referee_opinion(as_record(log))
            assert (opinion.event, opinion.result) == (None, frozenset()), (opinion, log)
            passed += 1
    return passed


def test_unchanged_lines_pass() -> None:
    block = one_block([(Place("fuzz", row), line) for row, line in enumerate(lines())])
    assert len(check_block(block, REPLAY).hands) == len(lines())


def test_mutated_lines_pass_only_if_right() -> None:
    assert 0 < fuzz("quick", 600) < 300


@pytest.mark.slow
@pytest.mark.parametrize("part", range(4))
def test_many_mutated_lines_pass_only_if_right(part: int) -> None:
    assert fuzz(f"slow {part}", 10_000) > 0

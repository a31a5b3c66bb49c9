"""Mutated logs: none crashes the replay, and none passes unless the referee too finds it legal and right."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import orjson
import pytest

from engine.replay import LoggedHand, replay
from tests.support.claims import Written, judge
from tests.support.mutations import mutated
from tests.support.referee_play import random_hand
from tests.support.second_opinion import referee_opinion

Record = dict[str, Any]
#: Rule set, players, and the house option that is switched off.
TABLES = [
    ("modern_american", 4, None),
    ("modern_american", 4, "one_wild_meld"),
    ("classic_salon", 4, None),
    ("classic_salon", 3, None),
    ("classic_salon", 2, None),
    ("classic_salon", 2, "one_meld_a_rank"),
    ("classic_partnership", 4, None),
]
GRAMMAR = b"0123dtmxrbsoqynk>:#+?*456789TJQKA2W3rbshdc "


@cache
def sound_logs(ruleset: str, players: int, off: str | None, suited: bool) -> tuple[Record, ...]:
    """Four hands of a table that the replay accepts."""
    options = {off: False} if off else {}
    found: list[Record] = []
    seed = 0
    while len(found) < 4:
        record = random_hand(f"fuzz {seed}", ruleset, players, options, suited=suited).record
        if not replay(LoggedHand.from_log(record)):
            found.append(record)
        seed += 1
    return tuple(found)


def mutated_bytes(rng: random.Random, text: bytes) -> bytes:
    """Change a text in one place, byte by byte."""
    at = rng.randrange(len(text) + 1)
    other = rng.randrange(len(text) + 1)
    low, high = sorted((at, min(other, at + 24)))
    mark = bytes([rng.choice(GRAMMAR) if rng.random() < 0.95 else rng.randrange(256)])
    changes = (
        lambda: text[:at] + mark + text[at + 1 :],
        lambda: text[:at] + mark + text[at + 1 :],
        lambda: text[:at] + mark + text[at:],
        lambda: text[:at] + text[at + 1 :],
        lambda: text[:low] + text[high:],
        lambda: text[:high] + text[low:],
        lambda: text[:at],
        lambda: text[:low] + text[low + 1 : low + 2] + text[low : low + 1] + text[low + 2 :],
    )
    return rng.choice(changes)()


def byte_mutations(rng: random.Random, logs: tuple[Record, ...]) -> Iterator[Written]:
    """Yield logs whose events, now and then whose deal, are changed byte by byte."""
    while True:
        log = Written.of(rng.choice(logs))
        if rng.random() < 0.9:
            yield replace(log, events=mutated_bytes(rng, log.events))
        else:
            yield replace(log, deal=mutated_bytes(rng, log.deal))


def event_mutations(rng: random.Random, logs: tuple[Record, ...]) -> Iterator[Written]:
    """Yield logs with an event, the deal or a claim changed."""
    while True:
        yield Written.of(mutated(rng, rng.choice(logs)))


def as_record(log: Written) -> Record | None:
    """Return the record that the mutated bytes make, None where they are not JSON of the right shape."""
    try:
        deal = orjson.loads(log.deal)
        events = log.events.decode()
    except ValueError:
        return None
    shape = (
        isinstance(deal, dict) and set(deal) == {"holdings", "upcards"} and isinstance(deal["upcards"], str)
    )
    if not shape or not isinstance(deal["holdings"], list):
        return None
    if not all(isinstance(holding, str) for holding in deal["holdings"]):
        return None
    return log.record | {"deal": deal, "events": events}


def check(mutations: Iterator[Written], count: int, worded: int) -> int:
    """Judge mutated logs; return how many passed."""
    logs = [next(mutations) for _ in range(count)]
    verdicts = judge(logs)
    for log, passes in zip(logs, verdicts, strict=True):
        if passes:
            record = as_record(log)
            assert record is not None, log
            opinion = referee_opinion(record)
            assert (opinion.event, opinion.result) == (None, frozenset()), (opinion, record)
    for log, passes in list(zip(logs, verdicts, strict=True))[:worded]:
        record = as_record(log)
        if record is not None and orjson.dumps(record["deal"]) == log.deal:
            assert (not replay(LoggedHand.from_log(record))) == passes, record
    return sum(verdicts)


@pytest.mark.parametrize(("ruleset", "players", "off"), TABLES)
@pytest.mark.parametrize("suited", [False, True], ids=["rank", "suit"])
def test_mutated_logs_pass_only_if_legal(ruleset: str, players: int, off: str | None, suited: bool) -> None:
    logs = sound_logs(ruleset, players, off, suited)
    rng = random.Random(f"quick {ruleset} {players} {off} {suited}")
    assert check(byte_mutations(rng, logs), 200, 200) < 100
    assert check(event_mutations(rng, logs), 100, 100) < 50


@pytest.mark.slow
@pytest.mark.parametrize(("ruleset", "players", "off"), TABLES)
@pytest.mark.parametrize("suited", [False, True], ids=["rank", "suit"])
def test_many_mutated_logs_pass_only_if_legal(
    ruleset: str, players: int, off: str | None, suited: bool
) -> None:
    logs = sound_logs(ruleset, players, off, suited)
    rng = random.Random(f"slow {ruleset} {players} {off} {suited}")
    check(byte_mutations(rng, logs), 18_000, 2_000)
    check(event_mutations(rng, logs), 6_000, 2_000)


@pytest.mark.slow
def test_no_mutated_log_reads_or_writes_outside_an_array() -> None:
    """Plain Python checks every index, which compiled code does not."""
    code = "import tests.engine.test_replay_fuzz as fuzz; fuzz.fuzz_in_plain_python()"
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    root = Path(__file__).parent.parent.parent
    subprocess.run([sys.executable, "-c", code], cwd=root, env=environment, check=True, timeout=900)


def fuzz_in_plain_python() -> None:
    """Judge mutated logs of every table; an index out of range raises."""
    for ruleset, players, off in TABLES:
        for suited in (False, True):
            logs = sound_logs(ruleset, players, off, suited)
            rng = random.Random(f"plain {ruleset} {players} {off} {suited}")
            check(byte_mutations(rng, logs), 200, 0)
            check(event_mutations(rng, logs), 100, 0)

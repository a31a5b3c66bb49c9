"""Hands changed field by field and written in every way: nothing crashes, and every refusal has its code."""

from __future__ import annotations

import copy
import dataclasses
import json
import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import orjson
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from engine.log_writer import HandIdentity, computer, hand_line, table_bytes
from engine.ruleset import RuleSet
from engine.simulator import Schedule, simulate
from ingest.checking import REPLAY, check_block
from ingest.findings import CODES
from ingest.hand_log import HandLog, PlayerRecord
from tests.support.hand_lines import CARDS, HAND, block, hand
from tests.support.two_readers import assert_agreement, read_slowly

PLAYER = {"format": "canasta-player/1", "player": "p-ana", "name": "Ana", "self_rating": "casual"}


class Raw(str):
    """A value to be written as it stands: a form of a number, or what is no JSON."""


@cache
def sound_records() -> tuple[dict[str, Any], ...]:
    """A hand without cards, one with some, a played one of each rule set, and a player."""
    played = []
    for name in ("modern_american", "classic_salon", "classic_partnership"):
        rules = RuleSet.load(name)
        hands = next(simulate(rules, Schedule.of_games([1], rules), seed=5, log="full"))
        identity = HandIdentity("h-1", "g-1", 1, HAND["started_at"], HAND["ended_at"], seed="5:1")
        table = table_bytes(rules, [computer(seat, rules, "expert") for seat in range(4)])
        played.append(orjson.loads(hand_line(identity, table, hands.text_of(0))))
    return HAND, hand(**CARDS), *played, PLAYER


NUMBERS = ["0", "-0", "00", "01", "+1", "1.", ".5", "1.0", "1e0", "1E400", "-1e-400", "NaN", "-Infinity"]
NUMBERS += ["999999999", "1000000000", "-1000000000", "9" * 19, "9" * 400, "9" * 5000, "0x1", "1_0", "True"]
NESTED = ["[" * depth + "]" * depth for depth in (50, 300, 950, 5000)]
TEXTS = ["", " ", "é", "\ud800", "\udc00", "🂡", "\x00", "\n", "null", "2026-01-05T18:00:00+01:00", "p-ana"]
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 5)
    | st.floats()
    | st.sampled_from(TEXTS)
    | st.text(max_size=5)
    | st.sampled_from([*NUMBERS, *NESTED]).map(Raw)
)
VALUES = SCALARS | st.lists(SCALARS, max_size=3) | st.dictionaries(st.sampled_from(["x_a", "seat"]), SCALARS)
KEYS = st.sampled_from(["x_mine", "colour", "seat", "natural", "options", "", "é", "\ud800"])


def forms(value: Any) -> list[Any]:
    """Return what is nearly a value: numbers in other forms, texts in other spellings, other nothings."""
    match value:
        case bool():
            return [int(value), str(value), str(value).lower(), None]
        case int():
            digits = abs(value)
            others = [f"{value}.0", f"{value}e0", f"0{value}", f"-{digits}", f"-0{digits}", f"+{digits}"]
            others += [f"{value}{'0' * zeros}" for zeros in (1, 6, 9, 18, 400)]
            return [*map(Raw, others), str(value)]
        case str():
            return [value.upper(), value[:-1], value[::-1], *(value + more for more in (" ", "\x00", "é"))]
        case None:
            return [0, False, "", "null", [], {}]
        case _:
            return [[value], {"x_inner": value}]


def containers(value: Any) -> Iterator[Any]:
    """Yield every object and list in a value that holds something."""
    if isinstance(value, dict | list) and value:
        yield value
        for part in value.values() if isinstance(value, dict) else value:
            yield from containers(part)


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """Return a sound record with up to three values changed, put in, moved or taken out."""
    record = copy.deepcopy(draw(st.sampled_from(sound_records())))
    for _ in range(draw(st.sampled_from([0, 1, 1, 1, 2, 3]))):
        every = [
            (inside, place)
            for inside in containers(record)
            for place in (inside if isinstance(inside, dict) else range(len(inside)))
        ]
        inside, place = draw(st.sampled_from(every))
        match draw(st.sampled_from(["form"] * 4 + ["replace", "take out", "put in", "move"])):
            case "form":
                inside[place] = draw(st.sampled_from(forms(inside[place])))
            case "replace":
                inside[place] = draw(VALUES)
            case "take out":
                del inside[place]
            case "put in" if isinstance(inside, dict):
                inside[draw(KEYS)] = draw(VALUES)
            case "put in":
                inside.insert(place, draw(VALUES))
            case "move":
                other = draw(st.sampled_from([other for holder, other in every if holder is inside]))
                inside[place], inside[other] = inside[other], inside[place]
    return record


class Writer:
    """Writes JSON with keys in any order and any blanks, now and then with escapes that need not be."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._escaped = rng.choice((0.0, 0.0, 0.02))

    def line(self, value: Any) -> bytes:
        """Write a value."""
        return self._value(value).encode()

    def _value(self, value: Any) -> str:
        if isinstance(value, Raw):
            return value
        if isinstance(value, str):
            return '"' + "".join(map(self._character, value)) + '"'
        if isinstance(value, dict):
            keys = self._rng.sample(list(value), len(value))
            parts = [
                f"{self._value(key)}{self._blank()}:{self._blank()}{self._value(value[key])}" for key in keys
            ]
            return self._among("{", parts, "}")
        if isinstance(value, list):
            return self._among("[", [self._value(part) for part in value], "]")
        return json.dumps(value)

    def _pair(self, key: str, value: Any) -> str:
        return self._value(key) + self._blank() + ":" + self._blank() + self._value(value)

    def _among(self, opening: str, parts: list[str], closing: str) -> str:
        return opening + ",".join(self._blank() + part + self._blank() for part in parts) + closing

    def _blank(self) -> str:
        return self._rng.choice(("", "", "", " ", "\t", "\r ", "  "))

    def _character(self, one: str) -> str:
        if one < " " or one in '"\\' or "\ud800" <= one <= "\udfff":
            return json.dumps(one)[1:-1]
        if self._rng.random() >= self._escaped:
            return one
        return json.dumps(one)[1:-1] if one > "~" else f"\\u{ord(one):04{self._rng.choice('xX')}}"


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    """Return a changed record, written in any way, now and then cut short or with bytes put in."""
    text = draw(st.randoms(use_true_random=True).map(Writer)).line(draw(records()))
    at = draw(st.integers(0, len(text)))
    match draw(st.sampled_from(["whole"] * 5 + ["cut short", "a byte", "a key twice", "more"])):
        case "cut short":
            text = text[:at]
        case "a byte":
            text = text[:at] + draw(st.binary(min_size=1, max_size=2)) + text[at:]
        case "a key twice":
            text = b'{"hand_id":"h-2",' + text[1:]
        case "more":
            text += draw(st.sampled_from([b"}", b" ", b"\x00", b"{}", b"\r", b",", text]))
    text = text.replace(b"\n", b" ")
    assume(text.strip())
    return text


@given(lines())
@example(b'{"format": ' + b"9" * 30 + b"}")
@example(b'{"format": ' + b"[" * 300 + b"]" * 300 + b"}")
@example(rb'{"\ud800": 1, "\ud800": 2}')
@settings(max_examples=100)
def test_a_line_is_kept_or_refused_with_its_code_and_place(line: bytes) -> None:
    checked = check_block(block(line, file="a.jsonl"), REPLAY)
    assert len(checked.hands) + len(checked.players) + len(checked.refused) == 1
    for row, finding in checked.findings:
        assert (row, finding.file, finding.line) == (0, "a.jsonl", 1)
        assert finding.severity == CODES[finding.code].severity
        assert finding.message
        assert orjson.loads(orjson.dumps(dataclasses.asdict(finding)))["code"] == finding.code
    assert bool(checked.refused) == any(finding.is_error for _, finding in checked.findings)


@given(st.lists(lines(), min_size=1, max_size=4))
@settings(max_examples=150)
def test_the_scanner_reads_a_line_as_the_models_do_or_leaves_it_to_them(some: list[bytes]) -> None:
    assert_agreement(some)


@given(records(), st.randoms(use_true_random=True))
@settings(max_examples=150)
def test_order_of_keys_blanks_and_escapes_change_nothing(record: dict[str, Any], rng: random.Random) -> None:
    one, other = (read_slowly(Writer(style).line(record)) for style in (random.Random(0), rng))
    assert one[0] == other[0]
    assert sorted(finding.code for finding in one[1]) == sorted(finding.code for finding in other[1])


@given(st.sampled_from([HAND, hand(**CARDS), PLAYER]), st.randoms(use_true_random=True))
@settings(max_examples=100)
def test_a_sound_line_is_read_however_it_is_written(record: dict[str, Any], rng: random.Random) -> None:
    line = Writer(rng).line(record)
    read, findings = read_slowly(line)
    assert isinstance(read, HandLog | PlayerRecord)
    assert findings == []
    assert json.loads(line) == record

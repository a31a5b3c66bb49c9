"""The compiled scanner and the models say the same of every line that the scanner reads."""

import json
import random

import pytest

from ingest.content import content_hashes
from ingest.gather import scan_lines
from tests.support.hand_lines import CARDS, HAND, block, hand, line, set_at
from tests.support.leagues import random_league
from tests.support.two_readers import assert_agreement

MARKS = [
    b'"',
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b",",
    b" ",
    b"\t",
    b"\r",
    b"\\",
    b"\\u00e9",
    b"-",
    b"0",
    b"1.0",
    b"1e3",
]
PIECES = [
    *MARKS,
    b"null",
    b"true",
    b"12345678901",
    b"\xc3\xa9",
    b"\xed\xa0\x80",
    b"\xff",
    b"\xf0\x9f\x82\xa1",
    b"+01:00",
]


def sound_lines():
    records = [HAND, hand(**CARDS), *random_league(5, games=40).hands]
    return [line(record) for record in records]


def test_lines_as_games_write_them_take_the_fast_path():
    lines = sound_lines()
    assert assert_agreement(lines) == len(lines)


def test_order_of_keys_and_blanks_change_neither_path_nor_hash():
    rng = random.Random(1)

    def shuffled(value):
        if isinstance(value, dict):
            return {key: shuffled(value[key]) for key in rng.sample(list(value), len(value))}
        return [shuffled(one) for one in value] if isinstance(value, list) else value

    plain = line(hand(**CARDS))
    others = [
        json.dumps(shuffled(hand(**CARDS)), indent=rng.choice([None, 1, 2])).replace("\n", "\r").encode()
        for _ in range(50)
    ]
    assert assert_agreement([plain, *others]) == 51
    scanned = scan_lines(*(lambda b: (b.text, b.starts, b.ends))(block(plain, *others)))
    assert len(set(content_hashes(scanned).content.to_pylist())) == 1


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("hand_no", 0),
        ("hand_no", 1.0),
        ("hand_no", True),
        ("hand_no", 10**10),
        ("hand_id", ""),
        ("hand_id", "a\nb"),
        ("device", None),
        ("turns", None),
        ("turns", -1),
        ("options", {"special_hands": False, "clock_seconds": 30}),
        ("options", {"special_hands": None}),
        ("options", {"a": [1]}),
        ("options", None),
        ("seats", []),
        ("seats.0.seat", 1),
        ("seats.0.player", None),
        ("seats.1.player", "p-x"),
        ("seats.1.skill", None),
        ("dealer", 4),
        ("score_before", [0]),
        ("score_before", [0, 0, 0, 0, 0]),
        ("result.points", [1645]),
        ("result.ledger", []),
        ("result.ledger.0", {}),
        ("result.canastas.1", {"natural": 0}),
        ("result.winner", 3),
        ("result.special", ""),
        ("started_at", "2026-01-05T19:00:00+01:00"),
        ("started_at", "2026-01-05T18:09:12.5Z"),
        ("started_at", "2026-01-05T18:09:12.1234567Z"),
        ("started_at", "2026-02-29T18:00:00Z"),
        ("started_at", "2024-02-29T18:00:00Z"),
        ("started_at", "1900-02-29T00:00:00Z"),
        ("started_at", "0001-01-01T00:00:00Z"),
        ("started_at", "0000-01-01T00:00:00Z"),
        ("started_at", "2026-01-05T24:00:00Z"),
        ("started_at", "2026-01-05 18:00:00Z"),
        ("mode", "solo"),
        ("deal", None),
        ("events", "0d4"),
        ("x_mine", {"b": 1, "a": [None]}),
        ("colour", "red"),
    ],
)  # fmt: skip
def test_the_paths_agree_on_edges(path, value):
    assert_agreement([line(set_at(hand(), path, value)), line(set_at(hand(**CARDS), path, value))])


def test_a_missing_field_is_taken_alike_by_both_paths():
    for key in HAND:
        assert_agreement([line({name: value for name, value in HAND.items() if name != key})])


def mutated(rng, text, others):
    """Damage a line's bytes in one to three places."""
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(len(text))
        end = min(len(text), at + rng.randrange(1, 12))
        how = rng.randrange(5)
        if how == 0:
            text = text[:at] + bytes([rng.randrange(256)]) + text[at + 1 :]
        elif how == 1:
            text = text[:at] + text[end:]
        elif how == 2:
            text = text[:at] + rng.choice(PIECES) + text[at:]
        elif how == 3:
            text = text[:at] + rng.choice(PIECES) + text[end:]
        else:
            other = rng.choice(others)
            start = rng.randrange(len(other))
            text = text[:at] + other[start : start + rng.randrange(1, 80)] + text[end:]
    return text.replace(b"\n", b" ")


def assert_agreement_under_mutation(seed, count):
    rng = random.Random(seed)
    lines = sound_lines()
    changed = [mutated(rng, rng.choice(lines), lines) for _ in range(count)]
    changed = [text for text in changed if text.strip()]
    read = assert_agreement(changed)
    assert read > count // 100, "mutations that leave nothing to read prove nothing"


def test_the_paths_agree_on_damaged_lines():
    assert_agreement_under_mutation(seed=7, count=10_000)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_the_paths_agree_on_many_damaged_lines(seed):
    assert_agreement_under_mutation(seed=100 + seed, count=50_000)

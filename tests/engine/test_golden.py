"""Golden hands: one of each rule set, number of players and way to end, byte for byte.

A golden is a log line whose points were added up by hand (`x_score_by_hand`, a text a side). It is held to
four accounts that do not know of each other: that sum, the independent referee, the replay of its events,
and its bytes written again from the seed that dealt it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.actions import Decline, GoOut
from engine.event_writer import put_event
from engine.hand import HandState
from engine.hand_record import COLUMNS, record_hand
from engine.hand_writer import put_deal, put_result
from engine.kernel_action import encode
from engine.notation import parse_events
from engine.play import HAND_BYTES
from engine.rules.action_list import empty_list
from engine.rules.apply import apply
from engine.rules.check import check
from engine.rules.deal import deal, start
from engine.rules.rng import seed_generator
from engine.ruleset import RULE_SETS, RuleSet
from engine.scoring import PARTS
from engine.state import BY_STOCK, ENDED, ENDED_BY, ENDINGS, PHASE, STOCK, empty_action, empty_state
from tests.engine.referee import referee, result_differences

GOLDEN = Path(__file__).parents[1] / "golden"
FILES = sorted(GOLDEN.glob("*/*.jsonl"))


def read(file: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return record


def rules_of(record: dict[str, Any]) -> RuleSet:
    return RuleSet.for_table(record["ruleset"], len(record["seats"]), record["options"])


def test_every_rule_set_players_and_ending_has_a_golden_hand() -> None:
    wanted = set()
    for name in RULE_SETS:
        players = RuleSet.load(name).options.get("players")
        special = RuleSet.load(name).special_hands
        for count in players.allowed if players else (4,):
            wanted |= {
                (name, count, ending) for ending in ENDINGS if ending and (special or ending != "special")
            }
    found = {(one["ruleset"], len(one["seats"]), one["result"]["ended_by"]) for one in map(read, FILES)}
    assert found == wanted


def written_again(record: dict[str, Any]) -> str:
    """Deal a golden from its seed, play its events and write them, as the simulator does."""
    rules = rules_of(record)
    seed, game = map(int, record["seed"].split(":"))
    hand, action, actions = empty_state(), empty_action(), empty_list()
    row, out = np.zeros(COLUMNS, np.int64), np.zeros(HAND_BYTES, np.uint8)
    scores, rng, part = np.zeros(4, np.int64), np.zeros(1, np.int64), np.zeros(PARTS, np.int64)
    scores[: rules.sides] = record["score_before"]
    seed_generator(rng, seed, game, record["hand_no"])
    deal(rules.numbers, hand, record["dealer"], scores, rng)
    text = out[: put_deal(out, 0, hand)].tobytes().decode()
    start(rules.numbers, hand)
    for event in parse_events(record["events"], cards="rank"):
        if isinstance(event, GoOut):
            text += f"{event.seat}o "
            continue
        encode(event, action)
        before = int(hand.turn[STOCK])
        assert check(rules.numbers, hand, action) == 0
        apply(rules.numbers, hand, action, actions)
        text += out[: put_event(out, 0, hand, action, before)].tobytes().decode() + " "
    if hand.turn[PHASE] != ENDED:  # the last seat left the pile, for which there is no event
        hand.turn[ENDED_BY] = BY_STOCK
    record_hand(rules.numbers, hand, record["hand_no"], row, part, scores)
    result = out[: put_result(out, 0, rules.numbers, row)].tobytes().decode()
    return result + text[:-1] + '"'


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
class TestGolden:
    def test_its_deal_and_events_are_written_again_byte_for_byte(self, file: Path) -> None:
        record, line = read(file), file.read_text("utf-8")
        written = written_again(record)
        assert line.endswith(written + ',"x_score_by_hand":' + json.dumps(record["x_score_by_hand"]) + "}\n")

    def test_its_points_were_added_up_by_hand(self, file: Path) -> None:
        record = read(file)
        for ledger, points, note in zip(
            record["result"]["ledger"], record["result"]["points"], record["x_score_by_hand"], strict=True
        ):
            assert sum(ledger.values()) == points
            if ledger["melds"]:
                # "melds ... = 365": the sum at the end of the list of melds.
                assert int(re.search(r"melds .*?= -?(\d+)", note).group(1)) == abs(ledger["melds"])

    def test_the_referee_agrees(self, file: Path) -> None:
        record = read(file)
        verdict = referee(record)
        assert verdict.legal
        assert not result_differences(record, verdict)

    def test_its_events_replay_to_its_result(self, file: Path) -> None:
        record = read(file)
        hand = HandState.deal(
            rules_of(record),
            seed=int(record["seed"].split(":")[0]),
            game=int(record["seed"].split(":")[1]),
            hand_no=record["hand_no"],
            dealer=record["dealer"],
            scores=tuple(record["score_before"]),
        )
        for event in record["events"].split():
            hand.apply(event)
        if hand.outcome() is None:
            hand.apply(Decline(hand.seat))
        outcome = hand.outcome()
        result = record["result"]
        assert outcome is not None
        assert list(outcome.points) == result["points"]
        assert [ledger._asdict() for ledger in outcome.ledgers] == result["ledger"]
        assert (outcome.ended_by, outcome.seat, outcome.concealed, outcome.special) == (
            result["ended_by"],
            result["seat"],
            result["concealed"],
            result["special"],
        )

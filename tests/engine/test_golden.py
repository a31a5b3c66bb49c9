"""Golden hands: one of each rule set, number of players and way to end, byte for byte.

A golden is a log line whose points were added up by hand (`x_score_by_hand`, a text a side). It is held to
four accounts that do not know of each other: that sum, the independent referee, the replay of its events,
and the seed it was played from.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from engine.actions import Decline
from engine.hand import HandState
from engine.players.skill import error_rates
from engine.ruleset import RULE_SETS, RuleSet
from engine.simulator import Schedule, simulate
from engine.state import ENDINGS
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


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
class TestGolden:
    def test_its_seed_plays_it_again_byte_for_byte(self, file: Path) -> None:
        record, line = read(file), file.read_text("utf-8")
        rules = rules_of(record)
        seed, game = map(int, record["seed"].split(":"))
        rates = [error_rates()[seat["skill"]] for seat in record["seats"]]
        batch = next(simulate(rules, Schedule.of_games([game], rules, rates), seed=seed, log="full"))
        text = batch.text_of(record["hand_no"] - 1).decode()
        assert line.endswith(
            text[:-1] + ',"x_score_by_hand":' + json.dumps(record["x_score_by_hand"]) + "}\n"
        )

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

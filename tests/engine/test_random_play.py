"""Random legal play and the computer player: what holds at every event of a hand, and of its log.

108 cards, two of each; what is listed is legal and what is legal is listed; asking changes nothing; a view
holds no hidden card; a hand ends; its ledger adds up; its log replays to the same end.
"""

from __future__ import annotations

from typing import Any

import orjson
import pytest

from engine import hand_record as record
from engine.replay import LoggedHand, position_before
from engine.ruleset import RuleSet
from engine.scoring import PARTS
from engine.state import BY_OUT, BY_STOCK, Ints
from ingest.checking import REPLAY, check_block
from ingest.findings import Place
from ingest.sources import one_block
from tests.support.random_play import RANDOM, Watched, play_many, scores_before

TABLES: dict[str, tuple[str, dict[str, Any]]] = {
    "modern_american": ("modern_american", {}),
    "modern_american, other options": (
        "modern_american",
        {
            "five_natural_rule": False,
            "pair_and_wild_out": True,
            "pile_needs_pair": True,
            "pile_after_stock": False,
            "canasta_opens": False,
            "wild_meld_opens": False,
            "mixed_aces_take_wilds": False,
            "dead_melds_unfinished": False,
            "swad_wild_last": False,
            "special_alone": False,
            "one_wild_meld": False,
        },
    ),
    "classic_salon, 2 players": ("classic_salon", {"players": 2}),
    "classic_salon, 3 players": ("classic_salon", {"players": 3}),
    "classic_salon, 4 players": ("classic_salon", {}),
    "classic_salon, 4 alone": ("classic_salon", {"singles": True}),
    "classic_salon, other options": (
        "classic_salon",
        {
            "players": 2,
            "always_frozen": True,
            "canastas_to_go_out": 1,
            "red_three_from_pile_replaced": False,
            "covered_upcard_freezes": False,
            "last_red_three_ends": True,
            "black_three_melds": False,
        },
    ),
    "classic_salon, 2 players, several melds of a rank": (
        "classic_salon",
        {"players": 2, "one_meld_a_rank": False},
    ),
    "classic_partnership": ("classic_partnership", {}),
    "classic_partnership, other options": (
        "classic_partnership",
        {"last_red_three_ends": True, "black_three_melds": False},
    ),
}


PLAYERS = {"random": RANDOM, "computer": 0.0, "erring computer": 0.3}


def check_ledgers(rules: RuleSet, records: Ints) -> None:
    """Ledger parts sum to points, and points bring each side from its score before to the one after."""
    before, points, after = (
        records[:, column : column + rules.sides]
        for column in (record.SCORE_BEFORE, record.POINTS, record.SCORE_AFTER)
    )
    parts = records[:, record.LEDGER : record.LEDGER + rules.sides * PARTS]
    assert (parts.reshape(len(records), rules.sides, PARTS).sum(axis=2) == points).all()
    assert (before == [scores_before(rules, number)[: rules.sides] for number in range(len(records))]).all()
    assert (before + points == after).all()


def check_logs(watched: Watched) -> None:
    """The written logs replay without a finding, to the same last position."""
    block = one_block([(Place("played", row), line) for row, line in enumerate(watched.lines)])
    checked = check_block(block, REPLAY)
    assert checked.findings == []
    assert len(checked.hands) == len(watched.lines)
    for number, position in watched.positions.items():
        log = LoggedHand.from_log(orjson.loads(watched.lines[number]))
        replayed = position_before(log, len(log.events.split()) + 1)
        assert replayed == position


def check_hands(table: str, player: str, hands: int, seed: int) -> None:
    name, options = TABLES[table]
    rules = RuleSet.load(name, **options)
    watched = play_many(rules, hands, seed, PLAYERS[player])
    wrong = watched.faults < 0
    assert not wrong.any(), f"hand {wrong.argmax()} of seed {seed}: {watched.faults[wrong.argmax()]}"
    endings = {BY_OUT, BY_STOCK} if player == "random" else {BY_OUT}
    assert endings <= set(watched.records[:, record.ENDING])
    check_ledgers(rules, watched.records)
    check_logs(watched)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    ("player", "hands"), [("random", 2_000), ("computer", 1_000), ("erring computer", 1_000)]
)
def test_every_position_of_play_is_sound(table: str, player: str, hands: int) -> None:
    check_hands(table, player, hands, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize(
    ("player", "hands"), [("random", 20_000), ("computer", 10_000), ("erring computer", 10_000)]
)
def test_every_position_of_much_play_is_sound(table: str, player: str, hands: int) -> None:
    check_hands(table, player, hands, seed=2)

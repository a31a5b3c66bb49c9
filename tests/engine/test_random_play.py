"""Random legal play: 108 cards at every event, no dead end, no change by asking, no hidden card in a view."""

from __future__ import annotations

from typing import Any

import pytest

from engine.ruleset import RuleSet
from tests.support.random_play import play_many

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
        },
    ),
    "classic_partnership": ("classic_partnership", {}),
    "classic_partnership, other options": ("classic_partnership", {"last_red_three_ends": True}),
}


def check_hands(table: str, hands: int, seed: int) -> None:
    name, options = TABLES[table]
    results, endings = play_many(RuleSet.load(name, **options), hands, seed)
    wrong = results < 0
    assert not wrong.any(), f"hand {wrong.argmax()} of seed {seed}: {results[wrong.argmax()]}"
    assert endings["out"] > 0
    assert endings["stock"] > 0


@pytest.mark.parametrize("table", TABLES)
def test_every_position_of_random_play_is_sound(table: str) -> None:
    check_hands(table, 2_000, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("table", TABLES)
def test_every_position_of_much_random_play_is_sound(table: str) -> None:
    check_hands(table, 20_000, seed=2)

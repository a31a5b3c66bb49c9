"""A computer player sees only what a person in its seat sees, and always has a legal move."""

from __future__ import annotations

import random
import re
from collections import Counter

import pytest

from engine.hand import HandState
from engine.players.computer import ComputerPlayer
from engine.players.skill import SKILLS, error_rates
from engine.ruleset import RuleSet


def cards_in(text: str) -> list[str]:
    """Split cards written by rank; a 3 has its colour behind it."""
    return re.findall(r"3[rb]|[^3]", text)


def with_hidden_cards_dealt_again(hand: HandState, seat: int, rng: random.Random) -> HandState:
    """Return the hand with everything that a seat cannot see dealt anew."""
    position = hand.position()
    others = [other for other in range(len(position["holdings"])) if other != seat]
    held = [cards_in(position["holdings"][other]) for other in others]
    unseen = [card for cards in held for card in cards] + cards_in(position["stock"])
    rng.shuffle(unseen)
    for other, cards in zip(others, held, strict=True):
        position["holdings"][other] = "".join(unseen.pop() for _ in cards)
    position["stock"] = "".join(unseen)
    return HandState.from_position(position)


@pytest.mark.parametrize("ruleset", ["modern_american", "classic_salon", "classic_partnership"])
def test_hidden_cards_do_not_change_the_move(ruleset: str) -> None:
    rng = random.Random(ruleset)
    for seed in range(4):
        hand = HandState.deal(RuleSet.load(ruleset), seed=seed)
        player = ComputerPlayer("beginner", seed=seed)
        event = 0
        while hand.outcome() is None:
            if hand.phase != "settle" and event % 5 == 0:
                twin = with_hidden_cards_dealt_again(hand, hand.seat, rng)
                moves = [
                    ComputerPlayer("beginner", seed=event).choose(one.view(hand.seat)) for one in (hand, twin)
                ]
                assert moves[0] == moves[1]
            hand.apply(player.choose(hand.view(hand.seat)))
            event += 1


def test_a_view_shows_a_seat_its_own_cards_and_hides_the_rest() -> None:
    hand = HandState.deal(RuleSet.load("modern_american"), seed=3)
    while len(hand.events) < 30:
        hand.apply(hand.legal_actions()[0])
    own, position = hand.view(2).position(), hand.position()
    assert own["holdings"][2] == position["holdings"][2]
    for seat in (0, 1, 3):
        assert set(own["holdings"][seat]) <= {"?"}
        assert len(own["holdings"][seat]) == len(cards_in(position["holdings"][seat]))
    assert set(own["stock"]) == {"?"}
    for open_to_all in ("melds", "pile", "red_threes", "black_threes", "seat", "phase", "dealer"):
        assert own[open_to_all] == position[open_to_all]


def test_a_view_hides_what_others_drew() -> None:
    hand = HandState.deal(RuleSet.load("modern_american"), seed=3)
    while len(hand.events) < 40:
        hand.apply(hand.legal_actions()[0])
    seen = hand.view(1).events
    assert len(seen) == len(hand.events)
    for event, shown in zip(hand.events, seen, strict=True):
        drawn = getattr(shown, "cards", ()) if type(event).__name__ in ("Draw", "BonusCards") else ()
        assert event == shown if event.seat == 1 else set(drawn) <= {"?"}
    assert Counter(type(event) for event in seen) == Counter(type(event) for event in hand.events)


def test_an_unknown_skill_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="beginner, intermediate, expert"):
        ComputerPlayer("grandmaster", seed=1)


def test_every_named_skill_has_an_error_rate_and_the_better_errs_less() -> None:
    rates = [error_rates()[skill] for skill in SKILLS]
    assert rates == sorted(rates, reverse=True)
    assert all(0 <= rate <= 1 for rate in rates)

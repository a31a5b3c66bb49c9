"""Put the referee into a position, so that one clause can be tried with a few events."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tests.engine.referee import Hand
from tests.engine.referee_cards import Refusal, count_kinds, full_deck, kind, read_cards

FILLER = "456789TJQKA2"


def blank_record(ruleset: str, players: int = 4, **changes: Any) -> dict[str, Any]:
    """Build a record with a deal that holds no 3, dealer last, score level at 0, and no event."""
    alone = players < 4 or changes.get("options", {}).get("singles", False)
    size = 13 if ruleset == "modern_american" else {2: 15, 3: 13, 4: 11}[players]
    deck = [rank for rank in FILLER for _ in range(8)]
    record = {
        "format": "canasta-hand/1",
        "ruleset": ruleset,
        "options": {},
        "cards": "rank",
        "hand_no": 1,
        "dealer": players - 1,
        "seats": [{"seat": seat, "side": seat if alone else seat % 2} for seat in range(players)],
        "score_before": [0] * (players if alone else 2),
        "deal": {
            "holdings": ["".join(deck[seat * size : (seat + 1) * size]) for seat in range(players)],
            "upcards": "" if ruleset == "modern_american" else "A",
        },
        "events": "",
    }
    return record | changes


def position(
    ruleset: str,
    *,
    holding: str,
    melds: tuple[str, ...] = (),
    other_melds: tuple[str, ...] = (),
    pile: str = "",
    drawn: bool = True,
    stock: int = 30,
    players: int = 4,
    partner_holding: str = "4",
    frozen: bool = False,
    threes: str = "",
    score: int = 0,
    **changes: Any,
) -> Hand:
    """Seat 0 is to play with these cards; groups are written as in events (``KKK2``, ``W:22*``)."""
    record = blank_record(ruleset, players, **changes)
    record["score_before"] = [score] * len(record["score_before"])
    hand = Hand(record)
    hand.holdings = [Counter(read_cards(holding, suited=False))]
    hand.holdings += [Counter({"4": 1}) for _ in range(players - 1)]
    if players == 4:
        hand.holdings[2] = Counter(read_cards(partner_holding, suited=False))
    hand.pile = read_cards(pile, suited=False)
    hand.frozen = frozen
    hand.melds[0], hand.melds[1] = _laid(melds), _laid(other_melds)
    hand.threes[0] = Counter(read_cards(threes, suited=False))
    hand.opener = [2 if side_melds else None for side_melds in hand.melds]
    hand.side_was_concealed = not melds
    known = sum((*hand.holdings, *hand.melds[0].values(), *hand.melds[1].values()), Counter(hand.pile))
    unseen = sorted((full_deck(suited=False) - known).elements(), key=lambda card: kind(card)[0] == "3")
    hand.unseen = Counter(unseen[:stock])
    if drawn:
        hand._begin_turn()
        hand.phase, hand.drew = "play", True
    return hand


def _laid(groups: tuple[str, ...]) -> dict[str, Counter]:
    melds = {}
    for text in groups:
        onto, colon, rest = text.partition(":")
        cards = Counter(read_cards(rest if colon else text, suited=False))
        melds[onto if colon else next(iter(set(count_kinds(cards)) - {"2", "*"}))] = cards
    return melds


def refusal(hand: Hand, *events: str) -> str | None:
    """Play events; return the reason word of the last one's refusal, or None where it is legal."""
    for event in events[:-1]:
        hand.play(event)
    try:
        hand.play(events[-1])
    except Refusal as found:
        return str(found)
    return None

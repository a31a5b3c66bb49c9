"""Hands played on the compiled rules, at random or by the computer player, and watched at every event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from engine import hand_record
from engine.cards import BLACK_THREE, COPIES, HIDDEN, JOKER, KINDS, RANKS, RED_THREE, TWO, WIDTH
from engine.event_writer import put, put_event
from engine.hand_record import record_hand
from engine.hand_writer import put_deal
from engine.kernel import Bytes, Row, allocating, kernel
from engine.log_writer import HandIdentity, computer, hand_line, table_bytes
from engine.play import FULL, HAND_BYTES, Desk, empty_desk, write_text
from engine.players.greedy import choose
from engine.position import write_position
from engine.rules.action_list import ActionList, copy_action, load, set_group, start_action
from engine.rules.apply import apply
from engine.rules.check import check
from engine.rules.counts import kind_of_slot, laid_groups
from engine.rules.deal import deal, start
from engine.rules.legal import legal_actions
from engine.rules.rng import below, seed_generator
from engine.ruleset import Rules, RuleSet
from engine.state import (
    ACTION_FACTS,
    ACTOR,
    BLACK,
    BLACK_MELD,
    BY_OUT,
    CARD,
    COUNT,
    DECLARE,
    DECLINE,
    DISCARD,
    ENDED,
    ENDED_BY,
    JOKERS,
    LAY_THREE,
    MELD,
    MELDS_OF_A_RANK,
    NATURALS,
    NUMBER,
    OUT_SEAT,
    PHASE,
    PILE,
    PLACES,
    RED,
    RUN_OUT,
    SEATS,
    SIDES,
    SLOTS,
    SPECIAL_HANDS,
    STOCK,
    TAKE_BACK,
    TAKE_PILE,
    TURN_FACTS,
    TWOS,
    VERB,
    VERBS,
    WILD_MELD,
    Action,
    Ints,
    State,
    empty_state,
)
from engine.view import empty_view, look

#: The error rate of a player who chooses any legal action.
RANDOM: Final = -1.0
#: What may go wrong, as `play_watched` returns it.
LOST_CARDS: Final = -1
NO_MOVE: Final = -2
ILLEGAL_MOVE: Final = -3
QUERY_CHANGED: Final = -4
SEES_HIDDEN: Final = -5
ENDLESS: Final = -6
NOBODY_CHOOSES: Final = -7
NOT_LISTED: Final = -8
_MOST_EVENTS: Final = 5_000
#: Of a position's list, how many actions are checked one by one; beside it, how many actions are made up.
_CHECKED: Final = 40
_MADE_UP: Final = 4
_COPIES: Final = np.array(COPIES, np.int64)


@allocating
def holds_all_cards(hand: State) -> bool:
    """Say whether holdings, melds, 3s, stock and pile are the 108 cards."""
    seen = np.zeros(WIDTH, np.int64)
    for seat in range(hand.turn[SEATS]):
        for kind in range(WIDTH):
            seen[kind] += hand.holding[seat, kind]
    for side in range(hand.turn[SIDES]):
        for place in range(PLACES):
            seen[TWO] += hand.meld[side, place, TWOS]
            seen[JOKER] += hand.meld[side, place, JOKERS]
            if place % SLOTS < RANKS:
                seen[place % SLOTS] += hand.meld[side, place, NATURALS]
        seen[BLACK_THREE] += hand.meld[side, BLACK_MELD, NATURALS] + hand.side[side, BLACK]
        seen[RED_THREE] += hand.side[side, RED]
    for place in range(hand.turn[STOCK]):
        seen[hand.stock[place]] += 1
    for place in range(hand.turn[PILE]):
        seen[hand.pile[place]] += 1
    for kind in range(KINDS):
        if seen[kind] != _COPIES[kind]:
            return False
    return seen[HIDDEN] == 0


@kernel
def fingerprint(hand: State) -> int:
    """Return a number that changes with anything in a state."""
    total = 0
    for seat in range(4):
        for kind in range(WIDTH):
            total = (total * 31 + hand.holding[seat, kind]) % 1_000_000_007
        for place in range(PLACES):
            for part in range(3):
                total = (total * 31 + hand.meld[seat, place, part]) % 1_000_000_007
        for fact in range(3):
            total = (total * 31 + hand.side[seat, fact] + hand.seat[seat, fact]) % 1_000_000_007
        total = (total * 31 + hand.side[seat, 3] + 7 * hand.side[seat, 4]) % 1_000_000_007
    for fact in range(TURN_FACTS):
        total = (total * 31 + hand.turn[fact] + 1) % 1_000_000_007
    for place in range(108):
        total = (total * 31 + hand.pile[place] + 16 * hand.stock[place]) % 1_000_000_007
    return total


@kernel
def shows_hidden(rules: Rules, hand: State, view: State) -> bool:
    """Say whether the actor's view holds a card that the actor may not see."""
    look(rules, hand, hand.turn[ACTOR], view)
    for seat in range(hand.turn[SEATS]):
        for kind in range(KINDS):
            if seat != hand.turn[ACTOR] and view.holding[seat, kind] > 0:
                return True
    seen = 0
    for place in range(hand.turn[STOCK]):
        seen += 0 if view.stock[place] == HIDDEN else 1
    return seen > 0


@kernel
def is_listed(actions: ActionList, count: int, action: Action) -> bool:
    """Say whether an action is among the first of a list."""
    for place in range(count):
        same = True
        for column in range(ACTION_FACTS):
            same = same and actions.what[place, column] == action.what[column]
        for slot in range(SLOTS):
            for part in range(3):
                same = same and actions.laid[place, slot, part] == action.laid[slot, part]
        if same:
            return True
    return False


@kernel
def make_up(hand: State, action: Action, rng: Row) -> None:
    """Make up an action with at most one group that the actor has the cards for, legal or not."""
    start_action(hand, action)
    verb = 1 + below(rng, VERBS - 1)
    action.what[VERB] = verb
    if verb == DECLARE:
        action.what[CARD] = below(rng, len(SPECIAL_HANDS))
    elif verb in (DISCARD, LAY_THREE):
        action.what[CARD] = below(rng, KINDS)
    slot = below(rng, SLOTS)
    if verb == TAKE_PILE and hand.turn[PILE] > 0:
        slot = action.what[CARD] = hand.pile[hand.turn[PILE] - 1]
        action.what[COUNT] = hand.turn[PILE]
    if verb in (MELD, TAKE_PILE) and slot < SLOTS:
        # Mostly the side's first meld of the rank.
        action.what[NUMBER] = max(below(rng, 2 * MELDS_OF_A_RANK) - MELDS_OF_A_RANK, 0)
        holding = hand.holding[hand.turn[ACTOR]]
        naturals = 0 if slot == WILD_MELD else below(rng, holding[kind_of_slot(slot)] + 1)
        twos = below(rng, holding[TWO] + 1)
        set_group(action, slot, naturals, twos, below(rng, holding[JOKER] + 1))


@kernel
def fault_of_list(
    rules: Rules, hand: State, actions: ActionList, count: int, action: Action, rng: Row
) -> int:
    """Hold a list of legal actions and the check to each other; return 0 or what is wrong."""
    if count == 0:
        return NO_MOVE
    for place in range(count):
        if actions.what[place, VERB] in (TAKE_BACK, RUN_OUT):
            return NOBODY_CHOOSES
    for place in range(min(count, _CHECKED)):
        load(actions, place)
        if check(rules, hand, actions.draft) != 0:
            return ILLEGAL_MOVE
    for _ in range(_MADE_UP):
        make_up(hand, action, rng)
        is_legal = action.what[VERB] not in (TAKE_BACK, RUN_OUT) and check(rules, hand, action) == 0
        if is_legal and not is_listed(actions, count, action):
            return NOT_LISTED
    return 0


@kernel
def fault_of_position(rules: Rules, hand: State, view: State, desk: Desk, error_rate: float) -> int:
    """Ask everything about a position and choose an action; return 0 or what is wrong."""
    before = fingerprint(hand)
    if not holds_all_cards(hand):
        return LOST_CARDS
    if shows_hidden(rules, hand, view):
        return SEES_HIDDEN
    count = legal_actions(rules, hand, desk.actions)
    fault = fault_of_list(rules, hand, desk.actions, count, desk.action, desk.rng)
    if fault != 0:
        return fault
    if error_rate < 0.0:
        load(desk.actions, below(desk.rng, count))
        copy_action(desk.actions.draft, desk.action)
    else:
        choose(rules, view, error_rate, desk.rng, desk.action, desk.actions)
        if check(rules, hand, desk.action) != 0:
            return ILLEGAL_MOVE
        # Of openings only the minimal are listed.
        count = legal_actions(rules, hand, desk.actions)
        if laid_groups(desk.action) < 2 and not is_listed(desk.actions, count, desk.action):
            return NOT_LISTED
    return 0 if fingerprint(hand) == before else QUERY_CHANGED


@kernel
def play_watched(
    rules: Rules, hand: State, view: State, desk: Desk, error_rate: float, record: Row, out: Bytes
) -> int:
    """Deal and play a hand; return how many bytes of its log were written, or what went wrong.

    Args:
        rules: The rule set.
        hand: Ends up ended.
        view: Scratch made by `engine.view.empty_view`.
        desk: Scratch; its generator and its scores are the hand's.
        error_rate: The computer player's, or `RANDOM`.
        record: What came of the hand [COLUMNS].
        out: The hand's own part of its full log [2 * HAND_BYTES].
    """
    deal(rules, hand, below(desk.rng, rules.players), desk.scores, desk.rng)
    at = put_deal(desk.text, 0, hand)
    start(rules, hand)
    events = 0
    while hand.turn[PHASE] != ENDED:
        fault = fault_of_position(rules, hand, view, desk, error_rate)
        if fault != 0:
            return fault
        stock = hand.turn[STOCK]
        apply(rules, hand, desk.action, desk.actions)
        if desk.action.what[VERB] != DECLINE:
            at = put(desk.text, put_event(desk.text, at, hand, desk.action, stock), ord(" "))
        events += 1
        if events > _MOST_EVENTS:
            return ENDLESS
    if hand.turn[ENDED_BY] == BY_OUT:
        at = put(desk.text, at, ord("0") + hand.turn[OUT_SEAT])
        at = put(desk.text, put(desk.text, at, ord("o")), ord(" "))
    record_hand(rules, hand, 1, record, desk.part, desk.scores)
    return write_text(out, 0, rules, record, desk, at - 1, FULL) if holds_all_cards(hand) else LOST_CARDS


#: Scores before a hand, so that every opening minimum is met.
_SCORES: Final = ((0, 0, 0, 0), (3000, 1500, -200, 0), (-500, 5000, 3000, 2995), (4995, -5, 1495, 1500))
#: One in so many hands is kept with its last position.
_KEPT: Final = 100


@dataclass
class Watched:
    """What was played.

    Attributes:
        faults: [n] what is wrong with each hand; 0: nothing.
        records: [n, COLUMNS] what came of it, as `engine.hand_record` lays it out.
        lines: Each hand's full log.
        positions: The last position of some of them, by number, the stock as its size.
    """

    faults: Ints
    records: Ints
    lines: list[bytes]
    positions: dict[int, dict[str, Any]]


def scores_before(rules: RuleSet, number: int) -> Ints:
    """Return each seat's or side's score before a hand [4], below the target."""
    return np.minimum(_SCORES[number % len(_SCORES)], rules.target - 5)


def play_many(rules: RuleSet, hands: int, seed: int, error_rate: float) -> Watched:
    """Play hands and watch each of their positions, at random or by the computer player."""
    hand, view, desk = empty_state(), empty_view(), empty_desk()
    out = np.zeros(2 * HAND_BYTES, np.uint8)
    watched = Watched(np.zeros(hands, np.int64), np.zeros((hands, hand_record.COLUMNS), np.int64), [], {})
    table = table_bytes(rules, [computer(seat, rules, "expert") for seat in range(rules.players)])
    for number in range(hands):
        seed_generator(desk.rng, seed, number, 1)
        desk.scores[:] = scores_before(rules, number)
        size = play_watched(rules.numbers, hand, view, desk, error_rate, watched.records[number], out)
        watched.faults[number] = min(size, 0)
        times = ("2026-01-05T18:00:00Z", "2026-01-05T18:09:12Z")
        identity = HandIdentity(f"h-{number}", f"g-{number}", 1, *times, seed=f"{seed}:{number}")
        watched.lines.append(hand_line(identity, table, out[: max(size, 0)].tobytes()))
        if number % _KEPT == 0:
            stock = {"stock": int(hand.turn[STOCK])}
            watched.positions[number] = write_position(rules, hand) | stock
    return watched

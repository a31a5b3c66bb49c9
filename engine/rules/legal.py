"""Every legal action of the actor: what the holding offers is listed, then sifted by the checks.

After the opening a meld action is one group. Openings are generated as minimal sets: drop any group and what
is left would be refused. Groups of every size are generated. Not generated: a failed opening (nobody needs to
fail) and the clock running out (nobody chooses it).
"""

from __future__ import annotations

from typing import Final

from engine.cards import BLACK_THREE, JOKER, KINDS, RANKS, RED_THREE, TWO
from engine.clauses import Clause
from engine.kernel import kernel
from engine.rules.action_list import CAPACITY, ActionList, load, offer, push, set_group, start_list, store
from engine.rules.check import check
from engine.rules.counts import (
    kind_of_slot,
    laid_groups,
    laid_size,
    meld_size,
    melds_allowed,
    side_of,
    three_due,
)
from engine.rules.pile import top_card
from engine.ruleset import Rules
from engine.state import (
    ACTOR,
    ANSWER_NO,
    ANSWER_YES,
    ASK,
    CARD,
    COUNT,
    DECLARE,
    DECLINE,
    DISCARD,
    DRAW,
    DRAW_BONUS,
    DRAW_CARDS,
    JOKERS,
    LAY_THREE,
    MELD,
    NATURALS,
    NUMBER,
    PHASE,
    PILE,
    PLAY,
    SLOTS,
    SPECIAL_HANDS,
    TAKE_PILE,
    TWOS,
    VERB,
    WILD_MELD,
    Action,
    State,
)

#: More than the groups that one holding can lay, a slot at a time.
_MOST_GROUPS: Final = 2_000


@kernel
def _offer_groups(rules: Rules, hand: State, actions: ActionList, slot: int, least: int) -> None:
    """Offer the draft with each group on a slot that the holding still has the cards for."""
    draft = actions.draft
    actor = hand.turn[ACTOR]
    naturals = 0 if slot == WILD_MELD else hand.holding[actor, kind_of_slot(slot)]
    wilds = rules.largest_meld if slot == WILD_MELD else rules.most_wilds
    twos = hand.holding[actor, TWO]
    jokers = hand.holding[actor, JOKER]
    for other in range(SLOTS):
        twos -= draft.laid[other, TWOS]
        jokers -= draft.laid[other, JOKERS]
    for natural in range(0 if slot == WILD_MELD else least, naturals + 1):
        for two in range(min(twos, wilds) + 1):
            for joker in range(min(jokers, wilds - two) + 1):
                if natural + two + joker > 0:
                    set_group(draft, slot, natural, two, joker)
                    push(actions)
    set_group(draft, slot, 0, 0, 0)


@kernel
def _melds(rules: Rules, hand: State, slot: int) -> int:
    """Return how many melds of a slot the actor can name: the side's, and the next one that is allowed."""
    side = side_of(hand, hand.turn[ACTOR])
    number = 1
    while number < melds_allowed(rules, slot) and meld_size(hand, side, slot + SLOTS * (number - 1)) > 0:
        number += 1
    return number


@kernel
def _offer_plays(rules: Rules, hand: State, actions: ActionList) -> None:
    """Offer what may follow the draw."""
    offer(actions, ASK, 0)
    for which in range(len(SPECIAL_HANDS)):
        offer(actions, DECLARE, which)
    for kind in range(KINDS):
        if hand.holding[hand.turn[ACTOR], kind] > 0:
            offer(actions, DISCARD, kind)
    actions.draft.what[VERB] = MELD
    actions.draft.what[CARD] = 0
    for slot in range(SLOTS):
        for number in range(_melds(rules, hand, slot)):
            actions.draft.what[NUMBER] = number
            _offer_groups(rules, hand, actions, slot, 0)
    actions.draft.what[NUMBER] = 0


@kernel
def _offer_takes(rules: Rules, hand: State, actions: ActionList) -> None:
    """Offer the pile for nothing and for every group on its top card, with each meld that these may join."""
    top = top_card(hand)
    if top < RANKS:
        actions.draft.what[VERB] = TAKE_PILE
        actions.draft.what[CARD] = top
        actions.draft.what[COUNT] = hand.turn[PILE]
        for number in range(_melds(rules, hand, top)):
            actions.draft.what[NUMBER] = number
            push(actions)
            _offer_groups(rules, hand, actions, top, 0)
        actions.draft.what[NUMBER] = 0


@kernel
def _top_slot(draft: Action) -> int:
    """Return the slot that the pile's top card joins, or -1 if the pile is not taken."""
    return draft.what[CARD] if draft.what[VERB] == TAKE_PILE else -1


@kernel
def _extend(rules: Rules, hand: State, actions: ActionList) -> None:
    """Offer the draft again with one more group, on each slot after its last; the pile's group is apart."""
    top = _top_slot(actions.draft)
    last = -1
    for slot in range(SLOTS):
        if slot != top and laid_size(actions.draft, slot) > 0:
            last = slot
    for slot in range(last + 1, SLOTS):
        if slot != top:
            _offer_groups(rules, hand, actions, slot, 2)


@kernel
def _is_minimal(rules: Rules, hand: State, draft: Action) -> bool:
    """Say whether an action lays one group, or is an opening refused without any one of its groups."""
    if laid_groups(draft) <= 1:
        return True
    top = _top_slot(draft)
    for slot in range(SLOTS):
        if slot != top and laid_size(draft, slot) > 0:
            naturals = draft.laid[slot, NATURALS]
            twos = draft.laid[slot, TWOS]
            jokers = draft.laid[slot, JOKERS]
            set_group(draft, slot, 0, 0, 0)
            opens = check(rules, hand, draft) == 0
            set_group(draft, slot, naturals, twos, jokers)
            if opens:
                return False
    return True


@kernel
def _set_aside(actions: ActionList, start: int, end: int) -> int:
    """Move the list's actions from `start` on to the places before `end`, in order; return the first."""
    moved = actions.used[0] - start
    for step in range(moved):
        load(actions, actions.used[0] - 1 - step)
        store(actions, end - 1 - step)
    return end - moved


@kernel
def _sift(rules: Rules, hand: State, actions: ActionList) -> int:
    """Keep the legal ones of the actions offered, extend openings that lack only points or a clean triple.

    Once a set of groups opens, adding to it cannot give a minimal set, so the search stops there. What is
    still to be tried waits at the end of the list, the next one first, and each opening is followed to its
    end before the next: so few wait that the room is left to what is kept.
    """
    kept = 0
    waiting = _set_aside(actions, 0, CAPACITY)
    while waiting < CAPACITY:
        load(actions, waiting)
        waiting += 1
        code = check(rules, hand, actions.draft)
        if code in (Clause.M_OPEN_MINIMUM, Clause.M_OPEN_TRIPLE, Clause.S_OPEN_MINIMUM):
            if waiting - kept > _MOST_GROUPS:
                actions.used[0] = kept
                _extend(rules, hand, actions)
                waiting = _set_aside(actions, kept, waiting)
        elif code == 0 and _is_minimal(rules, hand, actions.draft):
            store(actions, kept)
            kept += 1
    actions.used[0] = kept
    return kept


@kernel
def legal_actions(rules: Rules, hand: State, actions: ActionList) -> int:
    """Fill a buffer with the actor's legal actions and return their number."""
    start_list(hand, actions)
    if three_due(rules, hand):
        offer(actions, LAY_THREE, RED_THREE)
        offer(actions, LAY_THREE, BLACK_THREE)
    elif hand.turn[PHASE] == DRAW:
        offer(actions, DRAW_CARDS, 0)
        offer(actions, DECLINE, 0)
        _offer_takes(rules, hand, actions)
    elif hand.turn[PHASE] == PLAY:
        _offer_plays(rules, hand, actions)
    else:
        for verb in (ANSWER_YES, ANSWER_NO, DRAW_BONUS):
            offer(actions, verb, 0)
    return _sift(rules, hand, actions)


@kernel
def can_take_pile(rules: Rules, hand: State, actions: ActionList) -> bool:
    """Say whether the actor, who is to draw, could take the pile; the buffer is scratch."""
    start_list(hand, actions)
    _offer_takes(rules, hand, actions)
    return _sift(rules, hand, actions) > 0

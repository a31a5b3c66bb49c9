"""A simple computer player: melds what it can, takes every pile it can use, discards what helps least.

It writes what it would like to do into a list, best first, and does the first thing that the rules allow. As
often as its error rate says, it makes a random legal choice instead: it leaves a pile, forgets to meld or
throws any card. It sees a view, never the hand.
"""

from __future__ import annotations

from typing import Final

from engine.cards import ACE, BLACK_THREE, JOKER, KINDS, RANKS, RED_THREE, SEVEN, TWO
from engine.kernel import Row, kernel
from engine.rules.action_list import ActionList, load, offer, push, set_group, start_list
from engine.rules.check import check
from engine.rules.counts import (
    held,
    is_dead,
    laid_points,
    laid_size,
    meld_size,
    minimum,
    side_of,
    three_due,
)
from engine.rules.discard import check_card
from engine.rules.legal import legal_actions
from engine.rules.pile import check_top, top_card
from engine.rules.rng import below
from engine.rules.special import makes_special
from engine.ruleset import Rules
from engine.state import (
    ACTOR,
    ANSWER_YES,
    BLACK_MELD,
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
    MUST_OUT,
    OPENED,
    PHASE,
    PILE,
    PLAY,
    SIDES,
    SLOTS,
    SPECIAL_HANDS,
    TAKE_PILE,
    TWOS,
    VERB,
    WILD_MELD,
    State,
)

_CERTAIN: Final = 1 << 30
#: A meld of 7s or natural aces that stays unfinished costs dearly, so it is begun with this many cards.
_SAFE_START: Final = 5
#: Wilds that begin a wild meld of their own.
_WILD_START: Final = 5
#: From this many cards on the player tries to empty the holding.
_SHORT: Final = 4
#: What a discard loses or gives away; the lowest sum goes.
_WILD_COST: Final = 1000
_USED_BY_OTHERS_COST: Final = 60
_PAIR_COST: Final = 15
_TRIPLE_COST: Final = 25
_OWN_COST: Final = 30
#: Three 7s or aces in a holding cost dearly at the end, and so does a meld of them that stays open.
_RISK_GAIN: Final = 20
_BLOCKER_GAIN: Final = 40


@kernel
def _errs(error_rate: float, rng: Row) -> bool:
    return error_rate > 0.0 and below(rng, _CERTAIN) < error_rate * _CERTAIN


@kernel
def _like_drawing(actions: ActionList) -> None:
    """Offer the draw, or leaving the pile when there is nothing to draw."""
    actions.draft.what[COUNT] = 0
    for slot in range(SLOTS):
        set_group(actions.draft, slot, 0, 0, 0)
    offer(actions, DRAW_CARDS, 0)
    offer(actions, DECLINE, 0)


@kernel
def _like_taking(view: State, top: int, actions: ActionList) -> None:
    """Offer the pile with a pair, onto the side's own meld, or with a natural and a wild."""
    holding = view.holding[view.turn[ACTOR]]
    if holding[top] >= 2:
        set_group(actions.draft, top, 2, 0, 0)
        push(actions)
    set_group(actions.draft, top, 0, 0, 0)
    push(actions)
    if holding[top] > 0 and holding[TWO] > 0:
        set_group(actions.draft, top, 1, 1, 0)
        push(actions)
    elif holding[top] > 0 and holding[JOKER] > 0:
        set_group(actions.draft, top, 1, 0, 1)
        push(actions)


@kernel
def _is_risky(rules: Rules, view: State, side: int, slot: int, added: int) -> bool:
    """Say whether cards would lie in an unfinished meld of 7s or natural aces that is far from closing."""
    if rules.modern == 0 or slot not in (SEVEN, ACE):
        return False
    if view.meld[side, slot, TWOS] + view.meld[side, slot, JOKERS] > 0:
        return False
    return meld_size(view, side, slot) + added < _SAFE_START


@kernel
def _offer_if_enough(rules: Rules, needed: int, actions: ActionList) -> None:
    if laid_points(rules, actions.draft) >= needed:
        push(actions)


@kernel
def _add_wilds(rules: Rules, view: State, needed: int, actions: ActionList) -> None:
    """Go on with a wild, then two, beside each pair, dearest ranks first."""
    twos = view.holding[view.turn[ACTOR], TWO]
    jokers = view.holding[view.turn[ACTOR], JOKER]
    for slot in range(RANKS - 1, -1, -1):
        naturals = view.holding[view.turn[ACTOR], slot]
        takes_wilds = rules.modern == 0 or (slot != SEVEN and not is_dead(rules, view, slot))
        if naturals == 2 and takes_wilds and twos + jokers > 0 and laid_size(actions.draft, slot) == 0:
            two = min(twos, rules.most_wilds)
            joker = min(jokers, rules.most_wilds - two)
            set_group(actions.draft, slot, naturals, two, joker)
            twos -= two
            jokers -= joker
            _offer_if_enough(rules, needed, actions)


# An opening grows group by group: triples, then pairs with wilds, dearest ranks first.
@kernel
def _like_opening(rules: Rules, view: State, side: int, top: int, actions: ActionList) -> None:
    """Offer the openings met on the way from few cards to many, each that reaches the minimum."""
    needed = minimum(rules, view, side)
    if top >= 0:
        if rules.top_card_counts == 1:
            needed -= rules.card_points[top]
        naturals = min(view.holding[view.turn[ACTOR], top], rules.pile_opening_naturals)
        set_group(actions.draft, top, naturals, 0, 0)
        _offer_if_enough(rules, needed, actions)
    for slot in range(RANKS - 1, -1, -1):
        naturals = view.holding[view.turn[ACTOR], slot]
        is_safe = slot != top and not _is_risky(rules, view, side, slot, naturals)
        if is_safe and naturals >= 3 and not is_dead(rules, view, slot):
            set_group(actions.draft, slot, min(naturals, rules.largest_meld), 0, 0)
            _offer_if_enough(rules, needed, actions)
    _add_wilds(rules, view, needed, actions)


@kernel
def _like_start(rules: Rules, view: State, errs: bool, actions: ActionList) -> None:
    """Prefer the pile, unless the player overlooks it."""
    if errs:
        offer(actions, DRAW_CARDS, 0)
    side = side_of(view, view.turn[ACTOR])
    if check_top(rules, view, side) == 0:
        top = top_card(view)
        actions.draft.what[VERB] = TAKE_PILE
        actions.draft.what[CARD] = top
        actions.draft.what[COUNT] = view.turn[PILE]
        if view.side[side, OPENED] == 0:
            _like_opening(rules, view, side, top, actions)
        elif not _is_risky(rules, view, side, top, 3):
            _like_taking(view, top, actions)
    _like_drawing(actions)


@kernel
def _like_special(rules: Rules, view: State, actions: ActionList) -> None:
    """Offer a special hand; none of them holds a rank once."""
    seat = view.turn[ACTOR]
    if rules.special_hands == 0:
        return
    for rank in range(RANKS):
        if view.holding[seat, rank] == 1:
            return
    for which in range(len(SPECIAL_HANDS)):
        if makes_special(view, seat, which):
            offer(actions, DECLARE, which)


@kernel
def _offer_group(actions: ActionList, slot: int, naturals: int, twos: int, jokers: int) -> None:
    set_group(actions.draft, slot, naturals, twos, jokers)
    push(actions)
    set_group(actions.draft, slot, 0, 0, 0)


@kernel
def _like_wilds(rules: Rules, view: State, side: int, actions: ActionList) -> None:
    holding = view.holding[view.turn[ACTOR]]
    own = meld_size(view, side, WILD_MELD)
    starts = own > 0 or holding[TWO] + holding[JOKER] >= _WILD_START
    if rules.wild_melds == 1 and own < rules.largest_meld and starts:
        two = min(holding[TWO], rules.largest_meld - own)
        _offer_group(actions, WILD_MELD, 0, two, min(holding[JOKER], rules.largest_meld - own - two))
    short = held(view, view.turn[ACTOR]) <= _SHORT
    for slot in range(RANKS):
        size = meld_size(view, side, slot)
        missing = rules.canasta_cards - size
        if size > 0 and (0 < missing <= holding[TWO] + holding[JOKER] or short):
            wilds = max(missing, 1)
            two = min(holding[TWO], wilds)
            _offer_group(actions, slot, 0, two, min(holding[JOKER], wilds - two))


@kernel
def _like_groups(rules: Rules, view: State, side: int, actions: ActionList) -> None:
    """Offer naturals for every slot, then wilds that close a canasta or empty a short holding."""
    holding = view.holding[view.turn[ACTOR]]
    for slot in range(RANKS):
        size = meld_size(view, side, slot)
        naturals = min(holding[slot], rules.largest_meld - size)
        starts = naturals >= 3 and not _is_risky(rules, view, side, slot, naturals)
        if naturals > 0 and (size > 0 or starts):
            _offer_group(actions, slot, naturals, 0, 0)
    if holding[BLACK_THREE] >= 3:
        _offer_group(actions, BLACK_MELD, holding[BLACK_THREE], 0, 0)
    if holding[TWO] + holding[JOKER] > 0:
        _like_wilds(rules, view, side, actions)


@kernel
def _discard_cost(rules: Rules, view: State, side: int, kind: int) -> int:
    """Return what discarding a card costs: what it would do here, and what it does for the next player."""
    if kind in (TWO, JOKER):
        return _WILD_COST
    if kind == BLACK_THREE:
        return -_BLOCKER_GAIN
    cost = 0
    count = view.holding[view.turn[ACTOR], kind]
    if is_dead(rules, view, kind):
        return 0
    if (
        rules.modern == 1
        and kind in (SEVEN, ACE)
        and meld_size(view, side, kind) == 0
        and count < _SAFE_START
    ):
        return -_RISK_GAIN
    if count == 2:
        cost += _PAIR_COST
    elif count > 2:
        cost += _TRIPLE_COST
    for other in range(view.turn[SIDES]):
        size = meld_size(view, other, kind)
        if size > 0 and other == side:
            cost += _OWN_COST
        elif 0 < size < rules.pile_meld_below:
            cost += _USED_BY_OTHERS_COST
    return cost


@kernel
def _like_discard(rules: Rules, view: State, side: int, errs: bool, rng: Row, actions: ActionList) -> None:
    """Offer the card whose loss costs least, of those that may lie on the pile; one who errs takes any."""
    seat = view.turn[ACTOR]
    first = below(rng, KINDS) if errs else 0
    best = -1
    lowest = 0
    for step in range(KINDS):
        kind = (first + step) % KINDS
        if view.holding[seat, kind] > 0 and check_card(rules, view, seat, kind) == 0:
            cost = 0 if errs else _discard_cost(rules, view, side, kind)
            if best < 0 or cost < lowest:
                best = kind
                lowest = cost
    if best >= 0:
        offer(actions, DISCARD, best)


@kernel
def _like_play(rules: Rules, view: State, error_rate: float, rng: Row, actions: ActionList) -> None:
    side = side_of(view, view.turn[ACTOR])
    if view.turn[MUST_OUT] == 1 or not _errs(error_rate, rng):
        _like_special(rules, view, actions)
        actions.draft.what[VERB] = MELD
        actions.draft.what[CARD] = 0
        if view.side[side, OPENED] == 0:
            _like_opening(rules, view, side, -1, actions)
            for slot in range(SLOTS):
                set_group(actions.draft, slot, 0, 0, 0)
        else:
            _like_groups(rules, view, side, actions)
    _like_discard(rules, view, side, _errs(error_rate, rng), rng, actions)


@kernel
def choose(rules: Rules, view: State, error_rate: float, rng: Row, actions: ActionList) -> None:
    """Write the actor's choice into the list's draft.

    Args:
        rules: The rule set.
        view: What the actor sees; the actor is to act in it.
        error_rate: Chance in [0, 1] of a random legal choice at each decision.
        rng: The player's random numbers; unused where nothing is left to chance.
        actions: Scratch space; the draft is the answer.
    """
    start_list(view, actions)
    if three_due(rules, view):
        offer(actions, LAY_THREE, RED_THREE)
        offer(actions, LAY_THREE, BLACK_THREE)
    elif view.turn[PHASE] == DRAW:
        _like_start(rules, view, _errs(error_rate, rng), actions)
    elif view.turn[PHASE] == PLAY:
        _like_play(rules, view, error_rate, rng, actions)
    else:
        offer(actions, DRAW_BONUS, 0)
        offer(actions, ANSWER_YES, 0)
    for place in range(actions.used[0]):
        load(actions, place)
        if check(rules, view, actions.draft) == 0:
            return
    legal_actions(rules, view, actions)
    load(actions, 0)

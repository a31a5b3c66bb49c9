"""A simple computer player: melds what it can, takes every pile it can use, discards what helps least.

It tries what it would like to do, best first, and does the first thing that the rules allow: a function named
``_try_...`` says whether it left a legal action in the draft. As often as its error rate says, the player
makes a random legal choice instead: it leaves a pile, forgets to meld or throws any card. It sees a view,
never the hand.
"""

# Long because it is one player, whose wishes follow one another.
from __future__ import annotations

from typing import Final

from engine.cards import ACE, BLACK_THREE, JOKER, KINDS, RANKS, RED_THREE, SEVEN, TWO
from engine.kernel import Row, kernel
from engine.rules.action_list import ActionList, copy_action, load, set_group, start_action
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
    Action,
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
def _try(rules: Rules, view: State, draft: Action, verb: int, card: int) -> bool:
    """Draft an action that lays what the draft has on its slots."""
    draft.what[VERB] = verb
    draft.what[CARD] = card
    return check(rules, view, draft) == 0


@kernel
def _try_group(
    rules: Rules, view: State, draft: Action, slot: int, naturals: int, twos: int, jokers: int
) -> bool:
    """Draft one group beside what the draft lays already, and take it out again if it is refused."""
    set_group(draft, slot, naturals, twos, jokers)
    if check(rules, view, draft) == 0:
        return True
    set_group(draft, slot, 0, 0, 0)
    return False


@kernel
def _is_risky(rules: Rules, view: State, side: int, slot: int, added: int) -> bool:
    """Say whether cards would lie in an unfinished meld of 7s or natural aces that is far from closing."""
    if rules.modern == 0 or slot not in (SEVEN, ACE):
        return False
    if view.meld[side, slot, TWOS] + view.meld[side, slot, JOKERS] > 0:
        return False
    return meld_size(view, side, slot) + added < _SAFE_START


@kernel
def _try_taking(rules: Rules, view: State, draft: Action, top: int) -> bool:
    """Take the pile with a pair, onto the side's own meld, or with a natural and a wild."""
    holding = view.holding[view.turn[ACTOR]]
    if holding[top] >= 2 and _try_group(rules, view, draft, top, 2, 0, 0):
        return True
    if _try_group(rules, view, draft, top, 0, 0, 0):
        return True
    if holding[top] == 0 or holding[TWO] + holding[JOKER] == 0:
        return False
    two = min(holding[TWO], 1)
    return _try_group(rules, view, draft, top, 1, two, 1 - two)


@kernel
def _most_points(rules: Rules, view: State) -> int:
    """Return the card points of everything that the actor could lay in an opening."""
    holding = view.holding[view.turn[ACTOR]]
    points = 0
    for kind in range(RED_THREE):
        points += holding[kind] * rules.card_points[kind]
    return points


@kernel
def _opens(rules: Rules, view: State, draft: Action, needed: int) -> bool:
    return laid_points(rules, draft) >= needed and check(rules, view, draft) == 0


@kernel
def _try_wild_groups(rules: Rules, view: State, draft: Action, needed: int) -> bool:
    """Go on with a wild, then two, beside each pair, dearest ranks first."""
    holding = view.holding[view.turn[ACTOR]]
    twos = holding[TWO]
    jokers = holding[JOKER]
    for slot in range(RANKS - 1, -1, -1):
        if twos + jokers == 0:
            return False
        is_pair = holding[slot] == 2 and laid_size(draft, slot) == 0
        if is_pair and (rules.modern == 0 or (slot != SEVEN and not is_dead(rules, view, slot))):
            two = min(twos, rules.most_wilds)
            joker = min(jokers, rules.most_wilds - two)
            set_group(draft, slot, 2, two, joker)
            twos -= two
            jokers -= joker
            if _opens(rules, view, draft, needed):
                return True
    return False


# An opening grows group by group: triples, then pairs with wilds, dearest ranks first.
@kernel
def _try_opening(rules: Rules, view: State, side: int, top: int, draft: Action) -> bool:
    """Open with the fewest groups that reach the minimum; `top` is the pile's top card or -1."""
    needed = minimum(rules, view, side)
    if top >= 0 and rules.top_card_counts == 1:
        needed -= rules.card_points[top]
    if _most_points(rules, view) < needed:
        return False
    holding = view.holding[view.turn[ACTOR]]
    if top >= 0:
        set_group(draft, top, min(holding[top], rules.pile_opening_naturals), 0, 0)
        if _opens(rules, view, draft, needed):
            return True
    for slot in range(RANKS - 1, -1, -1):
        naturals = holding[slot]
        is_safe = slot != top and naturals >= 3 and not _is_risky(rules, view, side, slot, naturals)
        if is_safe and not is_dead(rules, view, slot):
            set_group(draft, slot, min(naturals, rules.largest_meld), 0, 0)
            if _opens(rules, view, draft, needed):
                return True
    return _try_wild_groups(rules, view, draft, needed)


@kernel
def _lay_nothing(draft: Action) -> None:
    for slot in range(SLOTS):
        set_group(draft, slot, 0, 0, 0)


@kernel
def _try_pile(rules: Rules, view: State, draft: Action) -> bool:
    side = side_of(view, view.turn[ACTOR])
    if check_top(rules, view, side) != 0:
        return False
    top = top_card(view)
    draft.what[VERB] = TAKE_PILE
    draft.what[CARD] = top
    draft.what[COUNT] = view.turn[PILE]
    if view.side[side, OPENED] == 0:
        if _try_opening(rules, view, side, top, draft):
            return True
    elif not _is_risky(rules, view, side, top, 3) and _try_taking(rules, view, draft, top):
        return True
    draft.what[COUNT] = 0
    _lay_nothing(draft)
    return False


@kernel
def _try_start(rules: Rules, view: State, errs: bool, draft: Action) -> bool:
    """Prefer the pile, unless the player overlooks it; with nothing to draw, leave it."""
    if errs and _try(rules, view, draft, DRAW_CARDS, 0):
        return True
    if _try_pile(rules, view, draft):
        return True
    return _try(rules, view, draft, DRAW_CARDS, 0) or _try(rules, view, draft, DECLINE, 0)


@kernel
def _try_special(rules: Rules, view: State, draft: Action) -> bool:
    """Declare a special hand; none of them holds a rank once."""
    seat = view.turn[ACTOR]
    if rules.special_hands == 0:
        return False
    for rank in range(RANKS):
        if view.holding[seat, rank] == 1:
            return False
    for which in range(len(SPECIAL_HANDS)):
        if makes_special(view, seat, which) and _try(rules, view, draft, DECLARE, which):
            return True
    return False


@kernel
def _try_wilds(rules: Rules, view: State, side: int, draft: Action) -> bool:
    """Meld wilds alone, close a canasta with them, or add one where the holding is short."""
    holding = view.holding[view.turn[ACTOR]]
    wilds = holding[TWO] + holding[JOKER]
    own = meld_size(view, side, WILD_MELD)
    if rules.wild_melds == 1 and own < rules.largest_meld and (own > 0 or wilds >= _WILD_START):
        two = min(holding[TWO], rules.largest_meld - own)
        joker = min(holding[JOKER], rules.largest_meld - own - two)
        if _try_group(rules, view, draft, WILD_MELD, 0, two, joker):
            return True
    short = held(view, view.turn[ACTOR]) <= _SHORT
    for slot in range(RANKS):
        size = meld_size(view, side, slot)
        missing = rules.canasta_cards - size
        if size > 0 and (0 < missing <= wilds or short):
            used = max(missing, 1)
            two = min(holding[TWO], used)
            if _try_group(rules, view, draft, slot, 0, two, min(holding[JOKER], used - two)):
                return True
    return False


@kernel
def _try_groups(rules: Rules, view: State, side: int, draft: Action) -> bool:
    """Meld naturals of a slot, then wilds that close a canasta or empty a short holding."""
    holding = view.holding[view.turn[ACTOR]]
    for slot in range(RANKS):
        if holding[slot] > 0:
            size = meld_size(view, side, slot)
            naturals = min(holding[slot], rules.largest_meld - size)
            starts = naturals >= 3 and not _is_risky(rules, view, side, slot, naturals)
            fits = naturals > 0 and (size > 0 or starts)
            if fits and _try_group(rules, view, draft, slot, naturals, 0, 0):
                return True
    blacks = holding[BLACK_THREE]
    if blacks >= 3 and _try_group(rules, view, draft, BLACK_MELD, blacks, 0, 0):
        return True
    return holding[TWO] + holding[JOKER] > 0 and _try_wilds(rules, view, side, draft)


@kernel
def _try_melding(rules: Rules, view: State, side: int, draft: Action) -> bool:
    draft.what[VERB] = MELD
    draft.what[CARD] = 0
    if view.side[side, OPENED] > 0:
        return _try_groups(rules, view, side, draft)
    if _try_opening(rules, view, side, -1, draft):
        return True
    _lay_nothing(draft)
    return False


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
def _try_discarding(rules: Rules, view: State, side: int, first: int, draft: Action) -> bool:
    """Discard the card whose loss costs least, of those that may lie on the pile.

    Args:
        rules: The rule set.
        view: What the actor sees.
        side: The actor's side.
        first: -1, or the kind from which on a player who errs takes the first.
        draft: The answer.
    """
    seat = view.turn[ACTOR]
    best = -1
    lowest = 0
    for step in range(KINDS):
        kind = (max(first, 0) + step) % KINDS
        if view.holding[seat, kind] > 0:
            cost = 0 if first >= 0 else _discard_cost(rules, view, side, kind)
            if (best < 0 or cost < lowest) and check_card(rules, view, seat, kind) == 0:
                best = kind
                lowest = cost
    return best >= 0 and _try(rules, view, draft, DISCARD, best)


@kernel
def _try_play(rules: Rules, view: State, error_rate: float, rng: Row, draft: Action) -> bool:
    side = side_of(view, view.turn[ACTOR])
    melds = view.turn[MUST_OUT] == 1 or not _errs(error_rate, rng)
    first = below(rng, KINDS) if _errs(error_rate, rng) else -1
    if melds and (_try_special(rules, view, draft) or _try_melding(rules, view, side, draft)):
        return True
    return _try_discarding(rules, view, side, first, draft)


@kernel
def _try_all(rules: Rules, view: State, error_rate: float, rng: Row, draft: Action) -> bool:
    if three_due(rules, view):
        if _try(rules, view, draft, LAY_THREE, RED_THREE):
            return True
        return _try(rules, view, draft, LAY_THREE, BLACK_THREE)
    if view.turn[PHASE] == DRAW:
        return _try_start(rules, view, _errs(error_rate, rng), draft)
    if view.turn[PHASE] == PLAY:
        return _try_play(rules, view, error_rate, rng, draft)
    return _try(rules, view, draft, DRAW_BONUS, 0) or _try(rules, view, draft, ANSWER_YES, 0)


@kernel
def choose(
    rules: Rules, view: State, error_rate: float, rng: Row, action: Action, actions: ActionList
) -> None:
    """Choose what the actor does.

    Args:
        rules: The rule set.
        view: What the actor sees; the actor is to act in it.
        error_rate: Chance in [0, 1] of a random legal choice at each decision.
        rng: The player's random numbers; unused where nothing is left to chance.
        action: The answer.
        actions: Scratch space.
    """
    start_action(view, action)
    if not _try_all(rules, view, error_rate, rng, action):
        legal_actions(rules, view, actions)
        load(actions, 0)
        copy_action(actions.draft, action)
